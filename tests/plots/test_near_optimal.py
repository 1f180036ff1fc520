"""Near-optimal rule sets, drawn: attributes and rows."""

from __future__ import annotations

import dataclasses

import pytest
from support import plotting

from ooa.data.table import Table
from ooa.errors import DataError, OptionError
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.rashomon import RashomonSet
from ooa.plots.near_optimal import plot_ambiguity, plot_reliance

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot


def near() -> RashomonSet:
    data = {"x": [1, 2, 3, 4, 5, 6], "y": [1, 2, 4, 3, 5, 6]}
    table = Table.from_any(data, [0, 0, 0, 1, 1, 1])
    return enumerate_optimal(table, within="1/6", C1="1/50", C2="1/50", max_length=1)


def test_attributes_and_what_is_lost_without_them(pyplot, tmp_path):
    ax = plot_reliance(near())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["y", "x"]
    assert [bar.get_width() for bar in ax.patches[2:]] == pytest.approx([40.0, 60.0])
    assert [text.get_text() for text in ax.texts] == ["0.0000", "0.1667", "loss without"]
    ax.figure.savefig(tmp_path / "reliance.png")
    assert (tmp_path / "reliance.png").stat().st_size > 5_000


def test_rows_by_the_share_that_predicts_them_positive(pyplot):
    some, ax = near(), pyplot.subplots()[1]
    assert plot_ambiguity(some, ax) is ax
    frame = some.rows()
    assert max(bar.get_y() + bar.get_height() for bar in ax.patches) <= 6
    assert sum(bar.get_height() for bar in ax.patches) == pytest.approx(6)
    agreed = sum(bar.get_height() for bar in ax.patches[:20])
    assert agreed == pytest.approx((~frame["ambiguous"]).sum())
    assert ax.get_title(loc="left").startswith(f"{100 * frame['ambiguous'].mean():.0f} % of the rows")


def test_what_cannot_be_drawn(pyplot):
    with pytest.raises(OptionError, match="near, the list of plot_reliance, must be a RashomonSet"):
        plot_reliance([1])
    empty = dataclasses.replace(near(), rules=(), certificates=())
    with pytest.raises(DataError, match="a list without rule sets"):
        plot_ambiguity(empty)
