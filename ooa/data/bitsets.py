"""Sets of rows as packed 64-bit words: pack, unpack, count and weigh.

Row ``n`` is bit ``n % 64`` (least significant first) of word ``n // 64``; the bits past the last row are
zero. Every function works along the last axis, so one call serves a whole matrix of row sets.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ooa.errors import DataError

__all__ = ["count", "n_words", "pack", "scattered", "unpack", "weighted_count"]

_EXACT = 2.0**53  # every integer up to here is a float
_TABLE_BYTES = 4096  # byte positions per block of lookup tables: 4096 x 256 sums are 8 MB
_SETS = 512  # row sets weighed at a time
_CHUNK_WORDS = 1 << 16  # words that are counted at a time: half a megabyte


def n_words(n_rows: int) -> int:
    """Return how many words hold `n_rows` rows.

    Examples
    --------
    >>> n_words(64), n_words(65)
    (1, 2)
    """
    return -(-n_rows // 64)


def pack(mask: ArrayLike) -> NDArray[np.uint64]:
    """Pack truth values along the last axis into words.

    Parameters
    ----------
    mask : array_like of bool, shape (..., n)

    Returns
    -------
    ndarray of uint64, shape (..., ceil(n / 64))

    Examples
    --------
    >>> pack([True, False, True]).tolist()
    [5]
    """
    bits = np.asarray(mask, dtype=bool)
    packed = np.packbits(bits, axis=-1, bitorder="little")
    width = n_words(bits.shape[-1])
    padded = np.zeros((*bits.shape[:-1], 8 * width), dtype=np.uint8)
    padded[..., : packed.shape[-1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack(words: NDArray[np.uint64], n_rows: int) -> NDArray[np.bool_]:
    """Unpack words into `n_rows` truth values along the last axis; the inverse of `pack`.

    Examples
    --------
    >>> unpack(pack([True, False, True]), 3).tolist()
    [True, False, True]
    """
    return np.unpackbits(_bytes(words), axis=-1, count=n_rows, bitorder="little").view(bool)


def count(words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the number of rows in each set.

    Examples
    --------
    >>> count(pack([[True, False, True], [False, False, False]])).tolist()
    [2, 0]
    """
    return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))


def weighted_count(words: NDArray[np.uint64], weights: ArrayLike) -> NDArray[np.float64]:
    """Return the total weight of the rows in each set.

    Integer weights are added exactly, one bit plane at a time. Other weights are added through tables
    that hold the sum of every byte's eight rows.

    Parameters
    ----------
    words : ndarray of uint64, shape (..., ceil(n / 64))
    weights : array_like of float, shape (n,)
        Finite and not negative.

    Returns
    -------
    ndarray of float64, shape (...)

    Examples
    --------
    >>> weighted_count(pack([[True, False, True], [False, True, True]]), [1, 2, 4]).tolist()
    [5.0, 6.0]
    """
    weight = np.asarray(weights, dtype=np.float64)
    if weight.ndim != 1 or n_words(len(weight)) != words.shape[-1]:
        raise DataError(f"{words.shape[-1]} words cannot hold {weight.shape} weights")
    if not np.all(np.isfinite(weight) & (weight >= 0)):
        raise DataError("Weights of row sets must be finite and not negative")
    if weight.sum() < _EXACT and np.array_equal(weight, np.floor(weight)):
        return _by_bit_planes(words, weight.astype(np.uint64))
    return _by_byte_tables(words, weight)


def _by_bit_planes(words: NDArray[np.uint64], weight: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Weigh by one masked count per weight that there is, or per binary digit if these are fewer."""
    total = np.zeros(math.prod(words.shape[:-1]), dtype=np.int64)
    sets = words.reshape(len(total), words.shape[-1])
    step = max(1, _CHUNK_WORDS // max(1, words.shape[-1]))
    digits = int(weight.max(initial=0)).bit_length()
    kinds = np.unique(weight[weight > 0]).tolist()
    if len(kinds) <= digits:
        planes = [(value, pack(weight == value)) for value in kinds]
    else:
        planes = [(1 << d, pack((weight >> np.uint64(d)) & np.uint64(1))) for d in range(digits)]
    for factor, plane in planes:
        for some in range(0, len(sets), step):  # few at a time stay in cache
            total[some : some + step] += count(sets[some : some + step] & plane) * factor
    return total.astype(np.float64).reshape(words.shape[:-1])


def scattered(n: int) -> NDArray[np.uint64]:
    """Return `n` words whose bits look random and are always the same, for hashes (the mixing of SplitMix64).

    Examples
    --------
    >>> words = scattered(1000)
    >>> len(set(words.tolist())), bool(np.all(words == scattered(2000)[:1000]))
    (1000, True)
    """
    words = np.arange(1, n + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        words = (words ^ (words >> np.uint64(shift))) * np.uint64(factor)
    return words ^ (words >> np.uint64(31))


def _by_byte_tables(words: NDArray[np.uint64], weight: NDArray[np.float64]) -> NDArray[np.float64]:
    """Weigh by looking every byte up in a table of its 256 possible sums."""
    octets = _bytes(words)
    padded = np.zeros(octets.shape[-1] * 8)
    padded[: len(weight)] = weight
    eights = padded.reshape(-1, 8)
    patterns = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    total = np.zeros(words.shape[:-1])
    for start in range(0, len(eights), _TABLE_BYTES):
        block = slice(start, start + _TABLE_BYTES)
        table = eights[block] @ patterns.T.astype(np.float64)
        first = 256 * np.arange(len(table))
        flat = octets[..., block].reshape(-1, len(table))
        sums = np.empty(len(flat))
        for some in range(0, len(flat), _SETS):  # few sets at a time keep the gathered sums in cache
            sums[some : some + _SETS] = table.ravel().take(flat[some : some + _SETS] + first).sum(axis=1)
        total += sums.reshape(total.shape)
    return total


def _bytes(words: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the words as bytes in row order, whatever the machine's byte order."""
    return np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
