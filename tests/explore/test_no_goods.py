"""Exclusions: when two selections count as one, and what a built formulation knows of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from support.tiny_tables import tiny_table

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import candidate_literals
from ooa.explore.no_goods import NoGoodFormulation
from ooa.explore.redundancy import Beside
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


@pytest.mark.parametrize("most", [None, 1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_rows_exclude_what_they_say_and_nothing_else(seed: int, most: int | None) -> None:
    """A selection is excluded by itself, or as it has all of some patterns and one that may not be beside."""
    rng = np.random.default_rng([44, seed])
    table = tiny_table(rng, most_rows=6)
    rows = table.distinct()
    patterns = [Pattern([literal]) for literal in candidate_literals(rows).literals][:6]
    made = NoGoodFormulation(
        Candidates.of_patterns(rows, patterns), rows, Objective.of(0, 0), max_patterns=most, table=table
    )
    n = len(patterns)
    sizes = range(min(n, n if most is None else most) + 1)
    choices = [c for size in sizes for c in combinations(range(n), size)]
    barred = [choices[i] for i in rng.permutation(len(choices))[:5]]
    besides = []
    for _ in range(5):
        some = rng.permutation(n)
        b, s = sorted(rng.integers(0, n + 1, 2))
        besides.append(Beside(tuple(some[:b].tolist()), np.sort(some[b:s])))
    apart, beside = made.milp.with_rows(made.excluding(barred)), made.milp.with_rows(made.beside(besides))
    for choice in choices:
        x = made.completed(made.selection(choice))
        assert (apart.violation(x) > 0.5) == (choice in barred)
        together = [set(b) <= set(choice) and bool({*s.tolist()} & {*choice}) for b, s in besides]
        assert (beside.violation(x) > 0.5) == any(together)


@pytest.mark.parametrize("by_prediction", [False, True])
@pytest.mark.parametrize("max_patterns", [None, 2])
def test_exclusions_exclude_just_what_they_say(by_prediction, max_patterns):
    rng = np.random.default_rng(8)
    for _ in range(5):
        table = tiny_table(rng, most_rows=6)
        patterns = [Pattern([literal]) for literal in candidate_literals(table.distinct()).literals][:5]
        rows = table.distinct()
        formulation = NoGoodFormulation(
            Candidates.of_patterns(rows, patterns),
            rows,
            Objective.of("1/10", 0),
            max_patterns=max_patterns,
            table=table,
            by_prediction=by_prediction,
        )
        most = len(patterns) if max_patterns is None else min(max_patterns, len(patterns))
        choices = [c for size in range(most + 1) for c in combinations(range(len(patterns)), size)]
        points = {c: formulation.completed(formulation.selection(c)) for c in choices}
        assert all(formulation.milp.violation(x) < 1e-9 for x in points.values())
        for out in choices:
            cut = formulation.milp.with_rows(formulation.excluding([out]))
            excluded = {c for c, x in points.items() if cut.violation(x) > 1e-9}
            assert excluded == {c for c in choices if formulation.key(c) == formulation.key(out)}
            assert out in excluded
