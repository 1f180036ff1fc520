"""A tree and the rule set it is equivalent to, on rows that hit every threshold."""

import math

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from sklearn.tree import DecisionTreeClassifier, ExtraTreeClassifier
from support.tree_rows import adversarial, positive_leaves, said

from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet
from ooa.rules.trees.equivalence import tree_rules


@given(
    seed=st.integers(0, 10**6),
    maker=st.sampled_from([DecisionTreeClassifier, ExtraTreeClassifier]),
    scale=st.sampled_from([1e-42, 1.0, 3e37]),
    depth=st.sampled_from([1, 3, None]),
    positive=st.sampled_from([None, "no", "yes"]),
)
@settings(max_examples=40)
def test_a_tree_is_equivalent_to_its_rule_set(seed, maker, scale, depth, positive):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)) * scale
    X[:, 1] = np.round(X[:, 1] / scale) * scale  # ties between values
    y = np.where(X[:, 0] + X[:, 1] * rng.choice([1, -1], 60) > 0, "yes", "no")
    y[:2] = "yes", "no"
    with np.errstate(all="ignore"):
        tree = maker(max_depth=depth, random_state=seed % 100).fit(X, y)
    made = tree_rules(tree, positive=positive, target="said")
    probe = np.vstack([X, adversarial([tree], 3, rng), rng.normal(size=(200, 3)) * scale])
    assert (made.rules.predict(probe) == said(tree, probe)).all()
    assert made.rules.target == "said"
    assert made.rules.positive == (positive or "yes")
    # Theorem 5: as many patterns as leaves with the label
    assert len(made.rules) == made.bound == positive_leaves(tree, int(made.rules.positive == "yes"))
    covered = made.rules.covers(probe).sum(axis=1)
    assert covered.max() <= 1  # leaves do not overlap


def test_conditions_on_one_attribute_become_one_range():
    tree = DecisionTreeClassifier(random_state=0).fit([[1], [2], [3], [4], [5]], [0, 1, 1, 0, 0])
    (pattern,) = RuleSet.from_tree(tree, feature_names=["size"])
    assert pattern.attributes == ("size",)
    assert pattern.literals[0].low == pytest.approx(1.5)
    assert pattern.literals[0].high == pytest.approx(3.5)


def test_a_tie_in_a_leaf_is_the_first_class():
    tree = DecisionTreeClassifier(max_depth=1).fit([[0], [0], [1], [1]], [0, 1, 1, 1])
    assert RuleSet.from_tree(tree).predict([[0.0], [1.0]]).tolist() == [0, 1]
    assert RuleSet.from_tree(tree, positive=0).predict([[0.0], [1.0]]).tolist() == [0, 1]


@pytest.mark.parametrize("labels", [["a", "b"], [False, True], [2, 7], [-1.0, 1.0]])
def test_any_two_labels(labels):
    X = np.arange(6.0).reshape(-1, 1)
    tree = DecisionTreeClassifier().fit(X, np.array(labels)[[0, 0, 1, 1, 0, 0]])
    for positive in labels:
        rules = RuleSet.from_tree(tree, positive=positive)
        assert rules.predict(X).tolist() == tree.predict(X).tolist()
        assert type(rules.positive) is type(positive)


def test_names_come_from_the_frame_the_caller_or_the_position():
    X = pd.DataFrame({"age": [1, 2, 3], "bmi": [1, 1, 1]})
    tree = DecisionTreeClassifier().fit(X, [0, 0, 1])
    assert RuleSet.from_tree(tree).attributes == ("age",)
    assert RuleSet.from_tree(tree, feature_names=["a", "b"]).attributes == ("a",)
    assert RuleSet.from_tree(DecisionTreeClassifier().fit(X.to_numpy(), [0, 0, 1])).attributes == ("x0",)
    with pytest.raises(OptionError, match="must name the 2 columns"):
        RuleSet.from_tree(tree, feature_names=["a"])
    with pytest.raises(OptionError, match="called 'a'"):
        RuleSet.from_tree(tree, feature_names=["a", "a"])


@pytest.mark.parametrize("missing", [False, True])
def test_a_tree_without_splits(missing):
    X = [[1.0], [2.0], [math.nan]] if missing else [[1.0], [2.0], [3.0]]
    tree = DecisionTreeClassifier(max_depth=1, min_samples_leaf=3).fit(X, [0, 1, 1])
    rules = RuleSet.from_tree(tree, missing=missing)
    assert rules.predict(X).tolist() == [1, 1, 1]
    assert len(rules) == 1 + missing
    assert len(RuleSet.from_tree(tree, positive=0)) == 0


@given(seed=st.integers(0, 10**6), lacking=st.sampled_from([0.0, 0.2, 0.6]))
@settings(max_examples=40)
def test_missing_values_are_followed_on_demand(seed, lacking):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] > 0) ^ (X[:, 1] > 0.5)
    X[rng.random(X.shape) < lacking] = np.nan
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, y)
    probe = np.vstack([X, adversarial([tree], 3, rng)])
    present = ~np.isnan(probe).any(axis=1)
    probe_lacking = np.where(rng.random(probe.shape) < 0.3, np.nan, probe)
    rules = RuleSet.from_tree(tree, missing=True)
    for data in (probe, probe_lacking):
        assert (rules.predict(data) == said(tree, data)).all()
    plain = tree_rules(tree)
    assert (plain.rules.predict(probe[present]) == said(tree, probe[present])).all()
    assert len(plain.rules) <= plain.bound
    assert "without missing" in plain.statement


def test_a_split_on_missing_alone():
    X = np.array([[1.0], [2.0], [3.0], [np.nan], [np.nan]])
    tree = DecisionTreeClassifier().fit(X, [0, 0, 0, 1, 1])
    assert RuleSet.from_tree(tree, missing=True) == RuleSet.parse("x0 IS MISSING")
    assert len(RuleSet.from_tree(tree)) == 0
    opposite = RuleSet.from_tree(tree, missing=True, positive=0)
    assert opposite.predict(X).tolist() == [0, 0, 0, 1, 1]
