"""Patterns: conjunctions of literals on different attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ooa.checks import listed_items
from ooa.errors import RuleError

from .literal import Literal
from .values import Ordered

__all__ = ["Pattern"]


@dataclass(frozen=True, slots=True, eq=False, init=False, repr=False)
class Pattern(Ordered):
    """A conjunction of literals, at most one per attribute.

    Parameters
    ----------
    literals : iterable of Literal
        At least one; kept in the order of their attributes.

    Examples
    --------
    >>> from ooa import Equal, Range
    >>> pattern = Pattern([Range("bmi", low=25), Equal("snores", True)])
    >>> print(pattern)
    bmi ≥ 25 AND snores = true
    >>> len(pattern), pattern.attributes
    (2, ('bmi', 'snores'))
    """

    _family = "pattern"

    literals: tuple[Literal, ...]

    def __init__(self, literals: Iterable[Literal]) -> None:
        if isinstance(literals, Literal):
            raise RuleError(f"A pattern takes a list of literals: write Pattern([{literals!r}])")
        ordered = listed_items(literals, "literals", object, "literals")
        for literal in ordered:
            if not isinstance(literal, Literal):
                raise RuleError(f"A pattern is made of literals, not of {literal!r}")
        ordered = tuple(sorted(ordered))
        if not ordered:
            raise RuleError("A pattern needs at least one literal: literals is empty")
        for one, other in pairwise(ordered):
            if one.attribute == other.attribute:
                raise RuleError(
                    f"A pattern has one literal per attribute, but '{one}' and '{other}' are both on "
                    f"{one.attribute!r}: join them with & to intersect them"
                )
        object.__setattr__(self, "literals", ordered)

    @classmethod
    def conjunction(cls, *parts: Literal | Pattern) -> Pattern:
        """Return the pattern in which all the given literals and patterns hold.

        Literals on the same attribute are intersected; the result may be empty.

        Raises
        ------
        RuleError
            If no single literal says what two of them say together, as with two different `NotEqual`.

        Examples
        --------
        >>> from ooa import Equal, Range
        >>> print(Range("age", low=30) & Range("age", high=50) & Equal("smoker", False))
        30 ≤ age ≤ 50 AND smoker = false
        """
        from .algebra import intersect

        by_attribute: dict[str, list[Literal]] = {}
        for part in parts:
            for literal in (part,) if isinstance(part, Literal) else part.literals:
                by_attribute.setdefault(literal.attribute, []).append(literal)
        return cls(intersect(*literals) for literals in by_attribute.values())

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Read a pattern from its printed form.

        Examples
        --------
        >>> Pattern.parse("age >= 30 AND colour IN {red, blue}")
        Pattern.parse('age ≥ 30 ∧ colour ∈ {blue, red}')
        """
        from .parsing import parse_pattern

        return parse_pattern(text)

    def _key(self) -> tuple[Any, ...]:
        return (len(self.literals), tuple(literal._key() for literal in self.literals))

    @property
    def attributes(self) -> tuple[str, ...]:
        """The names of the attributes, in order."""
        return tuple(literal.attribute for literal in self.literals)

    @property
    def is_empty(self) -> bool:
        """Whether no row at all can satisfy the pattern."""
        return any(literal.is_empty for literal in self.literals)

    def implies(self, other: Pattern) -> bool:
        """Return whether the form of the patterns shows that `other` covers every row that this one covers.

        Examples
        --------
        >>> Pattern.parse("age >= 40 AND smoker = true").implies(Pattern.parse("age >= 30"))
        True
        """
        return self.is_empty or all(any(mine.implies(its) for mine in self) for its in other)

    def __len__(self) -> int:
        return len(self.literals)

    def __iter__(self) -> Iterator[Literal]:
        return iter(self.literals)

    def __and__(self, other: Literal | Pattern) -> Pattern:
        return Pattern.conjunction(self, other)

    def __str__(self) -> str:
        return self._text(compact=False)

    def __repr__(self) -> str:
        return f"Pattern.parse({self._text(compact=True)!r})"

    def _text(self, compact: bool) -> str:
        """The pattern as `parse` reads it: with the order of the levels that it has ranges of."""
        from .text import levels_text, pattern_text

        text, levels = pattern_text(self, compact=compact), levels_text([self])
        return f"{text} {levels}" if levels else text
