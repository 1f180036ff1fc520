"""Memory that does not suffice, in any stage of a fit: the best rule set known comes back, with a word."""

from __future__ import annotations

import re
import tracemalloc
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.kernels.availability import compiled
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.learning.verdict import Learned

NOTE = "the fit ended early, as there was not enough memory for more"
#: By stage: what runs out of memory, what the fit is told, and whether a pattern is known by then.
OOAX = {
    "literals": ("ooa.learning.conditions:candidate_literals", {}, False),
    "mining": ("ooa.learning.mine:mine", {}, False),
    "greedy start": ("ooa.learning.improve:LocalSearch", {"selection": "ilp"}, False),
    "screening": ("ooa.learning.ooax:screen", {"selection": "ilp"}, True),
    "building": ("ooa.formulations.ooax:OOAxFormulation.of", {"selection": "ilp"}, True),
    "encoding": ("ooa.formulations.ooax:OOAxFormulation.encode", {"selection": "ilp"}, True),
    "searching": ("ooa.search.branch_and_bound:Branching.__init__", {"selection": "search"}, False),
    "limits that bind": ("ooa.learning.wider_limits:patterns_limit", {"max_patterns": 1}, True),
}
OOA = {
    "mining": ("ooa.learning.mine:mine", {}, True),  # of the conditions, which were made, the best
    "building": ("ooa.formulations.boxes:RankSpace.of", {"decompose": False}, True),
    "solving": ("ooa.learning.ooa:solve_from_best", {"decompose": False}, True),
}


def run_out_of_memory(monkeypatch: pytest.MonkeyPatch, where: str) -> list[str]:
    module, _, path = where.partition(":")
    holder: Any = import_module(module)
    *parts, name = path.split(".")
    for part in parts:
        holder = getattr(holder, part)
    asked: list[str] = []

    def fails(*arguments: object, **options: object) -> None:
        asked.append(where)
        raise MemoryError

    monkeypatch.setattr(holder, name, fails)
    return asked


def check(learned: Learned, asked: list[str], known: bool) -> None:
    assert asked, "that stage was not reached"
    assert NOTE in learned.certificate.message
    assert learned.certificate.message.count(NOTE) == 1
    assert bool(len(learned.rules)) == known
    assert 0 <= learned.certificate.bound <= learned.certificate.objective


@pytest.mark.parametrize("stage", OOAX)
def test_ooax_hands_back_what_it_knows(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, options, known = OOAX[stage]
    if "selection" in options and options["selection"] == "search" and not compiled():
        pytest.skip("the core is not compiled")
    data = tic_tac_toe()
    asked = run_out_of_memory(monkeypatch, where)
    told = {"C1": 0.001, "C2": 0.001, "max_length": 2} | options
    check(learn_ooax(Table.from_any(data.X, data.y), **told), asked, known)


@pytest.mark.parametrize("stage", OOA)
def test_ooa_hands_back_what_it_knows(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, options, known = OOA[stage]
    data = tic_tac_toe()
    asked = run_out_of_memory(monkeypatch, where)
    told = {"C1": 0.01, "C2": 0.01, "max_patterns": 2} | options
    check(learn_ooa(Table.from_any(data.X, data.y), **told), asked, known)


def noisy(rows: int, columns: int) -> Table:
    """Yes/no columns, and labels that a pattern of three of them makes, with noise."""
    rng = np.random.default_rng(rows)
    X = rng.random((rows, columns)) < 0.5
    y = X[:, :3].all(axis=1) ^ (rng.random(rows) < 0.1)
    return Table.from_any({f"x{j}": X[:, j] for j in range(columns)}, y)


def peak_of(table: Table, max_memory: int, **options: Any) -> tuple[float, Learned]:
    """The megabytes that a fit takes at most, beside what was there, and what it learned."""
    tracemalloc.start()
    try:
        learned = learn_ooax(table, C1=0.002, C2=0.002, threads=1, max_memory=max_memory, **options)
        return tracemalloc.get_traced_memory()[1] / 2**20, learned
    finally:
        tracemalloc.stop()


def test_patterns_are_left_out_where_what_they_cover_does_not_fit() -> None:
    table = noisy(16_000, 20)

    def peak(max_memory: int) -> tuple[float, Learned]:
        return peak_of(table, max_memory, time_limit=10.0, clock=WorkClock(0.01))

    peak(100)  # what is imported on the way does not count
    enough, everything = peak(100)
    little, some = peak(2)
    assert "max_memory" not in everything.certificate.message
    assert "raise max_memory or min_support" in some.certificate.message
    assert some.certificate.counts["mined"] < everything.certificate.counts["mined"] / 2
    beside = 5  # of the rows themselves, and of Python
    assert little < 2 + beside < 2 * (2 + beside) < enough < 100


def test_conditions_are_left_out_where_they_do_not_fit() -> None:
    learned = learn_ooax(noisy(20_000, 60), C1=0.01, C2=0.01, max_memory=1, max_length=1)
    found = re.search(
        r"only (\d+) of 60 columns were looked at for lack of memory", learned.certificate.message
    )
    assert found is not None
    assert 1 <= int(found[1]) < 60
    assert not learned.certificate.proved or "these" in learned.certificate.statement


def test_what_is_told_counts_and_else_half_of_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ooa.learning.state.free_memory", lambda: 10 << 20)
    table = noisy(20, 3)
    assert Fit.of(table, OOAxSettings()).memory == 5 << 20
    assert Fit.of(table, OOAxSettings(max_memory=7)).memory == 7 << 20
