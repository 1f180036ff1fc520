"""What formulations are built from: groups of rows covered alike, boxes in rank space, terms of one box."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.brute_ooa import random_rules
from support.tiny_tables import tiny_table

from ooa.candidates.candidates import Candidates
from ooa.data.bitsets import unpack
from ooa.data.table import Table
from ooa.errors import RuleError
from ooa.formulations.box_problem import BoxProblem
from ooa.formulations.box_terms import NOWHERE, BoxTerms
from ooa.formulations.rank_space import RankSpace
from ooa.formulations.selection_problem import SelectionProblem
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def some_rules(seed: int, K: int = 3) -> tuple[np.random.Generator, Table, RuleSet]:
    rng = np.random.default_rng([31, seed])
    table = tiny_table(rng, most_rows=9)
    return rng, table, random_rules(table.distinct(), K, rng, missing=True)


@pytest.mark.parametrize("seed", range(25))
def test_rows_of_a_group_are_covered_alike(seed: int) -> None:
    rng, table, rules = some_rules(seed, K=6)
    rows = table.distinct() if seed % 2 else table
    candidates = Candidates.of_patterns(rows, rules)
    unit = Fraction(1, 2)
    problem = SelectionProblem.of(candidates, rows, np.ones(len(candidates)), unit=unit)
    covers = unpack(candidates.bits, rows.n_rows).T
    assert (problem.W.toarray()[problem.group] == covers).all()
    assert problem.n_groups == len(np.unique(covers, axis=0))
    assert problem.positive.sum() == 2 * rows.positive.sum()
    assert problem.negative.sum() == 2 * rows.negative.sum()
    assert problem.covered.tolist() == problem.W.toarray().any(axis=1).tolist()
    kinds = [problem.missed, problem.wrong, problem.weightless]
    assert set(np.concatenate(kinds).tolist()) == set(np.flatnonzero(problem.covered).tolist())
    chosen = np.flatnonzero(rng.random(len(candidates)) < 0.5).tolist()
    point = problem.point(chosen)
    used, missed, wrong = np.split(point, np.cumsum([len(candidates), len(problem.missed)]))
    fires = covers[:, chosen].any(axis=1)
    assert np.flatnonzero(used).tolist() == chosen
    for n in range(rows.n_rows):
        group = problem.group[n]
        if group in problem.missed:
            assert missed[problem.missed.tolist().index(group)] == (not fires[n])
        if group in problem.wrong:
            assert wrong[problem.wrong.tolist().index(group)] == fires[n]


def test_without_candidates_there_is_one_group() -> None:
    table = Table.from_any({"x": [1, 2, 3]}, [0, 1, 1])
    problem = SelectionProblem.of(Candidates.of_patterns(table, []), table, np.zeros(0))
    assert (problem.n_groups, problem.positive.tolist(), problem.negative.tolist()) == (1, [2.0], [1.0])
    assert not problem.covered.any()
    assert problem.point([]).tolist() == []


@pytest.mark.parametrize("seed", range(25))
def test_boxes_cover_what_their_patterns_cover(seed: int) -> None:
    _, table, rules = some_rules(seed)
    problem = BoxProblem(RankSpace.of(table, missing=True), 4, False, 0.1, 0.2, unit=2.0)
    boxes = problem.boxes(rules)
    covers = problem.covers(boxes)
    assert covers.shape == (problem.space.n_rows, 4)
    assert not covers[:, len(boxes) :].any()
    fires = rules.covers(table.as_frame()).any(axis=1)
    assert covers.any(axis=1)[problem.space.row].tolist() == fires.tolist()
    places = [sum(j + 1 for j in box) for box in boxes]
    assert places == sorted(places, reverse=True)
    assert problem.missed_price.sum() * 2 == table.positive.sum()
    assert problem.wrong_price.sum() * 2 == table.negative.sum()


def test_boxes_that_cannot_be() -> None:
    table = Table.from_any({"c": list("abc"), "x": [1, 2, 3]}, [0, 1, 1])
    problem = BoxProblem(RankSpace.of(table), 1, True, 0.1, 0.1)
    assert problem.box(Pattern.parse("x >= 9")) is None
    assert [problem.most_categories(j) for j in (0, 1)] == [1, 1]
    assert BoxProblem(problem.space, 1, False, 0.1, 0.1).most_categories(0) == 2
    with pytest.raises(RuleError, match="several categories"):
        problem.box(Pattern.parse("c != a"))
    with pytest.raises(RuleError, match="2 patterns where at most 1"):
        problem.boxes(RuleSet.parse("x >= 2 OR c = a"))


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("thresholds", ["distinct", "quantiles"])
def test_the_variables_of_one_box_say_the_box(seed: int, thresholds: str) -> None:
    _, table, rules = some_rules(seed)
    space = RankSpace.of(table, missing=True, thresholds=thresholds, max_thresholds=2)
    terms = BoxTerms(space)
    keys = [key for block in terms.keys.values() for key in block]
    assert len(keys) == len(set(keys)) == terms.left_out.shape[1]
    assert terms.matrix([{NOWHERE: 1.0}]).nnz == 0
    for pattern in rules:
        try:
            box = space.box(pattern)
        except RuleError:  # cut where there is no threshold
            continue
        if box is None:
            continue
        values = np.array([terms.holds(box, key) for key in keys])
        again = terms.box({key for key, value in zip(keys, values) if value})
        assert {j: s.tolist() for j, s in again.items()} == {j: s.tolist() for j, s in box.items()}
        # A row is left out if the box does not cover it, by some attributes, by each of them once.
        left_out = (terms.left_out @ values)[terms.line]
        assert set(np.unique(left_out)) <= {0.0, 1.0}
        assert (left_out.sum(axis=1) == 0).tolist() == space.covers(box).tolist()
