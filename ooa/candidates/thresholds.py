"""Where to cut a numeric attribute: at every distinct value, by quantiles, supervised, round, or by hand.

A cut lies between two neighbouring distinct values, so a choice of cuts is a choice of *gaps*: gap ``g`` is
the one after the ``g``-th distinct value. Weights act as counts, so merging equal rows changes nothing.
"""

from __future__ import annotations

import heapq
import numbers
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import whole_number
from ooa.data.columns import Column
from ooa.data.rows import WeightedRows
from ooa.errors import OptionError

from .cutpoints import Cut, column_cut, user_cut
from .round_numbers import round_numbers

__all__ = ["STRATEGIES", "Thresholds", "numeric_cuts"]

Thresholds = str | Mapping[str, Sequence[Any]]
_Floats = NDArray[np.float64]


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
    return {
        name: (
            _given_cuts(column, by_hand[name])
            if name in by_hand
            else _chosen_cuts(column, rows, strategy, most)
        )
        for name, column in columns.items()
    }


def _given_cuts(column: Column, cuts: Sequence[Any]) -> list[Cut]:
    """Check cuts given by hand."""
    if isinstance(cuts, str) or not isinstance(cuts, (Sequence, np.ndarray)):
        raise OptionError(f"The thresholds of {column.name!r} must be a list of cuts, not {cuts!r}")
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
    if not number or not np.isfinite(cut):
        raise OptionError(f"The threshold {cut!r} of {column.name!r} is not a finite number")
    return float(cut)


def _instant(column: Column, cut: Any) -> float:
    """Return a timestamp, or its text, as microseconds since 1970-01-01 UTC."""
    import pandas as pd

    try:
        stamp = pd.Timestamp(cut)
        stamp = stamp.tz_localize("UTC") if stamp.tz is None else stamp
        return float((stamp - pd.Timestamp(0, tz="UTC")) // pd.Timedelta(1, "us"))
    except (ValueError, TypeError):
        raise OptionError(f"The threshold {cut!r} of {column.name!r} is not a time") from None


def _chosen_cuts(column: Column, rows: WeightedRows, strategy: str, limit: int) -> list[Cut]:
    """Choose gaps between the distinct values of a column, or round numbers, and cut there."""
    present = ~column.missing
    values, place = np.unique(column.values[present], return_inverse=True)
    if len(values) < 2:
        return []
    positive = np.bincount(place, weights=rows.positive[present]).astype(np.float64)
    negative = np.bincount(place, weights=rows.negative[present]).astype(np.float64)
    if strategy == "round":
        if not column.time and not column.levels:
            return [user_cut(number) for number in round_numbers(values, positive + negative, limit)]
        strategy = "auto"  # times are cut at the start of a calendar unit in any case, levels between two
    gaps = _BY_GAPS[strategy](positive, negative, limit)
    return [column_cut(column, float(values[g]), float(values[g + 1])) for g in gaps]


def _distinct(positive: _Floats, negative: _Floats, limit: int) -> list[int]:
    """Take every gap."""
    return list(range(len(positive) - 1))


def _auto(positive: _Floats, negative: _Floats, limit: int) -> list[int]:
    """Take every gap if that is not too many, or else quantiles."""
    choose = _distinct if len(positive) - 1 <= limit else _quantiles
    return choose(positive, negative, limit)


def _quantiles(positive: _Floats, negative: _Floats, limit: int) -> list[int]:
    """Take the gaps nearest to the quantiles 1/(limit+1), 2/(limit+1), ... of the weight."""
    below = np.cumsum(positive + negative)
    wanted = below[-1] * np.arange(1, limit + 1) / (limit + 1)
    after = np.searchsorted(below, wanted)
    before = np.maximum(after - 1, 0)
    nearest = np.where(wanted - below[before] < below[after] - wanted, before, after)
    return [int(g) for g in np.unique(np.minimum(nearest, len(below) - 2))]


def _mdl(positive: _Floats, negative: _Floats, limit: int) -> list[int]:
    """Split where it lowers the entropy of the labels by more than it costs to describe (Fayyad and Irani).

    The splits with the largest gains come first, so that a limit keeps the best.
    """
    totals = np.stack([np.append(0, np.cumsum(positive)), np.append(0, np.cumsum(negative))])
    splits: list[int] = []
    waiting: list[tuple[float, int, int, int]] = []

    def consider(start: int, stop: int) -> None:
        found = _best_split(totals, start, stop)
        if found is not None:
            gain, gap = found
            heapq.heappush(waiting, (-gain, gap, start, stop))

    consider(0, len(positive))
    while waiting and len(splits) < limit:
        _, gap, start, stop = heapq.heappop(waiting)
        splits.append(gap)
        consider(start, gap + 1)
        consider(gap + 1, stop)
    return sorted(splits)


def _best_split(totals: _Floats, start: int, stop: int) -> tuple[float, int] | None:
    """Return total gain and gap of the best split of the values from `start` to `stop`, if it pays."""
    left = totals[:, start + 1 : stop] - totals[:, start, None]
    right = totals[:, stop, None] - totals[:, start + 1 : stop]
    whole = totals[:, stop] - totals[:, start]
    weight = float(whole.sum())
    if left.shape[1] == 0 or weight <= 1:
        return None
    gain = _disorder(whole) - _disorder(left) - _disorder(right)
    best = int(np.argmax(gain))
    parts = (whole, left[:, best], right[:, best])
    classes = [int(np.count_nonzero(part)) for part in parts]
    entropy = [float(_disorder(part)) / max(float(part.sum()), 1e-300) for part in parts]
    surprise = classes[0] * entropy[0] - classes[1] * entropy[1] - classes[2] * entropy[2]
    price = np.log2(weight - 1) + np.log2(3.0 ** classes[0] - 2) - surprise
    return (float(gain[best]), start + best) if gain[best] > price else None


def _disorder(counts: _Floats) -> Any:
    """Return weight times entropy, in bits, of the class counts in each column."""
    weight = counts.sum(axis=0)
    share = np.divide(counts, weight, out=np.ones_like(counts), where=(counts > 0) & (weight > 0))
    return -(counts * np.log2(share)).sum(axis=0)


def _tree(positive: _Floats, negative: _Floats, limit: int) -> list[int]:
    """Take the splits of a small decision tree on this attribute alone."""
    from sklearn.tree import DecisionTreeClassifier

    # The tree sees ranks, not values: it computes in single precision, which cannot tell close values apart.
    rank = np.tile(np.arange(len(positive)), 2)
    label = np.repeat([True, False], len(positive))
    weight = np.concatenate([positive, negative])
    seen = weight > 0
    if not seen.any():
        return []
    tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=limit + 1, random_state=0)
    tree.fit(rank[seen, None], label[seen], sample_weight=weight[seen])
    inner = tree.tree_.children_left >= 0
    return sorted({int(np.floor(t)) for t in tree.tree_.threshold[inner]})


_Strategy = Callable[[_Floats, _Floats, int], list[int]]

_BY_GAPS: dict[str, _Strategy] = {
    "auto": _auto,
    "distinct": _distinct,
    "quantiles": _quantiles,
    "mdl": _mdl,
    "tree": _tree,
}
STRATEGIES = (*_BY_GAPS, "round")
