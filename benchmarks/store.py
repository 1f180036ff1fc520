"""Finished cells of a study in a CSV file: written one by one, so that a rerun goes on where it stopped."""

from __future__ import annotations

import csv
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from common import PRIVATE, columns_of, save_machine

Row = dict[str, Any]


class Store:
    """Rows that were measured before, and those being measured now.

    Parameters
    ----------
    path : the CSV file
    key : the columns that say which cell a row is of
    """

    def __init__(self, path: Path, key: Sequence[str]) -> None:
        self.path, self.key = path, tuple(key)
        self.rows: list[Row] = read(path)

    def find(self, cell: Mapping[str, Any]) -> Row | None:
        """The row of a cell, or None if it was not measured yet."""
        wanted = self._key_of(cell)
        return next((row for row in self.rows if self._key_of(row) == wanted), None)

    def add(self, row: Row) -> None:
        """Keep a row, and write it unless its figures may not be published."""
        fits = set(row) <= set(columns_of(self.public)) and self.path.exists()
        self.rows.append(row)
        if row.get("backend") in PRIVATE:
            return
        if not fits:  # the first row of all, or one with a new column
            self._rewrite()
            return
        with self.path.open("a", newline="", encoding="utf-8") as file:
            csv.DictWriter(file, columns_of(self.public)).writerow(row)
            file.flush()
            os.fsync(file.fileno())

    def forget(self, cells: Sequence[Mapping[str, Any]]) -> None:
        """Drop the rows of some cells, so that they are measured again."""
        gone = {self._key_of(cell) for cell in cells}
        self.rows = [row for row in self.rows if self._key_of(row) not in gone]
        if self.path.exists():
            self._rewrite()

    @property
    def public(self) -> list[Row]:
        """The rows that may be written down."""
        return [row for row in self.rows if row.get("backend") not in PRIVATE]

    def _rewrite(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        draft = self.path.with_suffix(".part")
        with draft.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns_of(self.public))
            writer.writeheader()
            writer.writerows(self.public)
        draft.replace(self.path)
        save_machine(self.path)

    def _key_of(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        return tuple(str(row.get(name, "")) for name in self.key)


def read(path: Path) -> list[Row]:
    """The rows of a CSV file with numbers as numbers; none if there is no such file."""
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        return [{name: _value(text or "") for name, text in row.items()} for row in csv.DictReader(file)]


def _value(text: str) -> Any:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return {"True": True, "False": False}.get(text, text)
