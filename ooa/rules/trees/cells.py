"""The cells into which trees cut the space of inputs, sets of cells as bits, and the patterns that say them.

Every attribute is cut into cells that no tree tells apart: the intervals between neighbouring cuts of a
numeric attribute, the values of a categorical one, and, where they count, unknown values and missing ones. A
path of a tree, and any conjunction of paths, then is one set of cells per attribute.
"""

from __future__ import annotations

import math
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import pack, unpack
from ooa.data.columns import Category
from ooa.errors import RuleError
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern

__all__ = ["Cells", "Coded", "Raw", "TreeInput", "highest_left"]

BoolArray = NDArray[np.bool_]
Words = NDArray[np.uint64]
#: The cell's side towards larger numbers: where it ends, and whether that number is inside.
CellEnd = tuple[float, bool]

_MOST = float(np.finfo(np.float32).max)


@dataclass(frozen=True)
class Raw:
    """A column that reaches the trees as it is; its missing values do too, if they count."""

    attribute: str
    missing: bool = False


@dataclass(frozen=True)
class Coded:
    """A column that an encoder made of a categorical one.

    Attributes
    ----------
    attribute : the column it was made of
    known : the categories of that column
    other, missing : whether unknown values, and missing ones, count
    codes : what the trees see for each category, then for unknown and missing values if they count
    """

    attribute: str
    known: tuple[Category, ...]
    other: bool
    missing: bool
    codes: tuple[float, ...]


TreeInput = Raw | Coded


def highest_left(threshold: float) -> CellEnd:
    """Return up to where a float64 goes left at a threshold, and whether that number itself still does.

    Scikit-learn rounds a value to float32, to the nearest and on a tie to the even one, and compares that
    with the float64 threshold. So what goes left ends half-way between the last float32 that is not above
    the threshold and the next one.

    Examples
    --------
    >>> highest_left(0.5)
    (0.5000000298023224, True)
    >>> float(np.float32(0.5000000298023224)), float(np.float32(0.5000000298023225))
    (0.5, 0.5000000596046448)
    """
    with np.errstate(over="ignore"):
        below = np.float32(threshold)
    if float(below) > threshold:
        below = np.nextafter(below, np.float32(-np.inf))
    if float(below) >= _MOST:  # numbers beyond are refused by scikit-learn
        return math.inf, True
    if np.isinf(below):
        return -math.inf, False
    above = np.nextafter(below, np.float32(np.inf))
    return (float(below) + float(above)) / 2, int(below.view(np.uint32)) % 2 == 0


class _Axis(ABC):
    """The cells of one attribute."""

    def __init__(self, attribute: str, size: int, missing: bool) -> None:
        self.attribute, self.size, self.missing = attribute, size, missing

    @abstractmethod
    def left(self, source: TreeInput, threshold: float, missing_left: bool) -> BoolArray:
        """Which cells go left at a split."""

    @abstractmethod
    def values(self, cells: BoolArray) -> list[Literal]:
        """Literals that together say some cells, but not all, of those that are not missing."""

    @abstractmethod
    def present(self) -> list[Literal]:
        """Literals that together say that there is a value."""

    def literals(self, cells: BoolArray) -> list[Literal | None]:
        """Literals that together say the cells; None alone for all cells."""
        if cells.all():
            return [None]
        inside = cells[: self.size - self.missing]
        found: list[Literal | None] = []
        if inside.any():
            found += self.present() if inside.all() else self.values(inside)
        if self.missing and cells[-1]:
            found.append(IsMissing(self.attribute))
        return found


class _NumericAxis(_Axis):
    """The intervals between cuts, in ascending order."""

    def __init__(self, attribute: str, cuts: Iterable[CellEnd], missing: bool) -> None:
        self.cuts = sorted({cut for cut in cuts if math.isfinite(cut[0])})
        super().__init__(attribute, len(self.cuts) + 1 + missing, missing)

    def left(self, source: TreeInput, threshold: float, missing_left: bool) -> BoolArray:
        cells = np.zeros(self.size, dtype=bool)
        end = highest_left(threshold)
        n_left = self.cuts.index(end) + 1 if math.isfinite(end[0]) else len(self.cuts) + 1 if end[1] else 0
        cells[:n_left] = True
        if self.missing:
            cells[-1] = missing_left
        return cells

    def values(self, cells: BoolArray) -> list[Literal]:
        first, last = np.flatnonzero(cells)[[0, -1]]  # paths are intersections, so there is no gap
        low = self.cuts[first - 1] if first > 0 else (-math.inf, False)
        high = self.cuts[last] if last < len(self.cuts) else (math.inf, True)
        return [Range(self.attribute, low[0], high[0], low_closed=not low[1], high_closed=high[1])]

    def present(self) -> list[Literal]:
        return [Range(self.attribute, low=-sys.float_info.max)]


class _CategoryAxis(_Axis):
    """The known categories, then unknown values if they count."""

    def __init__(self, source: Coded) -> None:
        self.known, self.other = source.known, source.other
        super().__init__(source.attribute, len(self.known) + source.other + source.missing, source.missing)

    def left(self, source: TreeInput, threshold: float, missing_left: bool) -> BoolArray:
        assert isinstance(source, Coded)
        codes = np.array(source.codes)
        return np.where(np.isnan(codes), missing_left, codes <= threshold)

    def values(self, cells: BoolArray) -> list[Literal]:
        inside = [value for value, holds in zip(self.known, cells) if holds]
        outside = [value for value, holds in zip(self.known, cells) if not holds]
        if self.other and cells[-1]:
            if len(outside) != 1:
                excluded = ", ".join(map(repr, outside))
                raise RuleError(
                    f"no literal says that {self.attribute!r} is none of {excluded} and may be unknown: "
                    "use unknown=False, for rows whose categories the encoder knows"
                )
            return [NotEqual(self.attribute, outside[0])]
        if len(inside) == 1:
            return [Equal(self.attribute, inside[0])]
        if len(outside) == 1 and not self.other:
            return [NotEqual(self.attribute, outside[0])]
        return [OneOf(self.attribute, inside)]

    def present(self) -> list[Literal]:
        if not self.other:
            return [OneOf(self.attribute, self.known)]
        return [Equal(self.attribute, self.known[0]), NotEqual(self.attribute, self.known[0])]


class Cells:
    """All cells of the inputs of some trees, and regions of them as packed words.

    Parameters
    ----------
    sources : what each column that the trees see was made of
    splits : the column and the threshold of every split of every tree
    """

    def __init__(self, sources: Sequence[TreeInput], splits: Iterable[tuple[int, float]]) -> None:
        self._sources = sources
        used: dict[str, list[tuple[TreeInput, float]]] = {}
        for column, threshold in splits:
            used.setdefault(sources[column].attribute, []).append((sources[column], threshold))
        if not used:  # no split at all: some attribute is needed to say "always"
            used[sources[0].attribute] = [(sources[0], math.inf)]
        self._axes = [_axis(name, found) for name, found in used.items()]
        self._number = {axis.attribute: i for i, axis in enumerate(self._axes)}
        widths = [-(-axis.size // 64) for axis in self._axes]
        self._starts = np.concatenate([[0], np.cumsum(widths)])

    def everywhere(self) -> Words:
        """The region of all cells."""
        return np.concatenate([pack(np.ones(axis.size, dtype=bool)) for axis in self._axes])

    def left(self, column: int, threshold: float, missing_left: bool) -> tuple[slice, Words]:
        """Which words a split is about, and which of their cells go left."""
        source = self._sources[column]
        i = self._number[source.attribute]
        return self._slice(i), pack(self._axes[i].left(source, threshold, missing_left))

    def nonempty(self, regions: Words) -> BoolArray:
        """For each region, whether it has a cell of every attribute, so that some input lies in it."""
        return np.asarray((np.bitwise_or.reduceat(regions, self._starts[:-1], axis=-1) != 0).all(axis=-1))

    def patterns(self, region: Words) -> list[Pattern]:
        """Patterns that together say a region."""
        found = [
            axis.literals(unpack(region[self._slice(i)], axis.size)) for i, axis in enumerate(self._axes)
        ]
        if all(literals == [None] for literals in found):
            return self._always()
        return [Pattern(literal for literal in chosen if literal is not None) for chosen in product(*found)]

    def _always(self) -> list[Pattern]:
        """Patterns of which one always holds."""
        axis = self._axes[0]
        literals = axis.present() + ([IsMissing(axis.attribute)] if axis.missing else [])
        return [Pattern([literal]) for literal in literals]

    def _slice(self, i: int) -> slice:
        return slice(int(self._starts[i]), int(self._starts[i + 1]))


def _axis(name: str, found: list[tuple[TreeInput, float]]) -> _Axis:
    """The cells of an attribute, from the splits that are about it."""
    kinds = {source if isinstance(source, Raw) else replace(source, codes=()) for source, _ in found}
    if len(kinds) > 1:
        raise RuleError(f"column {name!r} reaches the trees in two forms, which no single literal joins")
    source = found[0][0]
    if isinstance(source, Coded):
        return _CategoryAxis(source)
    return _NumericAxis(name, (highest_left(threshold) for _, threshold in found), source.missing)
