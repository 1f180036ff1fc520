"""Tiny tables in rank space, and what the best boxes over them gain, by going through all of them."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from ooa.kernels.boxes import MISSING, NONE, BoxRows, FoundBoxes

RANGES, SINGLE, SETS = 0, 1, 2


def random_rows(rng: np.random.Generator) -> BoxRows:
    """Ranges, categories and sets, values missing or not; whole weights, few and many; any prices."""
    n, J = int(rng.integers(4, 26)), int(rng.integers(1, 4))
    kind = rng.choice([RANGES, RANGES, SINGLE, SETS], J)
    ranks = np.array([int(rng.integers(1, 4 if k else 6)) for k in kind])
    rank = np.stack([rng.integers(0, m, n) for m in ranks], axis=1).astype(np.int32)
    for j in np.flatnonzero(rng.random(J) < 0.4):
        rank[rng.random(n) < 0.25, j] = -1
    lacks = (rank < 0).any(axis=0) | (rng.random(J) < 0.1)  # in rows that count nothing, perhaps
    missing = lacks & (rng.random(J) < 0.5)
    weight = [np.ones(n, dtype=np.int64), rng.integers(1, 4, n), rng.integers(1, 200, n)][rng.integers(3)]
    slope = (rank - ranks / 2) @ rng.normal(size=J)
    label = rng.random(n) < 1 / (1 + np.exp(-2 * slope))
    return BoxRows(
        rank=rank,
        value=np.where(label, weight, -weight) * int(rng.choice([1, 3])),
        kind=kind,
        ranks=ranks,
        lacks=lacks.astype(np.int64),
        missing=missing.astype(np.int64),
        literal_price=int(rng.choice([0, 1, 2, 5, 30])),
        pattern_price=int(rng.choice([0, 1, 3, 20])),
        longest=int(rng.choice([1, 2, J, J])),
    )


class EveryBox(NamedTuple):
    """All boxes that select different rows, each at its lowest price."""

    masks: np.ndarray
    price: np.ndarray


def every_box(rows: BoxRows) -> EveryBox:
    """List them, without those that have a literal which holds for every row."""
    found: dict[bytes, tuple[np.ndarray, int]] = {}
    for choice in product(*(literals(rows, j) for j in range(len(rows.kind)))):
        length = sum(mask is not None for mask in choice)
        if not 0 < length <= rows.longest:
            continue
        mask = np.logical_and.reduce([mask for mask in choice if mask is not None])
        price = rows.pattern_price + length * rows.literal_price
        if price < found.get(mask.tobytes(), (mask, price + 1))[1]:
            found[mask.tobytes()] = mask, price
    masks = np.array([mask for mask, _ in found.values()], dtype=bool).reshape(len(found), len(rows.value))
    return EveryBox(masks, np.array([price for _, price in found.values()], dtype=np.int64))


def literals(rows: BoxRows, j: int) -> list[np.ndarray | None]:
    """No literal, and the rows of every literal on an attribute."""
    of, m, lacks = rows.rank[:, j], int(rows.ranks[j]), bool(rows.lacks[j])
    found: list[np.ndarray | None] = [None]
    if rows.missing[j]:
        found.append(of < 0)
    if rows.kind[j] == RANGES:
        ends = [(a, b) for a in range(m) for b in range(a, m) if (a, b) != (0, m - 1) or lacks]
        return found + [(of >= a) & (of <= b) for a, b in ends]
    most = m if rows.kind[j] == SETS else 1
    sets = [some for size in range(1, most + 1) for some in combinations(range(m), size)]
    return found + [np.isin(of, some) for some in sets if len(some) < m or lacks]


def best_gains(rows: BoxRows, boxes: EveryBox) -> dict[int, int]:
    """By number of boxes, as far as there is time for that, what the best of just so many gain."""
    masks, price = boxes
    alone, n, best = masks @ rows.value - price, len(price), {}
    if n == 0:
        return best
    best[1] = int(alone.max())
    if n > 400:
        return best
    pairs, prices = masks[:, None] | masks[None], price[:, None] + price[None]
    best[2] = int((pairs @ rows.value - prices).max())
    if n <= 90:
        best[3] = max(int(((pairs | masks[i]) @ rows.value - prices - price[i]).max()) for i in range(n))
    if n <= 20:
        best[4] = max(
            int(((pairs | masks[i] | masks[k]) @ rows.value - prices - price[i] - price[k]).max())
            for i in range(n)
            for k in range(i + 1)
        )
    return best


def gain_of(rows: BoxRows, found: FoundBoxes) -> int:
    """What boxes gain, from their literals."""
    covered, price = np.zeros(len(rows.value), dtype=bool), 0
    for literal, categories in zip(found.literals, found.categories, strict=True):
        inside, length = np.ones(len(rows.value), dtype=bool), 0
        for j, (option, low, high) in enumerate(literal.tolist()):
            of = rows.rank[:, j]
            if option == NONE:
                continue
            length += 1
            if option == MISSING:
                inside &= of < 0
            elif rows.kind[j] == RANGES:
                inside &= (of >= low) & (of <= high)
            else:
                inside &= np.isin(of, categories[j])
        assert 0 < length <= rows.longest
        covered |= inside
        price += rows.pattern_price + length * rows.literal_price
    return int(rows.value[covered].sum()) - price
