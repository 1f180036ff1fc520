"""A forest and the rule set it is equivalent to, and how large that can get."""

import itertools
import math

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from support.tree_rows import adversarial, mixed, people, said

from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet
from ooa.rules.trees.equivalence import forest_rules
from ooa.rules.trees.votes import theorem_6


def votes(forest, X):
    """The majority of the trees' own predictions; a tie is the first class."""
    views = getattr(forest, "estimators_features_", [np.arange(X.shape[1])] * len(forest.estimators_))
    ballots = [said(tree, X[:, view]).astype(int) for tree, view in zip(forest.estimators_, views)]
    return forest.classes_[(2 * np.sum(ballots, axis=0) > len(ballots)).astype(int)]


@given(
    seed=st.integers(0, 10**6),
    n_trees=st.integers(1, 5),
    depth=st.sampled_from([1, 2, 3]),
    maker=st.sampled_from(["forest", "extra", "bag"]),
    positive=st.sampled_from([None, "no"]),
)
@settings(max_examples=40)
def test_a_forest_is_equivalent_to_its_rule_set(seed, n_trees, depth, maker, positive):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, (50, 3)).astype(float) / rng.choice([1.0, 3.0])
    y = np.where((X[:, 0] > X[:, 1]) ^ (rng.random(50) < 0.2), "yes", "no")
    y[:2] = "yes", "no"
    options = {"n_estimators": n_trees, "random_state": seed % 50}
    if maker == "bag":
        base = DecisionTreeClassifier(max_depth=depth)
        forest = BaggingClassifier(base, max_features=2, max_samples=0.3, **options)
    else:
        kind = RandomForestClassifier if maker == "forest" else ExtraTreesClassifier
        forest = kind(max_depth=depth, **options)
    forest.fit(X, y)
    views = getattr(forest, "estimators_features_", [[0, 1, 2]] * n_trees)
    probe = [X, rng.random((200, 3)) * 6]
    for tree, view in zip(forest.estimators_, views):
        edges = np.zeros((100, 3))
        edges[:, view] = adversarial([tree], len(view), rng, 100)
        probe.append(edges)
    probe = np.vstack(probe)
    soft = forest_rules(forest, positive=positive)
    assert (soft.rules.predict(probe) == said(forest, probe)).all()
    hard = forest_rules(forest, positive=positive, voting="hard")
    assert (hard.rules.predict(probe) == votes(forest, probe)).all()
    assert len(hard.rules) <= hard.bound  # Theorem 6
    for made in (soft, hard):  # no pattern is contained in another
        assert not any(a.implies(b) for a, b in itertools.permutations(made.rules, 2))
        assert not any(pattern.is_empty for pattern in made.rules)


def test_pure_leaves_make_soft_and_hard_the_same():
    rng = np.random.default_rng(0)
    X = np.unique(rng.random((15, 2)).round(2), axis=0)
    forest = RandomForestClassifier(4, random_state=0, bootstrap=False).fit(X, X[:, 0] > X[:, 1])
    soft, hard = forest_rules(forest), forest_rules(forest, voting="hard")
    assert soft.rules == hard.rules
    assert soft.bound == hard.bound is not None
    assert "majority" in hard.statement


def test_sums_of_thirds_are_rounded_as_in_scikit_learn():
    # 1/3 + 2/3 and the like: which label has the higher average is a matter of rounding in these forests.
    rng = np.random.default_rng(3)
    for seed in range(20):
        X = rng.integers(0, 3, (36, 2)).astype(float)
        y = rng.random(36) < 0.5
        y[:2] = False, True
        forest = RandomForestClassifier(4, max_depth=2, random_state=seed, bootstrap=False).fit(X, y)
        grid = np.array(list(itertools.product([0, 1, 2], repeat=2)), dtype=float)
        for positive in (False, True):
            rules = RuleSet.from_forest(forest, positive=positive)
            assert (rules.predict(grid) == said(forest, grid)).all()


def test_forests_follow_missing_values_and_encoders():
    rng = np.random.default_rng(2)
    X, y = people(rng)
    forest = RandomForestClassifier(3, max_depth=3, random_state=0)
    pipe = make_pipeline(mixed(OneHotEncoder(), "colour", "member"), forest).fit(X, y)
    more, _ = people(rng, 500)
    for voting in ("soft", "hard"):
        made = forest_rules(pipe, voting=voting)
        if voting == "soft":
            assert (made.rules.predict(more) == pipe.predict(more)).all()
        else:
            assert len(made.rules) <= made.bound
    numbers = rng.normal(size=(80, 3))
    numbers[rng.random(numbers.shape) < 0.3] = np.nan
    forest = RandomForestClassifier(3, max_depth=2, random_state=1)
    forest.fit(numbers, np.nan_to_num(numbers[:, 0]) > np.nan_to_num(numbers[:, 1]))
    rules = RuleSet.from_forest(forest, missing=True)
    assert (rules.predict(numbers) == forest.predict(numbers)).all()


@pytest.mark.parametrize("leaves", [[2], [1, 1], [3, 0, 2], [2, 3, 4, 5], [7, 1, 2, 2, 6]])
def test_the_bound_of_theorem_6(leaves):
    for needed in range(1, len(leaves) + 1):
        sets = itertools.combinations(leaves, needed)
        assert theorem_6(leaves, needed) == sum(math.prod(chosen) for chosen in sets)


def test_large_forests_are_given_up_before_memory_is_lost():
    rng = np.random.default_rng(0)
    X = rng.random((300, 6))
    forest = RandomForestClassifier(25, random_state=0).fit(X, X.sum(axis=1) > 3)
    with pytest.raises(OptionError, match="max_patterns=100"):
        RuleSet.from_forest(forest, max_patterns=100)
    small = RandomForestClassifier(5, max_depth=3, random_state=0).fit(X, X.sum(axis=1) > 3)
    with pytest.raises(OptionError, match="given up after"):
        RuleSet.from_forest(small, max_patterns=2)
    for wrong, words in [({"voting": "loud"}, "'loud'"), ({"max_patterns": 0}, "max_patterns")]:
        with pytest.raises(OptionError, match=words):
            RuleSet.from_forest(small, **wrong)
    with pytest.raises(OptionError, match="LogisticRegression, not of trees"):
        RuleSet.from_forest(BaggingClassifier(LogisticRegression()).fit(X, X[:, 0] > 0.5))
    with pytest.raises(OptionError, match="is not a forest"):
        RuleSet.from_forest(DecisionTreeClassifier().fit(X, X[:, 0] > 0.5))
