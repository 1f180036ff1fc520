"""One meaning in every frame library: pandas, polars, pyarrow, numpy and plain Python agree."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped,unused-ignore]
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.strategies import SmallTable, covered, rules_for, tables
from support.sweeps import sweep

from ooa.errors import DataError, RuleError
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

_PANDAS = {"float": "float64", "int": "Int64", "bool": "boolean", "text": "str", "time": "datetime64[us]"}
_POLARS = {
    "float": pl.Float64(),
    "int": pl.Int64(),
    "bool": pl.Boolean(),
    "text": pl.String(),
    "time": pl.Datetime("us"),
}
_ARROW = {
    "float": pa.float64(),
    "int": pa.int32(),
    "bool": pa.bool_(),
    "text": pa.string(),
    "time": pa.timestamp("us"),
}


def objects(table: SmallTable) -> pd.DataFrame:
    """A pandas frame of objects in which missing values take every form in turn."""
    forms = [None, float("nan"), pd.NA, pd.NaT, np.datetime64("NaT")]
    frame = {}
    for name, column in table.columns.items():
        values = np.empty(table.n_rows, dtype=object)
        for i, value in enumerate(column):
            values[i] = forms[i % len(forms)] if value is None else value
        frame[name] = values
    return pd.DataFrame(frame)


def typed(table: SmallTable) -> pd.DataFrame:
    """A pandas frame of the dtypes that a person would have, nullable where there is a choice."""
    return pd.DataFrame(
        {name: pd.Series(table.columns[name], dtype=_PANDAS[kind]) for name, kind in table.kinds.items()}
    )


def guessed(table: SmallTable) -> pd.DataFrame:
    """A pandas frame as its constructor makes it: integers with gaps become floats."""
    return pd.DataFrame(table.columns)


def categorical(table: SmallTable) -> pd.DataFrame:
    """A pandas frame with category dtype wherever there are categories."""
    frame = guessed(table)
    for name, kind in table.kinds.items():
        if kind != "time":
            frame[name] = frame[name].astype("category")
    return frame


def polars(table: SmallTable) -> pl.DataFrame:
    return pl.DataFrame(
        {name: pl.Series(table.columns[name], dtype=_POLARS[kind]) for name, kind in table.kinds.items()}
    )


def polars_nan(table: SmallTable) -> pl.DataFrame:
    """A polars frame with NaN, which polars takes for the largest number, in place of null."""
    frame = polars(table)
    return frame.with_columns(pl.col(pl.Float64).fill_null(float("nan")))


def polars_categorical(table: SmallTable) -> pl.DataFrame:
    return polars(table).with_columns(pl.col(pl.String).cast(pl.Categorical))


def arrow(table: SmallTable) -> pa.Table:
    return pa.table(
        {name: pa.array(table.columns[name], type=_ARROW[kind]) for name, kind in table.kinds.items()}
    )


def arrow_dictionary(table: SmallTable) -> pa.Table:
    plain = arrow(table)
    columns = {
        name: plain[name].dictionary_encode() if kind == "text" else plain[name]
        for name, kind in table.kinds.items()
    }
    return pa.table(columns)


def dicts(table: SmallTable) -> Any:
    return table.rows() or guessed(table)  # an empty list has no columns


def lists(table: SmallTable) -> dict[str, list[Any]]:
    return table.columns


FORMS: list[Callable[[SmallTable], Any]] = [
    objects,
    typed,
    guessed,
    categorical,
    polars,
    polars_nan,
    polars_categorical,
    arrow,
    arrow_dictionary,
    dicts,
    lists,
]


@settings(max_examples=sweep(100, of=200))
@given(st.data())
def test_all_frames_agree_with_plain_python(data: st.DataObject) -> None:
    table = data.draw(tables())
    several = [data.draw(rules_for(table)) for _ in range(3)]
    forms = data.draw(st.lists(st.sampled_from(FORMS), min_size=4, max_size=4, unique=True))
    frames = [(form.__name__, form(table)) for form in forms]
    for rules in several:
        expected = np.array([covered(rules, row) for row in table.rows()], dtype=bool)
        expected = expected.reshape(table.n_rows, len(rules))
        for name, frame in frames:
            assert rules.covers(frame).tolist() == expected.tolist(), name
            with suppress(DataError):  # a column of another kind than the rules name
                assert rules.predict(frame).tolist() == expected.any(axis=1).astype(int).tolist(), name


def test_numpy_agrees_with_plain_python_on_many_tables() -> None:
    rng = np.random.default_rng(7)
    for _ in range(1000):
        X = rng.integers(0, 5, (rng.integers(0, 12), 3)) / 2
        X[rng.random(X.shape) < 0.15] = np.nan
        rules = RuleSet(
            Pattern([_random_literal(rng, f"x{j}") for j in rng.permutation(3)[: rng.integers(1, 4)]])
            for _ in range(rng.integers(0, 5))
        )
        rows = [{f"x{j}": None if np.isnan(v) else v for j, v in enumerate(row)} for row in X.tolist()]
        expected = [covered(rules, row) for row in rows]
        assert rules.covers(X).tolist() == expected
        as_objects = X.astype(object)
        as_objects[np.isnan(X)] = None
        assert rules.covers(as_objects).tolist() == expected


def _random_literal(rng: np.random.Generator, name: str) -> Any:
    a, b = (rng.integers(-1, 6, 2) / 2).tolist()
    kinds = [
        Equal(name, a),
        NotEqual(name, a),
        OneOf(name, [a, b]),
        IsMissing(name),
        Range(name, a, None, bool(rng.integers(2))),
        Range(name, None, b, True, bool(rng.integers(2))),
        Range(name, a, b, bool(rng.integers(2)), bool(rng.integers(2))),
    ]
    return kinds[rng.integers(len(kinds))]


def test_chunks_do_not_show() -> None:
    n = 200_001
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=n), "colour": rng.choice(["red", "blue", "green"], n)})
    frame.loc[100_000:, "colour"] = None  # later chunks see no category at all
    frame.loc[:70_000, "x"] = np.nan
    rules = RuleSet.parse("x > 0.5 OR colour = red OR x <= 0 AND colour IS MISSING OR colour != red")
    x, colour = frame["x"].to_numpy(), frame["colour"]
    assert rules[0] == Pattern([Equal("colour", "red")])
    expected = {
        "colour = red": (colour == "red").to_numpy(bool),
        "colour ≠ red": ((colour != "red") & colour.notna()).to_numpy(bool),
        "x > 0.5": x > 0.5,
        "colour IS MISSING AND x ≤ 0": colour.isna().to_numpy(bool) & (x <= 0),
    }
    covers = rules.covers(frame)
    for k, pattern in enumerate(rules):
        assert np.array_equal(covers[:, k], expected[str(pattern)])
    assert np.array_equal(rules.predict(frame) == 1, covers.any(axis=1))


@pytest.mark.parametrize(
    ("column", "matches"),
    [
        (pd.Series([1, 2, 3]), [True, False, False]),
        (pd.Series([1.0, np.nan, 3.0]), [True, False, False]),
        (pd.Series([1, 2, 3], dtype="category"), [True, False, False]),
        (pd.Series([1.0, None, 3.0], dtype="category"), [True, False, False]),
        (pd.Series([1, None, 3], dtype="Int64"), [True, False, False]),
        (pd.Series([1, None, 3], dtype=object), [True, False, False]),
        (pd.Series([None, None, None], dtype=object), [False, False, False]),
        (pd.Series([np.nan, np.nan, np.nan]), [False, False, False]),
        (pd.Series([None, None, None], dtype="boolean"), [False, False, False]),
    ],
)
def test_a_category_of_numbers_in_any_dtype(column: pd.Series[Any], matches: list[bool]) -> None:
    frame = column.to_frame("grade")
    assert RuleSet([Pattern([Equal("grade", 1)])]).predict(frame).tolist() == [int(m) for m in matches]
    present = column.notna().to_numpy()
    unequal = RuleSet([Pattern([NotEqual("grade", 1)])]).predict(frame)
    assert unequal.tolist() == (present & ~np.array(matches)).astype(int).tolist()


@pytest.mark.parametrize(
    ("column", "rules", "words"),
    [
        (pd.Series(["1", "2", None]), "g = 1", "holds text, but the rules compare it with numbers (1)"),
        (pd.Series([1, 2, None]), "g = '1'", "holds numbers, but the rules compare it with text ('1')"),
        (
            pd.Series([1, 2], dtype=object),
            "g != a",
            "holds numbers, but the rules compare it with text ('a')",
        ),
        (pd.Series([1, 2], dtype="category"), "g IN {a, b}", "holds numbers, but the rules"),
        (pd.Series([True, False]), "g = 1", "holds true/false, but the rules compare it with numbers (1)"),
        (pd.Series([0, 1]), "g = true", "holds numbers, but the rules compare it with true/false (True)"),
        (pd.Series(["yes", "no"]), "g = true", "holds text, but the rules compare it with true/false"),
        (pd.Series(np.array([1, 2], "datetime64[us]")), "g = 1", "holds times, but the rules"),
        (
            pd.Series([1, 2]),
            "g = a OR g = true",
            "holds numbers, but the rules compare it with text and true/false",
        ),
    ],
)
def test_a_column_that_can_never_match_is_refused(column: pd.Series[Any], rules: str, words: str) -> None:
    frame = column.to_frame("g")
    parsed = RuleSet.parse(rules)
    for use in (
        lambda: parsed.predict(frame),
        lambda: parsed.statistics(frame, [0] * len(frame)),
        lambda: parsed.explain(frame.iloc[:1]),
        lambda: parsed.predict(pl.from_pandas(frame)),
    ):
        with pytest.raises(DataError, match="never match") as caught:
            use()
        assert f"Column 'g' {words}" in str(caught.value)
    assert parsed.covers(frame).shape == (len(frame), len(parsed))  # what holds is a question of logic alone


def test_what_can_match_is_not_refused() -> None:
    frame = pd.DataFrame({"g": [1, 2]})
    assert RuleSet.parse("g = a OR g = 2").predict(frame).tolist() == [0, 1]
    assert RuleSet.parse("g = a OR x > 0").predict(pd.DataFrame({"g": ["b"], "x": [1]})).tolist() == [1]
    assert RuleSet.parse("g IS MISSING").predict(frame).tolist() == [0, 0]
    assert RuleSet.parse("g = 1.0").predict(frame).tolist() == [1, 0]
    assert RuleSet.parse("g > 0.5").predict(pd.DataFrame({"g": [True, False]})).tolist() == [1, 0]
    assert RuleSet.parse("g = a").predict(frame.iloc[:0]).tolist() == []


def test_unseen_categories_never_match() -> None:
    frame = pd.DataFrame({"colour": pd.Categorical(["red", "blue"])})
    assert RuleSet.parse("colour = violet OR colour IN {pink, 3}").predict(frame).tolist() == [0, 0]
    assert RuleSet.parse("colour != violet").predict(frame).tolist() == [1, 1]


def test_only_columns_in_use_are_touched() -> None:
    frame = pd.DataFrame({"bad": [object(), {}], "x": [1, 5]})
    assert RuleSet.parse("x > 3").predict(frame).tolist() == [0, 1]
    assert RuleSet().predict(frame).tolist() == [0, 0]
    assert RuleSet().covers(frame).shape == (2, 0)


def test_columns_that_do_not_fit_are_named() -> None:
    with pytest.raises(RuleError, match="The rules use 'a', 'b', but the data have no such columns"):
        RuleSet.parse("a > 1 AND b > 1 AND x > 1").predict(pd.DataFrame({"x": [1]}))
    with pytest.raises(DataError, match="'x'"):
        RuleSet.parse("x > 1").predict(pd.DataFrame({"x": ["12", "13"]}))
    with pytest.raises(DataError, match="Column 'x' holds times"):
        RuleSet.parse("x > 1").predict(pd.DataFrame({"x": pd.to_datetime(["2020-01-01"])}))
    with pytest.raises(DataError, match="Column 'x' holds numbers"):
        RuleSet.parse("x > 2020-01-01").predict(pd.DataFrame({"x": [3]}))


def test_times() -> None:
    rules = RuleSet.parse("2020-01-01 <= when < 2021-01-01T12:00:00")
    moments: Any = ["2019-12-31T23:59:59.999999", "2020-01-01", None, "2021-01-01T11:59", "2021-01-01T12:00"]
    frame = pd.DataFrame({"when": pd.to_datetime(moments, format="ISO8601")})
    assert rules.predict(frame).tolist() == [0, 1, 0, 1, 0]
    assert rules.predict(pl.from_pandas(frame)).tolist() == [0, 1, 0, 1, 0]
    utc = frame["when"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo").to_frame()
    assert rules.predict(utc).tolist() == [0, 1, 0, 1, 0]


def test_labels_are_the_rule_sets_own() -> None:
    X = np.array([[0.0], [2.0]])
    pairs: list[Any] = [
        ("no", "yes"),
        (False, True),
        (0.0, 1.0),
        (-1, 1),
        (0, 0.5),
        ("no", 1),
        (2**70, "a\x00"),
    ]
    for negative, positive in pairs:
        predicted = RuleSet([Pattern([Range("x0", 1)])], "y", positive, negative).predict(X)
        assert predicted.tolist() == [negative, positive]
        assert [type(label) for label in predicted.tolist()] == [type(negative), type(positive)]


def test_statistics_agree_with_counting() -> None:
    rng = np.random.default_rng(3)
    X, weight = rng.normal(size=(500, 3)), rng.integers(0, 4, 500).astype(float)
    y = rng.choice(["no", "yes"], 500)
    rules = RuleSet.parse("x0 > 0 AND x1 > 0 OR x1 > 1 OR x2 < -1 OR x0 > 99 -> y = yes ELSE no")
    found = rules.statistics(X, y, sample_weight=weight)
    covers = rules.covers(X)
    assert found.index.tolist() == ["x0 > 99", "x1 > 1", "x2 < -1", "x0 > 0 ∧ x1 > 0"]
    for named, counted in (("", weight > 0), ("weighted_", weight)):  # weight 0: as good as absent
        for k in range(len(rules)):
            assert found["literals"].iloc[k] == len(rules[k])
            support = counted[covers[:, k]].sum()
            positives = counted[covers[:, k] & (y == "yes")].sum()
            assert found[f"{named}support"].iloc[k] == support
            assert found[f"{named}positives"].iloc[k] == positives
            assert found[f"{named}negatives"].iloc[k] == support - positives
            assert found[f"{named}recall"].iloc[k] == positives / counted[y == "yes"].sum()
            alone = counted[covers[:, k] & (covers.sum(axis=1) == 1)].sum()
            assert found[f"{named}marginal_coverage"].iloc[k] == alone
            precision = positives / support if support else np.nan
            np.testing.assert_equal(found[f"{named}precision"].iloc[k], precision)
    rows = rules.statistics(X[weight > 0], y[weight > 0])
    assert found[rows.columns].equals(rows)  # rows are counted as rows, weighted or not
    assert not any(name.startswith("weighted_") for name in rows)
    assert RuleSet().statistics(np.zeros((2, 1)), [0, 1]).empty


def test_statistics_check_labels_and_weights() -> None:
    rules, X = RuleSet.parse("x0 > 0"), np.zeros((3, 1))
    with pytest.raises(DataError, match="label of row 1 is 2, neither 1 nor 0"):
        rules.statistics(X, [0, 2, 1])
    with pytest.raises(DataError, match="label of row 2 is missing"):
        rules.statistics(X, [0, 1, None])
    with pytest.raises(DataError, match="3 rows but 2 labels"):
        rules.statistics(X, [0, 1])
    with pytest.raises(DataError, match="sample_weight in row 1"):
        rules.statistics(X, [0, 1, 1], [1, -1, 1])
    with pytest.raises(DataError, match="sample_weight has 2 values for 3 rows"):
        rules.statistics(X, [0, 1, 1], [1, 1])
    assert rules.statistics(X, [False, True, True])["support"].tolist() == [0]
