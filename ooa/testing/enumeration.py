"""Exact answers without a solver: enumeration of small MILPs, and the optimality conditions of LPs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from ooa.model import Milp
from ooa.model.expressions import FloatArray
from ooa.solving import Solution

_EXACT = 1e-8


def enumerated(milp: Milp) -> float | None:
    """Optimum of a small MILP by trying everything; `None` when it is infeasible.

    Every integer point of the box is tried. For each, the continuous part is an LP over a box, whose
    optimum lies at a vertex: all vertices are tried too, vectorised over the integer points. Bounds
    must be finite, and there should be few integer points and at most three continuous columns.

    Examples
    --------
    >>> from ooa.testing.models import knapsack, mixed, infeasible_mip
    >>> enumerated(knapsack()), enumerated(mixed()), enumerated(infeasible_mip())
    (-4.0, -7.5, None)
    """
    whole, loose = np.flatnonzero(milp.integer), np.flatnonzero(~milp.integer)
    A = milp.A.toarray()
    points = _box(np.ceil(milp.lower[whole]), np.floor(milp.upper[whole]))
    fixed_activity = points @ A[:, whole].T
    fixed_cost = points @ milp.c[whole] + milp.offset
    sides = _sides(milp, A, loose)
    best = np.inf
    for chosen in combinations(range(len(sides)), len(loose)):
        normals = np.array([sides[k][0] for k in chosen]).reshape(len(loose), len(loose))
        if len(loose) and abs(np.linalg.det(normals)) < _EXACT:
            continue
        right = np.empty((len(points), len(loose)))
        for position, k in enumerate(chosen):
            _, row, side = sides[k]
            right[:, position] = side - (fixed_activity[:, row] if row >= 0 else 0.0)
        y = np.linalg.solve(normals, right.T).T if len(loose) else right
        activity = fixed_activity + y @ A[:, loose].T
        ok = (activity >= milp.row_lower - _EXACT).all(axis=1)
        ok &= (activity <= milp.row_upper + _EXACT).all(axis=1)
        ok &= (y >= milp.lower[loose] - _EXACT).all(axis=1) & (y <= milp.upper[loose] + _EXACT).all(axis=1)
        if ok.any():
            best = min(best, float((fixed_cost + y @ milp.c[loose])[ok].min()))
    return best if np.isfinite(best) else None


def _box(lower: FloatArray, upper: FloatArray) -> FloatArray:
    """All integer points of a box, one per row."""
    if not len(lower):
        return np.zeros((1, 0))
    grids = np.meshgrid(*[np.arange(a, b + 1) for a, b in zip(lower, upper)], indexing="ij")
    return np.column_stack([grid.ravel() for grid in grids])


def _sides(milp: Milp, A: FloatArray, loose: npt.NDArray[np.intp]) -> list[tuple[FloatArray, int, float]]:
    """Every hyperplane that can hold a vertex of the continuous part: (normal, row or -1, side)."""
    found = [
        (A[row, loose], row, float(side))
        for row in np.flatnonzero(A[:, loose].any(axis=1)).tolist()
        for side in {milp.row_lower[row], milp.row_upper[row]}
        if np.isfinite(side)
    ]
    for position, column in enumerate(loose):
        normal = np.eye(len(loose))[position]
        found += [(normal, -1, float(side)) for side in {milp.lower[column], milp.upper[column]}]
    return found


def assert_lp_optimal(milp: Milp, solution: Solution, tolerance: float = 1e-6) -> None:
    """Duals prove the optimum: reduced costs, signs, complementary slackness, strong duality.

    The convention: reduced cost = c - A' duals; a dual is >= 0 on a row at its lower side, <= 0 at
    its upper side, free on an equation; reduced costs likewise on the columns' bounds.
    """
    x, duals, reduced = solution.x, solution.duals, solution.reduced_costs
    assert x is not None
    assert duals is not None, "no duals"
    assert reduced is not None, "no reduced costs"
    assert duals.shape == (milp.n_rows,)
    assert reduced.shape == (milp.n_columns,)
    scale = 1.0 + float(np.abs(milp.c).max(initial=0.0))
    assert np.abs(milp.c - milp.A.T @ duals - reduced).max(initial=0.0) <= tolerance * scale
    dual_objective = milp.offset
    for value, lower, upper, price, what in (
        (milp.A @ x, milp.row_lower, milp.row_upper, duals, "row"),
        (x, milp.lower, milp.upper, reduced, "column"),
    ):
        for i in np.flatnonzero(np.abs(price) > tolerance * scale):
            side = lower[i] if price[i] > 0 else upper[i]
            assert np.isfinite(side), f"{what} {i}: dual {price[i]} on an infinite side"
            near = tolerance * max(1.0, abs(side)) * 10
            assert abs(value[i] - side) <= near, f"{what} {i}: dual {price[i]}, but slack {value[i] - side}"
            dual_objective += price[i] * side
    assert solution.objective is not None
    gap = abs(dual_objective - solution.objective)
    assert gap <= 10 * tolerance * max(scale, abs(solution.objective)), f"duality gap {gap}"
