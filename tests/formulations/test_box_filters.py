"""What constraints say of patterns, read as limits on flags of boxes: by all rule sets of tiny tables."""

from __future__ import annotations

from typing import Any
from zlib import crc32

import numpy as np
import pytest
from support.brute_constraints import Own, Rules, evaluate, meets
from support.constraint_problems import OF_PATTERNS, READY, Problem, drawn

from ooa.constraints import (
    budget,
    forbid_pattern,
    forbid_together,
    max_uses,
    min_support_per_pattern,
    no_cut,
    only_with,
)
from ooa.data.table import Table
from ooa.formulations.box_filters import BoxFilters, OnRows, _says, read_filters
from ooa.formulations.rank_space import RankSpace
from ooa.formulations.task import Task
from ooa.kernels.boxes import Among
from ooa.objective import Objective


def read(problem: Problem, constraints: list[Any]) -> tuple[BoxFilters, RankSpace]:
    task = Task.of(problem.table, problem.objective, problem.K, constraints)
    space = RankSpace.of(task.rows, missing=problem.options["missing"])
    return read_filters(task, space, problem.options["single_category"], problem.K), space


def keeps(rules: Rules, filters: BoxFilters, space: RankSpace) -> bool:
    """Whether the boxes of a rule set keep to them."""
    boxes = [space.box(pattern) for pattern in rules.patterns]
    for limit in filters.limits:
        if limit.among is Among.EACH:
            amounts = (sum(by * _says(box, f, j, r) for f, j, r, by in limit.terms) for box in boxes)
            if any(amount > limit.most for amount in amounts):
                return False
    for one in filters.supports:
        if any(one.on(space)[space.covers(box)].sum() < one.limit for box in boxes):
            return False
    for other in filters.forbidden:
        if any(box.keys() == other.keys() and all((box[j] == other[j]).all() for j in box) for box in boxes):
            return False
    return filters.together(boxes, space)


@pytest.mark.parametrize("name", [*READY, "own"])
def test_what_meets_a_constraint_keeps_to_what_was_read(name: str):
    """And if all of it was read, what keeps to it meets the constraint."""
    complete = kept = 0
    for seed in range(40):
        problem = Problem([41, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        filters, space = read(problem, [constraint])
        assert filters.left in ((), (constraint,))
        complete += not filters.left
        for i in problem.rng.permutation(len(problem.sets))[:60]:
            rules = problem.sets[i]
            met, does = meets(rules, constraint), keeps(rules, filters, space)
            assert does or not met
            assert filters.left or does == met
            kept += met != does or (does and bool(filters))
    if name in OF_PATTERNS:
        assert complete >= 8
        assert kept > 0


def test_constraints_of_ones_own_are_read():
    table = Table.from_any({"a": [1, 2, 3, 4], "b": [1, 0, 1, 0], "c": list("uvuv")}, [0, 1, 1, 1])

    def said(own: Any, most: int = 2) -> BoxFilters:
        task = Task.of(table, Objective.of(0, 0), most, [own])
        return read_filters(task, RankSpace.of(task.rows), True, most)

    short = said(lambda f: f.length <= 2 * f.used)
    assert (short.left, [limit.among for limit in short.limits]) == ((), [Among.EACH])
    few = said(lambda f: f.uses("a").sum() + 2 * f.uses("b").sum() <= 3)
    assert (few.left, [limit.among for limit in few.limits]) == ((), [Among.ALL])
    for most in (2, 3, 9):  # some boxes only
        assert said(lambda f: f.uses("a")[0] <= 0, most).left
        assert not said(lambda f: f.uses("a")[0] <= 0, most)
    assert said(lambda f: f.uses("a")[:2].sum() <= 1, 3).left
    assert said(lambda f: f.used.sum() >= 1).left
    assert said(lambda f: f.uses("a") >= 1).left  # also of boxes that are not there
    assert said(lambda f: f.uses("a").sum() - f.uses("b").sum() <= 0).left
    assert said(lambda f: f.uses("a").sum() + f.error.sum() <= 3).left
    assert said(lambda f: f.occurs("a") + f.uses("b").sum() <= 1).left
    assert said(lambda f: f.positive_support <= 2).left
    assert said(lambda f: 1 / 0).left
    # of two rows one is read
    both = said(lambda f: [f.uses("a") + f.uses("b") <= 1, f.used.sum() >= 1])
    assert both.left
    assert len(both.limits) == 1


def test_which_need_cuts_that_nothing_else_does():
    table = Table.from_any({"a": [1, 2, 3, 4], "b": [1, 0, 1, 0]}, [0, 1, 1, 1])
    space = RankSpace.of(table)
    worth = np.array([-1, 1, 1, 1])

    def need(*constraints: Any, worth: np.ndarray = worth) -> bool:
        task = Task.of(table, Objective.of(0, 0), 2, constraints)
        return read_filters(task, space, True, 2).need_cuts(space, worth)

    assert not need(forbid_together(["a", "b"]), only_with("a", "b"), max_uses("a", 1), budget({"a": 2}, 1))
    assert need(forbid_pattern("a >= 2"))
    assert need(no_cut("a", "above", 2))
    assert not need(min_support_per_pattern(2))
    assert need(min_support_per_pattern(2), worth=np.array([-1, 1, 1, 0]))  # a positive that gains nothing
    few = BoxFilters(covers=(OnRows(np.array([1, 0, 0, 0]), 0),))
    assert not few.need_cuts(space, worth)
    assert few.need_cuts(space, np.array([0, 1, 1, 1]))  # what is limited costs nothing


def test_weights_of_many_digits():
    """A support is never counted lower than it is."""
    rng = np.random.default_rng(3)
    for _ in range(50):
        n = int(rng.integers(2, 7))
        table = Table.from_any({"a": np.arange(n)}, [0, *[1] * (n - 1)], sample_weight=rng.random(n) + 0.01)
        problem = Own("least", lambda f: f.positive_support - 0.7 * f.used >= 0, lambda r: True)
        task = Task.of(table, Objective.of(0, 0), 2, [problem])
        space = RankSpace.of(task.rows)
        filters = read_filters(task, space, True, 2)
        assert filters.left  # it is rounded
        for low in range(n):
            from ooa.rules.pattern import Pattern

            pattern = Pattern.parse(f"a >= {low}") if low else Pattern.parse("a <= 0")
            rules = evaluate(table, [pattern])
            enough = float(rules.weigh(table.y & rules.covers[0])) >= 0.7
            box = space.box(pattern)
            weights = [one.on(space)[space.covers(box)].sum() >= one.limit for one in filters.supports]
            assert all(weights) or not enough
