"""Work on many row sets at once; see core/gains.h and core/layout.h."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .library import core

__all__ = ["chains", "gains", "intersections", "reorder", "worth"]

Words = NDArray[np.uint64]
Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Words that are written before somebody looks for signals.
PIECE = 1 << 23


def gains(
    right: Words, right_factor: Floats, wrong: Words, wrong_factor: Floats, covered: Words, hit: Words,
    price: Floats, harshness: float, threads: int = 1,
) -> Floats:  # fmt: skip
    """For each set the weight of the positives it adds, less `harshness` times its negatives, less its price.

    `covered` and `hit` are the positives and the negatives that the selection covers already.
    """
    result = np.empty(len(price))
    _call(
        "ooa_gains", right, right_factor, right.shape[1], wrong, wrong_factor, wrong.shape[1], covered, hit,
        price, len(price), float(harshness), threads, result,
    )  # fmt: skip
    return result


def reorder(sets: Words, sources: Integers, absent: int, threads: int = 1) -> Words:
    """The row sets with row sources[i] at place i; `absent` stands for a row in no set."""
    result = np.empty((len(sets), len(sources) // 64), dtype=np.uint64)
    _call("ooa_reorder", sets, len(sets), sets.shape[1], sources, len(sources), absent, threads, result)
    return result


def intersections(sets: Words, items: NDArray[np.int32], threads: int = 1) -> Words:
    """The rows in all sets that each line of `items` names; -1, never first, names every row.

    It is done in pieces, so that Ctrl-C is heard.
    """
    width = sets.shape[1]
    result = np.empty((len(items), width), dtype=np.uint64)
    step = max(1, PIECE // max(1, width))
    for start in range(0, len(items), step):
        some = items[start : start + step]
        _call("ooa_intersections", sets, width, some, *some.shape, threads, result[start : start + step])
    return result


def chains(sets: Words, named: Integers) -> Integers:
    """For each set named the first chain whose last one so far has all of its rows, or a new one."""
    result = np.empty(len(named), dtype=np.int64)
    _call("ooa_chains", sets, sets.shape[1], named, len(named), result)
    return result


def worth(
    right: NDArray[np.bool_], wrong: NDArray[np.bool_], price: Integers, names: Integers, cover: Floats,
    first: Integers, second: Integers, amount: Floats,
) -> tuple[Floats, Integers]:  # fmt: skip
    """What the patterns named are worth, and for each positive the most valuable that covers it, or -1.

    A pattern's row of `right` and of `wrong` says which positives and negatives it covers. It gets `cover` of
    each of its positives, `amount` of each pair whose positive it covers and whose negative it does not, and
    pays its price. The pairs are sorted by their positives: those of p are `first[p]` to `first[p + 1]`, and
    `second` has their negatives.
    """
    value, leader = np.empty(len(names)), np.full(len(cover), -1, dtype=np.int64)
    _call(
        "ooa_worth", right, right.shape[1], wrong, wrong.shape[1], price, names, len(names), cover, first,
        second, amount, value, leader,
    )  # fmt: skip
    return value, leader


def _call(name: str, *arguments: Any) -> None:
    found = core()
    assert found is not None
    found(name, *(np.ascontiguousarray(one) if isinstance(one, np.ndarray) else one for one in arguments))
