"""Every constraint, for every formulation: the best rule set that meets it is found, and no other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from support.brute_constraints import (
    Rules,
    all_patterns,
    all_rules,
    best,
    evaluate,
    free_sides,
    meets,
    random_own,
    random_ready,
)
from support.tiny_tables import tiny_objective, tiny_table

from ooa import constraints as ready
from ooa.candidates.candidates import Candidates
from ooa.candidates.screening import screen
from ooa.data.table import Table
from ooa.errors import DataError, ModelError, OptionError, RuleError
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import SolveParams, Termination, available_backends, get_backend

READY = [name for name in ready.__all__ if name != "Constraint"]
OTHERS = [name for name, found in available_backends().items() if found.ok and name != "highs"]
FORMS = ("aggregated", "disaggregated", "paper", "compact")
#: Rule sets are gone through one by one, so there must not be many of them.
MOST_PATTERNS = 60


class Problem:
    """A random tiny table with all its rule sets of at most K patterns."""

    def __init__(self, seed: Sequence[int]) -> None:
        self.rng = rng = np.random.default_rng(seed)
        while True:
            self.table, self.objective = tiny_table(rng, most_rows=6), tiny_objective(rng)
            self.options = {"single_category": bool(rng.random() < 0.6), "missing": bool(rng.random() < 0.4)}
            patterns = all_patterns(self.table, **self.options)
            if 0 < len(patterns) <= MOST_PATTERNS:
                break
        self.K = int(rng.integers(1, 3)) if len(patterns) > 18 else int(rng.integers(1, 4))
        self.sets = all_rules(self.table, patterns, self.K)

    def brute(self, form: str, constraints: Sequence[Any]) -> list[Rules]:
        """All rule sets that a formulation can say."""
        boxes = form in ("paper", "compact")
        free = free_sides(constraints) if boxes else {}
        patterns = all_patterns(self.table, value_literals=boxes, free=free, **self.options)
        return all_rules(self.table, patterns, self.K)

    def formulation(self, form: str, constraints: Sequence[Any]) -> Formulation:
        merged = bool(self.rng.random() < 0.7)
        rows = self.table.distinct() if merged else self.table
        common = {"constraints": constraints, "table": self.table if merged else None}
        if form in ("paper", "compact"):
            boxes = OOAFormulation if form == "paper" else CompactFormulation
            return boxes(rows, self.objective, self.K, **self.options, **common)
        patterns = all_patterns(self.table, value_literals=False, **self.options)
        candidates = Candidates.of_patterns(rows, patterns)
        return OOAxFormulation(candidates, rows, self.objective, max_patterns=self.K, form=form, **common)


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


def drawn(problem: Problem, name: str) -> Any:
    if name == "own":
        return random_own(problem.rng, problem.sets)
    return random_ready(name, problem.rng, problem.sets)


@pytest.mark.parametrize("name", READY)
def test_ready_made(name: str) -> None:
    feasible = 0
    for seed in range(3):
        problem = Problem([1, seed, READY.index(name)])
        constraint = drawn(problem, name)
        for form in FORMS if constraint is not None else ():
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


# -- what a solver would do without exact rows ------------------------------------------------------


def formulate(
    form: str, table: Table, constraints: Sequence[Any], *, exact: bool = True, K: int = 2
) -> Formulation:
    """A formulation of all patterns, or one without the rows that keep constraints exact."""
    kind = {"ooax": OOAxFormulation, "paper": OOAFormulation, "compact": CompactFormulation}[form]
    if not exact:
        kind = type("Inexact", (kind,), {"pin": lambda self, constraints: None})
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


# -- reductions --------------------------------------------------------------------------------------


def dominates(z: Rules, other: Rules) -> bool:
    """Whether one pattern can stand in for another."""
    weighs, y = z.table.weight > 0, z.table.y
    return bool(
        (z.fires | ~other.fires)[y & weighs].all()
        and (~z.fires | other.fires)[~y & weighs].all()
        and len(z.patterns[0]) <= len(other.patterns[0])
    )


def breaks(problem: Problem, constraint: Any) -> tuple[bool, bool]:
    """Whether removing, and whether replacing by a dominating one, ever violates a constraint that is met."""
    single = {r.patterns[0]: r for r in problem.sets if len(r.patterns) == 1}
    better = {p: [q for q in single if q != p and dominates(single[q], single[p])] for p in single}
    some = problem.rng.permutation(len(problem.sets))[:150]
    removal = dominance = False
    for rules in (problem.sets[i] for i in some):
        if not meets(rules, constraint):
            continue
        for z in rules.patterns:
            rest = [p for p in rules.patterns if p != z]
            removal |= not meets(evaluate(problem.table, rest), constraint)
            for other in better[z][:6]:
                swapped = list(dict.fromkeys([*rest, other]))
                dominance |= not meets(evaluate(problem.table, swapped), constraint)
    return removal, dominance


@pytest.mark.parametrize("name", READY)
def test_flags_of_reductions_are_right_and_not_timid(name: str) -> None:
    kind = getattr(ready, name)
    removal = dominance = False
    for seed in range(14):
        problem = Problem([5, seed, READY.index(name)])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        removed, replaced = breaks(problem, constraint)
        assert not (removed and kind.allows_removal), (seed, constraint)
        assert not (replaced and kind.allows_dominance), (seed, constraint)
        removal, dominance = removal or removed, dominance or replaced
    assert (removal, dominance) == (not kind.allows_removal, not kind.allows_dominance)


@pytest.mark.parametrize("name", READY)
def test_the_allowed_reductions_lose_nothing(name: str) -> None:
    for seed in range(4):
        problem = Problem([6, seed, READY.index(name)])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        rows, objective = problem.table.distinct(), problem.objective
        patterns = all_patterns(problem.table, value_literals=False, **problem.options)
        sets = all_rules(problem.table, patterns, problem.K)
        expected, good = best(sets, objective, [constraint])
        candidates = Candidates.of_patterns(rows, patterns)
        known = [r.value(objective) / objective_total(problem.table) for r in good]
        upper = known[int(problem.rng.integers(len(known)))] if known else None
        screened, _ = screen(
            candidates,
            rows,
            objective,
            upper=upper,
            removal=constraint.allows_removal,
            dominance=constraint.allows_dominance,
        )
        kept = [screened.pattern(k) for k in range(len(screened))]
        found, _ = best(all_rules(problem.table, kept, problem.K), objective, [constraint])
        assert found == expected, (seed, constraint)


def objective_total(table: Table) -> Fraction:
    return sum(map(Fraction, table.weight.tolist()), Fraction(0))


@pytest.mark.parametrize("reduction", ["removal", "dominance"])
def test_a_reduction_that_is_not_allowed_gives_a_wrong_answer(reduction: str) -> None:
    # One positive lies apart: covering it costs more than it saves, but it must not be missed.
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6], "z": [1, 1, 1, 2, 2, 2]}, [1, 0, 0, 1, 1, 1])
    rows, objective = table.distinct(), Objective.of("1/10", "1/10")
    patterns = all_patterns(table)
    constraint = {
        "removal": ready.max_false_negatives(0),
        "dominance": ready.max_uses("z", 0),  # z >= 2 says as much as x >= 4, and comes second
    }[reduction]
    assert not getattr(constraint, f"allows_{reduction}")
    expected, _ = best(all_rules(table, patterns, 2), objective, [constraint])
    patterns.sort(key=lambda pattern: "z" not in pattern.attributes)
    candidates = Candidates.of_patterns(rows, patterns)
    off, on = (
        screen(
            candidates, rows, objective, upper=None, **{"removal": False, "dominance": False, reduction: how}
        )
        for how in (False, True)
    )
    answers = []
    for screened, _ in (off, on):
        formulation = OOAxFormulation(
            screened, rows, objective, max_patterns=2, constraints=[constraint], table=table
        )
        answers.append(get_backend("highs").solve(formulation.milp).objective)
    assert answers[0] == pytest.approx(float(expected))
    assert answers[1] is None or answers[1] > answers[0] + 0.1


# -- limits that are just met ------------------------------------------------------------------------


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


def test_costs_are_the_decimals_they_look_like() -> None:
    table = Table.from_any({"a": [1, 2], "b": [1, 2], "c": [1, 2]}, [0, 1])
    constraint = ready.budget({"a": 0.1, "b": 0.2, "c": 0.7}, 0.3)  # 0.1 + 0.2 > 0.3 for floats
    for form in ("ooax", "paper", "compact"):
        formulation = formulate(form, table, [constraint])
        for text, fits in [("a >= 2 AND b >= 2", True), ("a >= 2 OR b >= 2", True), ("c >= 2", False)]:
            x = formulation.encode(RuleSet.parse(text))
            assert (formulation.milp.violation(x) == 0) == fits


# -- arguments ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (
            lambda: ready.max_false_negatives(-1),
            "max_false_negatives: most must be a number at least 0, not -1",
        ),
        (lambda: ready.max_false_positives("few"), "max_false_positives: most must be .* not 'few'"),
        (lambda: ready.max_false_positives(float("nan")), "max_false_positives: most must be .* not nan"),
        (
            lambda: ready.min_sensitivity(95),
            "min_sensitivity: least must be a number between 0 and 1, not 95",
        ),
        (lambda: ready.min_specificity(None), "min_specificity: least must be .* not None"),
        (lambda: ready.min_precision(True), "min_precision: least must be .* not True"),
        (lambda: ready.max_uses("x", 1.5), "max_uses: most must be a whole number, not 1.5"),
        (lambda: ready.max_uses(3, 1), "max_uses needs the name of a column, not 3"),
        (lambda: ready.at_most_one_of("ab"), "at_most_one_of needs at least two columns, not 'ab'"),
        (lambda: ready.at_most_one_of(["a", "a"]), "at_most_one_of needs at least two columns"),
        (lambda: ready.forbid_together(["a"]), r"forbid_together needs at least two columns, not \['a'\]"),
        (lambda: ready.forbid_together(["a", 1]), "forbid_together needs the name of a column, not 1"),
        (lambda: ready.require_attribute(None), "require_attribute needs the name of a column, not None"),
        (lambda: ready.require_pattern(5), "require_pattern needs a pattern, not 5"),
        (lambda: ready.budget({"a": -1}, 3), "budget: the cost of 'a' must be a number at least 0, not -1"),
        (lambda: ready.budget({"a": 1}, None), "budget: most must be .* not None"),
        (lambda: ready.budget([("a", 1)], 2), "budget: costs must be a cost by column"),
        (lambda: ready.max_total_literals(-2), "max_total_literals: most must be .* not -2"),
        (lambda: ready.min_support_per_pattern("1/x"), "min_support_per_pattern: least must be"),
        (
            lambda: ready.monotone("x", "up"),
            "monotone: direction must be 'increasing' or 'decreasing', not 'up'",
        ),
        (lambda: ready.monotone(0, "increasing"), "monotone needs the name of a column, not 0"),
        (lambda: ready.demographic_parity("sex", 1.5), "demographic_parity: gap must be .* between 0 and 1"),
    ],
)
def test_bad_arguments_are_named(make, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        make()


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
        (ready.equal_opportunity("q", 0.1), OptionError, "equal_opportunity.*: 'q' is not a column"),
        (ready.equal_opportunity([1, 2], 0.1), OptionError, "group has 2 values for 4 rows"),
        (lambda f: f.n_patterns, ModelError, "constraint <lambda> must return rows"),
        (lambda f: 1 <= 2, ModelError, "must return rows .* not True"),
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


CONSTRAINTS = [
    ready.max_false_negatives(2),
    ready.min_sensitivity(0.95),
    ready.max_uses("x", 1),
    ready.at_most_one_of(["x", "c"]),
    ready.require_pattern("x >= 2 AND c = a"),
    ready.forbid_pattern("x >= 2"),
    ready.budget({"x": 1.5}, 2),
    ready.monotone("x", "decreasing"),
    ready.demographic_parity("c", 0.1),
    ready.equal_opportunity(["f", "m", None, "f"], 0.1),
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=repr)
def test_constraints_are_values(constraint: Any) -> None:
    for other in (copy.deepcopy(constraint), pickle.loads(pickle.dumps(constraint))):
        assert other == constraint
        assert hash(other) == hash(constraint)
        assert repr(other) == repr(constraint)
    assert constraint not in [other for other in CONSTRAINTS if other is not constraint]
    assert len(repr(constraint)) < 90
    with pytest.raises(AttributeError):
        constraint.most = 7


def test_texts_and_patterns_are_the_same() -> None:
    assert ready.require_pattern("x >= 2") == ready.require_pattern(RuleSet.parse("x >= 2").patterns[0])
    assert ready.demographic_parity(["f", "m"], 0.1) == ready.demographic_parity(np.array([0, 1]), 0.1)
    assert ready.demographic_parity(["f", "m"], 0.1) != ready.equal_opportunity(["f", "m"], 0.1)


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
