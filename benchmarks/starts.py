"""What do trees and forests bring as a start, or as candidates? Theorems 5 and 6 put to use.

    python benchmarks/starts.py                          # generated sets, 5 s per fit
    OOA_DATA=folder python benchmarks/starts.py          # the UCI sets in that folder as well
    python benchmarks/starts.py --sets heart --seconds 20
    python benchmarks/starts.py --quick                  # small tables, 1 s per fit; nothing is saved

Every fit has the same time. "start" is the tree, of at most as many positive leaves as patterns are allowed,
that has the best objective; "tree" and "forest" are fits with the patterns of a deeper tree, and of a forest
of three trees, as further candidates. "objective" and "bound" are values of L; "of the theorem" is the number
of patterns that the tree or forest was turned into, and the most that the theorem allows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from common import parser_of, save, show
from sklearn.compose import make_column_transformer
from sklearn.ensemble import RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from ooa.data.table import Table
from ooa.datasets import Dataset, load_dataset, monks, planted_dnf
from ooa.learning.certificate import count
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.verdict import Learned
from ooa.objective import Objective
from ooa.rules.trees.equivalence import Equivalent, forest_rules, tree_rules


@dataclass(frozen=True)
class Instance:
    """A data set, the most patterns, and the price of a literal and of a pattern."""

    load: Callable[[], Dataset]
    K: int = 5
    C: str = "0.002"
    rows: int | None = None


GENERATED = {
    "monks1": Instance(lambda: monks(1), C="0.001"),
    "planted": Instance(lambda: planted_dnf(400, noise=0.05)),
}
FETCHED = {
    name: Instance(lambda name=name: load_dataset(name))
    for name in ("heart", "bupa", "indian-diabetes", "banknote", "tic-tac-toe")
}
TINY = {
    "monks1": Instance(lambda: monks(1), C="0.01", rows=100),
    "planted": Instance(lambda: planted_dnf(60, 3, 2, noise=0.05), C="0.01"),
}


def pipeline(X: Any, model: Any) -> Any:
    """A model after an encoder of the categorical columns."""
    text = [name for name in X.columns if X[name].dtype.kind not in "iuf"]
    encoder = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore"), text),
        remainder="passthrough",
        verbose_feature_names_out=False,
    )
    return make_pipeline(encoder, model)


def best_tree(X: Any, table: Table, objective: Objective, K: int) -> Equivalent:
    """The tree with at most K positive leaves that is the best rule set."""
    trees = []
    for leaves in range(2, 3 * K):
        model = pipeline(X, DecisionTreeClassifier(max_leaf_nodes=leaves, random_state=0)).fit(X, table.y)
        trees.append(tree_rules(model))
    rows = table.distinct()
    small = [made for made in trees if len(made.rules) <= K] or trees[:1]
    return min(small, key=lambda made: count(made.rules, rows, objective).objective)


def study(name: str, instance: Instance, seconds: float) -> list[dict[str, Any]]:
    """All fits of one instance."""
    data = instance.load()
    X, y = data.X.iloc[: instance.rows], data.y.iloc[: instance.rows]
    table = Table.from_any(X, y)
    objective = Objective.of(instance.C, instance.C)
    small = best_tree(X, table, objective, instance.K)
    tree = DecisionTreeClassifier(max_leaf_nodes=30, random_state=0)
    deep = tree_rules(pipeline(X, tree).fit(X, table.y))
    forest = forest_rules(pipeline(X, RandomForestClassifier(3, max_depth=3, random_state=0)).fit(X, table.y))
    methods: dict[str, Callable[..., Learned]] = {
        "ooax": learn_ooax,
        "ooa": partial(learn_ooa, single_category=False),  # a tree may say "x ≠ v"
    }
    alone = float(count(small.rules, table.distinct(), objective).objective)
    found: list[dict[str, Any]] = [{"set": name, "method": "the tree itself", "objective": f"{alone:.5f}"}]
    for method, label, made, option in (
        ("ooax", "scratch", None, ""),
        ("ooax", "start", small, "start"),
        ("ooax", "tree", deep, "patterns"),
        ("ooax", "forest", forest, "patterns"),
        ("ooa", "scratch", None, ""),
        ("ooa", "start", small, "start"),
    ):
        began = time.perf_counter()
        learned = methods[method](
            table,
            C1=instance.C,
            C2=instance.C,
            max_patterns=instance.K,
            time_limit=seconds,
            **({} if made is None else {option: made.rules}),
        )
        certificate = learned.certificate
        size = "" if made is None else f"{len(made.rules)} / {'-' if made.bound is None else made.bound}"
        found.append(
            {
                "set": name,
                "method": method,
                "with": label,
                "of the theorem": size,
                "objective": f"{float(certificate.objective):.5f}",
                "bound": "" if certificate.bound is None else f"{float(certificate.bound):.5f}",
                "accuracy": f"{certificate.accuracy:.4f}",
                "literals": certificate.literals,
                "seconds": round(time.perf_counter() - began, 1),
                "ended": "proved" if certificate.proved else certificate.termination.value,
            }
        )
    return found


def main() -> None:
    instances = GENERATED | (FETCHED if os.environ.get("OOA_DATA") else {})
    arguments = parser_of(__doc__, instances, 5.0, "small tables, 1 s per fit").parse_args()
    if arguments.quick:
        instances, arguments.seconds = TINY, 1.0
    table: list[dict[str, Any]] = []
    for name, instance in instances.items():
        if name in arguments.sets:
            table += study(name, instance, arguments.seconds)
    show(table)
    if not arguments.quick:
        print("saved:", save("starts", table))


if __name__ == "__main__":
    main()
