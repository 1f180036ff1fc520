"""What constraints require, and limits that are just met: rows hold exactly for what meets them exactly."""

from __future__ import annotations

from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from support.brute_constraints import Rules, all_patterns, evaluate, meets
from support.constraint_problems import READY, Problem, drawn

from ooa import constraints as ready
from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.formulations import OOAxFormulation
from ooa.formulations.base import required_patterns
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


@pytest.mark.parametrize("n", [20, 40, 60, 100, 700])
@pytest.mark.parametrize("share", [0.95, 0.9, 0.7, 0.55, 0.05])
def test_shares_of_whole_numbers_are_exact(n: int, share: float) -> None:
    table = Table.from_any({"x": range(2 * n)}, [0] * n + [1] * n)
    allowed = Fraction(n) * (1 - Fraction(str(share)))
    assert allowed.denominator == 1  # 0.05 * 20 is 1, whatever (1 - 0.95) * 20 is
    for constraint, error in [
        (ready.min_sensitivity(share), lambda k: f"x >= {n + k}"),
        (ready.min_specificity(share), lambda k: f"x >= {n - k}"),
    ]:
        just, over = (RuleSet.parse(error(int(allowed) + more)) for more in (0, 1))
        candidates = Candidates.of_patterns(table, [*just, *over])
        formulation = OOAxFormulation(candidates, table, Objective.of(0, 0), constraints=[constraint])
        assert formulation.milp.violation(formulation.encode(just)) == 0
        assert formulation.milp.violation(formulation.encode(over)) == 1


@pytest.mark.parametrize("scale", [1.0, 0.1, 1 / 3, 1e-9, 1e12])
def test_weights_that_are_multiples_of_one_step(scale: float) -> None:
    rng = np.random.default_rng(8)
    for _ in range(10):
        table = Table.from_any({"x": range(12)}, [0, 1] * 6, sample_weight=rng.integers(1, 4, 12) * 3 * scale)
        patterns = [p for p in all_patterns(table) if len(p) == 1][::5]
        some = evaluate(table, [patterns[int(rng.integers(len(patterns)))]])
        missed, wrong = (some.weigh((table.y == label) & some.wrong) for label in (True, False))
        for constraint in (
            ready.max_false_negatives(missed),
            ready.max_false_positives(wrong),
            ready.min_support_per_pattern(some.weigh(table.y & some.fires)),
            ready.demographic_parity([0, 0, 1] * 4, Fraction(1, 3)),
        ):
            candidates = Candidates.of_patterns(table, patterns)
            formulation = OOAxFormulation(candidates, table, Objective.of(0, 0), constraints=[constraint])
            for pattern in patterns:
                x = formulation.encode(RuleSet([pattern]))
                fits = formulation.milp.worst(x, relative=True)[0] <= 1e-6
                assert fits == exactly_meets(evaluate(table, [pattern]), constraint), (constraint, pattern)


def exactly_meets(rules: Rules, constraint: Any) -> bool:
    """As `meets`, but weights that are multiples of one step up to rounding are taken as such."""
    return meets(rules, constraint) or meets(rules, _loosened(constraint))


def _loosened(constraint: Any) -> Any:
    if isinstance(constraint, ready.min_support_per_pattern):
        return ready.min_support_per_pattern(constraint.least * (1 - Fraction(1, 10**9)))
    if isinstance(constraint, ready.demographic_parity):
        return ready.demographic_parity(constraint.group, constraint.gap + Fraction(1, 10**9))
    return type(constraint)(constraint.most * (1 + Fraction(1, 10**9)))


def test_weights_of_many_digits_are_met_within_the_tolerance() -> None:
    rng = np.random.default_rng(9)
    for _ in range(40):
        table = Table.from_any({"x": range(9)}, [0, 1, 1] * 3, sample_weight=rng.random(9) + 0.01)
        patterns = [p for p in all_patterns(table) if len(p) == 1]
        some = evaluate(table, [patterns[int(rng.integers(len(patterns)))]])
        missed = some.weigh(table.y & some.wrong)
        constraint = ready.max_false_negatives(float(missed))
        candidates = Candidates.of_patterns(table, patterns)
        formulation = OOAxFormulation(candidates, table, Objective.of(0, 0), constraints=[constraint])
        assert formulation.milp.violation(formulation.encode(RuleSet(some.patterns))) <= 1e-9
        for pattern in patterns:
            other = evaluate(table, [pattern])
            more = other.weigh(table.y & other.wrong) - missed
            violation = formulation.milp.violation(formulation.encode(RuleSet([pattern])))
            assert (violation > 0.9 * more - 1e-9) if more > 0 else violation <= 1e-9


@pytest.mark.parametrize("name", READY)
def test_no_rule_set_meets_a_constraint_without_the_patterns_it_requires(name: str) -> None:
    for seed in range(6):
        problem = Problem([8, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        wanted = required_patterns([constraint])
        assert wanted == ([constraint.pattern] if name == "require_pattern" else [])
        for rules in problem.sets:
            if wanted and meets(rules, constraint):
                assert all(rules.has(pattern) for pattern in wanted)


def test_functions_require_patterns_only_if_they_say_so() -> None:
    def own(f: Any) -> Any:
        return f.n_patterns <= 1

    assert required_patterns([own, ready.max_uses("x", 1)]) == []
    own.required_patterns = (Pattern.parse("x >= 2"),)
    assert required_patterns([own, ready.require_pattern("c = a"), own]) == [
        Pattern.parse("x >= 2"),
        Pattern.parse("c = a"),
        Pattern.parse("x >= 2"),
    ]


@pytest.mark.parametrize("weight", [1e-5, 1e-7, 1e-12, 1e-300])
@pytest.mark.parametrize(
    ("name", "limit", "label"),
    [("max_false_negatives", 0, 1), ("min_sensitivity", 1, 1), ("max_false_positives", 0, 0),
     ("min_specificity", 1, 0), ("min_precision", 1, 0)],
)  # fmt: skip
def test_where_nothing_may_be_wrong_nothing_is_too_light_to_be_seen(
    weight: float, name: str, limit: float, label: int
) -> None:
    """Light rows that only conditions of their own tell apart, which cost more than they weigh."""
    x = np.arange(12) % 6
    y = np.where(x < 3, 0, 1)
    light = x == (0 if label else 5)
    y[light] = label
    weights = np.where(light, weight, 1.0)
    table = Table.from_any({"x": x, "light": light.astype(int)}, y, sample_weight=weights)
    one = getattr(ready, name)(limit)
    for learn in (learn_ooax, learn_ooa):
        learned = learn(table, C1=0.01, C2=0.01, constraints=[one], time_limit=30.0)
        said = learned.rules.covers(table.as_frame()).any(axis=1)
        assert learned.certificate.feasible
        assert (said[y == label] == bool(label)).all()
