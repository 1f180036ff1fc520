"""The course of a fit: what is noted on the way, and the curves that are made of it."""

from __future__ import annotations

import pickle
from fractions import Fraction
from itertools import pairwise

import pytest
from support.fake_backends import BruteForce, FormsNothing

from ooa.candidates.candidates import Candidates
from ooa.constraints import min_sensitivity
from ooa.data.table import Table
from ooa.datasets import monks, planted_dnf
from ooa.errors import OOAWarning
from ooa.estimators import OOAxClassifier
from ooa.formulations import OOAxFormulation
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Certificate, Scope
from ooa.learning.course import Course, fit_course
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.solve import solve_from_best
from ooa.learning.state import Fit
from ooa.learning.verdict import Learned
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import Progress, RawResult, Termination

#: Between the values 1/2 of no rule and 1/4 of "x >= 3"; bounds are in eighths.
FOUR = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])


@pytest.fixture(scope="module")
def robots() -> Table:
    data = monks(1)
    return Table.from_any(data.X, data.y)


def check(learned: Learned) -> Course:
    """What is true of the course of any fit that found something."""
    proof = learned.certificate
    went = fit_course(learned.trace, proof)
    for curve, sign in ((went.incumbent, -1), (went.bound, 1)):
        assert len(curve) > 1
        assert all(a <= b for (a, _), (b, _) in pairwise(curve))
        assert all(sign * a < sign * b for (_, a), (_, b) in pairwise(curve[:-1]))
        assert curve[-1][0] >= sum(proof.seconds.values())
    assert went.incumbent[-1][1] == float(proof.objective)
    assert went.bound[-1][1] == float(proof.bound)
    return went


def certificate(objective: str, bound: str, **changes: object) -> Certificate:
    about = {
        "scope": Scope.ALL,
        "statement": "all patterns",
        "termination": Termination.TIME_LIMIT,
        "seconds": {"mining": 1.0, "solving": 2.0},
    }
    return Certificate(
        Fraction(1), Fraction(4), 1, 1, Fraction(objective), 1, 4, Fraction(bound), **about | changes
    )


def new_fit(**options: object) -> Fit:
    return Fit.of(FOUR, OOAxSettings(C1="1/8", C2="1/8", max_patterns=None, progress=False, **options))


# -- curves ----------------------------------------------------------------------------------------


def test_curves_fall_and_rise_up_to_what_is_certified():
    trace = (
        Progress(0.0, 0.5, 0.0625),
        Progress(0.5, 0.75, 0.125),  # no better
        Progress(1.0, 0.25, 0.0625),
        Progress(1.5, None, 0.2),  # about fewer patterns than the certificate
        Progress(2.0, 0.1, None),  # better than what was counted
    )
    went = fit_course(trace, certificate("1/4", "3/16"))
    assert went.incumbent == ((0.0, 0.5), (1.0, 0.25), (3.0, 0.25))
    assert went.bound == ((0.0, 0.0625), (0.5, 0.125), (3.0, 0.1875))


def test_a_curve_ends_with_the_certificate_whatever_was_noted():
    assert fit_course((), certificate("1/4", "1/8")) == Course(((3.0, 0.25),), ((3.0, 0.125),))
    late = fit_course([Progress(5.0, 0.5, None)], certificate("1/4", "1/8", seconds={}))
    assert late == Course(((5.0, 0.5), (5.0, 0.25)), ((5.0, 0.125),))
    assert fit_course([Progress(0.0, 0.5, 0.1)], certificate("1/2", "1/8", feasible=False)).incumbent == ()


# -- what a fit notes ------------------------------------------------------------------------------


def test_bounds_noted_and_taken_back():
    fit = new_fit()
    fit.log.note_bound(Fraction(3, 8))
    fit.best.offer(RuleSet.parse("x >= 3"))
    fit.best.offer(RuleSet.parse("x >= 2"))  # no better
    assert [(one.incumbent, one.bound) for one in fit.log.trace] == [
        (None, 0.25),  # what counting says
        (0.5, None),
        (None, 0.375),
        (0.25, None),
    ]
    fit.log.forget_bounds(fit.problem.trivial)
    assert [one.bound for one in fit.log.trace] == [0.25, None, None, None]


class Talks(BruteForce):
    """Reports what it is told to on its way; values and bounds in units of L."""

    def __init__(self, *moments: tuple[float | None, float | None], bound: float) -> None:
        super().__init__()
        self.moments, self.bound = moments, bound

    def fresh(self) -> Talks:
        return Talks(*self.moments, bound=self.bound)

    def run(self, params, start, monitor) -> RawResult:
        for moment in self.moments:
            value, bound = (None if one is None else 4 * one - self.model.offset for one in moment)
            monitor.report(value, bound, 0, None)
        raw = super().run(params, start, monitor)
        raw.bound = 4 * self.bound - self.model.offset
        return raw


def solved(solver: Talks) -> list[tuple[float | None, float | None]]:
    """What a solve adds to the trace."""
    fit = new_fit(backend=solver)
    before, problem = len(fit.log.trace), fit.problem
    own = Candidates.of_patterns(problem.rows, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    solve_from_best(fit, OOAxFormulation(own, problem.rows, problem.objective, table=problem.table))
    assert fit.best.upper == Fraction(1, 4)
    return [(one.incumbent, one.bound) for one in fit.log.trace[before:]]


def test_a_solver_is_believed_as_far_as_its_end_bears_it_out():
    told = solved(Talks((0.375, 0.0), (0.1, 0.125), (0.2499999, 0.3), bound=0.25))
    # A value below all that was counted is no value, and rounding makes none.
    assert told[:3] == [(0.375, 0.0), (None, 0.125), (0.25, 0.25)]
    assert sorted(told[3:], key=str) == [(0.25, None), (None, 0.25)]


def test_bounds_of_a_solver_that_is_not_trusted_are_not_noted():
    with pytest.warns(OOAWarning, match="its bound is not used"):
        told = solved(Talks((0.375, 0.125), (None, float("-inf")), bound=0.5))
    assert told == [(0.375, None), (0.25, None)]


# -- fits ------------------------------------------------------------------------------------------


@pytest.mark.skipif(not compiled(), reason="the core is not compiled")
def test_a_fit_proved_by_the_search(robots: Table):
    learned = learn_ooax(robots, C1=0.001, C2=0.001, selection="search")
    went = check(learned)
    assert learned.solution is None
    assert learned.certificate.proof == "search"
    assert went.incumbent[0][1] == 0.5  # no rule
    assert went.incumbent[-1][1] == went.bound[-1][1] == 0.011


def test_a_fit_proved_by_a_solver(robots: Table):
    learned = learn_ooax(robots, C1=0.001, C2=0.001, selection="ilp")
    went = check(learned)
    assert learned.solution is not None
    assert went.bound[-1][1] == 0.011


def test_a_fit_proved_by_counting(robots: Table):
    learned = learn_ooax(robots, C1=1, C2=1)
    went = check(learned)
    assert learned.certificate.proof == "counting"
    assert [value for _, value in went.incumbent] == [value for _, value in went.bound] == [0.5, 0.5]


@pytest.mark.parametrize("learn", [learn_ooax, learn_ooa])
@pytest.mark.parametrize("limit", [0, 0.5])
def test_a_fit_that_is_out_of_time(learn, limit: float):
    data = planted_dnf(250, 9, 4, 3, noise=0.15, seed=1)
    learned = learn(Table.from_any(data.X, data.y), C1=0.001, C2=0.001, time_limit=limit)
    check(learned)


def test_bounds_over_some_patterns_are_none_over_all(robots: Table):
    learned = learn_ooa(robots, C1=0.001, C2=0.001, decompose=False, backend=FormsNothing())
    went = check(learned)
    assert learned.certificate.proof == "counting"
    assert {moment.bound for moment in learned.trace} == {None, went.bound[0][1]}


def test_no_value_as_long_as_no_rule_set_meets_the_constraints():
    fit = new_fit(constraints=[min_sensitivity(0.9)])
    assert fit.best.upper is None
    assert all(one.incumbent is None for one in fit.log.trace)
    fit.best.offer(RuleSet.parse("x >= 3"))
    assert fit.log.trace[-1].incumbent == 0.25


def test_estimators_and_their_copies_keep_it():
    data = monks(1)
    model = OOAxClassifier(C1=0.001, C2=0.001).fit(data.X, data.y)
    went = fit_course(model.trace_, model.certificate_)
    assert (went.incumbent[0][1], went.incumbent[-1][1], went.bound[-1][1]) == (0.5, 0.011, 0.011)
    assert pickle.loads(pickle.dumps(model)).trace_ == model.trace_
