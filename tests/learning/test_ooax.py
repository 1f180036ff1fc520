"""OOAx end to end: known answers, and brute force over all patterns."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from support.brute import Tiny, all_patterns, optimum_of_many
from support.strictly import strictly

from ooa.constraints import max_false_negatives, require_attribute
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.learning.certificate import Scope
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

#: Every range, every category, every length: nothing is left out.
EVERYTHING = {"thresholds": "distinct", "ranges": True, "max_length": None, "max_candidates": None}
quietly = strictly(learn_ooax)


# -- known answers ---------------------------------------------------------------------------------


def test_tic_tac_toe_gives_the_eight_winning_lines(winner):
    learned = winner
    proof = learned.certificate
    assert proof.proved
    assert (proof.errors, proof.patterns, proof.literals) == (0, 8, 24)
    assert proof.objective == Fraction(32, 1000)
    assert proof.scope is Scope.LENGTH
    assert proof.statement == (
        "all patterns up to length 3 over these 27 literals (single categories; one condition per column)"
    )
    data = tic_tac_toe()
    board = np.array(data.X).reshape(-1, 3, 3) == "x"
    lines = [
        *(np.argwhere(np.eye(3)[i][:, None] * np.ones(3)) for i in range(3)),
        *(np.argwhere(np.ones(3)[:, None] * np.eye(3)[i]) for i in range(3)),
        np.array([[i, i] for i in range(3)]),
        np.array([[i, 2 - i] for i in range(3)]),
    ]
    # Each line fires on exactly the boards on which x holds its three squares.
    fires = learned.rules.covers(data.X)
    expected = {board[:, cells[:, 0], cells[:, 1]].all(axis=1).tobytes() for cells in lines}
    assert {fires[:, k].tobytes() for k in range(8)} == expected


@pytest.mark.parametrize("form", ["aggregated", "disaggregated"])
def test_monks_gives_the_four_true_patterns(robots, form):
    learned = quietly(robots, C1=0.001, C2=0.001, form=form)
    assert learned.rules == RuleSet.parse(
        "jacket_color = red OR head_shape = round AND body_shape = round "
        "OR head_shape = square AND body_shape = square OR head_shape = octagon AND body_shape = octagon "
        "-> monk = 1 ELSE 0"
    )
    assert learned.certificate.proved
    assert learned.certificate.errors == 0


# -- brute force over all patterns -----------------------------------------------------------------


def random_problem(rng):
    n = int(rng.integers(2, 10))
    columns = {
        f"a{j}": rng.integers(0, rng.integers(1, 4), n)
        if rng.random() < 0.6
        else rng.choice(["u", "v", "w"][: rng.integers(1, 4)], n)
        for j in range(int(rng.integers(1, 4)))
    }
    label = rng.random(n) < rng.choice([0.3, 0.6])
    label[:2] = True, False
    weight = np.ones(n)
    if rng.random() < 0.4:
        weight = rng.integers(0, 4, n) + (np.arange(n) < 1.0)
    prices = [0, 0, 0.01, 0.05, 0.1, "1/7"]
    options = {
        "C1": prices[rng.integers(len(prices))],
        "C2": prices[rng.integers(len(prices))],
        "max_patterns": None if rng.random() < 0.5 else int(rng.integers(1, 4)),
    }
    return columns, label, weight, options


def best_of_all(columns, label, weight, options, max_length=None):
    covers, length = all_patterns([np.asarray(c) for c in columns.values()], max_length)
    positive, negative = np.where(label, weight, 0.0), np.where(label, 0.0, weight)
    objective = Objective.of(options["C1"], options["C2"])
    return optimum_of_many(Tiny(covers, length, positive, negative, objective, options["max_patterns"]))


def test_all_patterns_means_all_patterns():
    rng = np.random.default_rng(2)
    for _ in range(60):
        columns, label, weight, options = random_problem(rng)
        table = Table.from_any(columns, label, sample_weight=weight)
        proof = quietly(table, **options, **EVERYTHING).certificate
        assert proof.scope is Scope.ALL
        assert proof.proved
        assert proof.objective == best_of_all(columns, label, weight, options)


def test_a_limited_length_means_all_patterns_of_that_length():
    rng = np.random.default_rng(3)
    scopes = set()
    for _ in range(50):
        columns, label, weight, options = random_problem(rng)
        table = Table.from_any(columns, label, sample_weight=weight)
        length = int(rng.integers(1, 3))
        proof = quietly(table, **options, **(EVERYTHING | {"max_length": length})).certificate
        assert proof.proved
        assert proof.objective == best_of_all(columns, label, weight, options, length)
        everything = best_of_all(columns, label, weight, options)
        scopes.add(proof.scope)
        if proof.scope is Scope.ALL:
            assert proof.objective == everything
    assert scopes == {Scope.ALL, Scope.LENGTH}


def test_fewer_literals_are_never_called_all_patterns():
    rng = np.random.default_rng(4)
    changes = [
        {"ranges": False},
        {"thresholds": "quantiles", "max_thresholds": 1},
        {"min_support": 2},
        {"keep": lambda pattern: len(pattern) == 1},
        {"max_candidates": 2},
    ]
    options = {"C1": 0.01, "C2": 0.01, "max_patterns": None}
    weaker = 0
    for _ in range(10):
        columns, label, weight, _ = random_problem(rng)
        table = Table.from_any(columns, label, sample_weight=weight)
        best = best_of_all(columns, label, weight, options)
        for change in changes:
            proof = quietly(table, **options, **(EVERYTHING | change)).certificate
            assert proof.objective >= best
            if proof.scope is Scope.ALL:
                assert proof.bound <= best
            weaker += proof.scope is not Scope.ALL
    assert weaker > 10


def test_sets_of_categories_are_patterns_once_some_are_allowed():
    rng = np.random.default_rng(5)
    columns = {"v": rng.choice(list("abcde"), 60)}
    table = Table.from_any(columns, np.isin(columns["v"], ["a", "b", "c"]) ^ (rng.random(60) < 0.05))
    options = {"C1": 0.01, "C2": 0.05, **EVERYTHING}
    assert quietly(table, **options).certificate.scope is Scope.ALL
    # {a, b, c} is better than what pairs can do, so pairs are not all patterns.
    pairs = quietly(table, sets=2, **options).certificate
    assert pairs.scope is Scope.LENGTH
    every = quietly(table, sets=4, **options).certificate
    assert every.scope is Scope.ALL
    assert every.objective < pairs.objective


# -- what constraints forbid -----------------------------------------------------------------------


@pytest.mark.parametrize("selection", ["ilp", "auto"])
@pytest.mark.parametrize(
    ("columns", "label", "constraint", "expected"),
    [
        # Each pattern of d is dominated by c = a, which has to stay.
        ({"c": list("aabb"), "d": list("uvww")}, [1, 1, 0, 0], require_attribute("d"), Fraction(4, 8)),
        # d = u covers the same rows as c = a.
        ({"c": list("aabb"), "d": list("uuww")}, [1, 1, 0, 0], require_attribute("d"), Fraction(2, 8)),
        # A pattern for the positive in the midst costs more than it is worth.
        ({"d": list("abcddd")}, [1, 0, 0, 1, 1, 1], max_false_negatives(0), Fraction(4, 8)),
    ],
    ids=["dominated", "the same rows", "of little support"],
)
def test_what_a_constraint_needs_is_not_screened_away(columns, label, constraint, expected, selection):
    # A rule set that is known would stay among the candidates, whatever is dropped.
    table = Table.from_any(columns, label)
    options = {"C1": "1/8", "C2": "1/8", "constraints": [constraint], "without": "incumbent"}
    learned = learn_ooax(table, selection=selection, **options)
    assert learned.certificate.proved
    assert learned.certificate.objective == expected
