"""What has to be known of each column before rows can be merged: its kind, its values, the labels at them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.cutpoints import Cut
from ooa.candidates.thresholds import Cutting, Thresholds
from ooa.data.columns import Column, Kind
from ooa.data.exact import EXACT
from ooa.data.frames import open_frame
from ooa.data.rows import Attribute, WeightedRows
from ooa.data.times import NO_TIME
from ooa.errors import DataError, OptionError

from .reading import EngineRows

__all__ = ["MOST_CATEGORIES", "Profile", "profiles_of"]

#: Columns with up to so many values in the sample are counted value by value, on all rows.
FEW_VALUES = 1_000
#: Categories of one column, each of which is a condition.
MOST_CATEGORIES = 10_000


@dataclass(frozen=True, eq=False)
class Profile:
    """One column: some of its values, with the weight of the positives and negatives at each.

    Attributes
    ----------
    column : its values: all different ones if `complete`, those in a sample if not
    positive, negative : the weight at each of them
    complete : whether no row has another value
    least : the least value of all rows, where the column is numeric and not complete
    """

    column: Column
    positive: NDArray[np.float64]
    negative: NDArray[np.float64]
    complete: bool = True
    least: float | None = None

    def cuts(self, thresholds: Thresholds, max_thresholds: int) -> list[Cut]:
        """Where the column is cut, by what is known of it."""
        column, told = self.column, thresholds
        if thresholds == "distinct" and not self.complete:
            raise OptionError(
                f"thresholds='distinct' cuts between any two values, and column {column.name!r} has more "
                f"than {FEW_VALUES:,}: choose another way to cut"
            )
        if not isinstance(thresholds, str):
            told = {column.name: thresholds[column.name]} if column.name in thresholds else "auto"
        attribute = Attribute(column.name, column.kind, column.categories, column.time, levels=column.levels)
        rows = WeightedRows((attribute,), (column,), self.positive, self.negative)
        return Cutting(rows, told, max_thresholds).cuts(column)

    @property
    def known(self) -> NDArray[Any]:
        """The values that it is known to have, ascending."""
        known = np.unique(self.column.values[~self.column.missing])
        if self.least is not None and (not len(known) or self.least < known[0]):
            known = np.concatenate([np.array([self.least], dtype=known.dtype), known])
        return known


def profiles_of(
    reading: EngineRows,
    sample: Any,
    kinds: dict[str, Kind | None],
    whole: bool,
    say: Callable[[str], None],
) -> list[Profile]:
    """Look at each column: in the sample, and on all rows where its values are few.

    Parameters
    ----------
    reading : the rows
    sample : some of them, as an eager frame of narwhals
    kinds : of each column, where it is given
    whole : whether the sample is all rows
    say : what is told about progress
    """
    frame = open_frame(sample.to_native())
    positive, negative = reading.weights_of(sample)
    found = []
    for number, (name, kind) in enumerate(kinds.items()):
        profile = Profile(frame.column(name, kind), positive, negative)
        if not whole:
            say(f"counting column {number + 1} of {len(kinds)} with {reading.engine}")
            profile = _on_all_rows(reading, profile, kind)
        _check_categories(profile.column)
        found.append(profile)
    return _with_least(reading, found)


def _on_all_rows(reading: EngineRows, seen: Profile, kind: Kind | None) -> Profile:
    """The values of all rows, if they are few."""
    column = seen.column
    values = np.unique(column.values[~column.missing])
    if column.kind == "numeric" and not column.levels and len(values) > FEW_VALUES:
        return replace(seen, complete=False)
    _check_categories(column)
    counted = reading.counted(column.name)
    found = open_frame(counted.to_native()).column(column.name, kind or column.kind)
    return Profile(found, *reading.weights_of(counted))


def _check_categories(column: Column) -> None:
    if column.kind == "categorical" and len(column.categories) > MOST_CATEGORIES:
        raise DataError(f"Column {column.name!r} has more than {MOST_CATEGORIES:,} categories: leave it out")


def _with_least(reading: EngineRows, profiles: list[Profile]) -> list[Profile]:
    """The least values of the columns that were not counted; all must be finite, and kept by floats."""
    names = [one.column.name for one in profiles if not one.complete]
    if not names:
        return profiles
    ends = reading.ends(names)
    for name in names:
        for end in ends[name]:
            if np.isinf(end):
                raise DataError(f"Column {name!r}: a value is infinite")
            if reading.schema[name].is_integer() and abs(end) >= EXACT:
                raise DataError(f"Column {name!r} has numbers beyond 2**53, which a float does not keep")
            if end == NO_TIME:
                raise DataError(f"Every value is missing in column(s) {name!r}: leave them out")
    return [one if one.complete else replace(one, least=ends[one.column.name][0]) for one in profiles]
