"""What is counted for many row sets at once, against numpy."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.data.bitsets import pack, unpack
from ooa.kernels import bits
from ooa.kernels.availability import compiled, what_is_missing
from ooa.kernels.bits import chains, gains, intersections, reorder, worth

pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())


@pytest.mark.parametrize("words", [(1, 2), (4, 8), (7, 5)])
@pytest.mark.parametrize("threads", [1, 3])
def test_gains(words, threads):
    rng = np.random.default_rng(sum(words))
    n = 9_000  # more than a thread takes at a time
    right, wrong = (rng.random((n, 64 * some)) < 0.5 for some in words)
    factors = [rng.random(some) for some in words]
    covered, hit = (rng.random(64 * some) < 0.3 for some in words)
    price = rng.random(n)
    found = gains(
        pack(right), factors[0], pack(wrong), factors[1], pack(covered), pack(hit), price, 1.7, threads
    )
    weights = [np.repeat(factor, 64) for factor in factors]
    expected = (right & ~covered) @ weights[0] - 1.7 * (wrong & ~hit) @ weights[1] - price
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("order", ["any", "ascending", "by class", "with gaps", "backwards"])
@pytest.mark.parametrize("threads", [1, 3])
def test_rows_in_another_order(order, threads):
    rng = np.random.default_rng(1)
    sets = rng.random((50, 150)) < 0.5
    sources = {
        "any": rng.integers(0, 151, 256),  # 150 stands for a row in no set
        "ascending": np.sort(rng.integers(0, 151, 256)),
        "by class": np.concatenate([np.arange(0, 151, 2), np.arange(1, 151, 2), np.full(41, 150)]),
        "with gaps": np.where(np.arange(192) % 3 == 1, 150, np.arange(192) // 2),
        "backwards": np.arange(191, -1, -1) % 151,
    }[order]
    found = unpack(reorder(pack(sets), sources, 150, threads), len(sources))
    assert np.array_equal(found, np.column_stack([sets, np.zeros(50, dtype=bool)])[:, sources])


@pytest.mark.parametrize("piece", [1, 1000, 1 << 23])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("longest", [1, 3])
def test_rows_that_several_sets_share(longest, threads, piece, monkeypatch):
    monkeypatch.setattr(bits, "PIECE", piece)
    rng = np.random.default_rng(longest)
    sets = rng.random((20, 200)) < 0.7
    items = rng.integers(-1, 20, (9_000 if piece > 1 else 90, longest)).astype(np.int32)
    items[:, 0] = np.abs(items[:, 0])
    found = unpack(intersections(pack(sets), items, threads), 200)
    everything = np.vstack([sets, np.ones((1, 200), dtype=bool)])  # -1 names the last one
    assert np.array_equal(found, everything[items].all(axis=1))


@pytest.mark.parametrize("share", [0.02, 0.4, 0.97, 1.0])
@pytest.mark.parametrize("seed", range(3))
def test_rows_of_a_class_after_the_other(share, seed):
    """Ascending rows, filled up to whole words with absent ones: what layouts by weight ask for."""
    rng = np.random.default_rng([7, seed])
    sets = rng.random((4, 1000)) < 0.5
    first = rng.random(1000) < share
    parts = [np.flatnonzero(first), np.flatnonzero(~first), np.flatnonzero(first)[::-1]]
    sources = np.concatenate([np.append(part, np.full(-len(part) % 64, 1000)) for part in parts])
    found = unpack(reorder(pack(sets), sources, 1000), len(sources))
    assert np.array_equal(found, np.column_stack([sets, np.zeros(4, dtype=bool)])[:, sources])


@pytest.mark.parametrize("seed", range(5))
def test_worth(seed):
    rng = np.random.default_rng(seed)
    right, wrong = rng.random((20, 30)) < 0.3, rng.random((20, 25)) < 0.5
    price, cover = rng.integers(0, 4, 20), rng.random(30)
    p, r, amount = np.sort(rng.integers(0, 30, 80)), rng.integers(0, 25, 80), rng.random(80)
    names = rng.permutation(20)[:15]
    first = np.searchsorted(p, np.arange(31))
    value, leader = worth(right, wrong, price, names, cover, first, r, amount)
    pairs = (right[:, p] & ~wrong[:, r]) @ amount
    expected = (right @ cover + pairs - price)[names]
    assert value == pytest.approx(expected)
    covers = right[names].T
    most = np.where(covers, value, -np.inf).argmax(axis=1)
    assert leader.tolist() == np.where(covers.any(axis=1), most, -1).tolist()


@pytest.mark.parametrize("rows", [40, 150])
@pytest.mark.parametrize("seed", range(10))
def test_each_set_joins_the_first_chain_that_it_fits(seed, rows):
    """Ranges of one attribute, and sets of any kind, against going through the chains by hand."""
    rng = np.random.default_rng([11, seed])
    ends = np.sort(rng.integers(0, rows, (60, 2)), axis=1)
    ranges = (np.arange(rows) >= ends[:, :1]) & (np.arange(rows) <= ends[:, 1:])
    sets = np.vstack([ranges, rng.random((20, rows)) < 0.2])
    named = np.argsort(-sets.sum(axis=1), kind="stable")[: rng.integers(1, 80)]
    last: list[int] = []
    by_hand = []
    for k in named.tolist():
        fits = [c for c, end in enumerate(last) if not (sets[k] & ~sets[end]).any()]
        by_hand.append(fits[0] if fits else len(last))
        last[by_hand[-1] :] = [k, *last[by_hand[-1] + 1 :]]
    assert chains(pack(sets), named).tolist() == by_hand
    assert len(last) < len(named) or len(named) < 3
