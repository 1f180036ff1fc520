"""Ctrl-C at any moment of a fit: what was found by then comes back, labelled as interrupted."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np
import pytest

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.kernels.availability import compiled
from ooa.learning import ooax
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.verdict import Learned
from ooa.solving import Termination, available_backends

SCRIPT = """
import os, signal, threading, time
import ooa.learning.improve, ooa.learning.mine, ooa.learning.ooa, ooa.learning.ooax
import ooa.learning.prove, ooa.learning.select, ooa.learning.solve
from ooa.datasets import apnea_survey, planted_dnf, tic_tac_toe
from ooa.candidates.bitset_miner import BitsetMiner
from ooa.formulations.boxes import BoxFormulation
from ooa.learning.course import fit_course
from ooa.data.table import Table

def press(after):
    threading.Timer(after, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

def press_while_mining():
    batches = BitsetMiner.batches

    def pressed(self):
        for number, batch in enumerate(batches(self)):
            if number == 2:
                os.kill(os.getpid(), signal.SIGINT)
            yield batch

    BitsetMiner.batches = pressed

def interrupted(*args, **options):
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(1)
    raise AssertionError("nobody pressed")

data = {data}
table = Table.from_any(data.X, data.y)
learn = {learn}
learn(Table.from_any({{"x": [1, 2, 3]}}, [0, 1, 1]))  # imports the solver
solve = ooa.learning.solve.solve_from_best
{before}
learned = learn(table, {options})
proof = learned.certificate
assert 0 <= proof.bound <= proof.objective
assert not proof.proved
assert learned.rules.covers(table.as_frame()).shape[1] == proof.patterns
went = fit_course(learned.trace, proof)
assert [went.incumbent[-1][1], went.bound[-1][1]] == [float(proof.objective), float(proof.bound)]
print(proof.termination.value, proof.patterns > 0)
"""
PRESSED = """
def pressed(fit, formulation):
    if isinstance(formulation, {kind}):
        press({after})
    return solve(fit, formulation)
ooa.learning.select.solve_from_best = ooa.learning.ooa.solve_from_best = pressed
"""
CHOOSING = """
run = ooa.learning.select.Choosing.run
def pressed(self, *some):
    ooa.learning.select.Choosing.run = run  # once: a fit may choose several times
    press(0.4)
    return run(self, *some)
ooa.learning.select.Choosing.run = pressed
"""


class Moment(NamedTuple):
    """When Ctrl-C is pressed, by a statement before the fit, and in which fit."""

    before: str
    data: str
    options: str
    learn: str = "ooa.learning.ooax.learn_ooax"
    found: bool = False  #: whether there are patterns by then


OOAX = {
    "mining": Moment(
        "press_while_mining()", "apnea_survey()", "max_length=4, C1=0.0001, without='replacement'"
    ),
    "solving": Moment(
        PRESSED.format(kind="object", after=0.5),
        "tic_tac_toe()",
        "max_length=4, C1=0.004, C2=0.004, form='aggregated', max_candidates=None, max_patterns=None",
    ),
} | {
    # At once in the middle of a stage.
    stage: Moment(f"{function} = interrupted", "tic_tac_toe()", f"C1=0.001, C2=0.001, selection={how!r}")
    for stage, function, how in (
        ("literals", "ooa.learning.conditions.candidate_literals", "auto"),
        ("searching", "ooa.learning.improve.LocalSearch", "ilp"),
        ("screening", "ooa.learning.ooax.screen", "auto"),
        ("branching", "ooa.learning.prove.Branching.run", "search"),
        ("building", "ooa.formulations.ooax.OOAxFormulation.of", "ilp"),
    )
}
PLANTED = "planted_dnf(120, 9, 4, 3, noise=0.15, seed=1)"
OOA = {
    stage: Moment(before, PLANTED, options, "ooa.learning.ooa.learn_ooa", stage != "mining")
    for stage, before, options in (
        ("mining", "press_while_mining()", ""),
        ("selecting", CHOOSING, ""),
        ("building", "ooa.learning.ooa._form = interrupted", "time_limit=60, decompose=False"),
        (
            "forming",
            PRESSED.format(kind="BoxFormulation", after=0.4),
            "time_limit=60, decompose=False",
        ),
    )
}
MOMENTS = {f"OOAx {name}": one for name, one in OOAX.items()} | {
    f"OOA {name}": one for name, one in OOA.items()
}


@pytest.mark.parametrize("moment", MOMENTS)
def test_ctrl_c_ends_with_a_labelled_result(moment: str) -> None:
    about = MOMENTS[moment]
    if "selection='search'" in about.options and not compiled():
        pytest.skip("the core is not compiled")
    script = SCRIPT.format(**about._asdict())
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("interrupted")
    assert done.stderr == ""
    if about.found:
        assert done.stdout.split()[1] == "True"


@pytest.mark.parametrize(
    ("place", "thresholds"),
    [
        ("ooa.learning.select.Choosing.run", "auto"),  # while a smaller language is looked at
        ("ooa.candidates.bitset_miner.BitsetMiner.batches", "auto"),  # the same, while mining
        ("ooa.candidates.bitset_miner.BitsetMiner.batches", "quantiles"),  # in the early look
        ("ooa.learning.improve.LocalSearch.run", "quantiles"),
        ("ooa.learning.ooax.Replacing.turn", "quantiles"),
        ("ooa.learning.select.Choosing.run", "quantiles"),
    ],
)
def test_nothing_new_is_begun_after_ctrl_c(
    place: str, thresholds: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(3)
    X = {name: rng.integers(0, 60, 200) for name in "abc"}
    table = Table.from_any(X, (X["a"] >= 30) ^ (rng.random(200) < 0.1))
    begun: list[str] = []

    def noting(name: str) -> None:
        original = getattr(ooax, name)

        def noted(*some: Any, **options: Any) -> Any:
            begun.append(name)
            return original(*some, **options)

        monkeypatch.setattr(ooax, name, noted)

    for name in ("run_ooax", "look_early", "mine_patterns", "improve_by_plan", "screen", "Choosing"):
        noting(name)
    when: list[int] = []

    def press(*_: object, **__: object) -> NoReturn:
        when.append(len(begun))
        raise KeyboardInterrupt

    monkeypatch.setattr(place, press)
    policy = replace(POLICY, many_patterns=10, many_literals=(10, 10))
    options = {"C1": 0.005, "C2": 0.005, "max_mined": 500, "progress": False, "policy": policy}
    if "Replacing" not in place:
        options["without"] = "replacement"  # else patterns are searched one at a time before any are mined
    learned = learn_ooax(table, thresholds=thresholds, time_limit=1000, **options)
    assert learned.certificate.termination is Termination.INTERRUPTED
    assert len(when) == 1
    assert begun[when[0] :] in ([], ["improve_by_plan"])  # which is told of it, and does nothing
    assert begun.count("run_ooax") == (2 if thresholds == "auto" else 1)


def test_ctrl_c_during_local_search_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from ooa.search import local_search as incumbent

    polish, calls = incumbent.LocalSearch._polish, []

    def pressed(self, chosen):
        calls.append(1)
        if len(calls) == 5:
            signal.raise_signal(signal.SIGINT)
        return polish(self, chosen)

    monkeypatch.setattr(incumbent.LocalSearch, "_polish", pressed)
    # A solver used before in this process may have left a handler of its own.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    data = tic_tac_toe()
    options = {"C1": 0.001, "C2": 0.001, "time_limit": 60, "selection": "ilp"}
    learned = learn_ooax(Table.from_any(data.X, data.y), **options)
    assert learned.certificate.termination is Termination.INTERRUPTED
    assert len(learned.rules) > 0
    assert learned.solution is None
    assert learned.trace[-1].incumbent == float(learned.certificate.objective)


class Pressing(WorkClock):
    """A clock that counts work, and sends a signal at one look: the same moment on any machine."""

    def __init__(self, at: int, number: int = signal.SIGINT) -> None:
        super().__init__(1e-3)
        self.looks, self._at, self._number = 0, at, number

    def now(self) -> float:
        self.looks += 1
        if self.looks == self._at:
            signal.raise_signal(self._number)
        return super().now()


def some_fit(learn: Callable[..., Learned], clock: WorkClock, backend: str = "highs") -> Learned:
    """A fit of a few hundred looks at the clock, with every stage in it."""
    rng = np.random.default_rng(5)
    X = {name: rng.integers(0, 20, 120) for name in "abc"} | {"d": rng.choice(list("rgb"), 120)}
    y = ((X["a"] >= 8) & (X["b"] < 12)) ^ (rng.random(120) < 0.1)
    few = replace(POLICY, boxes_share=0.02)  # between two looks boxes take some milliseconds
    limits = {"time_limit": 3, "clock": clock, "progress": False, "threads": 1, "policy": few}
    return learn(Table.from_any(X, y), C1=0.005, C2=0.005, backend=backend, **limits)


def moments_of(learn: Callable[..., Learned], number: int, backend: str = "highs") -> list[int]:
    """Some looks at the clock, drawn with a seed, from the first one after the rows were merged on."""
    clock, began = Pressing(0), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ooax, "given_patterns", _noting(ooax.given_patterns, lambda: began.append(clock.looks)))
        some_fit(learn, clock, backend)
    return sorted(random.Random(20).sample(range(began[0] + 1, clock.looks), number))


def _noting(original: Callable[..., Any], note: Callable[[], None]) -> Callable[..., Any]:
    def noted(*some: Any, **options: Any) -> Any:
        note()
        return original(*some, **options)

    return noted


@pytest.mark.filterwarnings("ignore::ooa.errors.OOAWarning")
@pytest.mark.parametrize("learn", [learn_ooax, learn_ooa])
def test_ctrl_c_at_any_look_at_the_clock_ends_with_a_labelled_result(learn: Callable[..., Learned]) -> None:
    pressed = 0
    for moment in moments_of(learn, 25):
        signal.signal(signal.SIGINT, signal.default_int_handler)
        clock = Pressing(moment)
        learned = some_fit(learn, clock)
        if clock.looks < moment:
            continue  # on a busy machine a solver is looked after less often: the fit had ended by then
        pressed += 1
        proof = learned.certificate
        assert proof.termination is Termination.INTERRUPTED, moment
        assert 0 <= proof.bound <= proof.objective, moment
        assert not proof.proved, moment
        assert proof.patterns == len(learned.rules), moment
    assert pressed > 12


TERMINATED = """
import sys, warnings
sys.path[:0] = {paths}
from test_interrupted_fits import Pressing, learn_ooa, moments_of, signal, some_fit
warnings.simplefilter("ignore")
moment = moments_of(learn_ooa, 8, {backend!r})[{k}]  # of the early ones: no fit looks less often than that
print("begun", flush=True)
some_fit(learn_ooa, Pressing(moment, signal.SIGTERM), {backend!r})
print("not ended")
"""


@pytest.mark.skipif(os.name != "posix", reason="about signals as POSIX has them")
@pytest.mark.parametrize("k", range(2))
@pytest.mark.parametrize("backend", ["highs", "cbc"])
def test_sigterm_at_any_look_at_the_clock_leaves_nothing_behind(backend: str, k: int, tmp_path: Path) -> None:
    if not available_backends()[backend].ok:
        pytest.skip(f"{backend} is not installed")
    here = Path(__file__).parent
    script = TERMINATED.format(paths=[str(here), str(here.parent)], backend=backend, k=k)
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert (done.returncode, done.stdout, done.stderr) in ((143, "begun\n", ""), (-15, "begun\n", ""))
    assert list(tmp_path.iterdir()) == []


STOPPED = """
import os, signal, sys, threading
import numpy as np
from ooa.keeping import clean_end
from ooa.model import Model
from ooa.solving.registry import get_backend

def terminate(_):
    if not pressed:
        pressed.append(threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGTERM)))
        pressed[0].start()

def interrupt_twice(_):
    raise KeyboardInterrupt

pressed, rng, m = [], np.random.default_rng(0), Model()
x = m.add_binaries("x", 120, cost=-rng.integers(5, 100, 120))
for k in range(30):
    m.add_rows(f"r{{k}}", (x * rng.integers(1, 60, 120)).sum() <= 1440)
with clean_end():
    get_backend({backend!r}).solve(m.freeze(), time_limit=300, log={how})
print("not ended")
"""


@pytest.mark.skipif(os.name != "posix", reason="about signals as POSIX has them")
@pytest.mark.parametrize(("how", "code"), [("terminate", 143), ("interrupt_twice", -signal.SIGINT)])
@pytest.mark.parametrize("backend", ["highs", "scip", "cbc"])
def test_in_the_midst_of_branching_the_solver_ends_before_the_process(
    backend: str, how: str, code: int, tmp_path: Path
) -> None:
    # HiGHS calls back all the time; into an interpreter that is gone, it takes the process down (code -6).
    if not available_backends()[backend].ok:
        pytest.skip(f"{backend} is not installed")
    done = subprocess.run(
        [sys.executable, "-c", STOPPED.format(backend=backend, how=how)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    last = done.stderr.splitlines()[-1:]
    assert (done.returncode, done.stdout, last) == (code, "", [] if code == 143 else ["KeyboardInterrupt"])
    assert list(tmp_path.iterdir()) == []
