"""Checks of plain solves: the right optimum, in whole numbers, with everything that is reported beside it."""

from __future__ import annotations

import math

import numpy as np

from ooa.model import Model, Names
from ooa.solving import Availability, Backend, Capability, PointStatus, StartStatus, Termination

from .catalogue import needs
from .enumeration import enumerated
from .helpers import assert_optimal, in_child
from .models import arrays, knapsack, mixed, small, steiner


def check_declares_itself(backend: Backend) -> None:
    """Name, package and capabilities are declared, and the backend says that it is available."""
    assert isinstance(backend.name, str)
    assert backend.name
    assert isinstance(backend.package, str)
    assert isinstance(backend.capabilities, frozenset)
    assert all(isinstance(c, Capability) for c in backend.capabilities)
    found = backend.availability()
    assert isinstance(found, Availability)
    assert found.ok, found.reason


def check_availability_imports_no_solver(backend: Backend) -> None:
    """Asking for availability imports nothing but the standard library."""
    code = """
before = set(sys.modules)
backend.availability()
new = {name.partition(".")[0] for name in set(sys.modules) - before}
answer = sorted(new - set(sys.stdlib_module_names))
"""
    imported = in_child(backend, code)
    assert not imported, imported


def check_version_is_text(backend: Backend) -> None:
    """The solver's version is a text with a digit in it."""
    assert any(character.isdigit() for character in backend.version())


def check_knapsack(backend: Backend) -> None:
    """A knapsack of three items."""
    solution = backend.solve(knapsack())
    assert_optimal(knapsack(), solution, -4.0)
    assert solution.x is not None
    assert solution.x.tolist() == [0.0, 1.0, 1.0]


def check_set_cover(backend: Backend) -> None:
    """A set cover whose LP relaxation is fractional."""
    assert_optimal(steiner(9), backend.solve(steiner(9)), 5.0)


@needs(Capability.CONTINUOUS)
def check_integers_and_continuous(backend: Backend) -> None:
    """An integer beside a continuous column."""
    solution = backend.solve(mixed())
    assert_optimal(mixed(), solution, -7.5)
    assert solution.x is not None
    assert np.allclose(solution.x, [2.0, 1.5])


def check_negative_integers(backend: Backend) -> None:
    """General integers with negative bounds, where rounding towards 0 would be wrong."""
    m = Model()
    i = m.add_integers("i", 2, lower=-7, upper=-1, cost=[1.0, -2.0])
    m.add_rows("row", (2 * i[0] - 3 * i[1]).between(-6.5, 1.5))
    milp = m.freeze()
    expected = enumerated(milp)
    assert expected is not None
    assert_optimal(milp, backend.solve(milp), expected)


@needs(Capability.CONTINUOUS)
def check_free_columns(backend: Backend) -> None:
    """Columns without any bound, held by rows alone."""
    m = Model()
    x = m.add_continuous("x", 2, lower=-np.inf, cost=[1.0, 1.0])
    z = m.add_binaries("z", cost=10.0)
    m.add_rows("low", x[0] + 2 * x[1] + z >= -4)
    m.add_rows("high", x[0] - x[1] >= -7)
    m.add_rows("side", x[1] - x[0] >= -7)
    milp = m.freeze()
    solution = backend.solve(milp)
    assert_optimal(milp, solution, -5.0)


@needs(Capability.CONTINUOUS)
def check_columns_without_lower_bound(backend: Backend) -> None:
    """An upper bound only, and a negative one at that; some file formats read it as infeasible."""
    milp = arrays(
        [-1.0, 1.0], [[1, -1], [1, 1]], [-np.inf, -20], [4.5, 0], [-np.inf, -9], [-2, 9], [True, False]
    )
    assert_optimal(milp, backend.solve(milp), -4.5)


def check_equations(backend: Backend) -> None:
    """Equations between integers."""
    milp = arrays([1, 2, 3], [[1, 1, 1], [1, -1, 0]], [6, 1], [6, 1], [0] * 3, [5] * 3, [True] * 3)
    expected = enumerated(milp)
    assert expected is not None
    assert_optimal(milp, backend.solve(milp), expected)


def check_ranged_rows(backend: Backend) -> None:
    """A ranged row binds at either side, depending on the costs."""
    for sign, optimum in ((1.0, 3.0), (-1.0, -7.0)):
        milp = arrays([sign, sign], [[1, 1], [1, -1]], [2.5, -1], [7.5, 1], [0, 0], [9, 9], [True, True])
        assert_optimal(milp, backend.solve(milp), optimum)


def check_exact_digits(backend: Backend) -> None:
    """Large whole numbers come back to the last digit."""
    milp = arrays([1.0], [[1.0]], [123456788.5], [np.inf], [0], [1e9], [True])
    solution = backend.solve(milp)
    assert_optimal(milp, solution, 123456789.0)
    assert solution.x is not None
    assert solution.x[0] == 123456789.0


@needs(Capability.CONTINUOUS)
def check_full_precision_of_continuous_values(backend: Backend) -> None:
    """Continuous values keep more than the eight digits of a text file."""
    milp = arrays([1.0, 1.0], [[1.0, 1.0]], [1234.567890123], [np.inf], [0, 0], [1e4, 1], [False, True])
    solution = backend.solve(milp)
    assert solution.objective is not None
    assert abs(solution.objective - 1234.567890123) < 1e-7


def check_odd_names(backend: Backend) -> None:
    """Names with spaces, quotes, line breaks or other alphabets do no harm."""
    plain = knapsack()
    names = Names([("a b", ()), ("x\n'\"<=>", ()), ("größe, 年", ())])
    milp = plain.replace(columns=names, rows=Names([("RHS \t$", ())]))
    assert_optimal(milp, backend.solve(milp), -4.0)


def check_many_rows(backend: Backend) -> None:
    """A model of some size passes through unharmed: column i must be at least i modulo 7."""
    n = 400
    m = Model()
    x = m.add_integers("x", n, upper=10, cost=1.0)
    floor = np.arange(n) % 7 - 0.5
    m.add_rows("floor", x >= floor)
    m.add_rows("chain", x[1:] - x[:-1] <= 9)
    milp = m.freeze()
    assert_optimal(milp, backend.solve(milp), float(np.maximum(0, np.ceil(floor)).sum()))


def check_reported_effort(backend: Backend) -> None:
    """The answer names its backend and version, the solver's own words, seconds and nodes."""
    solution = backend.solve(steiner(9))
    assert solution.backend == backend.name
    assert solution.version
    assert solution.raw_status
    assert solution.seconds > 0.0
    assert solution.nodes is None or solution.nodes >= 0
    assert solution.start is StartStatus.NOT_GIVEN


def check_gap_of_an_optimum_is_zero(backend: Backend) -> None:
    """A proved optimum has a bound that meets it."""
    solution = backend.solve(steiner(9))
    assert solution.termination is Termination.OPTIMAL
    assert solution.status is PointStatus.OPTIMAL
    assert solution.is_optimal
    assert solution.gap <= 1e-6
    assert math.isinf(backend.solve(steiner(9), time_limit=0).gap)


def check_one_instance_many_models(backend: Backend) -> None:
    """One backend object solves one model after another, and the first again."""
    for milp, optimum in (*small(backend), *small(backend)):
        assert_optimal(milp, backend.solve(milp), optimum)


def check_caller_arrays_stay(backend: Backend) -> None:
    """Neither the caller's arrays nor the frozen model's change."""
    c, A = np.array([-3.0, -2.0, -2.0]), np.array([[2.0, 1.0, 1.0]])
    sides, lower, upper = (np.array([-np.inf]), np.array([2.0])), np.zeros(3), np.ones(3)
    copies = [array.copy() for array in (c, A, *sides, lower, upper)]
    milp = arrays(c, A, *sides, lower, upper, [True] * 3)
    twin = arrays(c.copy(), A.copy(), *sides, lower, upper, [True] * 3)
    backend.solve(milp, start=[1, 0, 0])
    assert milp == twin
    for array, copy in zip((c, A, *sides, lower, upper), copies):
        assert np.array_equal(array, copy)
        assert array.flags.writeable
