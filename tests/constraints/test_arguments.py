"""Constraints as values, and what is said of arguments that cannot be."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

from ooa import constraints as ready
from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: ready.max_false_negatives(-1),
            "max_false_negatives: most must be a number at least 0, not -1",
        ),
        (lambda: ready.max_false_positives("few"), "max_false_positives: most must be .* not 'few'"),
        (lambda: ready.max_false_positives(float("nan")), "max_false_positives: most must be .* not nan"),
        (
            lambda: ready.min_sensitivity(95),
            "min_sensitivity: least must be a number between 0 and 1, not 95",
        ),
        (lambda: ready.min_specificity(None), "min_specificity: least must be .* not None"),
        (lambda: ready.min_precision(True), "min_precision: least must be .* not True"),
        (lambda: ready.max_cost(9, -1), "max_cost: false_negative must be a number at least 0, not -1"),
        (
            lambda: ready.max_cost(9, 1, 2, 1.5),
            "max_cost: true_positive must cost no more than false_negative, not 1.5 and 1",
        ),
        (lambda: ready.max_cost(9, 1, 2, 1, 3), "max_cost: true_negative must cost no more .* 3 and 2"),
        (lambda: ready.equalized_odds("x", 2), "equalized_odds: gap must be a number between 0 and 1, not 2"),
        (lambda: ready.max_uses("x", 1.5), "max_uses: most must be a whole number, not 1.5"),
        (lambda: ready.max_uses(3, 1), "max_uses needs the name of a column as its attribute, not 3"),
        (
            lambda: ready.at_most_one_of("ab"),
            "at_most_one_of needs at least two columns as its attributes, not 'ab'",
        ),
        (lambda: ready.at_most_one_of(["a", "a"]), "at_most_one_of needs at least two columns"),
        (
            lambda: ready.forbid_together(["a"]),
            r"forbid_together needs at least two columns as its attributes, not \['a'\]",
        ),
        (
            lambda: ready.forbid_together(["a", 1]),
            "forbid_together needs the name of a column as its attribute, not 1",
        ),
        (
            lambda: ready.require_attribute(None),
            "require_attribute needs the name of a column as its attribute, not None",
        ),
        (lambda: ready.require_pattern(5), "require_pattern needs a pattern, not 5"),
        (lambda: ready.budget({"a": -1}, 3), "budget: the cost of 'a' must be a number at least 0, not -1"),
        (lambda: ready.budget({"a": 1}, None), "budget: most must be .* not None"),
        (lambda: ready.budget([("a", 1)], 2), "budget: costs must be a cost by column"),
        (lambda: ready.max_total_literals(-2), "max_total_literals: most must be .* not -2"),
        (lambda: ready.min_support_per_pattern("1/x"), "min_support_per_pattern: least must be"),
        (
            lambda: ready.monotone("x", "up"),
            "monotone: direction must be 'increasing' or 'decreasing', not 'up'",
        ),
        (
            lambda: ready.monotone(0, "increasing"),
            "monotone needs the name of a column as its attribute, not 0",
        ),
        (lambda: ready.no_cut("x", "up", 3), "no_cut: side must be 'above' or 'below', not 'up'"),
        (lambda: ready.no_category(3, "a"), "no_category needs the name of a column as its attribute, not 3"),
        (
            lambda: ready.category_only_with("c", "a", "c"),
            "category_only_with needs another column as its other, not 'c'",
        ),
        (
            lambda: ready.unchanged_when("x", None),
            "unchanged_when needs a number to add, or a category, as its change, not None",
        ),
        (lambda: ready.not_raised_when("x", 1, 2), "not_raised_when: most must be .* between 0 and 1, not 2"),
        (lambda: ready.demographic_parity("sex", 1.5), "demographic_parity: gap must be .* between 0 and 1"),
    ],
)
def test_bad_arguments_are_named(make, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        make()


CONSTRAINTS = [
    ready.max_false_negatives(2),
    ready.min_sensitivity(0.95),
    ready.max_uses("x", 1),
    ready.at_most_one_of(["x", "c"]),
    ready.require_pattern("x >= 2 AND c = a"),
    ready.forbid_pattern("x >= 2"),
    ready.budget({"x": 1.5}, 2),
    ready.monotone("x", "decreasing"),
    ready.demographic_parity("c", 0.1),
    ready.no_cut("x", "above", 3),
    ready.category_only_with("c", "a", "x"),
    ready.unchanged_when("x", -0.5),
    ready.not_lowered_when("x", -0.5),
    ready.equal_opportunity(["f", "m", None, "f"], 0.1),
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=repr)
def test_constraints_are_values(constraint: Any) -> None:
    for other in (copy.deepcopy(constraint), pickle.loads(pickle.dumps(constraint))):
        assert other == constraint
        assert hash(other) == hash(constraint)
        assert repr(other) == repr(constraint)
    assert constraint not in [other for other in CONSTRAINTS if other is not constraint]
    assert len(repr(constraint)) < 90
    with pytest.raises(AttributeError):
        constraint.most = 7


def test_texts_and_patterns_are_the_same() -> None:
    assert ready.require_pattern("x >= 2") == ready.require_pattern(RuleSet.parse("x >= 2").patterns[0])
    assert ready.demographic_parity(["f", "m"], 0.1) == ready.demographic_parity(np.array([0, 1]), 0.1)
    assert ready.demographic_parity(["f", "m"], 0.1) != ready.equal_opportunity(["f", "m"], 0.1)
