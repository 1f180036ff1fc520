"""What has to be known of each column before rows can be merged: its kind, its values, the labels at them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.cutpoints import Cut
from ooa.candidates.thresholds import Cutting, Thresholds
from ooa.data.columns import Column, Kind
from ooa.data.frames import open_frame
from ooa.data.rows import Attribute, WeightedRows
from ooa.errors import DataError, OptionError

from .reading import EngineRows
from .values import MOST_VALUES

__all__ = ["MOST_CATEGORIES", "Profile", "profiles_of"]

#: Columns with up to so many values in the sample are counted value by value, on all rows.
FEW_VALUES = 1_000
#: Categories of one column, each of which is a condition.
MOST_CATEGORIES = MOST_VALUES


@dataclass(frozen=True, eq=False)
class Profile:
    """One column: some of its values, with the weight of the positives and negatives at each.

    Attributes
    ----------
    column : its values: all different ones if `complete`, those in a sample if not
    positive, negative : the weight at each of them
    complete : whether no row has another value
    """

    column: Column
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    complete: bool = True

    def cuts(self, thresholds: Thresholds, max_thresholds: int) -> list[Cut]:
        """Where the column is cut, by what is known of it."""
        column, told = self.column, thresholds
        if thresholds == "distinct" and not self.complete:
            raise OptionError(
                f"cuts between any two values, and column {column.name!r} has more than {FEW_VALUES:,}: "
                "choose another way to cut",
                option="thresholds",
                value=thresholds,
            )
        if not isinstance(thresholds, str):
            told = {column.name: thresholds[column.name]} if column.name in thresholds else "auto"
        attribute = Attribute(column.name, column.kind, column.categories, column.time, levels=column.levels)
        rows = WeightedRows((attribute,), (column,), self.positive, self.negative)
        return Cutting(rows, told, max_thresholds).cuts(column)

    @property
    def known(self) -> NDArray[Any]:
        """The values that it is known to have, ascending."""
        return np.unique(self.column.values[~self.column.missing])


def profiles_of(
    reading: EngineRows, sample: Any, kinds: dict[str, Kind | None], whole: bool
) -> list[Profile]:
    """Look at each column: in the sample, and on all rows where its values are few.

    Parameters
    ----------
    reading : the rows
    sample : some of them, as an eager frame of narwhals
    kinds : of each column, where it is given
    whole : whether the sample is all rows
    """
    frame = open_frame(sample.to_native())
    seen = {name: frame.column(name, kind) for name, kind in kinds.items()}
    for column in seen.values():
        _check_categories(column)
    reading.check_labels(sample)
    few = [] if whole else [name for name, column in seen.items() if _has_few_values(column)]
    counted = reading.counted(few, sample if whole else None)
    weights = reading.weights_of(sample)
    found = []
    for name, column in seen.items():
        if name in counted:
            values = counted[name]
            seen_kind = None if column.missing.all() else column.kind  # a sample without values says nothing
            column = open_frame(values.to_native()).column(name, kinds[name] or seen_kind)
            _check_categories(column)
            found.append(Profile(column, *reading.weights_of(values)))
        else:
            found.append(Profile(column, *weights, complete=whole))
    return found


def _has_few_values(column: Column) -> bool:
    """Whether all values are to be counted, on all rows."""
    if column.kind == "categorical" or column.levels:
        return True
    return len(np.unique(column.values[~column.missing])) <= FEW_VALUES


def _check_categories(column: Column) -> None:
    if column.kind == "categorical" and len(column.categories) > MOST_CATEGORIES:
        raise DataError(f"Column {column.name!r} has more than {MOST_CATEGORIES:,} categories: leave it out")
