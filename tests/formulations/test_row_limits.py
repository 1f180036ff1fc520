"""What is read of constraints on predictions holds wherever the constraint does, whatever the patterns."""

from __future__ import annotations

from zlib import crc32

import numpy as np
import pytest
from support.brute_constraints import meets
from support.constraint_problems import OF_PREDICTIONS, READY, Problem, drawn

from ooa.data.table import Table
from ooa.formulations.row_limits import read_rows
from ooa.formulations.task import Task
from ooa.objective import Objective
from ooa.solving.prepare import FEASIBILITY


@pytest.mark.parametrize("name", [*READY, "own"])
def test_limits_hold_where_the_constraint_does(name: str) -> None:
    seen = set()
    for seed in range(25):
        problem = Problem([9, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        task = Task.of(problem.table, problem.objective, constraints=[constraint])
        limits = read_rows(task, FEASIBILITY)
        assert (constraint in limits.left) == (len(limits.left) > 0)
        if name in OF_PREDICTIONS:
            assert not limits.left
        elif limits.left:
            assert len(limits.limit) == 0
        for i in problem.rng.permutation(len(problem.sets))[:60]:
            rules = problem.sets[i]
            covered = np.zeros(task.rows.n_rows, dtype=bool)
            covered[task.rows.row] = rules.fires
            within = bool((limits.amounts(covered) <= limits.limit).all())
            expected = meets(rules, constraint)
            assert within or not expected, (seed, constraint, rules.patterns)
            seen.add((expected, within))
    if name in OF_PREDICTIONS:
        assert seen == {(True, True), (False, False)}


def test_what_is_said_of_patterns_is_read_by_nobody():
    """A sum that patterns can lower must not be taken for one of predictions, where none are listed."""
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    told = [
        lambda f: f.error.sum() - f.used.sum() <= 0,
        lambda f: f.error.sum() - f.n_literals <= 0,
        lambda f: f.error.sum() - f.uses("x").sum() <= 0,
        lambda f: f.error.sum() - f.occurs("x") <= 0,
        lambda f: f.error.sum() - f.bounded("x", "below").sum() <= 0,
        lambda f: f.error.sum() - f.cuts("x", "above", 2).sum() <= 0,
        lambda f: f.error.sum() - f.positive_support.sum() <= 0,
        lambda f: f.error.sum() - f.covers[:, :].sum() <= 0,
        lambda f: f.error.sum() - f.changed("x", 1).rises.sum() <= 0,
    ]
    for one in told:
        limits = read_rows(Task.of(table, Objective.of(0, 0), constraints=[one]))
        assert limits.left == (one,)
        assert len(limits.limit) == 0
