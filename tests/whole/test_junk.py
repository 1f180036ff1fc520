"""Every parameter times junk: the outcome is a result, or an error of ours that names the parameter.

The parameters come from the signatures, so that new ones are covered by themselves.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from typing import Any

import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier
from support.junk import Call, calls, complaints, parameters
from support.plotting import FRAME, OPERATING, TRADED

import ooa
import ooa.constraints
import ooa.datasets
import ooa.export
import ooa.plots
from ooa.export import _HOME
from ooa.learning.setting_checks import CHECKS
from ooa.learning.settings import OOASettings, OOAxSettings
from ooa.report.explorer import write_explorer

X = {"a": [1, 2, 3, 4, 5, 6], "b": list("uvuvuv")}
Y = [0, 0, 1, 1, 1, 0]
NUMBERS = [[1, 2], [2, 1], [3, 3], [4, 1], [5, 2], [6, 3]]
TABLE = ooa.Table.from_any(X, Y)
RULES = ooa.RuleSet.parse("a >= 3 AND b = u")
QUICK = {"time_limit": 1, "progress": False}
NEAR = ooa.enumerate_optimal(TABLE, n=2, **QUICK)
#: Data rather than options: what is wrong with them is said of columns, rows and labels.
DATA = {"X", "y", "row", "text", "pattern", "document", "tree", "forest"}
#: What a function gives back is not called with what a user says.
GIVEN_BACK = {
    *("BoundsReport", "Certificate", "EfficientSet", "Equivalent", "Generalisation", "Learned"),
    *("RashomonSet", "Solution", "Suspicion", "VCDimension"),
}
#: Beneath the parameters of users: for those who write adapters, formulations or tables of their own.
BENEATH = {"Backend", "Milp", "Model", "Objective", "Table", "Scope", "Termination"}
#: Good arguments of constraints, by the names of their parameters.
GOOD = {
    "attribute": "a",
    "attributes": ["a", "b"],
    "category": 1,
    "change": 1,
    "costs": {"a": 1},
    "direction": "increasing",
    "false_negative": 2,
    "false_positive": 2,
    "gap": 0.5,
    "group": [0, 1] * 3,
    "least": 0.5,
    "most": 2,
    "other": "b",
    "pattern": "a >= 5",
    "side": "above",
    "true_negative": 1,
    "true_positive": 1,
    "value": 3,
}


def _fits(kind: Any, **good: Any) -> Iterator[tuple[str, Call]]:
    for name, make in calls(kind, **good):
        yield name, lambda junk, make=make: make(junk).fit(X, Y).predict(X)  # type: ignore[misc]


def _constraint(name: str) -> Iterator[tuple[str, Call]]:
    kind = getattr(ooa.constraints, name)
    good = {one: GOOD[one] for one in parameters(kind)}
    if "change" in good:
        good["most"] = 0.5  # a share
    for parameter, make in calls(kind, **good):
        yield (
            parameter,
            lambda junk, make=make: ooa.learn_ooax(TABLE, constraints=[make(junk)], **QUICK),  # type: ignore[misc]
        )


def _export(to: str) -> Iterator[tuple[str, Call]]:
    module, _, name = _HOME[to].partition(":")
    for option in parameters(getattr(import_module(module), name), but=("rules",)):
        yield option, lambda junk, option=option: ooa.export.export(RULES, to, **{option: junk})  # type: ignore[misc]


def _with_patterns() -> dict[str, Iterator[tuple[str, Call]]]:
    patterns = list(RULES)
    return {
        "maximum_efficient_set": calls(ooa.maximum_efficient_set, patterns=patterns, X=X, time_limit=1),
        "vc_dimension": calls(ooa.vc_dimension, patterns=patterns, X=X, time_limit=1),
        "generalisation_statement": calls(
            ooa.generalisation_statement, model=RULES, table=TABLE, patterns=patterns, time_limit=1
        ),
    }


def _every() -> dict[str, Iterator[tuple[str, Call]]]:
    made = {
        "OOAxClassifier": _fits(ooa.OOAxClassifier, time_limit=1),
        "OOAClassifier": _fits(ooa.OOAClassifier, time_limit=1),
        "OOAxClassifierCV": _fits(ooa.OOAxClassifierCV, time_limit=1, cv=2, C_grid=[0.01]),
        "OneVsRestRules": _fits(ooa.OneVsRestRules),
        "OneVsRestRules.fit": calls(ooa.OneVsRestRules(ooa.OOAxClassifier(time_limit=1)).fit, X=X, y=Y),
        "OOAxClassifier.fit": calls(ooa.OOAxClassifier(time_limit=1).fit, X=X, y=Y),
        "fit": calls(ooa.fit, X=X, y=Y, time_limit=1),
        "learn_ooax": calls(ooa.learn_ooax, table=TABLE, **QUICK),
        "learn_ooa": calls(ooa.learn_ooa, table=TABLE, **QUICK),
        "path": calls(ooa.path, table=TABLE, C_grid=[0.01], **QUICK),
        "trade_off": calls(
            ooa.trade_off, table=TABLE, constraint=ooa.constraints.min_sensitivity, grid=[0.5], **QUICK
        ),
        "operating_curve": calls(ooa.operating_curve, table=TABLE, weights=[1], **QUICK),
        "enumerate_optimal": calls(ooa.enumerate_optimal, table=TABLE, n=1, **QUICK),
        "RashomonSet.ranges": calls(NEAR.ranges),
        "Source": calls(ooa.Source, data="rows.parquet"),
        "write_explorer": (one for one in calls(write_explorer, near=NEAR) if one[0] != "path"),
        "Table.from_any": calls(ooa.Table.from_any, X=X, y=Y),
        "candidate_literals": calls(ooa.candidate_literals, rows=TABLE),
        "bounds_report": calls(ooa.bounds_report, table=TABLE),
        "inspect_table": calls(ooa.inspect_table, table=TABLE),
        "SolveParams": calls(ooa.SolveParams),
        "available_backends": calls(ooa.available_backends),
        "get_backend": calls(ooa.get_backend),
        "tree_rules": calls(ooa.tree_rules, tree=DecisionTreeClassifier().fit(NUMBERS, Y)),
        "forest_rules": calls(ooa.forest_rules, forest=RandomForestClassifier(2).fit(NUMBERS, Y)),
        "export": calls(ooa.export.export, rules=RULES, to="text"),
        "RuleSet": calls(ooa.RuleSet),
        "Pattern": calls(ooa.Pattern),
        "Range": calls(ooa.Range, attribute="a", low=1),
        "Equal": calls(ooa.Equal, attribute="a", value=1),
        "NotEqual": calls(ooa.NotEqual, attribute="a", value=1),
        "OneOf": calls(ooa.OneOf, attribute="a", values=[1]),
        "LevelRange": calls(ooa.LevelRange, attribute="a", levels=["x", "y"], low="x"),
        "IsMissing": calls(ooa.IsMissing, attribute="a"),
        "RuleSet.statistics": calls(RULES.statistics, X=X, y=Y),
    }
    methods = ("covers", "explain", "from_dict", "from_json", "implies", "parse")
    methods += ("predict", "to_json", "to_text")
    made |= {f"RuleSet.{name}": calls(getattr(RULES, name)) for name in methods}
    made |= _with_patterns()
    for name in ooa.datasets.__all__:
        if inspect.isfunction(getattr(ooa.datasets, name)):
            made[f"datasets.{name}"] = calls(getattr(ooa.datasets, name))
    for name in ooa.constraints.__all__:
        if name != "Constraint":
            made[f"constraints.{name}"] = _constraint(name)
    for to in _HOME:
        made[f"export to {to}"] = _export(to)
    return made


EVERY = _every()
CASES = [(where, name, call) for where, listed in EVERY.items() for name, call in listed]


def _named(name: str, sentence: str) -> bool:
    return name in DATA or name in sentence or "'a'" in sentence


@pytest.mark.parametrize(
    ("where", "name", "call"), CASES, ids=[f"{where}-{name}" for where, name, _ in CASES]
)
def test_junk_gives_a_result_or_names_the_parameter(where: str, name: str, call: Call) -> None:
    assert complaints(call, lambda sentence: _named(name, sentence)) == {}


BENCHMARK = pd.DataFrame({"solver": ["s"], "instance": ["i"], "seconds": [1.0], "proved": [True]})
PICTURES: dict[str, dict[str, Any]] = {
    "plot_ambiguity": {"near": NEAR},
    "plot_benchmark": {"frame": BENCHMARK},
    "plot_cv": {"found": ooa.OOAxClassifierCV(time_limit=1, cv=2, C_grid=[0.01]).fit(X, Y)},
    "plot_operating_curve": {"frame": OPERATING},
    "plot_path": {"frame": FRAME},
    "plot_reliance": {"near": NEAR},
    "plot_progress": {"found": ooa.OOAxClassifier(time_limit=1).fit(X, Y)},
    "plot_rules": {"found": RULES, "X": X, "y": Y},
    "plot_trade_off": {"frame": TRADED},
}
DRAWN = [(name, one) for name in PICTURES for one in parameters(getattr(ooa.plots, name))]


@pytest.mark.parametrize(("picture", "name"), DRAWN, ids=["-".join(one) for one in DRAWN])
def test_junk_gives_a_picture_or_names_the_parameter(picture: str, name: str) -> None:
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("Agg")
    call = dict(calls(getattr(ooa.plots, picture), **PICTURES[picture]))[name]
    try:
        assert complaints(call, lambda sentence: _named(name, sentence)) == {}
    finally:
        pyplot.close("all")


def test_everything_public_is_tried() -> None:
    public = {name for name in ooa.__all__ if callable(getattr(ooa, name))}
    errors = {name for name in public if name.startswith("OOA") and name.endswith(("Error", "Warning"))}
    assert public - errors - GIVEN_BACK - BENEATH == (EVERY.keys() | PICTURES.keys()) & public
    assert PICTURES.keys() == {name for name in ooa.plots.__all__ if name.startswith("plot_")}


def test_every_option_of_a_fit_has_a_check() -> None:
    options = {one.name for kind in (OOAxSettings, OOASettings) for one in fields(kind)}
    assert options - CHECKS.keys() == {"without"}, "without is checked beside the techniques it names"


@pytest.mark.parametrize("value", ["false", "no", "", 0, 1, None])
@pytest.mark.parametrize("name", ["ranges", "negations"])
def test_text_and_numbers_are_not_true_or_false(name: str, value: Any) -> None:
    with pytest.raises(ooa.errors.OptionError, match=f"{name} must be True or False, not {value!r}"):
        ooa.OOAxClassifier(**{name: value}).fit(X, Y)
