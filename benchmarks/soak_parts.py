"""The parts of `soak`: tables every way, fits one after the other, solvers that fail, fits that are ended."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from store import Row

from ooa.data.table import Table
from ooa.datasets import planted_dnf, tic_tac_toe
from ooa.errors import OOAError, OOAWarning
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.model import Milp
from ooa.objective import Objective
from ooa.solving import Backend, RawResult, Termination, available_backends, get_backend

#: Tables in one process.
BATCH = 200
_MEGABYTE = 1 << 20


def backends() -> list[str]:
    """The solvers at hand."""
    return [name for name, found in available_backends().items() if found.ok]


def _found(wrong: Sequence[str]) -> Row:
    return {"wrong": len(wrong), "first": wrong[0][:300] if wrong else ""}


def fuzz(cell: Row) -> Row:
    """A batch of tables; the solvers take turns."""
    return _compared(cell, 0, mixture=False)


def mixtures(cell: Row) -> Row:
    """The same with two to four constraints each."""
    return _compared(cell, 7, mixture=True)


def _compared(cell: Row, series: int, *, mixture: bool) -> Row:
    from support.agreement import Case

    names, ways, constrained, wrong = backends(), 0, 0, []
    first = int(cell["number"]) * BATCH
    for seed in range(first, first + int(cell["size"])):
        case = Case([series, seed], mixture=mixture)
        constrained += bool(case.constraints)
        try:
            told = list(case.check(names[seed % len(names)]))
        except Exception as error:  # whatever it is, it is found
            told = [f"raised: {type(error).__name__}: {error} (seed {case.seed})"]
        ways += len(told)
        wrong += [one for one in told if ":" in one]
    return {"done": int(cell["size"]), "ways": ways, "constrained": constrained, **_found(wrong)}


def lists(cell: Row) -> Row:
    """Near-optimal rule sets of small tables, listed in four ways: against all rule sets there are."""
    from support.enumerating import check_predictions, check_set, constraint_cases, quietly, random_case
    from support.every_rule_set import Every

    ways, constrained, wrong = 0, 0, []
    first = int(cell["number"]) * BATCH
    for seed in range(first, first + int(cell["size"])):
        rng = np.random.default_rng([11, seed])
        table, options = random_case(rng, 9)
        constraints, meets = (), None
        if seed % 3 == 0 and (table.weight > 0).all():
            cases = constraint_cases(table)
            constraints, meets = cases[int(rng.integers(len(cases)))]
        every = Every(table, **options, meets=meets)
        if not every.value:  # nothing meets the constraint
            every, constraints = Every(table, **options), ()
        constrained += bool(constraints)
        told, n = options | {"constraints": constraints}, int(rng.integers(1, 25))
        near = Fraction(int(rng.integers(0, 7)), 30)
        try:
            for redundant in (False, True):
                if len(every.wanted(redundant, near)) <= 300:
                    found = quietly(table, within=near, redundant=redundant, sample=5, **told)
                    check_set(found, every, None, near)
                    assert found.total in (None, len(found))
                    assert {*found.sample} <= {*found.rules}
                    ways += 1
            check_set(quietly(table, n, **told), every, n, None)
            alone = quietly(table, n, distinct_predictions=True, **told)
            check_predictions(alone, every, table, n, None)
            ways += 2
        except Exception as error:  # whatever it is, it is found
            wrong.append(f"{type(error).__name__}: {error} (seed {seed}, {told})")
    return {"done": int(cell["size"]), "ways": ways, "constrained": constrained, **_found(wrong)}


# -- one process, many fits ------------------------------------------------------------------------


def _held() -> tuple[float, int, int]:
    """Megabytes in memory, open handles, threads that do not end within some milliseconds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    threads = len(os.listdir("/proc/self/task"))
    for _ in range(20):
        time.sleep(0.001)
        threads = min(threads, len(os.listdir("/proc/self/task")))
    return pages * os.sysconf("SC_PAGE_SIZE") / _MEGABYTE, len(os.listdir("/proc/self/fd")), threads


def steady(cell: Row) -> Row:
    """Fits with branching, again and again: what the process holds in their second tenth, and in the last."""
    fits, nodes, branched, marks = int(cell["size"]), 0, 0, []
    for number in range(fits):
        data = planted_dnf(18, 4, 2, 2, noise=0.3, seed=number % 20)
        options: dict[str, Any] = {"C1": 0.01, "C2": 0.01, "max_patterns": 2, "backend": cell["backend"]}
        learned = learn_ooa(Table.from_any(data.X, data.y), decompose=False, **options)
        own = (learned.solution.nodes or 0) if learned.solution is not None else 0
        nodes += own
        branched += own > 1
        marks.append(_held())
    # The least of several moments: a thread may be on its way out.
    few = max(1, fits // 10)
    (memory, handles, threads), (later, more, others) = (
        np.min(some, axis=0).tolist() for some in (marks[few : 2 * few], marks[-few:])
    )
    wrong = [
        f"{what}: {before} and then {after}"
        for what, before, after, most in (
            ("megabytes", round(memory, 1), round(later, 1), 1.05 * memory + 5),
            ("handles", handles, more, handles),
            ("threads", threads, others, threads),
        )
        if after > most
    ]
    held = {"MB": (memory, later), "handles": (handles, more), "threads": (threads, others)}
    shown = {name: f"{before:.0f} to {after:.0f}" for name, (before, after) in held.items()}
    return {"done": fits, "nodes": nodes, "branched": branched} | shown | _found(wrong)


# -- solvers that fail -----------------------------------------------------------------------------

FAULTS = ("raises", "fails to load", "no point", "not a number", "breaks a row", "too long a point", "late")
#: Lies that what was counted contradicts, and so are worth nothing.
LIES = ("infeasible", "unbounded", "bound above what is known", "value below its rule set's")


class Faulty(type(get_backend("highs"))):
    """HiGHS, but for now and then."""

    dice = random.Random(0)
    drawn = ""
    #: How often which fault was met.
    met: ClassVar[Counter[str]] = Counter()

    def load(self, milp: Milp) -> None:
        """Load, or not."""
        self.milp, self.drawn = milp, ""
        if self.dice.random() < 0.5:
            self.drawn = self.dice.choice(FAULTS + LIES)
        self.met[self.drawn] += bool(self.drawn)
        if self.drawn == "fails to load":
            raise MemoryError("no room")
        super().load(milp)

    def run(self, params: Any, start: Any, monitor: Any) -> RawResult:
        """Run, and say something else than what was found."""
        if self.drawn == "raises":
            raise ZeroDivisionError("deep inside the solver")
        if self.drawn == "late":
            time.sleep(0.05)
        found: RawResult = super().run(params, start, monitor)
        if found.x is None or not self.milp.integer.any():
            return found
        point, bad = np.asarray(found.x), Termination.TIME_LIMIT
        return {
            "no point": RawResult(bad, "time is up"),
            "not a number": RawResult(Termination.OPTIMAL, "optimal", np.full(len(point), np.nan), 0.0),
            "breaks a row": RawResult(Termination.OPTIMAL, "optimal", self.milp.upper.copy(), found.bound),
            "too long a point": RawResult(Termination.OPTIMAL, "optimal", np.append(point, 1.0), found.bound),
            "infeasible": RawResult(Termination.INFEASIBLE, "infeasible"),
            "unbounded": RawResult(Termination.UNBOUNDED, "unbounded"),
            "bound above what is known": RawResult(Termination.OPTIMAL, "optimal", point, found.bound + 1e3),
            "value below its rule set's": RawResult(Termination.OPTIMAL, "optimal", 0 * point, found.bound),
        }.get(self.drawn, found)


def faults(cell: Row) -> Row:
    """Fits with such a solver: rule sets as they say, no bound above the optimum, no false proof."""
    from support.agreement import Case

    wrong, number = [], int(cell["number"]) * BATCH
    fits = range(number, number + int(cell["size"]))
    for seed in fits:
        Faulty.dice = random.Random(seed)
        case = Case([3, seed])
        case.constraints = []
        optimum = case.optimum(case.patterns(boxes=case.language.of_boxes))
        told = _with_faults(case, Faulty())
        if isinstance(told, str):
            wrong.append(f"{told} (seed {seed})")
            continue
        value, bound, proved = told
        if value < optimum or bound > optimum or (proved and case.exact and value != optimum):
            wrong.append(f"value {value}, bound {bound}, optimum {optimum} (seed {seed})")
    return {"done": len(fits), "met": Faulty.met.total()} | _found(wrong)


def _with_faults(case: Any, solver: Backend) -> Any:
    """Value, bound and whether it is proved; or a sentence if the fit ended otherwise."""
    options = {"C1": case.objective.C1, "C2": case.objective.C2, "max_patterns": case.K, "backend": solver}
    options |= {"missing": case.language.missing, "progress": False}
    language = {
        "ranges": case.language.ranges,
        "negations": case.language.negations,
        "sets": case.language.sets,
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OOAWarning)
        try:
            if case.language.of_boxes:
                single = case.language.sets == 1
                learned = learn_ooa(case.table, decompose=False, single_category=single, **options)
            else:
                options |= {"selection": "ilp", "max_length": None, "thresholds": "distinct"}
                learned = learn_ooax(case.table, **language, **options)
        except OOAError as error:
            return f"{type(error).__name__}: {error}"
        except Exception as error:  # of the solver's, or ours: none may come through
            return f"raw {type(error).__name__}: {error}"
    proof = learned.certificate
    counted = Objective.of(options["C1"], options["C2"])
    from ooa.learning.certificate import count

    if count(learned.rules, case.table, counted).objective != proof.objective:
        return "the certificate is not of its rule set"
    return proof.objective, proof.bound, proof.proved


# -- fits that are ended ---------------------------------------------------------------------------


def kills(cell: Row) -> Row:
    """`ooa fit` ended at random moments, by three signals: its model is whole, or not there."""
    wrong, done = [], 0
    for seed in range(int(cell["size"])):
        dice = random.Random(seed)
        sign = dice.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
        with tempfile.TemporaryDirectory() as folder:
            complaint = _killed(Path(folder), sign, dice.uniform(0.2, 8.0))
        done += 1
        if complaint:
            wrong.append(f"{signal.Signals(sign).name}: {complaint} (seed {seed})")
    return {"done": done} | _found(wrong)


def _killed(folder: Path, sign: int, after: float) -> str:
    """Begin a fit, end it, and say what is wrong with what it left."""
    data, temporary = tic_tac_toe(), folder / "tmp"
    temporary.mkdir()
    data.X.assign(win=data.y).to_csv(folder / "table.csv", index=False)
    command = [sys.executable, "-m", "ooa", "fit", "table.csv", "--target", "win", "--time-limit", "20"]
    command += ["--save", "model.json", "--selection", "ilp", "--c1", "0.0005", "--c2", "0.0005"]
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | {"TMPDIR": str(temporary)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    timer = threading.Timer(after, process.send_signal, (sign,))
    timer.start()
    _, said = process.communicate()
    timer.cancel()
    if sign != signal.SIGKILL and b"Traceback" in said and b"import" not in said:
        return said.decode(errors="replace")[-200:]
    left = [path.name for path in temporary.iterdir()] if sign == signal.SIGINT else []
    if left:
        return f"left {left[0]} behind"
    try:
        text = (folder / "model.json").read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    try:
        json.loads(text)
    except ValueError:
        return f"a model file of {len(text)} characters that is none"
    return ""
