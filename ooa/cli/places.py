"""Files that a command writes: none that it reads, and no other one twice."""

from __future__ import annotations

import argparse
import os

from ooa.errors import OptionError

__all__ = ["check_places"]

_READ = ("data", "model", "other", "test", "start")
_WRITTEN = {"save": "--save", "report": "--report", "output": "--output", "to": "--to"}


def check_places(arguments: argparse.Namespace) -> None:
    """Refuse a file to write that the same command reads: it may be the only copy.

    Examples
    --------
    >>> check_places(argparse.Namespace(data="a.csv", output="./a.csv"))
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: --output ./a.csv is a file that this command reads: choose another name
    """
    given = vars(arguments)
    for name in (*_READ, *_WRITTEN):
        place = given.get(name)
        if place is not None and (not place or "\0" in place):
            option = name if name in ("data", "model", "other") else f"--{name}"
            raise OptionError(f"{option} must name a file, which {place!r} does not")
    read = [place for name in _READ if (place := given.get(name)) is not None]
    written: list[str] = []
    for name, option in _WRITTEN.items():
        place = given.get(name)
        if place is None or (name == "to" and "model" in given):  # what is exported has a format
            continue
        if any(_same(place, other) for other in read):
            raise OptionError(f"{option} {place} is a file that this command reads: choose another name")
        if any(_same(place, other) for other in written):
            raise OptionError(f"{option} {place} is written by another option, too: choose another name")
        written.append(place)


def _same(one: str, other: str) -> bool:
    """Whether two names are of one file, by whatever way."""
    if os.path.exists(one) and os.path.exists(other):
        return os.path.samefile(one, other)
    return os.path.realpath(one) == os.path.realpath(other)
