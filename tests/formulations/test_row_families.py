"""Rows of the formulations that few tables need: each is tempted by a constraint and a table of its own."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from support.brute_constraints import Own, Rules, all_patterns, all_rules, best, evaluate

from ooa.candidates.candidates import Candidates
from ooa.data.table import Table
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation
from ooa.objective import Objective
from ooa.solving import Termination, get_backend

FORMS = ("aggregated", "disaggregated", "paper", "compact")
OBJECTIVE = Objective.of("1/100", "1/50")
#: Rows 1 and 2 weigh nothing; the first is inside of what is best, the second outside.
WEIGHTLESS = Table.from_any(
    {"c": list("aabbb"), "d": list("uvwuv")}, [1, 1, 0, 0, 0], sample_weight=[1.0, 0.0, 0.0, 1.0, 1.0]
)


def formulation(form: str, table: Table, K: int, constraints: list[Any], **options: bool) -> Formulation:
    if form in ("paper", "compact"):
        kind = OOAFormulation if form == "paper" else CompactFormulation
        return kind(table, OBJECTIVE, K, constraints=constraints, **options)
    own = Candidates.of_patterns(table, all_patterns(table, value_literals=False, **options))
    return OOAxFormulation(own, table, OBJECTIVE, max_patterns=K, form=form, constraints=constraints)


def check(form: str, table: Table, K: int, constraints: list[Own], **options: bool) -> Rules | None:
    """The optimum is that of brute force, and its rule set meets the constraints."""
    boxes = form in ("paper", "compact")
    either = boxes and bool(constraints)
    patterns = all_patterns(table, value_literals=boxes, either_bound=either, **options)
    expected, _ = best(all_rules(table, patterns, K), OBJECTIVE, constraints)
    made = formulation(form, table, K, constraints, **options)
    solution = get_backend("highs").solve(made.milp)
    if expected is None:
        assert solution.termination is Termination.INFEASIBLE
        return None
    assert solution.termination is Termination.OPTIMAL
    rules = evaluate(table, list(made.decode(solution.x)))
    assert all(constraint.check(rules) for constraint in constraints)
    assert rules.value(OBJECTIVE) == expected
    assert solution.objective * float(made.unit) == pytest.approx(float(expected), abs=1e-6)
    return rules


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (lambda f: f.predicted[1] <= 0, lambda r: not r.fires[1]),
        (lambda f: f.predicted[2] >= 1, lambda r: r.fires[2]),
        (lambda f: f.predicted[2] - f.predicted[1] >= 0, lambda r: r.fires[2] >= r.fires[1]),
    ],
)
def test_rows_without_weight_are_predicted_as_they_are_covered(
    form: str, words: Callable[[Any], Any], holds: Callable[[Rules], bool]
) -> None:
    constraint = Own("weightless", words, lambda r: bool(holds(r)))
    free, bound = (check(form, WEIGHTLESS, 2, some) for some in ([], [constraint]))
    assert free is not None
    assert bound is not None
    assert not holds(free)  # or nothing would be asked for
    assert bound.value(OBJECTIVE) > free.value(OBJECTIVE) + Fraction(1, 1000)


#: Whatever says something of x alone covers a negative; only a range of nothing would not.
APART = Table.from_any({"x": [1, 2, 3, 1], "c": list("aaab")}, [0, 0, 0, 1])
TWO = Table.from_any({"c": list("aabb")}, [0, 0, 1, 1])
#: "Has a value" is best; so is a bound from above; so is a category.
VALUES = Table.from_any({"x": [1, 2, 3, None, None]}, [1, 1, 1, 0, 0])
LOW = Table.from_any({"x": [1, 2, 3, None, None]}, [1, 1, 0, 0, 0])
HIGH = Table.from_any({"x": [1, 2, 3, None, None]}, [0, 1, 1, 0, 0])
LETTER = Table.from_any({"x": [1, 2, 3, None, None], "c": list("abaab")}, [0, 1, 0, 0, 1])


def of_x_alone(f: Any) -> list[Any]:
    return [f.uses("x").sum() >= 1, f.uses("x") + f.uses("c") <= 1]


def below(least: int, most: int) -> Callable[[Any], list[Any]]:
    """How many patterns bound x from below; the other side is mentioned first."""

    def rows(f: Any) -> list[Any]:
        above, found = f.bounded("x", "above").sum(), f.bounded("x", "below").sum()
        return [above >= 0, found >= least, found <= most]

    return rows


def bounds_above(least: int, most: int) -> Own:
    def rows(f: Any) -> list[Any]:
        found = f.bounded("x", "above").sum()
        return [found >= least, found <= most]

    return Own(f"{least} to {most} above", rows, lambda r: least <= r.bounded("x", "above") <= most)


def bounds_below(least: int, most: int) -> Own:
    counted = f"{least} to {most} below"
    return Own(counted, below(least, most), lambda r: least <= r.bounded("x", "below") <= most)


APART_ONLY = Own(
    "x alone", of_x_alone, lambda r: r.uses("x") > 0 and all(len(p.attributes) == 1 for p in r.patterns)
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("table", "K", "constraint"),
    [
        (APART, 2, APART_ONLY),
        (TWO, 2, Own("literals", lambda f: f.n_literals >= 2, lambda r: sum(map(len, r.patterns)) >= 2)),
        (TWO, 2, Own("patterns", lambda f: f.n_patterns >= 2, lambda r: len(r.patterns) >= 2)),
        (VALUES, 1, bounds_below(0, 0)),
        (LOW, 1, bounds_below(1, 1)),
        (LETTER, 1, bounds_below(1, 1)),
        (LOW, 1, bounds_below(2, 2)),
        (VALUES, 2, bounds_below(2, 2)),
        (VALUES, 1, bounds_above(1, 1)),
        (HIGH, 1, bounds_above(1, 1)),
        (LOW, 1, bounds_above(2, 2)),
        (LETTER, 1, bounds_above(1, 1)),
    ],
    ids=[
        *("apart", "literals", "patterns", "no value", "low", "letter", "twice", "both"),
        *("value from above", "high", "above twice", "letter above"),
    ],
)
def test_what_boxes_could_pretend(form: str, table: Table, K: int, constraint: Own) -> None:
    check(form, table, K, [constraint])


@pytest.mark.parametrize("form", FORMS)
def test_patterns_may_cover_the_same_negative(form: str) -> None:
    """To keep the light negative out of either pattern would cost more than it weighs."""
    frame, weight = {"c": list("abab"), "d": list("vuuv")}, [30, 30, 1, 30]
    table = Table.from_any(frame, [1, 1, 0, 0], sample_weight=weight)
    rules = check(form, table, 2, [])
    assert rules is not None
    assert rules.value(OBJECTIVE) == 1 + 91 * Fraction(6, 100)
    assert [evaluate(table, [pattern]).fires[2] for pattern in rules.patterns] == [True, True]


@pytest.mark.parametrize("form", FORMS)
def test_is_missing_is_a_literal_beside_others(form: str) -> None:
    """It has its price, also in a box that has another literal."""
    table = Table.from_any({"x": [None, None, None, 1, 2, 1], "c": list("aabaab")}, [1, 1, 0, 0, 0, 0])
    rules = check(form, table, 1, [], missing=True)
    assert rules is not None
    assert [len(pattern) for pattern in rules.patterns] == [2]
    assert rules.value(OBJECTIVE) == 6 * Fraction(4, 100)


@pytest.mark.parametrize("form", FORMS)
def test_is_missing_is_no_literal_for_nothing(form: str) -> None:
    """Where x may not be used, "x is missing" cannot make a pattern of c narrower either."""
    table = Table.from_any({"x": [None, None, 1, 2, 1], "c": list("aaaab")}, [1, 1, 0, 0, 0])
    unused = Own("no x", lambda f: f.uses("x").sum() <= 0, lambda r: r.uses("x") == 0)
    rules = check(form, table, 1, [unused], missing=True)
    assert rules is not None
    assert not rules.patterns


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("constraint", [bounds_below(1, 1), bounds_above(1, 1)], ids=["below", "above"])
def test_is_missing_has_no_bounds(form: str, constraint: Own) -> None:
    """A bound that is asked for cannot stand beside "is missing", where it would leave out no row."""
    table = Table.from_any({"x": [None, None, 1, 2]}, [1, 1, 0, 0])
    free, bound = (check(form, table, 1, some, missing=True) for some in ([], [constraint]))
    assert free is not None
    assert bound is not None
    assert free.value(OBJECTIVE) == 4 * Fraction(3, 100)
    assert bound.value(OBJECTIVE) > free.value(OBJECTIVE) + 1


@pytest.mark.parametrize("form", FORMS)
def test_is_missing_names_no_categories(form: str) -> None:
    """One literal says either which categories there are, any number of them, or that there is none."""
    table = Table.from_any({"c": ["a", None, "b", "b"]}, [1, 1, 0, 0])
    rules = check(form, table, 1, [], missing=True, single_category=False)
    assert rules is not None
    assert rules.value(OBJECTIVE) == 1 + 4 * Fraction(3, 100)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("single_category", [True, False])
def test_a_literal_names_some_category(form: str, single_category: bool) -> None:
    """A second literal that names none would cover nothing, and be there for the constraint alone."""
    two = Own("two", lambda f: f.n_literals >= 2, lambda r: sum(map(len, r.patterns)) >= 2)
    rules = check(form, TWO, 2, [two], single_category=single_category)
    assert rules is not None
    assert [rule.fires.sum() for rule in (evaluate(TWO, [p]) for p in rules.patterns)] == [2, 2]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("x", [[2, 2, 1], [1, 1, 2], [2, 2, 1, 3]], ids=["below", "above", "both"])
def test_bounds_have_their_price_beside_another_literal(form: str, x: list[int]) -> None:
    """However many bounds, the range is one literal; each of them leaves out a row."""
    table = Table.from_any({"x": x, "c": list("abaa")[: len(x)]}, [1, 0, 0, 0][: len(x)])
    rules = check(form, table, 1, [])
    assert rules is not None
    assert [set(pattern.attributes) for pattern in rules.patterns] == [{"x", "c"}]
    assert rules.value(OBJECTIVE) == len(x) * Fraction(4, 100)


@pytest.mark.parametrize("form", FORMS)
def test_a_literal_on_a_number_has_a_bound(form: str) -> None:
    """A second literal that leaves out nothing would be there for the constraint alone."""
    table = Table.from_any({"x": [1, 1, 2, 2], "z": [1, 2, 1, 2]}, [0, 0, 1, 1])
    two = Own("two", lambda f: f.n_literals >= 2, lambda r: sum(map(len, r.patterns)) >= 2)
    rules = check(form, table, 1, [two])
    assert rules is not None
    assert rules.value(OBJECTIVE) == 1 + 4 * Fraction(4, 100)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("y", [[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0]])
def test_a_range_has_no_holes(form: str, y: list[int]) -> None:
    """What is left out in the midst is left out for all; what lies beyond a bound is not covered."""
    rules = check(form, Table.from_any({"x": [1, 2, 3, 4]}, y), 1, [])
    assert rules is not None
    assert rules.value(OBJECTIVE) == (1 if y != [0, 1, 1, 0] else 0) + 4 * Fraction(3, 100)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("single_category", [True, False])
def test_what_holds_for_every_row_is_no_literal(form: str, single_category: bool) -> None:
    """All categories that there are, or the one: a pattern of that alone would be best here."""
    table = Table.from_any({"c": list("kkkk"), "x": [1, 2, 3, 2]}, [1, 1, 1, 0])
    rules = check(form, table, 1, [], single_category=single_category)
    assert rules is not None
    assert rules.value(OBJECTIVE) == 2 + 4 * Fraction(3, 100)


@pytest.mark.parametrize("form", FORMS)
def test_what_no_pattern_covers_is_an_error(form: str) -> None:
    table = Table.from_any({"x": [1, 2, 2, None]}, [0, 1, 1, 1])
    rules = check(form, table, 2, [])
    assert rules is not None
    assert rules.value(OBJECTIVE) == 1 + 4 * Fraction(3, 100)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("single_category", [True, False])
def test_a_missing_value_is_none_of_the_categories(form: str, single_category: bool) -> None:
    table = Table.from_any({"c": ["a", None, "b"]}, [1, 1, 0])
    rules = check(form, table, 1, [], single_category=single_category)
    assert rules is not None
    assert rules.value(OBJECTIVE) == 1 + 3 * Fraction(3, 100)
