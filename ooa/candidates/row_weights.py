"""Rows laid out by weight: the total weight of many intersections of literals by popcounts alone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import n_words, pack, unpack, weighted_count
from ooa.kernels import bits as kernels
from ooa.kernels.availability import compiled
from ooa.objective import distinct_values

_MAX_VALUES = 16  # up to so many distinct weights get a section each
_DIGITS = 8  # binary digits of a rounded weight when the weights are many and not whole
_CHUNK_WORDS = 1 << 17  # words intersected at a time: 1 MB stays in cache
_UNPACKED_BYTES = 1 << 22  # unpacked truth values at a time
_LAID_OUT = 1 << 26  # rows of literals laid out in a piece


class RowWeights:
    """The rows of one class, reordered into sections whose rows weigh the same.

    A row set's weight is then the sum over sections of (rows in it) x (the section's weight). Rows of weight
    zero are left out. Up to 16 distinct weights are sections as they are; more, if whole, are split into
    binary digits (a row is in the section of every digit it has) of the multiple of their common divisor.
    Other weights are rounded up to eight digits: what `weigh` returns is then an upper bound, and `exact` is
    False.

    Parameters
    ----------
    weights : ndarray of float64, shape (n_rows,)
        Finite and not negative.
    bits : ndarray of uint64, shape (L, W)
        Rows of the literals, in the order of the table.
    fast : bool, optional
        Whether rows are laid out by compiled code; by default where it is there.
    threads : int
        That do so, in compiled code.
    at_once : bool
        Whether rows are laid out now; else whoever has a limit goes through `pieces` before anything else.

    Attributes
    ----------
    exact : bool
    rows : ndarray of uint64, shape (L, width)
        Rows of the literals, in this layout.
    word_factors : ndarray of float64, shape (width,)
        Weight of the rows of each word.
    source : ndarray of intp, shape (64 * width,)
        Which row is at each place; -1 if there is none.
    section_ends, factors : ndarray of int64 and of float64
        The word after the last one of each section, and what its rows weigh.
    total : float
        The weight of all rows.
    """

    def __init__(
        self,
        weights: NDArray[np.float64],
        bits: NDArray[np.uint64],
        fast: bool | None = None,
        threads: int = 1,
        at_once: bool = True,
    ) -> None:
        factors, sections, self.exact = _sections(weights)
        self._weights, self._bits = weights, bits
        absent = len(weights)  # a row that is in no set fills a section up to whole words
        padded = [np.append(rows, np.full(-len(rows) % 64, absent)) for rows in sections]
        order = np.concatenate(padded or [np.zeros(0, np.intp)])
        self.source = np.where(order < absent, order, -1)
        self._order, self._fast, self._threads = order, fast, threads
        self.rows = np.empty((len(bits), len(order) // 64), dtype=np.uint64)
        # Counts stay whole numbers in float32 as long as no section has 2**24 rows.
        self.section_ends = np.cumsum([n_words(len(rows)) for rows in sections], dtype=np.int64)
        self.factors = np.array(factors, dtype=np.float64)
        self.total = float(weights.sum())
        precision = np.float32 if len(weights) < 2**24 else np.float64
        self._sections = np.zeros((self.rows.shape[1], len(sections)), dtype=precision)
        for k, (rows, end) in enumerate(zip(sections, self.section_ends)):
            self._sections[end - n_words(len(rows)) : end, k] = 1
        self.word_factors = self._sections.astype(np.float64) @ self.factors
        for _ in self.pieces() if at_once else ():
            pass

    def pieces(self) -> Iterator[int]:
        """Lay out the rows of some literals at a time; yield how many are done wherever some are left."""
        step = max(1, _LAID_OUT // max(1, len(self._weights) + len(self._order)))
        for start in range(0, len(self._bits), step):
            if start:
                yield start
            some = slice(start, start + step)
            self.rows[some] = self.laid_out(self._bits[some])

    def laid_out(self, bits: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """Return row sets in the order of the table as they are in this layout."""
        return _reordered(bits, self._order, len(self._weights), self._fast, self._threads)

    def weigh(self, rows: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Return the weight of each row set in this layout (an upper bound unless `exact`)."""
        total = np.zeros(len(rows))
        step = max(1, _CHUNK_WORDS // max(1, rows.shape[1]))
        for start in range(0, len(rows), step):
            some = slice(start, start + step)
            counts = np.bitwise_count(rows[some]).astype(self._sections.dtype) @ self._sections
            for k, factor in enumerate(self.factors):  # in a fixed order, so that equal sets weigh the same
                total[some] += factor * counts[:, k].astype(np.float64)
        return total

    def weigh_patterns(self, items: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the exact weight of conjunctions of literals, given by their indices, shape (n, length)."""
        if self.exact:
            return self.weigh(intersections(self.rows, items))
        return weighted_count(intersections(self._bits, items), self._weights)


def copies_per_row(weights: NDArray[np.float64]) -> float:
    """In how many sections a row of some weight is, on average: so much longer is its layout.

    Examples
    --------
    >>> copies_per_row(np.array([0.0, 1.0, 2.0])), copies_per_row(np.arange(32.0))
    (1.0, 2.5806451612903225)
    """
    _, sections, _ = _sections(weights)
    return sum(map(len, sections)) / max(1, int(np.count_nonzero(weights)))


def _sections(weights: NDArray[np.float64]) -> tuple[list[float], list[NDArray[np.intp]], bool]:
    """The weight of each section, the rows in it, and whether that is exact; see `RowWeights`."""
    values = distinct_values(weights)
    values = values[values > 0]
    if len(values) <= _MAX_VALUES:
        return values.tolist(), [np.flatnonzero(weights == value) for value in values], True
    whole = bool(np.array_equal(values, np.floor(values))) and weights.sum() < 2.0**53
    common = np.gcd.reduce(values.astype(np.int64)) if whole else values[-1] / (2**_DIGITS - 1)
    unit = float(common)
    digits = np.ceil(weights / unit).astype(np.uint64)
    places = range(int(digits.max()).bit_length())
    margin = 1.0 if whole else 1 + 1e-9  # more than all rounding errors together
    rows = [np.flatnonzero((digits >> np.uint64(place)) & np.uint64(1)) for place in places]
    return [margin * unit * 2.0**place for place in places], rows, whole


def intersections(
    rows: NDArray[np.uint64], items: NDArray[np.int32], fast: bool | None = None, threads: int = 1
) -> NDArray[np.uint64]:
    """Return the rows in all sets that each line of `items` names; -1, never first, names every row.

    It is done by compiled code if `fast` is True, or None and it is there.
    """
    if compiled() if fast is None else fast:
        return kernels.intersections(rows, items.astype(np.int32, copy=False), threads)
    width = rows.shape[1]
    result = np.empty((len(items), width), dtype=np.uint64)
    named = np.where(items < 0, items[:, :1], items)  # with its first once more a set is the same
    step = max(1, _CHUNK_WORDS // max(1, width))
    buffer = np.empty((min(step, len(items)), width), dtype=np.uint64)
    for start in range(0, len(items), step):
        chunk = named[start : start + step]
        cover, other = result[start : start + step], buffer[: len(chunk)]
        np.take(rows, chunk[:, 0], axis=0, out=cover, mode="wrap")
        for column in range(1, items.shape[1]):
            np.take(rows, chunk[:, column], axis=0, out=other, mode="wrap")
            np.bitwise_and(cover, other, out=cover)
    return result


def _reordered(
    bits: NDArray[np.uint64], sources: NDArray[np.intp], n_rows: int, fast: bool | None, threads: int
) -> NDArray[np.uint64]:
    """Row sets with row ``sources[i]`` at place ``i``; source `n_rows` stands for a row in no set.

    It is done by compiled code if `fast` is True, or None and it is there.
    """
    if compiled() if fast is None else fast:
        return kernels.reorder(bits, sources, n_rows, threads)
    result = np.empty((len(bits), len(sources) // 64), dtype=np.uint64)
    step = max(1, _UNPACKED_BYTES // (n_rows + len(sources) + 1))
    for start in range(0, len(bits), step):
        chunk = bits[start : start + step]
        mask = np.zeros((len(chunk), n_rows + 1), dtype=bool)
        mask[:, :-1] = unpack(chunk, n_rows)
        result[start : start + step] = pack(np.take(mask, sources, axis=1))
    return result
