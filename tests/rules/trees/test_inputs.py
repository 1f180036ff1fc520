"""What stands before a tree: encoders, whose columns become values again."""

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor, ExtraTreeClassifier
from support.tree_rows import mixed, people, positive_leaves

from ooa.errors import OptionError, RuleError
from ooa.rules.literal import Equal, IsMissing, NotEqual
from ooa.rules.ruleset import RuleSet
from ooa.rules.trees.equivalence import tree_rules

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
