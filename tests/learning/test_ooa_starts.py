"""What OOA starts from: the rule set of OOAx, a decision tree, or any rule set that fits the options."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier
from support import ooa_checking
from support.fake_backends import FormsNothing
from support.ooa_checking import both, quietly

from ooa.data.table import Table
from ooa.datasets import planted_dnf
from ooa.errors import RuleError
from ooa.learning.certificate import count
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import (
    Capability,
    StartStatus,
    available_backends,
    get_backend,
)

BACKENDS = [name for name, found in available_backends().items() if found.ok]
# Fixtures: assigned, as the tests ask for them by name.
mixed, solves = ooa_checking.mixed, ooa_checking.solves


@both
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_mip_starts_from_ooax(mixed: Table, solves: list[Any], backend: str, formulation: str) -> None:
    # A large gap, to be done soon; the limit is for slow machines alone.
    options = {"C1": 0.01, "C2": 0.01, "max_patterns": 2, "relative_gap": 0.9, "time_limit": 20}
    learned = quietly(mixed, formulation=formulation, decompose=False, backend=backend, **options)
    ((model, start, value, solution),) = solves
    assert learned.solution is solution
    assert len(start) > 0
    assert value == count(start, mixed, Objective.of(0.01, 0.01)).objective
    point = model.encode(start)
    assert model.milp.worst(point) == (0.0, "")
    # Ranges may be moved off cuts that no optimal rule set needs, which can only make them better.
    moved = count(model.decode(point), mixed, Objective.of(0.01, 0.01)).objective
    assert learned.certificate.objective <= moved <= value
    exactly = model.milp.objective(point)
    assert exactly == pytest.approx(float(moved * model.total / model.unit), rel=1e-12)
    if Capability.START in get_backend(backend).capabilities:
        assert solution.start is StartStatus.USED, solution.start_message
        first = next(moment.incumbent for moment in solution.trace if moment.incumbent is not None)
        assert first == pytest.approx(exactly, abs=1e-6)


def test_never_worse_than_ooax() -> None:
    better = 0
    for seed in range(4):
        data = planted_dnf(30, 4, 2, noise=0.1, seed=seed)
        table = Table.from_any(data.X, data.y)
        options = {"C1": 0.02, "C2": 0.02, "max_patterns": 2}
        mined = learn_ooax(table, max_candidates=2_000, **options)
        assert mined.certificate.proved
        learned = quietly(table, **options)
        assert learned.certificate.objective <= mined.certificate.objective
        better += learned.certificate.objective < mined.certificate.objective
        # Where the MIP finds nothing itself: as a start, cuts move to where a box would have them
        started = quietly(table, decompose=False, backend=FormsNothing(), **options)
        assert started.certificate.objective <= mined.certificate.objective
        assert not started.certificate.proved
    assert better > 0  # ranges, and cuts anywhere


def as_rules(tree: DecisionTreeClassifier, names: list[str]) -> RuleSet:
    """One pattern per positive leaf, the conditions on one attribute merged into a range."""
    inner = tree.tree_
    patterns = []

    def walk(node: int, sides: dict[str, tuple[float, float]]) -> None:
        if inner.children_left[node] < 0:
            if sides and inner.value[node][0].argmax() == 1:
                patterns.append(
                    Pattern(
                        Range(
                            name,
                            low=None if low == -np.inf else low,
                            high=None if high == np.inf else high,
                            low_closed=False,
                        )
                        for name, (low, high) in sides.items()
                    )
                )
            return
        name, cut = names[inner.feature[node]], float(inner.threshold[node])
        low, high = sides.get(name, (-np.inf, np.inf))
        walk(inner.children_left[node], sides | {name: (low, min(high, cut))})
        walk(inner.children_right[node], sides | {name: (max(low, cut), high)})

    walk(0, {})
    return RuleSet(patterns)


@both
def test_a_tree_is_a_start(solves: list[Any], formulation: str) -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 3)).round(3)
    y = (X[:, 0] > 0.3) & (X[:, 1] < 0.5) ^ (rng.random(60) < 0.1)
    names = ["a", "b", "c"]
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    rules = as_rules(tree, names)
    frame = dict(zip(names, X.T))
    assert rules.covers(frame).any(axis=1).tolist() == tree.predict(X).tolist()
    table = Table.from_any(frame, y)
    options = {"C1": 0.001, "C2": 0.001, "max_patterns": len(rules), "formulation": formulation}
    untouched = quietly(table, start=rules, time_limit=0, **options)
    assert untouched.rules == RuleSet(rules, target="target", positive=True, negative=False)
    learned = quietly(table, start=rules, time_limit=10, relative_gap=0.8, decompose=False, **options)
    ((_, start, value, solution),) = solves
    assert value <= untouched.certificate.objective
    assert start == learned.rules or learned.certificate.objective < value
    assert solution.start is StartStatus.USED


@pytest.mark.parametrize(
    "text",
    [
        "x > 6.283 AND x <= 16.999",
        "x >= 7 AND x <= 16 AND c IN {a, b, elsewhere}",
        "6 < x AND x < 17 OR x > 100",
        "7 <= x AND x <= 8.5 OR 9 <= x AND x < 16.25",
        "c = a -> other = 5 ELSE 7",
    ],
)
@both
def test_any_rule_set_is_a_start(text: str, formulation: str) -> None:
    label = ["ill" if 7 <= x <= 16 else "well" for x in range(30)]
    table = Table.from_any({"x": range(30), "c": ["a", "b"] * 15}, label, positive="ill")
    start = RuleSet.parse(text)
    own = count(start, table, Objective.of(0.005, 0.005))
    options = {"max_patterns": 2, "formulation": formulation, "start": start}
    at_once = quietly(table, time_limit=0, **options)
    assert at_once.certificate.objective <= own.objective
    for decompose in (True, False):
        learned = quietly(table, decompose=decompose, **options)
        assert learned.certificate.objective == Fraction(1, 100)
        for rules in (learned.rules, at_once.rules):
            assert (rules.target, rules.positive, rules.negative) == ("target", "ill", "well")


def test_a_start_better_than_ooax_is_what_the_mip_starts_from(solves: list[Any]) -> None:
    # Two-sided ranges between any values: more than the coarse OOAx can say with one pattern.
    rng = np.random.default_rng(2)
    x = rng.permutation(60) / 7
    label = (x > 2.9) & (x < 5.1) ^ (x == 4)
    table = Table.from_any({"x": x, "z": rng.normal(size=60)}, label)
    start = RuleSet.parse("2.9 < x AND x < 5.1")
    quietly(table, start=start, max_patterns=1, decompose=False, C1=0.02, C2=0.001)
    ((_, used, _, solution),) = solves
    assert list(used) == list(start)
    assert solution.objective == pytest.approx(1 + 60 * 0.021)


@both
@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("height >= 3", {}, "'height', which the table does not have"),
        ("x >= 3 OR x <= 1 OR c = a", {}, "3 patterns where at most 2 are allowed"),
        ("c IN {a, b}", {}, "'c ∈ {a, b}' holds for several categories of 'c', where one is allowed"),
        ("c != a AND x > 2", {}, "several categories of 'c'"),
        ("x IN {1, 3}", {}, "does not select one range"),
        ("x <= 9", {}, "holds for every row"),
        ("x > 2.5", {"thresholds": {"x": [2]}}, "cuts 'x' between 2 and 3, where no cut is allowed"),
        ("z IS MISSING", {}, "missing values of 'z' have none"),
        ("c >= 3", {}, "'c'"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(
    text: str, options: dict[str, Any], words: str, formulation: str
) -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("abcc"), "z": [1, 2, None, 3]}, [0, 1, 1, 0])
    for limit in (None, 0):
        with pytest.raises(RuleError, match=words) as caught:
            learn_ooa(
                table,
                start=RuleSet.parse(text),
                max_patterns=2,
                formulation=formulation,
                time_limit=limit,
                **options,
            )
        assert "\n" not in str(caught.value)


def test_what_does_not_fit_by_one_option_fits_by_another() -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("abcc"), "z": [1, 2, None, 3]}, [0, 1, 1, 0])
    quietly(table, start=RuleSet.parse("c IN {a, b}"), single_category=False)
    quietly(table, start=RuleSet.parse("z IS MISSING"), missing=True)
    quietly(table, start=RuleSet.parse("x >= 2"), thresholds={"x": [2]})
