"""Exclusions: when two selections count as one, and what a built formulation knows of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.tiny_tables import tiny_table

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import candidate_literals
from ooa.explore.no_goods import NoGoodFormulation
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.solving import Termination, get_backend


@pytest.mark.parametrize("seed", range(10))
def test_selections_count_as_one_if_they_predict_alike(seed: int) -> None:
    table = tiny_table(np.random.default_rng([41, seed]), most_rows=6)
    rows = table.distinct()
    patterns = [Pattern([literal]) for literal in candidate_literals(rows).literals][:5]
    candidates, prices = Candidates.of_patterns(rows, patterns), Objective.of("1/10", 0)
    exact, alike = (
        NoGoodFormulation(candidates, rows, prices, table=table, by_prediction=distinct)
        for distinct in (False, True)
    )
    choices = [c for size in range(3) for c in combinations(range(len(patterns)), size)]
    for one, other in combinations(choices, 2):
        same = [tuple(exact.rule_set(c).covers(table.as_frame()).any(axis=1)) for c in (one, other)]
        assert (alike.key(one) == alike.key(other)) == (same[0] == same[1])
        assert exact.key(one) != exact.key(other)


@pytest.mark.parametrize("distinct", [False, True])
def test_a_formulation_need_not_have_been_solved_to_exclude(distinct: bool) -> None:
    table = tiny_table(np.random.default_rng(43), most_rows=6)
    rows = table.distinct()
    patterns = [Pattern([literal]) for literal in candidate_literals(rows).literals][:4]
    made = NoGoodFormulation(
        Candidates.of_patterns(rows, patterns),
        rows,
        Objective.of("1/10", 0),
        max_patterns=2,
        table=table,
        by_prediction=distinct,
    )
    choices = [c for size in range(3) for c in combinations(range(len(patterns)), size)]
    nothing_left = made.excluding(choices)  # before anybody asked for the model
    solution = get_backend("highs").solve(made.milp.with_rows(nothing_left))
    assert solution.termination is Termination.INFEASIBLE
