"""The exact search where patterns are nearly alike, in small pieces of work, and on several threads."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.branching_cases import always, boxes, gain, nearly_alike

from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled, what_is_missing
from ooa.search import branch_and_bound
from ooa.search.branch_and_bound import Branching

pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())


def most_gained(covers, positive, negative, price, most) -> int:
    """By brute force."""
    best, signed = 0, positive - negative
    for size in range(1, most + 1):
        sets = np.array(list(combinations(range(len(price)), size)))
        fires = covers[sets[:, 0]]
        for k in range(1, size):
            fires = fires | covers[sets[:, k]]
        best = max(best, int((fires @ signed - price[sets].sum(axis=1)).max()))
    return best


@pytest.mark.parametrize("seed", range(150))
def test_patterns_that_are_nearly_alike(seed):
    rng = np.random.default_rng(seed)
    covers, positive, negative, price = nearly_alike(rng)
    most = 3 if len(price) > 20 else 4
    best = most_gained(covers, positive, negative, price, most)
    search = Branching(
        pack(covers), positive, negative, price, most, multipliers=bool(seed % 3), threads=1 + seed % 2
    )
    for target in {0, max(0, best - 1), best}:
        assert search.run(target, target, always)
        assert search.best == best
        assert bool(search.choice) == (best > target)
        if search.choice:
            assert gain(covers, positive, negative, price, search.choice) == best


#: Patterns, signed weights and prices: one chosen early is made redundant by another, and what is said of
#: these two must not be said of others in the other's place. Found among many, and made smaller.
REDUNDANT = {
    "far from the target": (
        ("01100000", "00101010", "00100001", "10000110", "00110000", "10101000"),
        (88, 63, 68, 2, 2, -4, 5, 1),
        (1, 2, 0, 0, 3, 3),
    ),
    "within the margin": (
        ("0000100", "0110000", "1001001", "1010000", "1000010"),
        (916, 638, 1187, 18, 18, 12, 18),
        (6, 2, 9, 5, 10),
    ),
}


@pytest.mark.parametrize("name", REDUNDANT)
def test_what_is_redundant_says_nothing_of_others_in_its_place(name):
    rows, signed, prices = REDUNDANT[name]
    covers, price = np.array([[digit == "1" for digit in row] for row in rows]), np.array(prices)
    positive, negative = np.maximum(signed, 0).astype(float), np.maximum(np.negative(signed), 0).astype(float)
    best = most_gained(covers, positive, negative, price, 5)
    for target in (0, best - 1, best):
        search = Branching(pack(covers), positive, negative, price, 5)
        assert search.run(target, target, always)
        assert search.best == best


@pytest.mark.parametrize("seed", range(10))
def test_several_of_a_batch_are_better_than_all_before(seed):
    """Single patterns: the fewer positives, and so the later its turn, the fewer negatives one has, about."""
    rng = np.random.default_rng(seed)
    n = 60
    gained = 5 + np.arange(n) + rng.integers(0, 9, n)
    positive = np.concatenate([300 - np.arange(n), np.zeros(n)])
    negative = np.concatenate([np.zeros(n), 300 - np.arange(n) - gained])
    covers = np.hstack([np.eye(n, dtype=bool)] * 2)
    for threads in (1, 2):
        search = Branching(pack(covers), positive, negative, np.zeros(n, dtype=int), 1, threads=threads)
        assert search.run(0, 0, always)
        assert search.best == gained.max()
        assert search.choice == (gained.argmax(),)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("seed", range(4))
def test_small_pieces_of_work_give_the_same_answer(seed, threads, monkeypatch):
    covers, label, price = boxes(300 + seed, 150, 150)
    answers, asked = [], 0
    for work in (1 << 19, 1, 40, 3_000):
        monkeypatch.setattr(branch_and_bound, "WORK", work)
        search = Branching(
            pack(covers), label.astype(float), (~label).astype(float), price, 4, threads=threads
        )
        asked = 0

        def go_on(share: float) -> bool:
            nonlocal asked
            asked += 1
            return always(share)

        assert search.run(0, 0, go_on)
        answers.append((search.best, search.choice, search.nodes.tolist()))
        assert work > 1 << 18 or asked > 5
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("known", [0, -1, -2])
def test_a_gain_below_nothing_is_no_failure(known):
    # With prices for constraints the best set known may gain -1; that once said that memory was short.
    one = pack([[1, 0], [0, 1]])
    search = Branching(one, np.array([1.0, 1.0]), np.zeros(2), np.array([2, 2]), max_patterns=1)
    assert search.run(target=0, known=known, go_on=always)
    assert (search.best, search.choice) == (known, ())
