"""By what an engine merges rows: codes of columns, packed into few whole numbers, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.data.columns import Category, Column, Kind
from ooa.data.exact import EXACT
from ooa.data.frames import open_frame
from ooa.data.times import NO_TIME
from ooa.errors import DataError

from .plain import spells_moments
from .profile import Profile
from .reading import EngineRows
from .zones import Zones

__all__ = ["NARROW", "CodedColumn", "Keys", "coded"]

#: A text column with up to so many categories is coded by comparing; others are merged by as they are.
FEW_CATEGORIES = 16
#: What packed codes stay below.
_MOST = 1 << 62
#: The same for Ibis, which does not tell its database how wide a number is: it may count in 32 bits.
NARROW = 1 << 31
_VALUE = "_ooa_plain"


@dataclass(frozen=True, eq=False)
class CodedColumn:
    """A column as codes from 0 on: 0 is missing.

    Attributes
    ----------
    profile : what is known of the column
    zones : of a numeric column; None for others
    size : how many codes there are; 0 if the column is not coded, but merged by as it is
    beyond : numbers from here on, of either sign, cannot be used, and have the last code
    """

    profile: Profile
    zones: Zones | None
    size: int
    beyond: float | None = None

    @property
    def name(self) -> str:
        """What the column is called."""
        return self.profile.column.name

    def expression(self, reading: EngineRows, value: Any) -> Any:
        """The code as an expression of narwhals; of a zoned column by its plain value, see `Keys.values`."""
        import narwhals as nw

        absent, column = nw.lit(0, nw.Int64), nw.col(self.name)
        if self.zones is not None:
            spelled = spells_moments(reading.frame)
            code = self.zones.expression(value, reading.schema[self.name], spelled=spelled)
            if self.beyond is not None:
                useless = (value >= self.beyond) | (value <= -self.beyond)
                code = nw.when(useless).then(nw.lit(self.size - 1, nw.Int64)).otherwise(code)
            return nw.when(value.is_null()).then(absent).otherwise(code)
        categories = self.profile.column.categories
        if categories == (False, True):
            code = nw.when(column).then(nw.lit(2, nw.Int64)).otherwise(nw.lit(1, nw.Int64))
        else:
            code = nw.lit(self.size - 1, nw.Int64)  # of what was not there when the values were counted
            for number, category in reversed(list(enumerate(categories))):
                code = nw.when(column == category).then(nw.lit(number + 1, nw.Int64)).otherwise(code)
        return nw.when(column.is_null()).then(absent).otherwise(code)

    def decoded(self, code: NDArray[np.int64]) -> Column:
        """The column that codes stand for."""
        column = self.profile.column
        if self.zones is None:
            if (code == self.size - 1).any() and column.categories != (False, True):
                raise DataError(f"The table changed while it was read: column {self.name!r} has new values")
            return _column(column, (code - 1).astype(np.int32))
        if self.beyond is not None and (code == self.size - 1).any():
            raise DataError(
                f"Column {self.name!r}: a value is infinite"
                if self.beyond == np.inf
                else f"Column {self.name!r} has numbers beyond 2**53, which a float does not keep"
            )
        gone: Any = NO_TIME if column.time else np.nan
        return _column(
            column, np.append(np.array([gone], dtype=column.values.dtype), self.zones.values)[code]
        )


def coded(profile: Profile, zones: Zones | None, dtype: Any) -> CodedColumn:
    """How a column is merged by: in zones, by codes of its categories, or as it is."""
    import narwhals as nw

    if zones is not None:
        if profile.complete or profile.column.time:  # all values were seen, or none can be like that
            return CodedColumn(profile, zones, len(zones) + 1)
        beyond = float(EXACT) if dtype.is_integer() else np.inf
        return CodedColumn(profile, zones, len(zones) + 2, beyond)
    categories: tuple[Category, ...] = profile.column.categories
    if isinstance(dtype, nw.Boolean):
        return CodedColumn(profile, None, 3)
    if (
        isinstance(dtype, nw.String)
        and profile.column.kind == "categorical"
        and len(categories) <= FEW_CATEGORIES
    ):
        return CodedColumn(profile, None, len(categories) + 2)
    return CodedColumn(profile, None, 0)


@dataclass(frozen=True, eq=False)
class Keys:
    """The codes of all columns, packed into as few whole numbers as hold them.

    Examples
    --------
    >>> zones = [CodedColumn(None, None, size) for size in (3, 5, 2)]
    >>> [[one.size for one in pack] for pack in Keys(zones, most=16).packs]
    [[3, 5], [2]]
    """

    columns: Sequence[CodedColumn]
    most: int = _MOST
    packs: list[list[CodedColumn]] = field(init=False)

    def __post_init__(self) -> None:
        packs: list[list[CodedColumn]] = []
        room = 0
        for one in self.columns:
            if not one.size:
                continue
            if one.size > room:
                packs.append([])
                room = self.most
            packs[-1].append(one)
            room //= one.size
        object.__setattr__(self, "packs", packs)

    @property
    def raw(self) -> list[str]:
        """The columns that rows are merged by as they are."""
        return [one.name for one in self.columns if not one.size]

    def values(self, reading: EngineRows) -> dict[str, Any]:
        """The plain values of zoned columns, by names of their own: each is compared with many edges."""
        return {
            f"{_VALUE}{number}": reading.value(one.name)
            for number, one in enumerate(self.columns)
            if one.zones is not None and one.zones.edges
        }

    def expressions(self, reading: EngineRows) -> dict[str, Any]:
        """Each packed number as an expression of columns and `values`, by a name of its own."""
        import narwhals as nw

        place = {one.name: number for number, one in enumerate(self.columns)}
        found = {}
        for number, pack in enumerate(self.packs):
            packed = None
            for one in pack:
                apart = one.zones is not None and one.zones.edges
                value = nw.col(f"{_VALUE}{place[one.name]}") if apart else reading.value(one.name)
                code = one.expression(reading, value)
                packed = code if packed is None else packed * one.size + code
            found[f"_ooa_key{number}"] = packed
        return found

    def decoded(self, merged: Any, kinds: dict[str, Kind | None]) -> list[Column]:
        """The columns of merged rows, in the order in which they were given."""
        found: dict[str, Column] = {}
        for number, pack in enumerate(self.packs):
            packed = np.asarray(merged.get_column(f"_ooa_key{number}").to_numpy()).astype(np.int64)
            for one in reversed(pack):
                packed, code = np.divmod(packed, one.size)
                found[one.name] = one.decoded(code)
        frame = open_frame(merged.to_native())
        for one in self.columns:
            if not one.size:
                known = one.profile.column
                found[one.name] = _recoded(frame.column(one.name, kinds[one.name] or known.kind), known)
        return [found[one.name] for one in self.columns]


def _recoded(column: Column, known: Column) -> Column:
    """A column of merged rows, in the categories that were counted before."""
    if column.kind == "numeric":
        return column
    place = {category: code for code, category in enumerate(known.categories)}
    new = [category for category in column.categories if category not in place]
    if new:
        raise DataError(f"The table changed while it was read: column {column.name!r} has {new[0]!r} as well")
    codes = np.array([*(place[category] for category in column.categories), -1], dtype=np.int32)
    return _column(known, codes[column.values])


def _column(like: Column, values: NDArray[Any]) -> Column:
    return Column(like.name, like.kind, values, like.categories, like.time, like.levels)
