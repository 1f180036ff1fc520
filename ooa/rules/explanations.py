"""Why one row is predicted as it is: the patterns that hold, or what each pattern lacks and by how much."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ooa.data.columns import Category, Column
from ooa.errors import DataError

from .evaluation import check_comparable, column_for, open_for
from .levels import LevelRange
from .literal import Equal, IsMissing, Literal, OneOf, Range
from .pattern import Pattern
from .ruleset import RuleSet
from .text import name_text, number_text, pattern_text, time_text, value_text

__all__ = ["Explanation", "Miss", "explain", "time_amount"]


@dataclass(frozen=True)
class Miss:
    """A literal that does not hold.

    Attributes
    ----------
    literal : Literal
    value : str, bool, int, float or None
        The row's value, None if it is missing; a time in microseconds since 1970-01-01 UTC.
    distance : float or None
        How far the value lies below (negative) or above (positive) the range, of levels in steps; 0.0 on an
        open bound. None if the literal is not a range, or the value is missing or not one of its levels.
    """

    literal: Literal
    value: Category | None
    distance: float | None

    def __str__(self) -> str:
        return f"{_fact(self.literal, self.value)}{_shortfall(self)}"


@dataclass(frozen=True)
class Explanation:
    """Why one row is predicted as it is; print it to read it.

    Attributes
    ----------
    rules : RuleSet
    label : str, bool, int or float
        What is predicted.
    values : dict
        The row's value of each attribute that the rules use, None where missing.
    fired : tuple of Pattern
        The patterns that hold.
    missed : dict
        For each pattern that does not hold, the literals that fail, as `Miss`.

    Examples
    --------
    >>> why = RuleSet.parse("x >= 3 OR y = red AND z IS MISSING").explain({"x": 5, "y": "red", "z": 0})
    >>> print(why)
    target = 1, as a pattern holds:
      (x ≥ 3): x is 5
    >>> [str(miss) for misses in why.missed.values() for miss in misses]
    ['z is 0, not missing']
    """

    rules: RuleSet
    label: Category
    values: dict[str, Category | None]
    fired: tuple[Pattern, ...]
    missed: dict[Pattern, tuple[Miss, ...]]

    def lines(self) -> list[tuple[str, str]]:
        """Return it line by line, each in two parts: the prediction and why, then patterns and facts."""
        lines = [(f"{name_text(self.rules.target)} = {value_text(self.label)}", f", as {self._reason()}")]
        for pattern in self.fired:
            facts = ", ".join(_fact(literal, self.values[literal.attribute]) for literal in pattern)
            lines.append((f"({pattern_text(pattern)})", f": {facts}"))
        if not self.fired:
            for pattern, misses in self.missed.items():
                lines.append((f"({pattern_text(pattern)})", f" fails: {'; '.join(map(str, misses))}"))
        return lines

    def __str__(self) -> str:
        return "\n  ".join("".join(parts) for parts in self.lines())

    def _repr_html_(self) -> str:
        from .notebook import explanation_html

        return explanation_html(self)

    def _reason(self) -> str:
        """Return the end of the first line."""
        if not self.rules.patterns:
            return "there is no pattern"
        if not self.fired:
            return "no pattern holds:"
        return "a pattern holds:" if len(self.fired) == 1 else f"{len(self.fired)} patterns hold:"


def explain(rules: RuleSet, row: object) -> Explanation:
    """Say why one row is predicted as it is; see `RuleSet.explain`."""
    frame = open_for(rules.patterns, _as_table(row))
    if frame.n_rows != 1:
        raise DataError(f"One row can be explained at a time, not {frame.n_rows}")
    values: dict[str, Category | None] = {}
    fired: list[Pattern] = []
    missed: dict[Pattern, tuple[Miss, ...]] = {}
    literals = [literal for pattern in rules for literal in pattern]
    check_comparable(literals, [column_for(literal, frame) for literal in literals])
    for pattern in rules:
        misses = []
        for literal in pattern:
            column = column_for(literal, frame)
            value = _value(column)
            values[literal.attribute] = value
            if not literal.mask(column)[0]:
                misses.append(Miss(literal, value, _distance(literal, value)))
        if misses:
            missed[pattern] = tuple(misses)
        else:
            fired.append(pattern)
    label = rules.positive if fired else rules.negative
    return Explanation(rules, label, values, tuple(fired), missed)


def _as_table(row: Any) -> object:
    """Return one row, in whatever form, as a table of one row."""
    if isinstance(row, Mapping):
        return [row]
    if isinstance(row, np.ndarray) and row.ndim == 1 and not row.dtype.names:
        return row.reshape(1, -1)
    if getattr(row, "ndim", 2) == 1 and hasattr(row, "to_dict"):  # a pandas Series
        return [row.to_dict()]
    return row


def _value(column: Column) -> Category | None:
    """Return the only value of a column, None if it is missing."""
    if column.missing[0]:
        return None
    if column.names:
        return column.names[int(column.values[0])]
    value: float = column.values[0].item()
    return value


def _distance(literal: Literal, value: Category | None) -> float | None:
    """Return how far a value lies outside a range."""
    if isinstance(literal, LevelRange) and value is not None:
        rank = literal.rank(value)
        return None if rank < 0 else float(rank - (literal.first if rank < literal.first else literal.last))
    if not isinstance(literal, Range) or value is None:
        return None
    number = int(value) if literal.time else float(value)
    if literal.low is not None and not literal.lower <= (number, 0):
        return number - literal.low
    return number - (literal.high or 0)


def _fact(literal: Literal, value: Category | None) -> str:
    """Say what the row's value is."""
    return f"{name_text(literal.attribute)} is {_shown(literal, value)}"


def _shown(literal: Literal, value: Category | None) -> str:
    """Write a row's value as the literal writes its own."""
    if value is None:
        return "missing"
    if isinstance(literal, Range) and literal.time:
        return time_text(int(value))
    return number_text(value) if isinstance(value, float) else value_text(value)


def _shortfall(miss: Miss) -> str:
    """Say by how much, or for want of what, a literal fails; nothing if the value says it all."""
    if miss.value is None:
        return ""
    match miss.literal:
        case Range():
            if not miss.distance:
                return ", which is on the open bound"
            amount = (time_amount if miss.literal.time else _amount)(abs(miss.distance))
            below, above = ("early", "late") if miss.literal.time else ("low", "high")
            return f", {amount} too {below if miss.distance < 0 else above}"
        case LevelRange(levels=levels):
            if miss.distance is None:
                return f", which is not one of {' < '.join(map(value_text, levels))}"
            steps = abs(int(miss.distance))
            side = "low" if miss.distance < 0 else "high"
            return f", {steps} {'level' if steps == 1 else 'levels'} too {side}"
        case Equal(value=value):
            return f", not {value_text(value)}"
        case OneOf(values=values):
            return f", not one of {{{', '.join(map(value_text, values))}}}"
        case IsMissing():
            return ", not missing"
    return ""


def _amount(distance: float) -> str:
    """Write a distance; six digits hide the noise of subtracting."""
    return number_text(float(f"{distance:.6g}"))


def time_amount(microseconds: float) -> str:
    """Write a span of time in its two largest units.

    Examples
    --------
    >>> day = 86_400_000_000
    >>> time_amount(298 * day), time_amount(day + 3_600_000_000), time_amount(61_000_000), time_amount(5)
    ('298 days', '1 day 1 h', '1 min 1 s', '5 µs')
    """
    left, said = int(microseconds), []
    for unit, size in (("days", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000), ("s", 1_000_000)):
        number, left = divmod(left, size)
        if number:
            said.append(f"{number:,} {'day' if (unit, number) == ('days', 1) else unit}")
    if left and not said:
        return f"{left:,} µs"
    return " ".join(said[:2])
