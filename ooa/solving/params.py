"""Solver-neutral parameters of a solve, checked when they are made."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from ooa.checks import MOST_THREADS
from ooa.clock import CLOCK, Clock, Deadline
from ooa.errors import OptionError

from .solution import Progress

__all__ = ["SolveParams"]

#: Seconds (three years) beyond which a time limit is none: somewhere above, clocks overflow.
NEVER = 1e8


@dataclass(frozen=True)
class SolveParams:
    """Solver-neutral parameters; every backend honours all of them or says it cannot.

    Parameters
    ----------
    time_limit : wall-clock seconds for everything, start checks and model loading included
    relative_gap, absolute_gap : stop when `incumbent - bound` is within one of them
    node_limit : branch-and-bound nodes
    threads : how many the solver may use
    seed : the solver's random seed
    log : stream, `logging.Logger`, or function of one line; `None` is silent
    progress : called in the caller's thread with a `Progress`; return True to stop the solve
    options : the solver's own options by their own names; they win over the neutral ones
    isolate : True runs the solver in a child process, which survives its crash or hang; `None`
        does so only when the solver cannot be imported into this process
    confirm : True has every claim that a point is optimal, or that there is none, confirmed by another
        solver, in the time that is left; `None` does so where the solver is known to err; with False such
        claims stay claims
    step : what all values of the objective are multiples of, where that is known: a better point is better by
        that much
    clock : what time it is; another one than the machine's is for tests

    Examples
    --------
    >>> SolveParams(time_limit=-1)
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: time_limit must be None or a number >= 0, not -1
    """

    time_limit: float | None = None
    relative_gap: float = 0.0
    absolute_gap: float = 1e-6
    node_limit: int | None = None
    threads: int = 1
    seed: int = 0
    log: Any = None
    progress: Callable[[Progress], object] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    isolate: bool | None = None
    confirm: bool | None = None
    step: float = 0.0
    clock: Clock = field(default=CLOCK, compare=False, repr=False)

    def __post_init__(self) -> None:
        _check_number("time_limit", self.time_limit, optional=True)
        _check_number("relative_gap", self.relative_gap)
        _check_number("absolute_gap", self.absolute_gap)
        _check_number("node_limit", self.node_limit, optional=True, whole=True)
        _check_number("threads", self.threads, whole=True, least=1, most=MOST_THREADS)
        _check_number("seed", self.seed, whole=True, most=2**31 - 1)
        _check_number("step", self.step)
        for name in ("time_limit", "relative_gap", "absolute_gap", "node_limit", "threads", "seed", "step"):
            value = getattr(self, name)
            if isinstance(value, np.generic):  # adapters print and pass them on: plain numbers only
                object.__setattr__(self, name, value.item())
        if self.time_limit is not None and self.time_limit > NEVER:
            object.__setattr__(self, "time_limit", None)
        if self.progress is not None and not callable(self.progress):
            raise OptionError(f"progress must be a function, not {self.progress!r}")
        sink_ok = (
            self.log is None or callable(self.log) or hasattr(self.log, "write") or hasattr(self.log, "info")
        )
        if not sink_ok:
            raise OptionError(f"log must be a stream, a logger or a function of one line, not {self.log!r}")
        for name in ("isolate", "confirm"):
            value = getattr(self, name)
            if not (value is None or value is True or value is False):
                raise OptionError(f"{name} must be None, True or False, not {value!r:.200}")
        if not isinstance(self.options, Mapping):
            raise OptionError(f"options must be a mapping of the solver's own names, not {self.options!r}")
        object.__setattr__(self, "options", dict(self.options))  # a copy: the caller's is never touched

    def deadline(self) -> Deadline:
        """When a solve that begins now has used up its time limit."""
        return Deadline.after(self.time_limit, self.clock)

    def changed(self, **changes: Any) -> SolveParams:
        """A copy with some parameters changed; an unknown name is an error."""
        known = [f.name for f in fields(self)]
        for name in changes:
            if name not in known:
                raise OptionError(
                    f"unknown parameter {name!r}; neutral parameters are {', '.join(known)}, "
                    "and a solver's own go into options={...}"
                )
        return replace(self, **changes) if changes else self


def _check_number(
    name: str,
    value: Any,
    optional: bool = False,
    whole: bool = False,
    least: float = 0,
    most: float = math.inf,
) -> None:
    if value is None and optional:
        return
    kind = (int, np.integer) if whole else (int, float, np.integer, np.floating)
    if isinstance(value, bool) or not isinstance(value, kind) or not least <= value <= most:
        wanted = f"{'a whole number' if whole else 'a number'} >= {least}"
        wanted += f" and <= {most}" if most < math.inf else ""
        raise OptionError(f"{name} must be {'None or ' if optional else ''}{wanted}, not {value!r}")
