"""Before everything is mined: looks at the shortest patterns, and how many there can be."""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from ooa.candidates.generate import candidate_literals
from ooa.candidates.mining import Mined
from ooa.clock import WorkClock
from ooa.constraints import max_false_negatives
from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.learning import mine
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern


@pytest.fixture
def looks(monkeypatch):
    """What was looked at: the longest pattern, and whether there were two-sided ranges and kicks."""
    seen = []

    def look(fit, candidates, rounds=0):
        ranges = any(
            isinstance(one, Range) and None not in (one.low, one.high) for one in candidates.literals
        )
        seen.append((int(candidates.length.max()), ranges, rounds > 0))

    monkeypatch.setattr(mine, "greedy_start", look)
    return seen


#: A policy that takes no look at how many rows there are.
FORTY = replace(POLICY, many_literals=(40, 40))


def learn(cuts: int, **options) -> None:
    X = np.random.default_rng(4).random((60, 4))
    table = Table.from_any({f"x{j}": X[:, j] for j in range(4)}, X[:, 0] + X[:, 1] > 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        limits = {"max_patterns": 2, "max_thresholds": cuts, "time_limit": 0.5, "clock": WorkClock(1e-3)}
        learn_ooax(table, C1=0, C2=0, progress=False, **limits, **options)


def test_few_literals_need_no_look(looks):
    learn(4)  # 32 literals
    assert looks == []


def test_looks_are_shorter_than_all_patterns(looks):
    learn(6)  # 48 literals: on so few rows there is nothing to wait for
    assert looks == []
    learn(6, policy=FORTY)
    assert looks == [(2, False, False)]
    looks.clear()
    learn(6, max_length=4, without="replacement", policy=FORTY)
    assert looks == [(2, False, False), (3, False, False)]


def test_looks_are_without_ranges(looks):
    learn(4, ranges=True, policy=FORTY)  # the last look is as long as all patterns
    assert looks == [(2, False, True), (3, False, True)]
    looks.clear()
    learn(4, ranges=True, policy=replace(FORTY, early_patterns=100))
    assert looks == [(2, False, True)]


def test_wide_tables_are_looked_at_once(looks):
    X = np.random.default_rng(4).random((30, 1500)) < 0.5
    table = Table.from_any({f"x{j}": X[:, j] for j in range(1500)}, X[:, 0])
    counted = []

    def count(literals, longest):
        counted.append(longest)
        return [1] + [10**9] * longest

    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        patch.setattr(mine, "most_patterns_by_length", count)
        # A look for each of the columns, and as many as ever for what comes then.
        policy = replace(POLICY, literals_share=0.95)
        limits = {"time_limit": 2.6, "clock": WorkClock(1e-3), "policy": policy}
        told = {"max_length": None, "without": "replacement", "progress": False}
        learn_ooax(table, C1=0.01, C2=0.01, **told, **limits)
    # By the fits over patterns up to three and up to five literals that come first, and by the one asked for.
    assert counted == [POLICY.longest_look] * 3
    assert max(longest for longest, _, _ in looks) == 2


def test_how_many_patterns_there_can_be():
    table = Table.from_any({"a": list("xyz"), "b": list("xyz"), "c": list("xxy")}, [0, 1, 1])
    assert mine.most_patterns_by_length(candidate_literals(table), 3) == [1, 8, 9 + 6 + 6, 18]


def note_on(found: int, kept: int, **said) -> str:
    """What is said of a mining that found so many patterns and kept some of them."""
    few = np.zeros((kept, 1))
    mined = Mined(
        items=few.astype(np.int32),
        length=few[:, 0].astype(np.int16),
        positive=few[:, 0],
        negative=few[:, 0],
        holds=few.astype(np.uint64),
        complete=said.pop("complete", False),
        reason="",
        interrupted=said.pop("interrupted", False),
        counts={"mined": found, "over_budget": found - kept},
        engine="bitset",
        ended_early=said.pop("ended_early", False),
    )
    max_mined = said.pop("max_mined", kept)
    most, budget = said.pop("in_memory", max_mined), said.pop("budget", kept)
    names = said.pop("options", ("time_limit", "max_mined", "max_memory", "min_support", "max_length"))
    return mine._what_is_missing(mined, budget, most, max_mined, 0.217, names)


def test_how_many_patterns_there_are_is_said_only_where_it_is_known():
    assert note_on(7, 7, complete=True) == ""
    assert note_on(9000, 1000) == (
        "only the best 1,000 of 9,000 patterns were kept: raise max_mined or min_support, or lower max_length"
    )
    assert note_on(9000, 1000, ended_early=True) == (
        "only the best 1,000 of at least 9,000 patterns were kept, and mining ended after 21 % of its search "
        "for lack of time: raise time_limit or min_support, or lower max_length"
    )
    assert note_on(900, 900, ended_early=True, budget=1000) == (
        "mining ended after 21 % of its search for lack of time, so patterns are missing: raise time_limit "
        "or min_support, or lower max_length"
    )
    assert "raise time_limit or" in note_on(9000, 1000, max_mined=2000)  # the budget follows from the time
    assert "raise max_memory or min_support" in note_on(9000, 1000, max_mined=2000, in_memory=1000)
    assert note_on(9000, 1000, interrupted=True, ended_early=True) == (
        "mining was interrupted, so patterns may be missing"
    )


def test_advice_names_only_options_that_there_are():
    """OOA has none for the support of patterns or their length."""
    early = note_on(900, 900, ended_early=True, budget=1000, options=("time_limit", "max_patterns"))
    assert early.endswith("for lack of time, so patterns are missing: raise time_limit")
    full = note_on(9000, 1000, options=("time_limit",))
    assert full == "only the best 1,000 of 9,000 patterns were kept"


def test_mining_that_ends_early_says_how_far_it_came():
    X = np.random.default_rng(4).random((60, 6))
    table = Table.from_any({f"x{j}": X[:, j] for j in range(6)}, X[:, 0] + X[:, 1] > 1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        limits = {"max_mined": 50, "time_limit": 4.0, "clock": WorkClock(0.05), "thresholds": "distinct"}
        limits["without"] = "replacement"
        message = learn_ooax(table, C1=0, C2=0, progress=False, **limits).certificate.message
    found = re.search(r"only the best \d+ of at least ([\d,]+) patterns were kept, and mining ended", message)
    assert found is not None, message


def test_what_does_not_pay_is_mined_where_a_constraint_may_need_it():
    """One positive lies apart: to cover it costs more than it saves, but here it must not be missed."""
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [1, 0, 0, 1, 1, 1])
    told = {"C1": "1/10", "C2": "1/10", "progress": False}
    assert learn_ooax(table, **told).certificate.objective == Fraction(1, 6) + Fraction(1, 5)
    found = learn_ooax(table, **told, constraints=[max_false_negatives(0)])
    assert found.certificate.proved
    assert list(found.rules) == [Pattern.parse("x <= 1"), Pattern.parse("x >= 4")]


def test_what_pays_by_a_hair_is_mined():
    """A pattern of one literal costs as much as two rows weigh, and the one that covers three is mined."""
    table = Table.from_any({"c": list("aaabbbbbbb")}, [1, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    settings = OOAxSettings(C1="1/10", C2="1/10")
    fit = Fit.of(table, settings)
    least = mine.least_supports(fit, settings)
    assert 2 < least[1] < 3
    mined = mine.mine_patterns(
        fit, candidate_literals(fit.problem.rows), settings, least, mine.mining_budget(fit, settings)
    )
    found = [mined.candidates.pattern(k) for k in range(len(mined.candidates))]
    assert found == [Pattern.parse("c = a")]
