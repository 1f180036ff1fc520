"""Plots: what is drawn, and what is said without matplotlib."""

from __future__ import annotations

import subprocess
import sys
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from ooa.datasets import monks
from ooa.errors import DataError, OOAError, OOAWarning
from ooa.estimators import OOAxClassifier
from ooa.learning.certificate import Certificate, Scope
from ooa.learning.verdict import Learned
from ooa.plots.benchmark import plot_benchmark
from ooa.plots.canvas import PlotUnavailable
from ooa.plots.progress import plot_progress
from ooa.plots.rules import plot_rules
from ooa.plots.trade_off import plot_path
from ooa.rules.ruleset import RuleSet
from ooa.solving import PointStatus, Progress, Solution, Termination

FRAME = pd.DataFrame(
    {
        "C1": [0.1, 0.05, 0.01],
        "C2": [0.1, 0.05, 0.01],
        "error_rate": [0.25, 0.25, 0.0],
        "literals": [1, 1, 7],
        "patterns": [1, 1, 4],
        "proved": [False, True, False],
    }
)


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


def test_points_labels_and_legend(pyplot, tmp_path):
    ax = plot_path(FRAME)
    (line,) = ax.lines
    assert line.get_xydata().tolist() == [[1, 25], [7, 0]]
    assert [text.get_text() for text in ax.texts] == ["1 pattern\nC = 0.05 to 0.1", "4 patterns\nC = 0.01"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["proved optimal", "not proved"]
    assert ax.get_xlabel() == "literals"
    assert ax.get_ylabel() == "training error (%)"
    ax.figure.savefig(tmp_path / "path.png")
    assert (tmp_path / "path.png").stat().st_size > 5_000


def test_it_draws_where_it_is_told(pyplot):
    ax = pyplot.subplots()[1]
    assert plot_path(FRAME, ax) is ax


def test_pairs_of_prices_and_single_points(pyplot):
    ax = plot_path(FRAME.assign(C2=[0.2, 0.1, 0.03]))
    assert ax.texts[0].get_text() == "1 pattern\n(C1, C2) = (0.05, 0.1) to (0.1, 0.2)"
    empty = FRAME.iloc[:1].assign(literals=0, patterns=0, error_rate=0.0)
    assert plot_path(empty).texts[0].get_text() == "0 patterns\nC = 0.1"


def test_a_frame_that_is_none_is_refused():
    with pytest.raises(DataError, match="no column 'C1'"):
        plot_path(pd.DataFrame({"literals": [1]}))
    with pytest.raises(DataError, match="without rows"):
        plot_path(FRAME.iloc[:0])


def test_without_matplotlib_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(PlotUnavailable, match=r"ooa\[plot\]"):
        plot_path(FRAME)
    assert issubclass(PlotUnavailable, OOAError)
    assert issubclass(PlotUnavailable, ImportError)


def test_importing_plots_does_not_import_matplotlib():
    code = "import sys, ooa.plots; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


X = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6], "z": ["a", "b", "a", "a", "b", "b"]})
Y = [0, 0, 1, 1, 0, 1]
RULES = RuleSet.parse("x >= 4 OR (x >= 3 AND z = a)")


def widths(ax) -> list[list[float]]:
    return [[bar.get_width() for bar in bars] for bars in ax.containers]


def test_rules_are_counted_alone_and_together(pyplot, tmp_path):
    ax = plot_rules(RULES, X, Y)
    # Row 3 is covered by both patterns; the last bar is the rule set.
    assert widths(ax) == [[1, 1, 3], [1, 1, 0], [-1, 0, -1], [0, 0, 0]]
    assert [text.get_text() for text in ax.texts] == [
        "precision 66.7 %, saves 0 errors",
        "precision 100 %, saves 1 error",
        "finds 100 % of all",
    ]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["x ≥ 4", "x ≥ 3 AND z = a", "all together"]
    assert all("−" not in tick.get_text() for tick in ax.get_xticklabels())
    assert "rows" in ax.get_xlabel()
    assert ax.get_legend() is not None
    ax.figure.savefig(tmp_path / "rules.png")
    assert (tmp_path / "rules.png").stat().st_size > 5_000


def test_rules_of_a_model_on_its_own_rows_and_on_others(pyplot):
    data = monks(1)
    model = OOAxClassifier(max_length=2).fit(data.X, data.y)
    ax = pyplot.subplots()[1]
    assert plot_rules(model, ax=ax) is ax
    assert widths(ax) == widths(plot_rules(model.rules_, data.X, data.y))
    half = plot_rules(model, data.X[:100], data.y[:100], sample_weight=np.full(100, 0.5))
    assert half.get_xlabel().count("weight of rows") == 1
    assert widths(half)[0][-1] == data.y[:100].sum() / 2


def test_rules_that_cannot_be_drawn():
    with pytest.raises(DataError, match="without patterns"):
        plot_rules(RuleSet(), X, Y)
    with pytest.raises(DataError, match="needs X and y"):
        plot_rules(RULES)


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
        *(1, 1, Fraction(1, 2), Fraction(1, 4), Scope.ALL, "all patterns"),
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


TIMES = pd.DataFrame(
    [
        ("highs", "a", 1.0, True),
        ("scip", "a", 4.0, True),
        ("highs", "b", 60.0, False),
        ("scip", "b", 10.0, True),
        ("highs", "c", 0.001, True),
        ("scip", "c", 0.005, True),
        ("highs", "d", 60.0, False),
        ("scip", "d", 60.0, False),
    ],
    columns=["solver", "instance", "seconds", "proved"],
)


def test_performance_profile(pyplot, tmp_path):
    ax = plot_benchmark(TIMES)
    highs, scip = (line.get_xydata().tolist() for line in ax.lines)
    assert highs == [[1, 0], [1, 25], [1, 50], [5, 50]]
    assert scip == [[1, 0], [1, 25], [1, 50], [4, 75], [5, 75]]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [
        "highs (2 of 4 proved)",
        "scip (3 of 4 proved)",
    ]
    ax.figure.savefig(tmp_path / "benchmark.png")
    assert (tmp_path / "benchmark.png").stat().st_size > 5_000
    assert plot_benchmark(TIMES, ax) is ax


def test_a_run_that_is_absent_is_no_proof(pyplot):
    ax = plot_benchmark(TIMES.drop(index=1))
    assert [text.get_text() for text in ax.get_legend().get_texts()][1] == "scip (2 of 4 proved)"


def test_frames_that_are_no_benchmark():
    with pytest.raises(DataError, match="no column 'proved'"):
        plot_benchmark(TIMES.drop(columns="proved"))
    with pytest.raises(DataError, match="'highs' on 'a' twice"):
        plot_benchmark(pd.concat([TIMES, TIMES.iloc[:1]]))
    with pytest.raises(DataError, match="without rows"):
        plot_benchmark(TIMES.iloc[:0])
