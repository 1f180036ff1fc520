"""Whether rule sets meet constraints: in one product with their predictions, and on a model of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.brute_constraints import all_patterns, all_rules, meets
from support.constraint_problems import OF_PREDICTIONS
from support.random_constraints import random_own, random_ready
from support.tiny_tables import tiny_objective, tiny_table

from ooa import constraints as ready
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.formulations.checking import ConstraintCheck, constraint_violation
from ooa.formulations.task import Task
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

READY = [name for name in ready.__all__ if name != "Constraint"]


def some_task(*constraints: Any) -> Task:
    table = Table.from_any({"x": [1, 2, 2, 3, 4]}, [0, 1, 0, 1, 1], sample_weight=[1, 2, 0, 1, 3])
    return Task.of(table, Objective.of("1/50", "1/50"), constraints=constraints)


@pytest.mark.parametrize("name", [*READY, "own"])
def test_the_violation_of_a_constraint_is_0_just_for_rule_sets_that_meet_it(name: str) -> None:
    seen = set()
    for seed in range(8):
        rng = np.random.default_rng([21, seed, len(name)])
        table, objective = tiny_table(rng, most_rows=6), tiny_objective(rng)
        patterns = all_patterns(table, value_literals=False)
        if not 0 < len(patterns) <= 60:
            continue
        sets = all_rules(table, patterns, 2)
        constraint = random_own(rng, sets) if name == "own" else random_ready(name, rng, sets)
        if constraint is None:
            continue
        # Neither the limit on patterns nor another constraint has a say.
        task = Task.of(table, objective, 1, [lambda f: f.n_patterns >= 99])
        check = ConstraintCheck(constraint, task)
        if check._rows != []:  # else it says nothing at all
            assert (check._rows is not None) == (name in OF_PREDICTIONS) or name == "own"
        for rules in (sets[i] for i in rng.integers(len(sets), size=12)):
            some = RuleSet(rules.patterns)
            alone, along = constraint_violation(some, constraint, task), check.violation(some)
            assert min(alone, along) >= 0
            met = meets(rules, constraint)
            assert (alone <= 1e-6, along <= 1e-6) == (met, met), (seed, constraint, rules.patterns)
            seen.add(met)
    assert seen


def test_what_speaks_of_predictions_is_asked_once() -> None:
    asked = []

    def few_errors(f: Any) -> Any:
        asked.append(f)
        return (f.error * f.weight).sum() <= 2

    check = ConstraintCheck(few_errors, some_task())
    found = [check.violation(RuleSet.parse(f"x >= {cut}")) for cut in (1, 2, 3, 4)]
    assert found == [0.0, 0.0, 0.0, 1.0]  # 1, 0, 2 and 3 of weight; the third is without weight
    assert len(asked) == 1


def test_what_speaks_of_patterns_is_asked_for_every_rule_set() -> None:
    asked = []

    def few_literals(f: Any) -> Any:
        asked.append(f)
        return [f.error.sum() <= 10, f.n_literals <= 1]

    check = ConstraintCheck(few_literals, some_task())
    assert check.violation(RuleSet.parse("x >= 2")) == 0.0
    assert check.violation(RuleSet.parse("x = 1 OR x >= 3")) == 1.0
    assert len(asked) == 3


def test_nobody_is_deceived_who_goes_on_when_refused() -> None:
    def careless(f: Any) -> Any:
        try:
            return f.n_patterns <= 0
        except Exception:
            return f.error.sum() <= 10

    check = ConstraintCheck(careless, some_task())
    assert check.violation(RuleSet.parse("x >= 2")) == 1.0


def test_what_is_wrong_with_a_constraint_is_said() -> None:
    def of_a_column(f: Any) -> Any:
        return f.error[f.table.columns[f.attribute_number("z")].values > 0].sum() <= 1

    check = ConstraintCheck(of_a_column, some_task())
    with pytest.raises(OptionError, match="constraint of_a_column: 'z' is not a column of the table"):
        check.violation(RuleSet.parse("x >= 2"))


def test_a_single_row_too_many_counts_however_large_the_side() -> None:
    table = Table.from_any({"x": range(6)}, [1, 1, 1, 1, 1, 0], sample_weight=[9e5] * 4 + [1, 1])
    task = Task.of(table, Objective.of(0, 0))
    none, last = RuleSet([]), RuleSet.parse("x = 4")
    for rules, missed in ((none, 3_600_001), (last, 3_600_000)):
        for most in (3_599_999, 3_600_000, 3_600_001):
            check = ConstraintCheck(ready.max_false_negatives(most), task)
            assert check.violation(rules) == max(0, missed - most)


def test_what_is_not_whole_counts_by_the_size_of_the_side() -> None:
    """Sums of fractions are rounded, the more so the larger they are; below 1 they count as they are."""
    task = some_task()
    for size in (0.25, 1000.25):
        check = ConstraintCheck(lambda f, each=size: (each * f.error).sum() <= each, task)
        assert check.violation(RuleSet.parse("x = 3")) == pytest.approx(size / max(1, size))  # errs twice
        assert check.violation(RuleSet.parse("x >= 2")) == 0


def test_what_is_predicted_of_either_class() -> None:
    check = ConstraintCheck(lambda f: f.predicted[:4].sum() <= 1, some_task())
    assert [check.violation(RuleSet.parse(f"x >= {cut}")) for cut in (1, 2, 3, 4)] == [3.0, 2.0, 0.0, 0.0]
