"""Conditions and certificates in words."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from support.report_pages import Page, learned, small

from ooa.data.table import Table
from ooa.learning.certificate import Standing
from ooa.report.page import write_report
from ooa.rules.literal import IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import Termination


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({}, "proved", "Proved optimal among all patterns"),
        ({"bound": Fraction(1, 5)}, "open", "no rule set within the limits that were set, within the scope"),
        (
            {"bound": Fraction(1, 5)},
            "open",
            "among all patterns, a better one may exist, by no more than that",
        ),
        ({"bound": Fraction(1, 5), "pool": 9}, "open", "Best of 9 candidates"),
        ({"bound": Fraction(1, 5), "pool": 9}, "open", "the 9 patterns that were looked at"),
        (
            {"bound": Fraction(1, 5), "rounding": Fraction(1)},
            "proved",
            "Proved optimal up to 1 among all",
        ),
        ({"feasible": False}, "broken", "does not meet the constraints"),
        ({"termination": Termination.TIME_LIMIT, "message": "odd"}, "proved", "Odd."),
        ({"proof": "counting"}, "proved", "by counting alone"),
        (
            {"backend": "cbc", "version": "2.10.3", "confirmed_by": "highs 1.15.1"},
            "proved",
            "The solver was cbc 2.10.3, and what it claims was confirmed by highs 1.15.1.",
        ),
        (
            {"bound": Fraction(1, 5), "claimed_by": "cbc", "termination": Termination.CLAIMED},
            "open",
            "It ended with a solver's claim that nobody confirmed.",
        ),
    ],
)
def test_certificate_in_words(changes: dict[str, Any], kind: str, words: str) -> None:
    rules, table = small()
    page = Page(write_report(learned(rules, table, **changes), table))
    assert words.replace(" ", "") in page.words.replace(" ", "")
    assert kind in [a.get("class") for a in page.all("div")]


@pytest.mark.parametrize(
    ("changes", "standing", "kind"),
    [
        ({}, Standing.PROVED, "proved"),
        ({"bound": Fraction(1, 5), "rounding": Fraction(1)}, Standing.PROVED_WITHIN, "proved"),
        ({"bound": Fraction(1, 5), "claimed_by": "cbc"}, Standing.CLAIMED, "open"),
        ({"bound": Fraction(1, 5), "pool": 26}, Standing.POOL, "open"),
        ({"bound": Fraction(1, 5)}, Standing.OPEN, "open"),
        ({"feasible": False}, Standing.INFEASIBLE, "broken"),
    ],
)
def test_only_what_is_proved_is_green(changes: dict[str, Any], standing: Standing, kind: str) -> None:
    rules, table = small()
    one = learned(rules, table, **changes)
    assert one.certificate.standing is standing
    page = Page(write_report(one, table))
    tints = {a.get("class") for a in page.all("div")} & {"proved", "open", "broken"}
    assert tints == {kind}
    headline = one.certificate.headline
    assert f"Proof{headline[0].upper()}{headline[1:]}" in page.words


def test_every_kind_of_condition_has_words() -> None:
    table = Table.from_any({"x": [1, 2], "c": ["a", "b"]}, [0, 1])
    some = [
        Pattern([Range("x", 1, 2, low_closed=False, high_closed=False)]),
        Pattern([NotEqual("c", "a")]),
        Pattern([OneOf("c", ["a", "b"])]),
        Pattern([IsMissing("x")]),
    ]
    words = Page(write_report(learned(RuleSet(some), table), table)).words
    for said in ("x is above 1 and below 2", "c is known and not a", "c is one of a, b", "x is missing"):
        assert said in words
