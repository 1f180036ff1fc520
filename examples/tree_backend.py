"""A whole solver as a backend: branch and bound in plain Python, on linear programs that scipy solves.

`own_constraint_and_backend.py` uses it. An adapter to a solver of yours has the same seven methods; what is
the same for all solvers (checking and completing starts, rounding, verification, Ctrl-C, child processes, one
label for each way to end) comes with the base class.
"""

from __future__ import annotations

import math
import threading
import time
from importlib import metadata
from typing import NamedTuple

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, OptimizeResult, milp

from ooa.errors import OptionError
from ooa.model import Milp
from ooa.solving import Availability, Backend, Capability, Monitor, RawResult, SolveParams, Termination

#: How far from a whole number counts as one, and how much better than the incumbent is better.
WHOLE, BETTER = 1e-6, 1e-9
#: Seconds for one linear program where there is no limit.
LONG = 1e6


class TreeSearch(Backend):
    """Branch and bound, depth first, on the most fractional column."""

    name = "tree"
    package = "scipy"
    capabilities = frozenset(Capability) - {
        Capability.LP,
        Capability.ADD_ROWS,
        Capability.ADD_COLUMNS,
        Capability.CHANGE_BOUNDS,
        Capability.THREADS,
    }

    def __init__(self) -> None:
        self._milp: Milp | None = None
        self._stop = threading.Event()

    @classmethod
    def availability(cls) -> Availability:
        """Look whether it is there, without importing it."""
        return Availability(True, metadata.version("scipy"))

    def import_solver(self) -> None:
        """Import what is needed; it is, at the top of this module."""

    def version(self) -> str:
        """Return the version of whoever solves the linear programs."""
        return metadata.version("scipy")

    def load(self, milp: Milp) -> None:
        """Take the arrays: c, A (CSR), row_lower, row_upper, lower, upper, integer."""
        self._milp = milp

    def run(self, params: SolveParams, start: np.ndarray | None, monitor: Monitor) -> RawResult:
        """Solve within `params.time_limit`; say why it stopped, and hand back what it found."""
        for option in params.options:
            raise OptionError(f"tree has no option {option!r}, nor any other")
        assert self._milp is not None
        self._stop.clear()
        return Tree(self._milp, params, start, monitor, self._stop).search()

    def interrupt(self) -> None:
        """Ask a running solve to stop soon; another thread calls this."""
        self._stop.set()

    def close(self) -> None:
        """Forget the model."""
        self._milp = None


class Node(NamedTuple):
    """A part of the region, by bounds on the columns, and what nothing in it is below."""

    bound: float
    lower: np.ndarray
    upper: np.ndarray


class Tree:
    """One search: the parts still open, and the best point so far."""

    def __init__(
        self,
        model: Milp,
        params: SolveParams,
        start: np.ndarray | None,
        monitor: Monitor,
        stop: threading.Event,
    ) -> None:
        self.model, self.params, self.monitor, self.stop = model, params, monitor, stop
        self.end = math.inf if params.time_limit is None else time.monotonic() + params.time_limit
        self.rows = [LinearConstraint(model.A, model.row_lower, model.row_upper)] if model.n_rows else []
        costs = model.c[model.c != 0]
        #: Whether every value is a whole number, so that a bound can be rounded up.
        self.counts = bool(model.integer[model.c != 0].all() and (costs == np.round(costs)).all())
        self.best: np.ndarray | None = None
        self.value, self.nodes, self.started = math.inf, 0, start is not None
        if start is not None:
            self.keep(start)
        self.open = [Node(-math.inf, model.lower, model.upper)]

    def search(self) -> RawResult:
        """Take up one part after the other until none is left, or a limit ends it."""
        while self.open:
            why = self.limit()
            if why is not None:
                return self.result(why)
            node = self.open.pop()
            if node.bound >= self.value - BETTER:
                continue
            found = self.relaxed(node)
            self.nodes += 1
            if found.status == 2:
                continue
            if found.status == 1:
                self.open.append(node)
                return self.result(Termination.TIME_LIMIT)
            if found.x is None:
                return self.without_bound()
            bound = math.ceil(found.fun - WHOLE) if self.counts else found.fun
            self.branch(Node(bound, node.lower, node.upper), found.x)
        return self.result(Termination.INFEASIBLE if self.best is None else Termination.OPTIMAL)

    def relaxed(self, node: Node) -> OptimizeResult:
        """Solve a part without asking for whole numbers."""
        left = max(0.0, min(self.end - time.monotonic(), LONG))
        bounds = Bounds(node.lower, node.upper)
        return milp(self.model.c, bounds=bounds, constraints=self.rows, options={"time_limit": left})

    def branch(self, node: Node, x: np.ndarray) -> None:
        """Keep a point that is whole; cut a part in two where its point is not."""
        whole = np.round(x)
        fraction = np.where(self.model.integer, np.abs(x - whole), 0.0)
        if fraction.max(initial=0.0) <= WHOLE:
            self.keep(np.where(self.model.integer, whole, x))
            return
        j = int(fraction.argmax())
        low, high = node.upper.copy(), node.lower.copy()
        low[j], high[j] = math.floor(x[j]), math.ceil(x[j])
        parts = [Node(node.bound, node.lower, low), Node(node.bound, high, node.upper)]
        self.open += parts if x[j] - math.floor(x[j]) >= 0.5 else parts[::-1]  # the nearer one comes first
        self.report()

    def keep(self, x: np.ndarray) -> None:
        """Keep a point if it is better than the one there is."""
        value = float(self.model.c @ x)
        if value < self.value:
            self.best, self.value = x, value
            self.monitor.log(f"node {self.nodes}: found a point of value {value:g}\n")

    def bound(self) -> float:
        """What nothing is below: the least of the parts still open, or the best point."""
        return min((node.bound for node in self.open), default=self.value)

    def report(self) -> None:
        """Tell whoever is watching."""
        self.monitor.report(self.value, min(self.bound(), self.value), self.nodes, self.best)

    def limit(self) -> Termination | None:
        """Say why to stop, if there is a reason to."""
        if self.stop.is_set():
            return Termination.INTERRUPTED
        if time.monotonic() >= self.end:
            return Termination.TIME_LIMIT
        if self.params.node_limit is not None and self.nodes >= self.params.node_limit:
            return Termination.NODE_LIMIT
        gap = max(self.params.absolute_gap, self.params.relative_gap * abs(self.value))
        return Termination.GAP_LIMIT if self.best is not None and self.value - self.bound() <= gap else None

    def without_bound(self) -> RawResult:
        """Values fall for ever if there is a point at all: look for one, whatever it costs."""
        any_point = Tree(
            self.model.replace(c=np.zeros(self.model.n_columns)),
            self.params,
            self.best,
            self.monitor,
            self.stop,
        )
        any_point.end = self.end
        found = any_point.search()
        if found.termination is Termination.OPTIMAL:
            found.termination, found.bound = Termination.UNBOUNDED, None
        return found

    def result(self, why: Termination) -> RawResult:
        """What is known at the end."""
        bound = min(self.bound(), self.value)
        if why is Termination.GAP_LIMIT and self.value - bound <= 1e-6:
            why = Termination.OPTIMAL
        self.monitor.log(f"node {self.nodes}: {why.value}\n")
        return RawResult(
            termination=why,
            raw_status=f"{why.value} after {self.nodes} nodes",
            x=self.best,
            bound=bound if math.isfinite(bound) else None,
            nodes=self.nodes,
            start_used=self.started,
        )
