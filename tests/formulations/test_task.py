"""Tasks: one way to every formulation."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.brute_constraints import all_patterns

from ooa import constraints as ready
from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.explore.no_goods import NoGoodFormulation
from ooa.formulations import CompactFormulation, OOAFormulation, OOAxFormulation
from ooa.formulations.task import Task
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

PRICES = Objective.of("1/50", "1/50")


def some_task(**more: Any) -> Task:
    table = Table.from_any(
        {"x": [1, 2, 2, 3, 4], "c": list("abbab")},
        ["ill", "ill", "well", "well", "ill"],
        positive="ill",
        sample_weight=[1, 2, 1, 1, 3],
    )
    return Task.of(table, PRICES, **more)


def test_equal_rows_are_merged_once() -> None:
    task = some_task(max_patterns=3, constraints=[ready.max_uses("x", 1)])
    assert task.rows.n_rows == 4
    assert task.constraints == (ready.max_uses("x", 1),)
    other = replace(task, constraints=())
    assert other.rows is task.rows
    assert (other.table, other.objective, other.max_patterns) == (task.table, PRICES, 3)


@pytest.mark.parametrize("form", ["aggregated", "disaggregated"])
def test_ooax_of_a_task_is_what_its_parts_make(form: Any) -> None:
    task = some_task(max_patterns=2, constraints=[ready.min_sensitivity(0.5), lambda f: f.n_literals <= 4])
    candidates = Candidates.of_patterns(task.rows, all_patterns(task.table))
    parts: dict[str, Any] = {"max_patterns": 2, "constraints": task.constraints, "table": task.table}
    by_parts = OOAxFormulation(candidates, task.rows, PRICES, form=form, **parts)
    assert OOAxFormulation.of(candidates, task, form=form).milp == by_parts.milp
    for distinct in (False, True):
        made = NoGoodFormulation.of(candidates, task, form=form, by_prediction=distinct)
        assert isinstance(made, NoGoodFormulation)
        direct = NoGoodFormulation(candidates, task.rows, PRICES, form=form, by_prediction=distinct, **parts)
        assert made.milp == direct.milp
    with pytest.raises(OptionError, match="form must be"):
        OOAxFormulation.of(candidates, task, form="dense")


@pytest.mark.parametrize("kind", [OOAFormulation, CompactFormulation])
def test_boxes_of_a_task_leave_out_cuts_unless_there_are_constraints(kind: Any) -> None:
    task = Task.of(Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [0, 0, 0, 1, 1, 1]), PRICES)
    merged = kind(task.rows, PRICES, 2, merge=True)
    assert kind.of(task, 2).milp == merged.milp
    assert kind.of(task, 2, merge=False).milp == kind(task.rows, PRICES, 2).milp
    assert kind.of(task, 2).milp.n_columns < kind.of(task, 2, merge=False).milp.n_columns
    bound = replace(task, constraints=(ready.max_uses("x", 1),))
    by_parts = kind(task.rows, PRICES, 2, constraints=bound.constraints, table=task.table)
    assert kind.of(bound, 2).milp == by_parts.milp
    with pytest.raises(OptionError, match="merge=True"):
        kind.of(bound, 2, merge=True)


def test_labels_are_those_of_the_table() -> None:
    task = some_task()
    candidates = Candidates.of_patterns(task.rows, all_patterns(task.table))
    for formulation in (OOAxFormulation.of(candidates, task), CompactFormulation.of(task, 2)):
        rules = formulation.decode(formulation.encode(RuleSet.parse("c = a")))
        assert (rules.target, rules.positive, rules.negative) == ("target", "ill", "well")
    plain = OOAxFormulation(candidates, task.rows, PRICES)  # nobody says what the labels are
    assert plain.template == RuleSet([])
