"""The selection ILP: every rule set is a point of it at its own price, and its optimum is the true one."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from support.brute import Tiny, optimum, random_tiny

from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.formulations import OOAxFormulation
from ooa.learning.certificate import count
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import available_backends, get_backend

FORMS = ("aggregated", "disaggregated")
BACKENDS = [name for name, found in available_backends().items() if found.ok]


def random_table(rng):
    """A table with numbers, texts, a constant column, equal rows of both labels, and weights at times."""
    n = int(rng.integers(2, 12))
    columns = {
        "x": rng.integers(0, 4, n),
        "y": rng.choice([0.5, 1.5, 2.5], n),
        "c": np.full(n, 7),
        "v": rng.choice(["a", "b", "c"], n),
    }
    label = rng.random(n) < 0.5
    label[:2] = True, False
    weight = rng.choice([np.ones(n), rng.integers(0, 5, n) + (np.arange(n) == 0), rng.random(n)])
    return Table.from_any(columns, label, sample_weight=weight)


def random_candidates(rng, rows):
    texts = [f"x {sign} {k}" for sign in ("<=", ">=") for k in range(3)]
    texts += ["y >= 1", "y <= 2", "c = 7", "c >= 8", "v = a", "v = b", "v = c", "1 <= x <= 2"]
    patterns = []
    for _ in range(int(rng.integers(0, 8))):
        chosen = rng.permutation(texts)[: rng.integers(1, 4)]
        literals = {Pattern.parse(text).literals[0].attribute: text for text in chosen}
        patterns.append(Pattern.parse(" AND ".join(literals.values())))
    return Candidates.of_patterns(rows, patterns)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("seed", range(4))
def test_every_rule_set_is_a_point_at_its_own_price(form, seed):
    rng = np.random.default_rng([3, seed])
    for _ in range(15):
        table = random_table(rng)
        rows = table.distinct() if rng.random() < 0.7 else table
        candidates = random_candidates(rng, rows)
        objective = Objective.of(*rng.choice([0, 0.01, 0.1], 2))
        most = None if rng.random() < 0.5 else int(rng.integers(1, 4))
        template = RuleSet([], target="ill", positive="yes", negative="no")
        formulation = OOAxFormulation(
            candidates, rows, objective, max_patterns=most, form=form, template=template
        )
        for _ in range(8):
            size = int(rng.integers(0, min(len(candidates), most or 9) + 1))
            chosen = sorted(rng.permutation(len(candidates))[:size].tolist())
            rules = formulation.rule_set(chosen)
            x = formulation.encode(rules)
            whole = formulation.milp.with_implied()
            assert whole.integer.all()  # so that solvers of whole numbers only can take it
            assert whole.violation(x) == 0
            assert formulation.decode(x) == rules
            assert (rules.target, rules.positive, rules.negative) == ("ill", "yes", "no")
            value = count(rules, table, objective).objective * formulation.total / formulation.unit
            assert formulation.milp.objective(x) == pytest.approx(float(value), rel=1e-12, abs=1e-12)
            # The same counted from predictions alone.
            wrong = (rules.predict(table.as_frame()) == "yes") != table.y
            errors = float(table.weight[wrong].sum())
            by_hand = errors + float(formulation.total) * (
                float(objective.C1) * sum(len(p) for p in rules) + float(objective.C2) * len(rules)
            )
            assert float(value * formulation.unit) == pytest.approx(by_hand)


@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_point_is_refused(form):
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 1, 0])
    candidates = Candidates.of_patterns(table, [Pattern.parse("x >= 2"), Pattern.parse("x <= 3")])
    formulation = OOAxFormulation(candidates, table, Objective.of(0, 0), max_patterns=1, form=form)
    with pytest.raises(RuleError, match="x ≥ 3 is not among the candidates"):
        formulation.encode(RuleSet.parse("x >= 3"))
    with pytest.raises(RuleError, match="2 patterns where at most 1"):
        formulation.encode(RuleSet.parse("x >= 2 OR x <= 3"))
    with pytest.raises(OptionError, match="form must be"):
        OOAxFormulation(candidates, table, Objective.of(0, 0), form="dense")


def test_points_that_err_less_than_their_rules_are_infeasible():
    rng = np.random.default_rng(4)
    for _ in range(30):
        tiny = random_tiny(rng, weights="unit")
        if not len(tiny.length):
            continue
        for form in FORMS:
            formulation = OOAxFormulation(tiny.candidates, tiny.rows, tiny.objective, form=form)
            chosen = np.flatnonzero(rng.random(len(tiny.length)) < 0.5).tolist()
            x = formulation.completed(formulation.selection(chosen))
            for j in range(len(tiny.length), len(x)):
                if x[j] == 1.0:
                    less = x.copy()
                    less[j] = 0.0
                    assert formulation.milp.violation(less) > 0


@pytest.mark.parametrize(("most", "expected"), [(None, [3, 2]), (5, [3, 2]), (2, [2, 2]), (1, [1, 1])])
def test_the_multiplier_of_the_aggregated_form(most, expected):
    # A negative row covered by three patterns, one by two, one by none.
    covers = np.array([[1, 1, 0, 0], [1, 1, 0, 1], [1, 0, 0, 1]], dtype=bool)
    tiny = Tiny(
        covers,
        np.array([1, 1, 1]),
        np.array([0.0, 0, 0, 1]),
        np.array([1.0, 1, 1, 0]),
        Objective.of(0, 0),
        most,
    )
    formulation = OOAxFormulation(
        tiny.candidates, tiny.rows, tiny.objective, max_patterns=most, form="aggregated"
    )
    milp = formulation.milp
    wrong = [i for i, name in enumerate(milp.columns) if name.startswith("wrong")]
    assert sorted(milp.A[:, wrong].max(axis=0).toarray().ravel().tolist(), reverse=True) == expected
    assert milp.integer[wrong].all()
    assert sum(name == "size" for name in milp.rows) == (most is not None)
    loose = OOAxFormulation(
        tiny.candidates, tiny.rows, tiny.objective, max_patterns=most, form="disaggregated"
    ).milp
    assert not loose.integer[wrong].any()


def test_rows_covered_alike_share_a_variable():
    table = Table.from_any({"x": [1, 1, 2, 3, 4, 5], "u": list("abcdef")}, [0, 0, 1, 1, 0, 1])
    candidates = Candidates.of_patterns(table, [Pattern.parse("x >= 2"), Pattern.parse("x >= 4")])
    milp = OOAxFormulation(candidates, table, Objective.of(0.1, 0)).milp
    # Groups: x = 1 (no variable at all), 2..3 (two positives), 4..5 (one of each).
    assert list(milp.columns) == ["used[0]", "used[1]", "missed[0]", "missed[1]", "wrong[0]"]
    assert sorted(milp.c[2:].tolist()) == [1, 1, 2]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("scale", [2.0**-60, 2.0**-20, 1.0, 2.0**30, 2.0**60])
def test_tiny_and_huge_weights_are_brought_to_size(form, scale):
    rng = np.random.default_rng(5)
    solver = get_backend("highs")
    for _ in range(5):
        tiny = random_tiny(rng, weights="whole")
        rows = Tiny(
            tiny.covers, tiny.length, tiny.positive * scale, tiny.negative * scale, tiny.objective
        ).rows
        formulation = OOAxFormulation(
            tiny.candidates, rows, tiny.objective, max_patterns=tiny.max_patterns, form=form
        )
        assert np.abs(formulation.milp.c).max(initial=0) < 1e14
        solution = solver.solve(formulation.milp)
        found = solution.objective * float(formulation.unit / formulation.total)
        assert found == pytest.approx(float(optimum(tiny)))


# -- against the solvers -------------------------------------------------------------------------


@cache
def instance(i):
    """A problem and its optimum."""
    rng = np.random.default_rng([6, i])
    weights = ("unit", "whole", "float")[i % 3]
    size = (4, 8, 10)[i // 3 % 3]
    tiny = random_tiny(rng, n_patterns=size, n_rows=size, weights=weights)
    return tiny, optimum(tiny)


def agree(solver, i, form):
    tiny, best = instance(i)
    formulation = OOAxFormulation(
        tiny.candidates, tiny.rows, tiny.objective, max_patterns=tiny.max_patterns, form=form
    )
    solution = solver.solve(formulation.milp)
    assert solution.is_optimal, solution
    chosen = np.flatnonzero(solution.x[: len(tiny.length)] > 0.5)
    assert tiny.max_patterns is None or len(chosen) <= tiny.max_patterns
    # Exactly where weights are whole: the rule set behind the point has the very value of the optimum.
    assert float(tiny.value(chosen) - best) == pytest.approx(0, abs=1e-9)
    scale = float(tiny.total / formulation.unit)
    assert solution.objective / scale == pytest.approx(float(best), abs=1e-6)
    assert Fraction(solution.bound) / Fraction(scale) <= best + Fraction(1, 10**6)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_agrees_with_brute_force(backend):
    solver = get_backend(backend)
    for i in range(150):
        for form in FORMS if backend == "highs" and i < 150 else (FORMS[i // 9 % 2],):
            agree(solver, i, form)


def test_the_default_agrees_on_many_more():
    # Faulty releases have been wrong on one small model in a thousand.
    solver = get_backend("highs")
    for i in range(300, 550):
        agree(solver, i, FORMS[i // 9 % 2])
