"""pandas: queries and masks predict the same."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from support.export_cases import TEXTS, Case
from support.exporting import cases, given_types

import ooa.export.pandas
from ooa.errors import OptionError, RuleError
from ooa.export import export
from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def pandas_frame(case: Case) -> pd.DataFrame:
    """Return a frame with the types that most frames have: float for numbers, no nullable types."""
    frame = case.frame
    plain = {name: "float64" for name, kind in case.kinds.items() if kind == "int"}
    return frame.astype(plain)


@pytest.mark.parametrize("mixed", [True, False])
def test_pandas_predicts_the_same(mixed: bool) -> None:
    queries = 0
    for case in cases(mixed):
        types = given_types(case, mixed)
        for frame in (pandas_frame(case), case.frame):
            for rules, expected in zip(case.rules[:4], case.expected):
                positive = [label == rules.positive for label in expected]
                mask = eval(export(rules, "pandas", what="mask", types=types), {"df": frame})
                assert frame[mask].index.tolist() == np.flatnonzero(positive).tolist()
                try:
                    text = export(rules, "pandas", types=types)
                except RuleError as error:
                    assert "what='mask'" in str(error)  # noqa: PT017
                    continue
                queries += 1
                assert frame.query(text, engine="python").index.tolist() == np.flatnonzero(positive).tolist()
    assert queries > 200


def test_query_finds_every_name_it_agrees_to_spell() -> None:
    spelt = 0
    for name in TEXTS:
        if ooa.export.pandas._can_spell(name) and name not in ooa.export.pandas._BUILT_IN:
            frame = pd.DataFrame({name: [1.0, 3.0, math.nan], "other_": [3.0, 1.0, 3.0]})
            query = export(RuleSet([Pattern([Range(name, 2)])]), "pandas")
            assert frame.query(query, engine="python").index.tolist() == [1]
            spelt += 1
    assert spelt > 40


def test_times_are_compared_in_utc_or_not_at_all() -> None:
    rules = RuleSet.parse("t >= 1970-01-02")
    mask, query = export(rules, "pandas", what="mask"), export(rules, "pandas")
    frame = pd.DataFrame({"t": pd.to_datetime(["1970-01-01 23:30", "1970-01-02 00:00", None])})
    for other in (frame, frame.astype("datetime64[ns]"), frame.astype(object)):
        assert rules.predict(other).tolist() == [0, 1, 0]
        assert other[eval(mask, {"df": other})].index.tolist() == [1]
        assert other.query(query, engine="python").index.tolist() == [1]
    there = frame.assign(t=frame.t.dt.tz_localize("UTC").dt.tz_convert("Europe/Berlin"))
    assert rules.predict(there).tolist() == [0, 1, 0]  # by the clock of Berlin the first is of the 2nd, too
    with pytest.raises(TypeError, match="timezone"):
        eval(mask, {"df": there})
    with pytest.raises(TypeError, match="timezone"):
        there.query(query, engine="python")


def test_query_says_what_it_cannot_spell() -> None:
    for name in ("", "a`b", "line\nbreak", "it's", "#", "(a]", "0x", "1_a", "inf", "e\u0301", "ﬁ", "😀"):
        rules = RuleSet([Pattern([Range(name, 2)])])
        with pytest.raises(RuleError, match="cannot spell"):
            export(rules, "pandas")
        mask = eval(export(rules, "pandas", what="mask", frame="t"), {"t": pd.DataFrame({name: [1.0, 3.0]})})
        assert mask.tolist() == [False, True]
    with pytest.raises(RuleError, match=r"'x y z' and 'x_y z'"):
        export(RuleSet([Pattern([Range("x y z", 2), Range("x_y z", 3)])]), "pandas")
    for options in ({"what": "loc"}, {"frame": "df; import os"}):
        with pytest.raises(OptionError):
            export(RuleSet(), "pandas", **options)


@pytest.mark.parametrize(
    "text", ["x != 3", "x IS MISSING", "x in {0, 5}", "x != 3 OR y = a AND x IS MISSING"]
)
def test_not_a_number_and_negative_zero_in_columns_of_arrow(text: str) -> None:
    """Arrow holds that NaN is a value, which is not missing, and finds no -0.0 among several numbers."""
    rules = RuleSet.parse(text)
    rows = pa.table({"x": pa.array([math.nan, None, 3.0, -0.0, 0.0, 5.0]), "y": ["a", "b"] * 3})
    frame = rows.to_pandas(types_mapper=pd.ArrowDtype)
    expected = np.flatnonzero(rules.predict(rows)).tolist()
    assert np.flatnonzero(rules.predict(frame)).tolist() == expected
    mask = eval(export(rules, "pandas", what="mask"), {"df": frame})
    assert frame[mask].index.tolist() == expected
    assert frame.query(export(rules, "pandas"), engine="python").index.tolist() == expected
