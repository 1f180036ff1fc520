"""Read rule sets from text: every form that `ooa.rules.text` writes, and what a person would write instead.

Grammar, words in any case, line breaks anywhere::

    rules    = ("IF" either "THEN" label "ELSE" label  |  either ["->" label "ELSE" label])  [levels]
    levels   = "WITH" order ("," order)*
    order    = name ":" value ("<" value)*                   the levels of an attribute, least first
    either   = both ("OR" both)*  |  "FALSE"                 OR also as ∨
    both     = part ("AND" part)*                            AND also as ∧
    part     = literal  |  "(" either ")"
    literal  = name sign value  |  number sign name [sign number]  |  level sign name sign level
             | name "IN" "{" [value ("," value)*] "}"  |  name "IS" "MISSING"
    label    = ["predict"] [name "="] value
    sign     = "<=" | "<" | ">=" | ">" | "=" | "!="          also ≤ ≥ ≠ == <>
    name     = word | "text"                                 either kind of quotes
    value    = word | 'text' | number | "true" | "false"     either kind of quotes

Times are written as 2024-02-29 or 2024-02-29T18:30:00 (UTC) and stand where numbers bound a range, and so do
the levels of attributes whose order is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ooa.data.columns import Category
from ooa.errors import RuleError

from .levels import LevelRange, rank_in
from .literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from .pattern import Pattern
from .ruleset import RuleSet
from .tokens import Token, Tokens

__all__ = ["parse_pattern", "parse_rules"]

_DEPTH = 50  # of parentheses
#: Each range of levels keeps all levels of its attribute, so that reading takes their product.
_MOST_LEVELS = 2_000_000
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_Made = TypeVar("_Made")


def parse_rules(text: str) -> RuleSet:
    """Read a rule set from text.

    Parameters
    ----------
    text : str
        Either printed form, or just the condition: patterns joined by OR, literals by AND. Then the target is
        called "target" and its labels are 1 and 0. Several ranges of one attribute in a pattern become one.

    Raises
    ------
    FormatError
        With the line and the column at which reading failed.

    Examples
    --------
    >>> rules = parse_rules('''
    ...     IF age >= 30 AND hypertension = yes
    ...        OR bmi > 25 and bmi <= 40 AND "neck size" IS MISSING
    ...     THEN predict apnea = sick
    ...     ELSE predict apnea = healthy
    ... ''')
    >>> print(rules)
    IF   (age ≥ 30 AND hypertension = yes)
      OR (25 < bmi ≤ 40 AND "neck size" IS MISSING)
    THEN predict apnea = sick
    ELSE predict apnea = healthy
    >>> parse_rules(str(rules)) == rules
    True
    >>> parse_rules("age >= 30 AND")
    Traceback (most recent call last):
    ...
    ooa.errors.FormatError: line 1, column 14: expected a literal, found the end
    """
    return _Parser(text).rules()


def parse_pattern(text: str) -> Pattern:
    """Read a single pattern from text.

    Examples
    --------
    >>> parse_pattern("50 > age >= 30 AND hypertension = yes")
    Pattern.parse('30 ≤ age < 50 ∧ hypertension = yes')
    """
    return _Parser(text).pattern()


class _Parser:
    """A recursive-descent parser: one method per line of the grammar."""

    def __init__(self, text: str) -> None:
        self.tokens = Tokens(text)
        self.depth = 0
        self.kept_levels = 0
        self.levels = self.orders()

    def orders(self) -> dict[str, list[Category]]:
        """Read the levels, which stand at the end but must be known before; a colon is nowhere else."""
        colon = self.tokens.find(":")
        if colon is None:
            return {}
        condition, self.tokens = self.tokens, self.tokens.cut_off(max(colon - 2, 0))
        word = self.tokens.take()
        if word.kind != "text" or word.text.lower() != "with":
            self.tokens.fail(word.at, "expected WITH and the name of an attribute before ':'")
        found: dict[str, list[Category]] = {}
        while not found or self.tokens.accept(","):
            name = self.tokens.expect("the name of an attribute", "text").value
            self.tokens.expect("':' after the name", ":")
            found[name] = [self.value()]
            while self.tokens.accept("<"):
                found[name].append(self.value())
        self.tokens.expect("'<', ',' or the end", "end")
        self.tokens = condition
        return found

    def rules(self) -> RuleSet:
        tokens = self.tokens
        formal = tokens.accept("if")
        patterns = self.either()
        at = tokens.next.at
        if tokens.next.kind == "end" and not formal:
            return RuleSet(patterns)
        tokens.expect(*(("AND, OR or THEN", "then") if formal else ("AND, OR, '->' or the end", "->")))
        target, positive = self.label("target")
        tokens.expect("ELSE", "else")
        else_at = tokens.next.at
        other, negative = self.label(target)
        if other != target:
            tokens.fail(else_at, f"the two labels are of different targets, {target!r} and {other!r}")
        tokens.expect("the end", "end")
        return self.make(at, lambda: RuleSet(patterns, target, positive, negative))

    def pattern(self) -> Pattern:
        patterns = self.either()
        self.tokens.expect("AND or the end", "end")
        if len(patterns) != 1:
            self.tokens.fail(0, f"expected a single pattern, found {len(patterns)}")
        return patterns[0]

    def either(self) -> list[Pattern]:
        if self.tokens.accept("false"):
            return []
        patterns = self.both()
        while self.tokens.accept("or"):
            patterns += self.both()
        return patterns

    def both(self) -> list[Pattern]:
        """Read a conjunction: one pattern, unless it is a lone disjunction in parentheses."""
        places, parts = [self.tokens.next.at], [self.part()]
        while self.tokens.accept("and"):
            places.append(self.tokens.next.at)
            parts.append(self.part())
        if len(parts) == 1:
            return parts[0]
        for at, part in zip(places, parts):
            if len(part) != 1:
                self.tokens.fail(at, "an OR inside an AND is not an Or of And's: write out each pattern")
        return [self.make(places[0], lambda: Pattern.conjunction(*(part[0] for part in parts)))]

    def part(self) -> list[Pattern]:
        at = self.tokens.next.at
        if not self.tokens.accept("("):
            return [self.make(at, lambda: Pattern([self.literal()]))]
        self.depth += 1
        if self.depth > _DEPTH:
            self.tokens.fail(at, f"more than {_DEPTH} parentheses inside one another")
        patterns = self.either()
        self.tokens.expect("AND, OR or ')'", ")")
        self.depth -= 1
        return patterns

    def literal(self) -> Literal:
        tokens = self.tokens
        if self.level_comes_first():
            return self.between_levels()
        if tokens.next.kind in ("number", "time"):
            return self.mirrored()
        name = tokens.expect("a literal", "text").value
        sign = tokens.expect(
            f"a sign such as '=' or '<=', IN or IS after the name {name!r}", "=", "!=", "in", "is", *_MIRRORED
        ).value
        match sign:
            case "is":
                tokens.expect("MISSING after IS", "missing")
                return IsMissing(name)
            case "in":
                return OneOf(name, self.values())
            case "=":
                return Equal(name, self.value())
            case "!=":
                return NotEqual(name, self.value())
        if name in self.levels:
            return self.level_range(name, {sign: self.value()})
        return _range(name, {sign: self.bound("number", "time")})

    def mirrored(self) -> Literal:
        """Read a range that begins with a number: 30 <= age, or 30 <= age < 50."""
        tokens = self.tokens
        first = self.bound("number", "time")
        sign = tokens.expect("a sign such as '<=' between a number and a name", *_MIRRORED).value
        name = tokens.expect("a name", "text").value
        sides = {_MIRRORED[sign]: first}
        if tokens.sees(*_MIRRORED):
            if tokens.next.value[0] != sign[0]:
                tokens.fail(tokens.next.at, f"{sign!r} and {tokens.next} do not point the same way")
            second = tokens.take().value
            sides[second] = self.bound(first.kind)
        return _range(name, sides)

    def level_comes_first(self) -> bool:
        """Whether a level is next, and then the attribute: low <= grade, but also grade <= grade."""
        signs = [self.tokens.look(place) for place in (1, 3)]
        middle = self.tokens.look(2)
        first, second = (token.kind == "sign" and token.value in _MIRRORED for token in signs)
        named = middle.kind == "text" and middle.value in self.levels
        return first and named and (second or self.tokens.next.value not in self.levels)

    def between_levels(self) -> Literal:
        """Read a range that begins with a level: low <= grade, or low <= grade < high."""
        first = self.value()
        sign = self.tokens.take().value
        name = self.tokens.take().value
        sides = {_MIRRORED[sign]: first}
        if self.tokens.sees(*_MIRRORED):
            if self.tokens.next.value[0] != sign[0]:
                self.tokens.fail(
                    self.tokens.next.at, f"{sign!r} and {self.tokens.next} do not point the same way"
                )
            second = self.tokens.take().value
            sides[second] = self.value()
        return self.level_range(name, sides)

    def level_range(self, name: str, sides: dict[str, Category]) -> Literal:
        """The range of levels between some sides; beyond the ends there are none."""
        levels, at = self.levels[name], self.tokens.next.at
        self.kept_levels += len(levels)
        if self.kept_levels > _MOST_LEVELS:
            self.tokens.fail(
                at, f"too many ranges of levels: {len(levels)} levels of {name!r} in each of them"
            )
        ranks = {sign: rank_in(levels, level) for sign, level in sides.items()}
        for sign, level in sides.items():
            if ranks[sign] < 0:
                self.tokens.fail(at, f"{level!r} is not among the levels of {name!r}")
        above = [rank + (sign == ">") for sign, rank in ranks.items() if sign[0] == ">"]
        below = [rank - (sign == "<") for sign, rank in ranks.items() if sign[0] == "<"]
        if not all(0 <= rank < len(levels) for rank in (*above, *below)):
            return OneOf(name, ())
        low, high = (levels[rank[0]] if rank else None for rank in (above, below))
        return self.make(at, lambda: LevelRange(name, levels, low, high))

    def bound(self, *kinds: str) -> Token:
        found = self.tokens.next
        if found.kind == "text" and "text" not in kinds:
            self.tokens.fail(
                found.at,
                f"expected a {' or a '.join(kinds)} as the bound of a range, found {found}; levels need an "
                "order, as in: grade >= B WITH grade: A < B < C",
            )
        return self.tokens.expect(f"a {' or a '.join(kinds)} as the bound of a range", *kinds)

    def values(self) -> list[Category]:
        self.tokens.expect("'{' after IN", "{")
        values: list[Category] = []
        while not self.tokens.accept("}"):
            if values:
                self.tokens.expect("',' or '}' in a set of values", ",")
            values.append(self.value())
        return values

    def label(self, target: str) -> tuple[str, Category]:
        self.tokens.accept("predict")
        following = self.tokens.look(1)
        if following.kind == "sign" and following.value == "=":
            target = self.tokens.expect("the name of the target", "text").value
            self.tokens.take()
        return target, self.value()

    def value(self) -> Category:
        if self.tokens.sees("true", "false"):
            return bool(self.tokens.take().value == "true")
        if self.tokens.sees("null", "none", "nan", "missing"):
            unclear = self.tokens.next
            self.tokens.fail(
                unclear.at,
                f"{unclear} is not a value: write IS MISSING, or put it in quotes if it is text",
            )
        value: Category = self.tokens.expect("a value", "text", "number").value
        return value

    def make(self, at: int, maker: Callable[[], _Made]) -> _Made:
        """Make something of what was read, and say where if it cannot be made."""
        try:
            return maker()
        except RuleError as error:
            self.tokens.fail(at, str(error))


def _range(name: str, sides: dict[str, Token]) -> Range:
    """Return the range with the given sign and number on each side."""
    bounds = {sign: token.value for sign, token in sides.items()}
    return Range(
        name,
        bounds.get(">=", bounds.get(">")),
        bounds.get("<=", bounds.get("<")),
        low_closed=">" not in bounds,
        high_closed="<" not in bounds,
        time=any(token.kind == "time" for token in sides.values()),
    )
