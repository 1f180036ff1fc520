"""Checks on random MILPs, small enough that enumeration knows the answer: 220 in all."""

from __future__ import annotations

import numpy as np

from ooa.model import Milp
from ooa.solving import Backend, Capability, Termination

from .catalogue import needs
from .enumeration import enumerated
from .helpers import assert_optimal, assert_sound
from .models import arrays


def _compare(backend: Backend, milp: Milp) -> None:
    expected = enumerated(milp)
    solution = backend.solve(milp, time_limit=30)
    if expected is None:
        assert_sound(milp, solution)
        assert solution.termination is Termination.INFEASIBLE, (solution.termination, solution.raw_status)
    else:
        assert_optimal(milp, solution, expected)


def _rows(rng: np.random.Generator, A: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sides of every kind round the activity of a point, which the rows may narrowly miss."""
    m = len(A)
    kind = rng.integers(0, 4, size=m)
    shift = rng.integers(-1, 4, size=(2, m))
    lower = np.where(kind == 0, -np.inf, A @ x - np.where(kind == 1, 0, shift[0]))
    upper = np.where(kind == 2, np.inf, A @ x + np.where(kind == 1, 0, np.maximum(shift[1], -shift[0])))
    return lower, upper


def _sparse(rng: np.random.Generator, m: int, n: int) -> np.ndarray:
    return rng.integers(-6, 7, size=(m, n)) * (rng.random((m, n)) < 0.6)


def random_binary(seed: int) -> Milp:
    """Up to ten binaries under rows of every kind."""
    rng = np.random.default_rng([1, seed])
    m, n = int(rng.integers(1, 7)), int(rng.integers(2, 11))
    A = _sparse(rng, m, n)
    lower, upper = _rows(rng, A, rng.integers(0, 2, size=n))
    return arrays(rng.integers(-9, 10, size=n), A, lower, upper, [0] * n, [1] * n, [True] * n)


def random_integer(seed: int) -> Milp:
    """Up to five general integers, negative ones too, some bounds fractional."""
    rng = np.random.default_rng([2, seed])
    m, n = int(rng.integers(1, 5)), int(rng.integers(2, 6))
    A = _sparse(rng, m, n)
    low = rng.integers(-4, 2, size=n)
    high = low + rng.integers(0, 6, size=n)
    lower, upper = _rows(rng, A, rng.integers(low, high + 1))
    margin = rng.choice([0.0, 0.5], size=n)
    return arrays(rng.integers(-9, 10, size=n), A, lower, upper, low - margin, high + margin, [True] * n)


def random_mixed(seed: int) -> Milp:
    """General integers beside one to three continuous columns."""
    rng = np.random.default_rng([3, seed])
    m, whole, loose = int(rng.integers(1, 5)), int(rng.integers(1, 4)), int(rng.integers(1, 4))
    n = whole + loose
    A = _sparse(rng, m, n)
    low = rng.integers(-3, 2, size=n)
    high = low + rng.integers(0, 6, size=n)
    lower, upper = _rows(rng, A, rng.integers(low, high + 1))
    integer = np.arange(n) < whole
    c = rng.integers(-9, 10, size=n)
    return arrays(c, A, lower, upper, low, high, integer, offset=float(rng.integers(-5, 6)))


def random_binary_with_continuous(seed: int) -> Milp:
    """Binaries that switch continuous columns on, as in fixed-charge models."""
    rng = np.random.default_rng([4, seed])
    n = int(rng.integers(2, 4))
    reach = rng.integers(2, 12, size=n).astype(float)
    link = np.hstack([-np.diag(reach), np.eye(n)])
    need = np.hstack([np.zeros((1, n)), rng.integers(1, 4, size=(1, n))])
    extra = np.hstack([rng.integers(0, 3, size=(1, n)), np.zeros((1, n))])
    A = np.vstack([link, need, extra])
    lower = np.concatenate([[-np.inf] * n, [rng.integers(1, 15)], [-np.inf]])
    upper = np.concatenate([[0.0] * n, [np.inf], [rng.integers(1, 5)]])
    c = np.concatenate([rng.integers(1, 20, size=n), rng.integers(-2, 4, size=n)])
    box = np.concatenate([np.ones(n), reach])
    return arrays(c, A, lower, upper, [0] * (2 * n), box, np.arange(2 * n) < n)


def check_random_binary_models(backend: Backend) -> None:
    """Sixty binary models agree with enumeration."""
    for seed in range(60):
        _compare(backend, random_binary(seed))


def check_random_integer_models(backend: Backend) -> None:
    """Fifty models in general integers agree with enumeration."""
    for seed in range(50):
        _compare(backend, random_integer(seed))


@needs(Capability.CONTINUOUS)
def check_random_mixed_models(backend: Backend) -> None:
    """Seventy models that mix general integers and continuous columns agree with enumeration."""
    for seed in range(70):
        _compare(backend, random_mixed(seed))


@needs(Capability.CONTINUOUS)
def check_random_fixed_charge_models(backend: Backend) -> None:
    """Forty fixed-charge models agree with enumeration."""
    for seed in range(40):
        _compare(backend, random_binary_with_continuous(seed))


def check_random_models_from_a_start(backend: Backend) -> None:
    """The optimum stays the same from the optimum, and from any other feasible point, as a start."""
    solved = 0
    for seed in range(100, 130):
        milp = random_binary(seed)
        expected = enumerated(milp)
        other = enumerated(milp.replace(c=-milp.c))
        if expected is None or other is None:
            continue
        worst = backend.solve(milp.replace(c=-milp.c)).x
        assert_optimal(milp, backend.solve(milp, start=worst), expected)
        solved += 1
    assert solved > 10
