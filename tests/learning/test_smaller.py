"""Smaller languages: they say nothing that larger ones could not, and each has its share of the time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ooa.data.table import Table
from ooa.learning.conditions import literals_of
from ooa.learning.mine import longest_of
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOAxSettings
from ooa.learning.smaller import looked_at_first, smaller_languages
from ooa.learning.state import Fit

EVERYTHING = {"max_length": None, "ranges": True, "negations": True, "sets": 2, "thresholds": "distinct"}


def mixed(seed: int, rows: int = 120) -> Table:
    """Numbers with few and with many values, and categories; some values are missing."""
    rng = np.random.default_rng(seed)
    X = {
        "few": rng.integers(0, 6, rows).astype(float),
        "many": rng.normal(size=rows),
        "skewed": rng.exponential(size=rows).round(2),
        "kind": rng.choice(list("abcd"), rows),
    }
    X["few"][rng.random(rows) < 0.1] = np.nan
    return Table.from_any(X, (X["many"] > 0.2) ^ (rng.random(rows) < 0.2))


@pytest.mark.parametrize(
    "options",
    [
        EVERYTHING,
        {"max_length": 5},
        {"thresholds": "distinct", "max_length": 2},
        {"ranges": True},
        {"negations": True, "sets": 3, "thresholds": "quantiles"},
        {"thresholds": {"many": [0.0, 1.0]}, "ranges": True},
    ],
)
@pytest.mark.parametrize("seed", range(3))
def test_a_smaller_language_says_nothing_that_the_next_could_not(options: dict, seed: int):
    """By the rows that its conditions hold for, and by how long patterns are."""
    wanted = OOAxSettings(**options)
    fit = Fit.of(mixed(seed), wanted)
    smaller = smaller_languages(wanted, columns=len(fit.problem.rows.attributes))
    assert smaller
    chain = [*(one.settings for one in smaller), wanted]
    said = [set(map(bytes, literals_of(one, fit.problem).bits)) for one in chain]
    lengths = [longest_of(one, fit.problem.rows) for one in chain]
    for k in range(1, len(chain)):
        assert said[k - 1] <= said[k]
        assert lengths[k - 1] <= lengths[k]
        assert len(said[k - 1]) < len(said[k]) or lengths[k - 1] < lengths[k]


def test_shares_of_the_time_grow_and_all_is_not_spent_before_the_language_asked_for():
    shares = [one.share for one in smaller_languages(OOAxSettings(**EVERYTHING))]
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] == POLICY.smaller_share < 1


def test_five_conditions_come_before_any_number_where_there_are_more_columns():
    lengths = {
        columns: [
            one.settings.max_length
            for one in smaller_languages(OOAxSettings(max_length=None), columns=columns)
        ]
        for columns in (3, 4, 5, 6)
    }
    assert lengths == {3: [None], 4: [3, 3], 5: [3, 3], 6: [3, 3, 5]}


def test_without_numbers_no_cuts_are_spoken_of():
    words = [one.words for one in smaller_languages(OOAxSettings(**EVERYTHING), numbers=False)]
    assert words == ["up to length 3, without negations and sets", "up to length 3", "up to length 5"]
    assert smaller_languages(OOAxSettings(), numbers=False) == []


def test_few_patterns_need_no_start():
    settings = OOAxSettings(max_length=5)
    fit = Fit.of(mixed(0), settings)
    literals = literals_of(settings, fit.problem)
    assert looked_at_first(fit.problem.rows, literals, replace(settings, max_length=1)) == []
    assert [one.words for one in looked_at_first(fit.problem.rows, literals, settings)] == [
        "up to length 3, over the cuts that labels ask for",
        "up to length 3",
    ]
    for barred in ({"keep": bool}, {"without": "incumbent"}):
        assert looked_at_first(fit.problem.rows, literals, replace(settings, **barred)) == []


def test_where_conditions_are_missing_smaller_languages_come_first():
    """Ranges of one column can take all the time: what is left of them says nothing of how many there are."""
    settings = OOAxSettings(thresholds="distinct", ranges=True, max_length=1)
    fit = Fit.of(mixed(0), settings)
    literals = literals_of(settings, fit.problem)
    assert looked_at_first(fit.problem.rows, literals, settings) == []
    some = replace(literals, note="only 1 of 4 columns were looked at for lack of time")
    assert len(looked_at_first(fit.problem.rows, some, settings)) == 3
