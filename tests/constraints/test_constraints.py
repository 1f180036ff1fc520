"""Every constraint, for every formulation: the best rule set that meets it is found, and no other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from support.brute_constraints import Rules, all_patterns, best, evaluate, meets
from support.constraint_problems import READY, Problem, drawn

from ooa import constraints as ready
from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.errors import DataError, ModelError, OptionError, RuleError
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation
from ooa.formulations.layout import Layout
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import SolveParams, Termination, available_backends, get_backend

OTHERS = [name for name, found in available_backends().items() if found.ok and name != "highs"]
FORMS = ("aggregated", "disaggregated", "paper", "compact")


def check(problem: Problem, form: str, constraints: Sequence[Any], backend: str = "highs") -> bool:
    """The optimum is that of brute force, and decoded rules meet the constraints; whether there is any."""
    sets = problem.brute(form, constraints)
    expected, _ = best(sets, problem.objective, constraints)
    formulation = problem.formulation(form, constraints)
    solution = get_backend(backend).solve(formulation.milp, None, SolveParams(time_limit=60))
    if expected is None:
        assert solution.termination is Termination.INFEASIBLE, (form, constraints)
        return False
    assert solution.termination is Termination.OPTIMAL, (form, constraints)
    rules = evaluate(problem.table, list(formulation.decode(solution.x)))
    assert all(meets(rules, c) for c in constraints), (form, constraints, rules.patterns)
    assert rules.value(problem.objective) == expected, (form, constraints, rules.patterns)
    unit = float(formulation.unit)
    assert solution.objective * unit == pytest.approx(float(expected), abs=1e-5), (form, constraints)
    return True


def check_points(problem: Problem, form: str, constraints: Sequence[Any], n: int) -> None:
    """The point of a rule set is feasible if and only if the rule set meets the constraints."""
    sets = problem.brute(form, constraints)
    formulation = problem.formulation(form, constraints)
    _, good = best(sets, problem.objective, constraints)
    rng = problem.rng
    some = [sets[i] for i in rng.integers(len(sets), size=n)]
    some += [good[i] for i in rng.integers(len(good), size=n // 2)] if good else []
    for rules in some:
        x = formulation.encode(RuleSet(rules.patterns))
        amount, where = formulation.milp.worst(x)
        fits = all(meets(rules, c) for c in constraints)
        assert (amount <= 1e-6) == fits, (form, constraints, rules.patterns, amount, where)
        if fits:
            value = formulation.milp.objective(x) * float(formulation.unit)
            assert value == pytest.approx(float(rules.value(problem.objective)), abs=1e-6)


@pytest.mark.parametrize("name", READY)
def test_ready_made(name: str) -> None:
    feasible = tried = 0
    for seed in range(30):
        if tried >= 3 and feasible:
            break
        problem = Problem([1, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue  # the table has too few columns, or none of the kind
        tried += 1
        for form in FORMS:
            feasible += check(problem, form, [constraint])
            check_points(problem, form, [constraint], 12)
    assert feasible


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_constraints(seed: int) -> None:
    problem = Problem([2, seed])
    names = problem.rng.choice([*READY, "own", "own"], 2)
    constraints = [c for name in names if (c := drawn(problem, name)) is not None]
    for form in FORMS:
        check(problem, form, constraints)
        check_points(problem, form, constraints, 8)


@pytest.mark.parametrize("chunk", range(6))
def test_constraints_that_tempt_a_solver(chunk: int) -> None:
    for seed in range(6 * chunk, 6 * (chunk + 1)):
        problem = Problem([3, seed])
        constraint = drawn(problem, "own")
        for form in FORMS:
            check(problem, form, [constraint])
            check_points(problem, form, [constraint], 8)


@pytest.mark.parametrize("backend", OTHERS)
def test_the_other_backends(backend: str) -> None:
    names = [*READY, "own", "own", "own"]
    for seed, name in enumerate(names):
        problem = Problem([4, seed])
        constraint = drawn(problem, name)
        if constraint is not None:
            check(problem, FORMS[seed % 4], [constraint], backend)
            check(problem, FORMS[(seed + 2) % 4], [constraint], backend)


def unpinned(layout: Layout) -> Layout:
    """A layout that adds nothing to make exact what constraints speak of."""
    layout.pin = lambda constraints: None  # type: ignore[method-assign]
    return layout


def formulate(
    form: str, table: Table, constraints: Sequence[Any], *, exact: bool = True, K: int = 2
) -> Formulation:
    """A formulation of all patterns, or one without the rows that keep constraints exact."""
    kind = {"ooax": OOAxFormulation, "paper": OOAFormulation, "compact": CompactFormulation}[form]
    if not exact:
        lay_out = kind.lay_out
        kind = type("Inexact", (kind,), {"lay_out": lambda self, model: unpinned(lay_out(self, model))})
    objective = Objective.of("1/100", "1/100")
    if form == "ooax":
        candidates = Candidates.of_patterns(table, all_patterns(table))
        return kind(candidates, table, objective, max_patterns=K, constraints=constraints)
    return kind(table, objective, K, constraints=constraints)


def solved(formulation: Formulation) -> tuple[float, Rules]:
    solution = get_backend("highs").solve(formulation.milp)
    assert solution.termination is Termination.OPTIMAL
    return solution.objective, evaluate(formulation.table, list(formulation.decode(solution.x)))


NUMBERS = Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [0, 0, 0, 1, 1, 1])
TWO = Table.from_any({"c": list("aabb")}, [0, 0, 1, 1])
THREE = Table.from_any({"x": [1, 2, 3]}, [0, 0, 1])
BOXES = ["paper", "compact"]


@pytest.mark.parametrize(
    ("constraint", "check", "table", "forms"),
    [
        (lambda f: f.error[4] >= 1, lambda r: r.wrong[4], NUMBERS, ["ooax", *BOXES]),
        (lambda f: f.error[1] >= 1, lambda r: r.wrong[1], NUMBERS, ["ooax", *BOXES]),
        (lambda f: f.predicted[1] - f.predicted[4] >= 0, lambda r: r.fires[1] >= r.fires[4], NUMBERS, BOXES),
        (lambda f: f.covers[4, :].sum() <= 0, lambda r: not r.fires[4], NUMBERS, ["compact"]),
        (lambda f: f.positive_support.sum() <= 2, lambda r: r.covers[:, 2:].sum() <= 2, TWO, []),
        (lambda f: f.n_patterns >= 2, lambda r: len(r.patterns) >= 2, TWO, BOXES),
        (lambda f: f.n_literals >= 2, lambda r: len(r.patterns) >= 2, TWO, BOXES),
        (lambda f: f.uses("c").sum() >= 2, lambda r: len(r.patterns) >= 2, TWO, BOXES),
        (
            lambda f: f.bounded("x", "below").sum() >= 2,
            lambda r: r.bounded("x", "below") >= 2,
            THREE,
            BOXES,
        ),
        (lambda f: f.covers[:, :].sum() >= 4, lambda r: r.covers.sum() >= 4, TWO, BOXES),
    ],
)
def test_a_solver_cheats_where_nothing_keeps_it_honest(constraint, check, table, forms) -> None:
    honest = []
    for form in ("ooax", *BOXES):
        value, rules = solved(formulate(form, table, [constraint]))
        assert check(rules)
        assert value == pytest.approx(float(rules.value(Objective.of("1/100", "1/100"))))
        honest.append(value)
    assert honest == pytest.approx([honest[0]] * 3)
    for form in forms:
        value, rules = solved(formulate(form, table, [constraint], exact=False))
        assert not check(rules), form
        assert value < honest[0] - 1e-3


def test_costs_are_the_decimals_they_look_like() -> None:
    table = Table.from_any({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, [0, 1])
    constraint = ready.budget({"a": 0.1, "b": 0.2, "c": 0.7}, 0.3)  # 0.1 + 0.2 > 0.3 for floats
    for form in ("ooax", "paper", "compact"):
        formulation = formulate(form, table, [constraint])
        for text, fits in [("a >= 2 AND b >= 2", True), ("a >= 2 OR b >= 2", True), ("c >= 2", False)]:
            x = formulation.encode(RuleSet.parse(text))
            assert (formulation.milp.violation(x) == 0) == fits


MIXED = Table.from_any({"x": [1, 2, 3, 4], "c": list("aabb")}, [0, 1, 0, 1])


@pytest.mark.parametrize("form", ["ooax", "paper", "compact"])
@pytest.mark.parametrize(
    ("constraint", "error", "words"),
    [
        (ready.max_uses("q", 1), OptionError, r"max_uses\(attribute='q', most=1\): 'q' is not a column"),
        (ready.require_attribute("q"), OptionError, "'q' is not a column of the table"),
        (ready.at_most_one_of(["x", "q"]), OptionError, "'q' is not a column of the table"),
        (ready.forbid_together(["x", "q"]), OptionError, "'q' is not a column of the table"),
        (ready.budget({"x": 1, "q": 0}, 1), OptionError, "'q' is not a column of the table"),
        (ready.require_pattern("q >= 1"), OptionError, "'q' is not a column of the table"),
        (ready.forbid_pattern("q >= 1"), OptionError, "'q' is not a column of the table"),
        (ready.monotone("q", "increasing"), OptionError, "'q' is not a column of the table"),
        (ready.monotone("c", "increasing"), OptionError, "monotone.*: 'c' is categorical"),
        (ready.no_cut("c", "above", 1), OptionError, "no_cut.*: 'c' is categorical"),
        (ready.no_cut("x", "above", "far"), OptionError, "a bound on 'x' must be a number, not 'far'"),
        (ready.no_category("x", 1), OptionError, "no_category.*: 'x' is numeric, where a categorical"),
        (ready.no_category("c", "q"), OptionError, "'q' is not a category of 'c': 'a', 'b'"),
        (ready.category_only_with("c", "a", "q"), OptionError, "'q' is not a column of the table"),
        (ready.unchanged_when("q", 1), OptionError, "unchanged_when.*: 'q' is not a column of the table"),
        (ready.unchanged_when("x", "b"), OptionError, "the change of 'x' must be a number, not 'b'"),
        (ready.not_raised_when("c", 1), OptionError, "1 is not a category of 'c': 'a', 'b'"),
        (ready.equal_opportunity("q", 0.1), OptionError, "equal_opportunity.*: 'q' is not a column"),
        (ready.equal_opportunity([1, 2], 0.1), OptionError, "group has 2 values for 4 rows"),
        (lambda f: f.n_patterns, ModelError, "constraint <lambda> must return rows"),
        (lambda f: 1 <= 2, ModelError, "must return rows .* not True"),
        (lambda: 0, ModelError, "constraint <lambda> must be a function of one argument, .*: too many"),
        (lambda f, g: 0, ModelError, "constraint <lambda> must be .*: missing a required .*: 'g'"),
        (lambda *, f: 0, ModelError, "constraint <lambda> must be .* one argument, the formulation: "),
        (lambda f: f.covers[0] >= 1, ModelError, r"covers takes rows and patterns"),
    ],
)
def test_what_does_not_fit_the_table_is_named(form: str, constraint: Any, error: type, words: str) -> None:
    with pytest.raises(error, match=words):
        formulate(form, MIXED, [constraint]).build()


@pytest.mark.parametrize("form", ["paper", "compact"])
def test_patterns_that_no_box_says(form: str) -> None:
    for text, words in [
        ("x >= 9", "pattern 'x ≥ 9' holds for no row"),
        ("x >= 1", "holds for every row"),
        ("x IN {1, 3}", "one range"),
    ]:
        with pytest.raises(RuleError, match=words):
            formulate(form, MIXED, [ready.require_pattern(text)]).build()
        value, _ = solved(formulate(form, MIXED, [ready.forbid_pattern(text)]))  # nothing to forbid
        assert value == solved(formulate(form, MIXED, []))[0]
    with pytest.raises(OptionError, match="merge=True leaves out cuts"):
        CompactFormulation(MIXED, Objective.of(0, 0), 1, merge=True, constraints=[ready.max_uses("x", 1)])


def test_a_pattern_is_known_by_what_it_says() -> None:
    for form in ("ooax", "paper", "compact"):
        for text in ("x > 1.5 AND c = b", "x >= 2 AND c != a", "1.01 <= x <= 70 AND c IN {b, z}"):
            if form == "ooax":
                own = Candidates.of_patterns(MIXED, all_patterns(MIXED))
                formulation = OOAxFormulation(
                    own, MIXED, Objective.of(0, 0), constraints=[ready.require_pattern(text)]
                )
            else:
                formulation = formulate(form, MIXED, [ready.require_pattern(text)])
            assert RuleSet.parse("x >= 2 AND c = b").patterns[0] in solved(formulation)[1].patterns


def test_groups_may_come_as_anything() -> None:
    import pandas as pd
    import polars as pl

    values = ["f", None, "m", "f"]
    expected = ready.demographic_parity(values, 0.1)
    for group in (
        tuple(values),
        np.array(values, dtype=object),
        pd.Series(values, index=[7, 7, 1, 2]),
        pd.Categorical(values),
        pl.Series(values),
        pd.Series([1.5, np.nan, 2.5, 1.5]),
        pd.array([1, pd.NA, 2, 1], dtype="Int64"),
        pd.Series([False, None, True, False], dtype="boolean"),
        pd.to_datetime(pd.Series(["2020-01-01", None, "2021-01-01", "2020-01-01"])),
    ):
        constraint = ready.demographic_parity(group, 0.1)
        assert constraint == expected, group
        assert repr(constraint) == "demographic_parity(group=<4 rows in 2 groups>, gap=0.1)"
    for group in (5, {"f": 1}, np.zeros((4, 2))):
        with pytest.raises(DataError, match="group"):
            ready.demographic_parity(group, 0.1)
    many = Table.from_any({"x": range(200)}, [0, 1] * 100)
    with pytest.raises(OptionError, match="group has 200 different values, more than the 100 allowed"):
        formulate("compact", many, [ready.demographic_parity("x", 0.1)], K=1).build()


def test_the_empty_and_the_only_group() -> None:
    for group in ([None] * 4, ["f"] * 4, ["f", "m", "f", "m"]):  # positives are all m
        constraint = ready.equal_opportunity(group, 0)
        assert solved(formulate("compact", MIXED, [constraint])) is not None
        assert constraint(formulate("compact", MIXED, [])) == [] if group[0] is None else True


def test_infeasible_constraints_are_infeasible() -> None:
    for form in ("ooax", "paper", "compact"):
        for constraints in (
            [ready.max_false_negatives(0), ready.max_total_literals(0)],
            [ready.require_attribute("x"), ready.max_uses("x", 0)],
            [ready.require_pattern("x >= 2"), ready.forbid_pattern("x > 1.1")],
            [ready.require_pattern("x >= 2"), ready.monotone("x", "decreasing")],
            [ready.require_attribute("x"), ready.require_attribute("c"), ready.at_most_one_of(["x", "c"])],
            [lambda f: f.error.sum() >= 5],
            [lambda f: f.n_patterns >= 3],
        ):
            formulation = formulate(form, MIXED, constraints)
            assert get_backend("highs").solve(formulation.milp).termination is Termination.INFEASIBLE
