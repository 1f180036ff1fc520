"""The exact search in parts, as on a cluster: nothing is lost, whatever is handed back unfinished."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import joblib
import numpy as np
import pytest

from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled
from ooa.search import branch_and_bound, parts
from ooa.search.branch_and_bound import Branching

pytestmark = pytest.mark.skipif(not compiled(), reason="without the compiled core there is no exact search")


def problem(seed: int, patterns: int = 14, rows: int = 70) -> tuple[Any, ...]:
    random = np.random.default_rng(seed)
    covers = random.random((patterns, rows)) < random.choice([0.2, 0.4])
    positive = np.where(random.random(rows) < 0.5, random.integers(1, 4, rows), 0).astype(float)
    negative = np.where(positive > 0, 0, random.integers(1, 3, rows)).astype(float)
    return covers, positive, negative, random.integers(0, 3, patterns)


def gain(chosen: tuple[int, ...], covers: Any, positive: Any, negative: Any, price: Any) -> int:
    rows = covers[list(chosen)].any(axis=0)
    return int(positive[rows].sum() - negative[rows].sum() - price[list(chosen)].sum())


@pytest.mark.parametrize("multipliers", [True, False])
@pytest.mark.parametrize("crew", [2, 3])
def test_against_all_sets(crew: int, multipliers: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_and_bound, "ALONE", 1)
    monkeypatch.setattr(Branching, "_work", lambda self: 1)
    monkeypatch.setattr(parts, "PART_WORK", 40)
    monkeypatch.setattr(parts, "STEP_WORK", 20)
    handed_out = 0
    original = parts.look_into

    def counting(*given: Any) -> Any:
        nonlocal handed_out
        handed_out += 1
        return original(*given)

    monkeypatch.setattr(parts, "look_into", counting)
    for seed in range(8):
        covers, positive, negative, price = problem(seed)
        sets = [some for size in (1, 2, 3) for some in combinations(range(len(price)), size)]
        best = max(gain(some, covers, positive, negative, price) for some in sets)
        for known in (0, max(0, best - 2), max(0, best)):
            search = Branching(
                pack(covers), positive, negative, price, max_patterns=3, multipliers=multipliers
            )
            search.crew = crew
            with joblib.parallel_config(backend="threading"):
                assert search.run(known, known, lambda share: True)
            assert search.best == max(best, known)
            assert search.bound == max(best, known)
            if search.choice:
                assert gain(search.choice, covers, positive, negative, price) == search.best
    assert handed_out > 50


def test_cut_short_it_claims_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(branch_and_bound, "ALONE", 1)
    monkeypatch.setattr(Branching, "_work", lambda self: 1)
    monkeypatch.setattr(parts, "PART_WORK", 1)
    monkeypatch.setattr(parts, "STEP_WORK", 1)
    covers, positive, negative, price = problem(3, patterns=40, rows=150)
    alone = Branching(pack(covers), positive, negative, price, max_patterns=3)
    assert alone.run(0, 0, lambda share: True)
    search = Branching(pack(covers), positive, negative, price, max_patterns=3)
    search.crew, asked = 2, []

    def twice(share: float) -> bool:
        asked.append(share)
        return len(asked) < 4

    with joblib.parallel_config(backend="threading"):
        assert not search.run(0, 0, twice)
    assert asked == sorted(asked)
    assert search.bound >= alone.best >= search.best
    search.drop_settled(10**6)  # what was handed out is not known to be done
    assert len(search.names) == len(price)
    search.crew = 0
    assert search.run(0, 0, lambda share: True)
    assert search.best == alone.best


def test_only_clusters_have_workers() -> None:
    class Elsewhere(joblib.parallel.ThreadingBackend):  # type: ignore[misc]
        pass

    joblib.register_parallel_backend("elsewhere", Elsewhere)
    assert parts.workers(4) == 0
    with joblib.parallel_config(backend="threading"):
        assert parts.workers(4) == 0
    with joblib.parallel_config(backend="elsewhere"):
        assert parts.workers(4) == 4
        assert parts.workers(1) == 0
