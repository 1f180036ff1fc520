"""A fit or a solve over time."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support import plotting
from support.plotting import RULES

from ooa.datasets import monks
from ooa.errors import DataError, OOAWarning
from ooa.estimators import OOAxClassifier
from ooa.learning.certificate import Certificate, Scope
from ooa.learning.ooax import Learned
from ooa.plots.progress import plot_progress
from ooa.solving import PointStatus, Progress, Solution, Termination

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot


def solution(**changes) -> Solution:
    about = {
        "termination": Termination.TIME_LIMIT,
        "status": PointStatus.FEASIBLE,
        "x": np.zeros(1),
        "objective": 4.0,
        "bound": 3.0,
        "backend": "highs",
        "seconds": 2.0,
        "trace": (Progress(0.5, 8.0, None), Progress(1.0, 4.0, 1.0)),
    }
    return Solution(**about | changes)


def test_progress_over_time(pyplot, tmp_path):
    ax = plot_progress(solution())
    best, bound = ax.lines[0], ax.lines[2]
    assert best.get_xydata().tolist() == [[0.5, 8], [1, 4], [2, 4]]
    assert bound.get_xydata().tolist() == [[1, 1], [2, 3]]
    assert ax.get_title(loc="left") == "highs: time limit after 2 s, gap 25.0 %"
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "best found",
        "proven bound",
        "not known yet",
    ]
    assert ax.get_ylabel() == "objective of the model"
    ax.figure.savefig(tmp_path / "progress.png")
    assert (tmp_path / "progress.png").stat().st_size > 5_000


def test_progress_without_one_of_the_curves(pyplot):
    none = {"status": PointStatus.NONE, "x": None, "objective": None}
    ax = plot_progress(solution(**none, trace=(Progress(1.0, None, 1.0),)))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["proven bound"]
    assert "no gap known" in ax.get_title(loc="left")


def test_progress_of_a_fit_is_of_the_objective(pyplot):
    proof = Certificate(
        *map(Fraction, (1, 4)),
        *(1, 1, Fraction(1, 2), 1, 4, Fraction(1, 4), Scope.ALL, "all patterns"),
        Termination.TIME_LIMIT,
        seconds={"mining": 1.5, "solving": 0.5},
    )
    trace = (Progress(0.25, 0.75, 0.125), Progress(1.0, 0.5, None), Progress(1.5, None, 0.375))
    ax = plot_progress(Learned(RULES, proof, None, None, trace))
    best, bound = ax.lines[0], ax.lines[2]
    assert best.get_xydata().tolist() == [[0.25, 0.75], [1, 0.5], [2, 0.5]]
    assert bound.get_xydata().tolist() == [[0.25, 0.125], [2, 0.25]]
    assert ax.get_ylabel() == "objective L"
    assert ax.get_title(loc="left") == "Fit: time limit after 2 s, gap 50.0 %"
    lost = replace(proof, feasible=False)
    ax = plot_progress(Learned(RULES, lost, None, None, trace))
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["proven bound"]
    assert "no gap known" in ax.get_title(loc="left")


@pytest.mark.parametrize("price", [0.01, 1])  # at 1 no rule is worth its price, as counting shows
def test_progress_of_an_estimator_whoever_proved_it(pyplot, price, tmp_path):
    data = monks(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)  # of a rule set without patterns
        model = OOAxClassifier(C1=price, C2=price).fit(data.X, data.y)
    ax = plot_progress(model)
    assert ax.get_title(loc="left").startswith("Fit: optimal after")
    assert ax.get_title(loc="left").endswith("gap 0")
    for line in (ax.lines[0], ax.lines[2]):
        assert len(line.get_xydata()) > 1
        assert line.get_ydata()[-1] == float(model.certificate_.objective)
    ax.figure.savefig(tmp_path / "progress.png")
    assert (tmp_path / "progress.png").stat().st_size > 5_000


def test_progress_of_a_silent_solver():
    with pytest.raises(DataError, match="highs ended without a report"):
        plot_progress(solution(trace=()))
