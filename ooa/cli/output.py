"""How the command speaks: text that any terminal can show, aligned tables, notes and JSON."""

from __future__ import annotations

import argparse
import json
import math
import os
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, suppress
from fractions import Fraction
from io import TextIOWrapper
from typing import Any, TextIO, cast

from ooa.clock import CLOCK, Clock
from ooa.errors import OptionError
from ooa.keeping import why_not_writable

#: What is written where the terminal or the file cannot take the sign.
_ASCII = str.maketrans(
    {"≤": "<=", "≥": ">=", "≠": "!=", "∈": "IN", "∧": "AND", "∨": "OR", "→": "->", "–": "-"}
)
#: Seconds between two lines of progress in a pipe.
EVERY = 5.0


def prepare_streams() -> None:
    """Make sure that no character of the user's data can break the output, nor a stream that is closed."""
    for name in ("stdin", "stdout", "stderr"):  # in the order of their numbers
        if getattr(sys, name) is None:
            nowhere = os.fdopen(os.open(os.devnull, os.O_RDWR), "r" if name == "stdin" else "w")
            setattr(sys, name, nowhere)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(text: object = "") -> None:
    """Write lines to standard output."""
    words = str(text)
    try:
        words.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        words = words.translate(_ASCII)
    print(words)


def note(text: str) -> None:
    """Say something beside the result, on standard error."""
    aside(f"note: {' '.join(text.split())}")


def aside(text: str) -> None:
    """Write lines beside the result, on standard error; nobody has to listen there."""
    try:
        print(text, file=sys.stderr, flush=True)
    except OSError:
        be_silent(sys.stderr)


def be_silent(stream: TextIO) -> None:
    """Have whatever is still written to a stream go nowhere, also while Python shuts down."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def refuse_unwritable(arguments: argparse.Namespace, *options: str) -> None:
    """Say before anything is done that a file which an option names cannot be written."""
    for option in options:
        place = getattr(arguments, option)
        reason = None if place is None else why_not_writable(place)
        if reason is not None:
            raise OptionError(f"--{option} {place}: {reason}")


def say_json(document: Mapping[str, Any]) -> None:
    """Write a document for machines."""
    print(json_text(document), end="")


def json_text(document: Mapping[str, Any]) -> str:
    """A document as JSON in ASCII, indented, with a line end."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def finite(value: float | None) -> float | None:
    """A number that JSON has, or None."""
    return value if value is not None and math.isfinite(value) else None


def exactly(value: Fraction | None) -> dict[str, Any] | None:
    """A number for machines: as a fraction, exactly, and as a decimal."""
    return None if value is None else {"exact": str(value), "value": float(value)}


def bold(text: str) -> str:
    """The text in bold, on a terminal that wants it."""
    wanted = sys.stdout.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    return f"\033[1m{text}\033[0m" if wanted else text


def text_table(
    head: Sequence[str], rows: Sequence[Sequence[object]], left: Sequence[int] = (0,), again: int = 0
) -> str:
    """Columns with a head, aligned; on a terminal that is too narrow, lines are cut, or columns follow below.

    Parameters
    ----------
    head : the names of the columns
    rows : their cells
    left : the columns that are text; the others are right-aligned
    again : with how many of the first columns those begin that follow below; 0: lines are cut

    Examples
    --------
    >>> print(text_table(["name", "rows"], [["heart", 270], ["adult", 48842]]))
    name    rows
    heart    270
    adult  48842
    """
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *cells)]

    most = shutil.get_terminal_size().columns if sys.stdout.isatty() else None

    def line(row: Sequence[str], columns: Sequence[int]) -> str:
        parts = [row[j].ljust(widths[j]) if j in left else row[j].rjust(widths[j]) for j in columns]
        text = "  ".join(parts).rstrip()
        return text if most is None or len(text) <= most else text[: most - 3] + "..."

    every = list(range(len(head)))
    parts = [every] if most is None or not again else _that_fit(widths, most, again)
    return "\n\n".join(
        "\n".join([bold(line(head, some)), *(line(row, some) for row in cells)]) for some in parts
    )


def _that_fit(widths: Sequence[int], most: int, again: int) -> list[list[int]]:
    """Columns that stand side by side, each time after the first ones again."""
    parts = [list(range(again))]
    for j in range(again, len(widths)):
        if len(parts[-1]) > again and sum(widths[k] + 2 for k in [*parts[-1], j]) - 2 > most:
            parts.append(list(range(again)))
        parts[-1].append(j)
    return parts


@contextmanager
def following(quiet: bool) -> Iterator[bool]:
    """Whether to show progress while the block runs: a live line on a terminal, plain lines elsewhere."""
    if quiet or sys.stderr.isatty():
        yield not quiet
        return
    with redirect_stderr(cast(TextIO, PlainLines(sys.stderr))):
        yield True


class Aside:
    """A stream beside the result: what is written to it ends nothing if nobody listens any more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Pass text on, as long as somebody takes it."""
        try:
            self._stream.write(text)
        except OSError:
            be_silent(self._stream)
        return len(text)

    def flush(self) -> None:
        """Flush what was passed on."""
        try:
            self._stream.flush()
        except OSError:
            be_silent(self._stream)

    def isatty(self) -> bool:
        """No terminal: lines are not to be rewritten."""
        return False


class PlainLines(Aside):
    """One that turns a live line, rewritten in place, into a plain line every few seconds."""

    def __init__(self, stream: TextIO, clock: Clock = CLOCK) -> None:
        super().__init__(stream)
        self._clock = clock
        self._last = clock.now()

    def write(self, text: str) -> int:
        """Pass text on; of a live line, only what is new for a while."""
        if not text.startswith("\r"):
            return super().write(text)
        if text.strip() and (now := self._clock.now()) - self._last >= EVERY:
            self._last = now
            super().write(text.strip() + "\n")
        return len(text)
