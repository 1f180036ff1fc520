"""The page to explore rule sets, as a file: what is in it and what is not."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pandas as pd
import pytest

from ooa.constraints import (
    demographic_parity,
    equal_opportunity,
    forbid_together,
    max_false_positives,
    max_uses,
    min_sensitivity,
    min_support_per_pattern,
)
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.estimators import OOAxClassifier
from ooa.explore.enumerate import enumerate_optimal
from ooa.objective import Objective
from ooa.report.explorer import MODULES, ExplorerPage, write_explorer
from ooa.report.explorer_limits import limits_document

FILES = Path(__file__).parents[2] / "ooa" / "report" / "explorer_files"
NASTY = "</script><script>alert(1)</script>"


def document(page: ExplorerPage) -> dict:
    (text,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page.html, re.DOTALL)
    found: dict = json.loads(text)
    return found


def some(**options) -> ExplorerPage:
    X = {"age": [20, 30, 40, 50, 60, 70], "ward": ["a", "b", NASTY, "b", "a", NASTY]}
    table = Table.from_any(X, [0, 0, 0, 1, 1, 1])
    return write_explorer(enumerate_optimal(table, within=0.2, C1=0.02, C2=0.02), **options)


def test_no_text_of_the_data_is_markup():
    page = some(title=NASTY)
    assert NASTY not in page.html
    assert any(NASTY in name["text"] for name in document(page)["attributes"][1]["names"])


def test_nothing_is_loaded_from_anywhere():
    page = unescape(some().html)
    assert not re.findall(r"""(?:src|href)=["'](?!#|data:)""", page)
    assert not re.findall(r"https?://|\bfetch\(|XMLHttpRequest|WebSocket|import\(", page)
    assert "default-src 'none'" in page


def test_without_rows_there_are_only_counts():
    with_rows, without = document(some()), document(some(rows=False))
    assert "coded" in with_rows["rows"]["training"]
    assert "coded" not in without["rows"]["training"]
    assert without["rows"]["training"]["found"] == with_rows["rows"]["training"]["found"]
    assert len(without["rows"]["training"]["pattern_found"]) == len(without["patterns"])


def test_a_number_is_in_the_page_only_by_its_interval():
    table = Table.from_any({"x": [k + 0.0625 for k in range(1000)]}, [0] * 480 + [1] * 520)
    found = document(write_explorer(enumerate_optimal(table, n=3, C1=0.02, C2=0.02, max_length=1)))
    cuts = found["attributes"][0]["cuts"]
    assert found["rows"]["training"]["coded"]["count"] <= len(cuts) + 1 < 100


def test_the_modules_are_all_there_and_short():
    assert sorted(path.stem for path in FILES.glob("*.js")) == sorted(MODULES)
    lines = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in FILES.glob("*.js")}
    assert max(lines.values()) <= 350, lines


def test_what_cannot_be_explored_is_said():
    with pytest.raises(OptionError, match="near must be a RashomonSet"):
        write_explorer("x")
    with pytest.raises(OptionError, match="path must be None or the name of a file, not 3"):
        some(path=3)
    with pytest.raises(OptionError, match="groups names 'z', which is not a column"):
        some(groups="z")


def test_an_estimator_writes_it_and_a_notebook_shows_it(tmp_path):
    X = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6], "sex": ["f", "m"] * 3})
    model = OOAxClassifier(C1=0.02, C2=0.02).fit(X, [0, 0, 0, 1, 1, 1])
    page = model.explore(tmp_path / "page.html", X, [0, 0, 0, 1, 1, 1], within=0.1, groups="sex")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert document(page)["rows"]["test"]["found"][0] == 3.0
    assert "sensitivity_gap" in document(page)["rows"]["training"]
    shown = page._repr_html_()
    assert shown.startswith("<iframe")
    assert "<script" not in shown  # but in an attribute, escaped
    assert repr(model.explore(near=page.near)) == f"ExplorerPage({len(page.near)} rule sets)"


def test_limits_are_named_for_readers():
    table = Table.from_any({"age": [30, 40, 50, 60], "sex": ["f", "m", "f", "m"]}, [0, 1, 0, 1])
    limits = {
        min_sensitivity(0.9): "sensitivity at least 90 %",
        max_false_positives(3): "at most 3 false alarms",
        demographic_parity("sex", 0.1): "gap in predictions by sex at most 10 %",
        equal_opportunity(["f", "m", "f", "m"], 0.05): "sensitivity gap at most 5 %",
        max_uses("age", 0): "age is not used",
        max_uses("age", 2): "age in at most 2 patterns",
        max_uses("age", 1): "age in at most 1 pattern",
        forbid_together(["age", "sex"]): "age and sex in no pattern together",
        min_support_per_pattern(3): "min_support_per_pattern(least=3)",
    }
    told = limits_document([*limits, "a limit in words"], table, Objective.of(0.01, 0.01), None)
    assert [one["words"] for one in told] == [*limits.values(), "a limit in words"]


def test_without_rows_no_value_is_there_that_no_rule_set_names():
    many = 50
    table = Table.from_any(
        {
            "name": [f"Person {k}" for k in range(many)],
            "grade": pd.Categorical(["fine"] * many, ["poor", "fine"], ordered=True),
            "age": [k + 0.25 for k in range(many)],
            "sex": ["red" if k < 20 else "blue" if k < 45 else "grey" for k in range(many)],
        },
        [int(k < 20) for k in range(many)],
    )
    near = enumerate_optimal(table, within=0.001, C1=0.01, C2=0.01, max_length=1)
    assert {rules.attributes for rules in near.rules} == {("age",), ("sex",)}
    found = document(write_explorer(near, rows=False))
    values = {
        one["name"]: [each["text"] for each in (*one["names"], *one["cuts"])] for one in found["attributes"]
    }
    assert values["name"] == values["grade"] == []
    assert len(values["age"]) == 1
    named = {text for rules in near.rules for text in ("red", "blue", "grey") if text in str(rules)}
    assert set(values["sex"]) == named
    assert "Person" not in write_explorer(near, rows=False).html
    assert "Person 7" in write_explorer(near).html
