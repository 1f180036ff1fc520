"""What a proof covers: always a whole language, whose conditions are named."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.branching_cases import noisy
from support.brute_ooa import Literals, all_literals, as_bits
from support.tiny_tables import tiny_table

from ooa.candidates.generate import candidate_literals
from ooa.constraints import max_false_positives, max_uses, require_attribute
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.learning.certificate import Scope, Standing
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.rules.literal import IsMissing

#: A column of four categories, of which three are positive but for one row; no two rows agree in all columns.
FOUR = Table.from_any(
    {"a": ["low", "mid", "high", "top"] * 5, "x": list(range(20))},
    [0, 1, 1, 1] * 2 + [0, 0, 1, 1] + [0, 1, 1, 1] * 2,
)
PRICES = {"C1": 0.03, "C2": 0.03, "progress": False}


@pytest.mark.parametrize(
    ("options", "words", "value"),
    [
        ({}, "bounds on numbers, single categories", "23/100"),
        ({"negations": True}, "bounds on numbers, single categories and negations", "11/100"),
        ({"sets": 3}, "bounds on numbers, sets of up to 3 categories", "11/100"),
    ],
)
def test_other_conditions_have_another_optimum_and_another_statement(options, words, value):
    found = learn_ooax(FOUR, **PRICES, **options).certificate
    assert found.proved
    assert found.objective == Fraction(value)
    assert f"({words}; one condition per column)" in found.statement


def test_ooa_says_whether_sets_of_categories_are_conditions():
    one, many = (learn_ooa(FOUR, single_category=s, **PRICES).certificate for s in (True, False))
    assert one.objective > many.objective
    assert "(ranges of numbers, single categories; one condition per column)" in one.statement
    assert "(ranges of numbers, sets of categories; one condition per column)" in many.statement


@pytest.mark.parametrize(
    ("x", "constraints", "scope"),
    [
        ([1, 2, 3], [], Scope.ALL),
        # It may need a pattern that covers no positive.
        ([1, 2, 3], [require_attribute("x")], Scope.LENGTH),
        # "Has a value" is mined with a bound from below alone.
        ([1, 2, None], [], Scope.ALL),
        ([1, 2, None], [max_false_positives(1)], Scope.ALL),
        ([1, 2, 3], [max_uses("x", 1)], Scope.ALL),
        ([1, 2, None], [max_uses("x", 1)], Scope.LENGTH),
    ],
    ids=["free", "no removal", "a value", "a value, dominance", "no dominance", "a value, no dominance"],
)
def test_beside_constraints_other_patterns_may_be_needed(x, constraints, scope):
    table = Table.from_any({"x": x}, [1, 0, 1])
    every = {"thresholds": "distinct", "ranges": True, "max_length": None, "missing": True}
    found = learn_ooax(table, constraints=constraints, **PRICES, **every).certificate
    assert found.proved
    assert found.scope is scope
    assert ("that cover a positive" in found.statement) == any(not one.allows_removal for one in constraints)


def test_two_conditions_on_a_column_are_no_pattern_and_the_statement_says_so():
    # a != low AND a != mid would take one pattern of two literals.
    table = Table.from_any({"a": ["low", "mid", "high", "top"] * 5}, [0, 0, 1, 1] * 5)
    found = learn_ooax(table, negations=True, **PRICES).certificate
    assert found.objective == Fraction(12, 100)
    assert "one condition per column" in found.statement
    assert learn_ooax(table, sets=2, **PRICES).certificate.objective == Fraction(6, 100)


def test_less_never_looks_like_more_proof():
    """Whatever was left out, the bound holds over the language, and only an optimum is proved."""
    open_ones = 0
    for seed in range(4):
        table = noisy(np.random.default_rng(seed), 60)
        told = {"C1": 0.01, "C2": 0.01, "progress": False}
        optimum = learn_ooax(table, **told).certificate
        assert optimum.standing is Standing.PROVED
        for some in ({"max_mined": 10}, {"max_mined": 60}, {"max_candidates": 6, "selection": "ilp"}):
            found = learn_ooax(table, **told, **some).certificate
            assert found.bound <= optimum.objective <= found.objective
            assert not found.proved or found.objective == optimum.objective
            assert found.scope in (Scope.ALL, Scope.LENGTH)
            if found.standing is Standing.POOL:
                open_ones += 1
                assert found.gap > 0
                assert "proved" not in str(found)
                assert f"best of {found.pool} candidates" in str(found)
    assert open_ones >= 2


def test_with_time_left_the_solver_gets_more_candidates_until_all_are_in():
    table = noisy(np.random.default_rng(3), 60)
    told = {"C1": 0.01, "C2": 0.01, "progress": False, "selection": "ilp"}
    fixed = learn_ooax(table, max_candidates=10, **told).certificate
    assert fixed.standing is Standing.POOL
    grown = learn_ooax(table, policy=replace(POLICY, first_candidates=10), **told).certificate
    assert grown.standing is Standing.PROVED
    assert grown.objective <= fixed.objective


def in_full(rows: DistinctRows, language: dict[str, object]) -> bool:
    """Whether the literals of every attribute are all there are, with single categories or with all sets."""
    found: list[set[int]] = [set() for _ in rows.columns]
    literals = candidate_literals(rows, **language)
    for literal, j in zip(literals.literals, literals.attribute):
        if not isinstance(literal, IsMissing):  # by option, in a language with it and in one without
            found[j].add(as_bits(literal.mask(rows.columns[j])))

    def said(every: Literals, j: int) -> bool:
        return found[j] == {bits for literal, bits in every[j] if not isinstance(literal, IsMissing)}

    single, several = (all_literals(rows, single_category=choice) for choice in (True, False))
    return all(said(single, j) or said(several, j) for j in range(len(rows.columns)))


@pytest.mark.parametrize("chunk", range(4))
def test_all_patterns_means_all_literals(chunk: int):
    claimed = 0
    for seed in range(60 * chunk, 60 * (chunk + 1)):
        rng = np.random.default_rng([18, seed])
        table = tiny_table(rng)
        language = {
            "thresholds": str(rng.choice(["distinct", "auto", "quantiles"])),
            "max_thresholds": int(rng.integers(1, 5)),
            "ranges": bool(rng.random() < 0.8),
            "negations": bool(rng.random() < 0.3),
            "sets": int(rng.integers(1, 5)),
            "missing": bool(rng.random() < 0.4),
        }
        learned = learn_ooax(table, C1="1/50", C2="1/50", max_length=None, **language)
        if learned.certificate.proof != "counting":  # which holds for all patterns in any case
            everything = in_full(table.distinct(), language)
            assert (learned.certificate.scope is Scope.ALL) == everything, seed
            claimed += everything
    assert claimed > 5
