"""A fit chosen by its settings, what they say of the literals, and a look for a first pattern."""

from __future__ import annotations

from inspect import signature

import pytest

from ooa.candidates.generate import candidate_literals
from ooa.data.table import Table
from ooa.learning.by_settings import explain_fit, learn
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import METHODS, OOASettings, OOAxSettings

X = {"x": [1, 2, 3, 4, 5, 6, 7, 8], "colour": list("rrrbbbrb")}
Y = [0, 0, 1, 1, 1, 1, 0, 0]


@pytest.fixture(scope="module")
def table():
    return Table.from_any(X, Y)


def test_the_kind_of_the_settings_says_which_fit(table):
    prices = {"C1": 0.01, "C2": 0.01}
    for kind, function in ((OOAxSettings, learn_ooax), (OOASettings, learn_ooa)):
        learned = learn(table, kind(**prices))
        assert learned.rules == function(table, **prices).rules
    assert learn(table, OOAxSettings(**prices, ranges=True, max_length=1)).certificate.errors == 0


def test_the_language_is_what_literals_take(table):
    told = OOAxSettings(
        thresholds="round", max_thresholds=4, missing=True, ranges=True, negations=True, sets=2
    )
    limits = {"deadline", "max_bytes"}
    assert told.language().keys() == signature(candidate_literals).parameters.keys() - {"rows"} - limits
    assert all(getattr(told, name) == value for name, value in told.language().items())
    assert (
        candidate_literals(table, **OOAxSettings().language()).literals == candidate_literals(table).literals
    )
    # What is looked at before the MIP need not have every cut; what the user chose, it has.
    assert OOASettings().language()["thresholds"] == "auto"
    assert OOASettings(thresholds="round").language()["thresholds"] == "round"
    assert OOASettings(thresholds={"x": [3]}).language()["thresholds"] == {"x": [3]}


def test_only_what_tells_no_rows_apart_is_explained(table):
    def explained(settings):
        learned = learn(table, settings)
        why = explain_fit(learned, learned.rules.covers(table), table, settings)
        return None if why is None else why.sentence()

    assert explained(OOAxSettings(C1=0.01, C2=0.01)) is None
    for kind in METHODS.values():
        assert "would admit the pattern" in explained(kind(C1=0.5, C2=0.5))
    assert "no pattern covers more" in explained(OOAxSettings(C1=0.5, C2=0.5, min_support=5))
    assert "under these constraints" in explained(
        OOAxSettings(C1=0.5, constraints=lambda f: f.n_patterns <= 1)
    )
