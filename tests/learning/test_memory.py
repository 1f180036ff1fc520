"""Memory that does not suffice, in any stage of a fit: the best rule set known comes back, with a word."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.kernels.availability import compiled
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.verdict import Learned

NOTE = "the fit ended early, as there was not enough memory for more"
#: By stage: what runs out of memory, what the fit is told, and whether a pattern is known by then.
OOAX = {
    "literals": ("ooa.learning.conditions:candidate_literals", {}, False),
    "mining": ("ooa.learning.mine:mine", {}, False),
    "greedy start": ("ooa.learning.improve:LocalSearch", {}, False),
    "screening": ("ooa.learning.ooax:screen", {}, True),
    "building": ("ooa.learning.select:OOAxFormulation.of", {"selection": "ilp"}, True),
    "encoding": ("ooa.formulations.ooax:OOAxFormulation.encode", {"selection": "ilp"}, True),
    "searching": ("ooa.search.branch_and_bound:Branching.__init__", {"selection": "search"}, True),
    "limits that bind": ("ooa.learning.ooax:patterns_limit", {"max_patterns": 1}, True),
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
