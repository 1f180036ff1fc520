"""Do the tests notice when the library is broken? One mutant of it at a time, each killed or not.

    python benchmarks/mutants.py                     # every mutant; a run that was stopped goes on
    python benchmarks/mutants.py --sets formulations
    python benchmarks/mutants.py --only "cover: sense" --fresh
    python benchmarks/mutants.py --forget            # whichever test noticed what, all of them are run

Every row family of the formulations is dropped, turned round or changed; every bound and every reduction is
made a little too strong. A mutant is a copy of the tree with one piece of text changed; the tests that are
named with it run in that copy until one fails, first of all the one that failed last time (see
`mutant_killers`). "controls" are the same tests with nothing broken: all of them must pass. For a mutant of
the compiled core, and for its controls, the core of the copy is built.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import IO

import pytest
from cells import wait
from mutant_boxes import BOXES
from mutant_checks import CHECKS
from mutant_kernels import KERNELS
from mutant_killers import Killers
from mutant_limits import LIMITS
from mutant_list import FORMULATIONS, Mutant
from mutant_listing import LISTING
from mutant_parts import CLUSTER
from mutant_reductions import CANDIDATES, PROOFS
from mutant_trade_offs import TRADE_OFFS
from store import Row, Store
from study import Study, Summary

import ooa
from ooa.kernels.core_files import library_file

ROOT = Path(__file__).parent.parent
#: By the name of the group.
GROUPS: dict[str, list[Mutant]] = {
    "formulations": FORMULATIONS,
    "candidates": CANDIDATES,
    "proofs": PROOFS,
    "kernels": KERNELS,
    "boxes": BOXES,
    "limits": LIMITS,
    "trade-offs": TRADE_OFFS,
    "listing": LISTING,
    "parts": CLUSTER,
    "checks": CHECKS,
}
MUTANTS = {f"{one.file} {one.name}": one for group in GROUPS.values() for one in group}
#: The same tests with nothing broken, which have to pass where mutants are tried.
CONTROLS = {
    f"nothing: {' '.join(one.tests)}{' (core built)' if one.compiled else ''}": one._replace(new=one.old)
    for one in MUTANTS.values()
}
#: What a copy needs.
PARTS = ("ooa", "backends", "tests", "benchmarks", "docs", "pyproject.toml", "README.md", "mkdocs.yml")
#: The packages that are the library.
PACKAGES = ("ooa", "ooa_backends")
#: How the core is compiled for a mutant, beside our own options: quickly, unless CXXFLAGS says otherwise.
#: (-Og takes 3.5 s of the processor, -O0 3.2, -O1 5.3, -O3 9.5.)
CXXFLAGS = "-Og"
#: How a fork ends that could not even begin.
FAULT = 70
#: Codes by which no test has seen the mutant: pytest's own fault, a wrong call of it, no tests, and that.
UNTRIED = (3, 4, 5, FAULT)
#: Seconds of the processor for one test, which takes a few where nothing is broken.
ONE_TEST = 30


def mutated(text: str, mutant: Mutant) -> str:
    """The text of a file with the mutant in it; an error unless it has just one place for it."""
    if text.count(mutant.old) != 1:
        raise ValueError(f"{mutant.file} has {text.count(mutant.old)} times {mutant.old!r}")
    return text.replace(mutant.old, mutant.new)


def copy_of_tree() -> Path:
    """A copy of the tree, always in the same place, so that what was compiled there need not be again."""
    copy = Path(tempfile.gettempdir()) / f"ooa-mutants-{sha256(str(ROOT).encode()).hexdigest()[:12]}"
    for part in PARTS:
        for old in (copy / part).rglob("*.*"):
            if old.suffix in (".py", ".h", ".cpp"):
                old.unlink()  # it may be gone from the tree
        if (ROOT / part).is_dir():
            shutil.copytree(
                ROOT / part, copy / part, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy2(ROOT / part, copy / part)
    link = copy / "paths" / "ooa_backends"
    link.parent.mkdir(exist_ok=True)
    if not link.exists():
        link.symlink_to(copy / "backends")
    return copy


@contextmanager
def in_place(mutant: Mutant, copy: Path) -> Iterator[None]:
    """The mutant in the copy, for a while; no bytecode of it is left, nor met, there."""
    place = copy / mutant.file
    shutil.copy2(ROOT / mutant.file, place)
    place.write_text(mutated(place.read_text(encoding="utf-8"), mutant), encoding="utf-8")
    compiled = list(place.parent.glob(f"__pycache__/{place.stem}.*.pyc"))
    try:
        for one in compiled:
            one.unlink()
        yield
    finally:
        for one in place.parent.glob(f"__pycache__/{place.stem}.*.pyc"):
            one.unlink()
        shutil.copy2(ROOT / mutant.file, place)


def core_of(copy: Path) -> Path:
    """The core as its sources in the copy are, built into a folder of its own; an error if it cannot be."""
    folder = copy / "core"
    command = [sys.executable, "-m", "ooa.kernels.core_build", str(folder), "baseline"]
    told = {"CXXFLAGS": CXXFLAGS} | os.environ | {"PYTHONPATH": str(copy)}
    built = subprocess.run(command, cwd=copy, env=told, capture_output=True, text=True, check=True)
    library = library_file("baseline", folder)
    if not library.is_file():
        raise ValueError(built.stdout)
    return library


def verdict(mutant: Mutant, copy: Path, limit: float, killer: str = "") -> Row:
    """Run the test that noticed the mutant last, then all of its tests, in the copy, which has it.

    Parameters
    ----------
    limit : seconds after which tests are ended that wait for ever
    killer : the test to run first; none if it is no more among those that are named
    """
    core = str(core_of(copy)) if mutant.compiled else None
    found: Row = {}
    if killer.partition("::")[0] in mutant.tests:
        found = _tried((killer,), copy, core, limit)
    if not found.get("status", "").startswith("killed"):
        found = _tried(mutant.tests, copy, core, limit)
    return found


def _tried(tests: Sequence[str], copy: Path, core: str | None, limit: float) -> Row:
    """Run tests in a fork of this process, which has so many seconds."""
    with tempfile.TemporaryFile() as begun:
        child = os.fork()
        if not child:
            _become_tests(tests, copy, core, begun)
        told = told_by(wait(child, limit)[0])
        begun.seek(0)
        return {"status": told, "by": begun.read().decode() if told.startswith("killed") else ""}


def told_by(status: int | None) -> str:
    """What it says of a mutant how its tests ended: pytest's code, a signal below 0, nothing at the limit."""
    if status in (None, -signal.SIGXCPU):
        return "killed by the clock"
    if status in UNTRIED:
        return f"not tried, pytest ended with {status}"
    return {0: "survived", 1: "killed"}.get(status or 0, f"killed, pytest ended with {status}")


class Begun:
    """Tells pytest to write down which test is begun, and gives it its time.

    With -x, the last one is the one that failed; it is known even if it never ends, or takes the process
    down. A file that cannot be imported is written down in the place of its tests.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Write it in the place of the last one."""
        self.file.seek(0)
        self.file.truncate()
        self.file.write(nodeid.encode())
        self.file.flush()
        until = int(time.process_time()) + ONE_TEST
        resource.setrlimit(resource.RLIMIT_CPU, (until, resource.RLIM_INFINITY))

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """The same for a file."""
        if report.failed:
            self.pytest_runtest_logstart(report.nodeid)


def _become_tests(tests: Sequence[str], copy: Path, core: str | None, begun: IO[bytes]) -> None:
    """In the fork: nothing of the library as it is, everything of the copy; never returns."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for descriptor in (1, 2):
        os.dup2(nowhere, descriptor)
    os.chdir(copy)
    places = [str(copy), str(copy / "paths")]
    sys.path[:] = places + [place for place in sys.path if Path(place).resolve() != Path(__file__).parent]
    for name in [name for name, module in sys.modules.items() if _is_ours(name, module)]:
        del sys.modules[name]
    os.environ["PYTHONPATH"] = os.pathsep.join(places)
    if core:
        os.environ["OOA_KERNELS"] = core
    words = ["-q", "-x", "-p", "no:cacheprovider", "-W", "ignore::RuntimeWarning", *tests]
    code = FAULT
    try:
        _be_of(copy)
        code = int(pytest.main(words, plugins=[Begun(begun)]))
    finally:
        sys.stdout.flush()
        os._exit(code)


def _is_ours(name: str, module: object) -> bool:
    """Whether it is of the library, wherever that was found, or of the tree's own parts."""
    if name.partition(".")[0] in PACKAGES:  # what is installed may be another tree's
        return True
    file = getattr(module, "__file__", None)
    if module is sys.modules["__main__"] or not file:
        return False
    above = Path(str(file)).parents  # the environment may lie in the tree, too, and is not ours
    return any(ROOT / part in above for part in PARTS)


def _be_of(copy: Path) -> None:
    """An error unless the library that tests are going to meet is that of the copy."""
    for name in PACKAGES:
        found = Path(str(import_module(name).__file__)).resolve()
        if copy.resolve() not in found.parents:
            raise ImportError(f"{name} is {found}, not that of {copy}")


class Mutants(Study):
    """Killed or survived, one by one."""

    name = "mutants"
    title = "Mutants"
    key = ("mutant", "ooa")
    sets = (*GROUPS, "controls")
    quick_sets = ("formulations",)
    killers = Killers()

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Which."""
        parser.add_argument("--only", help="mutants with this text in their names")
        parser.add_argument("--forget", action="store_true", help="run all tests, whichever failed last time")

    def available(self, names: Sequence[str]) -> list[str]:
        """Groups, not data sets."""
        return [name for name in names if name in self.sets]

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """One per mutant."""
        wanted = [f"{one.file} {one.name}" for group in arguments.sets for one in GROUPS.get(group, ())]
        wanted += CONTROLS if "controls" in arguments.sets else []
        some = [name for name in wanted if (arguments.only or "") in name]
        self.killers = Killers(remembers=not arguments.forget)
        for name in some[:1] if arguments.quick else some:
            yield {"mutant": name, "ooa": ooa.__version__}

    def hard_limit(self, cell: Row) -> float:
        """A mutant may well go round in circles: on a machine that may be busy with others."""
        if cell["mutant"].startswith(("ooa/solving/follow.py", "ooa/solving/runners.py")):
            return 60  # in their tests nothing waits
        return 240 if cell["mutant"].startswith("ooa/solving/") else 600

    def measure(self, cell: Row) -> Row:
        """One mutant in the copy of the tree; seconds are of the processor."""
        name, copy = cell["mutant"], Path(cell["_copy"])
        mutant, began = (MUTANTS | CONTROLS)[name], _processor()
        with in_place(mutant, copy):
            found = verdict(mutant, copy, self.hard_limit(cell), self.killers.of(name))
        return found | {"seconds": round(_processor() - began, 1)}

    def _run_all(self, cells: list[Row], store: Store, jobs: int) -> None:
        """One after the other, in forks of this process: pytest, numpy and so on are there already."""
        for package in ("hypothesis", "pandas", "scipy.sparse", "sklearn.tree", "narwhals"):
            import_module(package)
        todo = [cell for cell in cells if store.find(cell) is None]
        copy = copy_of_tree()
        for number, cell in enumerate(todo, start=1):
            row = cell | self.measure(cell | {"_copy": str(copy)})
            store.add(row)
            if row["mutant"] in MUTANTS:
                self.killers.keep(GROUPS, row)
            print(f"[{number}/{len(todo)}] {row['mutant']}: {row['status']} {row['by']}", file=sys.stderr)

    def summary(self, rows: list[Row]) -> Summary:
        """How many were killed, and which were not."""
        table = []
        for group, mutants in [*GROUPS.items(), ("controls", [])]:
            names = {f"{one.file} {one.name}" for one in mutants} or CONTROLS.keys()
            own = [str(row.get("status")) for row in rows if row["mutant"] in names]
            if own:
                # One that ran for ever, or took its process down, was noticed, too.
                dead = sum(status.startswith("killed") for status in own)
                alive = own.count("survived")
                table.append({"group": group, "tried": dead + alive, "killed": dead, "survived": alive})
        left = [row for row in rows if not self._as_it_should(row)]
        shown = [{"mutant": row["mutant"], "status": row["status"]} for row in left]
        return Summary(
            tables={"Killed and survived": table, "Mutants that survived, controls that failed": shown}
        )

    @staticmethod
    def _as_it_should(row: Row) -> bool:
        """A mutant is killed, a control survives."""
        if row["mutant"] in CONTROLS:
            return row["status"] == "survived"
        return str(row["status"]).startswith("killed")


def _processor() -> float:
    """Seconds of the processor that the processes begun here, and ended, have taken."""
    times = os.times()
    return times.children_user + times.children_system


STUDY = Mutants()

if __name__ == "__main__":
    STUDY.main()
