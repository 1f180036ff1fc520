"""Checks of what a user says, each written once: whole numbers, choices, and names that are nearly right."""

from __future__ import annotations

import difflib
import numbers
from collections.abc import Iterable

from .errors import OptionError

__all__ = ["did_you_mean", "one_of", "whole_number", "whole_or_none"]


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """What to say of a name that nobody knows: the nearest known one, or all of them.

    Examples
    --------
    >>> did_you_mean("time_limt", ["seed", "time_limit"])
    "did you mean 'time_limit'?"
    >>> did_you_mean("colour", ["seed", "time_limit"])
    'known: seed, time_limit'
    """
    names = list(known)
    close = difflib.get_close_matches(str(word), names, n=1, cutoff=0.5)
    return f"did you mean {close[0]!r}?" if close else f"known: {', '.join(names)}"


def whole_number(value: object, name: str, *, least: int = 1) -> int:
    """An option that is a whole number of at least `least`; else an error that names it.

    Examples
    --------
    >>> whole_number(3, "K")
    3
    >>> whole_number(2.5, "K")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: K must be a whole number >= 1, not 2.5
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < least:
        raise OptionError(f"{name} must be a whole number >= {least}, not {value!r}")
    return int(value)


def whole_or_none(value: object, name: str) -> int | None:
    """An option that is a whole number of at least 1, or None for no limit; else an error that names it."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise OptionError(f"{name} must be None or a whole number >= 1, not {value!r}")
    return int(value)


def one_of(value: object, name: str, choices: Iterable[str]) -> str:
    """An option that is one of a few words; else an error that names them all.

    Examples
    --------
    >>> one_of("lip", "selection", ("auto", "search", "ilp"))
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: selection must be 'auto', 'search' or 'ilp', not 'lip'
    """
    words = list(choices)
    if isinstance(value, str) and value in words:
        return value
    *first, last = [repr(word) for word in words]
    raise OptionError(f"{name} must be {', '.join(first)} or {last}, not {value!r}")
