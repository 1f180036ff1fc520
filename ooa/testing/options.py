"""Checks of parameters: neutral ones, the solver's own, seeds and threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from ooa.errors import OptionError
from ooa.solving import Backend, Capability, SolveParams, Termination

from .catalogue import needs, needs_time_limit_option
from .helpers import assert_optimal, raises
from .models import knapsack, market_split, small, small_lp, steiner
from .patience import FAR, alone


def _time_limit_option(backend: Backend) -> str:
    """The option that the checks marked with `needs_time_limit_option` set."""
    assert backend.time_limit_option is not None, f"{backend.name} names no own option for its time limit"
    return backend.time_limit_option


def check_unknown_option(backend: Backend) -> None:
    """An option that the solver does not know is an error that names it, never ignored."""
    for milp, _ in small(backend):
        with raises(OptionError, "no_such_option_of_any_solver"):
            backend.solve(milp, options={"no_such_option_of_any_solver": 1})


def check_unknown_option_when_isolated(backend: Backend) -> None:
    """The same error comes through from a child process."""
    with raises(OptionError, "no_such_option_of_any_solver"):
        backend.solve(knapsack(), options={"no_such_option_of_any_solver": 1}, isolate=True)


@needs_time_limit_option
def check_misspelt_option(backend: Backend) -> None:
    """A slip of the pen gets a hint."""
    right = _time_limit_option(backend)
    wrong = right[:-1] + right[-1] * 2
    with raises(OptionError, wrong, "did you mean"):
        backend.solve(knapsack(), options={wrong: 1.0})


@needs_time_limit_option
def check_own_option_wins(backend: Backend) -> None:
    """The solver's own time limit wins over the neutral one."""
    options = {_time_limit_option(backend): 0.6}
    raw = alone(backend, market_split(), SolveParams(time_limit=FAR, options=options))
    assert raw.termination is Termination.TIME_LIMIT, raw.raw_status


@needs_time_limit_option
def check_own_option_is_forgotten(backend: Backend) -> None:
    """An own option of one solve of a session is gone in the next."""
    options = {_time_limit_option(backend): 1e-4}
    with backend.open(steiner(9)) as session:
        session.solve(options=options)
        assert_optimal(session.milp, session.solve(time_limit=FAR), 5.0)


@needs_time_limit_option
def check_option_of_the_wrong_type(backend: Backend) -> None:
    """A value that the option cannot take is an error, not a default."""
    with raises(OptionError):
        backend.solve(knapsack(), options={_time_limit_option(backend): "soon"})


def check_backend_usable_after_a_bad_option(backend: Backend) -> None:
    """A refused option leaves the backend, and the session, in working order."""
    with backend.open(knapsack()) as session:
        with raises(OptionError):
            session.solve(options={"no_such_option_of_any_solver": 1})
        assert_optimal(knapsack(), session.solve(), -4.0)
    assert_optimal(knapsack(), backend.solve(knapsack()), -4.0)


def check_options_stay(backend: Backend) -> None:
    """Neither the caller's dictionary of options nor the parameters change."""
    options: dict[str, Any] = {}
    if backend.time_limit_option is not None:
        options[backend.time_limit_option] = 10.0
    before = dict(options)
    params = SolveParams(options=options, seed=3)
    backend.solve(knapsack(), params=params, time_limit=5)
    assert options == before
    assert dict(params.options) == before
    assert params.time_limit is None
    assert params.seed == 3


def check_bad_neutral_parameters(backend: Backend) -> None:
    """Neutral parameters out of range or misspelt are errors that name them."""
    wrong: list[tuple[str, Any]] = [
        ("time_limit", -1),
        ("time_limit", float("nan")),
        ("time_limit", "10"),
        ("relative_gap", -0.1),
        ("absolute_gap", None),
        ("node_limit", 1.5),
        ("node_limit", -1),
        ("threads", 0),
        ("threads", True),
        ("seed", -1),
        ("seed", 2**31),
        ("log", 7),
        ("progress", "yes"),
        ("options", [("a", 1)]),
        ("isolate", "maybe"),
        ("timelimit", 5),
    ]
    for name, value in wrong:
        with raises(OptionError, name):
            backend.solve(knapsack(), **{name: value})


def check_same_seed_same_answer(backend: Backend) -> None:
    """The same seed gives the same point twice, among many that are good enough."""
    milp = steiner(27)
    points = [backend.solve(milp, seed=11, relative_gap=0.3, time_limit=FAR).x for _ in range(2)]
    assert points[0] is not None
    assert points[1] is not None
    assert np.array_equal(points[0], points[1])


def check_any_seed(backend: Backend) -> None:
    """Every seed leads to an optimum, the largest included."""
    for seed in (1, 2, 12345, 2**31 - 1):
        assert_optimal(steiner(9), backend.solve(steiner(9), seed=seed), 5.0)


@needs(Capability.THREADS)
def check_threads(backend: Backend) -> None:
    """The number of threads may change from solve to solve within one process."""
    for threads in (1, 2, 1, 3):
        assert_optimal(steiner(9), backend.solve(steiner(9), threads=threads), 5.0)
        assert_optimal(small_lp(), backend.solve(small_lp(), threads=threads), -36.0)


@needs(Capability.THREADS)
def check_threads_within_a_session(backend: Backend) -> None:
    """The same within one session."""
    with backend.open(steiner(9)) as session:
        for threads in (1, 2, 1):
            assert_optimal(steiner(9), session.solve(threads=threads), 5.0)


def check_numpy_numbers_as_parameters(backend: Backend) -> None:
    """Parameters taken from arrays are numbers too."""
    solution = backend.solve(
        knapsack(),
        time_limit=np.float64(10),
        relative_gap=np.float32(0),
        node_limit=np.int64(1000),
        threads=np.int32(1),
        seed=np.int64(3),
    )
    assert_optimal(knapsack(), solution, -4.0)
