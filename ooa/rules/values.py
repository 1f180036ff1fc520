"""Plain values that rules are written in: how they are checked, compared and ordered."""

from __future__ import annotations

import math
from functools import total_ordering
from typing import Any, ClassVar

from ooa.data.columns import Category, canonical_value
from ooa.errors import DataError, RuleError

__all__ = ["Ordered", "check_category", "check_name", "finite", "value_key"]


@total_ordering
class Ordered:
    """Equality, order and hash from one key, among the members of one family."""

    __slots__ = ()
    _family: ClassVar[str]

    def _key(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ordered) or self._family != other._family:
            return NotImplemented
        return self._key() == other._key()

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Ordered) or self._family != other._family:
            return NotImplemented
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def value_key(value: Category) -> tuple[int, Any]:
    """Return what values are compared and sorted by: true/false, then numbers, then text.

    Python holds that ``True == 1``; as categories the two differ, while 1 and 1.0 do not.

    Examples
    --------
    >>> sorted(["b", 2, True, 1.5, "a"], key=value_key)
    [True, 1.5, 2, 'a', 'b']
    """
    if isinstance(value, bool):
        return (0, value)
    return (2, value) if isinstance(value, str) else (1, value)


def check_name(name: object, of: str = "attribute") -> None:
    """Raise unless the name of an attribute or target is text that can be written down."""
    if not isinstance(name, str):
        whose = "an attribute" if of == "attribute" else f"the {of}"
        raise RuleError(f"The name of {whose} must be text, not {name!r:.200}")
    _check_text("The name", name)


def check_category(role: str, value: object) -> Category:
    """Return a category's value in canonical form; `role` begins the sentence of the error."""
    try:
        canonical = canonical_value(value)
    except DataError as error:
        raise RuleError(f"{role}: {error}") from None
    if isinstance(canonical, str):
        _check_text(f"{role}: the text", canonical)
    else:
        finite(role, canonical)
    return canonical


def _check_text(role: str, text: str) -> None:
    """Raise on half characters, which no text file and no JSON reader keeps apart."""
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        raise RuleError(f"{role} {text!r} contains a lone surrogate, which is not a character")


def finite(role: str, number: Any) -> float:
    """Return a number as a finite float, or raise."""
    try:
        value = float(number)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise RuleError(f"{role}: {number!s:.30} is not a finite number")
    return value + 0.0  # -0.0 becomes 0.0
