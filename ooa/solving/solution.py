"""What a solve hands back: why it stopped and what the vector is, as two separate answers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import Enum
from numbers import Integral, Real
from typing import Any

import numpy as np

from ooa.errors import ModelError, SolverError
from ooa.model.expressions import FloatArray


class Termination(str, Enum):
    """Why the solver stopped. What it left behind is a separate question: see `PointStatus`."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"
    INFEASIBLE_OR_UNBOUNDED = "infeasible_or_unbounded"
    TIME_LIMIT = "time_limit"
    NODE_LIMIT = "node_limit"
    GAP_LIMIT = "gap_limit"
    INTERRUPTED = "interrupted"
    CLAIMED = "claimed"  #: the solver says that it is done, and nobody confirmed what it says
    STALLED = "stalled"  #: a fit without a limit of the user's: neither better rules nor a proof in sight
    EXHAUSTED = "exhausted"  #: a fit that did all its settings allow, without a proof
    ERROR = "error"

    @property
    def words(self) -> str:
        """The same for people, as in "time limit"."""
        return _WORDS.get(self.value, self.value.replace("_", " "))


_WORDS = {
    "stalled": "ended with nothing better in sight",
    "exhausted": "all done that the settings allow",
}


class PointStatus(str, Enum):
    """What the returned vector is."""

    NONE = "none"
    FEASIBLE = "feasible"
    OPTIMAL = "optimal"


class StartStatus(str, Enum):
    """What became of the caller's starting point."""

    NOT_GIVEN = "not_given"
    USED = "used"  #: the solver confirmed it
    NOT_USED = "not_used"  #: feasible and handed over, but the solver did not confirm it
    REJECTED = "rejected"  #: not feasible (or not completable): never handed over


@dataclass(frozen=True)
class Progress:
    """One moment of a running solve; objective values include the model's offset.

    Parameters
    ----------
    seconds : since the solve began
    incumbent : value of the best point known
    bound : no point has a smaller value
    nodes : of the search tree so far
    """

    seconds: float
    incumbent: float | None = None
    bound: float | None = None
    nodes: int | None = None


@dataclass
class RawResult:
    """What an adapter's `run` hands back, before anybody has checked it.

    Parameters
    ----------
    termination : why the solver stopped, as one of the terms of `Termination`
    raw_status : the same in the solver's own words
    x : the best point, or None
    bound : what no point is below, without the model's offset; OPTIMAL without one is a claim and no proof
    nodes : of the search tree
    start_used : whether the solver says that it used the start
    duals, reduced_costs : of an LP that was solved to optimality, in the rows' and columns' order
    confirmed_by : who else came to the same result, where the adapter asked another solver

    Examples
    --------
    >>> RawResult(Termination.OPTIMAL, "Optimal", x=np.array([0.0, 1.0]), bound=-2.0).nodes is None
    True
    """

    termination: Termination
    raw_status: str
    x: FloatArray | None = None
    bound: float | None = None
    nodes: int | None = None
    start_used: bool | None = None
    duals: FloatArray | None = None
    reduced_costs: FloatArray | None = None
    confirmed_by: str = ""


@dataclass(frozen=True)
class Solution:
    """A checked answer. `x` is there only if it is feasible on the model's own arrays.

    Attributes
    ----------
    termination : why the solve ended
    status : what `x` is: none, feasible or optimal
    x : the point, integers rounded, re-checked against the model; or `None`
    objective, bound, gap : recomputed objective, proven lower bound, `(objective - bound) / |objective|`
    start, start_message : what became of the starting point
    duals, reduced_costs : of an LP solved to optimality
    nodes, seconds : effort
    interrupted : whether Ctrl-C was pressed meanwhile, even if the solver came to an end of its own by then
    trace : `Progress` records, in order
    raw_status, log, message : the solver's own words, its log, and ours where something was odd
    backend, version : who solved it
    confirmed_by : who else was asked for anything better, or for any point at all, and found none; empty if
        nobody was asked, as is so by default for solvers that are not known to err
    claimed_bound : a bound that the solver claims and nobody confirmed, although it is known to err or
        confirmation was asked for; it proves nothing
    """

    termination: Termination
    status: PointStatus
    x: FloatArray | None
    objective: float | None
    bound: float | None
    backend: str
    version: str = ""
    start: StartStatus = StartStatus.NOT_GIVEN
    start_message: str = ""
    duals: FloatArray | None = None
    reduced_costs: FloatArray | None = None
    nodes: int | None = None
    seconds: float = 0.0
    interrupted: bool = False
    trace: tuple[Progress, ...] = ()
    raw_status: str = ""
    message: str = ""
    log: str = field(default="", repr=False)
    confirmed_by: str = ""
    claimed_bound: float | None = None

    def __post_init__(self) -> None:
        if (self.x is None) != (self.status is PointStatus.NONE) or (self.x is None) != (
            self.objective is None
        ):
            raise ModelError("a solution has a point and an objective, or neither")
        if self.status is PointStatus.OPTIMAL and self.bound is None:
            raise ModelError("an optimal point needs a bound")

    @classmethod
    def failed(cls, backend: str, words: str) -> Solution:
        """What a solver that raised an error leaves behind.

        Parameters
        ----------
        backend : who failed
        words : how
        """
        return cls(Termination.ERROR, PointStatus.NONE, None, None, None, backend, message=words)

    @property
    def gap(self) -> float:
        """Relative gap between objective and bound; infinite when either is unknown."""
        return relative_gap(self.objective, self.bound)

    @property
    def is_optimal(self) -> bool:
        """Whether `x` is proved optimal (within the solver's numerical tolerance)."""
        return self.status is PointStatus.OPTIMAL


def relative_gap(objective: float | None, bound: float | None) -> float:
    """The one gap formula: `max(0, objective - bound) / |objective|`, 0 when they meet.

    Parameters
    ----------
    objective : value of a point, or None
    bound : no point has a smaller value; None if none is known

    Examples
    --------
    >>> relative_gap(10.0, 9.0), relative_gap(0.0, 0.0), relative_gap(5.0, None)
    (0.1, 0.0, inf)
    """
    if objective is None or bound is None or not math.isfinite(bound):
        return math.inf
    difference = max(0.0, objective - bound)
    return difference if difference == 0.0 else difference / max(abs(objective), 1e-10)


def well_formed(result: object, backend: str) -> RawResult:
    """What an adapter's `run` returned, if it is what it should be; or a `SolverError` says what is wrong.

    Examples
    --------
    >>> well_formed(None, "mine")
    Traceback (most recent call last):
        ...
    ooa.errors.SolverError: the adapter 'mine' is at fault: run returned None, which is no RawResult
    """
    fault = f"the adapter {backend!r} is at fault: run returned"
    if not isinstance(result, RawResult):
        raise SolverError(f"{fault} {result!r:.80}, which is no RawResult")
    for name, kind, words in (
        ("termination", Termination, "Termination"),
        ("raw_status", str, "text"),
        ("bound", (Real, type(None)), "number"),
        ("nodes", (Integral, type(None)), "whole number"),
        ("confirmed_by", str, "text"),
    ):
        value = getattr(result, name)
        if not isinstance(value, kind):
            raise SolverError(f"{fault} {name}={value!r:.80}, which is no {words}")
    for name in ("x", "duals", "reduced_costs"):
        value = getattr(result, name)
        if value is not None:
            words = f"{fault} {name}={value!r:.80}, which is no array of numbers"
            setattr(result, name, _vector(value, words))
    return result


def _vector(value: Any, fault: str) -> FloatArray:
    try:
        vector = np.array(value, dtype=np.float64)  # a copy: the solver may use its memory again
    except (TypeError, ValueError) as error:
        raise SolverError(fault) from error
    if vector.ndim != 1:
        raise SolverError(fault)
    return vector
