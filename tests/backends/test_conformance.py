"""The conformance suite over every built-in backend, and the backends against one another."""

from __future__ import annotations

import numpy as np
import pytest
from support.fake_backends import BruteForce

from ooa.model import Milp
from ooa.solving import Termination, available_backends, get_backend
from ooa.testing import checks
from ooa.testing.helpers import assert_optimal, assert_sound, same
from ooa.testing.models import knapsack, market_split
from ooa.testing.options import check_own_option_wins

FOUND = {
    name: found for name, found in available_backends().items() if name in ("highs", "scip", "cbc", "gurobi")
}
AVAILABLE = [name for name, found in FOUND.items() if found.ok]


def cases():
    for name, found in FOUND.items():
        if found.ok:
            for check in checks(get_backend(name)):
                yield pytest.param(name, check, id=f"{name}-{check.__name__.removeprefix('check_')}")
        else:
            yield pytest.param(name, None, id=name, marks=pytest.mark.skip(reason=found.reason))


@pytest.mark.parametrize(("name", "check"), list(cases()))
def test_backend(name, check):
    check(get_backend(name))


OWN_OPTION_CHECKS = {
    "check_misspelt_option",
    "check_own_option_wins",
    "check_own_option_is_forgotten",
    "check_option_of_the_wrong_type",
}


@pytest.mark.parametrize("name", AVAILABLE)
def test_every_built_in_backend_names_its_time_limit(name):
    backend = get_backend(name)
    assert backend.time_limit_option
    assert {check.__name__ for check in checks(backend)} >= OWN_OPTION_CHECKS
    solution = backend.solve(knapsack(), options={backend.time_limit_option: 20.0})
    assert_optimal(knapsack(), solution, -4.0)


def test_checks_of_own_options_need_the_name_of_one():
    assert BruteForce.time_limit_option is None
    plain = {check.__name__ for check in checks(BruteForce())}
    assert not plain & OWN_OPTION_CHECKS
    named = type("Named", (BruteForce,), {"time_limit_option": "seconds"})()
    assert {check.__name__ for check in checks(named)} == plain | OWN_OPTION_CHECKS
    with pytest.raises(AssertionError, match="brute names no own option"):
        check_own_option_wins(BruteForce())


def random_medium(seed: int) -> Milp:
    """Too large to enumerate, small enough for milliseconds: 8 to 24 columns of all kinds."""
    rng = np.random.default_rng([5, seed])
    m, n = int(rng.integers(3, 13)), int(rng.integers(8, 25))
    A = rng.integers(-9, 10, size=(m, n)) * (rng.random((m, n)) < 0.4)
    kind = rng.choice(3, size=n, p=[0.5, 0.25, 0.25])  # binary, general integer, continuous
    low = np.where(kind == 0, 0, rng.integers(-9, 1, size=n))
    high = np.where(kind == 0, 1, low + rng.integers(1, 20, size=n))
    activity = A @ rng.integers(low, high + 1)
    sort = rng.integers(0, 4, size=m)
    slack = rng.integers(0, 6, size=(2, m))
    lower = np.where(sort == 0, -np.inf, activity - slack[0] * (sort > 1))
    upper = np.where(sort == 2, np.inf, activity + slack[1] * (sort > 1))
    if seed % 4 == 0:  # some without a point
        lower[0], upper[0] = activity[0] + 500.0, np.inf
    return Milp(rng.integers(-9, 10, size=n), A, lower, upper, low, high, kind < 2)


@pytest.mark.skipif(len(AVAILABLE) < 2, reason="only one backend is available")
@pytest.mark.parametrize("batch", range(5))
def test_backends_agree(batch):
    for seed in range(10 * batch, 10 * batch + 10):
        milp = random_medium(seed)
        answers = {name: get_backend(name).solve(milp, time_limit=60) for name in AVAILABLE}
        for solution in answers.values():
            assert_sound(milp, solution)
        outcomes = {name: solution.termination for name, solution in answers.items()}
        assert len(set(outcomes.values())) == 1, (seed, outcomes)
        objectives = {name: solution.objective for name, solution in answers.items()}
        first = next(iter(objectives.values()))
        assert outcomes[AVAILABLE[0]] in (Termination.OPTIMAL, Termination.INFEASIBLE), (seed, outcomes)
        if first is not None:
            assert all(same(first, other) for other in objectives.values()), (seed, objectives)


#: An option of each solver that no neutral parameter resets: stop at the first solution.
FIRST_SOLUTION = {
    "highs": {"mip_max_improving_sols": 1},
    "scip": {"limits/solutions": 1},
    "gurobi": {"SolutionLimit": 1},
    "cbc": {"maxSolutions": 1},
}


@pytest.mark.parametrize("name", AVAILABLE)
def test_own_options_do_not_leak_into_the_next_solve(name):
    rng = np.random.default_rng(2)
    A = rng.integers(1, 40, size=(3, 22))
    milp = Milp(
        -rng.integers(1, 60, size=22), A, [-np.inf] * 3, A.sum(axis=1) // 2, [0] * 22, [1] * 22, [True] * 22
    )
    optimum = get_backend("highs").solve(milp).objective
    with get_backend(name).open(milp) as session:
        stopped = session.solve(options=FIRST_SOLUTION[name], time_limit=20)
        assert_sound(milp, stopped)
        assert_optimal(milp, session.solve(time_limit=20), optimum)


@pytest.mark.parametrize("name", AVAILABLE)
def test_solution_limit_is_not_an_optimum(name):
    solution = get_backend(name).solve(market_split(), options=FIRST_SOLUTION[name], time_limit=10)
    assert_sound(market_split(), solution)
    assert not solution.is_optimal
    assert solution.termination is not Termination.OPTIMAL
