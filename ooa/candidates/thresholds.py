"""Where to cut a numeric attribute: at every distinct value, by quantiles, supervised, round, or by hand.

Weights act as counts, so merging equal rows changes nothing.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import whole_number
from ooa.clock import NEVER, Deadline
from ooa.data.columns import Column
from ooa.data.rows import WeightedRows
from ooa.data.times import micro
from ooa.errors import OptionError

from .cutpoints import Cut, column_cut, user_cut
from .gaps import BY_GAPS
from .round_numbers import round_numbers

__all__ = ["STRATEGIES", "Cutting", "Thresholds", "numeric_cuts", "weight_by_value"]

Thresholds = str | Mapping[str, Sequence[Any]]
STRATEGIES = (*BY_GAPS, "round")
#: About what it takes to choose the cuts of a column, per row. Where there is no time for that, cuts are
#: chosen by some rows, in this share of the time, ...
SECONDS_PER_ROW, SHARE = 5e-7, 0.3
#: ... but by no fewer than these, which take next to none.
LEAST_ROWS = 10_000


def numeric_cuts(rows: WeightedRows, thresholds: Thresholds, max_thresholds: int) -> dict[str, list[Cut]]:
    """Return the cuts of every numeric attribute, in ascending order.

    Parameters
    ----------
    rows : WeightedRows
    thresholds : str or dict
        One of `STRATEGIES`, or a dict from column to its cuts ("auto" for the columns not named). A cut given
        by hand, or at a round number, parts "less than" from "at least" and is printed as it is.
    max_thresholds : int
        The most cuts per attribute; cuts given by hand and "distinct" are not limited.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"age": [19, 25, 31, 64]}, [0, 0, 1, 1])
    >>> [cut.above for cut in numeric_cuts(table, "mdl", 9)["age"]]
    [30.0]
    >>> numeric_cuts(table, {"age": [40]}, 9)["age"]
    [Cut(below=40.0, above=40.0, below_closed=False)]
    """
    cutting = Cutting(rows, thresholds, max_thresholds)
    return {column.name: cutting.cuts(column) for column in rows.columns if column.kind == "numeric"}


class Cutting:
    """How the numeric attributes of some rows are cut, one after the other.

    Parameters
    ----------
    rows, thresholds, max_thresholds : see `numeric_cuts`; what they cannot mean is an error now
    deadline : where it is too near for all rows, cuts are chosen by some of them

    Attributes
    ----------
    every : cuts are chosen by every so many-th row
    """

    def __init__(
        self, rows: WeightedRows, thresholds: Thresholds, max_thresholds: int, deadline: Deadline = NEVER
    ) -> None:
        by_hand: Mapping[str, Sequence[Any]] = {}
        strategy = thresholds
        if isinstance(thresholds, Mapping):
            by_hand, strategy = thresholds, "auto"
        if not isinstance(strategy, str) or strategy not in STRATEGIES:
            raise OptionError(
                f"must be one of {', '.join(STRATEGIES)}, or a dict of cuts",
                option="thresholds",
                value=thresholds,
            )
        most = whole_number(max_thresholds, "max_thresholds")
        columns = {column.name: column for column in rows.columns if column.kind == "numeric"}
        for name in by_hand:
            if name not in columns:
                raise OptionError(f"thresholds names {name!r}, which is not a numeric column of the table")
        self._rows, self._strategy, self._most = rows, strategy, most
        self._given = {name: _given_cuts(columns[name], cuts) for name, cuts in by_hand.items()}
        self.every, left = 1, deadline.left()
        needed = (len(columns) - len(by_hand)) * rows.n_rows * SECONDS_PER_ROW
        if left is not None and needed > left:
            enough = max(LEAST_ROWS, int(SHARE * rows.n_rows * left / needed))
            self.every = max(1, rows.n_rows // enough)

    def cuts(self, column: Column) -> list[Cut]:
        """The cuts of a numeric attribute, in ascending order."""
        if column.name in self._given:
            return self._given[column.name]
        return _chosen_cuts(column, self._rows, self._strategy, self._most, self.every)


def _given_cuts(column: Column, cuts: Sequence[Any]) -> list[Cut]:
    """Check cuts given by hand."""
    if isinstance(cuts, str) or not isinstance(cuts, (Sequence, np.ndarray)):
        raise OptionError(f"The thresholds of {column.name!r} must be a list of cuts, not {cuts!r}")
    if all(isinstance(cut, Cut) for cut in cuts):  # chosen before, by whoever saw all rows
        return list(cuts)
    return [user_cut(number) for number in sorted({_number(column, cut) for cut in cuts})]


def _number(column: Column, cut: Any) -> float:
    """Return a cut as a finite number; of a time column also a time or its text, of levels one of them."""
    if column.levels:
        if cut not in column.levels:
            raise OptionError(f"The threshold {cut!r} of {column.name!r} is not one of its levels")
        return float(column.levels.index(cut))
    number = isinstance(cut, numbers.Real) and not isinstance(cut, (bool, np.bool_))
    if column.time and not number:
        return _instant(column, cut)
    if not number or not math.isfinite(cut) or (column.time and cut != int(cut)):
        kind = "whole number of microseconds" if column.time else "finite number"
        raise OptionError(f"The threshold {cut!r} of {column.name!r} is not a {kind}")
    return int(cut) if column.time else float(cut)


def _instant(column: Column, cut: Any) -> int:
    """Return a timestamp, or its text, as microseconds since 1970-01-01 UTC."""
    import pandas as pd

    try:
        stamp = pd.Timestamp(cut)
        stamp = stamp.tz_localize("UTC") if stamp.tz is None else stamp
        return micro(stamp.to_pydatetime())
    except (ValueError, TypeError):
        raise OptionError(f"The threshold {cut!r} of {column.name!r} is not a time") from None


def _chosen_cuts(column: Column, rows: WeightedRows, strategy: str, limit: int, every: int) -> list[Cut]:
    """Choose gaps between the distinct values of a column in every so many-th row, or round numbers."""
    values, positive, negative = weight_by_value(column, rows, every)
    if len(values) < 2:
        return []
    if strategy == "round":
        if not column.time and not column.levels:
            return [user_cut(number) for number in round_numbers(values, positive + negative, limit)]
        strategy = "auto"  # times are cut at the start of a calendar unit in any case, levels between two
    gaps = BY_GAPS[strategy](positive, negative, limit)
    return [column_cut(column, values[g].item(), values[g + 1].item()) for g in gaps]


def weight_by_value(
    column: Column, rows: WeightedRows, every: int = 1
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The distinct values of a numeric column, and the weight of the positives and negatives at each.

    Or those in every so many-th row.
    """
    present = ~column.missing[::every]
    values, place = np.unique(column.values[::every][present], return_inverse=True)
    positive, negative = (
        np.bincount(place, weights=weight[::every][present], minlength=len(values)).astype(np.float64)
        for weight in (rows.positive, rows.negative)
    )
    return values, positive, negative
