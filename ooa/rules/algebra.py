"""What follows from the form of literals and patterns alone: what implies what, and what can be merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import reduce
from itertools import chain, product
from operator import or_

from ooa.data.columns import Category
from ooa.errors import RuleError

from .levels import LevelRange
from .literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from .pattern import Pattern
from .values import value_key

__all__ = ["implies", "intersect", "simplify", "unite"]


def implies(first: Literal, second: Literal) -> bool:
    """Return whether `second` holds on every value on which `first` does.

    Examples
    --------
    >>> implies(Equal("x", 3), Range("x", low=2)), implies(Range("x", low=2), Equal("x", 3))
    (True, False)
    """
    if first.is_empty:
        return True
    if first.attribute != second.attribute:
        return False
    values = _values(first)
    match second:
        case Range():
            if values is not None:
                return all(_inside(value, second) for value in values)
            return (
                isinstance(first, Range)
                and first.time == second.time
                and first.lower >= second.lower
                and first.upper <= second.upper
            )
        case NotEqual():
            if values is not None:
                return value_key(second.value) not in map(value_key, values)
            if isinstance(first, Range):
                return not first.time and not _inside(second.value, first)
            return first == second
        case Equal() | OneOf() | LevelRange():
            allowed = set(map(value_key, _values(second) or ()))
            return values is not None and allowed.issuperset(map(value_key, values))
    return first == second


def intersect(*literals: Literal) -> Literal:
    """Return the one literal that holds where all the given ones do, which are on one attribute.

    Raises
    ------
    RuleError
        If no single literal says it, as with two different `NotEqual`.

    Examples
    --------
    >>> print(intersect(Range("age", low=30), Range("age", high=50)))
    30 ≤ age ≤ 50
    >>> intersect(Equal("colour", "red"), Equal("colour", "blue")).is_empty
    True
    """
    # Values first, for a list of them can be filtered by anything; NotEqual last, when a range may imply it.
    kinds: list[type[Literal]] = [IsMissing, OneOf, Equal, LevelRange, Range, NotEqual]
    return reduce(_both, sorted(literals, key=lambda literal: kinds.index(type(literal))))


def _both(first: Literal, second: Literal) -> Literal:
    """Return the one literal that holds where both do."""
    if implies(first, second):
        return first
    if implies(second, first):
        return second
    if isinstance(first, IsMissing) or isinstance(second, IsMissing):
        return OneOf(first.attribute, ())
    if isinstance(first, Range) and isinstance(second, Range) and first.time == second.time:
        lower, upper = max(first.lower, second.lower), min(first.upper, second.upper)
        return _range(first, lower, upper)
    if isinstance(first, LevelRange) and isinstance(second, LevelRange) and first.levels == second.levels:
        return _level_range(first, max(first, second, key=_from), min(first, second, key=_to))
    values = _values(first)
    if values is not None and not (isinstance(second, Range) and second.time):
        return _one_of(first.attribute, [v for v in values if implies(Equal(first.attribute, v), second)])
    raise RuleError(f"No single literal says '{first}' and '{second}' at once")


def unite(first: Literal, second: Literal) -> Literal | None:
    """Return the one literal that holds where either does, or None if there is none.

    Two `Equal` stay two: a rule set learned with one category per literal must not gain sets.

    Examples
    --------
    >>> print(unite(Range("age", 20, 30), Range("age", 30, 40)))
    20 ≤ age ≤ 40
    >>> print(unite(Range("age", 20, 30), Range("age", 31, 40)))
    None
    """
    if first.attribute != second.attribute:
        return None
    if implies(first, second):
        return second
    if implies(second, first):
        return first
    if isinstance(first, Range) and isinstance(second, Range) and first.time == second.time:
        left, right = sorted((first, second))
        # Neither implies the other, so that `left` begins first and `right` ends last.
        touching = right.lower <= left.upper  # (2, closed) <= (2, open) and (2, open) <= (2, closed)
        bounded = left.low is not None or right.high is not None
        return _range(first, left.lower, right.upper) if touching and bounded else None
    if isinstance(first, LevelRange) and isinstance(second, LevelRange) and first.levels == second.levels:
        begins, ends = sorted((first, second), key=_from)
        if ends.first > begins.last + 1 or (begins.low is None and ends.high is None):
            return None
        return _level_range(first, begins, ends)
    if isinstance(first, OneOf) or isinstance(second, OneOf):
        values, more = _values(first), _values(second)
        if values is not None and more is not None:
            return OneOf(first.attribute, values + more)
    return None


def simplify(patterns: Iterable[Pattern]) -> list[Pattern]:
    """Return fewer or simpler patterns that together cover exactly the same rows, in any data.

    Empty patterns and patterns contained in others are dropped, and patterns that differ in one literal
    only are merged where `unite` can.
    """
    current = {_plain(pattern) for pattern in patterns if not pattern.is_empty}
    while True:
        current = _without_contained(current)
        merged = _merged(current)
        if merged == current:
            return sorted(current)
        current = merged


def _values(literal: Literal) -> tuple[Category, ...] | None:
    """Return the values that a literal lists, None if it does not list them."""
    if isinstance(literal, Equal):
        return (literal.value,)
    return literal.values if isinstance(literal, (OneOf, LevelRange)) else None


def _inside(value: Category, interval: Range) -> bool:
    """Return whether a category lies in a range; a column of true/false read as numbers is one of 1/0."""
    return not isinstance(value, str) and not interval.time and interval.admits(value)


def _range(like: Range, lower: tuple[float, int], upper: tuple[float, int]) -> Range:
    """Return a range from its two sides as `Range.lower` and `Range.upper` give them."""
    return Range(like.attribute, lower[0], upper[0], not lower[1], bool(upper[1]), like.time)


def _from(literal: LevelRange) -> int:
    return -1 if literal.low is None else literal.first


def _to(literal: LevelRange) -> int:
    return len(literal.levels) if literal.high is None else literal.last


def _level_range(like: LevelRange, lower: LevelRange, upper: LevelRange) -> Literal:
    """Return the range that begins as one does and ends as another."""
    if lower.first > upper.last:
        return OneOf(like.attribute, ())
    return LevelRange(like.attribute, like.levels, lower.low, upper.high)


def _one_of(attribute: str, values: list[Category]) -> Literal:
    """Return the simplest literal that lists the values."""
    return Equal(attribute, values[0]) if len(values) == 1 else OneOf(attribute, values)


def _plain(pattern: Pattern) -> Pattern:
    """Return the pattern with sets of one value as equalities."""
    return Pattern(
        _one_of(literal.attribute, list(literal.values)) if isinstance(literal, OneOf) else literal
        for literal in pattern
    )


def _without_contained(patterns: set[Pattern]) -> set[Pattern]:
    """Drop every pattern that another one contains.

    Sets of patterns are the bits of integers, which keeps thousands of patterns quick to compare.
    """
    ordered = sorted(patterns)
    uses: dict[str, dict[Literal, int]] = defaultdict(lambda: defaultdict(int))
    for k, pattern in enumerate(ordered):
        for literal in pattern:
            uses[literal.attribute][literal] |= 1 << k
    everything = (1 << len(ordered)) - 1
    silent = {name: everything & ~reduce(or_, literals.values()) for name, literals in uses.items()}
    wider = {literal: bits for literals in uses.values() for literal, bits in _implied(literals).items()}
    kept = set()
    for k, pattern in enumerate(ordered):
        on = {literal.attribute: literal for literal in pattern}
        containers = everything & ~(1 << k)
        for name, without in silent.items():
            containers &= without | wider[on[name]] if name in on else without
        if not containers:
            kept.add(pattern)
    return kept


def _implied(uses: dict[Literal, int]) -> dict[Literal, int]:
    """Return for each literal on an attribute the users (as bits) of the literals that it implies."""
    implied = dict.fromkeys(uses, 0)
    ranges = [literal for literal in uses if isinstance(literal, Range)]
    others = [literal for literal in uses if not isinstance(literal, Range)]
    for time in (False, True):
        alike = [literal for literal in ranges if literal.time == time]
        begin = _running(sorted((literal.lower, uses[literal]) for literal in alike))
        end = _running(sorted(((literal.upper, uses[literal]) for literal in alike), reverse=True))
        for literal in alike:
            implied[literal] = begin[literal.lower] & end[literal.upper]
    for first, second in chain(product(uses, others), product(others, ranges)):
        if implies(first, second):
            implied[first] |= uses[second]
    return implied


def _running(sides: Iterable[tuple[tuple[float, int], int]]) -> dict[tuple[float, int], int]:
    """Return for each side of a range the users of the sides up to it."""
    totals, total = {}, 0
    for side, users in sides:
        total |= users
        totals[side] = total
    return totals


def _merged(patterns: set[Pattern]) -> set[Pattern]:
    """Merge patterns that differ in the literal of one attribute, each at most once."""
    groups: dict[tuple[str, tuple[Literal, ...]], list[tuple[Literal, Pattern]]] = defaultdict(list)
    for pattern in sorted(patterns):
        for literal in pattern:
            rest = tuple(other for other in pattern if other is not literal)
            groups[literal.attribute, rest].append((literal, pattern))
    alive = set(patterns)
    for (_, rest), members in groups.items():
        runs: list[Literal] = []
        used = [(literal, pattern) for literal, pattern in sorted(members) if pattern in alive]
        for literal, _ in used:
            union = unite(runs[-1], literal) if runs else None
            if union is None:
                runs.append(literal)
            else:
                runs[-1] = union
        if len(runs) < len(used):
            alive.difference_update(pattern for _, pattern in used)
            alive.update(Pattern((*rest, literal)) for literal in runs)
    return alive
