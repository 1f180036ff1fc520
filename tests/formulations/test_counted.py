"""Constraints read as sums say what the constraints say, of every set of candidates."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.brute_constraints import evaluate, meets
from support.constraint_problems import READY, Problem, drawn

from ooa.candidates.candidates import Candidates
from ooa.data.bitsets import unpack
from ooa.formulations.counted import MOST_SUMS, Counted, covered_by, read
from ooa.formulations.task import Task
from ooa.rules.pattern import Pattern
from ooa.solving.prepare import FEASIBILITY


def met(counted: Counted, chosen: list[int]) -> bool:
    covered = unpack(covered_by(counted.bits, chosen)[None], counted.on_rows.shape[1])[0]
    within = (counted.amounts(covered, chosen) <= counted.limit).all()
    return bool(within and counted.allowed[chosen].all())


def counted_of(problem: Problem, constraint: Any) -> tuple[Counted, list[Pattern]]:
    task = Task.of(problem.table, problem.objective, constraints=[constraint])
    patterns = list(dict.fromkeys(p for rules in problem.sets for p in rules.patterns))
    return read(Candidates.of_patterns(task.rows, patterns), task, FEASIBILITY), patterns


@pytest.mark.parametrize("name", [*READY, "own"])
def test_sums_hold_where_the_constraint_does(name: str) -> None:
    seen = set()
    for seed in range(25):
        problem = Problem([8, seed, ([*READY, "own"]).index(name)])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        counted, patterns = counted_of(problem, constraint)
        if counted.left:
            assert name == "own"
            continue
        for i in problem.rng.permutation(len(problem.sets))[:60]:
            rules = problem.sets[i]
            expected = meets(evaluate(problem.table, rules.patterns), constraint)
            found = met(counted, [patterns.index(p) for p in rules.patterns])
            seen.add(expected)
            if counted.exact:
                assert found == expected, (seed, constraint, rules.patterns)
            else:
                assert found or not expected, (seed, constraint, rules.patterns)
    assert seen == {True, False}


def test_what_cannot_be_read_is_left() -> None:
    problem = Problem([8, 1, 1])

    def on_pairs(f: Any) -> Any:
        return f._any("both", f.predicted[:2]) >= 1  # a flag over rows, which no candidate raises by itself

    def raises(f: Any) -> Any:
        raise ZeroDivisionError

    def many(f: Any) -> Any:
        return [f.used.sum() <= k for k in range(1, MOST_SUMS + 2)]

    for own in (on_pairs, raises, many):
        counted, _ = counted_of(problem, own)
        assert counted.left == (own,)
        assert not counted.complete
        assert not len(counted.limit)


def test_fractions_without_a_step_are_rounded_so_that_nothing_is_lost() -> None:
    problem = Problem([8, 2, 2])
    rng = np.random.default_rng(0)
    factor = rng.random(problem.table.n_rows) * np.pi

    def own(f: Any) -> Any:
        return (f.predicted * factor).sum() <= float(factor.sum() / 2)

    counted, patterns = counted_of(problem, own)
    assert not counted.exact
    for rules in problem.sets[:200]:
        if factor[rules.fires].sum() <= factor.sum() / 2:
            assert met(counted, [patterns.index(p) for p in rules.patterns])
