"""The program CBC: where it is, which version, which options, and its life as a process."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import cbc_programs
from support.cbc_programs import FAKE_HEADER, adapter, binary, knapsacks, long_one, output, posix_only, script
from support.clocks import HandClock

from ooa.clock import CLOCK, Clock
from ooa.errors import BackendUnavailable, OptionError, SolverError
from ooa.solving import Backend, Solution, SolveParams, Termination, available_backends
from ooa.testing.helpers import in_child
from ooa.testing.patience import FAR, alone

# Fixture: assigned, as the tests ask for it by name.
cbc = cbc_programs.cbc

if not available_backends()["cbc"].ok:
    pytest.skip("no CBC executable is installed", allow_module_level=True)


def test_availability_imports_and_starts_nothing() -> None:
    code = (
        "import sys, subprocess\n"
        "subprocess.Popen = None\n"
        "from ooa.solving.registry import available_backends\n"
        "assert available_backends()['cbc'].ok\n"
        "assert not {'pulp', 'cbcbox', 'highspy'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_an_environment_variable_names_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    path = binary.find().path
    assert path is not None
    monkeypatch.setenv("OOA_CBC", path)
    assert binary.find() == binary.Found(path, "OOA_CBC")


def test_a_wrong_environment_variable_is_said_so(monkeypatch: pytest.MonkeyPatch, cbc: Backend) -> None:
    monkeypatch.setenv("OOA_CBC", "/nowhere/cbc")
    with pytest.raises(BackendUnavailable, match="OOA_CBC is '/nowhere/cbc', which is no executable"):
        cbc.solve(knapsacks())


def test_cbcbox_and_path_go_before_pulp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OOA_CBC", raising=False)
    monkeypatch.setattr(binary, "_in_cbcbox", lambda: None)
    monkeypatch.setattr(binary, "_on_path", lambda: "/somewhere/cbc")
    assert binary.find() == binary.Found("/somewhere/cbc", "PATH")
    monkeypatch.setattr(binary, "_on_path", lambda: None)
    monkeypatch.setattr(binary, "_in_pulp", lambda: None)
    assert binary.find() == binary.Found(None, binary.MISSING)


def test_the_version_comes_from_the_banner(cbc: Backend) -> None:
    version = cbc.version()
    assert version[0].isdigit() or version.startswith(("devel", "Trunk"))
    assert cbc.availability().version == version


def test_options_are_checked_against_the_programs_own_list(cbc: Backend) -> None:
    with pytest.raises(OptionError, match="CBC has no option 'preproces'; did you mean 'preprocess'"):
        cbc.solve(knapsacks(), options={"preproces": "off"})
    with pytest.raises(OptionError, match="CBC has no option 'solve'"):  # an action is no setting
        cbc.solve(knapsacks(), options={"solve": ""})


@pytest.mark.parametrize("options", [{"cuts": "bar"}, {"maxNodes": "many"}, {"ratioGap": -1}])
def test_a_value_cbc_does_not_take_is_an_error(cbc: Backend, options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match="CBC does not take"):
        cbc.solve(knapsacks(), options=options)


def test_options_win_over_neutral_parameters(cbc: Backend) -> None:
    raw = alone(cbc, long_one(), SolveParams(time_limit=FAR, options={"sec": 0.5}))
    assert raw.termination is Termination.TIME_LIMIT, raw.raw_status


def test_short_and_long_names_are_the_same_option() -> None:
    path = binary.find().path
    assert path is not None
    known = {
        name: binary.knows(path, name) for name in ("sec", "seconds", "SECO", "se", "secondss", "export")
    }
    assert known == {
        "sec": True,
        "seconds": True,
        "SECO": True,
        "se": False,
        "secondss": False,
        "export": False,
    }


def test_the_log_is_live(cbc: Backend) -> None:
    """Its first words come while it is at work, early enough to end it."""
    with cbc.open(long_one()) as session:
        solution = session.solve(time_limit=FAR, log=lambda line: session.backend.interrupt())
    assert solution.termination is Termination.INTERRUPTED
    if shutil.which("stdbuf"):
        assert "-oL" in adapter.wrappers()  # else it would come block by block


_PRESSED = """
milp, delay = given
solution = pressed(lambda: backend.solve(milp), delay)
bound = solution.bound if solution.claimed_bound is None else solution.claimed_bound
answer = solution.termination, solution.x is not None, bound is not None
"""


@posix_only
def test_an_interrupt_keeps_the_incumbent(cbc: Backend) -> None:
    # In a process of its own: a key that comes too late must not end the tests.
    for delay in (1.5, 7.5, 30.0):
        termination, has_point, has_bound = in_child(cbc, _PRESSED, (long_one(), delay))
        assert termination is Termination.INTERRUPTED
        if has_point and has_bound:
            break
    assert has_point
    assert has_bound


def test_an_interrupt_before_the_run_counts(cbc: Backend) -> None:
    fresh = cbc.fresh()
    with cbc.open(long_one()) as session:
        session.backend = fresh
        fresh.interrupt()
        solution: Solution = session.solve(time_limit=30)
    assert solution.termination is Termination.INTERRUPTED
    assert solution.raw_status == "stopped before CBC was started"


@posix_only
def test_a_parse_error_is_raised_with_the_end_of_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend
) -> None:
    # As CBC does it: exit code 0 and no solution file.
    monkeypatch.setenv("OOA_CBC", script(tmp_path, f"{FAKE_HEADER}; echo 'There were 3 errors on input'"))
    with pytest.raises(SolverError, match=r"exit code 0(.|\n)*There were 3 errors on input"):
        cbc.solve(knapsacks())


@posix_only
@pytest.mark.parametrize("clock", [CLOCK, HandClock()], ids=["the machine's", "standing still"])
def test_a_program_that_ignores_its_limit_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cbc: Backend, clock: Clock
) -> None:
    """It is known by our own word: a clock of the processor hardly moves while another program works."""
    monkeypatch.setattr(adapter, "OVERDUE", 0.2)
    monkeypatch.setattr(adapter, "HOPELESS", 0.6)
    monkeypatch.setattr("ooa.solving.follow.TOLD", 5.0)  # the adapter is quicker
    body = f'case "$*" in *model.mps*) trap "" INT; while :; do :; done;; esac; {FAKE_HEADER}'
    monkeypatch.setenv("OOA_CBC", script(tmp_path, body))
    solution = cbc.solve(knapsacks(), params=SolveParams(time_limit=0.5, clock=clock))
    assert (solution.termination, solution.x) == (Termination.TIME_LIMIT, None)
    assert solution.raw_status == "ended: CBC did not stop at its limit"


def test_nothing_is_left_behind(cbc: Backend, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    cbc.solve(knapsacks())
    with pytest.raises(OptionError):
        cbc.solve(knapsacks(), options={"cuts": "bar"})
    assert list(tmp_path.iterdir()) == []


def test_the_log_of_newer_versions_is_understood() -> None:
    log = output.CbcLog()
    lines = io.StringIO(
        "     Nodes   OnTree  Depth         BestSol Method                 BestBound     Gap%   Time(s)\n"
        "         0        1      0               —                          18.7188        —     0.630\n"
        " ★   12.9K        1      0            -251 Previous solutio        -258.957    3.17%     0.220\n"
        "     2      3            2       0.6334 oscillating                      0.012\n"
        "    10       15        7      9      2.338         -259.581    0.090\n"
        "Lower bound:                    -9464.68\n"
        "Enumerated nodes:               403     (from fathoming 298)\n"
    )
    seen = [progress for progress in map(log.read, lines) if progress is not None]
    assert [(incumbent, nodes) for incumbent, _, nodes in seen] == [(None, 0), (-251.0, 12900)]
    assert log.nodes == 403
    assert log.bound == pytest.approx(-9464.685)
