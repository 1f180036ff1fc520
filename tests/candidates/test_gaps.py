"""Between which values to cut: each choice against a plain count, and what they have in common."""

from __future__ import annotations

from fractions import Fraction
from math import log2

import numpy as np
import pytest

from ooa.candidates.gaps import BY_GAPS, every_gap, mdl_gaps, mixed_gaps, quantile_gaps, telling_gaps

WAYS = {**BY_GAPS, "mixed": lambda positive, negative, limit: mixed_gaps(positive, negative, limit, limit)}


def column(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The weights of a random column; the labels change somewhere, more or less."""
    n = int(rng.integers(2, 40))
    total = rng.integers(1, 6, n) * (1 + 20 * (rng.random(n) < 0.05))
    share = np.where(np.arange(n) < rng.integers(0, n), rng.random(), rng.random())
    positive = rng.binomial(total, share)
    positive[rng.integers(n)], total[rng.integers(n)] = 1, 9
    return np.minimum(positive, total).astype(float), (total - np.minimum(positive, total)).astype(float)


@pytest.mark.parametrize("way", WAYS)
def test_gaps_are_between_values_and_no_more_than_asked_for(way: str) -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        positive, negative = column(rng)
        limit = int(rng.integers(1, 20))
        gaps = WAYS[way](positive, negative, limit)
        assert gaps == sorted(set(gaps))
        assert all(0 <= gap < len(positive) - 1 for gap in gaps)
        assert way == "distinct" or len(gaps) <= limit


@pytest.mark.parametrize("way", sorted(set(WAYS) - {"mdl"}))
def test_weights_act_as_counts_and_scale_does_not_matter(way: str) -> None:
    """All but "mdl", and what is made of it, are the same whatever one row counts."""
    for seed in range(60):
        rng = np.random.default_rng([1, seed])
        positive, negative = column(rng)
        limit = int(rng.integers(1, 20))
        if way == "mixed" and mdl_gaps(positive, negative, limit) != mdl_gaps(
            8 * positive, 8 * negative, limit
        ):
            continue  # eight times as many rows: a split may pay where it did not
        assert WAYS[way](positive, negative, limit) == WAYS[way](8 * positive, 8 * negative, limit)


def test_quantiles_are_blind_and_as_even_as_they_can_be() -> None:
    for seed in range(60):
        rng = np.random.default_rng([2, seed])
        positive, negative = column(rng)
        limit = int(rng.integers(1, 12))
        gaps = quantile_gaps(positive, negative, limit)
        assert gaps == quantile_gaps(negative, positive, limit)
        below = np.cumsum(positive + negative)[:-1]
        for i in range(1, limit + 1):
            wanted = (positive.sum() + negative.sum()) * i / (limit + 1)
            assert min(abs(below[gaps] - wanted)) == pytest.approx(min(abs(below - wanted)))


def naive_telling(positive: np.ndarray, negative: np.ndarray) -> set[int]:
    """Every gap that is the first to be best by one of the five measures, counted with fractions."""
    P, N = int(positive.sum()), int(negative.sum())
    left = [(int(positive[: g + 1].sum()), int(negative[: g + 1].sum())) for g in range(len(positive) - 1)]

    def bits(p: int, n: int) -> float:
        return -sum(k * log2(k / (p + n)) for k in (p, n) if k)

    gains = [round(bits(P, N) - bits(p, n) - bits(P - p, N - n), 9) for p, n in left]
    found = {gains.index(max(gains))}
    for a, b in ((Fraction(1), Fraction(1)), (Fraction(1, P or 1), Fraction(1, N or 1))):
        without = max(Fraction(0), a * P - b * N)
        for values in ([a * p - b * n for p, n in left], [a * (P - p) - b * (N - n) for p, n in left]):
            if max(values) > without:
                found.add(values.index(max(values)))
    return found


def test_telling_gaps_are_the_best_by_a_plain_count() -> None:
    for seed in range(200):
        positive, negative = column(np.random.default_rng([3, seed]))
        if positive.sum() and negative.sum():
            assert set(telling_gaps(positive, negative, 9)) == naive_telling(positive, negative), seed


def test_mixed_gaps_are_those_of_mdl_and_as_many_others_as_there_is_room_for() -> None:
    filled = 0
    for seed in range(200):
        rng = np.random.default_rng([4, seed])
        positive, negative = column(rng)
        limit = int(rng.integers(1, 20))
        room = int(rng.integers(1, limit + 1))
        gaps = mixed_gaps(positive, negative, limit, room)
        if len(positive) - 1 <= room:
            assert gaps == every_gap(positive, negative, limit)
            continue
        by_labels = mdl_gaps(positive, negative, limit)
        assert set(by_labels) <= set(gaps)
        assert len(gaps) == max(room, len(by_labels))
        if len(by_labels) < room:
            assert telling_gaps(positive, negative, 1)[0] in gaps
        filled += len(gaps) > len(by_labels) + 5
    assert filled > 20


def test_quantiles_of_the_mix_keep_away_from_what_the_labels_ask_for() -> None:
    change = np.arange(1000) >= 500
    gaps = np.array(mixed_gaps(1.0 * change, 1.0 * ~change, 9, 9))
    assert 499 in gaps
    assert np.diff([-1, *gaps, 999]).min() == 100


def test_a_column_of_one_class_is_cut_evenly() -> None:
    weight = np.ones(100)
    for positive, negative in ((weight, 0 * weight), (0 * weight, weight)):
        gaps = mixed_gaps(positive, negative, 9, 9)
        assert len(gaps) == 9
