"""The best single pattern: brute force finds none that gains more, whatever the rows, weights and prices."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from support.pattern_cases import all_patterns, pattern_gain, random_problem

from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled
from ooa.kernels.best_pattern import BestPattern
from ooa.search import best_pattern
from ooa.search.best_pattern import PatternSearch, _in_chains

pytestmark = pytest.mark.skipif(not compiled(), reason="the core is not compiled")


def check_against_brute_force(rng: np.random.Generator) -> bool:
    """One random problem, asked for in several ways; returns whether a pattern paid."""
    literals, holds, positive, negative, price = random_problem(rng)
    harshness, longest = int(rng.choice([1, 1, 3])), len(price) - 1
    left = rng.random(literals.n_rows) < rng.choice([1.0, 0.6])
    least = int(rng.choice([0, 0, max(1, positive.sum() // 5)]))
    wrong = harshness * negative
    gains = {
        items: pattern_gain(rows & left, positive, wrong, price[len(items)])
        for items, rows in all_patterns(literals, holds, longest)
        if positive[rows].sum() >= least
    }
    most = max([0, *gains.values()])
    search = PatternSearch(literals, positive, negative, price, least)
    found = search.run(left, harshness=harshness)
    assert found.exact
    assert found.value == most
    assert bool(found.items) == (most > 0)
    if found.items:
        assert gains[found.items] == most
    for gain, items in found.good:
        assert gains[items] == gain > 0
    groups = [tuple(sorted(literals.attribute[list(items)].tolist())) for _, items in found.good]
    assert len(set(groups)) == len(groups)
    known = int(rng.integers(0, most + 2))
    again = search.run(left, known, harshness)
    assert again.value == max(most, known)
    assert bool(again.items) == (most > known)
    return most > 0


@pytest.mark.parametrize("seed", range(8))
def test_no_pattern_gains_more(seed: int):
    rng = np.random.default_rng(seed)
    paid = sum(check_against_brute_force(rng) for _ in range(150))
    assert 20 < paid < 150


def test_five_literals_and_long_chains():
    """Enough cuts and literals for every way of ruling out to be at work."""
    rng = np.random.default_rng(7)
    for _ in range(6):
        X = rng.integers(0, 9, (300, 5))
        label = (X[:, :4] >= [2, 3, 1, 2]).all(axis=1) ^ (rng.random(300) < 0.1)
        holds = np.array([X[:, j] >= cut for j in range(5) for cut in (1, 2, 3, 5)])
        attribute = np.repeat(np.arange(5), 4).astype(np.int32)
        literals = SimpleNamespace(attribute=attribute, bits=pack(holds), n_rows=300)
        price = 2 + 2 * np.arange(6)
        most = max(
            pattern_gain(rows, label.astype(int), (~label).astype(int), price[len(items)])
            for items, rows in all_patterns(literals, holds, 5)
        )
        search = PatternSearch(literals, label.astype(int), (~label).astype(int), price)
        assert search.run(np.ones(300, dtype=bool)).value == most > 0


def searched(attribute, kinds, price, least=0):
    """A search over rows of some kinds: how many positives and negatives, which literals hold for them."""
    rows = [(label, holds) for right, wrong, holds in kinds for label in [1] * right + [0] * wrong]
    label, holds = np.array([one[0] for one in rows]), np.array([one[1] for one in rows], dtype=bool).T
    literals = SimpleNamespace(
        attribute=np.array(attribute, dtype=np.int32), bits=pack(holds), n_rows=len(rows)
    )
    return PatternSearch(literals, label, 1 - label, np.array(price), least)


@pytest.mark.parametrize("longest", [4, 5])
def test_literals_that_pay_all_together_only(longest):
    """Each excludes negatives of its own, and no pattern is above what is known before all are in it."""
    kinds = [(20, 0, [1] * longest)] + [(0, 20, 1 - row) for row in np.eye(longest, dtype=int)]
    search = searched(range(longest), kinds, [0] * (longest + 1))
    found = search.run(np.ones(20 + 20 * longest, dtype=bool), known=10)
    assert (found.value, found.items) == (20, tuple(range(longest)))


@pytest.mark.parametrize("fee", range(4))
def test_a_literal_that_just_earns_its_price(fee):
    search = searched([0, 1], [(10, 0, [1, 1]), (0, fee + 1, [0, 1]), (0, 10, [1, 0])], [0, fee, 2 * fee])
    found = search.run(np.ones(21 + fee, dtype=bool))
    assert (found.value, found.items) == (10 - 2 * fee, (0, 1))


def test_a_wider_literal_that_has_the_support():
    """The narrower of two leaves as many of the positives that are left, but not of all that count."""
    kinds = [(10, 0, [1, 1, 1]), (5, 0, [1, 0, 1]), (0, 3, [0, 0, 1]), (0, 1, [1, 0, 1]), (0, 10, [1, 1, 0])]
    search = searched([0, 0, 1], kinds, [0, 1, 2], least=12)
    found = search.run(np.arange(29) // 5 != 2)  # all but the second kind
    assert (found.value, found.items) == (7, (0, 2))


def test_chains_are_nested_and_all_literals_are_in_one():
    rng = np.random.default_rng(3)
    for _ in range(100):
        literals, holds, positive, negative, _ = random_problem(rng)
        order, chain = _in_chains(literals, positive, negative)
        assert sorted(order.tolist()) == list(range(len(holds)))
        for before, after, same in zip(order[:-1], order[1:], chain[:-1] == chain[1:], strict=True):
            if same:
                assert literals.attribute[before] == literals.attribute[after]
                assert (holds[after] <= holds[before]).all()
        # an attribute's literals stand together
        own = literals.attribute[order]
        assert (own[:-1] != own[1:]).sum() + 1 == len(set(own.tolist()))


def test_a_search_that_is_told_to_stop_says_so():
    X = np.random.default_rng(11).random((400, 60))
    label = X[:, 0] + X[:, 1] > np.random.default_rng(12).uniform(0, 2, 400)
    holds = np.array([side for x in X.T for cut in np.arange(0.1, 1, 0.1) for side in (x > cut, x <= cut)])
    literals = SimpleNamespace(attribute=np.repeat(np.arange(60), 18), bits=pack(holds), n_rows=400)
    weights, price = (label.astype(int), (~label).astype(int)), np.zeros(4, dtype=int)
    search, everything, asked = PatternSearch(literals, *weights, price), np.ones(400, dtype=bool), []
    whole, cut = search.run(everything), search.run(everything, go_on=lambda: bool(asked.append(1)))
    assert len(asked) == 1
    assert whole.exact
    assert not cut.exact
    assert 0 < cut.value <= whole.value
    assert pattern_gain(holds[list(cut.items)].all(axis=0), *weights, price[len(cut.items)]) == cut.value


def test_nothing_to_choose_from():
    none = SimpleNamespace(attribute=np.zeros(0, np.int32), bits=np.zeros((0, 1), np.uint64), n_rows=3)
    weights = np.array([1, 1, 0]), np.array([0, 0, 1])
    found = PatternSearch(none, *weights, np.array([0, 0, 0])).run(np.ones(3, dtype=bool))
    assert (found.value, found.items, found.good, found.exact) == (0, (), (), True)
    one = SimpleNamespace(attribute=np.zeros(1, np.int32), bits=pack([[1, 1, 0]]), n_rows=3)
    search = PatternSearch(one, *weights, np.array([0, 1]))
    assert search.run(np.ones(3, dtype=bool)).items == (0,)
    assert search.run(np.zeros(3, dtype=bool)).items == ()  # no row is left


class GrowthAlone(BestPattern):
    """A search that never gets anywhere but for what is grown beside it."""

    def advance(self, work: int) -> bool:
        return False


class NoGrowth(BestPattern):
    """A search without growth."""

    def advance_beam(self, work: int) -> bool:
        return True


def asked(times: int):
    """Whether to go on, so many times."""
    left = iter(range(times))
    return lambda: next(left, None) is not None


def check_cut_off(rng: np.random.Generator, times: int) -> tuple[int, int, bool]:
    """What a search finds in so many turns, the most there is, and whether it had come to its end."""
    literals, holds, positive, negative, price = random_problem(rng, attributes=5)
    left, least = rng.random(literals.n_rows) < 0.8, int(rng.choice([0, 0, max(1, positive.sum() // 5)]))
    gains = {
        items: pattern_gain(rows & left, positive, negative, price[len(items)])
        for items, rows in all_patterns(literals, holds, len(price) - 1)
        if positive[rows].sum() >= least
    }
    most, known = max([0, *gains.values()]), int(rng.choice([0, 0, 2]))
    found = PatternSearch(literals, positive, negative, price, least).run(left, known, go_on=asked(times))
    assert known <= found.value <= max(most, known)
    assert bool(found.items) == (found.value > known)
    if found.items:
        assert gains[found.items] == found.value
    for gain, items in found.good:
        assert gains[items] == gain > 0
    assert found.bound >= most
    if found.exact:
        assert found.value == max(most, known)
    return found.value, max(most, known), found.exact


@pytest.mark.parametrize("seed", range(4))
def test_growth_alone_is_never_above_the_best_and_mostly_as_good(seed: int, monkeypatch):
    monkeypatch.setattr(best_pattern, "BestPattern", GrowthAlone)
    rng = np.random.default_rng(seed)
    found = [check_cut_off(rng, 20) for _ in range(150)]
    assert sum(value == most for value, most, _ in found) >= 145


@pytest.mark.parametrize("seed", range(4))
def test_growth_and_search_in_turns_cut_off_anywhere(seed: int, monkeypatch):
    monkeypatch.setattr(best_pattern, "WORK", 1)
    rng = np.random.default_rng(seed)
    ends = [check_cut_off(rng, int(rng.integers(0, 60)))[2] for _ in range(150)]
    assert 50 < sum(ends) < 150


@pytest.mark.parametrize("longest", [4, 6])
def test_a_planted_rule_that_the_search_does_not_get_to(longest: int, monkeypatch):
    """Four cuts on 40 columns, noise, and little work: the search over four literals is far from its end."""
    rng = np.random.default_rng(5)
    X = rng.random((500, 40))
    cuts = np.arange(0.1, 1, 0.1)
    holds = np.array([side for x in X.T for cut in cuts for side in (x > cut, x <= cut)])
    planted = tuple(18 * column + literal for column, literal in ((2, 2), (9, 15), (23, 4), (36, 13)))
    label = holds[list(planted)].all(axis=0) ^ (rng.random(500) < 0.2)
    literals = SimpleNamespace(attribute=np.repeat(np.arange(40), 18), bits=pack(holds), n_rows=500)
    weights, price = (label.astype(int), (~label).astype(int)), 2 + 3 * np.arange(longest + 1)
    gain = pattern_gain(holds[list(planted)].all(axis=0), *weights, price[4])
    search, everything = PatternSearch(literals, *weights, price), np.ones(500, dtype=bool)
    monkeypatch.setattr(best_pattern, "WORK", 1 << 17)
    found = search.run(everything, go_on=asked(40))
    monkeypatch.setattr(best_pattern, "BestPattern", NoGrowth)
    without = search.run(everything, go_on=asked(40))
    assert not without.exact
    assert without.value < gain <= found.value
    assert (
        pattern_gain(holds[list(found.items)].all(axis=0), *weights, price[len(found.items)]) == found.value
    )
