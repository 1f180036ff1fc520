"""Which library is taken, and that all of them say the same."""

from __future__ import annotations

import os
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest
from support.branching_cases import always, best_gain, boxes, problem

from ooa.candidates.mining import mine
from ooa.candidates.screening import InformationGain
from ooa.data.bitsets import pack
from ooa.kernels import library
from ooa.kernels.availability import compiled, instruction_set, what_is_missing
from ooa.kernels.bits import chains, gains, reorder, worth
from ooa.kernels.core_files import LEVELS, library_file
from ooa.kernels.library import Core
from ooa.search.best_pattern import PatternSearch
from ooa.search.branch_and_bound import Branching

pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())


def able() -> list[str]:
    """The levels that were built and that this processor can run; the one in use if it has another name."""
    if instruction_set() not in LEVELS:
        return [str(instruction_set())]
    lowest = Core(library_file("baseline"), "baseline")
    found = LEVELS[: lowest("ooa_level") + 1]
    return [level for level in found if library_file(level).is_file()]


@pytest.fixture
def with_level(monkeypatch):
    def use(level: str) -> None:
        if level in LEVELS:
            one = Core(library_file(level), level)
            monkeypatch.setattr(library, "core_or_reason", lambda: one)

    return use


def started(kernels: str, script: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OOA_KERNELS": kernels}
    return subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False
    )


ASK = (
    "from ooa.kernels.availability import *; print(compiled(), instruction_set(), what_is_missing(), sep='|')"
)


@pytest.mark.parametrize("level", able() if compiled() else [])
def test_a_level_can_be_asked_for(level):
    done = started(level, ASK)
    assert done.stdout.strip() == f"True|{level}|", done.stderr


def test_it_can_be_done_without():
    compiled_, level, sentence = started("none", ASK).stdout.strip().split("|")
    assert (compiled_, level) == ("False", "None")
    assert sentence.startswith("the compiled core is missing (OOA_KERNELS=none): the ILP has the whole proof")


def test_what_is_asked_for_and_not_there_is_an_error():
    done = started("avx1024", ASK)
    assert done.returncode != 0
    assert done.stderr.splitlines()[-1] == (
        "ooa.errors.OptionError: OOA_KERNELS=avx1024: avx1024 was not built; "
        "there is also none, baseline, avx2, avx512"
    )


def test_a_level_that_the_processor_lacks_is_an_error(monkeypatch):
    monkeypatch.setenv("OOA_KERNELS", "avx512")
    monkeypatch.setattr(library.Core, "__call__", lambda self, name: 0)  # the lowest level
    monkeypatch.setattr(library, "_opened", lambda level, path: Core.__new__(Core))
    with pytest.raises(ValueError, match="OOA_KERNELS=avx512: this processor can run baseline only"):
        library.core_or_reason.__wrapped__()


def test_the_best_level_is_taken(monkeypatch):
    if instruction_set() not in LEVELS:
        pytest.skip("a library was asked for by its path")
    monkeypatch.delenv("OOA_KERNELS", raising=False)
    assert library.core_or_reason.__wrapped__().level == able()[-1]


def test_a_library_of_other_sources_is_not_loaded(tmp_path, monkeypatch):
    stale = library_file("baseline", tmp_path)
    stale.write_bytes(b"ooa sources of long ago")
    monkeypatch.delenv("OOA_KERNELS", raising=False)
    monkeypatch.setattr(library, "library_file", lambda level: library_file(level, tmp_path))
    monkeypatch.setattr("ooa.kernels.core_files.digest", lambda: "ooa sources of today")
    assert library.core_or_reason.__wrapped__() == (
        f"{stale.name} was built from other sources: run python -m ooa.kernels.core_build"
    )
    monkeypatch.setattr("ooa.kernels.core_files.digest", lambda: "")  # installed from a wheel
    assert f"{stale.name} cannot be loaded" in library.core_or_reason.__wrapped__()
    stale.unlink()
    assert library.core_or_reason.__wrapped__() == f"{stale.name} was not built"


# -- the same answers ------------------------------------------------------------------------------


def everything(seed: int) -> list[object]:
    """What the searches find in a random problem, down to how many sets they looked into."""
    rng = np.random.default_rng(seed)
    found: list[object] = []
    covers, positive, negative, price, most = problem(rng)
    small = Branching(pack(covers), positive, negative, price, most)
    small.drop_dominated(always)
    small.run(0, 0, always)
    assert small.best == best_gain(covers, positive, negative, price, most)
    found += [small.names.tolist(), small.best, small.choice, small.nodes.tolist()]
    covers, label, price = boxes(seed, 60, 300)
    for threads in (1, 3):
        weights = np.where(label, 3.0, 0.0), np.where(label, 0.0, 2.0)
        large = Branching(pack(covers), *weights, 4 * price, 4, threads=threads)
        large.drop_dominated(always)
        large.run(0, 0, always)
        found += [large.names.tolist(), large.best, large.choice, large.nodes.tolist()]
    assert found[-4:] == found[-8:-4]  # whatever the number of threads
    return [*found, *one_pattern(rng), *many_sets(rng)]


def one_pattern(rng: np.random.Generator) -> list[object]:
    """The best pattern of random literals."""
    truth = rng.random((14, 150)) < 0.6
    literals = SimpleNamespace(attribute=np.arange(14, dtype=np.int32) // 2, bits=pack(truth), n_rows=150)
    label = rng.random(150) < 0.5
    weight = rng.integers(1, 5, 150)
    search = PatternSearch(
        literals, np.where(label, weight, 0), np.where(label, 0, weight), np.array([0, 2, 4, 6])
    )
    found = search.run(np.ones(150, dtype=bool))
    return [found.value, found.items, found.good, found.exact]


def many_sets(rng: np.random.Generator) -> list[object]:
    """What is counted for all sets at once, in floating-point numbers as well."""
    right, wrong = (rng.integers(0, 2**63, (20, words), dtype=np.uint64) for words in (3, 5))
    factors, price = [rng.random(3), rng.random(5)], rng.random(20)
    gained = gains(right, factors[0], wrong, factors[1], right[0], wrong[1], price, 1.7)
    moved = reorder(right, rng.permutation(192).astype(np.int64), 192)
    truth = rng.random((20, 30)) < 0.5, rng.random((20, 25)) < 0.5
    first = np.arange(31, dtype=np.int64) * 2
    second, amount = rng.integers(0, 25, 60), rng.random(60)
    names = np.arange(20, dtype=np.int64)
    prices = rng.integers(0, 4, 20)
    value, leader = worth(*truth, prices, names, rng.random(30), first, second, amount)
    literals = SimpleNamespace(attribute=np.arange(20) % 12, bits=right, n_rows=64 * right.shape[1])
    weights = np.repeat(np.arange(right.shape[1]), 64) + 0.1, np.ones(64 * right.shape[1])
    mined = mine(literals, *weights, score=InformationGain(*map(np.sum, weights)), max_patterns=100)
    chained = chains(right & (right >> np.uint64(1)) & right[:1], names)
    found = (gained, moved, value, leader, mined.items, mined.positive, mined.bits, chained)
    return [one.tobytes() for one in found]


@pytest.mark.parametrize("seed", range(8))
def test_all_levels_give_the_same_to_the_last_bit(seed, with_level):
    answers = {}
    for level in able():
        with_level(level)
        answers[level] = everything(seed)
    assert all(answer == answers[able()[0]] for answer in answers.values()), answers
