"""Every parameter times junk: the outcome is a result, or an error of ours that names the parameter.

The parameters come from the signatures, so that new ones are covered by themselves.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ooa
import ooa.constraints
import ooa.datasets
import ooa.export
from ooa.errors import OOAError
from ooa.learning.setting_checks import CHECKS
from ooa.learning.settings import OOASettings, OOAxSettings

JUNK: dict[str, Any] = {
    "None": None,
    "text": "abc",
    "false as text": "false",
    "bytes": b"x",
    "-1": -1,
    "2.5": 2.5,
    "NaN": float("nan"),
    "infinity": float("inf"),
    "2**70": 2**70,
    "10**400": 10**400,
    "True": True,
    "list": [],
    "dict": {},
    "object": object(),
    "array": np.array([1, 2]),
    "array without dimensions": np.array(3.0),
    "NA": pd.NA,
}
X = {"a": [1, 2, 3, 4, 5, 6], "b": list("uvuvuv")}
Y = [0, 0, 1, 1, 1, 0]
TABLE = ooa.Table.from_any(X, Y)
RULES = ooa.RuleSet.parse("a >= 3 AND b = u")
QUICK = {"time_limit": 1, "progress": False}
#: Data rather than options: what is wrong with them is said of columns, rows and labels.
DATA = {"X", "y", "row", "text", "pattern", "document", "tree", "forest"}

Call = Callable[[Any], object]


def _names(function: Any, but: tuple[str, ...] = ()) -> list[str]:
    kinds = (inspect.Parameter.VAR_KEYWORD, inspect.Parameter.VAR_POSITIONAL)
    listed = inspect.signature(function).parameters.values()
    return [one.name for one in listed if one.kind not in kinds and one.name not in but]


def _calls(function: Any, **good: Any) -> Iterator[tuple[str, Call]]:
    """One call for each parameter of a function, the others being good."""
    for name in _names(function, but=("self",)):
        yield name, lambda junk, name=name: function(**good | {name: junk})  # type: ignore[misc]


def _fits(kind: Any, **good: Any) -> Iterator[tuple[str, Call]]:
    for name, make in _calls(kind, **good):
        yield name, lambda junk, make=make: make(junk).fit(X, Y).predict(X)  # type: ignore[misc]


def _constraint(kind: Any, good: dict[str, Any]) -> Iterator[tuple[str, Call]]:
    for name, make in _calls(kind, **good):
        yield (
            name,
            lambda junk, make=make: ooa.learn_ooax(TABLE, constraints=[make(junk)], **QUICK),  # type: ignore[misc]
        )


GOOD_CONSTRAINTS: dict[str, dict[str, Any]] = {
    "at_most_one_of": {"attributes": ["a", "b"]},
    "budget": {"costs": {"a": 1}, "most": 2},
    "demographic_parity": {"group": [0, 1] * 3, "gap": 0.5},
    "equal_opportunity": {"group": [0, 1] * 3, "gap": 0.5},
    "forbid_pattern": {"pattern": "a >= 5"},
    "forbid_together": {"attributes": ["a", "b"]},
    "max_uses": {"attribute": "a", "most": 1},
    "must_use": {"attribute": "a"},
    "monotone": {"attribute": "a", "direction": "increasing"},
}
EXPORTS = {
    "sql": ("table", "dialect", "what", "types"),
    "json": ("indent",),
    "text": ("compact", "unicode"),
    "pmml": ("types",),
    "pandas": ("types",),
}


def _every() -> Iterator[tuple[str, str, Call]]:
    made = {
        "OOAxClassifier": _fits(ooa.OOAxClassifier, time_limit=1),
        "OOAClassifier": _fits(ooa.OOAClassifier, time_limit=1),
        "OOAxClassifierCV": _fits(ooa.OOAxClassifierCV, time_limit=1, cv=2, C_grid=[0.01]),
        "fit": _calls(ooa.fit, X=X, y=Y, time_limit=1),
        "learn_ooax": _calls(ooa.learn_ooax, table=TABLE, **QUICK),
        "learn_ooa": _calls(ooa.learn_ooa, table=TABLE, **QUICK),
        "path": _calls(ooa.path, table=TABLE, C_grid=[0.01], **QUICK),
        "enumerate_optimal": _calls(ooa.enumerate_optimal, table=TABLE, n=1, **QUICK),
        "Table.from_any": _calls(ooa.Table.from_any, X=X, y=Y),
        "candidate_literals": _calls(ooa.candidate_literals, rows=TABLE),
        "bounds_report": _calls(ooa.bounds_report, table=TABLE),
        "inspect_table": _calls(ooa.inspect_table, table=TABLE),
        "SolveParams": _calls(ooa.SolveParams),
        "get_backend": _calls(ooa.get_backend),
        "export": _calls(ooa.export.export, rules=RULES, to="text"),
        "RuleSet": _calls(ooa.RuleSet),
        "Pattern": _calls(ooa.Pattern),
        "Range": _calls(ooa.Range, attribute="a", low=1),
        "Equal": _calls(ooa.Equal, attribute="a", value=1),
        "NotEqual": _calls(ooa.NotEqual, attribute="a", value=1),
        "OneOf": _calls(ooa.OneOf, attribute="a", values=[1]),
        "LevelRange": _calls(ooa.LevelRange, attribute="a", levels=["x", "y"], low="x"),
        "IsMissing": _calls(ooa.IsMissing, attribute="a"),
        "RuleSet.statistics": _calls(RULES.statistics, X=X, y=Y),
    }
    methods = (
        "covers",
        "explain",
        "from_dict",
        "from_json",
        "implies",
        "parse",
        "predict",
        "to_json",
        "to_text",
    )
    made |= {f"RuleSet.{name}": _calls(getattr(RULES, name)) for name in methods}
    for name in ooa.datasets.__all__:
        if inspect.isfunction(getattr(ooa.datasets, name)):
            made[f"datasets.{name}"] = _calls(getattr(ooa.datasets, name))
    for name, good in GOOD_CONSTRAINTS.items():
        if hasattr(ooa.constraints, name):
            made[f"constraints.{name}"] = _constraint(getattr(ooa.constraints, name), good)
    for where, calls in made.items():
        for name, call in calls:
            yield where, name, call
    for to, options in EXPORTS.items():
        for name in options:
            yield (
                f"export to {to}",
                name,
                lambda junk, to=to, name=name: ooa.export.export(RULES, to, **{name: junk}),
            )


CASES = list(_every())


@pytest.mark.parametrize("junk", JUNK)
@pytest.mark.parametrize(
    ("where", "name", "call"), CASES, ids=[f"{where}-{name}" for where, name, _ in CASES]
)
def test_junk_gives_a_result_or_names_the_parameter(where: str, name: str, call: Call, junk: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(JUNK[junk])
        except OOAError as error:
            said, named = str(error), name in DATA or name in str(error) or "'a'" in str(error)
        else:
            return
    assert named, said
    assert len(said) < 2_000, "one sentence, however long the junk is"


def test_every_option_of_a_fit_has_a_check() -> None:
    options = {one.name for kind in (OOAxSettings, OOASettings) for one in fields(kind)}
    assert options - CHECKS.keys() == {"without"}, "without is checked beside the techniques it names"


@pytest.mark.parametrize("value", ["false", "no", "", 0, 1, None])
@pytest.mark.parametrize("name", ["ranges", "negations"])
def test_text_and_numbers_are_not_true_or_false(name: str, value: Any) -> None:
    with pytest.raises(ooa.errors.OptionError, match=f"{name} must be True or False, not {value!r}"):
        ooa.OOAxClassifier(**{name: value}).fit(X, Y)
