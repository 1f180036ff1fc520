"""The certificate: exact counts, safe bounds, and solvers that lie."""

from __future__ import annotations

import warnings
from dataclasses import replace
from fractions import Fraction

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from ooa.data.table import Table
from ooa.errors import OOAWarning, SolverError
from ooa.learning.certificate import Certificate, Scope, count, safe_bound, trivial_bound
from ooa.learning.ooax import learn_ooax
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import PointStatus, Solution, Termination, get_backend

# -- exact arithmetic ------------------------------------------------------------------------------


def test_counting_is_exact_where_floats_are_not():
    weights = np.array([2.0**53, 1.0, 1.0, 1.0])
    table = Table.from_any({"x": [1, 2, 3, 4]}, [1, 1, 1, 0], sample_weight=weights)
    counted = count(RuleSet.parse("x >= 4"), table, Objective.of("1/3", 0.1))
    assert counted.errors == 2**53 + 3
    assert counted.total == 2**53 + 3
    assert counted.objective == 1 + Fraction(1, 3) + Fraction(1, 10)
    assert (counted.literals, counted.patterns) == (1, 1)


def test_merged_and_given_rows_count_the_same():
    rng = np.random.default_rng(0)
    table = Table.from_any(
        {"x": rng.integers(0, 3, 50), "v": rng.choice(["a", "b"], 50)},
        rng.random(50) < 0.5,
        sample_weight=rng.integers(0, 5, 50),
    )
    for text in ("x >= 1", "x >= 2 AND v = a OR v = b", "x = 1"):
        rules, objective = RuleSet.parse(text), Objective.of(0.003, 0.007)
        given, merged = (count(rules, rows, objective) for rows in (table, table.distinct()))
        assert replace(given, wrong_rows=0, rows=0) == replace(merged, wrong_rows=0, rows=0)
        heavy = table.weight > 0
        wrong = rules.covers(table.as_frame()).any(axis=1) != table.y
        assert (given.wrong_rows, given.rows) == (int((wrong & heavy).sum()), 50)
    assert count(RuleSet([]), table, Objective.of(0, 0)).errors == table.positive.sum()


@given(st.floats(-1e9, 1e9), st.fractions(0, 10).filter(bool))
def test_a_safe_bound_is_the_next_possible_value_above_the_relaxed_one(bound, grid):
    safe = safe_bound(bound, grid)
    relaxed = Fraction(bound) - Fraction(1.1e-6) * max(1, abs(Fraction(bound)))
    assert safe >= relaxed
    assert (safe / grid).denominator == 1
    assert safe - grid < Fraction(bound)


@given(st.integers(0, 10**6), st.sampled_from([Fraction(1), Fraction(1, 25), Fraction(1, 3), Fraction(7, 2)]))
def test_a_bound_a_tolerance_off_a_possible_value_is_that_value(steps, grid):
    value = float(steps * grid)
    slack = 9e-7 * max(1.0, value)
    if slack < grid / 3:
        assert safe_bound(value, grid) == steps * grid
        assert safe_bound(value - slack, grid) == steps * grid  # the solver stopped within its tolerance
        assert safe_bound(value + slack, grid) == steps * grid  # or claimed a little too much


def test_trivial_bound_by_brute_force_over_predictions():
    # Whatever patterns there are: distinct rows get any predictions, for the price of one literal at least.
    rng = np.random.default_rng(1)
    for _ in range(100):
        n = int(rng.integers(2, 7))
        label = rng.random(n) < 0.5
        label[:2] = True, False
        weight = rng.integers(0, 4, n) + (np.arange(n) == 0)
        table = Table.from_any({"x": rng.integers(0, 3, n)}, label, sample_weight=weight)
        rows, objective = table.distinct(), Objective.of(*rng.choice([0, 0.05, 0.3], 2))
        total = Fraction(float(weight.sum()))
        values = []
        for code in range(2**rows.n_rows):
            fires = np.array([code >> i & 1 for i in range(rows.n_rows)], dtype=bool)
            errors = Fraction(float(np.where(fires, rows.negative, rows.positive).sum()))
            values.append(errors / total + (objective.cost(1) if code else 0))
        assert trivial_bound(rows, objective) <= min(values)
        assert trivial_bound(table, objective) <= trivial_bound(rows, objective)


def certificate(**changes):
    made = Certificate(
        errors=Fraction(5),
        total=Fraction(100),
        literals=3,
        patterns=1,
        objective=Fraction(9, 100),
        wrong_rows=5,
        rows=100,
        bound=Fraction(9, 100),
        scope=Scope.LENGTH,
        statement="all patterns up to length 3 over these 4 literals",
        termination=Termination.OPTIMAL,
        seconds={"mining": 0.25, "solving": 1.0},
        backend="highs",
        version="1.15",
    )
    return replace(made, **changes)


def test_a_certificate_in_words():
    proved = certificate()
    assert proved.proved
    assert proved.gap == 0
    assert proved.accuracy == 0.95
    text = str(proved)
    assert "5 errors of 100 (accuracy 0.9500), 1 pattern, 3 literals" in text
    assert "proved optimal among all patterns up to length 3 over these 4 literals" in text
    assert "optimal after 1.25 s with highs 1.15" in text
    weaker = certificate(bound=Fraction(6, 100), termination=Termination.TIME_LIMIT, message="it was late")
    assert not weaker.proved
    assert weaker.gap == pytest.approx(1 / 3)
    assert ", L cannot be below 0.06 (gap 33.3 %)" in str(weaker)
    assert "time limit" in str(weaker)
    assert str(weaker).endswith("it was late")


# -- solvers that lie ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def problem():
    """A problem whose optimum is not what the local search is allowed to find."""
    rng = np.random.default_rng(2)
    columns = {name: rng.integers(0, 2, 60) for name in "abcde"}
    label = (columns["a"] & columns["b"]) | (columns["c"] & columns["d"])
    flipped = np.where(rng.random(60) < 0.1, 1 - label, label)
    return Table.from_any(columns, flipped)


OPTIONS = {"C1": 0.01, "C2": 0.01, "max_patterns": 3, "max_length": 2, "selection": "ilp"}
#: The fit starts from the empty rule set.
NO_SEARCH = {"without": ["incumbent"]}
Honest = type(get_backend("highs"))


class BadRun(Honest):
    """HiGHS, with its result doctored before it is verified."""

    def run(self, params, start, monitor):
        return self.doctored(super().run(params, start, monitor), start)


class BoundTooHigh(BadRun):
    def doctored(self, raw, start):
        raw.bound += 3.0
        return raw


class BoundTooHighInTime(BadRun):
    def doctored(self, raw, start):
        raw.termination, raw.bound = Termination.TIME_LIMIT, raw.bound + 3.0
        return raw


class Infeasible(BadRun):
    def doctored(self, raw, start):
        raw.termination, raw.x, raw.bound = Termination.INFEASIBLE, None, None
        return raw


class Unbounded(BadRun):
    def doctored(self, raw, start):
        raw.termination, raw.x, raw.bound = Termination.UNBOUNDED, None, None
        return raw


class NoPoint(BadRun):
    def doctored(self, raw, start):
        raw.x, raw.bound = None, None
        return raw


class StartCalledOptimal(BadRun):
    """With the optimum as its bound, which does not meet the start's value; unless the start is optimal."""

    def doctored(self, raw, start):
        raw.x = start
        return raw


class BrokenPoint(BadRun):
    def doctored(self, raw, start):
        raw.x = np.zeros_like(raw.x)  # selects nothing and misses nobody
        raw.bound = 0.0
        return raw


class NanPoint(BadRun):
    def doctored(self, raw, start):
        raw.x = np.full_like(raw.x, np.nan)
        return raw


class Raises(BadRun):
    def doctored(self, raw, start):
        raise ZeroDivisionError("inside the solver")


class Refuses(BadRun):
    def doctored(self, raw, start):
        raise SolverError("the solver refused the model")


class WrongObjective(Honest):
    """Overrides the verified answer itself."""

    def solve(self, milp, start=None, params=None, **changes):
        solution = super().solve(milp, start, params, **changes)
        return replace(solution, objective=solution.objective - 2.0, bound=solution.objective - 2.0)


class WrongObjectiveAbove(Honest):
    def solve(self, milp, start=None, params=None, **changes):
        solution = super().solve(milp, start, params, **changes)
        return replace(solution, objective=solution.objective + 2.0, bound=solution.objective + 2.0)


class EmptyAnswer(Honest):
    def solve(self, milp, start=None, params=None, **changes):
        return Solution(Termination.INFEASIBLE, PointStatus.NONE, None, None, None, self.name)


@pytest.fixture(scope="module")
def best(problem):
    learned = learn_ooax(problem, **OPTIONS)
    assert learned.certificate.proved
    assert learned.certificate.message == ""
    return learned.certificate.objective


LIARS = [
    BoundTooHigh,
    BoundTooHighInTime,
    Infeasible,
    Unbounded,
    NoPoint,
    BrokenPoint,
    NanPoint,
    Raises,
    Refuses,
    WrongObjective,
    WrongObjectiveAbove,
    EmptyAnswer,
]


@pytest.mark.parametrize("liar", LIARS)
@pytest.mark.parametrize("searched", [True, False])
def test_a_lying_solver_is_seen_through(problem, best, liar, searched):
    with pytest.warns(OOAWarning, match="its bound is not used"):
        learned = learn_ooax(problem, backend=liar(), **OPTIONS, **({} if searched else NO_SEARCH))
    proof = learned.certificate
    assert "its bound is not used" in proof.message
    assert proof.bound <= best <= proof.objective
    assert not proof.proved
    assert proof.termination is not Termination.OPTIMAL or liar in (WrongObjective, WrongObjectiveAbove)
    assert count(learned.rules, problem, Objective.of(0.01, 0.01)).objective == proof.objective
    if searched:
        assert proof.objective == best  # the local search had found it before


def test_a_start_called_optimal_is_not_proved(problem, best):
    with pytest.warns(OOAWarning, match="its bound is not used"):
        proof = learn_ooax(problem, backend=StartCalledOptimal(), **OPTIONS, **NO_SEARCH).certificate
    assert proof.bound < best <= proof.objective


def test_an_early_end_without_a_lie_is_no_reason_to_warn(problem, best):
    class Early(BadRun):
        def doctored(self, raw, start):
            raw.termination, raw.bound = Termination.NODE_LIMIT, raw.bound - 1.0
            return raw

    class Wasteful(BadRun):
        """Its point errs on more rows than its rule set does."""

        def doctored(self, raw, start):
            raw.termination, raw.bound = Termination.TIME_LIMIT, raw.bound - 1.0
            raw.x = np.where(self.continuous, 1.0, raw.x)
            return raw

        def load(self, milp):
            self.continuous = ~milp.integer
            super().load(milp)

    for backend in (Early(), Wasteful()):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            proof = learn_ooax(problem, backend=backend, **OPTIONS).certificate
        assert proof.objective == best
        assert 0 < proof.bound < best
        assert proof.scope is Scope.LENGTH
        assert not proof.proved
