"""What CBC prints and writes, made into numbers: its log, the solution's first line, the binary file."""

from __future__ import annotations

import math
import re
from collections import deque
from pathlib import Path

import numpy as np

from ooa.model import FloatArray
from ooa.solving import Termination

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
#: CBC 2.10: Cbc0010I After 12 nodes, 3 on tree, -251 best solution, best possible -259.57 (0.03 seconds)
_NODES = re.compile(rf"After (\d+) nodes, .*?({_NUMBER}) best solution, best possible ({_NUMBER})")
#: CBC 2.10: Cbc0012I Integer solution of -248 found by ... after 53 iterations and 0 nodes (0.03 seconds)
_INTEGER = re.compile(rf"Integer solution of ({_NUMBER}) found .*?(\d+) nodes")
#: newer: nodes, on tree, depth, best solution, method, best bound, gap, seconds; a dash where unknown
_TABLE = re.compile(
    rf"^[ ★]*(\d[\d.]*)([KM]?) +\S+ +\S+ +({_NUMBER}|—) .*?({_NUMBER}) +(?:\S+%|—) +{_NUMBER}\s*$"
)
_ACCEPTED = re.compile(rf"MIPStart provided solution with cost ({_NUMBER})")
_BOUND = re.compile(rf"^(?:Lower|Upper) bound: +({_NUMBER})")
_ENUMERATED = re.compile(r"^Enumerated nodes: +(\d+)")
_REFUSED = re.compile(
    r"was provided for \w+ - valid range|is illegal for \w+ parameter|^Illegal (?:keyword|parameter)"
    r"|^<?Possible options for \w+ are|^No match for \S+ - \?|^Unrecognized parameter"
)

LineProgress = tuple[float | None, float | None, int | None]


class CbcLog:
    """Reads CBC's log as it comes and keeps what matters for the result."""

    def __init__(self) -> None:
        self.start_used = False
        self.bound: float | None = None
        self.nodes: int | None = None
        self.refused: str | None = None
        self.signalled = False
        self._incumbent: float | None = None
        self._possible: float | None = None
        self._tail: deque[str] = deque(maxlen=15)

    @property
    def tail(self) -> str:
        """The last lines, for an error message."""
        return "\n".join(self._tail)

    def read(self, line: str) -> LineProgress | None:
        """Take in one line; returns incumbent, bound and nodes when it tells of progress."""
        if line.strip():
            self._tail.append(line.rstrip())
        if found := _BOUND.match(line):
            self.bound = rounded_down(found[1])
        elif found := _ENUMERATED.match(line):
            self.nodes = int(found[1])
        elif found := _ACCEPTED.search(line):
            self.start_used = True
            return self._progress(found[1], None, 0)
        elif found := _NODES.search(line):
            return self._progress(found[2], found[3], int(found[1]))
        elif found := _INTEGER.search(line):
            return self._progress(found[1], None, int(found[2]))
        elif found := _TABLE.match(line):
            nodes = float(found[1]) * {"": 1, "K": 1e3, "M": 1e6}[found[2]]
            return self._progress(None if found[3] == "—" else found[3], found[4], int(nodes))
        elif line.startswith("Result - User ctrl-c"):
            self.signalled = True
        elif self.refused is None and _REFUSED.search(line):
            self.refused = line.strip()
        return None

    def _progress(self, incumbent: str | None, bound: str | None, nodes: int) -> LineProgress:
        if incumbent is not None and abs(float(incumbent)) < 1e30:
            self._incumbent = float(incumbent)
        if bound is not None and abs(float(bound)) < 1e30:
            self._possible = rounded_down(bound)
        return self._incumbent, self._possible, nodes


def rounded_down(text: str) -> float:
    """A lower bound that stays one although it was printed rounded, to 3 decimals or 6 to 8 digits.

    Examples
    --------
    >>> rounded_down("-9464.681"), rounded_down("-1.5e+06")
    (-9464.6815, -1500005.0)
    """
    value = float(text)
    mantissa, _, exponent = text.lower().partition("e")
    decimals = len(mantissa.partition(".")[2])
    digits = len(re.sub(r"\D", "", mantissa).lstrip("0"))
    if digits > 6 and not exponent:
        half = 0.5 * 10.0**-decimals
    else:
        half = max(5e-4, 0.5 * 10.0 ** (math.floor(math.log10(abs(value))) - 5)) if value else 5e-4
    return value - half


def termination(first_line: str) -> Termination:
    """Why CBC stopped, by the first line of its solution file."""
    for beginning, meaning in (
        ("Optimal", Termination.OPTIMAL),
        ("Stopped on time", Termination.TIME_LIMIT),
        ("Stopped on iterations", Termination.NODE_LIMIT),
        ("Stopped on gap", Termination.GAP_LIMIT),
        ("Infeasible", Termination.INFEASIBLE),
        ("Integer infeasible", Termination.INFEASIBLE),
        ("Unbounded", Termination.UNBOUNDED),
    ):
        if first_line.startswith(beginning):
            return meaning
    return Termination.ERROR


def has_point(first_line: str) -> bool:
    """Whether the solution file holds an integer solution at all."""
    without = ("no integer", "not completed", "continuous used")
    return first_line.startswith(("Optimal", "Stopped")) and not any(w in first_line for w in without)


def read_point(path: Path, n_columns: int) -> FloatArray | None:
    """The column values of a binary solution; the text form has 8 digits only.

    The file holds two ints (rows, columns), the objective, then row activities, row duals, column
    values and reduced costs. Newer versions leave out rows they found redundant.
    """
    data = path.read_bytes() if path.exists() else b""
    if len(data) < 16:
        return None
    rows, columns = np.frombuffer(data[:8], dtype=np.int32).tolist()
    if columns != n_columns or len(data) != 16 + 16 * (rows + columns):
        return None
    values = np.frombuffer(data, dtype=np.float64, offset=16)
    return values[2 * rows : 2 * rows + columns].copy()
