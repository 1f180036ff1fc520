"""`ooa curve`: the rule sets from specific to sensitive ones, and what they are worth on rows."""

import re

from support import cli_running
from support.cli_running import FIT

from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

CURVE = ("curve", *FIT[1:], "--c1", "0.01", "--c2", "0.01")


def test_every_weight_has_its_rules_and_counts(folder, ooa, people):
    document = ooa(*CURVE, "--weights", "0.5,1/3", "--folds", "2", "--json").document
    assert [step["weight"] for step in document["curve"]] == [1 / 3, 0.5]
    for step in document["curve"]:
        rules = RuleSet.from_dict(step["rules"])
        assert RuleSet.parse(step["text"]) == rules
        fires = rules.covers(people).any(axis=1)
        assert step["training"]["errors"] == (fires != (people["sick"] == "ill")).sum()
        assert 0 <= step["held_out"]["sensitivity"] <= 1
        assert step["test"] is None


def test_a_line_for_each_weight_and_the_rules_by_number(folder, ooa):
    said = ooa(*CURVE, "--weights", "1", "--folds", "0", "--test-share", "0.25").out
    head = r"^weight +rules +patterns +conditions +errors +sensitivity +specificity +test errors"
    assert re.search(head, said, re.M)
    assert "held-out" not in said
    assert re.search(r"^1 +1 .* proved optimal$", said, re.MULTILINE)
    assert re.search(r"^1\. \(", said, re.MULTILINE)
    assert "--class-weight ill=WEIGHT,well=1" in said


def test_the_hint_can_be_copied_into_a_shell(folder, ooa, people):
    table = people.assign(sick=people["sick"].where(people["sick"] == "ill", "as well as can be"))
    table.to_csv(folder / "people.csv", index=False)
    said = ooa(*CURVE, "--weights", "1", "--folds", "0").out
    assert "--class-weight 'ill=WEIGHT,as well as can be=1' --save" in said


def test_folds_that_cannot_be_made_are_said(folder, ooa):
    answer = ooa(*CURVE, "--weights", "1", "--folds", "1")
    assert answer.code == 1
    assert "--folds (--cv) must be 0, or from 2 to the number of rows" in answer.err


def test_several_prices_have_a_line_each_and_say_what_is_beaten(folder, ooa):
    words = ("curve", *FIT[1:], "--prices", "0.1,0.01", "--weights", "1,2", "--cv", "0")
    said = ooa(*words).out
    assert re.search(r"^price +weight +rules .* beaten +proof$", said, re.MULTILINE)
    assert len(re.findall(r"^0\.\d+ +\d .* (yes|no) +proved optimal$", said, re.MULTILINE)) == 4
    document = ooa(*words, "--json").document
    assert [(step["c1"], step["weight"]) for step in document["curve"]] == [
        (0.1, 1.0), (0.1, 2.0), (0.01, 1.0), (0.01, 2.0),
    ]  # fmt: skip
    assert any(step["envelope"] for step in document["curve"])
