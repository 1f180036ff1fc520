"""`ooa path`: the rule sets along prices, and what they are worth on rows."""

import re

import pytest
from support import cli_running
from support.cli_running import FIT

from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

PATH = ("path", *FIT[1:])


def test_every_price_has_its_rules_and_counts(folder, ooa, people):
    document = ooa(*PATH, "--prices", "0.1,0.01", "--json").document
    assert [(step["c1"], step["c2"]) for step in document["path"]] == [(0.1, 0.1), (0.01, 0.01)]
    for step in document["path"]:
        rules = RuleSet.from_dict(step["rules"])
        assert RuleSet.parse(step["text"]) == rules
        fires = rules.covers(people).any(axis=1)
        assert step["training"]["errors"] == (fires != (people["sick"] == "ill")).sum()
        assert step["test"] is None
        assert step["certificate"]["proved"]
    fit = ooa(*FIT, "--c1", "0.01", "--c2", "0.01", "--json").document
    assert fit["certificate"]["objective"] == document["path"][1]["certificate"]["objective"]


def test_a_line_for_each_price_and_the_rules_by_number(folder, ooa):
    said = ooa(*PATH, "--prices", "0.1,0.09,0.01", "--test-share", "0.25").out
    assert re.search(
        r"^price +rules +patterns +conditions +errors +sensitivity +PPV +test errors", said, re.M
    )
    lines = re.findall(r"^(0\.\d+) +(\d)", said, re.MULTILINE)
    assert [price for price, _ in lines] == ["0.1", "0.09", "0.01"]
    assert re.search(r"^1\. \(age", said, re.MULTILINE)
    assert said.count("proved optimal") == 3


@pytest.mark.parametrize("words", [("--c1", "0.1"), ("--prices", "cheap"), ("--prices", "0,01")])
def test_prices_are_given_as_such(folder, ooa, words):
    answer = ooa(*PATH, *words)
    assert answer.code == 2
    assert "ooa path --help" in answer.err


def test_folds_say_what_to_expect_of_each_price(folder, ooa):
    words = (*PATH, "--prices", "0.1,0.01", "--cv", "3")
    for step in ooa(*words, "--json").document["path"]:
        assert 0 <= step["held_out"]["accuracy"] <= 1
        assert step["held_out"]["specificity_se"] >= 0
    said = ooa(*words).out
    assert "held-out accuracy  held-out sensitivity  held-out specificity" in said
    assert re.search(r"\d %? ± \d", said)
    assert ooa(*PATH, "--prices", "0.1", "--json").document["path"][0]["held_out"] is None
    assert "--folds (--cv) must be 0, or from 2" in ooa(*PATH, "--cv", "1").err
