"""The first pattern, against brute force, and the sentences that explain a trivial rule set."""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ooa.candidates.generate import candidate_literals
from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.estimators import OOAxClassifier
from ooa.learning.certificate import count
from ooa.learning.empty_result import FirstPattern, TrivialResult, first_pattern
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def prices(table, literals, max_length):
    """Every pattern's price, by evaluating them one by one."""
    total = Fraction(float(table.weight.sum()))
    for length in range(1, max_length + 1):
        for chosen in combinations(literals.literals, length):
            if len({literal.attribute for literal in chosen}) == length:
                fires = RuleSet([Pattern(chosen)]).covers(table.as_frame()).any(axis=1)
                net = Fraction(float(table.positive[fires].sum() - table.negative[fires].sum()))
                yield net / (total * (length + 1))


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 12), st.integers(1, 3), st.integers(0, 2**32 - 1))
def test_first_pattern_is_the_best_of_all(n_rows, n_columns, seed):
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(rng.integers(0, 3, (n_rows, n_columns)), columns=list("abc")[:n_columns])
    y = np.append(rng.integers(0, 2, n_rows - 2), [0, 1])
    table = Table.from_any(X, y, sample_weight=rng.integers(1, 4, n_rows))
    literals = candidate_literals(table)
    best = max(prices(table, literals, n_columns), default=Fraction(0))
    first = first_pattern(table, literals, max_length=n_columns)
    if best <= 0:
        assert first is None
        return
    assert first.price == best
    # Just below the price the pattern beats the empty rule set, at it they are equal.
    alone, empty = RuleSet([first.pattern]), RuleSet([])
    for factor, compare in ((Fraction(999, 1000), "<"), (Fraction(1), "=")):
        objective = Objective(factor * first.price, factor * first.price)
        with_it, without = (count(rules, table, objective).objective for rules in (alone, empty))
        assert with_it < without if compare == "<" else with_it == without


def test_the_price_that_is_named_admits_the_pattern_that_is_named():
    rng = np.random.default_rng(4)
    X = pd.DataFrame({"a": rng.integers(0, 5, 80), "b": rng.choice(["u", "v", "w"], 80)})
    y = ((X["a"] > 2) & (X["b"] != "u")) ^ (rng.random(80) < 0.1)
    with pytest.warns(OOAWarning, match="best rule set is empty") as caught:
        model = OOAxClassifier(C1=0.3, C2=0.3).fit(X, y)
    assert [str(warning.message) for warning in caught] == [model.explanation_]
    named = re.search(
        r"C1 = C2 below ([\d.e-]+) would admit the pattern \((.*?)\), which", model.explanation_
    )
    price = float(named[1]) * 0.999
    assert RuleSet.parse(named[2]) == RuleSet(model.fit(X, y, C1=price, C2=price).rules_)
    assert model.explanation_ is None


def test_min_support_is_respected():
    X, y = pd.DataFrame({"a": [1, 2, 3, 4, 5, 6]}), [0, 0, 0, 0, 1, 1]
    words = r"\(a ≥ 5\), which covers 2 of 2 rows labelled 1 and 0 of 4 labelled 0"
    with pytest.warns(OOAWarning, match=words):
        OOAxClassifier(C1=0.5, C2=0.5).fit(X, y)
    with pytest.warns(OOAWarning, match="no pattern covers more 1 than 0"):
        OOAxClassifier(C1=0.5, C2=0.5, min_support=3).fit(X, y)


def test_nothing_pays_at_any_price():
    X = pd.DataFrame({"a": [1, 1, 1, 2, 2, 2]})
    with pytest.warns(
        OOAWarning,
        match="only 17 % of the rows are 'yes', so to predict none costs little; class_weight='balanced'",
    ):
        OOAxClassifier(C1=0, C2=0).fit(X, ["yes", "no", "no", "no", "no", "no"])


def test_everything_is_predicted_positive():
    X = pd.DataFrame({"a": [1, 2] * 5})
    y = [1, 1, 1, 1, 1, 1, 1, 1, 0, 1]
    with pytest.warns(OOAWarning, match="Every training row is predicted 1, which 90 % of the rows are"):
        model = OOAxClassifier(C1=0.01, C2=0.01).fit(X, y)
    assert "positive=0" in model.explanation_
    assert model.predict(X).all()


FACTS = {"labels": ("no", "yes"), "weight": (6.0, 2.0), "objective": Objective.of(0.25, 0.5)}
PAYS = FirstPattern(Pattern.parse("a >= 3"), positive=2.0, negative=1.0, price=Fraction(1, 24))


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        (
            {"every_row": True, "first": PAYS},
            "Every training row is predicted 'yes', which 25 % of the rows are: prices below C1 = 0.25, "
            "C2 = 0.5 would admit finer patterns, and positive='no' would learn patterns of the other class.",
        ),
        (
            {"constrained": True, "proved": True},
            "The best rule set found under these constraints is empty at C1 = 0.25, C2 = 0.5.",
        ),
        (
            {"told_apart": False},
            "No rule set better than the empty one was found at C1 = 0.25, C2 = 0.5: no column has two "
            "different values to tell rows apart by.",
        ),
        (
            {"proved": True, "first": PAYS},
            "The best rule set is empty, as no pattern is worth its price at C1 = 0.25, C2 = 0.5: C1 = C2 "
            "below 0.0416 would admit the pattern (a ≥ 3), which covers 2 of 2 rows labelled 'yes' and 1 "
            "of 6 labelled 'no'.",
        ),
        (
            {"proved": True},
            "The best rule set is empty, as no pattern is worth its price at C1 = 0.25, C2 = 0.5: no pattern "
            "covers more 'yes' than 'no'; class_weight='balanced' gives the rows labelled 'yes' more weight.",
        ),
        (
            {"weight": (2.0, 2.0)},
            "No rule set better than the empty one was found at C1 = 0.25, C2 = 0.5: no pattern covers more "
            "'yes' than 'no'; positive='no' would learn patterns of the other class.",
        ),
    ],
)
def test_facts_as_sentences(facts, sentence):
    assert TrivialResult(**FACTS | facts).sentence() == sentence
