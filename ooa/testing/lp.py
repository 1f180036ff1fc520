"""Checks of LPs: optima, and duals that prove them."""

from __future__ import annotations

import numpy as np

from ooa.model import Milp, Model
from ooa.solving import Backend, Capability, Termination

from .catalogue import needs
from .enumeration import assert_lp_optimal, enumerated
from .helpers import assert_optimal, same
from .models import arrays, infeasible_lp, knapsack, small_lp, steiner, unbounded


@needs(Capability.CONTINUOUS)
def check_lp_optimum(backend: Backend) -> None:
    """An LP is solved to its vertex, and the objective bounds itself."""
    solution = backend.solve(small_lp())
    assert_optimal(small_lp(), solution, -36.0)
    assert solution.x is not None
    assert np.allclose(solution.x, [2.0, 6.0])


@needs(Capability.CONTINUOUS)
def check_relaxation(backend: Backend) -> None:
    """The relaxation of a MIP is below the MIP: fractional, and 3 for the smallest Steiner cover."""
    assert_optimal(steiner(9).relaxed(), backend.solve(steiner(9).relaxed()), 3.0)


@needs(Capability.LP)
def check_duals_of_a_textbook_lp(backend: Backend) -> None:
    """Known duals, with the known sign: the change of the objective per unit of the side."""
    solution = backend.solve(small_lp())
    assert solution.duals is not None
    assert np.allclose(solution.duals, [0.0, -1.5, -1.0])
    assert solution.reduced_costs is not None
    assert np.allclose(solution.reduced_costs, 0.0)


@needs(Capability.LP)
def check_duals_predict_the_objective(backend: Backend) -> None:
    """Moving a side by a little moves the objective by its dual."""
    milp = small_lp()
    base = backend.solve(milp)
    assert base.objective is not None
    assert base.duals is not None
    for row in range(milp.n_rows):
        step = np.zeros(milp.n_rows)
        step[row] = 0.25
        moved = backend.solve(milp.replace(row_upper=milp.row_upper + step)).objective
        assert same(moved, base.objective + 0.25 * base.duals[row])


@needs(Capability.LP)
def check_duals_of_random_lps(backend: Backend) -> None:
    """Complementary slackness, dual feasibility and strong duality on random LPs of every row type."""
    for seed in range(25):
        milp = random_lp(np.random.default_rng(seed))
        solution = backend.solve(milp)
        if solution.termination is Termination.OPTIMAL:
            assert_lp_optimal(milp, solution)
        else:
            assert solution.termination in (Termination.INFEASIBLE, Termination.UNBOUNDED)
            assert solution.duals is None
            assert solution.reduced_costs is None


def random_lp(rng: np.random.Generator) -> Milp:
    """A small LP with a known point, equations, ranges, one-sided rows, free and boxed columns."""
    m, n = int(rng.integers(2, 8)), int(rng.integers(2, 9))
    A = rng.integers(-5, 6, size=(m, n)) * (rng.random((m, n)) < 0.7)
    x = rng.integers(-3, 4, size=n).astype(float)
    activity = A @ x
    kind = rng.integers(0, 4, size=m)
    row_lower = np.where(kind == 0, -np.inf, activity - np.where(kind == 1, 0, rng.integers(0, 3, size=m)))
    row_upper = np.where(kind == 2, np.inf, activity + np.where(kind == 1, 0, rng.integers(0, 3, size=m)))
    lower = np.where(rng.random(n) < 0.2, -np.inf, x - rng.integers(0, 4, size=n))
    upper = np.where(rng.random(n) < 0.3, np.inf, x + rng.integers(0, 4, size=n))
    # Costs from a dual point, so that most models are bounded although columns are free.
    duals = rng.integers(0, 4, size=m) * np.where(
        kind == 0, -1, np.where(kind == 2, 1, rng.choice([-1, 1], size=m))
    )
    price = rng.integers(0, 4, size=n) * np.where(np.isinf(lower), np.where(np.isinf(upper), 0, -1), 1)
    return arrays(A.T @ duals + price, A, row_lower, row_upper, lower, upper, [False] * n)


@needs(Capability.LP)
def check_duals_of_a_larger_lp(backend: Backend) -> None:
    """The relaxation of a cover with random costs: some hundred rows, degenerate."""
    milp = steiner(27).relaxed()
    costs = 1.0 + np.random.default_rng(0).random(27)
    milp = milp.replace(c=costs, offset=7.0)
    assert_lp_optimal(milp, backend.solve(milp))


@needs(Capability.LP)
def check_duals_of_dropped_rows(backend: Backend) -> None:
    """Empty and free rows have dual 0, and the others keep their places."""
    milp = small_lp()
    A = np.insert(milp.A.toarray(), [0, 1], 0.0, axis=0)
    A[2] = [5.0, 5.0]
    lower = [-np.inf, -np.inf, -np.inf, -np.inf, -np.inf]
    wide = arrays(milp.c, A, lower, [0.0, 4.0, np.inf, 12.0, 18.0], milp.lower, milp.upper, milp.integer)
    solution = backend.solve(wide)
    assert_lp_optimal(wide, solution)
    assert solution.duals is not None
    assert solution.duals[0] == 0.0
    assert solution.duals[2] == 0.0


@needs(Capability.LP)
def check_duals_at_lower_sides(backend: Backend) -> None:
    """A covering LP, whose duals are positive, with a column at its upper bound."""
    m = Model()
    x = m.add_continuous("x", 2, upper=[1.0, 9.0], cost=[1.0, 3.0])
    m.add_rows("need", x[0] + x[1] >= 4)
    milp = m.freeze()
    solution = backend.solve(milp)
    assert_lp_optimal(milp, solution)
    assert solution.duals is not None
    assert solution.reduced_costs is not None
    assert np.allclose(solution.duals, [3.0])
    assert np.allclose(solution.reduced_costs, [-2.0, 0.0])


@needs(Capability.CONTINUOUS)
def check_no_duals_without_an_lp_optimum(backend: Backend) -> None:
    """MIPs, infeasible and unbounded LPs have no duals."""
    for milp in (knapsack(), infeasible_lp(), unbounded(integer=False)):
        solution = backend.solve(milp)
        assert solution.duals is None
        assert solution.reduced_costs is None


@needs(Capability.CONTINUOUS)
def check_random_lp_optima(backend: Backend) -> None:
    """Small boxed LPs agree with the enumeration of all vertices."""
    for seed in range(12):
        rng = np.random.default_rng(1000 + seed)
        A = rng.integers(-4, 5, size=(3, 3))
        sides = rng.integers(-4, 5, size=3)
        milp = arrays(
            rng.integers(-5, 6, size=3),
            A,
            sides,
            sides + rng.integers(0, 5, size=3),
            [-3] * 3,
            [3] * 3,
            [False] * 3,
        )
        expected = enumerated(milp)
        solution = backend.solve(milp)
        if expected is None:
            assert solution.termination is Termination.INFEASIBLE
        else:
            assert_optimal(milp, solution, expected)
