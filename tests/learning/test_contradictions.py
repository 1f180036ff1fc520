"""What a solver says of a rule set, against what is counted: who is contradicted proves nothing."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ooa.learning import solve
from ooa.rules.ruleset import RuleSet
from ooa.solving import PointStatus, Solution, Termination


def checked(
    monkeypatch: Any, solution: Solution, counted: Fraction, known: Fraction
) -> tuple[Any, list[str]]:
    """The bound that is left of a solution, and what is said of it."""
    said: list[str] = []
    monkeypatch.setattr(solve, "_note", lambda fit, words: said.append(words))
    problem = SimpleNamespace(values=lambda rules: (counted, counted), constraints=(), step=Fraction(1, 1000))
    fit = SimpleNamespace(problem=problem, best=SimpleNamespace(offer=lambda rules: None, upper=known))
    formulation = SimpleNamespace(decode=lambda x: RuleSet(), unit=Fraction(1))
    return solve._checked(fit, solution, formulation, Fraction(1)), said  # type: ignore[arg-type]


def ended(objective: float, bound: float, termination: Termination = Termination.TIME_LIMIT) -> Solution:
    status = PointStatus.OPTIMAL if termination is Termination.OPTIMAL else PointStatus.FEASIBLE
    return Solution(termination, status, np.zeros(1), objective, bound, "mine")


def test_a_bound_is_taken_if_nothing_contradicts_it(monkeypatch):
    bound, said = checked(monkeypatch, ended(0.5, 0.25), Fraction(1, 2), Fraction(1, 2))
    assert bound == Fraction(1, 4)
    assert said == []


def test_a_bound_above_what_is_known_is_not_used(monkeypatch):
    bound, (words,) = checked(monkeypatch, ended(0.5, 0.25), Fraction(1, 2), Fraction(1, 8))
    assert bound is None
    assert "claims that nothing is below 0.25" in words
    assert "but 0.125 is known" in words


@pytest.mark.parametrize("termination", [Termination.TIME_LIMIT, Termination.OPTIMAL])
def test_an_objective_below_that_of_its_rule_set_discredits_the_bound(monkeypatch, termination):
    given = ended(0.25, 0.25, termination)
    bound, (words,) = checked(monkeypatch, given, Fraction(1, 2), Fraction(1, 2))
    assert bound is None
    assert "claims an objective of 0.25, but its rule set has 0.5" in words


def test_a_point_may_err_more_than_its_rule_set_unless_it_is_called_optimal(monkeypatch):
    stopped, said = checked(monkeypatch, ended(0.5, 0.1), Fraction(1, 4), Fraction(1, 4))
    assert stopped is not None
    assert said == []
    called = ended(0.5, 0.5, Termination.OPTIMAL)
    assert checked(monkeypatch, called, Fraction(1, 4), Fraction(1, 4))[0] is None
