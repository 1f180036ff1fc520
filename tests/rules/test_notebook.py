"""Rules and explanations in notebooks."""

from __future__ import annotations

import re
from html import unescape

import pytest

from ooa.rules.ruleset import RuleSet

NASTY = "<script>alert('1') & \"2\"</script>"


def words(page: str) -> str:
    return " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())


def check(page: str) -> None:
    """Nothing in the data becomes markup, and text and ground keep the notebook's colours."""
    assert "<script" not in page
    assert not re.search(r"[^-]color:|background", page)
    for name in ("div", "table", "tbody", "tr", "th", "td", "b"):
        assert len(re.findall(f"<{name}[ >]", page)) == page.count(f"</{name}>")


@pytest.mark.parametrize("text", ["x >= 3 OR y = red AND x < 2", "x >= 3", "FALSE"])
def test_a_rule_set_is_its_text(text: str) -> None:
    rules = RuleSet.parse(text)
    page = rules._repr_html_()
    check(page)
    assert words(page) == " ".join(rules.to_text().split())


@pytest.mark.parametrize("row", [{"x": 5, "y": "red"}, {"x": 1, "y": "red"}, {"x": None, "y": NASTY}])
def test_an_explanation_is_its_text(row: dict[str, object]) -> None:
    why = RuleSet.parse("x >= 3 OR y = red AND x < 2 OR y = blue").explain(row)
    page = why._repr_html_()
    check(page)
    assert words(page).replace(":", "") == " ".join(str(why).replace(":", "").split())


def test_an_explanation_without_patterns_has_no_table() -> None:
    page = RuleSet().explain({"x": 1})._repr_html_()
    assert words(page) == "target = 0, as there is no pattern"
    assert "<table" not in page
