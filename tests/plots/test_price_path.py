"""Error against complexity along a path."""

from __future__ import annotations

import pandas as pd
import pytest
from support import plotting
from support.plotting import FRAME

from ooa.errors import DataError
from ooa.plots.price_path import plot_path

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot


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


def test_rows_held_out_are_drawn_with_their_spread(pyplot):
    tried = FRAME.assign(cv_accuracy=[0.7, 0.6, 0.9], cv_accuracy_se=[0.02, 0.03, 0.05])
    ax = plot_path(tried)
    assert ax.get_ylabel() == "error (%)"
    assert "rows held out" in [text.get_text() for text in ax.get_legend().get_texts()]
    (bars,) = ax.containers
    line = bars.lines[0].get_xydata()
    assert sorted(line[:, 1].round(6).tolist()) in ([10, 30], [10, 40])  # a rule set of two prices has one
    assert len(ax.lines) > len(plot_path(FRAME).lines)


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
