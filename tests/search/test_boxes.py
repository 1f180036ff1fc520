"""Boxes over rank space: the best one beside others by brute force, caps that hold, replacement by them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from support.brute_ooa import all_literals, all_patterns
from support.tiny_tables import tiny_table

from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.formulations.rank_space import RankSpace
from ooa.kernels.availability import compiled
from ooa.rules.ruleset import RuleSet
from ooa.search import boxes as box_module
from ooa.search.best_pattern import RowValues
from ooa.search.boxes import BoxPrices, BoxSearch, RankBox
from ooa.search.generation import Generation
from ooa.search.replacement import Replacement
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


class Case:
    """A tiny table, the search over it, and every pattern there is with its rows."""

    def __init__(self, rng: np.random.Generator, most_rows: int = 9) -> None:
        table = tiny_table(rng, most_rows=most_rows)
        self.rows: DistinctRows = table.distinct()
        self.single = single = bool(rng.random() < 0.5)
        missing = bool(rng.random() < 0.5)
        space = RankSpace.of(self.rows, missing=missing, merge=bool(rng.random() < 0.5))
        self.prices = BoxPrices(int(rng.integers(4)), int(rng.integers(4)))
        positive, negative = (10 * side / 5 for side in (self.rows.positive, self.rows.negative))
        self.worth = (positive - negative).astype(np.int64)
        merged = (
            np.bincount(space.row, weights=side, minlength=space.n_rows).astype(np.int64)
            for side in (positive, negative)
        )
        self.positive, self.negative = merged
        self.search = BoxSearch(
            space, self.positive, self.negative, self.prices, single_category=single, threads=2
        )
        literals = all_literals(self.rows, single_category=single, missing=missing)
        self.every = [
            (length, np.array([bool(bits >> r & 1) for r in range(self.rows.n_rows)]))
            for length, bits in all_patterns(self.rows.n_rows, literals)
        ]

    def gain(self, covered: np.ndarray, *lengths: int) -> int:
        price = sum(self.prices.pattern + length * self.prices.literal for length in lengths)
        return int(self.worth[covered].sum()) - price

    def rows_of(self, box: RankBox) -> np.ndarray:
        """Its rows among those of the table, by the readable pattern."""
        pattern = self.search.space.pattern(self.search.box(box))
        assert self.search.items(self.search.box(box)) == box
        assert len(pattern) == len(box)
        return np.asarray(RuleSet([pattern]).covers(self.rows.as_frame())[:, 0])


def cases(seed: int, count: int) -> Iterator[Case]:
    rng = np.random.default_rng(seed)
    while count > 0:
        case = Case(rng)
        if case.every and case.rows.n_rows > 1:
            count -= 1
            yield case


@pytest.mark.parametrize("seed", range(5))
def test_the_best_box_beside_others(seed: int):
    """Rows that others cover count nothing; what is known already has to be beaten."""
    rng = np.random.default_rng(100 + seed)
    for case in cases(seed, 40):
        others = rng.random(case.search.n_rows) < rng.choice([0.0, 0.3])
        there = others[case.search.space.row]
        best = max(case.gain(covered & ~there, length) for length, covered in case.every)
        known = int(rng.integers(0, 4))
        found = case.search.run(~others, known)
        assert found.exact
        assert found.value == max(best, known)
        assert bool(found.items) == (best > known)
        for value, items in ((found.value, found.items), *found.good) if found.items else found.good:
            assert case.gain(case.rows_of(items) & ~there, len(items)) == value


@pytest.mark.parametrize("seed", range(5))
def test_caps_hold_and_are_reached(seed: int):
    for case in cases(10 + seed, 25):
        if len(case.every) > 150:
            continue
        best = {1: max(case.gain(rows, length) for length, rows in case.every)}
        best[2] = max(
            case.gain(rows | others, length, other)
            for length, rows in case.every
            for other, others in case.every
        )
        for boxes in (1, 2):
            known = max(0, *(best[k] for k in range(1, boxes + 1)))
            done, found = case.search.exclude(boxes, max(0, best[1] if boxes == 2 else 0))
            assert done
            assert case.search.caps[boxes] == known
            if found:
                assert case.search.gain(found) == best[boxes]
                covered = np.logical_or.reduce([case.rows_of(one) for one in found])
                assert case.gain(covered, *map(len, found)) == best[boxes]


def random_values(rng: np.random.Generator, case: Case) -> RowValues:
    """Positives are worth at least what their pairs with negatives take."""
    worth = case.positive - case.negative
    here, there = np.flatnonzero(worth > 0), np.flatnonzero(worth < 0)
    n = int(rng.choice([0, 3, 20, 90])) if len(here) and len(there) else 0
    pairs = np.column_stack([rng.choice(side, n) if n else here[:0] for side in (here, there)])
    amount = rng.integers(0, int(rng.choice([2, 9])), n)
    own = np.zeros(len(worth), dtype=np.int64)
    own[here] = rng.integers(0, 20, len(here)) * (rng.random(len(here)) < 0.5)
    np.add.at(own, pairs[:, 0], amount)
    return RowValues(own, pairs, amount, int(rng.choice([1, 3])))


def worth_of(case: Case, values: RowValues, covered: np.ndarray, length: int) -> int:
    """What a pattern is worth that covers these rows of the space."""
    both = covered[values.pairs[:, 0]] & covered[values.pairs[:, 1]]
    price = case.prices.pattern + length * case.prices.literal
    return int(values.own[covered].sum() - values.amount[both].sum()) - values.scale * price


@pytest.mark.parametrize("seed", range(6))
def test_the_box_that_is_worth_most_by_pairs(seed: int, monkeypatch: pytest.MonkeyPatch):
    """Exactly, but for pairs of two categories where literals are sets; stopped, the bound holds."""
    rng, exact, stopped = np.random.default_rng(200 + seed), 0, 0
    for case in cases(30 + seed, 40):
        values, known = random_values(rng, case), int(rng.integers(0, 9))
        space = case.search.space
        first = np.array([np.flatnonzero(space.row == r)[0] for r in range(space.n_rows)])
        most = max(worth_of(case, values, covered[first], length) for length, covered in case.every)
        found = case.search.most_valuable(values, known)
        assert found.exact
        assert found.bound == found.value >= max(most, known)
        if case.single:
            exact += most > known
            assert found.value == max(most, known)
            for value, items in ((found.value, found.items), *found.good) if found.items else found.good:
                assert worth_of(case, values, case.rows_of(items)[first], len(items)) == value
        with monkeypatch.context() as patch:
            patch.setattr(box_module, "WORK", 1)
            cut = case.search.most_valuable(values, known, lambda: False)
        assert cut.bound >= max(most, known)
        stopped += not cut.exact
    assert exact > 3
    assert stopped >= 0


@pytest.mark.parametrize("seed", range(4))
def test_the_linear_program_bounds_sets_of_boxes(seed: int):
    """Its bound holds, and with its multipliers families lose none of the best."""
    closed = 0
    for case in cases(40 + seed, 12):
        if len(case.every) > 150:
            continue
        gains = [
            case.gain(rows | others, length, other)
            for i, (length, rows) in enumerate(case.every)
            for other, others in case.every[:i]
        ]
        one = max(0, *(case.gain(rows, length) for length, rows in case.every))
        best = max([one, *gains])
        program: Generation[RankBox] = Generation(
            case.search, case.positive - case.negative, 2, get_backend("highs"), SolveParams()
        )
        program.run(needed=best)
        assert program.bound >= best
        closed += program.bound == best
        case.search.exclude(1, 0)
        if program.best is not None:
            case.search.reduce(program.best.values, program.best.given, program.most)
        target = max(0, best - 1, one)
        done, found = case.search.exclude(2, target)
        assert done
        assert case.search.caps[2] == max(best, target)
        assert bool(found) == (best > target)
        assert not found or case.search.gain(found) == best
    assert closed > 0


@pytest.mark.parametrize("boxes", [2, 3])
def test_multipliers_narrow_families(boxes: int):
    """With those of the program, fewer families are looked at, and the same sets are found."""
    nodes = [0, 0]
    for seed in range(3):
        rng = np.random.default_rng(seed)
        X = rng.integers(0, 7, (70, 3))
        label = ((X[:, 0] > 2) & (X[:, 1] < 4) | (X[:, 2] > 4)) ^ (rng.random(70) < 0.15)
        space = RankSpace.of(Table.from_any({f"x{j}": X[:, j] for j in range(3)}, label), merge=True)
        positive, negative = (10 * side.astype(np.int64) for side in (space.positive, space.negative))
        searches = [BoxSearch(space, positive, negative, BoxPrices(12, 12)) for _ in range(2)]
        program: Generation[RankBox] = Generation(
            searches[1], positive - negative, boxes, get_backend("highs"), SolveParams()
        )
        program.run(needed=0, rounds=60)
        assert program.best is not None
        searches[1].reduce(program.best.values, program.best.given, program.most)
        for k in range(1, boxes + 1):
            found = [search.exclude(k, max(0, int(search.caps[k - 1]) - 1)) for search in searches]
            assert all(done for done, _ in found)
            assert searches[0].caps.tolist() == searches[1].caps.tolist()
            gains = [search.gain(sets) for search, (_, sets) in zip(searches, found, strict=True)]
            assert gains[0] == gains[1]
        assert program.bound >= searches[0].caps[boxes]
        nodes = [n + search._several().nodes for n, search in zip(nodes, searches, strict=True)]
    assert nodes[1] < nodes[0]


def test_many_pairs_over_many_ranks():
    """Numbers with dozens of ranks, so that pairs span many: as by going through all boxes of two columns."""
    for seed in range(12):
        rng = np.random.default_rng(seed)
        n = 60
        X = rng.integers(0, 12, (n, 2))
        space = RankSpace.of(Table.from_any({"a": X[:, 0], "b": X[:, 1]}, rng.random(n) < 0.5))
        positive, negative = (9 * side.astype(np.int64) for side in (space.positive, space.negative))
        search = BoxSearch(space, positive, negative, BoxPrices(3, 4))
        here, there = np.flatnonzero(positive > negative), np.flatnonzero(positive < negative)
        pairs = np.column_stack([rng.choice(here, 150), rng.choice(there, 150)])
        amount = rng.integers(0, 9, 150)
        own = np.zeros(space.n_rows, dtype=np.int64)
        np.add.at(own, pairs[:, 0], amount)
        own[here] += rng.integers(0, 3, len(here))
        found = search.most_valuable(RowValues(own, pairs, amount))
        best = 0
        ends = [[(a, b) for a in range(s.size) for b in range(a, s.size)] for s in space.scales]
        for low, high in ends[0]:
            one = (space.rank[:, 0] >= low) & (space.rank[:, 0] <= high)
            for other, last in ends[1]:
                inside = one & (space.rank[:, 1] >= other) & (space.rank[:, 1] <= last)
                length = (high - low + 1 < space.scales[0].size) + (last - other + 1 < space.scales[1].size)
                if length:
                    both = inside[pairs[:, 0]] & inside[pairs[:, 1]]
                    best = max(best, int(own[inside].sum() - amount[both].sum()) - 4 - 3 * length)
        assert (found.value, found.exact) == (best, True)


def test_caps_are_about_fewer_boxes_too():
    """Two boxes gain less than one where a second has nothing to add: at most two gain what one does."""
    space = RankSpace.of(Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 1, 1, 1, 0]))
    weights = [(10 * side).astype(np.int64) for side in (space.positive, space.negative)]
    search = BoxSearch(space, *weights, BoxPrices(literal=2, pattern=3))
    for boxes, caps in ((1, [0, 25]), (2, [0, 25, 25])):
        done, found = search.exclude(boxes, 0)
        assert done
        assert (len(found), search.gain(found)) == (boxes, 25 - 5 * (boxes - 1))
        assert search.caps.tolist() == caps


def test_stopped_caps_still_hold():
    """Stopped at once, and where it stands: no cap is below what is found in the end."""
    rng = np.random.default_rng(5)
    X = rng.integers(0, 40, (300, 5))
    label = ((X[:, 0] > 15) & (X[:, 1] < 25)) ^ (rng.random(300) < 0.2)
    space = RankSpace.of(Table.from_any({f"x{j}": X[:, j] for j in range(5)}, label), merge=True)
    weights = [(10 * side).astype(np.int64) for side in (space.positive, space.negative)]
    search = BoxSearch(space, *weights, BoxPrices(20, 20))
    answers = iter([True] * 3 + [False])
    done, _ = search.exclude(2, 0, lambda share: next(answers))
    assert not done
    stopped = search.caps[2]
    done, found = search.exclude(1, 0)
    assert done
    assert len(found) == 1
    assert search.caps[1] == search.gain(found)
    assert stopped >= search.caps[2] >= search.caps[1] > 0


@pytest.mark.parametrize("seed", range(3))
def test_replacement_by_boxes(seed: int):
    """Nothing better is one addition, removal or replacement away."""
    for case in cases(20 + seed, 10):
        search: Replacement[RankBox] = Replacement(case.search, case.positive, case.negative, 2)
        found = search.run(rounds=3)
        assert search.gain == case.search.gain(found) == search.gain_of(found) >= 0
        for k in range(len(found)):
            others = [case.rows_of(one) for n, one in enumerate(found) if n != k]
            lengths = [len(one) for n, one in enumerate(found) if n != k]
            there = np.logical_or.reduce([*others, np.zeros(case.rows.n_rows, dtype=bool)])
            assert case.gain(there, *lengths) <= search.gain
            for length, rows in case.every:
                assert case.gain(there | rows, length, *lengths) <= search.gain
