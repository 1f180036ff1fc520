"""Parameters and settings: one default for each option, in signatures, docstrings and settings alike."""

from __future__ import annotations

import ast
import inspect
import logging
import re
from dataclasses import fields, replace

import numpy as np
import pytest

from ooa.datasets import monks
from ooa.errors import OptionError
from ooa.estimators import OOAClassifier, OOAxClassifier, OOAxClassifierCV
from ooa.estimators.parameters import PREDICTING, READING, settings_of
from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, OOASettings, OOAxSettings

KINDS = [(OOAxClassifier, OOAxSettings), (OOAClassifier, OOASettings)]
#: Parameters that scikit-learn calls otherwise than the settings do.
RENAMED = {"gap": "relative_gap", "n_jobs": "threads", "random_state": "seed", "verbose": "log"}
#: Settings that only the functions take.
FUNCTIONS_ONLY = {
    *("patterns", "score", "keep", "engine", "max_mined", "form", "without", "decompose"),
    *("options", "policy", "clock", "deterministic"),
}
#: How OOAxClassifierCV chooses a price, in the place of C1 and C2.
CHOOSING = {"C_grid", "cv", "one_standard_error"}
both = pytest.mark.parametrize(("estimator", "kind"), KINDS)


def defaults(estimator):
    return {name: p.default for name, p in inspect.signature(estimator).parameters.items()}


@both
def test_every_default_is_that_of_the_settings(estimator, kind):
    usual = kind(time_limit=INTERACTIVE_TIME_LIMIT)
    assert settings_of(kind, defaults(estimator)) == usual


@both
def test_every_setting_is_a_parameter_or_only_for_the_functions(estimator, kind):
    names = {RENAMED.get(name, name) for name in defaults(estimator)}
    known = {field.name for field in fields(kind)}
    assert known - names == known & FUNCTIONS_ONLY
    assert names - known == {*READING, *PREDICTING} - {"missing"}


def test_who_chooses_the_price_takes_all_others():
    here, there = defaults(OOAxClassifierCV), defaults(OOAxClassifier)
    assert here.keys() - CHOOSING == there.keys() - {"C1", "C2"}
    assert here.keys() >= CHOOSING
    assert all(here[name] == default for name, default in there.items() if name in here)


def test_what_only_the_functions_take_exists():
    known = {field.name for _, kind in KINDS for field in fields(kind)}
    assert known >= FUNCTIONS_ONLY
    assert known >= set(RENAMED.values())


def documented(estimator):
    """What the docstring says of each parameter: its default, None if it is optional, or nothing."""
    text = inspect.getdoc(estimator)
    section = text[text.index("Parameters\n") : text.index("Attributes\n")]
    for entry in re.findall(r"^(\w[\w, ]*) : (.*)$", section, re.MULTILINE):
        names, said = entry
        stated = re.search(r"default (.+)$", said)
        for name in names.split(", "):
            if said.startswith("as for"):
                yield name, ...
            else:
                yield name, ast.literal_eval(stated[1]) if stated else None


@pytest.mark.parametrize("estimator", [OOAxClassifier, OOAClassifier, OOAxClassifierCV])
def test_docstrings_state_the_defaults(estimator):
    said, true = dict(documented(estimator)), defaults(estimator)
    assert said.keys() == true.keys()
    assert {name: default for name, default in said.items() if default is not ...} == {
        name: default for name, default in true.items() if said[name] is not ...
    }


@pytest.mark.parametrize("estimator", [OOAClassifier, OOAxClassifierCV])
def test_what_is_the_same_for_both_is_documented_once(estimator):
    said, first = dict(documented(estimator)), defaults(OOAxClassifier)
    for name, default in defaults(estimator).items():
        if said[name] is ...:
            assert default == first[name]


@both
def test_names_of_scikit_learn(estimator, kind):
    usual = settings_of(kind, defaults(estimator))

    def told(**parameters):
        return settings_of(kind, defaults(estimator) | parameters)

    assert told(gap=0.5, n_jobs=3) == replace(usual, relative_gap=0.5, threads=3)
    assert told(random_state=np.int64(7)).seed == 7
    drawn = [told(random_state=np.random.RandomState(1)).seed for _ in range(2)]
    assert drawn[0] == drawn[1] != usual.seed
    assert told(missing="literal") == replace(usual, missing=True)
    for missing in ("category", ["a"], np.array(["a", "b"])):
        assert told(missing=missing) == usual
    assert told(verbose=1) == replace(usual, progress=False)  # the log says as much
    assert told(verbose=1, progress=True) == replace(usual, progress=True)
    assert told(verbose=2).log is logging.getLogger("ooa")
    assert told(constraints=None) == usual
    assert told(constraints=len).constraints == (len,)


@pytest.mark.parametrize(
    "option", [{"gap": -1}, {"verbose": "yes"}, {"time_limit": -1}, {"C1": "cheap"}, {"max_length": 0}]
)
def test_bad_values_are_refused_by_name(option):
    data = monks(1)
    with pytest.raises(OptionError, match=next(iter(option))):
        OOAxClassifier(**option).fit(data.X, data.y)
