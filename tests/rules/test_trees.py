"""Trees and forests as rule sets: the same prediction on every input, and the sizes of Theorems 5 and 6."""

import itertools
import math

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.ensemble import BaggingClassifier, ExtraTreesClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier

from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.rules.literal import Equal, IsMissing, NotEqual
from ooa.rules.ruleset import RuleSet
from ooa.rules.trees.cells import highest_left
from ooa.rules.trees.equivalence import forest_rules, tree_rules
from ooa.rules.trees.votes import theorem_6

LARGEST = float(np.finfo(np.float32).max)
BEYOND = LARGEST * (1 + 2.0**-25)  # the first number that rounds to infinity, half a step away


def around(value):
    """Numbers that a comparison with a value in float32 could get wrong."""
    single = np.float32(min(max(value, -LARGEST), LARGEST))
    with np.errstate(over="ignore"):
        near = [single, np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf))]
    found = {float(value), *(float(x) for x in near if np.isfinite(x))}
    found |= {(a + b) / 2 for a, b in itertools.combinations(sorted(found), 2)}
    found |= {math.nextafter(x, side) for x in found for side in (-math.inf, math.inf)}
    return sorted(x for x in found if abs(x) < BEYOND)


def adversarial(trees, n_columns, rng, n=400):
    """Rows whose values lie at, between and right beside the thresholds of trees."""
    pools = [[0.0, -LARGEST, LARGEST, 1e-45, -1e-300] for _ in range(n_columns)]
    for tree in trees:
        for column, threshold in zip(tree.tree_.feature, tree.tree_.threshold):
            if column >= 0:
                pools[column] += around(float(threshold)) if math.isfinite(threshold) else []
    return np.array([rng.choice(pool, n) for pool in pools]).T


def said(model, X):
    """What a model predicts; scikit-learn's own check of the input overflows on the largest numbers."""
    with np.errstate(all="ignore"):
        return model.predict(X)


def positive_leaves(tree, index=1):
    ends = tree.tree_.children_left < 0
    return int((tree.tree_.value[ends, 0].argmax(axis=1) == index).sum())


# -- thresholds ----------------------------------------------------------------------------------

single_floats = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(single_floats | st.floats(-LARGEST, LARGEST) | st.floats(-1e-40, 1e-40), st.data())
@settings(max_examples=250)
def test_numbers_go_left_exactly_as_in_float32(threshold, data):
    end, closed = highest_left(threshold)
    more = data.draw(st.lists(st.floats(-LARGEST, LARGEST), max_size=5))
    for x in [*around(threshold), *([end, *around(end)] if math.isfinite(end) else []), *more]:
        if abs(x) < BEYOND:
            with np.errstate(all="ignore"):
                left = float(np.float32(x)) <= threshold
            assert (x <= end if closed else x < end) == left, (threshold, x)


def test_thresholds_beyond_float32():
    assert highest_left(math.inf) == highest_left(LARGEST) == (math.inf, True)
    assert highest_left(-math.inf) == highest_left(-1e39) == (-math.inf, False)
    assert highest_left(0.0) == (2.0**-150, True)
    assert highest_left(-0.0) == (2.0**-150, True)
    odd = float(np.nextafter(np.float32(1), np.float32(2)))
    assert highest_left(odd) == (1 + 1.5 * 2.0**-23, False)


# -- trees ---------------------------------------------------------------------------------------


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


# -- encoders ------------------------------------------------------------------------------------


def people(rng, n=150):
    """A mixed table with a rule in it."""
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "colour": rng.choice(["red", "green", "blue", "grey"], n),
            "member": rng.choice([True, False], n),
            "grade": rng.choice([1, 2, 3], n),
        }
    )
    y = ((frame.colour == "red") & (frame.age > 40)) | ((frame.colour != "blue") & (frame.grade == 2))
    flip = rng.random(n) < 0.1
    return frame, np.where(y ^ flip, "yes", "no")


def mixed(encoder, *columns, remainder="passthrough"):
    return ColumnTransformer([("coded", encoder, list(columns))], remainder=remainder)


ENCODERS = {
    "one-hot": OneHotEncoder(),
    "dense": OneHotEncoder(sparse_output=False, drop="first"),
    "if binary": OneHotEncoder(drop="if_binary"),
    "ignoring": OneHotEncoder(handle_unknown="ignore"),
    "rare": OneHotEncoder(min_frequency=40, handle_unknown="infrequent_if_exist"),
    "few": OneHotEncoder(max_categories=2, drop="first"),
    "given": OneHotEncoder(categories=[["grey", "blue", "red", "green", "pink"], [False, True], [1, 2, 3]]),
    "ordinal": OrdinalEncoder(),
    "ordinal, unknown": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    "ordinal, NaN": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan),
}


@pytest.mark.parametrize("encoder", ENCODERS.values(), ids=ENCODERS)
@pytest.mark.parametrize("depth", [2, 5])
def test_encoded_categories_become_values_again(encoder, depth):
    rng = np.random.default_rng(depth)
    X, y = people(rng)
    pipe = make_pipeline(
        mixed(encoder, "colour", "member", "grade"), DecisionTreeClassifier(max_depth=depth, random_state=1)
    ).fit(X, y)
    made = tree_rules(pipe)
    more, _ = people(rng, 600)
    for data in (X, more):
        assert (made.rules.predict(data) == pipe.predict(data)).all()
    assert len(made.rules) == made.bound == positive_leaves(pipe[-1])
    assert set(made.rules.attributes) <= set(X.columns)
    assert "the encoder knows" in made.statement


def test_one_hot_columns_read_as_equal_and_not_equal():
    X = pd.DataFrame({"colour": ["red", "green", "blue"] * 4})
    tree = make_pipeline(OneHotEncoder(), DecisionTreeClassifier())
    assert set(RuleSet.from_tree(tree.fit(X, X.colour == "red"))[0]) == {Equal("colour", "red")}
    assert set(RuleSet.from_tree(tree.fit(X, X.colour != "red"))[0]) == {NotEqual("colour", "red")}


@pytest.mark.parametrize(
    "encoder",
    [
        OneHotEncoder(handle_unknown="ignore"),
        OneHotEncoder(handle_unknown="infrequent_if_exist", min_frequency=30),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1, encoded_missing_value=-2),
        OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=np.nan),
    ],
    ids=["ignore", "infrequent", "ordinal", "ordinal, NaN"],
)
@pytest.mark.parametrize("missing", [False, True])
def test_unknown_categories_are_followed_or_refused(encoder, missing):
    followed = 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = people(rng)
        X = X[["colour", "age"]]
        if missing:
            X = X.assign(colour=X.colour.where(rng.random(len(X)) < 0.8, None).astype(object))
        pipe = make_pipeline(
            mixed(encoder, "colour"), DecisionTreeClassifier(max_depth=3, random_state=seed)
        ).fit(X, y)
        new = np.where(rng.random(len(X)) < 0.3, "pink", "mauve")
        more = X.assign(colour=np.where(rng.random(len(X)) < 0.5, new, X.colour).astype(object))
        try:
            rules = RuleSet.from_tree(pipe, unknown=True, missing=missing)
        except RuleError:
            with pytest.raises(RuleError, match="'colour' is none of"):
                RuleSet.from_tree(pipe, unknown=True, missing=missing)
        else:
            followed += 1
            assert (rules.predict(more) == pipe.predict(more)).all()
    assert followed


def test_missing_categories_are_followed():
    rng = np.random.default_rng(0)
    X, y = people(rng)
    X["colour"] = X.colour.where(rng.random(len(X)) < 0.7, None).astype(object)
    y = np.where(X.colour.isna() & (X.age > 50), "yes", y)
    for encoder in (OneHotEncoder(), OneHotEncoder(drop="first"), OrdinalEncoder()):
        pipe = make_pipeline(
            mixed(encoder, "colour", "member"), DecisionTreeClassifier(max_depth=4, random_state=0)
        ).fit(X, y)
        rules = RuleSet.from_tree(pipe, missing=True)
        assert (rules.predict(X) == pipe.predict(X)).all()
        assert any(isinstance(literal, IsMissing) for pattern in rules for literal in pattern)


def test_none_and_nan_told_apart_are_refused():
    X = np.array([["a"], [None], [np.nan]] * 2, dtype=object)
    pipe = make_pipeline(OneHotEncoder(), DecisionTreeClassifier()).fit(X, [0, 1, 0, 0, 1, 0])
    with pytest.raises(RuleError, match="None and NaN apart in column 'x0'"):
        RuleSet.from_tree(pipe, missing=True)


def test_every_way_to_name_columns():
    rng = np.random.default_rng(5)
    X, y = people(rng)
    coded = Pipeline([("only", OneHotEncoder(drop="if_binary"))])
    for columns, rest in [
        ("colour", []),
        (["colour"], ["drop"]),
        (slice("colour", "member"), []),
        (slice(1, 3), []),
        ([1], []),
        ([-3], []),
        (np.array([False, True, False, False]), []),
        (make_column_selector(pattern="colour|member"), []),
    ]:
        listed = [columns] if isinstance(columns, str) else columns
        parts = [
            ("same", FunctionTransformer(), ["age", "grade"]),
            ("coded", coded, listed),
            ("no", "drop", ["member"]),
        ]
        parts += [("none", OneHotEncoder(), [])]
        step = ColumnTransformer(parts, remainder="drop" if rest else "passthrough")
        pipe = make_pipeline(None, step, "passthrough", DecisionTreeClassifier(max_depth=4, random_state=0))
        pipe.fit(X, y)
        assert (RuleSet.from_tree(pipe).predict(X) == pipe.predict(X)).all()


def test_arrays_of_numbers_one_hot_encoded():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 4, (80, 2)).astype(float)
    pipe = make_pipeline(OneHotEncoder(), DecisionTreeClassifier(random_state=0))
    pipe.fit(X, (X[:, 0] == 2) | (X[:, 1] == 3))
    rules = RuleSet.from_tree(pipe)
    assert rules.attributes == ("x0", "x1")
    assert (rules.predict(X) == pipe.predict(X)).all()


def test_what_cannot_be_read():
    X, y = np.arange(12.0).reshape(6, 2), [0, 0, 0, 1, 1, 1]
    tree = DecisionTreeClassifier()
    for model, error, words in [
        (make_pipeline(StandardScaler(), tree).fit(X, y), RuleError, "through StandardScaler"),
        (make_pipeline(FunctionTransformer(np.log1p), tree).fit(X, y), RuleError, "FunctionTransformer"),
        (
            make_pipeline(OneHotEncoder(sparse_output=False), OneHotEncoder(), tree).fit(X, y),
            RuleError,
            "'x0' is encoded twice",
        ),
        (DecisionTreeClassifier(), OptionError, "not a fitted"),
        (make_pipeline(StandardScaler(), DecisionTreeClassifier()), OptionError, "not a fitted"),
        ("tree", OptionError, "str is not a fitted"),
        (DecisionTreeRegressor().fit(X, y), OptionError, "not a decision tree that classifies"),
        (tree.fit(X, [0, 1, 2, 0, 1, 2]), OptionError, "two classes"),
        (DecisionTreeClassifier().fit(X, [1] * 6), OptionError, "two classes"),
        (DecisionTreeClassifier().fit(X, np.array([y, y]).T), OptionError, "one target"),
    ]:
        with pytest.raises(error, match=words):
            RuleSet.from_tree(model)
    with pytest.raises(OptionError, match="positive=3 is not one of the classes 0 and 1"):
        RuleSet.from_tree(DecisionTreeClassifier().fit(X, y), positive=3)
    both = ColumnTransformer([("a", OneHotEncoder(), [0]), ("b", "passthrough", [0])])
    again = make_pipeline(both, ExtraTreeClassifier(random_state=1)).fit(X, [0, 1, 0, 1, 1, 0])
    with pytest.raises(RuleError, match="'x0' reaches the trees in two forms"):
        RuleSet.from_tree(again)


# -- forests -------------------------------------------------------------------------------------


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


# -- as starts and candidates --------------------------------------------------------------------


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
