"""What a limit costs, drawn."""

from __future__ import annotations

import pandas as pd
import pytest
from support import plotting
from support.plotting import TRADED

from ooa.errors import DataError
from ooa.plots.trade_off import plot_trade_off

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot


def test_points_gaps_and_limits_that_nothing_meets(pyplot, tmp_path):
    ax = plot_trade_off(TRADED)
    curve, free = ax.lines
    assert curve.get_xydata().tolist() == [[0.5, 0.2], [0.7, 0.25]]
    assert free.get_ydata()[0] == pytest.approx(0.2)
    gaps, proved, unproved, none, unknown = ax.collections
    assert [line.tolist() for line in gaps.get_segments()] == [[[0.7, 0.22], [0.7, 0.25]]]
    assert proved.get_offsets().tolist() == [[0.5, 0.2]]
    assert unproved.get_offsets().tolist() == [[0.7, 0.25]]
    assert [place for place, _ in none.get_offsets()] == [1.0]
    assert [place for place, _ in unknown.get_offsets()] == [0.9]
    said = [text.get_text() for text in ax.get_legend().get_texts()]
    assert said[:2] == ["proved optimal", "best known, and its gap"]
    assert said[2:] == ["no rule set meets it", "none was found", "without the constraint"]
    ax.figure.savefig(tmp_path / "trade.png")
    assert (tmp_path / "trade.png").stat().st_size > 5_000


def test_limits_that_are_no_numbers_and_nothing_to_draw(pyplot):
    ax = plot_trade_off(TRADED.assign(limit=list("abcd")))
    assert [label.get_text() for label in ax.get_xticklabels()] == list("abcd")
    ax = pyplot.subplots()[1]
    assert plot_trade_off(TRADED.iloc[2:], ax) is ax
    assert not [line for line in ax.lines if len(line.get_xdata())]


def test_a_frame_that_is_none_is_refused():
    with pytest.raises(DataError, match="no column 'limit'"):
        plot_trade_off(pd.DataFrame({"literals": [1]}))
    with pytest.raises(DataError, match="without rows"):
        plot_trade_off(TRADED.iloc[:0])
