"""Both OOA formulations: the brute-force optimum, exact points of rule sets, and each slip of the paper."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from support.brute_ooa import best_value, random_rules
from support.tiny_tables import tiny_objective, tiny_table

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.formulations import CompactFormulation, OOAFormulation
from ooa.formulations.boxes import BoxFormulation
from ooa.learning.certificate import count
from ooa.model import Milp
from ooa.objective import Objective
from ooa.rules.literal import Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import SolveParams, Termination, available_backends, get_backend

FORMS: list[type[BoxFormulation]] = [OOAFormulation, CompactFormulation]
OTHERS = [name for name, found in available_backends().items() if found.ok and name != "highs"]
both = pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)


def optimum(milp: Milp, backend: str = "highs") -> tuple[float, np.ndarray]:
    solution = get_backend(backend).solve(milp, None, SolveParams(time_limit=60))
    assert solution.termination is Termination.OPTIMAL
    assert solution.x is not None
    assert solution.objective is not None
    return solution.objective, solution.x


def edited(milp: Milp, block: str, *, lower: float = 0.0, upper: float = 0.0) -> Milp:
    """A copy with the sides of one block of rows moved."""
    sizes = [int(np.prod(shape)) for _, shape in milp.rows.blocks]
    position = [name for name, _ in milp.rows.blocks].index(block)
    rows = slice(sum(sizes[:position]), sum(sizes[: position + 1]))
    row_lower, row_upper = milp.row_lower.copy(), milp.row_upper.copy()
    row_lower[rows] += lower
    row_upper[rows] += upper
    return milp.replace(row_lower=row_lower, row_upper=row_upper)


def value(rules: RuleSet, rows: WeightedRows, objective: Objective) -> float:
    counted = count(rules, rows, objective)
    return float(counted.objective * counted.total)


def check_against_brute_force(seed: int, backend: str) -> None:
    rng = np.random.default_rng([5, seed])
    rows, objective, K = tiny_table(rng).distinct(), tiny_objective(rng), int(rng.integers(1, 4))
    options = {"single_category": bool(rng.random() < 0.6), "missing": bool(rng.random() < 0.4)}
    best = best_value(rows, objective, K, **options)
    for form in FORMS:
        formulation = form(rows, objective, K, merge=bool((seed + FORMS.index(form)) % 2), **options)
        found, x = optimum(formulation.milp, backend)
        rules = formulation.decode(x)
        counted = count(rules, rows, objective)
        assert found == pytest.approx(float(best), abs=1e-6), (seed, form)
        assert counted.objective * counted.total == best, (seed, form, rules)
        assert len(rules) <= K


@pytest.mark.parametrize("chunk", range(10))
def test_brute_force_agrees(chunk: int) -> None:
    for seed in range(21 * chunk, 21 * (chunk + 1)):
        check_against_brute_force(seed, "highs")


@pytest.mark.parametrize("chunk", range(1))
@pytest.mark.parametrize("backend", OTHERS)
def test_brute_force_agrees_on_the_other_backends(backend: str, chunk: int) -> None:
    for seed in range(1000 + 20 * chunk, 1000 + 20 * (chunk + 1)):
        check_against_brute_force(seed, backend)


def retyped(rules: RuleSet, rows: WeightedRows, rng: np.random.Generator) -> RuleSet:
    """The same rule set on these rows, with other bounds than observed values."""

    def loosened(literal: Range) -> Range:
        column = next(column for column in rows.columns if column.name == literal.attribute)
        values = np.unique(column.values[~column.missing])
        low, high = literal.low, literal.high
        before, after = values[values < low], values[values > high]
        if rng.random() < 0.3:
            low = None if len(before) == 0 else float(before[-1])
        elif len(before):
            low = float(before[-1] + (low - before[-1]) * rng.choice([0.25, 0.75]))
        if len(after):
            high = float(rng.choice([high + (after[0] - high) * 0.25, after[0]]))
        return Range(literal.attribute, low, high, low in values and low == literal.low, high not in after)

    return RuleSet(
        Pattern(loosened(literal) if isinstance(literal, Range) else literal for literal in pattern)
        for pattern in rules
    )


@both
def test_the_point_of_any_rule_set(form: type[BoxFormulation]) -> None:
    for seed in range(60):
        rng = np.random.default_rng([6, seed])
        rows, objective = tiny_table(rng).distinct(), tiny_objective(rng)
        options = {"single_category": bool(seed % 2), "missing": bool(seed % 3)}
        formulation = form(rows, objective, 3, **options)
        frame = rows.as_frame()
        for _ in range(4):
            rules = retyped(random_rules(rows, 3, rng, **options), rows, rng)
            x = formulation.encode(rules)
            whole = formulation.milp.with_implied()
            assert whole.integer.all()  # so that solvers of whole numbers only can take it
            assert whole.worst(x) == (0.0, ""), (seed, rules)
            assert formulation.milp.objective(x) == pytest.approx(value(rules, rows, objective), abs=1e-9)
            again = formulation.decode(x)
            assert again.covers(frame).any(axis=1).tolist() == rules.covers(frame).any(axis=1).tolist()
            assert again.n_literals <= rules.n_literals


@both
def test_fixing_a_rule_set_leaves_the_solver_no_better_count(form: type[BoxFormulation]) -> None:
    names = {"zeta", "delta", "l", "u", "mu", "o", "used", "literal", "lower", "upper", "category", "missing"}
    for seed in range(15):
        rng = np.random.default_rng([7, seed])
        rows, objective = tiny_table(rng).distinct(), tiny_objective(rng)
        formulation = form(rows, objective, 2, missing=True)
        rules = random_rules(rows, 2, rng, missing=True)
        milp, x = formulation.milp, formulation.encode(rules)
        fixed = np.concatenate([np.full(int(np.prod(s)), name in names) for name, s in milp.columns.blocks])
        held = milp.replace(lower=np.where(fixed, x, milp.lower), upper=np.where(fixed, x, milp.upper))
        assert optimum(held)[0] == pytest.approx(value(rules, rows, objective), abs=1e-6)


@both
def test_any_order_of_boxes_is_put_in_the_models_order(form: type[BoxFormulation]) -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "y": [4, 1, 3, 2], "c": list("abab")}, [0, 1, 1, 0])
    parts = ["x >= 2", "y >= 2 AND c = a", "c = b", "x <= 3 AND y <= 3 AND c = b"]
    formulation = form(table, Objective.of("1/100", "1/100"), 5)
    points = {
        tuple(formulation.encode(RuleSet(Pattern.parse(part) for part in order)))
        for order in permutations(parts)
    }
    assert len(points) == 1
    x = np.array(points.pop())
    assert formulation.milp.violation(x) == 0
    assert formulation.decode(x) == RuleSet(Pattern.parse(part) for part in parts)


@both
def test_literals_that_say_nothing_on_these_rows(form: type[BoxFormulation]) -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("aabb")}, [0, 1, 1, 0])
    objective = Objective.of("1/8", "1/8")
    formulation = form(table, objective, 1)
    milp = formulation.milp
    lean = formulation.encode(RuleSet.parse("x >= 2"))
    for text in (
        "x >= 2 AND c IN {a, b}",
        "x >= 2 OR x >= 7",
        "x >= 2 OR c = z AND x >= 1",
        "x > 1.5 AND c IN {b, a, z}",
    ):
        assert formulation.encode(RuleSet.parse(text)).tolist() == lean.tolist()
    assert milp.objective(lean) == value(RuleSet.parse("x >= 2"), table, objective)
    empty = formulation.encode(RuleSet([]))
    assert milp.violation(empty) == 0
    assert milp.objective(empty) == 2
    assert (
        formulation.encode(RuleSet.parse("c != a")).tolist()
        == formulation.encode(RuleSet.parse("c = b")).tolist()
    )


@both
def test_rule_sets_that_do_not_fit(form: type[BoxFormulation]) -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("abcc")}, [0, 1, 1, 0])
    formulation = form(table, Objective.of(0, 0), 1)
    for text, words in [
        ("y >= 2", "'y', which is not a column of the table"),
        ("x >= 2 OR c = a", "2 patterns where at most 1 are allowed"),
        ("c != a", "'c ≠ a' holds for several categories of 'c', where one is allowed"),
        ("c IN {a, b}", "several categories of 'c'"),
        ("x IN {1, 3}", "one range"),
        ("x <= 9", "holds for every row"),
    ]:
        with pytest.raises(RuleError, match=words):
            formulation.encode(RuleSet.parse(text))
    assert form(table, Objective.of(0, 0), 1, single_category=False).encode(RuleSet.parse("c != a")).any()
    for K in (0, -1, 1.5, True):
        with pytest.raises(OptionError, match="K must be a whole number >= 1"):
            form(table, Objective.of(0, 0), K)  # type: ignore[arg-type]


@both
@pytest.mark.parametrize("scale", [1e-12, 1.0, 1e18])
def test_tiny_and_huge_weights_are_counted_in_a_unit_of_their_own(
    form: type[BoxFormulation], scale: float
) -> None:
    X, y, weight = {"x": [1, 2, 3, 4, 5, 6]}, [0, 1, 1, 0, 1, 0], np.array([3, 1, 2, 2, 1, 4])
    table = Table.from_any(X, y, sample_weight=weight * scale)
    objective = Objective.of("1/50", "1/50")
    formulation = form(table, objective, 2)
    assert (formulation.unit == 1) == (scale == 1)
    assert 1 <= formulation.milp.c.max() <= 2**41
    found, x = optimum(formulation.milp)
    rules = formulation.decode(x)
    assert found * float(formulation.unit) == pytest.approx(value(rules, table, objective))
    assert formulation.milp.objective(formulation.encode(rules)) == pytest.approx(found)
    best = best_value(Table.from_any(X, y, sample_weight=weight), objective, 2)
    assert value(rules, table, objective) == pytest.approx(float(best) * scale)


@both
def test_labels_come_from_the_template(form: type[BoxFormulation]) -> None:
    table = Table.from_any({"x": [1, 2]}, ["no", "yes"])
    template = RuleSet([], target="answer", positive="yes", negative="no")
    rules = RuleSet(RuleSet.parse("x >= 2"), target="answer", positive="yes", negative="no")
    formulation = form(table, Objective.of(0, 0), 2, template=template)
    assert formulation.decode(formulation.encode(rules)) == rules


@both
def test_several_categories_count_as_one_literal(form: type[BoxFormulation]) -> None:
    table = Table.from_any({"c": list("abcd") * 3}, [1, 1, 0, 0] * 3)
    objective = Objective.of("1/12", "1/12")
    assert optimum(form(table, objective, 2).milp)[0] == pytest.approx(4)  # c = a OR c = b
    formulation = form(table, objective, 2, single_category=False)
    found, x = optimum(formulation.milp)
    assert found == pytest.approx(2)
    assert formulation.decode(x) == RuleSet.parse("c IN {a, b}")


@both
def test_missing_values(form: type[BoxFormulation]) -> None:
    values = [1.0, 2.0, None, None, 2.0, 1.0]
    table = Table.from_any({"x": values}, [0, 0, 1, 1, 0, 0])
    objective = Objective.of("1/100", "1/100")
    assert optimum(form(table, objective, 1).milp)[0] == pytest.approx(
        2
    )  # no literal holds for a missing value
    formulation = form(table, objective, 1, missing=True)
    found, x = optimum(formulation.milp)
    assert found == pytest.approx(0.12)
    assert formulation.decode(x) == RuleSet.parse("x IS MISSING")
    opposite = Table.from_any({"x": values}, [1, 1, 0, 0, 1, 1])
    formulation = form(opposite, objective, 1)
    found, x = optimum(formulation.milp)
    assert found == pytest.approx(0.12)
    assert formulation.decode(x) == RuleSet.parse("x >= 1")  # has a value


@both
def test_a_table_of_common_size_is_built(form: type[BoxFormulation]) -> None:
    rng = np.random.default_rng(1)
    columns = {f"n{j}": rng.normal(size=270).round(2) for j in range(6)}
    columns |= {f"c{j}": rng.choice(list("abc"), 270) for j in range(7)}
    rows = Table.from_any(columns, rng.random(270) < 0.4).distinct()
    formulation = form(rows, Objective.of(0.005, 0.005), 5)
    assert formulation.milp.n_columns > 1000
    rules = RuleSet.parse("n0 > 0 AND c1 = a AND n3 < 0.5 OR n1 > 1 AND n1 < 2 OR c0 = b AND c6 = c")
    x = formulation.encode(rules)
    assert formulation.milp.violation(x) == 0
    assert formulation.milp.objective(x) == pytest.approx(value(rules, rows, formulation.objective))


def test_the_compact_form_has_no_variable_per_row_box_and_attribute() -> None:
    table = Table.from_any({"x": range(100), "z": [*range(50)] * 2}, [0, 1] * 50)
    objective = Objective.of(0.01, 0.01)
    reference, compact = (form(table, objective, 3).milp for form in FORMS)
    assert reference.n_columns == 3 * (1 + 2 + 4 + 100 * 4 + 100) + 100
    assert compact.n_columns == 3 * (1 + 2 + 2 * (99 + 49) + 50) + 100


# Each slip of the paper: the rows as printed, or left out, give a wrong optimum or none.

MOSTLY_POSITIVE = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "c": ["k"] * 6}, [1, 1, 1, 0, 1, 1])


def test_slip_1_epsilon_on_the_wrong_side_shuts_out_rows_at_the_bounds() -> None:
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    objective = Objective.of("1/100", "1/100")
    formulation = OOAFormulation(table, objective, 1)
    right = formulation.milp
    printed = edited(right, "uhat_is_1", upper=1)  # u - X <= M uhat
    printed = edited(printed, "uhat_is_0", lower=1)  # u - X >= M (uhat - 1) + eps
    printed = edited(printed, "lhat_is_1", lower=-1)
    printed = edited(printed, "lhat_is_0", upper=-1)
    best = float(best_value(table, objective, 1))
    assert optimum(right)[0] == pytest.approx(best)
    assert optimum(printed)[0] > best + 0.9  # the row at u = U cannot be covered
    assert printed.violation(formulation.encode(RuleSet.parse("x >= 3"))) == 1


def test_slip_2_one_epsilon_for_all_attributes_leaves_no_cut_where_gaps_are_smaller() -> None:
    table = Table.from_any({"x": [0.1, 0.2, 0.3, 0.4]}, [0, 0, 1, 1])
    objective = Objective.of("1/100", "1/100")
    formulation = OOAFormulation(table, objective, 1)
    best = float(best_value(table, objective, 1))
    assert optimum(formulation.milp)[0] == pytest.approx(best)
    wide = edited(formulation.milp, "uhat_is_1", upper=-9)  # an epsilon of 1, which is 10 gaps
    wide = edited(wide, "lhat_is_1", lower=9)
    assert get_backend("highs").solve(wide).termination is Termination.INFEASIBLE
    # M without the epsilon: a row at L is not inside a range that ends at U.
    A = formulation.milp.A.copy()
    A.data[np.abs(A.data) == 4] *= 3 / 4
    short = formulation.milp.replace(A=A)
    assert short.violation(formulation.encode(RuleSet([]))) == 1


@both
@pytest.mark.parametrize("C2", [0, "1/20"])
def test_slip_3_a_box_without_literals_covers_everything(form: type[BoxFormulation], C2: object) -> None:
    objective = Objective.of("1/5", C2)
    formulation = form(MOSTLY_POSITIVE, objective, 2)
    best = float(best_value(MOSTLY_POSITIVE, objective, 2))
    assert optimum(formulation.milp)[0] == pytest.approx(best)
    block = "zeta_is_0" if form is OOAFormulation else "used_needs_literal"
    cheat = optimum(edited(formulation.milp, block, upper=np.inf))[0]
    assert cheat == pytest.approx(1 + 6 * float(objective.C2))
    assert cheat < best - 1e-3


@both
def test_slip_4_without_prices_only_rows_in_both_directions_pin_the_literals(
    form: type[BoxFormulation],
) -> None:
    objective = Objective.of(0, "1/4")
    formulation = form(MOSTLY_POSITIVE, objective, 2)
    best = float(best_value(MOSTLY_POSITIVE, objective, 2))
    assert optimum(formulation.milp)[0] == pytest.approx(best)
    block = "delta_is_0" if form is OOAFormulation else "literal_needs_range"
    loose = edited(formulation.milp, block, upper=np.inf)  # a literal without a range, for nothing
    assert optimum(loose)[0] < best - 1e-3


@both
def test_slip_5_boxes_are_interchangeable(form: type[BoxFormulation]) -> None:
    table = Table.from_any({"x": [1, 2, 3], "z": [3, 1, 2]}, [0, 1, 1])
    formulation = form(table, Objective.of(0, 0), 2)
    milp, x = formulation.milp, formulation.encode(RuleSet.parse("x >= 2 OR z >= 2"))
    swapped = x.copy()
    for name, block in formulation.layout.blocks.items():
        if name not in ("missed", "wrong"):
            boxes = 1 if name in ("lhat", "uhat", "ohat", "omega", "covers") else 0
            swapped[block.index] = np.flip(x[block.index], axis=boxes)
    assert milp.worst(x)[0] == 0
    assert milp.worst(swapped)[1].startswith("row box_order")
    assert edited(milp, "box_order", lower=-np.inf).violation(swapped) == 0


@both
@pytest.mark.parametrize("single_category", [True, False])
def test_slip_6_naming_every_category_covers_everything(
    form: type[BoxFormulation], single_category: bool
) -> None:
    objective = Objective.of("1/4", 0)
    formulation = form(MOSTLY_POSITIVE, objective, 2, single_category=single_category)
    best = float(best_value(MOSTLY_POSITIVE, objective, 2, single_category=single_category))
    assert optimum(formulation.milp)[0] == pytest.approx(best)
    printed = edited(formulation.milp, "categories", upper=1)  # c = k, which holds for every row
    cheat = optimum(printed)[0]
    assert cheat == pytest.approx(2.5)
    assert cheat < best - 1e-3
