"""What a session checks before and after a solver runs, one by one, with solvers that tell what they got."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from support.clocks import HandClock
from support.fake_backends import BruteForce, Missing, TinyLicence, WholeNumbersOnly

from ooa.errors import BackendUnavailable, LicenseLimit, ModelError
from ooa.model import Milp
from ooa.model.expressions import FloatArray, Rows
from ooa.solving import Monitor, Progress, RawResult, SolveParams, StartStatus, get_backend
from ooa.solving import session as session_module
from ooa.solving.job import Watch
from ooa.solving.runners import ThreadRunner
from ooa.solving.session import Session
from ooa.testing.models import knapsack

INF, NAN = np.inf, np.nan


class Tells(BruteForce):
    """Keeps what it was loaded with and run with, and counts how often it was closed."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[Milp] = []
        self.runs: list[tuple[SolveParams, FloatArray | None]] = []
        self.closed = 0
        self.others: list[Tells] = []

    def fresh(self) -> Tells:
        """Return another one, and remember it."""
        self.others.append(type(self)())
        return self.others[-1]

    def load(self, milp: Milp) -> None:
        self.loaded.append(milp)
        super().load(milp)

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        self.runs.append((params, start))
        return super().run(params, start, monitor)

    def close(self) -> None:
        self.closed += 1
        super().close()


def used(session: Session) -> Tells:
    """Return the backend of a session; `others` are those that solved something on the way."""
    assert isinstance(session.backend, Tells)
    return session.backend


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_who_goes_has_the_solver_stop(error: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """It may be the end of the process, which a thread in the midst of C++ does not outlive."""

    def gone(runner: Any, job: Any) -> RawResult:
        raise error

    stopped: list[Any] = []
    monkeypatch.setattr(session_module, "follow", gone)
    monkeypatch.setattr(ThreadRunner, "stop", lambda self: stopped.append(self))
    with pytest.raises(error):
        BruteForce().solve(knapsack())
    assert len(stopped) == 1


class Talks(BruteForce):
    """Says something that does not end with a line."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        monitor.log("begun\nhalf ")
        monitor.log("a line")
        return super().run(params, start, monitor)


def pairs(costs: list[float], least: float = -INF, most: float = 2.0) -> Milp:
    """Switches of which some are chosen."""
    n = len(costs)
    return Milp(costs, [[1.0] * n], [least], [most], [0.0] * n, [1.0] * n, [True] * n)


def started(milp: Milp, start: list[float], **options: Any) -> tuple[Any, Tells]:
    with Tells().open(milp) as session:
        return session.solve(start, **options), used(session)


# -- starts ----------------------------------------------------------------------------------------


def test_a_start_that_is_all_but_whole_is_handed_over_whole() -> None:
    solution, backend = started(pairs([-1.0, -1.0, -1.0]), [1 - 1e-7, 2e-7, 0.0])
    assert solution.start is StartStatus.USED
    handed = backend.runs[-1][1]
    assert handed is not None
    assert handed.tolist() == [1.0, 0.0, 0.0]


def test_a_start_in_between_is_rejected() -> None:
    solution, backend = started(pairs([-1.0, -1.0, -1.0]), [0.5, 0.0, 0.0])
    assert (solution.start, backend.runs[-1][1]) == (StartStatus.REJECTED, None)
    assert "violates" in solution.start_message


def test_missing_values_of_a_start_are_what_their_costs_prefer() -> None:
    solution, backend = started(pairs([-1.0, -1.0, 1.0, 0.0]), [NAN, 1.0, NAN, NAN])
    assert solution.start is StartStatus.USED
    handed = backend.runs[-1][1]
    assert handed is not None
    assert handed.tolist() == [1.0, 1.0, 0.0, 0.0]
    assert not backend.others


def test_where_costs_ask_for_too_much_they_are_zero() -> None:
    _, backend = started(pairs([-1.0, -1.0, -1.0]), [NAN, 1.0, NAN])
    handed = backend.runs[-1][1]
    assert handed is not None
    assert handed.tolist() == [0.0, 1.0, 0.0]
    assert not backend.others


@pytest.mark.parametrize(("limit", "share"), [(None, None), (10.0, 2.0)])
def test_otherwise_a_start_is_completed_in_a_fifth_of_the_time(
    limit: float | None, share: float | None
) -> None:
    milp = pairs([-1.0, -1.0, -1.0], 2.0)
    solution, backend = started(milp, [NAN, 1.0, NAN], time_limit=limit, clock=HandClock(), confirm=True)
    assert solution.start is StartStatus.USED
    handed = backend.runs[-1][1]
    assert handed is not None
    assert handed[1] == 1.0
    assert milp.worst(handed)[0] == 0.0
    (helper,) = backend.others
    (params, _), fixed = helper.runs[0], helper.loaded[0]
    assert (params.time_limit, params.relative_gap, params.confirm) == (share, 1.0, False)
    assert (fixed.lower.tolist(), fixed.upper.tolist()) == ([0.0, 1.0, 0.0], [1.0, 1.0, 1.0])


@pytest.mark.parametrize(
    ("start", "asked"),
    [
        ([1.0, 1.0, NAN], 1),  # no third one goes with these
        ([5.0, NAN, NAN], 0),  # beyond its bound
        ([-5.0, NAN, NAN], 0),
        ([INF, NAN, NAN], 0),
        ([-INF, NAN, NAN], 0),
        ([NAN, NAN, NAN], 0),
    ],
)
def test_a_start_that_cannot_be_completed_is_rejected(start: list[float], asked: int) -> None:
    milp = Milp([-1.0] * 3, [[1.0] * 3], [1.0], [1.0], [0.0] * 3, [1.0] * 3, [True] * 3)
    solution, backend = started(milp, start)
    assert (solution.start, backend.runs[-1][1]) == (StartStatus.REJECTED, None)
    assert solution.start_message in (
        "the partial start could not be completed",
        "every value of the start is NaN",
    )
    assert len(backend.others) == asked


@pytest.mark.parametrize("hair", [-5e-7, 1 + 5e-7])
def test_a_hair_beyond_its_bound_a_value_is_at_it(hair: float) -> None:
    """Where the values that are missing have to be solved for."""
    milp = Milp([0.0, 1.0, 1.0], [[0.0, 1.0, 1.0]], [1.0], [1.0], [0.0] * 3, [1.0] * 3, [False, True, True])
    solution, backend = started(milp, [hair, NAN, NAN])
    assert solution.start is StartStatus.USED
    (helper,) = backend.others
    assert helper.loaded[0].lower[0] == helper.loaded[0].upper[0] == round(hair)


# -- opening and closing ---------------------------------------------------------------------------


def test_a_solver_is_closed_once_if_it_was_used() -> None:
    with Tells().open(pairs([-1.0, -1.0])) as session:
        backend = used(session)
        session.solve()
        assert backend.closed == 0
    assert backend.closed == 1
    session.close()
    assert backend.closed == 1
    with Tells().open(pairs([-1.0])) as session:
        pass
    assert used(session).closed == 0


class Reports(Tells):
    """Tells of a point and of its log before it runs."""

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        monitor.log("begun\nhalf a line")
        monitor.report(0.0, -9.0, 1, np.zeros(self.model.n_columns))
        return super().run(params, start, monitor)


def test_after_a_failing_function_the_model_is_loaded_afresh() -> None:
    with Reports().open(pairs([-1.0, -1.0])) as session:
        with pytest.raises(ZeroDivisionError):
            session.solve(progress=lambda moment: 1 / 0)
        assert (used(session).closed, len(used(session).loaded)) == (1, 1)
        assert session.solve().objective == -2.0
        assert (used(session).closed, len(used(session).loaded)) == (1, 2)


def test_a_model_is_loaded_once_for_several_solves() -> None:
    with Reports().open(pairs([-1.0, -1.0])) as session:
        for _ in range(3):
            assert session.solve().is_optimal
        assert (used(session).closed, len(used(session).loaded)) == (0, 1)


class Sink:
    """Something that lines are written to."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text += text


class Logger:
    """Something that lines are logged to."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def info(self, form: str, line: str) -> None:
        self.lines.append(form % line)


@pytest.mark.parametrize("isolate", [False, True])
def test_a_log_comes_line_by_line_and_to_its_end(isolate: bool) -> None:
    sink, logger, lines = Sink(), Logger(), list[str]()
    for log in (sink, logger, lines.append, None):
        solution = Talks().solve(pairs([-1.0, -1.0]), log=log, isolate=isolate)
        assert solution.log == "begun\nhalf a line"
    assert sink.text == "begun\nhalf a line\n"
    assert logger.lines == lines == ["begun", "half a line"]


def test_moments_are_told_with_the_offset_and_once_each() -> None:
    told: list[Progress] = []
    milp = pairs([-1.0, -1.0]).replace(offset=100.0)
    solution = Reports().solve(milp, progress=told.append)
    assert [(moment.incumbent, moment.bound, moment.nodes) for moment in told] == [(100.0, 91.0, 1)]
    assert solution.trace == tuple(told)
    assert solution.objective == 98.0


class Warm(type(get_backend("highs"))):  # type: ignore[misc]
    """HiGHS that counts how often a model is loaded, and how often it is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.loads = self.closed = 0

    def load(self, milp: Milp) -> None:
        self.loads += 1
        super().load(milp)

    def close(self) -> None:
        self.closed += 1
        super().close()


def lp() -> Milp:
    """The largest x + 2 y below 4, each at most 3."""
    return Milp([-1.0, -2.0], [[1.0, 1.0]], [-INF], [4.0], [0.0] * 2, [3.0] * 2, [False] * 2)


def rows(coefficients: list[float], least: float, most: float) -> Rows:
    return Rows(sp.csr_array([coefficients]), np.array([least]), np.array([most]), (1,))


@pytest.mark.parametrize("idle", [rows([0.0, 0.0], -1.0, 1.0), rows([1.0, 0.0], -INF, INF)])
def test_a_new_row_that_says_nothing_never_reaches_the_solver(idle: Rows) -> None:
    with Warm().open(lp()) as session:
        assert session.solve().objective == -7.0
        session.add_rows(idle)
        found = session.solve()
        assert (found.objective, session.backend.loads, session.backend.closed) == (-7.0, 2, 1)
        assert found.duals.tolist() == [-1.0, 0.0]
        session.add_rows(rows([0.0, 1.0], -INF, 2.0))  # it goes by the rows that were left, so all over again
        found = session.solve()
        assert (found.objective, session.backend.loads) == (-6.0, 3)
        assert found.duals.tolist() == [-1.0, 0.0, -1.0]


def test_a_new_row_reaches_a_solver_that_is_warm() -> None:
    with Warm().open(lp()) as session:
        session.solve()
        session.add_rows(rows([0.0, 1.0], -INF, 2.0))
        assert (session.solve().objective, session.backend.loads, session.backend.closed) == (-6.0, 1, 0)


def test_what_is_added_has_a_name() -> None:
    with Warm().open(lp()) as session:
        session.add_rows(rows([0.0, 1.0], -INF, 2.0))
        session.add_rows(rows([0.0, 1.0], -INF, 2.0), "cut")
        assert [name for name, *_ in session.milp.rows.blocks] == ["row", "added1", "cut"]
        session.add_columns([1.0], [[1.0]] * 3, 0.0, 1.0)
        session.add_columns([1.0], [[1.0]] * 3, 0.0, 1.0, "column")
        assert [name for name, *_ in session.milp.columns.blocks][1:] == ["added1", "column"]


def test_who_is_not_there_or_may_not_is_not_run() -> None:
    with pytest.raises(BackendUnavailable, match="missingpy is not installed"):
        Missing().solve(pairs([-1.0]))
    with pytest.raises(LicenseLimit, match="the model has 3 columns"):
        TinyLicence().solve(pairs([-1.0] * 3))
    with pytest.raises(ModelError, match=r"column x\[1\] is continuous, and backend 'whole' takes whole"):
        WholeNumbersOnly().solve(pairs([-1.0] * 2).replace(integer=[True, False]))


# -- what is seen meanwhile ------------------------------------------------------------------------


def test_a_log_is_kept_up_to_a_size() -> None:
    watch = Watch()
    for text in ("a" * 600_000, "b" * 600_000, "c", "d"):
        watch.keep_log(text)
    assert [text[0] for text in watch.log] == ["a", "b"]
    assert watch.log_size == 1_200_002


def test_the_best_point_seen_is_kept_and_every_change_is_noted() -> None:
    watch = Watch()
    points = [np.array([float(i)]) for i in range(5)]
    moments = [
        (Progress(0.0, 5.0, None), points[0], True),
        (Progress(1.0, 5.0, None), points[1], False),  # nothing new, and no better point
        (Progress(2.0, 5.0, 1.0), None, True),
        (Progress(3.0, 7.0, 1.0), points[2], True),
        (Progress(4.0, None, 2.0), points[3], True),  # a point of which nobody says what it is worth
        (Progress(5.0, 3.0, 2.0), points[4], True),
        (Progress(6.0, 4.0, 2.0), points[0], True),
        (Progress(7.0, 2.0, 2.0), None, True),
    ]
    for moment, point, news in moments:
        assert watch.keep_progress(moment, point) is news
    assert watch.x is points[4]
    assert watch.value == 3.0
    assert watch.trace == [moment for moment, _, news in moments if news]
