"""One prediction, wherever it is made: by the model, its rules and every export, from every container."""

from __future__ import annotations

import datetime
import decimal
import pickle
import sqlite3
import warnings
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from support.containers import KINDS, Cells, containers, positional
from support.decoding import decoded
from support.exporting import python_function
from support.pmml_scoring import needs_pypmml, read_by_pypmml, score, spelt
from support.strategies import EPOCH, texts
from support.sweeps import sweep

from ooa import OOAxClassifier
from ooa.data.frames import open_frame
from ooa.errors import RuleError
from ooa.export import export
from ooa.export.plain import type_of
from ooa.rules.ruleset import RuleSet

needs_sqlglot = pytest.mark.skipif(find_spec("sqlglot") is None, reason="sqlglot is not installed")
needs_duckdb = pytest.mark.skipif(
    find_spec("duckdb") is None or find_spec("pyarrow") is None, reason="duckdb or pyarrow is not installed"
)

VALUES: dict[str, st.SearchStrategy[Any]] = {
    "float": st.integers(-3, 6).map(lambda k: k / 2)
    | st.sampled_from([0.1, 0.2, 0.30000000000000004, -0.0, 5e-324, 1e300, -1e300, 2.0**60]),
    "int": st.integers(-2, 4) | st.sampled_from([16_777_217, 10**12, 2**53 - 1, 2**53, -(2**53), 2**60]),
    "bool": st.booleans(),
    "text": st.sampled_from(["a", "b", "1", "true", "NaN", "nan", "None", "", " ", "it's", "naïve"]) | texts,
    "time": st.integers(-2, 2).map(lambda k: EPOCH + k * datetime.timedelta(days=1))
    | st.datetimes()
    | st.sampled_from([datetime.datetime.max, datetime.datetime.max - datetime.timedelta(microseconds=1)]),
    "date": st.dates(datetime.date(1969, 12, 28), datetime.date(1970, 1, 5))
    | st.sampled_from([datetime.date.min, datetime.date.max, datetime.date(2026, 2, 28)]),
    "decimal": st.integers(-300, 300).map(lambda k: decimal.Decimal(k) / 100)
    | st.sampled_from([decimal.Decimal("0.10"), decimal.Decimal("0.30"), decimal.Decimal("9999999999.99")]),
    "code": st.integers(0, 3) | st.integers(2**60, 2**60 + 3) | st.integers(-(2**63), 2**63 - 1),
}
NAMES = texts.filter(lambda name: name and "\0" not in name)
#: Every case is a fit, and goes through every container or export; OOA_EXPLORE=1 draws ten times as many.
EXAMPLES = sweep(30, of=300)
#: Two labels of one type, of every type.
LABELS = [(0, 1), (1, 0), (False, True), ("no", "it's\nso"), (3.0, -2.0), (7, 2**60)]


@dataclass(frozen=True)
class Learned:
    """A table, what was learned from it, and what is predicted on it."""

    cells: Cells
    y: list[Any]
    options: dict[str, Any]

    @cached_property
    def model(self) -> OOAxClassifier:
        return self.fitted(self.frame)

    @cached_property
    def frame(self) -> pd.DataFrame:
        return dict(containers(self.cells))["pandas, objects"]

    @property
    def rules(self) -> RuleSet:
        return self.model.rules_

    @cached_property
    def expected(self) -> list[Any]:
        return self.model.predict(self.frame).tolist()

    def fitted(self, X: Any) -> OOAxClassifier:
        model = OOAxClassifier(C1=1e-6, C2=1e-6, max_patterns=3, max_length=2, **self.options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a rule set that says nothing, or always the same
            return model.fit(X, self.y)


@st.composite
def learned(draw: st.DrawFn, named: bool = True) -> Learned:
    """Draw a table, its labels and how to learn from it; without names columns are x0, x1, ..."""
    names = draw(st.lists(NAMES, min_size=1, max_size=3, unique_by=str.casefold))
    if not named:
        names = [f"x{j}" for j in range(len(names))]
    kinds = {name: draw(st.sampled_from(KINDS)) for name in names}
    if not named and draw(st.booleans()):
        kinds = dict.fromkeys(names, draw(st.sampled_from(KINDS)))  # what an array of one type may hold
    n_rows = draw(st.integers(4, 12))
    gaps = st.none() if draw(st.booleans()) else st.nothing()
    columns = {}
    for name, kind in kinds.items():
        few = draw(st.lists(VALUES[kind], min_size=2, max_size=4))
        column = draw(st.lists(st.sampled_from(few) | gaps, min_size=n_rows, max_size=n_rows))
        columns[name] = column if any(cell is not None for cell in column) else [few[0], *column[1:]]
    labels = draw(st.sampled_from(LABELS))
    y = [*labels, *draw(st.lists(st.sampled_from(labels), min_size=n_rows - 2, max_size=n_rows - 2))]
    cells = Cells(kinds, columns)
    options = {
        "missing": draw(st.sampled_from(["false", "category", "literal"])),
        "thresholds": draw(st.sampled_from(["auto", "distinct", "round"])),
        "sets": draw(st.sampled_from([1, 2])),
        "categorical": cells.codes,
        **{name: draw(st.booleans()) for name in ("ranges", "negations")},
    }
    return Learned(cells, y, options)


def same(values: Any, wanted: list[Any]) -> bool:
    """Whether labels are those wanted; true is not 1, and 3.0 is 3."""
    found = values.tolist() if isinstance(values, np.ndarray) else list(values)
    return found == wanted and list(map(type_of, found)) == list(map(type_of, wanted))


def check_containers(case: Learned, every: dict[str, Any]) -> None:
    """The same columns, the same rules, the same labels from each of them."""
    kinds = dict.fromkeys(case.cells.codes, "categorical")
    reference = open_frame(case.frame)
    copies = [RuleSet.from_json(case.rules.to_json()), RuleSet.parse(case.rules.to_text())]
    copies += [pickle.loads(pickle.dumps(case.rules))]
    for name, X in every.items():
        frame = open_frame(X)
        for column in reference.names:
            made, wanted = (one.column(column, kinds.get(column)) for one in (frame, reference))
            assert (made.kind, made.time) == (wanted.kind, wanted.time), (name, column)
            assert made.categories == wanted.categories, (name, column)
            assert decoded(made) == decoded(wanted), (name, column)
        assert same(case.model.predict(X), case.expected), name
        for rules in (case.rules, *copies):
            assert same(rules.predict(X), case.expected), name


@settings(max_examples=EXAMPLES)
@given(case=learned(), place=st.integers(0, 100))
def test_every_container_with_names_predicts_the_same(case: Learned, place: int) -> None:
    every = dict(containers(case.cells))
    check_containers(case, every)
    name = list(every)[place % len(every)]
    other = case.fitted(every[name])
    assert other.rules_ == case.rules, name
    assert same(other.predict(case.frame), case.expected), name


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
@pytest.mark.filterwarnings("ignore:X has feature names")
@settings(max_examples=EXAMPLES)
@given(case=learned(named=False), place=st.integers(0, 100))
def test_every_container_without_names_predicts_the_same(case: Learned, place: int) -> None:
    every = dict(positional(case.cells))
    check_containers(case, every)
    name = list(every)[place % len(every)]
    other = case.fitted(every[name])
    assert other.rules_ == case.rules, name
    for X in (case.frame, *every.values()):
        assert same(other.predict(X), case.expected), name


# -- exports ---------------------------------------------------------------------------------------


def given_types(case: Learned) -> dict[str, Any] | None:
    """Return the types where an export needs them: a column of text that says NaN, which is not missing."""
    said = (cell for column in case.cells.columns.values() for cell in column if isinstance(cell, str))
    return case.cells.types if any(cell.lower() == "nan" for cell in said) else None


@settings(max_examples=EXAMPLES)
@given(case=learned())
def test_the_written_function_predicts_the_same(case: Learned) -> None:
    predict = python_function(case.rules)
    for name, X in containers(case.cells):
        if name == "rows of dicts":
            rows = X
        elif isinstance(X, pd.DataFrame):
            rows = X.to_dict("records")
        elif hasattr(X, "to_pylist"):
            rows = X.to_pylist()
        elif hasattr(X, "to_dicts"):
            rows = X.to_dicts()
        else:
            continue
        assert same([predict(row) for row in rows], case.expected), name


@settings(max_examples=EXAMPLES)
@given(case=learned())
def test_pandas_expressions_predict_the_same(case: Learned) -> None:
    chosen = [label == case.rules.positive for label in case.expected]
    types = given_types(case)
    mask = export(case.rules, "pandas", what="mask", types=types)
    try:
        query = export(case.rules, "pandas", types=types)
    except RuleError as error:
        assert "what='mask'" in str(error)  # noqa: PT017
        query = ""
    for name, frame in containers(case.cells):
        if not isinstance(frame, pd.DataFrame) or "objects" in name or "decimal" in case.cells.kinds.values():
            continue  # they compare columns of one type, as they say
        assert frame.index.isin(frame[eval(mask, {"df": frame})].index).tolist() == chosen, name
        if query:
            assert frame.index.isin(frame.query(query, engine="python").index).tolist() == chosen, name


@needs_sqlglot
@settings(max_examples=EXAMPLES)
@given(case=learned())
def test_sqlite_predicts_the_same(case: Learned) -> None:
    database = sqlite3.connect(":memory:")
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in case.cells.kinds)
    database.execute(f"CREATE TABLE data ({names})")
    marks = ", ".join("?" * len(case.cells.kinds))
    rows = [[sqlite_cell(cell) for cell in row.values()] for row in case.cells.rows()]
    database.executemany(f"INSERT INTO data VALUES ({marks})", rows)
    found = in_sql(case, database.execute, "sqlite")
    database.close()
    assert found is None or found == case.expected


@needs_sqlglot
@needs_duckdb
@settings(max_examples=EXAMPLES)
@given(case=learned())
def test_duckdb_predicts_the_same(case: Learned) -> None:
    import duckdb

    with duckdb.connect() as database:
        for name, X in containers(case.cells):
            if name in ("pyarrow", "pyarrow, in chunks", "pandas, plain", "polars"):
                database.register("data", X)
                found = in_sql(case, database.execute, "duckdb")
                assert found is None or found == case.expected, name


def sqlite_cell(cell: Any) -> Any:
    """What SQLite can hold: no decimals and no times."""
    if isinstance(cell, decimal.Decimal):
        return float(cell)
    return cell.isoformat() if isinstance(cell, datetime.date) else cell


def in_sql(case: Learned, execute: Any, dialect: str) -> list[Any] | None:
    """Return what a database predicts; None if SQL has no words for the rules, and says so."""
    try:
        label = export(case.rules, "sql", dialect=dialect, types=given_types(case))
    except RuleError as error:
        assert "NUL" in str(error)  # noqa: PT017
        assert "\\\\u0000" in repr(case.rules)
        return None
    return [found for (found,) in execute(f"SELECT {label} FROM data").fetchall()]


def pmml_of(case: Learned) -> str | None:
    """Return the rules in PMML; None if it has no place for one of their characters or codes, and says so."""
    try:
        return export(case.rules, "pmml", types=case.cells.types)
    except RuleError as error:
        assert "XML" in str(error) or "as doubles" in str(error)  # noqa: PT017
        return None


@settings(max_examples=EXAMPLES)
@given(case=learned())
def test_pmml_predicts_the_same(case: Learned) -> None:
    text = pmml_of(case)
    wanted = list(map(spelt, case.rules.predict(case.frame).tolist()))
    assert text is None or score(text, case.cells.rows()) == wanted


@needs_pypmml
def test_a_pmml_reader_predicts_the_same(tmp_path: Path) -> None:
    jobs, wanted = [], []

    @settings(max_examples=EXAMPLES)
    @given(case=learned())
    def collect(case: Learned) -> None:
        text = pmml_of(case)
        if text is not None and case.cells.only("float", "int", "bool", "text"):
            jobs.append((text, case.cells.rows()))
            wanted.append(case.expected)

    collect()
    assert len(jobs) > 10
    assert read_by_pypmml(jobs, tmp_path / "jobs") == wanted
