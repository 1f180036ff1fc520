"""Screening against brute force: the optimum stays, whatever is dropped safely."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.brute import WEIGHTS, Tiny, optimum, problems, random_tiny, same

from ooa.candidates import screening
from ooa.candidates.bounds import conflicts
from ooa.candidates.candidates import prices
from ooa.candidates.screening import LOOK_EVERY, InformationGain, dominated, screen
from ooa.clock import Deadline, WorkClock
from ooa.objective import Objective


def rest_of(tiny, kept):
    """The problem that is left when only these candidates are."""
    return replace(tiny, covers=_covers(kept, tiny), length=kept.length)


def _covers(kept, tiny):
    shifts = np.arange(tiny.covers.shape[1], dtype=np.uint64)
    return (kept.bits[:, :1] >> shifts & np.uint64(1)).astype(bool)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_optimum_survives_screening_and_conflicts(weights):
    dropped = 0
    for tiny, best, upper in problems(weights, 6, 500):
        if weights == "float":
            upper += Fraction(1, 10**9)
        kept, report = screen(tiny.candidates, tiny.rows, tiny.objective, upper=upper)
        left = rest_of(tiny, kept)
        assert report.safe
        assert same(optimum(left), best, weights)
        pair = conflicts(kept.bits, tiny.positive, prices(kept, tiny.objective, tiny.total))
        assert same(optimum(left, pair), best, weights)
        assert list(report.counts.values()) == sorted(report.counts.values(), reverse=True)
        assert report.counts["mined"] == len(tiny.length)
        assert report.counts["not dominated"] == len(kept)
        dropped += len(tiny.length) - len(kept)
    assert dropped > 800


@pytest.mark.parametrize("weights", WEIGHTS)
def test_dominance_and_equal_coverage_alone_keep_the_optimum(weights):
    for tiny, best, _ in problems(weights, 7, 200):
        candidates = tiny.candidates
        drop = dominated(candidates, tiny.rows)
        assert same(optimum(tiny.only(~drop)), best, weights)
        equal = screening.cheapest_of_equals(candidates)
        assert same(optimum(tiny.only(equal)), best, weights)
        survivors = {row.tobytes() for row in tiny.covers[equal]}
        assert len(survivors) == equal.sum()
        assert survivors == {row.tobytes() for row in tiny.covers}


def test_dominance_by_definition():
    rng = np.random.default_rng(8)
    for _ in range(150):
        tiny = random_tiny(rng, weights="whole")
        drop = dominated(tiny.candidates, tiny.rows)
        good, bad = tiny.covers & (tiny.positive > 0), tiny.covers & (tiny.negative > 0)
        better = (
            (good[None] >= good[:, None]).all(axis=2)
            & (bad[None] <= bad[:, None]).all(axis=2)
            & (tiny.length[None] <= tiny.length[:, None])
        )
        kept = np.flatnonzero(~drop)
        assert all(better[k, kept].any() for k in np.flatnonzero(drop))
        for a in kept:
            for b in kept:
                assert a == b or not better[a, b]


def test_reductions_off_keeps_everything():
    rng = np.random.default_rng(9)
    tiny = random_tiny(rng, n_patterns=9, weights="whole")
    kept, report = screen(
        tiny.candidates, tiny.rows, tiny.objective, upper=None, removal=False, dominance=False
    )
    assert len(kept) == len(tiny.length)
    assert report.safe


def test_bounds_are_exact_at_equality():
    # Ten rows, C1 = 0.1: a pattern of one literal must cover more than one positive.
    covers = np.zeros((3, 10), dtype=bool)
    covers[0, :1] = covers[1, :2] = covers[2, 0:3] = covers[2, 5:9] = True
    positive = np.r_[np.ones(5), np.zeros(5)]
    tiny = Tiny(covers, np.array([1, 1, 1]), positive, 1 - positive, Objective.of(0.1, 0))
    kept, _ = screen(tiny.candidates, tiny.rows, tiny.objective, upper=Fraction(1, 2))
    assert kept.positive.tolist() == [2, 3]  # 4 negatives are just allowed: 10 (0.5 - 0.1)
    kept, _ = screen(tiny.candidates, tiny.rows, tiny.objective, upper=Fraction(499, 1000))
    assert kept.positive.tolist() == [2]


def test_totals_are_exact_where_floats_are_not():
    # The total of 2**53 + 2 rounds in floats; the first pattern is just above N C1, the second just on it.
    positive = np.array([2.0**53, 1.0, 1.0])
    covers = np.array([[1, 0, 0], [0, 1, 1]], dtype=bool)
    tiny = Tiny(covers, np.array([1, 1]), positive, np.zeros(3), Objective.of(Fraction(2, 2**53 + 2), 0))
    kept, _ = screen(tiny.candidates, tiny.rows, tiny.objective, upper=Fraction(1))
    assert kept.positive.tolist() == [2.0**53]


def test_equal_fingerprints_of_different_sets_do_no_harm(monkeypatch):
    monkeypatch.setattr(screening, "_fingerprints", lambda bits: np.zeros(len(bits), dtype=np.uint64))
    rng = np.random.default_rng(10)
    for _ in range(100):
        tiny = random_tiny(rng, weights="unit")
        keep = screening.cheapest_of_equals(tiny.candidates)
        assert optimum(tiny.only(keep)) == optimum(tiny)


def test_fingerprints_tell_sets_apart():
    n = 130
    one = np.eye(n, dtype=bool)
    two = np.array([one[i] | one[j] for i in range(n) for j in range(i)])
    covers = np.vstack([one, two])
    tiny = Tiny(covers, np.ones(len(covers)), np.ones(n), np.ones(n), Objective.of(0, 0))
    assert len(np.unique(screening._fingerprints(tiny.candidates))) == len(covers) > n


def test_best_by_score_only_beyond_the_limit():
    rng = np.random.default_rng(11)
    tiny = random_tiny(rng, n_patterns=9, weights="unit")
    while len(tiny.length) < 6:
        tiny = random_tiny(rng, n_patterns=9, weights="unit")
    options = {"upper": None, "removal": False, "dominance": False}
    everything, report = screen(tiny.candidates, tiny.rows, tiny.objective, max_candidates=9, **options)
    assert report.safe
    assert len(everything) == len(tiny.length)
    some, report = screen(tiny.candidates, tiny.rows, tiny.objective, max_candidates=4, **options)
    assert not report.safe
    assert report.counts["best by score"] == len(some) == 4
    gain = InformationGain(tiny.positive.sum(), tiny.negative.sum())
    merit = gain(everything.positive, everything.negative, everything.length)
    assert min(gain(some.positive, some.negative, some.length)) >= np.sort(merit)[-4] - 1e-12
    own, _ = screen(
        tiny.candidates,
        tiny.rows,
        tiny.objective,
        max_candidates=2,
        score=lambda p, n, length: [float(-v) for v in length],  # a plain list will do
        **options,
    )
    assert sorted(own.length.tolist()) == sorted(tiny.length.tolist())[:2]


def test_information_gain_is_that_of_the_textbook():
    score = InformationGain(9, 5, gamma=0.5)

    def entropy(p, n):
        return -sum(x / (p + n) * np.log2(x / (p + n)) for x in (p, n) if x)

    expected = entropy(9, 5) - (8 * entropy(6, 2) + 6 * entropy(3, 3)) / 14 - 0.5 * 2
    assert score(np.array([6.0]), np.array([2.0]), np.array([2]))[0] == pytest.approx(expected)
    # Covering nothing, everything, or one class alone is no trouble.
    edge = score(np.array([0.0, 9.0, 9.0, 0.0]), np.array([0.0, 5.0, 0.0, 5.0]), np.zeros(4))
    assert edge == pytest.approx([0, 0, entropy(9, 5), entropy(9, 5)])


def test_a_deadline_leaves_dominance_undone_but_safe():
    rng = np.random.default_rng(12)
    for _ in range(50):
        tiny = random_tiny(rng, weights="whole")
        past = Deadline.after(0.0)
        kept, report = screen(tiny.candidates, tiny.rows, tiny.objective, upper=Fraction(1), deadline=past)
        assert report.safe
        assert optimum(rest_of(tiny, kept)) == optimum(tiny)


def test_dominance_ends_at_the_look_at_the_clock_that_finds_it_late():
    rng = np.random.default_rng(13)
    covers, label = rng.random((4 * LOOK_EVERY, 12)) < 0.5, rng.random(12) < 0.5
    length = rng.integers(1, 4, len(covers))
    tiny = Tiny(covers, length, label.astype(float), 1.0 - label, Objective.of(0, 0))
    everything = dominated(tiny.candidates, tiny.rows)
    # The clock is looked at after the first pattern, and once more when it is late.
    part = dominated(tiny.candidates, tiny.rows, Deadline.after(2, WorkClock()))
    assert part.any()
    assert not (part & ~everything).any()
    assert part.sum() <= LOOK_EVERY + 1 < everything.sum()


def test_screening_no_candidates():
    tiny = Tiny(np.zeros((0, 4), bool), np.zeros(0, int), np.ones(4), np.zeros(4), Objective.of(0.1, 0.1))
    kept, report = screen(tiny.candidates, tiny.rows, tiny.objective, upper=Fraction(1), max_candidates=3)
    assert len(kept) == 0
    assert report.safe


def test_late_screening_leaves_many_words_alone(monkeypatch):
    tiny = random_tiny(np.random.default_rng(12), weights="whole")
    given = tiny.candidates, tiny.rows, tiny.objective
    late = {"upper": Fraction(1), "deadline": Deadline.after(0.0, WorkClock())}
    assert "distinct coverage" in screen(*given, **late)[1].counts  # these are few
    monkeypatch.setattr(screening, "FEW_WORDS", 0)
    left, report = screen(*given, **late)
    assert report.safe
    assert "distinct coverage" not in report.counts
    assert len(left) == report.counts["within the bounds"]


def test_dominance_looks_at_the_clock_by_the_words_it_goes_through(monkeypatch):
    monkeypatch.setattr(screening, "WORDS_EVERY", 4)
    covers = np.ones((3, 64 * 20), bool)
    tiny = Tiny(covers, np.ones(3, int), np.ones(64 * 20), np.zeros(64 * 20), Objective.of(0, 0))
    assert dominated(tiny.candidates, tiny.rows).sum() == 2
    # Late after a part of the words of the second pattern: nothing is known of it.
    assert not dominated(tiny.candidates, tiny.rows, Deadline.after(3, WorkClock())).any()
