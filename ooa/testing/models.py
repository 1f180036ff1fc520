"""Small and hard models with known answers, all within 2,000 rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ooa.model import Milp, Model
from ooa.model.expressions import FloatArray
from ooa.solving import Backend, Capability


def arrays(
    c: Any, A: Any, row_lower: Any, row_upper: Any, lower: Any, upper: Any, integer: Any, offset: float = 0.0
) -> Milp:
    """A `Milp` from lists or arrays of any kind."""
    return Milp(c, A, row_lower, row_upper, lower, upper, integer, offset)


def knapsack(offset: float = 0.0) -> Milp:
    """Three items, two of which fit: the optimum is -4 at (0, 1, 1), plus the offset."""
    m = Model("knapsack")
    x = m.add_binaries("x", 3, cost=[-3, -2, -2])
    m.add_rows("weight", [[2, 1, 1]] @ x <= 2)
    m.offset = offset
    return m.freeze()


def mixed() -> Milp:
    """An integer and a continuous column: the optimum is -7.5 at (2, 1.5)."""
    m = Model("mixed")
    i = m.add_integers("i", upper=10, cost=-3.0)
    y = m.add_continuous("y", upper=10, cost=-1.0)
    m.add_rows("first", 2 * i + y <= 5.5)
    m.add_rows("second", i * 1.0 <= 2.7)
    return m.freeze()


def small_lp() -> Milp:
    """A textbook LP: the optimum is -36 at (2, 6), with row duals (0, -1.5, -1)."""
    m = Model("small_lp")
    x = m.add_continuous("x", 2, cost=[-3, -5])
    m.add_rows("plants", np.array([[1, 0], [0, 2], [3, 2]]) @ x <= np.array([4.0, 12.0, 18.0]))
    return m.freeze()


def small(backend: Backend) -> list[tuple[Milp, float]]:
    """Small models that a backend takes, of every kind that it does, with their optima."""
    models = [(knapsack(), -4.0), (steiner(9), 5.0)]
    if Capability.CONTINUOUS in backend.capabilities:
        models += [(mixed(), -7.5), (small_lp(), -36.0)]
    return models


def steiner(points: int) -> Milp:
    """Cover every line of the affine space over three elements (9, 27 or 81 points).

    What is left out is a cap set, so the optima are known: 5, 18 and 61. The first takes a solver
    no time, the second about a second, the third far longer than any test waits.
    """
    n, lines = 1, np.zeros((0, 3), dtype=int)
    while n < points:
        own = np.arange(3 * n).reshape(n, 3)
        p, q = (part.ravel() for part in np.meshgrid(range(3), range(3)))
        third = np.column_stack([p, q, -(p + q) % 3])
        lines = np.vstack([own, (3 * lines[:, None, :] + third[None, :, :]).reshape(-1, 3)])
        n *= 3
    entries = (np.ones(lines.size), (np.repeat(np.arange(len(lines)), 3), lines.ravel()))
    m = Model(f"steiner{points}")
    x = m.add_binaries("x", n, cost=1.0)
    m.add_rows("line", sp.csr_array(entries, shape=(len(lines), n)) @ x >= 1)
    return m.freeze()


#: Optimum of `steiner(27)`, and of `steiner(81)`.
STEINER27, STEINER81 = 18.0, 61.0


def market_split(slack: bool = True) -> Milp:
    """Five random equations in forty binaries, which nobody solves within a test's time.

    With slack, every binary point can be completed, so incumbents come at once and the bound stays
    at 0; without, there is no point to be found.
    """
    rng = np.random.default_rng(20)
    A = rng.integers(0, 100, size=(5, 40))
    m = Model("market_split")
    x = m.add_binaries("x", 40, cost=0.0 if slack else 1.0)
    total = A @ x
    if slack:
        over = m.add_continuous("over", 5, cost=1.0, implied=True)
        under = m.add_continuous("under", 5, cost=1.0, implied=True)
        total = total - over + under
    m.add_rows("split", total == A.sum(axis=1) // 2)
    return m.freeze()


def market_split_start() -> FloatArray:
    """A feasible, bad point of `market_split()`: nothing is taken."""
    milp = market_split()
    return np.concatenate([np.zeros(45), milp.row_lower])


def infeasible_mip() -> Milp:
    """The LP relaxation has points, the MIP has none: 2a + 2b + 2c = 3."""
    m = Model("odd")
    x = m.add_binaries("x", 3, cost=1.0)
    m.add_rows("odd", 2 * x.sum() == 3)
    return m.freeze()


def infeasible_lp() -> Milp:
    """Two rows that no point satisfies together."""
    m = Model("contradiction")
    x = m.add_continuous("x", 2, cost=1.0)
    m.add_rows("low", x.sum() <= 1)
    m.add_rows("high", x[0] + 2 * x[1] >= 3)
    return m.freeze()


def unbounded(integer: bool) -> Milp:
    """A ray along (1, 1) with ever smaller cost."""
    m = Model("ray")
    add = m.add_integers if integer else m.add_continuous
    x = add("x", 2, cost=[-1.0, 0.0])
    m.add_rows("tie", x[0] - x[1] <= 1)
    return m.freeze()


def infeasible_with_ray(integer: bool) -> Milp:
    """No point, although the costs would be unbounded if there were one."""
    m = Model("infeasible_with_ray")
    add = m.add_integers if integer else m.add_continuous
    x = add("x", 2, cost=[-1.0, 0.0])
    m.add_rows("tie", x[0] - x[1] <= 1)
    if integer:
        z = m.add_binaries("z", 3)
        m.add_rows("odd", 2 * z.sum() == 3)
    else:
        y = m.add_continuous("y", 2)
        m.add_rows("low", y.sum() <= 1)
        m.add_rows("high", y[0] + 2 * y[1] >= 3)
    return m.freeze()
