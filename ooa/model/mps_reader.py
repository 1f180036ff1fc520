"""Read MPS files: our own exactly, and other programs' as long as names hold no blanks."""

from __future__ import annotations

import math
import os
import re
import warnings
from collections.abc import Iterable
from typing import IO

import numpy as np

from ooa.errors import FormatError, ModelError, OOAWarning

from .file_names import regroup, unescape
from .milp import Milp
from .sparse import sp

#: Starts the comment that gives both sides of a range which `rhs + |R|` cannot express exactly.
RANGE_NOTE = "*ooa-range"

_SECTIONS = ("NAME", "OBJSENSE", "ROWS", "COLUMNS", "RHS", "RANGES", "BOUNDS", "ENDATA")
_WITH_TEXT = ("NAME", "OBJSENSE")
_VALUELESS = ("FR", "MI", "PL", "BV")
#: A number as Fortran prints it: 1.0D3 is 1000.
_FORTRAN = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+))[dD]([-+]?\d+)")


def read_mps(source: str | os.PathLike[str] | IO[str]) -> Milp:
    """Read a model from an MPS file, free format or blank-separated fixed format.

    The usual conventions hold: the first `N` row is the objective and further ones are free rows;
    an integer column without any bound is binary; a negative upper bound without a lower one opens
    the lower side; what begins with `$` or `*` after the first two words of a line, and is no name, is a
    comment; 1.0D3 is 1000. A maximisation is read as the minimisation of the negated objective, with a
    warning.

    Parameters
    ----------
    source : a path, or a text stream

    Raises
    ------
    FormatError
        For a malformed or unsupported file; the message names the line.

    Examples
    --------
    >>> import io
    >>> from ooa.model.mps_writer import write_mps
    >>> milp = Milp([1.0, 2.0], [[1, 1]], [1], [np.inf], [0, -np.inf], [1, 5], [True, False], offset=3)
    >>> text = io.StringIO()
    >>> write_mps(milp, text)
    >>> read_mps(io.StringIO(text.getvalue())) == milp
    True
    """
    if isinstance(source, (str, os.PathLike)):
        with open(source, encoding="utf-8", errors="replace") as stream:
            return _Reader().read(stream)
    return _Reader().read(source)


class _Reader:
    """What has been read so far, line by line."""

    def __init__(self) -> None:
        self.line = 0
        self.name = "model"
        self.maximise = False
        self.objective: str | None = None
        self.rows: dict[str, int] = {}
        self.kinds: list[str] = []
        self.columns: dict[str, int] = {}
        self.integer: list[bool] = []
        self.in_integers = False
        self.current = ""
        self.entry_rows: list[int] = []
        self.entry_columns: list[int] = []
        self.entry_values: list[float] = []
        self.costs: dict[int, float] = {}
        self.offset = 0.0
        self.rhs: dict[int, float] = {}
        self.ranges: dict[int, float] = {}
        self.exact: dict[str, tuple[float, float]] = {}
        self.lower: dict[int, float] = {}
        self.upper: dict[int, float] = {}

    def read(self, stream: Iterable[str]) -> Milp:
        section = ""
        take = {
            "OBJSENSE": self._sense,
            "ROWS": self._row,
            "COLUMNS": self._column,
            "RHS": self._rhs,
            "RANGES": self._range,
            "BOUNDS": self._bound,
        }
        for self.line, text in enumerate(stream, start=1):
            tokens = text.split()
            if not tokens:
                continue
            if text[0] == "*":
                if tokens[0] == RANGE_NOTE and len(tokens) == 4:
                    self.exact[tokens[1]] = self._number(tokens[2]), self._number(tokens[3])
                continue
            if not text[0].isspace() and self._is_header(tokens):
                section = tokens[0].upper()
                if section == "ENDATA":
                    return self._milp()
                if section == "NAME" and len(tokens) > 1:
                    self.name = unescape(tokens[1])
                elif section == "OBJSENSE" and len(tokens) > 1:
                    self._sense(tokens[1:])
            elif section in take:
                noted = "$" in text or "*" in text
                take[section](self._without_comment(tokens) if noted else tokens)
            else:
                raise self._error(f"{tokens[0]!r} stands in no section")
        raise FormatError(f"line {self.line}: the file ends without ENDATA")

    def _is_header(self, tokens: list[str]) -> bool:
        word = tokens[0].upper()
        if word in _SECTIONS:
            return len(tokens) == 1 or word in _WITH_TEXT
        if len(tokens) == 1:
            raise self._error(f"section {tokens[0]!r} is not supported")
        return False

    def _without_comment(self, tokens: list[str]) -> list[str]:
        for k, token in enumerate(tokens):
            if k >= 2 and token[0] in "$*" and token not in self.rows and token not in self.columns:
                return tokens[:k]
        return tokens

    def _sense(self, tokens: list[str]) -> None:
        word = tokens[0].upper()
        if word not in ("MAX", "MAXIMIZE", "MIN", "MINIMIZE"):
            raise self._error(f"objective sense {tokens[0]!r} is neither MIN nor MAX")
        self.maximise = word.startswith("MAX")

    def _row(self, tokens: list[str]) -> None:
        kind = tokens[0].upper()
        if len(tokens) != 2 or kind not in ("N", "L", "G", "E"):
            raise self._error("a row needs one of N, L, G, E and a name without blanks")
        name = tokens[1]
        if name in self.rows or name == self.objective:
            raise self._error(f"row {name!r} is there twice")
        if kind == "N" and self.objective is None:
            self.objective = name
        else:
            self.rows[name] = len(self.kinds)
            self.kinds.append(kind)

    def _column(self, tokens: list[str]) -> None:
        if len(tokens) >= 3 and tokens[1] == "'MARKER'":
            if tokens[2] not in ("'INTORG'", "'INTEND'"):
                raise self._error(f"marker {tokens[2]} is not supported")
            self.in_integers = tokens[2] == "'INTORG'"
            return
        name = tokens[0]
        if name != self.current:
            if name in self.columns:
                raise self._error(f"column {name!r} is there in two places")
            self.current = name
            self.columns[name] = len(self.integer)
            self.integer.append(self.in_integers)
        if len(tokens) not in (3, 5):
            raise self._error(f"column {name!r} needs one or two pairs of row and value")
        column = len(self.integer) - 1
        for row, text in zip(tokens[1::2], tokens[2::2]):
            value = self._number(text)
            i = self.rows.get(row)
            if i is not None:
                self.entry_rows.append(i)
                self.entry_columns.append(column)
                self.entry_values.append(value)
            elif row != self.objective:
                raise self._error(f"unknown row {row!r}")
            elif column in self.costs:
                raise self._error(f"the cost of column {name!r} is there twice")
            else:
                self.costs[column] = value

    def _rhs(self, tokens: list[str]) -> None:
        for row, value in self._pairs(tokens):
            if row == self.objective:
                self.offset = -value
            else:
                self.rhs[self._known_row(row)] = value

    def _range(self, tokens: list[str]) -> None:
        for row, value in self._pairs(tokens):
            if row != self.objective:
                self.ranges[self._known_row(row)] = value

    def _pairs(self, tokens: list[str]) -> list[tuple[str, float]]:
        """Pairs of row and value; an odd number of words means that a set name leads."""
        pairs = tokens[len(tokens) % 2 :]
        if not pairs:
            raise self._error("a row and a value are missing")
        return [(row, self._number(value)) for row, value in zip(pairs[::2], pairs[1::2])]

    def _known_row(self, row: str) -> int:
        if row not in self.rows:
            raise self._error(f"unknown row {row!r}")
        return self.rows[row]

    def _bound(self, tokens: list[str]) -> None:
        kind = tokens[0].upper()
        value = 0.0
        if kind in _VALUELESS:
            named = len(tokens) > 2 and tokens[2] in self.columns  # otherwise the set's name is left out
            column = tokens[2] if named else tokens[min(1, len(tokens) - 1)]
        elif kind in ("LO", "UP", "FX", "LI", "UI"):
            if len(tokens) not in (3, 4):
                raise self._error(f"bound {kind} needs a column and a value")
            column, value = tokens[-2], self._number(tokens[-1])
        else:
            raise self._error(f"bound type {tokens[0]!r} is not supported")
        if column not in self.columns:
            raise self._error(f"unknown column {column!r}")
        j = self.columns[column]
        if kind in ("BV", "LI", "UI"):
            self.integer[j] = True
        if kind in ("LO", "LI", "FX"):
            self.lower[j] = value
        if kind in ("UP", "UI", "FX"):
            self.upper[j] = value
            if value < 0 and j not in self.lower:
                self.lower[j] = -math.inf
        if kind in ("FR", "MI"):
            self.lower[j] = -math.inf
        if kind in ("FR", "PL"):
            self.upper[j] = math.inf
        if kind == "BV":
            self.lower[j], self.upper[j] = 0.0, 1.0

    def _number(self, text: str) -> float:
        fortran = _FORTRAN.fullmatch(text)
        try:
            value = float(f"{fortran[1]}e{fortran[2]}" if fortran else text)
        except ValueError:
            raise self._error(f"{text!r} is no number") from None
        if math.isnan(value):
            raise self._error("a value is not a number (NaN)")
        return value

    def _error(self, message: str) -> FormatError:
        return FormatError(f"line {self.line}: {message}")

    def _milp(self) -> Milp:
        m, n = len(self.kinds), len(self.integer)
        sides = [self._sides(i, kind) for i, kind in enumerate(self.kinds)]
        for name, pair in self.exact.items():
            if name in self.rows:
                sides[self.rows[name]] = pair
        untouched = (j for j in range(n) if self.integer[j] and j not in self.lower and j not in self.upper)
        upper = {**self.upper, **dict.fromkeys(untouched, 1.0)}
        entries = (self.entry_rows, self.entry_columns)
        matrix = sp.coo_array((self.entry_values, entries), shape=(m, n), dtype=np.float64)
        self._check_repeats(n)
        cost = np.zeros(n)
        cost[list(self.costs)] = list(self.costs.values())
        sign = 1.0
        if self.maximise:
            sign = -1.0
            warnings.warn(
                "the file maximises; read as the minimisation of the negated objective",
                OOAWarning,
                stacklevel=4,
            )
        try:
            return Milp(
                sign * cost,
                matrix.tocsr(),
                np.array([low for low, _ in sides], dtype=np.float64),
                np.array([high for _, high in sides], dtype=np.float64),
                np.array([self.lower.get(j, 0.0) for j in range(n)], dtype=np.float64),
                np.array([upper.get(j, math.inf) for j in range(n)], dtype=np.float64),
                np.array(self.integer, dtype=bool),
                sign * self.offset,
                columns=regroup([unescape(name) for name in self.columns]),
                rows=regroup([unescape(name) for name in self.rows]),
                name=self.name,
            )
        except ModelError as error:
            raise FormatError(f"the file's model is wrong: {error}") from error

    def _sides(self, i: int, kind: str) -> tuple[float, float]:
        """Lower and upper side of a row; the sign of a range matters for equations only."""
        rhs, width = self.rhs.get(i, 0.0), self.ranges.get(i)
        if kind == "N":
            return -math.inf, math.inf
        if width is None:
            return (-math.inf if kind == "L" else rhs), (math.inf if kind == "G" else rhs)
        if kind == "G" or (kind == "E" and width >= 0):
            return rhs, rhs + abs(width)
        return rhs - abs(width), rhs

    def _check_repeats(self, n: int) -> None:
        keys = np.array(self.entry_rows, dtype=np.int64) * n + np.array(self.entry_columns, dtype=np.int64)
        unique, counts = np.unique(keys, return_counts=True)
        if len(unique) < len(keys):
            i, j = divmod(int(unique[np.argmax(counts > 1)]), n)
            raise FormatError(f"column {list(self.columns)[j]!r} names row {list(self.rows)[i]!r} twice")
