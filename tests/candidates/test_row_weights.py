"""Rows laid out by weight: what row sets weigh, and how few copies of the rows it takes."""

from __future__ import annotations

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest

from ooa.candidates import row_weights
from ooa.candidates.row_weights import RowWeights, intersections
from ooa.data.bitsets import pack


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("factor", [1, 29, 2**20 + 7])
def test_weights_of_row_sets_and_where_each_row_went(seed, factor):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 300))
    weights = (factor * rng.integers(0, int(rng.choice([2, 10, 1000])), n)).astype(float)
    truth = rng.random((9, n)) < 0.4
    laid_out = RowWeights(weights, pack(truth))
    assert laid_out.exact
    assert laid_out.weigh(laid_out.rows).tolist() == (truth @ weights).tolist()
    copies = np.repeat(laid_out.word_factors, 64)[laid_out.source >= 0]
    assert np.bincount(laid_out.source[laid_out.source >= 0], copies, n).tolist() == weights.tolist()


def test_a_common_factor_takes_no_digits():
    """Weights of one class are multiples of one number where classes are balanced."""
    weights = np.arange(1.0, 101.0)
    truth = np.ones((1, 100), dtype=bool)
    plain, scaled = (RowWeights(factor * weights, pack(truth)) for factor in (1, 28_571))
    assert plain.rows.shape == scaled.rows.shape


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("kind", ["any", "quarters", "tenths", "tiny"])
def test_rounded_weights_are_never_too_low(seed, kind):
    """Many weights that are not whole are rounded up, also those that are nearly what they round to."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(20, 200))
    whole = np.append(rng.permutation(255)[: n - 1] + 1.0, 255.0)
    weights = {
        "any": rng.random(n) * np.pi,
        "quarters": whole / 4,
        "tenths": whole / 10,
        "tiny": np.append(rng.random(n - 1) * 1e-3, 1.0),
    }[kind]
    truth = rng.random((9, n)) < 0.4
    laid_out = RowWeights(weights, pack(truth))
    assert not laid_out.exact
    for found, rows in zip(laid_out.weigh(laid_out.rows).tolist(), truth):
        exactly = sum(map(Fraction, weights[rows].tolist()), Fraction(0))
        step = Fraction(weights.max()) / 255
        assert exactly <= found <= (exactly + int(rows.sum()) * step) * Fraction(1 + 1e-8)


@pytest.mark.parametrize("fast", [False, None])
def test_rows_in_all_sets_that_are_named(fast):
    rng = np.random.default_rng(3)
    truth = rng.random((20, 70)) < 0.6
    items = rng.integers(0, 20, (500, 4)).astype(np.int32)
    for k, length in enumerate(rng.integers(1, 5, 500)):
        items[k, length:] = -1
    expected = [truth[line[line >= 0]].all(axis=0) for line in items]
    assert (intersections(pack(truth), items, fast) == pack(np.array(expected))).all()


def test_what_a_few_sets_share_costs_no_copy_of_all_of_them():
    """Without the compiled core: equal patterns are found in thousands of such pieces."""
    rows = np.ones((4_000, 500), dtype=np.uint64)
    tracemalloc.start()
    try:
        intersections(rows, np.array([[1, 2, -1]] * 8, dtype=np.int32), fast=False)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < rows.nbytes / 20


@pytest.mark.parametrize("fast", [False, None])
def test_rows_are_laid_out_in_pieces(fast, monkeypatch):
    rng = np.random.default_rng(5)
    bits, weights = pack(rng.random((50, 300)) < 0.4), rng.integers(0, 3, 300).astype(float)
    whole = RowWeights(weights, bits, fast)
    monkeypatch.setattr(row_weights, "_LAID_OUT", 5_000)
    parts = RowWeights(weights, bits, fast, at_once=False)
    done = list(parts.pieces())
    assert len(done) > 3
    assert np.diff(done).max() * 300 <= 5_000
    assert (parts.rows == whole.rows).all()
