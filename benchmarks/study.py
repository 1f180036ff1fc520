"""The course of every study: list its cells, measure each in a process of its own, store, summarise."""

from __future__ import annotations

import argparse
import math
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import instances
from cells import answer, run_cell
from common import RESULTS, show
from store import Row, Store, read

from ooa.rules.markup import Html


@dataclass
class Summary:
    """What a study comes to: tables and pictures by title, and sentences."""

    tables: dict[str, list[Row]] = field(default_factory=dict)
    pictures: dict[str, Html] = field(default_factory=dict)
    sentences: list[str] = field(default_factory=list)


class Study(ABC):
    """One question, answered cell by cell.

    A subclass says which cells there are, how one is measured, and what the rows come to.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    #: The columns that say which cell a row is of; "ooa" (the version) is one of them for our own methods.
    key: ClassVar[tuple[str, ...]]
    sets: ClassVar[Sequence[str]] = instances.PAPER
    quick_sets: ClassVar[Sequence[str]] = ("planted-200x20",)
    time_limit: ClassVar[float] = 60.0
    quick_limit: ClassVar[float] = 2.0

    # -- what a study is ------------------------------------------------------------------------

    def options(self, parser: argparse.ArgumentParser) -> None:
        """Add the study's own options."""
        return

    def available(self, names: Sequence[str]) -> list[str]:
        """Those of the sets asked for that are at hand."""
        return instances.available(names)

    @abstractmethod
    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """The cells to measure, in order."""

    @abstractmethod
    def measure(self, cell: Row) -> Row:
        """Measure one cell; called in a process of its own."""

    @abstractmethod
    def summary(self, rows: list[Row]) -> Summary:
        """What the rows come to."""

    def told(self, row: Row) -> str:
        """What the progress line says about a finished cell."""
        return str(row.get("status", ""))

    def hard_limit(self, cell: Row) -> float:
        """Seconds after which a cell is killed."""
        return 2 * float(cell.get("limit", self.time_limit)) + 60

    # -- its course -----------------------------------------------------------------------------

    def main(self, words: Sequence[str] | None = None) -> None:
        """Run from the command line."""
        parser = argparse.ArgumentParser(
            description=sys.modules[type(self).__module__].__doc__,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        add = parser.add_argument
        add("--quick", action="store_true", help="tiny generated sets, short limits; saved apart")
        add("--time-limit", type=float, metavar="S", help=f"seconds per run ({self.time_limit:g})")
        add("--sets", nargs="+", metavar="SET", help=f"of the study ({', '.join(self.sets)}), or others")
        add("--jobs", type=int, default=1, help="cells at a time (1: timings are only comparable alone)")
        add("--fresh", action="store_true", help="measure again what this run asks for")
        add("--results", type=Path, default=RESULTS, help="folder of the CSV files")
        add("--cell", help=argparse.SUPPRESS)
        self.options(parser)
        arguments = parser.parse_args(words)
        if arguments.cell:
            answer(self.measure, arguments.cell)
            return
        if arguments.time_limit is None:
            arguments.time_limit = self.quick_limit if arguments.quick else self.time_limit
        wanted = arguments.sets or (self.quick_sets if arguments.quick else self.sets)
        arguments.sets = self.available(wanted)
        store = Store(arguments.results / f"{self.name}{'-quick' if arguments.quick else ''}.csv", self.key)
        cells = list(self.cells(arguments))
        if arguments.fresh:
            store.forget(cells)
        self._run_all(cells, store, arguments.jobs)
        asked = [row for row in (store.find(cell) for cell in cells) if row is not None]
        print_summary(self.summary(asked))
        print(f"\n{len(asked)} cells; results: {store.path}")

    def _run_all(self, cells: list[Row], store: Store, jobs: int) -> None:
        todo = [cell for cell in cells if store.find(cell) is None]
        if len(cells) > len(todo):
            print(f"{len(cells) - len(todo)} of {len(cells)} cells are there already", file=sys.stderr)
        began, done, lock = time.monotonic(), 0, Lock()
        script = sys.modules[type(self).__module__].__file__ or ""

        def run(cell: Row) -> None:
            nonlocal done
            row = _public(cell) | run_cell(script, cell, self.hard_limit(cell))
            with lock:
                done += 1
                store.add(row)
                left = (time.monotonic() - began) / done * (len(todo) - done)
                names = " ".join(str(cell[key]) for key in self.key if cell.get(key, "") != "")
                words = f"{self.told(row)} {row.get('error', '')}".rstrip()
                print(f"[{done}/{len(todo)}] {names}: {words}; about {duration(left)} left", file=sys.stderr)

        with ThreadPoolExecutor(jobs) as pool:
            list(pool.map(run, todo))


class FitStudy(Study):
    """A study whose cells are fits: limits are seconds of the processor, rows have L and a status."""

    def hard_limit(self, cell: Row) -> float:
        """On a machine that may be busy with others."""
        return 40 * float(cell["limit"]) + 300

    def told(self, row: Row) -> str:
        """Value and standing."""
        return f"L {number(row.get('L'))}, {row.get('status')}"


def _public(cell: Row) -> Row:
    """What of a cell is stored: not what begins with an underscore, such as the path of an interpreter."""
    return {name: value for name, value in cell.items() if not name.startswith("_")}


def print_summary(summary: Summary) -> None:
    """Print tables and sentences."""
    for title, table in summary.tables.items():
        if table:
            print(f"\n{title}\n")
            show(table)
    for sentence in summary.sentences:
        print(f"\n{sentence}")


def results_of(study: Study, folder: Path = RESULTS) -> list[Row]:
    """The rows that a study has stored."""
    return read(folder / f"{study.name}.csv")


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def number(value: Any, digits: int = 4) -> str:
    """A figure for a table; empty if there is none."""
    if value is None or value == "" or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, (int, float)):
        return f"{value:.{digits}g}" if abs(value) < 1e5 else f"{value:,.0f}"
    return str(value)
