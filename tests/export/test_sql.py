"""SQL: databases predict the same, whatever the names and values."""

from __future__ import annotations

import datetime
import sqlite3
import sys
from importlib.util import find_spec
from typing import Any

import pytest
from support.export_cases import HOSTILE, NAMES, Case
from support.exporting import cases, given_types

from ooa.errors import BackendUnavailable, OptionError, RuleError
from ooa.export import export
from ooa.rules.literal import Equal, IsMissing, OneOf
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

needs_sqlglot = pytest.mark.skipif(find_spec("sqlglot") is None, reason="sqlglot is not installed")
needs_duckdb = pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is not installed")

NUL = "\x00"


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
@pytest.mark.parametrize("code", [2**53 + 1, 2**60, 2**60 + 1, -(2**60) - 1, 2**63 - 1])
def test_a_code_that_no_double_keeps_is_compared_in_full(code: int) -> None:
    cells = [code - 1, code, min(code + 1, 2**63 - 1), None]
    for rules in (RuleSet([Pattern([Equal("x", code)])]), RuleSet([Pattern([OneOf("x", [code, 7])])])):
        database = sqlite3.connect(":memory:")
        engines = [("sqlite", database)]
        if find_spec("duckdb"):
            import duckdb

            engines.append(("duckdb", duckdb.connect()))
        for dialect, engine in engines:
            engine.execute("CREATE TABLE data (x BIGINT)")
            engine.executemany("INSERT INTO data VALUES (?)", [(cell,) for cell in cells])
            found = engine.execute(f"SELECT {export(rules, 'sql', dialect=dialect)} FROM data").fetchall()
            assert [label for (label,) in found] == [int(cell == code) for cell in cells], dialect
            engine.close()


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
    with pytest.raises(BackendUnavailable, match=r"pip install .sqlglot"):
        export(RuleSet.parse("x = 1"), "sql")
