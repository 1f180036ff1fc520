"""All sets above a target: as the search lists them, and by going through all sets."""

from __future__ import annotations

from itertools import combinations

from ooa.search.branch_and_bound import Branching
from support.branching_cases import always, gain


def listed(search: Branching, target: int, highest: int, lean: bool) -> dict[tuple[int, ...], int]:
    """What is listed: sets and what they gain; none of them twice."""
    found: list[tuple[tuple[int, ...], int]] = []

    def take(some):
        for choice, value in zip(some.choice, some.gain.tolist()):
            found.append((tuple(sorted(choice[choice >= 0].tolist())), value))

    assert search.list_above(target, highest, lean, take, always)
    assert len(dict(found)) == len(found)
    return dict(found)


def by_brute_force(covers, positive, negative, price, most, target, lean):
    weighs = covers & (positive + negative > 0)
    result = {}
    for size in range(1, most + 1):
        for chosen in combinations(range(len(price)), size):
            rows = weighs[list(chosen)]
            alone = rows & (rows.sum(axis=0) == 1)
            value = gain(covers, positive, negative, price, chosen)
            if value > target and (not lean or alone.any(axis=1).all()):
                result[chosen] = value
    return result
