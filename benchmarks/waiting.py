"""A fit with defaults, as whoever sits at a terminal meets it: is it ever silent, and do its cuts pay?

    python benchmarks/waiting.py
    python benchmarks/waiting.py --sets wine rare-4000
    python benchmarks/waiting.py --quick

Defaults but for the cuts: "auto" is the default, "mdl" has the fewer ones that labels alone ask for, and a
default fit should not end with a higher L than that. Silence is the longest time between the call and its
return without a new line on what takes itself for a terminal; the first three seconds are silent on purpose.
All times are seconds of the processor, so that it matters little what else the machine is doing.
"""

from __future__ import annotations

import argparse
import io
import itertools
import time
import warnings
from collections.abc import Iterable
from contextlib import redirect_stderr

import instances
from store import Row
from study import Study, Summary, number
from warming import ProcessorClock, warm_up

import ooa
from ooa.errors import OOAWarning
from ooa.learning.ooax import learn_ooax

CUTS = ("auto", "mdl")


class Screen(io.StringIO):
    """What takes itself for a terminal, and remembers when something was written."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: list[float] = [time.process_time()]

    def isatty(self) -> bool:
        """Yes."""
        return True

    def write(self, text: str) -> int:
        """Remember the moment."""
        self.moments.append(time.process_time())
        return len(text)

    def longest_silence(self) -> float:
        """The longest time without a word, up to now."""
        moments = [*self.moments, time.process_time()]
        return max(later - sooner for sooner, later in itertools.pairwise(moments))


class Waiting(Study):
    """Silence, and L against that over fewer cuts."""

    name = "waiting"
    title = "A fit with defaults"
    key = ("set", "cuts", "limit", "ooa")
    sets = ("benign", "wine", "digits", "mixed-20000", "rare-4000")
    quick_sets = ("rare-200",)

    def cells(self, arguments: argparse.Namespace) -> Iterable[Row]:
        """Both cuts side by side."""
        for name in arguments.sets:
            for cuts in CUTS:
                limit = float(arguments.time_limit)
                yield {"set": name, "cuts": cuts, "limit": limit, "ooa": ooa.__version__}

    def hard_limit(self, cell: Row) -> float:
        """On a machine that may be busy with others."""
        return 40 * float(cell["limit"]) + 300

    def told(self, row: Row) -> str:
        """Value and silence."""
        return f"L {number(row.get('L'))}, {row.get('seconds')} s, silent for {row.get('silence')} s"

    def measure(self, cell: Row) -> Row:
        """One fit."""
        table, screen = instances.table_of(cell["set"]), Screen()
        warm_up()
        limit = "auto" if cell["limit"] == self.time_limit else cell["limit"]
        screen.moments[0] = began = time.process_time()
        with warnings.catch_warnings(), redirect_stderr(screen):
            warnings.simplefilter("ignore", OOAWarning)
            learned = learn_ooax(table, thresholds=cell["cuts"], time_limit=limit, clock=ProcessorClock())
        silence = screen.longest_silence()
        return {
            "status": learned.certificate.headline,
            "L": float(learned.certificate.objective),
            "seconds": round(time.process_time() - began, 2),
            "silence": round(silence, 2),
        }

    def summary(self, rows: list[Row]) -> Summary:
        """Set by set."""
        result, by = Summary(), {(row["set"], row["cuts"]): row for row in rows if row.get("L") != ""}
        lines = []
        for name in dict.fromkeys(row["set"] for row in rows):
            line: Row = {"set": name}
            for cuts in CUTS:
                row = by.get((name, cuts), {})
                line |= {f"L, {cuts}": number(row.get("L")), f"{cuts}: s": number(row.get("seconds"), 3)}
                line[f"{cuts}: silent for s"] = number(row.get("silence"), 2)
            lines.append(line)
        result.tables["Each set"] = lines
        return result


STUDY = Waiting()

if __name__ == "__main__":
    STUDY.main()
