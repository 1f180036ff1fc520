"""Cuts of numeric columns by designs of one's own, for studies that compare them or need the same always."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ooa.candidates.cutpoints import cut_between
from ooa.candidates.gaps import Floats, every_gap, quantile_gaps
from ooa.candidates.thresholds import weight_by_value
from ooa.data.rows import WeightedRows

#: From the weight of the positives and of the negatives at each value to the gaps to cut at.
Design: TypeAlias = Callable[[Floats, Floats], list[int]]


def even(number: int) -> Design:
    """Every gap if there are no more than so many, or else so many quantiles."""

    def choose(positive: Floats, negative: Floats) -> list[int]:
        way = every_gap if len(positive) - 1 <= number else quantile_gaps
        return way(positive, negative, number)

    return choose


def cuts_of(rows: WeightedRows, design: Design) -> dict[str, list[float]]:
    """The cuts of a design, column by column, as `thresholds` takes them."""
    found = {}
    for column in rows.columns:
        if column.kind == "numeric":
            values, positive, negative = weight_by_value(column, rows)
            gaps = design(positive, negative) if len(values) > 1 else []
            found[column.name] = [cut_between(float(values[g]), float(values[g + 1])).above for g in gaps]
    return found


def deciles(rows: WeightedRows) -> dict[str, list[float]]:
    """Every gap between at most ten values, and deciles otherwise: for the studies of proofs and of peers."""
    return cuts_of(rows, even(9))
