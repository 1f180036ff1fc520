"""`ooa trade-off`: the rule sets at the limits of a constraint, and what they are worth on rows."""

import re

from support import cli_running
from support.cli_running import FIT

from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

TRADE = ("trade-off", *FIT[1:], "--c1", "0.01", "--c2", "0.01")


def test_every_limit_has_its_rules_and_counts(folder, ooa, people):
    told = ("--of", "min_sensitivity=LIMIT", "--limits", "0.5,1", "--constraint", "max_total_literals=2")
    document = ooa(*TRADE, *told, "--json").document
    assert document["constraint"] == "min_sensitivity=LIMIT"
    assert [step["limit"] for step in document["limits"]] == ["0.5", "1"]
    for step, least in zip(document["limits"], (0.5, 1)):
        rules = RuleSet.from_dict(step["rules"])
        assert RuleSet.parse(step["text"]) == rules
        assert rules.n_literals <= 2
        fires = rules.covers(people).any(axis=1)
        assert step["training"]["errors"] == (fires != (people["sick"] == "ill")).sum()
        assert fires[people["sick"] == "ill"].mean() >= least
        assert step["proved"]
        assert step["test"] is None


def test_a_line_for_each_limit_and_the_rules_by_number(folder, ooa):
    told = ("--of", "max_total_literals=LIMIT", "--limits", "3,0", "--constraint", "min_sensitivity=0.5")
    said = ooa(*TRADE, *told, "--test-share", "0.25").out
    assert re.search(
        r"^limit +rules +patterns +conditions +costs +errors +sensitivity +PPV +test errors", said, re.M
    )
    assert re.search(r"^3 +1 .* proved optimal$", said, re.MULTILINE)
    assert re.search(r"^0 +- .* no rule set meets it$", said, re.MULTILINE)
    assert re.search(r"^1\. \(", said, re.MULTILINE)


def test_the_limit_has_its_place(folder, ooa):
    answer = ooa(*TRADE, "--of", "min_sensitivity=0.5", "--limits", "1,2")
    assert answer.code == 1
    assert "write LIMIT there" in answer.err
