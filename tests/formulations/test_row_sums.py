"""Constraints as sums over covered rows: what they say of any rule set, and what is no such sum."""

from __future__ import annotations

import numpy as np
import pytest
from support.tiny_tables import tiny_table

from ooa.constraints import (
    budget,
    demographic_parity,
    forbid_pattern,
    max_false_negatives,
    max_overlap,
    max_total_literals,
    max_uses,
    min_precision,
    min_sensitivity,
    min_specificity,
    min_support_per_pattern,
    monotone,
    unchanged_when,
)
from ooa.data.table import Table
from ooa.formulations.row_sums import row_sums
from ooa.formulations.task import Task
from ooa.objective import Objective

SMALL = Table.from_any({"age": [20, 30, 40, 50], "sex": ["f", "m", "f", "m"]}, [0, 0, 1, 1])


def met(task, sums, fires):
    """Whether all sums are met by what covers these rows."""
    return all(int(one.weight[fires].sum()) <= one.limit for one in sums)


@pytest.mark.parametrize("seed", range(20))
def test_sums_say_what_the_constraint_says_of_any_rows(seed):
    random = np.random.default_rng([83, seed])
    table = tiny_table(random, most_rows=8)
    task = Task.of(table, Objective.of(0, 0))
    positive, negative = task.rows.positive, task.rows.negative
    truths = {
        min_sensitivity(0.5): lambda f: 2 * positive[f].sum() >= positive.sum(),
        min_specificity(0.6): lambda f: 10 * negative[~f].sum() >= 6 * negative.sum() - 1e-9,
        min_precision(0.75): lambda f: 4 * positive[f].sum() >= 3 * (positive + negative)[f].sum() - 1e-9,
        max_false_negatives(1): lambda f: positive[~f].sum() <= 1,
    }
    for constraint, truth in truths.items():
        sums = row_sums(task, constraint, 1e-6)
        assert sums is not None
        for _ in range(30):
            fires = random.random(task.rows.n_rows) < random.random()
            assert met(task, sums, fires) == bool(truth(fires)), constraint


def test_a_function_of_errors_alone_is_a_sum_and_whatever_names_patterns_is_none():
    task = Task.of(SMALL, Objective.of(0, 0))
    assert row_sums(task, lambda f: f.error.sum() <= 3) is not None
    assert row_sums(task, demographic_parity("sex", 0.1)) is not None
    assert row_sums(task, lambda f: f.predicted.sum() + f.n_patterns <= 3) is None
    assert row_sums(task, lambda f: f.nonsense) is None
    about_patterns = [
        max_uses("age", 1), max_total_literals(3), budget({"age": 1}, 0), min_support_per_pattern(2),
        max_overlap(1), forbid_pattern("age >= 30"), unchanged_when("age", 1), monotone("age", "increasing"),
    ]  # fmt: skip
    assert [row_sums(task, one) for one in about_patterns] == [None] * len(about_patterns)
