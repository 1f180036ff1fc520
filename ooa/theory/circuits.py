"""Circuits: small sets of patterns that are not efficient, as the others cover all rows of one of them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["short_circuits"]

#: Random selections of patterns that are searched, and patterns of each that are looked at.
_ROUNDS, _EACH = 60, 20


def short_circuits(covers: NDArray[np.bool_], *, most: int = 200, seed: int = 0) -> list[tuple[np.intp, ...]]:
    """Return some circuits, the shortest first; no efficient set contains all patterns of one.

    Parameters
    ----------
    covers : ndarray of bool, shape (rows, patterns)
    most : the most circuits to return; further ones add little to the bound of the relaxation
    seed : of the random selections that they are looked for in

    Examples
    --------
    >>> covers = np.array([[1, 0, 1], [0, 1, 1], [0, 1, 0]], dtype=bool)
    >>> [tuple(map(int, circuit)) for circuit in short_circuits(covers)]
    [(0, 2), (0, 1, 2)]
    """
    rng = np.random.default_rng(seed)
    found: set[tuple[np.intp, ...]] = set()
    for attempt in range(_ROUNDS):
        share = 1.0 if attempt == 0 else rng.uniform(0.2, 0.9)
        chosen = np.flatnonzero(rng.random(covers.shape[1]) < share)
        among = covers[:, chosen]
        owners = among[among.sum(axis=1) == 1].any(axis=0)
        for place in rng.permutation(np.flatnonzero(~owners))[:_EACH]:
            rows = among[among[:, place]].astype(np.float32)
            rows[:, place] = 0
            found.add(tuple(sorted([chosen[place], *chosen[_cover(rows, rng)]])))
    return sorted(found, key=lambda circuit: (len(circuit), circuit))[:most]


def _cover(rows: NDArray[np.float32], rng: np.random.Generator) -> list[int]:
    """Columns that together cover all rows, none of them needless."""
    weight = rng.uniform(0.7, 1.3, rows.shape[1])
    chosen: list[int] = []
    open_rows = rows
    while len(open_rows):
        best = int(np.argmax(open_rows.sum(axis=0) * weight))
        chosen.append(best)
        open_rows = open_rows[open_rows[:, best] == 0]
    for column in list(chosen):
        rest = [other for other in chosen if other != column]
        if rows[:, rest].any(axis=1).all():
            chosen = rest
    return chosen
