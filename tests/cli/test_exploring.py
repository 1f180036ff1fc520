"""`ooa explore`: the page, and what is said of the rule sets in it."""

import json
import re

import pytest
from support import cli_running
from support.cli_running import FIT

from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

EXPLORE = ("explore", *FIT[1:], "--c1", "0.02", "--c2", "0.02", "--max-length", "2", "-o", "page.html")


def page_data(folder):
    text = (folder / "page.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    return json.loads(data)


def test_the_page_holds_the_sets_that_are_said(folder, ooa):
    document = ooa(*EXPLORE, "--within", "20%", "--test-share", "0.25", "--json").document
    data = page_data(folder)
    assert document["page"] == "page.html"
    assert document["sets"] == len(data["sets"]) == len(data["rows"]["test"]["found"])
    assert document["complete"]
    best = RuleSet.from_dict(document["optimum"]["rules"])
    assert RuleSet.parse(document["optimum"]["text"]) == best
    assert document["within"] > 0
    assert {one["attribute"] for one in document["attributes"]} >= set(best.attributes)
    assert json.loads(data["schema"])["reading"]


def test_what_is_shown_and_options_of_the_page(folder, ooa):
    said = ooa(*EXPLORE, "--within", "0.05", "--most", "3", "--no-rows", "--title", "Three of them").out
    assert re.search(r"^attribute +used by +loss without$", said, re.MULTILINE)
    assert re.search(r"^\w+ +\d+ % +", said, re.MULTILINE)
    assert re.search(r"^\d+\.\d % of the rows are predicted otherwise", said, re.MULTILINE)
    assert "the page: page.html; open it in any browser" in said
    data = page_data(folder)
    assert len(data["sets"]) <= 3
    assert "coded" not in data["rows"]["training"]
    assert "<h1>Three of them</h1>" in (folder / "page.html").read_text(encoding="utf-8")


def test_a_list_that_the_limit_ended_says_what_to_do(folder, ooa):
    longer = "a longer --time-limit, or a smaller --within, lists all"
    assert longer not in ooa(*EXPLORE).out
    said = ooa(*EXPLORE, "--time-limit", "0").out
    assert "there may be others" in said
    assert longer in said


def test_constraints_are_met_and_said(folder, ooa, people):
    ooa(*EXPLORE, "--within", "0.1", "--constraint", "max_total_literals=2")
    data = page_data(folder)
    assert [one["name"] for one in data["limits"]] == ["max_total_literals(most=2)"]
    assert all(sum(len(data["patterns"][k]) for k in one) <= 2 for one in data["sets"])


def test_what_is_wrong_is_said(folder, ooa):
    assert "--method must be ooax" in ooa(*EXPLORE, "--method", "ooa").err
    assert "within must be a number >= 0, or a percentage" in ooa(*EXPLORE, "--within", "x%").err
    assert "groups names 'z', which is not a column" in ooa(*EXPLORE, "--groups", "z").err


@pytest.mark.parametrize(
    ("many", "option", "there"), [(30, [], True), (90, [], False), (30, ["--no-rows"], False)]
)
def test_values_that_the_page_has_no_use_for_are_not_in_it(folder, ooa, many, option, there):
    lines = [f"Person {k},{k},{int(k > 20)}" for k in range(many)]
    (folder / "named.csv").write_text("\n".join(["name,age,ill", *lines]))
    ooa("explore", "named.csv", "--target", "ill", "-o", "page.html", "--time-limit", "5", *option)
    assert ("Person 7" in (folder / "page.html").read_text(encoding="utf-8")) is there
