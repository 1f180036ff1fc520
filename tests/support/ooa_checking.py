"""For the tests of OOA: a fit whose result is checked, and a look at what the MIP was given."""

from __future__ import annotations

import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ooa.data.table import Table
from ooa.datasets import planted_dnf
from ooa.formulations.boxes import BoxFormulation
from ooa.learning.certificate import count
from ooa.learning.ooa import learn_ooa
from ooa.learning.solve import Solved, solve_from_best
from ooa.learning.state import Fit
from ooa.learning.verdict import Learned
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import Solution, Termination

FORMS = ("compact", "paper")
both = pytest.mark.parametrize("formulation", FORMS)


def quietly(table: Table, **options: Any) -> Learned:
    """Learn, take every warning for a failure, and check what is true of any result."""
    options = {"C1": 0.005, "C2": 0.005} | options
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learned = learn_ooa(table, **options)
    proof = learned.certificate
    objective = Objective.of(options["C1"], options["C2"])
    assert proof.objective == count(learned.rules, table, objective).objective
    assert 0 <= proof.bound <= proof.objective
    assert len(learned.rules) <= (options.get("max_patterns", 5) or np.inf)
    assert proof.proof in ("decomposition", "boxes", "generation", "formation", "counting")
    if proof.termination is Termination.OPTIMAL:
        assert proof.gap < 1e-5
    return learned


@pytest.fixture(scope="module")
def mixed() -> Table:
    """A noisy table that takes the MIP a second or more, and fits every licence."""
    data = planted_dnf(40, 3, 2, noise=0.1, kinds=["numeric", "categorical"], seed=3)
    return Table.from_any(data.X, data.y)


@pytest.fixture
def solves(monkeypatch: pytest.MonkeyPatch) -> list[tuple[BoxFormulation, RuleSet, Fraction, Solution]]:
    """What the MIP was given in every fit: formulation, start, the start's value; and the solution."""
    seen: list[tuple[BoxFormulation, RuleSet, Fraction, Solution]] = []

    def watched(fit: Fit, formulation: BoxFormulation) -> Solved:
        best, value = fit.best.rules, fit.best.upper
        found = solve_from_best(fit, formulation)
        assert value is not None
        seen.append((formulation, best, value, found.solution))
        return found

    monkeypatch.setattr("ooa.learning.ooa.solve_from_best", watched)
    return seen
