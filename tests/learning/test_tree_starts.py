"""Trees and forests as starts and as candidates of a fit."""

import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from support.tree_rows import mixed

from ooa.data.table import Table
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.rules.ruleset import RuleSet


@pytest.fixture(scope="module")
def problem():
    rng = np.random.default_rng(7)
    X = pd.DataFrame(
        {"a": rng.integers(0, 9, 60), "b": rng.integers(0, 9, 60), "c": rng.choice(["u", "v"], 60)}
    )
    y = ((X.a > 4) & (X.c == "u")) | (X.b > 6)
    coder = mixed(OneHotEncoder(), "c")
    tree = make_pipeline(coder, DecisionTreeClassifier(max_leaf_nodes=4, random_state=0)).fit(X, y)
    forest = make_pipeline(coder, RandomForestClassifier(3, max_depth=2, random_state=0)).fit(X, y)
    return Table.from_any(X, y), RuleSet.from_tree(tree), RuleSet.from_forest(forest)


@pytest.mark.parametrize("learn", [learn_ooa, learn_ooax])
def test_rule_sets_of_trees_are_starts(problem, learn):
    table, of_tree, of_forest = problem
    for start in (of_tree, of_forest):
        learned = learn(
            table, C1="1/100", C2="1/100", max_patterns=max(3, len(start)), start=start, time_limit=5
        )
        errors = int((start.predict(table) != table.y).sum())
        value = errors / 60 + (start.n_literals + len(start)) / 100
        assert learned.certificate.objective <= value + 1e-12


def test_without_time_the_start_is_what_remains(problem):
    table, of_tree, _ = problem
    learned = learn_ooax(table, C1="1/1000", C2="1/1000", start=of_tree, time_limit=0)
    assert list(learned.rules) == list(of_tree)


def test_patterns_of_forests_are_candidates(problem):
    table, _, of_forest = problem
    options = {"C1": "1/100", "C2": "1/100", "max_length": 1, "time_limit": 10}
    alone, helped = learn_ooax(table, **options), learn_ooax(table, **options, patterns=of_forest)
    assert helped.certificate.objective <= alone.certificate.objective
    assert helped.certificate.proved
