"""Which test noticed each mutant last. It is tried first, so that a whole table takes minutes, not hours.

A test that is gone, or notices nothing any more, costs its own time only: all tests are run then.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from pathlib import Path

from mutant_list import Mutant
from store import Row, read

#: Beside what else was measured, for the next version.
FILE = Path(__file__).parent / "measured" / "mutants.csv"
COLUMNS = ("group", "mutant", "killer", "seconds")


class Killers:
    """The tests, by mutant, as they are written down in a file.

    Parameters
    ----------
    path : the file
    remembers : whether `of` says what was found before
    """

    def __init__(self, path: Path = FILE, *, remembers: bool = True) -> None:
        self.path, self._remembers = path, remembers
        self._rows: dict[str, Row] = {row["mutant"]: row for row in read(path)}

    def of(self, mutant: str) -> str:
        """The test that noticed a mutant last; nothing if there is none, or it is not to be remembered."""
        row = self._rows.get(mutant) if self._remembers else None
        return str(row["killer"]) if row else ""

    def keep(self, groups: Mapping[str, Iterable[Mutant]], found: Row) -> None:
        """Write down by which test a mutant was killed, if that is another one now, or that none did.

        Parameters
        ----------
        groups : all mutants there are: the file is in their order, and has no others
        found : "mutant", "status", "by" and "seconds"
        """
        name = found["mutant"]
        killer = str(found["by"]) if str(found["status"]).startswith("killed") else ""
        old = self._rows.pop(name, None)
        if killer:
            same = old is not None and old["killer"] == killer
            self._rows[name] = old if same and old else found | {"killer": killer}
        rows = [
            self._rows[key] | {"group": group}
            for group, mutants in groups.items()
            for key in (f"{one.file} {one.name}" for one in mutants)
            if key in self._rows
        ]
        draft = self.path.with_suffix(".part")
        with draft.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore", lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        draft.replace(self.path)
