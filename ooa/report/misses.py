"""Which rows are predicted wrongly, and why: the nearest pattern and what it lacks, or what fired."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows, merge_equal
from ooa.rules.explanations import Explanation, Miss
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern

from .cells import cell_text
from .figures import Figures

__all__ = ["NAMED", "FalseAlarm", "Missed", "WrongRows", "wrong_rows"]

#: Most groups of equal rows that are listed of either kind, and most rows that are named of a group.
LISTED, NAMED = 12, 6


@dataclass(frozen=True)
class Missed:
    """Positive rows, alike for the rules, that no pattern covers, and the pattern that comes nearest."""

    rows: tuple[int, ...]
    values: dict[str, str]
    pattern: int  #: counted from 1
    lacks: tuple[str, ...]
    as_near: tuple[int, ...]  #: other patterns that lack no more


@dataclass(frozen=True)
class FalseAlarm:
    """Negative rows, alike for the rules, and the patterns, counted from 1, that cover them."""

    rows: tuple[int, ...]
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
    missed : groups of rows; those that lack least first, then the largest, then by row
    alarms : groups of rows; the largest first, then by row
    missed_groups, alarm_groups : how many groups there are, listed or not
    """

    n_missed: int
    n_alarms: int
    by_lack: dict[int, int]
    by_pattern: tuple[int, ...]
    missed: tuple[Missed, ...]
    alarms: tuple[FalseAlarm, ...]
    missed_groups: int
    alarm_groups: int


def wrong_rows(figures: Figures) -> WrongRows:
    """Find the rows that are predicted wrongly, and say of a few why."""
    table, fires = figures.main.table, figures.main.fires
    counted = table.weight > 0  # a row of no weight is no error
    missed = np.flatnonzero(table.y & ~fires & counted)
    alarms = np.flatnonzero(~table.y & fires & counted)
    lack = _fewest_lacking(figures, missed)
    holds = figures.main.holds
    each = table.row_numbers
    number, inverse = np.unique(lack, return_inverse=True)
    rows = np.bincount(inverse, each[missed], len(number)).astype(np.int64)

    def size(group: tuple[int, ...]) -> int:
        return int(each[list(group)].sum())

    lacking = dict(zip(missed.tolist(), lack.tolist()))
    missed_groups = sorted(
        _alike(figures, missed), key=lambda group: (lacking[group[0]], -size(group), group[0])
    )
    alarm_groups = sorted(_alike(figures, alarms), key=lambda group: (-size(group), group[0]))
    return WrongRows(
        n_missed=int(each[missed].sum()),
        n_alarms=int(each[alarms].sum()),
        by_lack=dict(zip(number.tolist(), rows.tolist())),
        by_pattern=tuple((holds[alarms] * each[alarms, None]).sum(axis=0).tolist()),
        missed=tuple(_missed(figures, group) for group in missed_groups[:LISTED]),
        alarms=tuple(
            FalseAlarm(
                group, _values(figures, group[0]), tuple((np.flatnonzero(holds[group[0]]) + 1).tolist())
            )
            for group in alarm_groups[:LISTED]
        ),
        missed_groups=len(missed_groups),
        alarm_groups=len(alarm_groups),
    )


def _alike(figures: Figures, rows: NDArray[np.intp]) -> list[tuple[int, ...]]:
    """Return the rows in groups that agree in every attribute that the rules use."""
    used = set(figures.rules.attributes)
    if not used or not len(rows):
        return []
    table = figures.main.table
    members = [j for j, attribute in enumerate(table.attributes) if attribute.name in used]
    part = WeightedRows(
        attributes=tuple(table.attributes[j] for j in members),
        columns=tuple(table.columns[j].take(rows) for j in members),
        positive=table.positive[rows],
        negative=table.negative[rows],
    )
    groups: dict[int, list[int]] = {}
    for row, group in zip(rows.tolist(), merge_equal(part).row.tolist()):
        groups.setdefault(group, []).append(row)
    return [tuple(group) for group in groups.values()]


def _fewest_lacking(figures: Figures, rows: NDArray[np.intp]) -> NDArray[np.int64]:
    """Return for each row how many literals the pattern lacks that lacks fewest."""
    fewest = np.full(len(rows), np.iinfo(np.int64).max if len(figures.rules) else 0)
    used = set(figures.rules.attributes)
    columns = {column.name: column.take(rows) for column in figures.main.table.columns if column.name in used}
    for pattern in figures.rules:
        lacking = sum((~literal.mask(columns[literal.attribute])).astype(np.int64) for literal in pattern)
        fewest = np.minimum(fewest, lacking)
    return fewest


def _missed(figures: Figures, rows: tuple[int, ...]) -> Missed:
    row = rows[0]
    why: Explanation = figures.rules.explain(figures.main.table.as_frame().slice(row, row + 1))
    extent = dict(_extents(figures))

    def remoteness(pattern: Pattern) -> tuple[int, float]:
        misses = why.missed[pattern]
        return len(misses), sum(_distance(miss, extent) for miss in misses)

    order = sorted(why.missed, key=remoteness)  # stable: of equals, the first in the rule set comes first
    number = {pattern: k for k, pattern in enumerate(figures.rules, 1)}
    near = [number[p] for p in order if remoteness(p) == remoteness(order[0])]
    lacks = tuple(map(str, why.missed[order[0]]))
    return Missed(rows, _values(figures, row), near[0], lacks, tuple(near[1:]))


def _distance(miss: Miss, extent: dict[str, float]) -> float:
    """Return how far a value is off, as a share of the attribute's extent; 1 where there is no measure."""
    if miss.distance is None or not isinstance(miss.literal, (Range, LevelRange)):
        return 1.0
    return min(1.0, abs(miss.distance) / (extent.get(miss.literal.attribute) or 1.0))


def _extents(figures: Figures) -> Iterator[tuple[str, float]]:
    used = set(figures.rules.attributes)
    for column in figures.main.table.columns:
        if column.name in used and column.kind == "numeric" and not column.missing.all():
            yield column.name, float(np.ptp(column.values[~column.missing]))


def _values(figures: Figures, row: int) -> dict[str, str]:
    """Return the row's values of the attributes that the rules use."""
    used = set(figures.rules.attributes)
    return {c.name: cell_text(c, row) for c in figures.main.table.columns if c.name in used}
