"""Row sets as packed words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ooa.data.bitsets import count, n_words, pack, unpack, weighted_count
from ooa.errors import DataError
from ooa.kernels.availability import compiled, what_is_missing

masks = hnp.arrays(bool, hnp.array_shapes(min_dims=1, max_dims=3, min_side=0, max_side=140))


@given(masks)
def test_unpack_inverts_pack(mask: np.ndarray) -> None:
    words = pack(mask)
    assert words.dtype == np.uint64
    assert words.shape == (*mask.shape[:-1], n_words(mask.shape[-1]))
    np.testing.assert_array_equal(unpack(words, mask.shape[-1]), mask)
    np.testing.assert_array_equal(count(words), mask.sum(axis=-1))


def test_layout_is_little_endian_within_and_across_words() -> None:
    for row in (0, 1, 63, 64, 130):
        mask = np.zeros(131, dtype=bool)
        mask[row] = True
        words = pack(mask)
        assert int(words[row // 64]) == 1 << (row % 64)
        assert count(words) == 1


def test_bits_past_the_last_row_are_zero() -> None:
    assert pack(np.ones(70, dtype=bool)).tolist() == [2**64 - 1, 2**6 - 1]


@given(st.data())
def test_integer_weights_are_exact(data: st.DataObject) -> None:
    mask = data.draw(hnp.arrays(bool, st.tuples(st.integers(0, 5), st.integers(0, 150))))
    weights = data.draw(st.lists(st.integers(0, 2**44), min_size=mask.shape[1], max_size=mask.shape[1]))
    expected = [sum(w for w, inside in zip(weights, row) if inside) for row in mask]
    assert weighted_count(pack(mask), weights).tolist() == expected


@given(st.data())
def test_float_weights(data: st.DataObject) -> None:
    mask = data.draw(hnp.arrays(bool, st.tuples(st.integers(1, 5), st.integers(1, 150))))
    weights = data.draw(hnp.arrays(float, mask.shape[1], elements=st.floats(0, 1e6)))
    np.testing.assert_allclose(weighted_count(pack(mask), weights), mask @ weights, rtol=1e-12)


def test_float_weights_over_several_blocks_of_tables() -> None:
    rng = np.random.default_rng(0)
    mask, weights = rng.random((3, 70_001)) < 0.5, rng.random(70_001)
    np.testing.assert_allclose(weighted_count(pack(mask), weights), mask @ weights, rtol=1e-12)
    assert weighted_count(pack(mask[0]), weights).shape == ()


@pytest.mark.parametrize("weights", [[1.0], np.full(65, np.nan), np.full(65, -1.0), np.full(65, np.inf)])
def test_bad_weights(weights: object) -> None:
    with pytest.raises(DataError):
        weighted_count(pack(np.ones(65, dtype=bool)), weights)


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
@pytest.mark.parametrize("seed", range(10))
def test_compiled_reordering_is_the_same(seed):
    from ooa.candidates.row_weights import RowWeights

    rng = np.random.default_rng(seed)
    rows, sets = int(rng.integers(1, 200)), int(rng.integers(1, 9))
    bits = pack(rng.random((sets, rows)) < 0.5)
    weights = rng.integers(0, 4, rows).astype(float)
    plain, fast = (RowWeights(weights, bits, fast) for fast in (False, True))
    assert np.array_equal(plain.rows, fast.rows)
    assert np.array_equal(plain.weigh(plain.rows), weights @ unpack(bits, rows).T)


def test_sets_are_counted_a_few_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    sets, weights = rng.random((2, 7, 300)) < 0.5, rng.integers(0, 9, 300)
    for words in (1, 12, 1000):  # less than one set, two sets, all of them
        monkeypatch.setattr("ooa.data.bitsets._CHUNK_WORDS", words)
        assert weighted_count(pack(sets), weights).tolist() == (sets @ weights).tolist()
    assert weighted_count(pack(sets[:, :0]), weights).shape == (2, 0)
