"""Random limits on what boxes say, and the best boxes that keep to them, by going through all of them."""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from ooa.kernels.boxes import MISSING, NONE, RANKS, Among, Boxes, BoxRows, Flag, FlagLimit, FoundBoxes
from support.box_cases import RANGES, SETS, SINGLE

#: What a box says on an attribute: nothing, "missing", the ends of a range, or categories.
Said = None | str | tuple[int, int] | frozenset


class Filters(NamedTuple):
    """Limits, least supports by weights of rows, forbidden boxes, and what rows count that may be covered."""

    limits: list[FlagLimit]
    supports: list[tuple[np.ndarray, int]]
    forbidden: list[tuple[Said, ...]]
    covers: tuple[tuple[np.ndarray, int], ...] = ()


class Listed(NamedTuple):
    """All boxes: what they say, which rows they cover, what they cost."""

    said: list[tuple[Said, ...]]
    masks: np.ndarray
    price: np.ndarray


def list_boxes(rows: BoxRows, beside: np.ndarray) -> Listed:
    """All boxes without literals that hold always; `beside`: ranks of rows that count nothing, too."""
    said, masks, price = [], [], []
    for choice in product(*(sayings(rows, j) for j in range(len(rows.kind)))):
        length = sum(one is not None for one in choice)
        if 0 < length <= rows.longest:
            said.append(choice)
            masks.append(np.logical_and.reduce([holds(one, beside[:, j]) for j, one in enumerate(choice)]))
            price.append(rows.pattern_price + length * rows.literal_price)
    return Listed(said, np.array(masks, dtype=bool).reshape(len(said), len(beside)), np.array(price))


def sayings(rows: BoxRows, j: int) -> list[Said]:
    m, lacks = int(rows.ranks[j]), bool(rows.lacks[j])
    found: list[Said] = [None]
    if rows.missing[j]:
        found.append("missing")
    if rows.kind[j] == RANGES:
        return found + [(a, b) for a in range(m) for b in range(a, m) if (a, b) != (0, m - 1) or lacks]
    most = m if rows.kind[j] == SETS else 1
    sets = [frozenset(some) for size in range(1, most + 1) for some in combinations(range(m), size)]
    return found + [some for some in sets if len(some) < m or lacks]


def holds(one: Said, of: np.ndarray) -> np.ndarray:
    if one is None:
        return np.ones(len(of), dtype=bool)
    if one == "missing":
        return of < 0
    if isinstance(one, tuple):
        return (of >= one[0]) & (of <= one[1])
    return np.isin(of, list(one))


def flag_of(said: tuple[Said, ...], flag: Flag, j: int, rank: int) -> bool:
    one = said[j]
    match flag:
        case Flag.USED:
            return True
        case Flag.LITERAL:
            return one is not None
        case Flag.MISSING:
            return one == "missing"
        case Flag.BEGINS:
            return isinstance(one, tuple) and one[0] >= rank
        case Flag.ENDS:
            return isinstance(one, tuple) and one[1] < rank
    return isinstance(one, frozenset) and rank in one


def random_filters(rng: np.random.Generator, rows: BoxRows, every: Listed, beside: np.ndarray) -> Filters:
    """A few of any kind, mostly such that some boxes keep to them and others do not."""
    J, limits = len(rows.kind), []
    for _ in range(int(rng.integers(0, 3))):
        among = Among(int(rng.choice([0, 0, 0, 1, 2])))
        terms = []
        for _ in range(int(rng.integers(1, 4))):
            j = int(rng.integers(J))
            flags = [Flag.LITERAL] if among is Among.ANY else flags_on(rows, j)
            flag = flags[int(rng.integers(len(flags)))]
            rank = int(rng.integers(1, rows.ranks[j])) if flag in (Flag.BEGINS, Flag.ENDS) else 0
            rank = int(rng.integers(rows.ranks[j])) if flag is Flag.NAMED else rank
            amounts = [1, 1, 2, 3] if among is not Among.EACH else [1, 1, 2, -1, -1, -2]
            terms.append((flag, j, rank, int(rng.choice(amounts))))
        limits.append(FlagLimit(among, int(rng.integers(0, 4 if among is Among.ALL else 2)), tuple(terms)))
    supports, forbidden = [], []
    if rng.random() < 0.3:
        weight = rng.integers(0, 4, len(beside))
        supports.append((weight, int(rng.integers(0, 1 + weight.sum() // 2))))
    if rng.random() < 0.4 and every.said:
        net = every.masks[:, : len(rows.value)] @ rows.value - every.price
        best = np.argsort(-net)[: int(rng.integers(1, 4))]
        forbidden = [every.said[k] for k in best]
    covers = []
    if rng.random() < 0.4:
        net = np.concatenate([rows.value, np.zeros(len(beside) - len(rows.value), dtype=np.int64)])
        amount = rng.integers(1, 4, len(beside)) * (net <= int(rng.integers(-1, 2)))
        covers.append((amount, int(rng.integers(0, 1 + amount.sum() // 2))))
    return Filters(limits, supports, forbidden, tuple(covers))


def flags_on(rows: BoxRows, j: int) -> list[Flag]:
    flags = [Flag.LITERAL, Flag.LITERAL, Flag.USED] + [Flag.MISSING] * bool(rows.missing[j])
    if rows.kind[j] != RANGES:
        return [*flags, Flag.NAMED, Flag.NAMED]
    return [*flags, Flag.BEGINS, Flag.ENDS] if rows.ranks[j] > 1 else flags


def tell(search: Boxes, filters: Filters, beside: np.ndarray) -> None:
    """Let a search keep to them."""
    for limit in filters.limits:
        search.limit(limit)
    for weight, least in filters.supports:
        search.support(beside.astype(np.int32), weight, least)
    for amount, most in filters.covers:
        search.cover(beside.astype(np.int32), amount, most)
    for said in filters.forbidden:
        search.forbid(*written(said))


def written(said: tuple[Said, ...]) -> tuple[np.ndarray, dict[int, np.ndarray]]:
    literals, categories = np.full((len(said), 3), 0), {}
    for j, one in enumerate(said):
        low, high = one if isinstance(one, tuple) else (0, 0)
        literals[j] = NONE if one is None else MISSING if one == "missing" else RANKS, low, high
        categories[j] = np.array(sorted(one) if isinstance(one, frozenset) else [], dtype=np.int64)
    return literals, categories


def read(rows: BoxRows, found: FoundBoxes) -> list[tuple[Said, ...]]:
    """What boxes say that were found."""
    boxes = []
    for literal, categories in zip(found.literals, found.categories, strict=True):
        said: list[Said] = []
        for j, (option, low, high) in enumerate(literal.tolist()):
            ranks = (
                (low, high) if rows.kind[j] == RANGES else frozenset(categories.get(j, np.array([])).tolist())
            )
            said.append(None if option == NONE else "missing" if option == MISSING else ranks)
        boxes.append(tuple(said))
    return boxes


def passing(every: Listed, filters: Filters) -> np.ndarray:
    """Which boxes pass by themselves."""
    good = np.array([said not in filters.forbidden for said in every.said], dtype=bool)
    for weight, least in filters.supports:
        good &= every.masks @ weight >= least
    for limit in filters.limits:
        if limit.among is Among.EACH:
            good &= amounts(every, limit) <= limit.most
    return good


def amounts(every: Listed, limit: FlagLimit) -> np.ndarray:
    return np.array(
        [sum(by * flag_of(said, flag, j, r) for flag, j, r, by in limit.terms) for said in every.said]
    )


def occurs(every: Listed, limit: FlagLimit) -> np.ndarray:
    """By box and term, whether it has a literal there."""
    return np.array([[said[j] is not None for _, j, _, _ in limit.terms] for said in every.said])


def best_of(rows: BoxRows, every: Listed, filters: Filters) -> dict[int, int]:
    """What the best of just 1, 2, 3 boxes gain that pass, as far as there are any, and time for that."""
    good = np.flatnonzero(passing(every, filters))
    masks, price = every.masks[good][:, : len(rows.value)], every.price[good]
    kept = Listed([every.said[k] for k in good], every.masks[good], price)
    sums = [(amounts(kept, one), one.most) for one in filters.limits if one.among is Among.ALL]
    any_of = [
        (occurs(kept, one), np.array([term[3] for term in one.terms]), one.most)
        for one in filters.limits
        if one.among is Among.ANY
    ]
    best: dict[int, int] = {}
    for boxes in (1, 2, 3):
        n = len(good)
        if n == 0 or n**boxes > 90_000:
            break
        index = np.array(list(product(range(n), repeat=boxes)))
        fits = np.ones(len(index), dtype=bool)
        for amount, most in sums:
            fits &= amount[index].sum(axis=1) <= most
        for has, by, most in any_of:
            fits &= has[index].any(axis=1) @ by <= most
        for amount, most in filters.covers:
            fits &= kept.masks[index].any(axis=1) @ amount <= most
        index = index[fits]
        if not len(index):
            break
        covered = masks[index].any(axis=1)
        best[boxes] = int((covered @ rows.value - price[index].sum(axis=1)).max())
    return best


__all__ = ["SINGLE", "Filters", "best_of", "list_boxes", "passing", "random_filters", "read", "tell"]
