from __future__ import annotations

import ast
import datetime
import decimal
import json
import math
import random
import shutil
import sqlite3
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from support.export_cases import HOSTILE, NAMES, TEXTS, Case, random_case
from support.strategies import EPOCH

import ooa.export.pandas
from ooa.errors import BackendUnavailable, OptionError, RuleError
from ooa.export import FORMATS, export
from ooa.export.plain import plain_patterns
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

needs_sqlglot = pytest.mark.skipif(find_spec("sqlglot") is None, reason="sqlglot is not installed")
needs_duckdb = pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is not installed")
needs_pypmml = pytest.mark.skipif(
    find_spec("pypmml") is None or shutil.which("java") is None, reason="pypmml or Java is not installed"
)
NUL = "\x00"


@cache
def cases(mixed: bool) -> list[Case]:
    """Draw what all engines are tried on: 1,600 rule sets that fit the types of their columns, or may not."""
    rng = random.Random(f"export {mixed}")
    return [random_case(rng, mixed=mixed) for _ in range(80)]


def given_types(case: Case, mixed: bool) -> Any:
    """Return the types where an export needs them: to settle a clash, or to tell text from NaN."""
    return (
        case.types
        if mixed or any("nan" in map(str.lower, filter(_is_text, c)) for c in case.columns.values())
        else None
    )


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def load(database: Any, case: Case, sql_types: dict[str, str], convert: Any = lambda cell: cell) -> None:
    """Put a case's table into a database."""
    declared = ", ".join(f"{quoted(name)} {sql_types[kind]}" for name, kind in case.kinds.items())
    database.execute("DROP TABLE IF EXISTS data")
    database.execute(f"CREATE TABLE data (row_number INTEGER, {declared})")
    marks = ", ".join("?" * (len(case.kinds) + 1))
    rows = [[i, *map(convert, row.values())] for i, row in enumerate(case.rows())]
    database.executemany(f"INSERT INTO data VALUES ({marks})", rows)


# SQL ------------------------------------------------------------------------------------------------------


def in_engine(execute: Any, case: Case, dialect: str, types: Any) -> list[list[Any]]:
    """Evaluate all rule sets of a case in one query."""
    labels = [export(rules, "sql", dialect=dialect, types=types) for rules in case.rules]
    rows = execute(f"SELECT {', '.join(labels)} FROM data ORDER BY row_number").fetchall()
    return [list(column) for column in zip(*rows)]


def sqlite_cell(cell: Any) -> Any:
    """Spell times in the ways they are spelt: with a T or a blank, and without a time at midnight."""
    if not isinstance(cell, datetime.datetime):
        return cell
    text = cell.isoformat(sep="T" if cell.day % 2 else " ")
    return text.removesuffix("T00:00:00")


@needs_sqlglot
@pytest.mark.parametrize("mixed", [True, False])
def test_sqlite_predicts_the_same(mixed: bool) -> None:
    sql_types = {"float": "REAL", "int": "INTEGER", "bool": "INTEGER", "text": "TEXT", "time": "TEXT"}
    for case in cases(mixed):
        database = sqlite3.connect(":memory:")
        load(database, case, sql_types, sqlite_cell)
        assert in_engine(database.execute, case, "sqlite", given_types(case, mixed)) == case.expected
        database.close()


@needs_sqlglot
@needs_duckdb
@pytest.mark.parametrize("mixed", [True, False])
def test_duckdb_predicts_the_same(mixed: bool) -> None:
    import duckdb

    sql_types = {
        "float": "DOUBLE",
        "int": "BIGINT",
        "bool": "BOOLEAN",
        "text": "VARCHAR",
        "time": "TIMESTAMP",
    }
    with duckdb.connect() as database:
        for case in cases(mixed):
            load(database, case, sql_types)
            types = given_types(case, mixed)
            assert in_engine(database.execute, case, "duckdb", types) == case.expected
            where = export(case.rules[0], "sql", what="where", types=types)
            chosen = database.execute(f"SELECT row_number FROM data WHERE {where} ORDER BY ALL").fetchall()
            positive = case.rules[0].positive
            assert [i for (i,) in chosen] == [
                i for i, label in enumerate(case.expected[0]) if label == positive
            ]


@needs_sqlglot
def test_select_reads_the_table_it_is_told() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE `a b``; --` (age REAL)")
    database.executemany("INSERT INTO `a b``; --` VALUES (?)", [(29,), (30,), (None,)])
    rules = RuleSet.parse("age >= 30 -> \"risk'y\" = 'yes' ELSE 'no'")
    for table in ("a b`; --", ("main", "a b`; --")):
        cursor = database.execute(export(rules, "sql", dialect="sqlite", what="select", table=table))
        assert [column[0] for column in cursor.description] == ["age", "risk'y"]
        assert cursor.fetchall() == [(29, "no"), (30, "yes"), (None, "no")]


@needs_sqlglot
def test_sqlite_refuses_a_column_that_is_not_there() -> None:
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (x REAL)")
    with pytest.raises(sqlite3.OperationalError, match="no such column"):  # it would read "age" as text
        database.execute(f"SELECT {export(RuleSet.parse('age >= 30'), 'sql', dialect='sqlite')} FROM data")


@needs_sqlglot
@needs_duckdb
@pytest.mark.parametrize(
    ("condition", "rows"),
    [
        ("x >= 50", [3]),
        ("x < 50", [2]),
        ("x != 1", [3]),
        ("x = 1", [2]),
        ("x IS MISSING", [0, 1]),
        ("x >= 50 OR x < 50", [2, 3]),
    ],
)
def test_nan_and_null_are_missing_in_duckdb(condition: str, rows: list[int]) -> None:
    import duckdb

    rules = RuleSet.parse(condition)
    with duckdb.connect() as database:
        for kind in ("DOUBLE", "FLOAT"):
            database.execute(
                "CREATE OR REPLACE TABLE data AS SELECT * FROM "
                f"(VALUES (0, NULL::{kind}), (1, 'nan'), (2, 1), (3, 'inf')) AS t(i, x)"
            )
            where = export(rules, "sql", what="where")
            assert [
                i for (i,) in database.execute(f"SELECT i FROM data WHERE {where} ORDER BY i").fetchall()
            ] == rows
        database.execute("CREATE TABLE texts AS SELECT NULL AS z, 'a' AS s, 'nan'::DOUBLE AS y")
        for name, missing in (("z", True), ("s", False), ("y", True)):
            test = export(RuleSet([Pattern([IsMissing(name)])]), "sql", what="where")
            assert database.execute(f"SELECT {test} FROM texts").fetchall() == [(missing,)]


@needs_sqlglot
def test_sql_survives_hostile_text_in_every_dialect() -> None:
    import sqlglot
    from sqlglot import exp

    from ooa.export.sql import DIALECTS

    for dialect in DIALECTS:
        for i, name in enumerate(NAMES):
            hostile = {name, *HOSTILE[i % 9 :: 9]}
            if dialect == "bigquery" and "." in name:
                continue  # whose names have no dots: one within the quotes parts a table from its column
            rules = RuleSet([Pattern([OneOf(name, hostile)])], target=name, positive=name, negative="")
            statements = sqlglot.parse(export(rules, "sql", dialect=dialect, what="select"), read=dialect)
            assert len(statements) == 1
            tree = statements[0]
            assert [column.name for column in tree.find_all(exp.Column)] == [name], (dialect, name)
            strings = {literal.this for literal in tree.find_all(exp.Literal, exp.National)}
            assert strings == {*hostile, ""}, (dialect, name)


@needs_sqlglot
def test_sql_says_what_it_cannot_do(monkeypatch: pytest.MonkeyPatch) -> None:
    for rules, message in [
        (RuleSet([Pattern([Equal("x", NUL)])]), "NUL"),
        (RuleSet([Pattern([Equal(NUL, 1)])]), "NUL"),
        (RuleSet([Pattern([Equal("", 1)])]), "without a name"),
        (RuleSet.parse("x = 1 OR x = red"), "'x' with values of different types"),
        (RuleSet([], positive=1, negative="no"), "differ in type"),
    ]:
        with pytest.raises(RuleError, match=message):
            export(rules, "sql")
    for options, message in [
        ({"dialect": "klingon"}, "dialect must be .*'duckdb'.*klingon"),
        ({"what": "insert"}, "what must be 'case'.*insert"),
        ({"types": {"x": "float"}}, "the type of 'x' must be 'number'.*float"),
    ]:
        with pytest.raises(OptionError, match=message):
            export(RuleSet.parse("x = 1"), "sql", **options)
    monkeypatch.setitem(sys.modules, "sqlglot.expressions", None)
    with pytest.raises(BackendUnavailable, match=r"ooa\[sql\]"):
        export(RuleSet.parse("x = 1"), "sql")


# Types ----------------------------------------------------------------------------------------------------


def test_ranges_need_a_type_that_has_an_order() -> None:
    for types in ({"x": "text"}, {"x": "time"}):
        with pytest.raises(RuleError, match="'x' is of type"):
            plain_patterns(RuleSet.parse("x >= 3"), types)  # type: ignore[arg-type]
    with pytest.raises(RuleError, match="'x' is of type number"):
        plain_patterns(RuleSet([Pattern([Range("x", 0, time=True)])]), {"x": "number"})


def test_types_decide_what_can_hold() -> None:
    rules = RuleSet([Pattern([NotEqual("x", "a")]), Pattern([Equal("x", 1)]), Pattern([Range("x", 0.5)])])
    assert export(rules, "pandas", types={"x": "bool"}) == "(x == True) | x.notna()"
    assert export(rules, "pandas", types={"x": "number"}) == "(x >= 0.5) | (x == 1) | x.notna()"


# pandas ---------------------------------------------------------------------------------------------------


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


# Python ---------------------------------------------------------------------------------------------------


def python_function(rules: RuleSet) -> Any:
    source = export(rules, "python")
    assert source.isascii()
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    assert names <= {
        *("row", "name", "value", "kind", "epoch", "datetime", "float", "str", "bool", "type", "hasattr"),
        *("isinstance", "TypeError", "ValueError", "ArithmeticError", "_value", "_number", "_time"),
    }
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    return namespace["predict"]


def test_python_predicts_the_same() -> None:
    rng = random.Random(7)
    for case in [*cases(True), *cases(False)[:20]]:
        frame_rows = case.frame.to_dict("records")  # NaT, NA, Timestamp
        for rules, expected in zip(case.rules, case.expected):
            predict = python_function(rules)
            rows = [
                {k: v for k, v in row.items() if v is not None or rng.random() < 0.5} for row in case.rows()
            ]
            for given in (rows, frame_rows):
                labels = [predict(row) for row in given]
                assert labels == expected
                assert list(map(type, labels)) == list(map(type, expected))


def test_python_reads_every_kind_of_cell_as_predict_does() -> None:
    rules = [RuleSet.parse(text) for text in ("x = 1", "x = true", "x = '1'", "x != 1", "x IS MISSING")]
    cells: list[Any] = [
        1,
        1.0,
        np.int8(1),
        np.float32(1),
        decimal.Decimal(1),
        True,
        np.True_,
        "1",
        np.str_("1"),
        None,
    ]
    cells += [math.nan, np.float64("nan"), pd.NA, pd.NaT, np.datetime64("NaT"), decimal.Decimal("NaN")]
    cells += [2, "2", False, datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)]
    for each in rules:
        predict = python_function(each)
        for cell in cells:
            # `predict` itself refuses cells of another kind than the rules name.
            assert predict({"x": cell}) == each.covers({"x": [cell]}).any(), (each, cell)
    times = python_function(RuleSet([Pattern([Range("t", 0.0, 0.0, time=True)])]))
    east = datetime.timezone(datetime.timedelta(hours=1))
    for cell in (
        datetime.date(1970, 1, 1),
        EPOCH,
        np.datetime64("1970-01-01"),
        np.datetime64("1970-01-01", "ns"),
    ):
        assert times({"t": cell}) == 1
    assert times({"t": datetime.datetime(1970, 1, 1, 1, tzinfo=east)}) == 1
    assert times({"t": pd.Timestamp("1970-01-01 00:00:00.000001")}) == times({"t": pd.NaT}) == times({}) == 0
    for wrong in ("30", EPOCH):
        with pytest.raises(TypeError, match="'x' must be a number"):
            python_function(RuleSet.parse("x >= 3"))({"x": wrong})
    with pytest.raises(TypeError, match="'t' must be a time"):
        times({"t": 0})


# PMML -----------------------------------------------------------------------------------------------------

PMML = "{http://www.dmg.org/PMML-4_4}"


def truth(predicate: ElementTree.Element, row: dict[str, Any], types: dict[str, str]) -> bool | None:
    """Evaluate a predicate by the standard: None is unknown."""
    tag = predicate.tag.removeprefix(PMML)
    if tag == "CompoundPredicate":
        parts = [truth(part, row, types) for part in predicate]
        decisive = predicate.get("booleanOperator") == "or"
        return decisive if decisive in parts else (None if None in parts else not decisive)
    assert tag == "SimplePredicate"
    cell, operator = row[predicate.attrib["field"]], predicate.attrib["operator"]
    if operator in ("isMissing", "isNotMissing"):
        return (cell is None) == (operator == "isMissing")
    if cell is None:
        return None
    text = predicate.attrib["value"]
    match types[predicate.attrib["field"]]:
        case "double":
            value: Any = float(text)
        case "boolean":
            value = {"true": True, "false": False}[text]
        case "dateTime":
            value = datetime.datetime.fromisoformat(text)
        case _:
            value = text
    return {
        "equal": lambda: cell == value,
        "notEqual": lambda: cell != value,
        "lessThan": lambda: cell < value,
        "lessOrEqual": lambda: cell <= value,
        "greaterThan": lambda: cell > value,
        "greaterOrEqual": lambda: cell >= value,
    }[operator]()


def score(text: str, rows: list[dict[str, Any]]) -> list[str]:
    """Read a RuleSetModel as the standard says, and score rows with it."""
    root = ElementTree.fromstring(text.encode())
    assert root.tag == f"{PMML}PMML"
    assert root.get("version") == "4.4"
    fields = root.findall(f"{PMML}DataDictionary/{PMML}DataField")
    types = {field.attrib["name"]: field.attrib["dataType"] for field in fields}
    mining = root.findall(f"{PMML}RuleSetModel/{PMML}MiningSchema/{PMML}MiningField")
    assert sorted(types) == sorted(field.attrib["name"] for field in mining)
    missing = {
        field.attrib["name"]: [value.attrib["value"] for value in field if value.get("property") == "missing"]
        for field in fields
    }
    body = root.find(f"{PMML}RuleSetModel/{PMML}RuleSet")
    assert body is not None
    assert body[0].attrib == {"criterion": "firstHit"}
    labels = []
    for row in rows:
        cells = {
            k: None if v is None or (v != v and "NaN" in missing.get(k, ())) else v for k, v in row.items()
        }
        fired = [rule.attrib["score"] for rule in body[1:] if truth(rule[0], cells, types) is True]
        labels.append(fired[0] if fired else body.attrib["defaultScore"])
    return labels


def spelt(label: Any) -> str:
    return label if isinstance(label, str) else str(label).lower()


@pytest.mark.parametrize("mixed", [True, False])
def test_pmml_predicts_the_same(mixed: bool) -> None:
    for case in cases(mixed):
        for rules, expected in zip(case.rules, case.expected):
            text = export(rules, "pmml", types=given_types(case, mixed))
            assert score(text, case.rows()) == list(map(spelt, expected))


PYPMML = """
import json, sys
from pypmml import Model
for line in open(sys.argv[1], encoding="utf-8"):
    text, rows = json.loads(line)
    model = Model.fromString(text)
    print(json.dumps([list(model.predict(row).values())[0] for row in rows]))
Model.close()
"""


@needs_pypmml
def test_a_pmml_reader_predicts_the_same(tmp_path: Any) -> None:
    jobs, wanted = [], []
    for case in cases(True):
        if "time" in case.kinds.values():  # the reader does not compare times
            continue
        for rules, expected in zip(case.rules[:2], case.expected):
            jobs.append(json.dumps([export(rules, "pmml", types=case.types), case.rows()]))
            wanted.append(expected)
    assert len(jobs) > 50
    (tmp_path / "jobs").write_text("\n".join(jobs), encoding="utf-8")
    command = [sys.executable, "-c", PYPMML, str(tmp_path / "jobs")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    got = [json.loads(line) for line in done.stdout.splitlines()]
    assert got == wanted


def test_pmml_says_what_it_cannot_do() -> None:
    for rules, message in [
        (RuleSet([Pattern([Equal("x", "\x01")])]), "XML"),
        (RuleSet([Pattern([Equal("\x01", 1)])]), "XML"),
        (RuleSet([Pattern([Equal("target", 1)])]), "also an attribute"),
        (RuleSet([], positive=True, negative=0.5), "differ in type"),
    ]:
        with pytest.raises(RuleError, match=message):
            export(rules, "pmml")


# For people -----------------------------------------------------------------------------------------------


def test_latex_escapes_everything() -> None:
    for text in TEXTS:
        rules = RuleSet([Pattern([Equal(text, text)])], target=text, positive=text, negative=f"{text}.")
        lines = export(rules, "latex").splitlines()
        assert len(lines) == 5
        for line in lines[1:-1]:
            row = line.removesuffix(r" \\").replace(" & ", " ", 1)
            plain = row.replace(r"\{", "").replace(r"\}", "")
            assert plain.count("{") == plain.count("}")
            for sign in "&%#_$":
                assert row.count(sign) == row.count("\\" + sign) + (
                    row.count(r"$\geq$") + row.count(r"$\leq$")
                ) * 2 * (sign == "$")
            assert not any(sign in row for sign in "~^\"'`<>|")


def test_text_and_json_are_those_of_the_rule_set() -> None:
    for case in cases(True)[:20]:
        for rules in case.rules:
            assert RuleSet.parse(export(rules, "text")) == rules
            assert RuleSet.from_json(export(rules, "json", indent=2)) == rules


def test_every_format_writes_the_empty_rule_set() -> None:
    rules = RuleSet()
    for to in FORMATS:
        if to != "sql" or find_spec("sqlglot"):
            assert export(rules, to)
    frame = pd.DataFrame({"x": [1, 2]})
    assert frame.query(export(rules, "pandas"), engine="python").empty
    assert python_function(rules)({}) == 0


def test_unknown_formats_and_options_are_named() -> None:
    with pytest.raises(OptionError, match=r"'cobol'.*pmml, python, sql"):
        export(RuleSet(), "cobol")
    with pytest.raises(OptionError, match="no option 'dialekt'; did you mean 'dialect'"):
        export(RuleSet(), "sql", dialekt="duckdb")
    with pytest.raises(OptionError, match="no option 'colour'; known: table, dialect, what, types"):
        export(RuleSet(), "sql", colour="red")
    with pytest.raises(OptionError, match="latex has no option 'x'; it has none"):
        export(RuleSet(), "latex", x=1)
