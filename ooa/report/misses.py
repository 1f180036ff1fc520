"""Which rows are predicted wrongly, and why: the nearest pattern and what it lacks, or what fired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..conditions import Range
from ..explanations import Explanation, Miss
from ..patterns import Pattern
from .figures import Figures, cell_text

__all__ = ["FalseAlarm", "MissedRow", "WrongRows", "wrong_rows"]

#: Most rows that are listed of either kind.
LISTED = 12


@dataclass(frozen=True)
class MissedRow:
    """A positive row that no pattern covers; `pattern` is the number, from 1, of the one that nearly does."""

    row: int
    values: dict[str, str]
    pattern: int
    lacks: tuple[str, ...]


@dataclass(frozen=True)
class FalseAlarm:
    """A negative row that some patterns, numbered from 1, cover."""

    row: int
    values: dict[str, str]
    patterns: tuple[int, ...]


@dataclass(frozen=True)
class WrongRows:
    """Counts of all wrong rows, and some of them in detail.

    Attributes
    ----------
    n_missed, n_alarms : how many rows there are of either kind
    by_lack : for each number of conditions that the nearest pattern lacks, how many rows
    by_pattern : for each pattern, on how many negative rows it holds
    missed : those that lack least first, then by row
    alarms : in the order of the rows
    """

    n_missed: int
    n_alarms: int
    by_lack: dict[int, int]
    by_pattern: tuple[int, ...]
    missed: tuple[MissedRow, ...]
    alarms: tuple[FalseAlarm, ...]


def wrong_rows(figures: Figures) -> WrongRows:
    """Find the rows that are predicted wrongly, and say of a few why."""
    table, fires = figures.table, figures.fires
    counted = table.weight > 0  # a row of no weight is no error
    missed = np.flatnonzero(table.y & ~fires & counted)
    alarms = np.flatnonzero(~table.y & fires & counted)
    lack = _fewest_lacking(figures, missed)
    nearest = missed[np.argsort(lack, kind="stable")][:LISTED] if len(figures.rules) else missed[:0]
    number, rows = np.unique(lack, return_counts=True)
    holds = figures.rules.covers(table.as_frame())[alarms]
    return WrongRows(
        n_missed=len(missed),
        n_alarms=len(alarms),
        by_lack=dict(zip(number.tolist(), rows.tolist())),
        by_pattern=tuple(holds.sum(axis=0).tolist()),
        missed=tuple(_missed(figures, row) for row in nearest.tolist()),
        alarms=tuple(
            FalseAlarm(row, _values(figures, row), tuple((np.flatnonzero(which) + 1).tolist()))
            for row, which in zip(alarms[:LISTED].tolist(), holds)
        ),
    )


def _fewest_lacking(figures: Figures, rows: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return for each row how many literals the pattern lacks that lacks fewest."""
    fewest = np.full(len(rows), np.iinfo(np.int64).max if len(figures.rules) else 0)
    columns = {column.name: column.take(rows) for column in figures.table.columns}
    for pattern in figures.rules:
        lacking = sum((~literal.mask(columns[literal.attribute])).astype(np.int64) for literal in pattern)
        fewest = np.minimum(fewest, lacking)
    return fewest


def _missed(figures: Figures, row: int) -> MissedRow:
    why: Explanation = figures.rules.explain(figures.table.as_frame().slice(row, row + 1))
    extent = dict(_extents(figures))

    def remoteness(pattern: Pattern) -> tuple[int, float]:
        misses = why.missed[pattern]
        return len(misses), sum(_distance(miss, extent) for miss in misses)

    nearest = min(why.missed, key=remoteness)
    number = list(figures.rules).index(nearest) + 1
    return MissedRow(row, _values(figures, row), number, tuple(map(str, why.missed[nearest])))


def _distance(miss: Miss, extent: dict[str, float]) -> float:
    """Return how far a value is off, as a share of the attribute's extent; 1 where there is no measure."""
    if miss.distance is None or not isinstance(miss.literal, Range):
        return 1.0
    return min(1.0, abs(miss.distance) / (extent.get(miss.literal.attribute) or 1.0))


def _extents(figures: Figures) -> Iterator[tuple[str, float]]:
    used = set(figures.rules.attributes)
    for column in figures.table.columns:
        if column.name in used and column.kind == "numeric":
            yield column.name, float(np.nanmax(column.values) - np.nanmin(column.values))


def _values(figures: Figures, row: int) -> dict[str, str]:
    """Return the row's values of the attributes that the rules use."""
    used = set(figures.rules.attributes)
    return {c.name: cell_text(c, row) for c in figures.table.columns if c.name in used}
