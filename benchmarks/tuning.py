"""How every method of the paper's tables is tuned and fitted on one training part."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from statistics import mean, stdev
from typing import Any

import numpy as np
import pandas as pd
from cutting import deciles
from numpy.typing import NDArray
from warming import ProcessorClock

from ooa.data.table import Table
from ooa.errors import OOAWarning
from ooa.explore.price_path import path
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.rules.ruleset import RuleSet

Labels = NDArray[np.int64]
#: C1 = C2
PRICES = ("0.01", "0.005", "0.002", "0.001", "0.0005")
#: Of the settings whose accuracy is within so many standard errors of the best, the simplest is taken.
TOLERANCE = 0.5
INNER = 5
#: The final fit may take so many times the limit of one in the nested cross-validation.
PATIENCE = 4


@dataclass
class Outcome:
    """Predictions on the rows held out, the size of the model, and what was chosen."""

    predicted: Labels
    size: dict[str, float] = field(default_factory=dict)
    chosen: str = ""


def inner_folds(y: Labels, seed: int = 1) -> Labels:
    """The fold of each row in the nested cross-validation."""
    from sklearn.model_selection import StratifiedKFold

    fold = np.zeros(len(y), dtype=np.int64)
    splits = StratifiedKFold(INNER, shuffle=True, random_state=seed).split(np.zeros(len(y)), y)
    for number, (_, held_out) in enumerate(splits):
        fold[held_out] = number
    return fold


# -- ours ------------------------------------------------------------------------------------------


#: Kinds of cuts that OOAx can be tuned over in the place of those that nested cross-validation chooses from:
#: what the default is, and what it was.
CUTS = ("auto", "deciles")


def languages(method: str, X: pd.DataFrame, cuts: str | None = None) -> list[dict[str, Any]]:
    """The ways to cut numeric columns that are tried; for OOA, which cuts anywhere, there is one."""
    numeric = any(dtype.kind == "f" for dtype in X.dtypes)
    if method == "ooa" or not numeric:
        return [{}]
    if cuts is not None:
        return [{"thresholds": cuts}]
    return [{"thresholds": way, "max_thresholds": 9} for way in ("mdl", "round")]


def _over(table: Table, settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as the library takes them: deciles are those of the rows at hand."""
    return settings | {"thresholds": deciles(table)} if settings.get("thresholds") == "deciles" else settings


def rule_sets(
    method: str,
    X: pd.DataFrame,
    y: Labels,
    X_test: pd.DataFrame,
    limit: float,
    cuts: str | None = None,
    **options: Any,
) -> Outcome:
    """OOAx or OOA: prices and cuts by nested cross-validation, then one more fit.

    All prices of a fold are learned in one go, each started from the others. With cuts of one kind (`CUTS`)
    limits are seconds of the processor: that is for comparing kinds on a machine that does other things too.
    """
    if cuts is not None:
        options["clock"] = ProcessorClock()
    folds = inner_folds(y)
    tried: list[tuple[dict[str, Any], list[float], float]] = []  # settings, accuracies, mean literals
    for language in languages(method, X, cuts):
        right: list[list[float]] = [[] for _ in PRICES]
        literals = [0.0] * len(PRICES)
        for fold in range(INNER):
            inside, outside = folds != fold, folds == fold
            table = Table.from_any(X[inside], y[inside])
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OOAWarning)
                told = _over(table, language) | options
                frame = path(table, PRICES, method=method, time_limit=limit * len(PRICES), **told)
            for i, rules in enumerate(frame.rule_sets):
                right[i].append(float((rules.predict(X[outside]) == y[outside]).mean()))
                literals[i] += rules.n_literals / INNER
        tried += [
            ({"C1": price, "C2": price, **language}, right[i], literals[i]) for i, price in enumerate(PRICES)
        ]
    settings = simplest_of_best(tried)
    learn, table = learn_ooax if method == "ooax" else learn_ooa, Table.from_any(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        told = _over(table, settings) | options
        learned = learn(table, **told, time_limit=PATIENCE * limit, progress=False)
    rules: RuleSet = learned.rules
    size = {"patterns": len(rules), "literals": rules.n_literals, "proved": float(learned.certificate.proved)}
    chosen = " ".join(f"{name}={value}" for name, value in settings.items() if name != "C2")
    return Outcome(rules.predict(X_test).astype(np.int64), size, f"{chosen}: {rules.to_text(compact=True)}")


def simplest_of_best(tried: list[tuple[dict[str, Any], list[float], float]]) -> dict[str, Any]:
    """The settings with the fewest literals among those that are nearly as accurate as the best."""
    _, top, _ = max(tried, key=lambda one: (mean(one[1]), -one[2]))
    enough = mean(top) - TOLERANCE * stdev(top) / math.sqrt(len(top)) - 1e-12
    near = [one for one in tried if mean(one[1]) >= enough]
    return min(near, key=lambda one: (one[2], -mean(one[1])))[0]


# -- scikit-learn ----------------------------------------------------------------------------------


def _searched(make: Callable[[], tuple[Any, dict[str, list[Any]]]], scale: bool) -> Callable[..., Any]:
    """A function that fits a classifier with the best of its settings."""

    def fit(X: pd.DataFrame, y: Labels) -> Any:
        from sklearn.compose import make_column_selector, make_column_transformer
        from sklearn.model_selection import GridSearchCV, PredefinedSplit
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import OneHotEncoder, StandardScaler

        model, grid = make()
        coded = make_column_transformer(
            (
                OneHotEncoder(handle_unknown="ignore", drop="if_binary"),
                make_column_selector(dtype_exclude=float),
            ),
            remainder=StandardScaler() if scale else "passthrough",
        )
        line = make_pipeline(coded, model)
        named = {f"{line.steps[-1][0]}__{name}": values for name, values in grid.items()}
        search = GridSearchCV(line, named, cv=PredefinedSplit(inner_folds(y)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return search.fit(X, y)

    return fit


def _lasso() -> tuple[Any, dict[str, list[Any]]]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(penalty="l1", solver="liblinear", random_state=0)
    return model, {"C": [0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0]}


def _tree(criterion: str, **more: Any) -> Callable[[], tuple[Any, dict[str, list[Any]]]]:
    def make() -> tuple[Any, dict[str, list[Any]]]:
        from sklearn.tree import DecisionTreeClassifier

        model = DecisionTreeClassifier(criterion=criterion, random_state=0, **more)
        return model, {"ccp_alpha": [0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05]}

    return make


def _forest() -> tuple[Any, dict[str, list[Any]]]:
    from sklearn.ensemble import RandomForestClassifier

    model = RandomForestClassifier(200, random_state=0)
    return model, {"max_features": ["sqrt", 0.5], "min_samples_leaf": [1, 3]}


def _svm() -> tuple[Any, dict[str, list[Any]]]:
    from sklearn.svm import SVC

    return SVC(), {"C": [0.3, 1.0, 3.0, 10.0, 30.0], "gamma": ["scale", 0.03, 0.1, 0.3]}


_SCIKIT = {
    "Lasso": _searched(_lasso, scale=True),
    "CART": _searched(_tree("gini"), scale=False),
    "C4.5": _searched(_tree("entropy", min_samples_leaf=2), scale=False),
    "forest": _searched(_forest, scale=False),
    "SVM": _searched(_svm, scale=True),
}


def _size_of(model: Any) -> dict[str, float]:
    if hasattr(model, "coef_") and hasattr(model, "intercept_") and not hasattr(model, "support_"):
        return {"coefficients": int(np.count_nonzero(model.coef_))}
    if hasattr(model, "tree_"):
        return {"nodes": int(model.tree_.node_count), "depth": int(model.tree_.max_depth)}
    if hasattr(model, "estimators_"):
        return {"nodes": int(sum(tree.tree_.node_count for tree in model.estimators_))}
    return {"support vectors": len(model.support_)}


# -- other libraries -------------------------------------------------------------------------------

_PEERS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "RIPPER": (
        "RIPPER",  # which class its rules describe makes a difference where positives prevail
        [
            {"k": k, "prune_size": size, "describes": c}
            for k in (1, 2)
            for size in (0.33, 0.5)
            for c in (1, 0)
        ],
    ),
    "BOA": ("BRS", [{}]),
}
#: In the order of the paper's table; the last two are not interpretable.
METHODS = ("OOA", "OOAx", "BOA", "Lasso", "C4.5", "CART", "RIPPER", "forest", "SVM")
PEER_OF = {name: peer for name, (peer, _) in _PEERS.items()}


def fit_and_predict(
    method: str,
    X: pd.DataFrame,
    y: Labels,
    X_test: pd.DataFrame,
    limit: float,
    python: str | None = None,
    **options: Any,
) -> Outcome:
    """Tune and fit a method on some rows, and predict others.

    Parameters
    ----------
    method : one of `METHODS`
    X, y, X_test : the rows to learn from with 0/1 labels, and others
    limit : seconds for one fit of OOA or OOAx within the nested cross-validation
    python : the interpreter that has the library, for BOA and RIPPER
    **options : of OOA and OOAx
    """
    if method in ("OOA", "OOAx"):
        if method == "OOA":
            options = {name: value for name, value in options.items() if name == "max_patterns"}
        return rule_sets(method.lower(), X, y, X_test, limit, **options)
    if method in _PEERS:
        from peering import Tuning, fit_peer

        peer, grid = _PEERS[method]
        fitted = fit_peer(peer, X, y, X_test, tuning=Tuning(grid, inner_folds(y)), python=python)
        size = {"patterns": fitted.patterns, "literals": fitted.literals}
        rules = "" if fitted.rules is None else fitted.rules.to_text(compact=True)
        return Outcome(fitted.test, size, f"{fitted.params} {rules}")
    search = _SCIKIT[method](X, y)
    chosen = ", ".join(f"{name.split('__')[-1]}={value}" for name, value in search.best_params_.items())
    return Outcome(search.predict(X_test), _size_of(search.best_estimator_[-1]), chosen)
