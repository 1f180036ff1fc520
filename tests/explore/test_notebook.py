"""Paths and lists of rule sets in notebooks: all that is there, escaped, and whose colours they are."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from ooa.data.table import Table
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.price_path import path


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    kind = rng.choice(["<b>bold</b>", "a & b", "plain"], 60)
    size = rng.integers(0, 5, 60)
    return Table.from_any({"kind": kind, "size": size}, (kind == "<b>bold</b>") | (size >= 3))


def cells(page):
    return [unescape(re.sub("<[^>]+>", " ", cell)) for cell in re.findall(r"<td.*?</td>", page)]


def check(page):
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert not re.search(r"color|background|<script|<style", page)  # those of the notebook, light or dark
    assert page.count("<div") == page.count("</div>")


def test_a_path(table):
    frame = path(table)
    page = frame._repr_html_()
    check(page)
    assert frame.complete
    assert f"{len(frame)} rule sets from simple to accurate: no other is the best" in page
    assert page.count("<tr>") == len(frame) + 1
    assert page.count("proved optimal") == len(frame)
    said = cells(page)
    for price, rules in zip(frame["C1"], frame.rule_sets):
        assert f" {price:g} " in said
        assert any(all(str(pattern) in cell for pattern in rules) for cell in said)
    pairs = path(table, [(0.01, 0.02)])
    assert "C1</th>" in pairs._repr_html_()
    assert "1 rule set from simple to accurate, 1 of them proved" in pairs._repr_html_()


def test_a_frame_that_is_no_path_any_more_is_shown_as_pandas_shows_it(table):
    frame = path(table, [0.2, 0.01])
    assert type(frame.head(1)) is pd.DataFrame
    frame.loc[2] = frame.loc[0]
    assert frame._repr_html_() is None
    with pd.option_context("display.notebook_repr_html", False):
        assert path(table, [0.2])._repr_html_() is None


def test_a_list_of_rule_sets(table):
    found = enumerate_optimal(table, 4, C1=0.01, C2=0.01)
    page = found._repr_html_()
    check(page)
    assert found.headline in unescape(page)
    assert page.count("<tr>") == len(found) + 1
    assert any(" 0 " in cell for cell in cells(page))
