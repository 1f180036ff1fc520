"""The compiled miner: the patterns of the miner in numpy, in the same order, on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.candidates.mining import mine
from ooa.candidates.row_weights import RowWeights
from ooa.candidates.screening import InformationGain
from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled, what_is_missing
from ooa.kernels.mining import ClassRows, Miner

pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())


class Literals:
    def __init__(self, rng, n_rows, many):
        self.attribute = np.sort(rng.integers(0, max(2, many // 2), many)).astype(np.int32)
        self.n_rows = n_rows
        self.bits = pack(rng.random((many, n_rows)) < rng.choice([0.2, 0.5, 0.8], many)[:, None])


def weights_of(rng, n_rows, kind):
    label = rng.random(n_rows) < 0.5
    weight = {
        "unit": np.ones(n_rows),
        "few": rng.choice([0.0, 0.5, 0.75, 3.0], n_rows),
        "whole": rng.integers(0, 1000, n_rows).astype(float),
        "real": rng.random(n_rows),
    }[kind]
    return weight * label, weight * ~label


def assert_same(found, expected):
    for name in ("items", "length", "positive", "negative", "bits"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name), err_msg=name)
    for name in ("counts", "complete", "reason", "engine"):
        assert getattr(found, name) == getattr(expected, name), name


@pytest.mark.parametrize("kind", ["unit", "few", "whole", "real"])
@pytest.mark.parametrize("seed", range(12))
def test_the_same_as_in_numpy(kind, seed):
    rng = np.random.default_rng(seed)
    n_rows, many = int(rng.choice([1, 63, 64, 65, 200])), int(rng.integers(1, 25))
    literals, (positive, negative) = Literals(rng, n_rows, many), weights_of(rng, n_rows, kind)
    longest = int(rng.integers(1, 5))
    told = {
        "max_length": longest,
        "min_positive": rng.uniform(0, 0.1 * positive.sum() + 1e-9, longest + 1),  # they may fall
        "max_negative": rng.choice([np.inf, negative.sum() / 2]),
        "max_patterns": int(rng.choice([1, 5, 50, 10**6])),
    }
    if positive.sum() and rng.random() < 0.7:
        told["score"] = InformationGain(positive.sum(), negative.sum(), rng.choice([0.0, 0.01]))
    plain = mine(literals, positive, negative, fast=False, **told)
    for threads in (1, 2, 5):
        assert_same(mine(literals, positive, negative, fast=True, threads=threads, **told), plain)


@pytest.mark.parametrize("scale", [1.0, 0.1, 2.0**21])
def test_the_same_in_many_batches_with_a_floor(scale):
    """So many patterns that batches end within families, and that most are below the floor."""
    rng = np.random.default_rng(3)
    literals, (positive, negative) = Literals(rng, 900, 150), weights_of(rng, 900, "unit")
    positive, negative = scale * positive, scale * negative
    score = InformationGain(positive.sum(), negative.sum())
    told = {"max_length": 3, "min_positive": scale * 20, "max_patterns": 2_000, "score": score}
    plain = mine(literals, positive, negative, fast=False, **told)
    assert plain.counts["mined"] > 50_000
    for threads in (1, 3):
        looks = []
        fast = mine(
            literals,
            positive,
            negative,
            fast=True,
            threads=threads,
            progress=lambda found, done: looks.append((done, found)),  # noqa: B023
            **told,
        )
        assert_same(fast, plain)
        assert len(looks) > 3
        assert looks == sorted(looks)


def miner_of(literals, positive, negative, order, wanted, threads=1):
    sides = [RowWeights(some, literals.bits) for some in (positive, negative)]
    rows = [ClassRows(one.rows, one.section_ends, one.factors) for one in sides]
    return Miner(*rows, literals.attribute, np.array(order, dtype=np.int32), np.array(wanted), threads)


def test_what_is_left_out_is_below_the_floor():
    rng = np.random.default_rng(0)
    literals, (positive, negative) = Literals(rng, 300, 30), weights_of(rng, 300, "unit")
    score = InformationGain(positive.sum(), negative.sum(), 0.001)
    order = rng.permutation(30)
    everything = miner_of(literals, positive, negative, order, [0.0, 1.0, 1.0, 1.0])
    some = miner_of(literals, positive, negative, order, [0.0, 1.0, 1.0, 1.0])
    some.rate(score.positive, score.negative, score.gamma, whole=True)
    floor, dropped, kept = 0.005, 0, 0
    while (whole := everything.advance()) is not None:
        part = some.advance(floor)
        merit = score(whole.positive, whole.negative, np.full(len(whole.items), whole.items.shape[1]))
        good = merit >= floor
        assert {*map(tuple, whole.items[good].tolist())} <= {*map(tuple, part.items.tolist())}
        assert len(part.items) + part.below == len(whole.items)
        assert part.tested == whole.tested
        assert (np.diff(whole.items, axis=1) > 0).all()
        assert part.below == (~good).sum()
        dropped, kept = dropped + part.below, kept + len(part.items)
    assert some.advance(floor) is None
    assert min(dropped, kept) > 100


def test_literals_of_one_attribute_are_never_joined():
    literals = Literals(np.random.default_rng(1), 100, 12)
    literals.attribute[:] = 0
    miner = miner_of(literals, np.ones(100), np.zeros(100), range(12), [0.0, 1.0, 1.0])
    batch = miner.advance()
    assert (len(batch.items), batch.tested) == (0, 0)
    assert miner.advance() is None


def test_nothing_to_join():
    literals = Literals(np.random.default_rng(1), 100, 3)
    for order, wanted in (([0], [0.0, 1.0, 1.0]), ([0, 1], [0.0, 1.0]), ([], [0.0, 1.0, 1.0])):
        assert miner_of(literals, np.ones(100), np.zeros(100), order, wanted).advance() is None


def test_a_batch_is_a_bounded_piece_of_work():
    """However many patterns there are, there is a look at the clock after so many words."""
    literals = Literals(np.random.default_rng(5), 64 * 40, 200)
    literals.attribute = np.arange(200, dtype=np.int32)
    miner = miner_of(literals, np.ones(2560), np.zeros(2560), range(200), [0.0, 1.0, 1.0, 1.0])
    words = 40
    while (batch := miner.advance()) is not None:
        assert batch.tested * words <= (1 << 22) + 200 * words
