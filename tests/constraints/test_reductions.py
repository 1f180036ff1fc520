"""What a constraint lets screening drop: no more than is safe, and no less."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from zlib import crc32

import pytest
from support.brute_constraints import Rules, all_patterns, all_rules, best, evaluate, meets
from support.constraint_problems import READY, Problem, drawn

from ooa import constraints as ready
from ooa.candidates.candidates import Candidates
from ooa.candidates.screening import screen
from ooa.data.table import Table
from ooa.formulations import OOAxFormulation
from ooa.objective import Objective
from ooa.solving import get_backend


def dominates(z: Rules, other: Rules) -> bool:
    """Whether one pattern can stand in for another."""
    weighs, y = z.table.weight > 0, z.table.y
    return bool(
        (z.fires | ~other.fires)[y & weighs].all()
        and (~z.fires | other.fires)[~y & weighs].all()
        and len(z.patterns[0]) <= len(other.patterns[0])
    )


def breaks(problem: Problem, constraint: Any) -> tuple[bool, bool]:
    """Whether removing, and whether replacing by a dominating one, ever violates a constraint that is met."""
    single = {r.patterns[0]: r for r in problem.sets if len(r.patterns) == 1}
    better = {p: [q for q in single if q != p and dominates(single[q], single[p])] for p in single}
    some = problem.rng.permutation(len(problem.sets))[:150]
    removal = dominance = False
    for rules in (problem.sets[i] for i in some):
        if not meets(rules, constraint):
            continue
        for z in rules.patterns:
            rest = [p for p in rules.patterns if p != z]
            removal |= not meets(evaluate(problem.table, rest), constraint)
            for other in better[z][:6]:
                swapped = list(dict.fromkeys([*rest, other]))
                dominance |= not meets(evaluate(problem.table, swapped), constraint)
    return removal, dominance


@pytest.mark.parametrize("name", READY)
def test_flags_of_reductions_are_right_and_not_timid(name: str) -> None:
    kind = getattr(ready, name)
    expected = not kind.allows_removal, not kind.allows_dominance
    removal = dominance = False
    for seed in range(100):
        if seed >= 14 and (removal, dominance) == expected:
            break  # what is not allowed was seen to break it
        problem = Problem([5, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        removed, replaced = breaks(problem, constraint)
        assert not (removed and kind.allows_removal), (seed, constraint)
        assert not (replaced and kind.allows_dominance), (seed, constraint)
        removal, dominance = removal or removed, dominance or replaced
    assert (removal, dominance) == expected


@pytest.mark.parametrize("name", READY)
def test_the_allowed_reductions_lose_nothing(name: str) -> None:
    for seed in range(4):
        problem = Problem([6, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        rows, objective = problem.table.distinct(), problem.objective
        patterns = all_patterns(problem.table, value_literals=False, **problem.options)
        sets = all_rules(problem.table, patterns, problem.K)
        expected, good = best(sets, objective, [constraint])
        candidates = Candidates.of_patterns(rows, patterns)
        known = [r.value(objective) / objective_total(problem.table) for r in good]
        upper = known[int(problem.rng.integers(len(known)))] if known else None
        screened, _ = screen(
            candidates,
            rows,
            objective,
            upper=upper,
            removal=constraint.allows_removal,
            dominance=constraint.allows_dominance,
        )
        kept = [screened.pattern(k) for k in range(len(screened))]
        found, _ = best(all_rules(problem.table, kept, problem.K), objective, [constraint])
        assert found == expected, (seed, constraint)


def objective_total(table: Table) -> Fraction:
    return sum(map(Fraction, table.weight.tolist()), Fraction(0))


@pytest.mark.parametrize("reduction", ["removal", "dominance"])
def test_a_reduction_that_is_not_allowed_gives_a_wrong_answer(reduction: str) -> None:
    # One positive lies apart: covering it costs more than it saves, but it must not be missed.
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": [1, 1, 1, 2, 2, 2]}, [1, 0, 0, 1, 1, 1])
    rows, objective = table.distinct(), Objective.of("1/10", "1/10")
    patterns = all_patterns(table)
    constraint = {
        "removal": ready.max_false_negatives(0),
        "dominance": ready.max_uses("z", 0),  # z >= 2 says as much as x >= 4, and comes second
    }[reduction]
    assert not getattr(constraint, f"allows_{reduction}")
    expected, _ = best(all_rules(table, patterns, 2), objective, [constraint])
    patterns.sort(key=lambda pattern: "z" not in pattern.attributes)
    candidates = Candidates.of_patterns(rows, patterns)
    off, on = (
        screen(
            candidates, rows, objective, upper=None, **{"removal": False, "dominance": False, reduction: how}
        )
        for how in (False, True)
    )
    answers = []
    for screened, _ in (off, on):
        formulation = OOAxFormulation(
            screened, rows, objective, max_patterns=2, constraints=[constraint], table=table
        )
        answers.append(get_backend("highs").solve(formulation.milp).objective)
    assert answers[0] == pytest.approx(float(expected))
    assert answers[1] is None or answers[1] > answers[0] + 0.1
