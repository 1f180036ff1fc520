"""The list as an object: frame, text, and the options it is made with."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.enumerating import quietly, values

from ooa.data.table import Table
from ooa.errors import OOAError, OptionError
from ooa.explore.enumerate import enumerate_optimal
from ooa.learning.certificate import count
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def test_the_frame_and_the_text():
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    found = quietly(table, 4, C1="1/10", C2="1/10")
    frame = found.to_frame()
    assert list(frame.columns) == [
        "objective", "excess", "errors", "error_rate", "literals", "patterns", "rules"
    ]  # fmt: skip
    assert len(frame) == len(found) == 4
    assert [RuleSet.parse(text) for text in frame["rules"]] == list(found.rules)
    assert frame["excess"][0] == 0
    assert (frame["objective"].diff().dropna() >= 0).all()
    for k, (rules, certificate) in enumerate(found):
        assert found[k] == (rules, certificate)
        assert certificate.objective == count(rules, table, Objective.of("1/10", "1/10")).objective
    assert found[-1][0] == found.rules[-1]
    assert [rules for rules, _ in found[1:3]] == list(found.rules[1:3])
    assert str(found).startswith("the 4 best rule sets without redundant patterns, among sets of at most 5")
    assert repr(found) == "RashomonSet(4 rule sets, complete=True)"
    assert str(quietly(table, within=0, C1="1/10", C2="1/10")).startswith(
        "all 1 rule sets without redundant patterns within 0 of"
    )


@pytest.mark.parametrize(
    ("far", "said"),
    [
        (
            Fraction(2, 3000),
            "none is missing that is less than 0.000666 above the best, further away there may be others",
        ),
        (
            Fraction(1, 1000),
            "none is missing that is less than 0.001 above the best, further away there may be others",
        ),
        (
            Fraction(12345, 10000),
            "none is missing that is less than 1.23 above the best, further away there may be others",
        ),
        (Fraction(0), "there may be others as good"),
        (None, "there may be others as good"),
    ],
)
def test_a_list_that_is_not_complete_says_up_to_where_it_is(far, said):
    """Never further than that is proved."""
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    every = quietly(table, within="1/2", C1="1/10", C2="1/10")
    rest = None if far is None else every.certificates[0].objective + far
    cut = replace(every, complete=False, rest=rest, total=None)
    assert cut.headline.startswith(
        f"{len(every)} rule sets without redundant patterns within 0.5 of the optimum"
    )
    assert cut.headline.endswith(f"; not all were looked at: {said}")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n": 0}, "n must be"),
        ({"n": 2.5}, "n must be"),
        ({"within": -1}, "within must be"),
        ({"within": "near"}, "within must be"),
        ({"max_lenght": 2}, "did you mean 'max_length'"),
        ({"relative_gap": 0.1}, "relative_gap must be 0"),
        ({"max_patterns": 0}, "max_patterns"),
        ({"max_length": 0}, "max_length"),
        ({"time_limit": -1}, "time_limit"),
        ({"C1": -1}, "C1"),
        ({"backend": "hihgs"}, "highs"),
    ],
)
def test_a_wrong_option_is_named(given, message):
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    with pytest.raises(OOAError, match=message):
        enumerate_optimal(table, **given)
    assert issubclass(OptionError, OOAError)


def test_options_of_mining_apply():
    rng = np.random.default_rng(3)
    columns = {name: rng.choice(list("pqr"), 40) for name in "abc"}
    table = Table.from_any(columns, (columns["a"] == "p") ^ (rng.random(40) < 0.1))
    first = Pattern.parse("a = p")
    prices = {"C1": 0.02, "C2": 0.02}
    found = quietly(table, 2, keep=lambda p: len(p) == 1, max_length=2, **prices)
    assert all(len(pattern) == 1 for rules in found.rules for pattern in rules)
    assert "that the filter lets pass" in found.statement
    only = quietly(table, 5, keep=lambda p: p == first, **prices)
    assert only.complete
    assert only.rest is None or only.rest > values(only)[-1] or len(only) == 5
    assert [len(rules) for rules in only.rules] == [1, 0]
    few = quietly(table, 2, max_candidates=3, **prices)
    assert few.certificates[0].pool is not None
    assert "candidates that were looked at" in few.statement
    own = Pattern.parse("a = p AND b = q AND c = r")
    mine = quietly(table, 3, patterns=[own], keep=lambda p: p in (own, first), max_length=1, C1=0, C2=0)
    assert any(own in rules for rules in mine.rules)
    begun = quietly(table, 3, start=RuleSet([own]), max_length=1, **prices)
    assert begun.complete
    broad = quietly(table, 6, min_support=8, **prices)
    holds = [rules.covers(table.as_frame()) for rules in broad.rules]
    assert all(table.positive @ cover[:, k] >= 8 for cover in holds for k in range(cover.shape[1]))
