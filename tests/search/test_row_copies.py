"""Pairs of rows as pairs of the copies that binary digits of their weights make of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ooa.search.row_copies import Alike, Copies, of_rows, spread_pairs


def digits(weight, rows):
    """Copies of some rows by the digits of their weights, in a random order, with a place left empty."""
    row, amount = [-1], [4.0]
    for i in rows:
        for place in range(int(weight[i]).bit_length()):
            if int(weight[i]) >> place & 1:
                row.append(i)
                amount.append(2.0**place)
    order = np.random.default_rng(len(row)).permutation(len(row))
    return Copies(np.array(row)[order], np.array(amount)[order])


@pytest.mark.parametrize("seed", range(60))
def test_shares_of_copies_are_within_what_shares_of_rows_may_be(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(4, 30))
    weight = rng.integers(1, int(rng.choice([2, 9, 2**20])), n)
    half = n // 2
    right, wrong = digits(weight, range(half)), digits(weight, range(half, n))
    pairs = np.unique(
        np.column_stack([rng.integers(0, half, 3 * n), rng.integers(half, n, 3 * n)]), axis=0
    ).astype(np.int64)
    amount = rng.random(len(pairs))
    for side in (0, 1):  # no row gives, or takes, more than it weighs
        total = np.bincount(pairs[:, side], amount, n)
        amount = amount * (weight / np.maximum(total, weight))[pairs[:, side]]
    share = (1 - 1e-9) * amount / weight[pairs[:, 0]]
    copied, parts = spread_pairs(pairs, share, right, wrong, n)
    assert (parts > 0).all()
    assert (right.row[copied[:, 0]] >= 0).all()
    assert (wrong.row[copied[:, 1]] >= 0).all()
    assert (np.bincount(copied[:, 0], parts, len(right.row)) <= 1).all()
    used = np.bincount(copied[:, 1], parts * right.weight[copied[:, 0]], len(wrong.row))
    assert (used <= wrong.weight * (1 + 1e-9)).all()
    # Nothing is set off that the rows' own pairs do not set off, and most of what they do is.
    asked = {(p, r): w for (p, r), w in zip(pairs.tolist(), (share * weight[pairs[:, 0]]).tolist())}
    got = dict.fromkeys(asked, 0.0)
    for (a, b), part in zip(copied.tolist(), parts.tolist()):
        got[int(right.row[a]), int(wrong.row[b])] += part * right.weight[a]
    assert all(got[pair] <= asked[pair] * (1 + 1e-9) for pair in asked)
    assert all(got[pair] >= 0.8 * asked[pair] for pair in asked)


def test_one_copy_of_each_row_is_the_row():
    right, wrong = Copies(np.array([1, 0]), np.array([3.0, 3.0])), Copies(np.array([2]), np.array([4.0]))
    pairs, share = spread_pairs(np.array([[0, 2], [1, 2]]), np.array([0.5, 0.25]), right, wrong, 3)
    assert pairs.tolist() == [[1, 0], [0, 0]]
    assert share.tolist() == [0.5, 0.25]


def most_gained(covers, right, wrong, own, pairs, amount, most):
    """The bound by multipliers of rows, and of pairs of them, by its own formula; patterns are free."""
    p, r = pairs.T
    taken = own + np.bincount(p, amount, len(own))
    charged = np.bincount(r, amount, len(own))
    given = (right - taken)[right > 0].clip(0).sum() + (charged - wrong)[wrong > 0].clip(0).sum()
    values = covers @ own + (covers[:, p] & ~covers[:, r]) @ amount
    return given + np.sort(values)[::-1][:most].sum()


@pytest.mark.parametrize("seed", range(80))
def test_a_bound_over_rows_that_are_one_is_the_bound_over_all_of_them(seed):
    """Rows of their own weights, many of which patterns cover alike, some of both classes, some of none."""
    rng = np.random.default_rng(seed)
    n, patterns, most = int(rng.integers(4, 40)), int(rng.integers(1, 6)), int(rng.integers(1, 4))
    covers = rng.random((patterns, n)) < 0.5
    right = rng.integers(0, int(rng.choice([2, 40])), n).astype(float)
    wrong = np.where(rng.random(n) < 0.2, right, np.where(right > 0, 0.0, 3.0))
    here, there = (Alike.of(covers, covers.any(axis=0) & (side > 0), side) for side in (right, wrong))
    for side, weight in ((here, right), (there, wrong)):
        assert side.weight.sum() == weight[covers.any(axis=0)].sum()
        assert (side.covers[:, side.copies.row] == covers[:, side.rows]).all()
        assert len(np.unique(side.covers, axis=1).T) == side.covers.shape[1]
    if not len(here.weight) or not len(there.weight):
        return
    every = np.argwhere(np.ones((len(here.weight), len(there.weight)), dtype=bool)).astype(np.int64)
    pairs = every[rng.random(len(every)) < 0.4]
    amount = rng.random(len(pairs)) * here.weight[pairs[:, 0]]
    used = np.bincount(pairs[:, 1], amount, len(there.weight))
    amount *= np.minimum(1.0, there.weight / np.maximum(used, 1e-9))[pairs[:, 1]]  # no more than there is
    own = rng.random(len(here.weight)) * here.weight
    spread = of_rows(own, pairs, amount, here, there, n)
    assert np.isclose(spread[0].sum(), own.sum())
    assert np.isclose(spread[2].sum(), amount.sum())
    offset = len(here.weight)
    merged = np.hstack([here.covers, there.covers])
    weights = np.append(here.weight, 0 * there.weight), np.append(0 * here.weight, there.weight)
    shifted = pairs + np.array([0, offset])
    bound = most_gained(merged, *weights, np.append(own, 0 * there.weight), shifted, amount, most)
    some = covers.any(axis=0)
    told = most_gained(covers, right * some, wrong * some, *spread, most)
    assert np.isclose(told, bound)
    gains = [
        right[covers[list(chosen)].any(axis=0)].sum() - wrong[covers[list(chosen)].any(axis=0)].sum()
        for size in range(1, most + 1)
        for chosen in itertools.combinations(range(patterns), size)
    ]
    assert max(gains, default=0) <= told + 1e-6
