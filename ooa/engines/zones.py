"""Zones of a numeric column: all values between which no cut lies are one, in an engine as in memory.

A cut parts "x ≤ below" from "x ≥ above" (see `ooa.candidates.cutpoints`). Each of the two changes its truth
once as x grows, at an *edge*: from some value on, or beyond it. The zone of a value is the number of edges
that it has passed, so two values of one zone satisfy the same literals, whatever was observed when the cuts
were chosen.
"""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.cutpoints import Cut
from ooa.data.times import EARLIEST, LATEST

__all__ = ["Edge", "Zones", "compared"]

_EPOCH = datetime.datetime(1970, 1, 1)
#: How many microseconds coarser units have.
_STEPS = {"D": 86_400_000_000, "s": 1_000_000, "ms": 1_000}
#: The microseconds that nanoseconds reach.
_WITHIN_NS = -9_223_372_036_854_775, 9_223_372_036_854_775


@dataclass(frozen=True, order=True)
class Edge:
    """Where a zone begins: at a value, or just beyond it."""

    value: float
    beyond: bool = False

    def passed(self, values: Any) -> Any:
        """Whether values lie after the edge; an array, or an expression of an engine."""
        return values > self.value if self.beyond else values >= self.value


@dataclass(frozen=True, eq=False)
class Zones:
    """The zones of one column, numbered from 0.

    Attributes
    ----------
    edges : ascending
    values : ndarray
        For each zone a value that lies in it.

    Examples
    --------
    >>> zones = Zones.of([Cut(29, 30), Cut(40, 40, below_closed=False)], np.array([18.0, 31.0, 44.0]))
    >>> zones.edges
    (Edge(value=29, beyond=True), Edge(value=30, beyond=False), Edge(value=40, beyond=False))
    >>> zones.of_values(np.array([29.0, 29.5, 30.0, 40.0])).tolist(), zones.values.round(3).tolist()
    ([0, 1, 2, 3], [18.0, 29.0, 31.0, 44.0])
    >>> Zones.of([Cut(29, 30)], np.array([29.0, 30.0]), complete=True).edges
    (Edge(value=30, beyond=False),)
    """

    edges: tuple[Edge, ...]
    values: NDArray[Any]

    @classmethod
    def of(
        cls, cuts: Sequence[Cut], known: NDArray[Any], *, time: bool = False, complete: bool = False
    ) -> Zones:
        """The zones between cuts.

        Parameters
        ----------
        cuts : of the column
        known : values that it has, ascending, none missing; the least one of each zone stands for it
        time : whether values are whole microseconds
        complete : whether there are no other values; then of edges that none lies between one is kept
        """
        found = {Edge(cut.below, cut.below_closed) for cut in cuts} | {Edge(cut.above) for cut in cuts}
        if time:
            found = {Edge(int(edge.value) + edge.beyond) for edge in found}
        edges = tuple(sorted(found))
        if complete:
            passed = np.unique(cls(edges, np.empty(0)).of_values(known))
            edges = tuple(edges[zone - 1] for zone in passed[1:])
        values = np.array([_inside(edges, zone, time) for zone in range(len(edges) + 1)], dtype=known.dtype)
        zone = cls(edges, values).of_values(known)
        occupied, first = np.unique(zone, return_index=True)
        values[occupied] = known[first]
        return cls(edges, values)

    def __len__(self) -> int:
        return len(self.values)

    def of_values(self, values: NDArray[Any]) -> NDArray[np.int64]:
        """The zone of each value."""
        zone = np.zeros(len(values), dtype=np.int64)
        for edge in self.edges:
            zone += edge.passed(values)
        return zone

    def expression(self, column: Any, dtype: Any, *, spelled: bool = False) -> Any:
        """The zone, plus 1, as an expression of narwhals: a search by halves, as few comparisons as it takes.

        Parameters
        ----------
        column : the column, as an expression; of times as it is, of numbers as float64
        dtype : its type in the engine
        spelled : see `compared`
        """
        import narwhals as nw

        def among(low: int, high: int) -> Any:
            if low == high:
                return nw.lit(low + 1, nw.Int64)
            middle = (low + high + 1) // 2
            passed = compared(self.edges[middle - 1], column, dtype, spelled=spelled)
            return nw.when(passed).then(among(middle, high)).otherwise(among(low, middle - 1))

        return among(0, len(self.edges))


def compared(edge: Edge, column: Any, dtype: Any, *, spelled: bool = False) -> Any:
    """Whether a column has passed an edge, in the words of its type; of missing values it says anything.

    Parameters
    ----------
    edge : where a zone begins
    column, dtype : the column as an expression, and its type
    spelled : whether moments are handed over as text, for the engine to read
    """
    import narwhals as nw

    if not isinstance(dtype, (nw.Date, nw.Datetime)):
        return edge.passed(column)
    unit = "D" if isinstance(dtype, nw.Date) else dtype.time_unit  # a day is its midnight
    # Of a moment between two that the type knows some engines take the former, and beyond its years any.
    step = _STEPS.get(unit, 1)
    moment = -(-int(edge.value) // step) * step
    earliest, latest = _WITHIN_NS if unit == "ns" else (EARLIEST, LATEST)
    if not earliest <= moment <= latest:
        return nw.lit(moment < earliest)
    value = _EPOCH + datetime.timedelta(microseconds=moment)
    literal: datetime.date = value.date() if isinstance(dtype, nw.Date) else value
    if isinstance(dtype, nw.Datetime) and dtype.time_zone is not None:
        literal = value.replace(tzinfo=datetime.timezone.utc)
    return column >= (nw.lit(literal.isoformat()).cast(dtype) if spelled else literal)


def _inside(edges: tuple[Edge, ...], zone: int, time: bool) -> float:
    """A value of a zone that no known value lies in."""
    if not edges:
        return 0.0
    if zone:
        start = edges[zone - 1]
        return float(np.nextafter(start.value, np.inf)) if start.beyond else start.value
    if time:
        return edges[0].value - 1
    return edges[0].value if edges[0].beyond else float(np.nextafter(edges[0].value, -np.inf))
