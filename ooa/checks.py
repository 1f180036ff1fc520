"""Checks of what a user says, each written once: numbers, weights, choices, names that are nearly right."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .errors import DataError, OptionError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

__all__ = [
    "MOST_THREADS",
    "did_you_mean",
    "few_of",
    "function_or_none",
    "instance",
    "listed_items",
    "nearest",
    "number_from",
    "one_of",
    "truth",
    "weights",
    "whole_number",
    "whole_or_none",
]

#: No machine gains from more threads, and a solver may fill the memory with theirs.
MOST_THREADS = 1024
#: Nothing is counted up to here; whole numbers beyond it would overflow floats.
_ENDLESS = 2**62


def nearest(word: object, known: Iterable[str]) -> str | None:
    """The known name that a word is nearly, whatever its case; None if there is no such name.

    Examples
    --------
    >>> nearest("timelimt", ["Seed", "TimeLimit"])
    'TimeLimit'
    >>> print(nearest("colour", ["Seed", "TimeLimit"]))
    None
    """
    import difflib  # for mistakes only

    spelled = {name.lower(): name for name in known}
    close = difflib.get_close_matches(str(word).lower(), spelled, n=1, cutoff=0.5)
    return spelled[close[0]] if close else None


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
    close = nearest(word, names)
    return f"did you mean {close!r}?" if close is not None else f"known: {', '.join(names)}"


def few_of(words: Iterable[object], most: int = 10) -> str:
    """The first of some words for a message, and dots if there are more.

    Examples
    --------
    >>> few_of(["a", "b"]), few_of(map(repr, ["a", "b", "c"]), most=2)
    ('a, b', "'a', 'b', ...")
    """
    listed = [str(word) for word in words]
    return ", ".join([*listed[:most], *(["..."] if len(listed) > most else [])])


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
        raise OptionError(f"{name} must be a whole number >= {least}, not {value!r:.200}")
    return min(int(value), _ENDLESS)


def whole_or_none(value: object, name: str) -> int | None:
    """An option that is a whole number of at least 1, or None for no limit; else an error that names it."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < 1:
        raise OptionError(f"{name} must be None or a whole number >= 1, not {value!r:.200}")
    return min(int(value), _ENDLESS)


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
    raise OptionError(f"{name} must be {', '.join(first)} or {last}, not {value!r:.200}")


def truth(value: object, name: str) -> bool:
    """An option that is true or false, of Python or numpy: the text "false" would count as true.

    Examples
    --------
    >>> truth("false", "ranges")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: ranges must be True or False, not 'false'
    """
    if isinstance(value, bool) or (type(value).__name__ in ("bool", "bool_") and hasattr(value, "dtype")):
        return bool(value)
    raise OptionError(f"{name} must be True or False, not {value!r:.200}")


def number_from(value: object, name: str, *, least: float = 0.0, finite: bool = True) -> float:
    """An option that is a number of at least `least`; true and false are none, and neither is NaN.

    Examples
    --------
    >>> number_from(2, "gamma")
    2.0
    >>> number_from(float("nan"), "gamma")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: gamma must be a number >= 0, not nan
    """
    try:
        number = float(value) if isinstance(value, numbers.Real) else math.nan
    except OverflowError:
        number = math.inf
    if isinstance(value, bool) or not number >= least or (finite and number == math.inf):
        raise OptionError(f"{name} must be a number >= {least:g}, not {value!r:.200}")
    return number


def instance(value: object, name: str, kind: type, words: str) -> None:
    """Raise unless an option is of a type.

    Examples
    --------
    >>> instance(3, "policy", dict, "a dict")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: policy must be a dict, not 3
    """
    if not isinstance(value, kind):
        raise OptionError(f"{name} must be {words}, not {value!r:.200}")


def function_or_none(value: object, name: str) -> None:
    """Raise unless an option is a function or None."""
    if value is not None and not callable(value):
        raise OptionError(f"{name} must be None or a function, not {value!r:.200}")


def listed_items(value: object, name: str, kind: type, words: str) -> tuple[Any, ...]:
    """An option that is a collection of something, as a tuple; text is none.

    Examples
    --------
    >>> listed_items([1, 2], "rows", int, "numbers")
    (1, 2)
    >>> listed_items([1, "b"], "rows", int, "numbers")
    Traceback (most recent call last):
        ...
    ooa.errors.OptionError: rows must be a collection of numbers, but 'b' is none
    """
    single = isinstance(value, (str, bytes)) or getattr(value, "ndim", 1) == 0
    if single or not isinstance(value, Iterable):
        raise OptionError(f"{name} must be a collection of {words}, not {value!r:.200}")
    items = tuple(value)
    for item in items:
        if not isinstance(item, kind):
            raise OptionError(f"{name} must be a collection of {words}, but {item!r:.200} is none")
    return items


def weights(values: ArrayLike, n_rows: int, name: str = "sample_weight") -> NDArray[np.float64]:
    """What every row counts for, one finite number each and none negative; else an error that names the row.

    Examples
    --------
    >>> weights([1, 0.5], 2).tolist()
    [1.0, 0.5]
    >>> weights([1, -0.5], 2)
    Traceback (most recent call last):
        ...
    ooa.errors.DataError: sample_weight in row 1 is -0.5: weights must be finite and not negative
    """
    import numpy as np  # only here: the command line checks options without waiting for it

    given = np.asarray(values, dtype=np.float64)
    if given.shape != (n_rows,):
        size = f"{len(given)} values" if given.ndim == 1 else f"the shape {given.shape}"
        raise DataError(f"{name} has {size} for {n_rows} rows")
    bad = np.flatnonzero(~(np.isfinite(given) & (given >= 0)))
    if len(bad):
        raise DataError(f"{name} in row {bad[0]} is {given[bad[0]]}: weights must be finite and not negative")
    return given
