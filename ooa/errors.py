"""Every exception the library raises on purpose: each is also the built-in a caller would expect."""

from __future__ import annotations

import re

__all__ = [
    "BackendUnavailable",
    "DataError",
    "FormatError",
    "InexactError",
    "InfeasibleConstraints",
    "LicenseLimit",
    "ModelError",
    "OOAError",
    "OOAWarning",
    "OptionError",
    "RuleError",
    "SolverError",
]

#: Words of so many characters are cut in messages; in those as long as that quotations are, and then lines.
_TOO_LONG, _LONG = 400, 2_000


def shortened(sentence: str) -> str:
    """A message without the whole of a name or text that nobody would read to its end.

    Examples
    --------
    >>> len(shortened(f"Column {'n' * 200_000!r} is empty"))
    120
    >>> shortened("Column 'age' is empty")
    "Column 'age' is empty"
    """
    short = re.sub(rf"\S{{{_TOO_LONG},}}", lambda found: f"{found[0][:101]}...", sentence)
    if len(short) < _LONG:
        return short
    quoted = rf"(['\"])(?:(?!\1).){{{_TOO_LONG},}}\1"
    short = re.sub(quoted, lambda found: f"{found[0][:101]}...{found[1]}", short, flags=re.DOTALL)
    if len(short) < _LONG:
        return short
    return re.sub(rf".{{{_LONG // 2},}}", lambda found: f"{found[0][:200]} ... {found[0][-200:]}", short)


class OOAError(Exception):
    """Base class of all errors of this library; very long names and texts are cut in what it says."""

    def __init__(self, *words: object) -> None:
        super().__init__(*(shortened(one) if isinstance(one, str) else one for one in words))


class ModelError(OOAError, ValueError):
    """A variable, row or coefficient of a model is wrong; the message names block and index."""


class FormatError(OOAError, ValueError):
    """A file or text cannot be read; the message names the line or the place."""


class DataError(OOAError, ValueError):
    """A table, column, row or label cannot be used; the message names it."""


class InexactError(DataError):
    """A number of a table is none that a float keeps; as a category it could be used."""


class RuleError(OOAError, ValueError):
    """A literal, pattern or rule set is malformed or does not fit the table at hand."""


class OptionError(OOAError, ValueError):
    """An option is unknown or has a value it cannot take; the message names it.

    Parameters
    ----------
    words : what is wrong
    option, value : the option that the words are about, by its name in Python, and what was given for it;
        interfaces that call it otherwise can say so
    """

    def __init__(self, words: str = "", option: str | None = None, value: object = None) -> None:
        super().__init__(words if option is None else f"{option}={value!r} {words}")
        self.words, self.option, self.value = words, option, value


class BackendUnavailable(OOAError, ImportError):
    """A backend's package, binary or licence is missing; the message says what to install."""


class LicenseLimit(OOAError, RuntimeError):
    """The solver's licence does not admit a model of this size."""


class InfeasibleConstraints(OOAError, ValueError):
    """No rule set meets the constraints; the message names a smallest set of them that conflict."""

    #: Whether that was found out over all patterns that were mined, those too that constraints exclude.
    over_all = False


class SolverError(OOAError, RuntimeError):
    """A solver failed, crashed or contradicted itself, and there is nothing usable to hand back."""


class OOAWarning(UserWarning):
    """Something the caller should know, although there is a result."""

    def __init__(self, *words: object) -> None:
        super().__init__(*(shortened(one) if isinstance(one, str) else one for one in words))
