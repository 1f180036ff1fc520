"""What takes rows, labels or weights, times what is none: an error of ours, or an answer."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import ooa
from ooa.errors import OOAError

X = {"a": [1, 2, 3, 4, 5, 6], "b": list("uvuvuv")}
Y = [0, 0, 1, 1, 1, 0]
QUICK = {"time_limit": 0.3, "progress": False}


class NoRows:
    """An object of no kind."""


#: What is made anew for each call, as generators are used up by the first.
ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a generator": lambda: (row for row in [[1, 2]] * 6),
    "a number": lambda: 3,
    "bytes": lambda: b"rows.csv",
    "an object": NoRows,
    "a class": lambda: dict,
    "a function": lambda: len,
    "a set": lambda: {1, 2},
    "a range": lambda: range(6),
    "no file": lambda: "gone.csv",
    "no name": lambda: "",
    "a name with a NUL": lambda: "a\0b",
    "a name of 300 characters": lambda: "n" * 300 + ".csv",
    "a path": lambda: Path("gone.parquet"),
    "a folder": lambda: "folder",
    "an empty file": lambda: "empty.csv",
    "a head alone": lambda: "head.csv",
    "one column": lambda: "one.csv",
    "columns of one name": lambda: "twice.csv",
    "zeros": lambda: "zeros.csv",
    "broken Parquet": lambda: "broken.parquet",
    "a glob without files": lambda: "gone*.parquet",
    "a source": lambda: ooa.Source("gone.parquet"),
    "an empty dict": dict,
    "columns that differ in length": lambda: {"a": [1, 2], "b": [1]},
    "columns that are generators": lambda: {"a": (i for i in range(6))},
    "columns that are numbers": lambda: {"a": 1, "b": 2},
    "columns that are None": lambda: {"a": None},
    "cells that are lists": lambda: {"a": [[1], [2], [3], [4], [5], [6]]},
    "names of one text": lambda: {1: [1] * 6, "1": [2] * 6},
    "a name that is None": lambda: {None: X["a"]},
    "an empty list": list,
    "rows without cells": lambda: [[]] * 6,
    "rows that differ in length": lambda: [[1, 2], [3]] * 3,
    "rows that are None": lambda: [None] * 6,
    "rows that are text": lambda: ["a"] * 6,
    "rows of two kinds": lambda: [{"a": 1}, [1]] * 3,
    "rows that are objects": lambda: [NoRows()] * 6,
    "an array without dimensions": lambda: np.array(3.0),
    "three dimensions": lambda: np.ones((6, 2, 2)),
    "no rows": lambda: np.ones((0, 2)),
    "no columns": lambda: np.ones((6, 0)),
    "complex numbers": lambda: np.ones((6, 2), complex),
    "infinite numbers": lambda: np.full((6, 2), np.inf),
    "not a number": lambda: np.full((6, 2), np.nan),
    "a matrix": lambda: np.matrix(np.ones((6, 2))),
    "bytes in memory": lambda: memoryview(b"abc"),
    "a sparse matrix": lambda: sparse.csr_matrix(np.eye(6)),
    "a sparse array": lambda: sparse.coo_array(np.eye(6)),
    "an empty frame": pd.DataFrame,
    "a frame without rows": lambda: pd.DataFrame({"a": []}),
    "a frame without columns": lambda: pd.DataFrame(index=range(6)),
    "a frame with columns of one name": lambda: pd.DataFrame(np.ones((6, 2)), columns=["a", "a"]),
    "a frame with names in levels": lambda: pd.DataFrame({("a", 1): X["a"], ("a", 2): X["a"]}),
    "a frame of bytes": lambda: pd.DataFrame({"a": [b"x", b"y"] * 3}),
    "a frame of intervals": lambda: pd.DataFrame({"a": pd.interval_range(0, 6)}),
    "a series": lambda: pd.Series(range(6)),
    "polars without anything": pl.DataFrame,
    "polars with lists": lambda: pl.DataFrame({"a": [[1]] * 6}),
    "polars with bytes": lambda: pl.DataFrame({"a": [b"x"] * 6}),
    "polars that scans a broken file": lambda: pl.scan_parquet("broken.parquet"),
    "arrow without anything": lambda: pa.table({}),
    "arrow with columns of one name": lambda: pa.table([pa.array([1] * 6)] * 2, names=["a", "a"]),
}

MODEL = ooa.OOAxClassifier(time_limit=1).fit(X, Y)
SEVERAL = ooa.OneVsRestRules(ooa.OOAxClassifier(time_limit=1)).fit(X, list("ppqqrr"))
RULES = MODEL.rules_
CALLS: dict[str, Callable[[Any], object]] = {
    "Table.from_any": lambda odd: ooa.Table.from_any(odd, Y),
    "Table.from_any, labels": lambda odd: ooa.Table.from_any(X, odd),
    "Table.from_any, weights": lambda odd: ooa.Table.from_any(X, Y, sample_weight=odd),
    "fit": lambda odd: ooa.OOAxClassifier(**QUICK).fit(odd, Y),
    "fit, label by name": lambda odd: ooa.OOAxClassifier(**QUICK).fit(odd, "y"),
    "fit, labels": lambda odd: ooa.OOAxClassifier(**QUICK).fit(X, odd),
    "OOA": lambda odd: ooa.OOAClassifier(**QUICK).fit(odd, Y),
    "ooa.fit": lambda odd: ooa.fit(odd, Y, **QUICK),
    "several classes": lambda odd: ooa.OneVsRestRules(ooa.OOAxClassifier(**QUICK)).fit(odd, Y),
    "folds": lambda odd: ooa.OOAxClassifierCV(cv=2, C_grid=[0.01], **QUICK).fit(odd, Y),
    "predict": MODEL.predict,
    "predict_proba": MODEL.predict_proba,
    "decision_function": MODEL.decision_function,
    "score": lambda odd: MODEL.score(odd, Y),
    "score, label by name": lambda odd: MODEL.score(odd, "y"),
    "score, labels": lambda odd: MODEL.score(X, odd),
    "predict several": SEVERAL.predict,
    "predict_proba of several": SEVERAL.predict_proba,
    "rules.predict": RULES.predict,
    "rules.covers": RULES.covers,
    "rules.explain": RULES.explain,
    "rules.statistics": lambda odd: RULES.statistics(odd, Y),
    "rules.statistics, labels": lambda odd: RULES.statistics(X, odd),
    "report": lambda odd: MODEL.report("report.html", odd, Y),
    "explore": lambda odd: MODEL.explore(None, odd, Y, n=2),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_what_is_no_table_gives_an_answer_or_an_error_of_ours(name: str, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    texts = {"empty": "", "head": "a,b,y\n", "one": "y\n0\n1\n", "twice": "a,a,y\n1,2,0\n2,3,1\n"}
    for file, text in (texts | {"zeros": "\0" * 100}).items():
        (tmp_path / f"{file}.csv").write_text(text)
    (tmp_path / "broken.parquet").write_bytes(b"PAR1" + b"\x15\x04" * 50 + b"PAR1")
    found = {}
    for words, make in ODD.items():
        try:
            CALLS[name](make())
        except OOAError as error:
            if not 0 < len(str(error)) < 1_500:
                found[words] = f"not one sentence: {error!s:.200}"
        except Exception as error:
            found[words] = f"{type(error).__name__}: {error!s:.200}"
    assert found == {}


@pytest.mark.parametrize("ask", [MODEL.predict_proba, MODEL.decision_function, SEVERAL.predict])
def test_what_is_asked_of_rows_in_memory_alone(ask: Callable[[Any], object]) -> None:
    for rows in ("rows.parquet", pl.LazyFrame(X), ooa.Source("rows.parquet")):
        with pytest.raises(OOAError, match=r"X is rows that stay where they are .*: read them"):
            ask(rows)


@pytest.mark.parametrize("name", ["n" * 200_000, "two words " * 20_000])
def test_a_long_name_is_not_said_in_full(name: str) -> None:
    asked: list[Callable[[], object]] = [
        lambda: MODEL.predict({name: [1]}),
        lambda: ooa.fit({name: [1, 2, float("inf")]}, [0, 1, 1]),
        lambda: ooa.fit(X, Y, constraints=[ooa.constraints.max_uses(name, 1)], **QUICK),
        lambda: ooa.RuleSet([ooa.Pattern([ooa.Range(name, low=2)])]).predict(X),
        lambda: ooa.fit(X, Y, numeric=[name]),
        lambda: ooa.fit(X, Y, positive=name),
    ]
    for call in asked:
        with pytest.raises(OOAError) as caught:
            call()
        assert 20 < len(str(caught.value)) < 800
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        warnings.warn(f"Column {name!r} is odd", ooa.errors.OOAWarning, stacklevel=1)
    assert len(str(heard[0].message)) < 300
