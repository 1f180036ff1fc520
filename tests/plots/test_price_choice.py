"""Scores on rows held out against the price."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from support import plotting

from ooa.errors import DataError
from ooa.plots.price_choice import plot_cv

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot

FOUND = SimpleNamespace(
    C_=0.02,
    cv_results_={
        "param_C": np.array([0.2, 0.02, 0.0]),
        "mean_test_score": np.array([0.5, 0.8, 0.82]),
        "se_test_score": np.array([0.01, 0.02, 0.03]),
        "mean_literals": np.array([0.0, 2.4, 9.0]),
    },
)


def test_points_bars_and_the_price_chosen(pyplot, tmp_path):
    ax = plot_cv(FOUND)
    assert ax.lines[0].get_xydata()[:, 1].tolist() == pytest.approx([50, 80, 82])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0.2\n0", "0.02\n2.4", "0\n9"]
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said == ["chosen: C = 0.02", "one standard error below the best"]
    filled, hollow = ax.collections[-2:]
    assert filled.get_offsets().tolist() == [[1, pytest.approx(80)]]
    assert len(hollow.get_offsets()) == 2
    assert any(line.get_ydata()[0] == pytest.approx(79) for line in ax.lines[1:])
    (bars,) = [one for one in ax.containers if one.has_yerr]
    heights = [segment[:, 1].tolist() for segment in bars.lines[2][0].get_segments()]
    assert heights == [pytest.approx(pair) for pair in ([49, 51], [78, 82], [79, 85])]
    ax.figure.savefig(tmp_path / "prices.png")
    assert (tmp_path / "prices.png").stat().st_size > 5_000


def test_it_draws_where_it_is_told(pyplot):
    ax = pyplot.subplots()[1]
    assert plot_cv(FOUND, ax) is ax


def test_who_chose_no_price_is_refused():
    with pytest.raises(DataError, match="plot_cv needs a fitted OOAxClassifierCV"):
        plot_cv(SimpleNamespace())
