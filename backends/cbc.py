"""CBC as a separate program: handed an MPS file, read back from its log and binary solution.

CBC is fast to call and wrong at times, so it is never trusted alone: LPs go to HiGHS, claims of unboundedness
are checked by HiGHS, settings known to give wrong answers are avoided, and it says of itself that it errs, so
that what else it claims is confirmed by another solver.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import ClassVar

import numpy as np

from ooa.errors import OptionError, SolverError
from ooa.model import FloatArray, Milp, write_mps
from ooa.solving import (
    Availability,
    Backend,
    Capability,
    Deadline,
    Monitor,
    RawResult,
    SolveParams,
    Termination,
)

from . import _cbc_binary as binary
from . import _cbc_output as output
from ._cbc_command import own_options, settings, wrappers, write_start
from .highs import HighsBackend

#: Seconds past its limit after which CBC is asked to stop.
OVERDUE = 0.3
#: Seconds past its limit, a share of that, and seconds at most, after which CBC is ended, incumbent lost: a
#: little sooner than whoever waits for it would give it up.
HOPELESS, HOPELESS_SHARE, HOPELESS_MOST = 0.45, 0.08, 4.5
#: A coordinate this large is no optimum but a step along a ray.
ENDLESS = 1e15
#: A point further than this from whole numbers is an LP's, whatever CBC calls it.
INTEGRALITY = 1e-4


class CbcBackend(Backend):
    """Adapter to CBC: MIPs only; LPs are passed on to HiGHS, and the raw status says so."""

    name = "cbc"
    package = "pulp"
    time_limit_option = "seconds"
    #: LPs are HiGHS's, without its basis and without promises; points are in its files only.
    capabilities: ClassVar[frozenset[Capability]] = frozenset(Capability) - {
        Capability.LP,
        Capability.ADD_ROWS,
        Capability.ADD_COLUMNS,
        Capability.CHANGE_BOUNDS,
        Capability.INCUMBENTS,
    }
    _versions: ClassVar[dict[str, str]] = {}

    def __init__(self) -> None:
        self._milp: Milp | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._helper: Backend | None = None
        self._stop = threading.Event()

    @classmethod
    def availability(cls) -> Availability:
        """Look for an executable; its version is known once it has run."""
        found = binary.find()
        if found.path is None:
            return Availability(False, reason=found.source)
        return Availability(True, cls._versions.get(found.path, found.source))

    def import_solver(self) -> None:
        """Nothing to import: CBC is a program of its own."""

    def version(self) -> str:
        """Version of the executable, from its banner."""
        path = self._path()
        self._versions[path] = binary.version(path)
        return self._versions[path]

    def errs(self, claim: Termination) -> bool:
        """No version's infeasibility is to be trusted, and nothing that 2.10 and older ones claim."""
        return claim is Termination.INFEASIBLE or not binary.is_new(binary.version(self._path()))

    def load(self, milp: Milp) -> None:
        """Keep the model; its file is written when the clock runs."""
        self.close()
        self._milp = milp.replace(offset=0.0) if milp.offset else milp

    def run(self, params: SolveParams, start: FloatArray | None, monitor: Monitor) -> RawResult:
        """Write the files, run the program while reading its log, read its files back."""
        deadline = params.deadline()
        milp = self._milp
        assert milp is not None
        try:
            path = self._path()
            self.version()
            own = own_options(path, params)
            if not milp.integer.any():
                answer = self._ask_highs(milp, params, monitor, deadline)
                answer.raw_status = f"LP solved by HiGHS: {answer.raw_status}"
                return answer
            if _may_be_unbounded(milp):
                # CBC calls unbounded models optimal at times, and crashes on some.
                relaxed = self._ask_highs(milp.relaxed(), params, None, deadline)
                if relaxed.termination in (Termination.UNBOUNDED, Termination.INFEASIBLE_OR_UNBOUNDED):
                    claim = RawResult(Termination.UNBOUNDED, "CBC not called: the LP relaxation is unbounded")
                    return self._second_opinion(milp, claim, params, monitor, deadline)
            folder = self._written(milp)
            if start is not None:
                write_start(folder / "start.txt", start)
            left = deadline.left()
            if left == 0.0:
                return RawResult(Termination.TIME_LIMIT, "no time left after writing the model's file")
            if self._stop.is_set():
                return RawResult(Termination.INTERRUPTED, "stopped before CBC was started")
            command = [path, "model.mps", *settings(params, path, left, start is not None), *own]
            log, code, ended = self._execute(command, folder, left, monitor)
            result = self._result(milp, folder, log, code, late=ended or deadline.passed())
            _doubt(milp, result, params)
            if result.termination is Termination.UNBOUNDED:
                return self._second_opinion(milp, result, params, monitor, deadline)
            return result
        finally:
            self._stop.clear()

    def interrupt(self) -> None:
        """Send SIGINT, at which CBC writes its best solution and ends."""
        self._stop.set()
        process, helper = self._process, self._helper
        if helper is not None:
            helper.interrupt()
        if process is not None:
            _signal(process)

    def close(self) -> None:
        """End a program that still runs, and delete the files."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
        if self._folder is not None:
            with contextlib.suppress(OSError):  # a program being killed may still hold a file
                self._folder.cleanup()
        self._folder, self._milp = None, None

    # -- the program -----------------------------------------------------------------------------

    def _path(self) -> str:
        self.require()
        path = binary.find().path
        assert path is not None
        return path

    def _written(self, milp: Milp) -> Path:
        """The folder with the model's file, which is written once; old results are removed."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="ooa-cbc-", ignore_cleanup_errors=True)
            write_mps(milp, Path(self._folder.name) / "model.mps", names=False)
        folder = Path(self._folder.name)
        for name in ("solution.txt", "solution.bin"):
            (folder / name).unlink(missing_ok=True)
        return folder

    def _execute(
        self, command: list[str], folder: Path, limit: float | None, monitor: Monitor
    ) -> tuple[output.CbcLog, int, bool]:
        """Run the program; return its log and exit code, and whether it was told to end after its limit."""
        process = subprocess.Popen(
            [*wrappers(), *command],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # the terminal's Ctrl-C goes to us alone; we pass it on
        )
        self._process = process
        if self._stop.is_set():  # asked before there was anything to interrupt
            _signal(process)
        timers, ended = [], threading.Event()  # its word, not the fit's clock, which may be another one

        def end() -> None:
            ended.set()
            _signal(process)

        if limit is not None:
            timers.append(threading.Timer(limit + OVERDUE, end))
            hopeless = min(HOPELESS + HOPELESS_SHARE * limit, HOPELESS_MOST)
            timers.append(threading.Timer(limit + hopeless, process.kill))
        log = output.CbcLog()
        try:
            for timer in timers:
                timer.daemon = True
                timer.start()
            assert process.stdout is not None
            for raw in process.stdout:
                line = raw.decode("utf-8", errors="replace")
                monitor.log(line)
                progress = log.read(line)
                if progress is not None:
                    monitor.report(*progress)
                if log.refused is not None:
                    raise OptionError(f"CBC does not take an option's value: {log.refused}")
            return log, process.wait(), ended.is_set()
        finally:
            for timer in timers:
                timer.cancel()
            process.kill()
            process.wait()
            if process.stdout is not None:
                process.stdout.close()
            self._process = None

    def _result(self, milp: Milp, folder: Path, log: output.CbcLog, code: int, late: bool) -> RawResult:
        written = folder / "solution.txt"
        first = ""
        if written.exists():
            with open(written, encoding="utf-8", errors="replace") as stream:
                first = stream.readline().strip()
        if not first:
            if self._stop.is_set():
                return RawResult(Termination.INTERRUPTED, "stopped before there was a solution")
            if late:
                return RawResult(Termination.TIME_LIMIT, "ended: CBC did not stop at its limit")
            if "is infeasible" in log.tail:  # 2.10 may crash once it has found that out
                return RawResult(Termination.INFEASIBLE, f"Infeasible (exit code {code})")
            raise SolverError(f"CBC left no solution (exit code {code}); its log ends with:\n{log.tail}")
        result = RawResult(
            output.termination(first), first, bound=log.bound, nodes=log.nodes, start_used=log.start_used
        )
        if output.has_point(first):
            result.x = output.read_point(folder / "solution.bin", milp.n_columns)
        if log.signalled:  # which the solution file calls "iterations"
            result.termination = Termination.INTERRUPTED if self._stop.is_set() else Termination.TIME_LIMIT
        return result

    # -- HiGHS as the second opinion ---------------------------------------------------------------

    def _second_opinion(
        self, milp: Milp, claim: RawResult, params: SolveParams, monitor: Monitor, deadline: Deadline
    ) -> RawResult:
        """A claim of unboundedness holds only if HiGHS agrees."""
        said = claim.raw_status.partition(" - ")[0]
        monitor.log(f"{said}: HiGHS is asked to confirm it\n")
        if deadline.passed():
            return RawResult(Termination.TIME_LIMIT, f"{said}, but no time was left to confirm it")
        answer = self._ask_highs(milp, params, monitor, deadline)
        if answer.termination is claim.termination:
            answer.raw_status = f"{said}, confirmed by HiGHS"
        elif answer.x is not None or answer.termination is Termination.INFEASIBLE:
            answer.raw_status = f"{said}, which is wrong; HiGHS says: {answer.raw_status}"
        else:
            answer.raw_status = f"{said}, which HiGHS could not confirm: {answer.raw_status}"
        return answer

    def _ask_highs(
        self, milp: Milp, params: SolveParams, monitor: Monitor | None, deadline: Deadline
    ) -> RawResult:
        theirs = params.changed(
            time_limit=deadline.left(),
            node_limit=None,
            options={},
            isolate=None,
            log=None,
            progress=None,
        )
        if monitor is not None:
            theirs = theirs.changed(
                log=lambda line: monitor.log(line + "\n"),
                progress=lambda moment: monitor.report(moment.incumbent, moment.bound, moment.nodes),
            )
        with HighsBackend().open(milp) as session:
            self._helper = session.backend
            try:
                found = session.solve(params=theirs)
            finally:
                self._helper = None
        return RawResult(
            found.termination,
            found.raw_status,
            x=found.x,
            bound=found.bound,
            nodes=found.nodes,
            duals=found.duals,
            reduced_costs=found.reduced_costs,
            confirmed_by=f"{found.backend} {found.version}",
        )


def _signal(process: subprocess.Popen[bytes]) -> None:
    """SIGINT to the program's whole group, for wrappers may be in it; SIGTERM would lose the solution."""
    if process.poll() is None:
        with contextlib.suppress(OSError):  # it has just ended by itself
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGINT)
            else:
                process.terminate()


def _may_be_unbounded(milp: Milp) -> bool:
    """Whether the cost pushes some column towards a bound that it does not have."""
    return bool(((milp.c > 0) & np.isneginf(milp.lower) | (milp.c < 0) & np.isposinf(milp.upper)).any())


def _doubt(milp: Milp, result: RawResult, params: SolveParams) -> None:
    """Take back what CBC claims without ground, and make its words on gaps into a bound."""
    if result.x is None:
        return
    whole = result.x[milp.integer]
    objective = float(milp.c @ result.x)
    if np.abs(result.x).max() >= ENDLESS:
        result.raw_status += " (far out on a ray)"
        result.termination, result.x, result.bound = Termination.UNBOUNDED, None, None
    elif np.abs(whole - np.round(whole)).max() > INTEGRALITY:
        result.raw_status += " (with a fractional point, which is dropped)"
        result.x = None
        if result.termination is Termination.OPTIMAL:
            result.termination = Termination.ERROR if params.time_limit is None else Termination.TIME_LIMIT
    elif result.termination is not Termination.OPTIMAL:
        if result.bound is not None and result.bound >= objective - 1e-3:
            result.bound = None  # an unfinished search that prints its objective as bound knows none
    elif "within gap" not in result.raw_status:
        # The search is complete; where a gap was allowed, it may be so within that.
        result.bound = objective if params.relative_gap == 0.0 else None
    elif not any(name.lower().startswith(("ratio", "allow")) for name in params.options):
        gap = max(float(params.absolute_gap), float(params.relative_gap) * abs(objective))
        stated = objective - gap  # what it stopped at; the printed bound is rounded
        best = stated if result.bound is None else max(stated, result.bound)
        result.bound = objective if gap <= 1e-6 else best
