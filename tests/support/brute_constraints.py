"""Constraints without any model: whether a rule set meets them, by counting, and the best one that does.

Everything here goes by predictions, patterns and exact fractions; nothing is taken from the library's own
constraints but their names and arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np

from ooa import constraints as ready
from ooa.candidates.cutpoints import cut_between
from ooa.data.table import Table
from ooa.objective import Objective
from ooa.rules.literal import IsMissing, Literal, NotEqual, Range
from ooa.rules.pattern import Pattern
from support.brute_ooa import all_literals


@dataclass
class Rules:
    """A rule set as its patterns and what each covers, row by row."""

    table: Table
    patterns: tuple[Pattern, ...]
    covers: np.ndarray  # bool, patterns x rows

    @cached_property
    def fires(self) -> np.ndarray:
        return self.covers.any(axis=0)

    @property
    def wrong(self) -> np.ndarray:
        return self.fires != self.table.y

    def weigh(self, rows: np.ndarray) -> Fraction:
        some = self.table.weight[rows]
        if (some == np.rint(some)).all() and some.sum() < 2**53:  # sums of whole numbers, exact as floats
            return Fraction(int(some.sum()))
        return sum(map(Fraction, some.tolist()), Fraction(0))

    def value(self, objective: Objective) -> Fraction:
        """`total * L`."""
        total = self.weigh(np.ones(self.table.n_rows, dtype=bool))
        literals = sum(len(pattern) for pattern in self.patterns)
        complexity = objective.C1 * literals + objective.C2 * len(self.patterns)
        return self.weigh(self.wrong) + total * complexity

    def column(self, name: str) -> Any:
        return next(column for column in self.table.columns if column.name == name)

    def said(self, pattern: Pattern) -> frozenset[tuple[str, bytes]]:
        """What a pattern says on these rows: for every attribute, the rows it selects."""
        masks = {literal.attribute: literal.mask(self.column(literal.attribute)) for literal in pattern}
        return frozenset((name, mask.tobytes()) for name, mask in masks.items() if not mask.all())

    def has(self, pattern: Pattern) -> bool:
        return self.said(pattern) in {self.said(own) for own in self.patterns}

    def uses(self, name: str) -> int:
        return sum(name in pattern.attributes for pattern in self.patterns)

    def bounded(self, name: str, side: str) -> int:
        """How many patterns have a bound on that side of a numeric attribute, as they are written."""
        literals = [literal for p in self.patterns for literal in p if literal.attribute == name]
        ranges = [literal for literal in literals if isinstance(literal, Range)]
        return sum((r.low if side == "below" else r.high) is not None for r in ranges)

    def cuts(self, pattern: Pattern, name: str) -> list[float]:
        """The bounds of a pattern on a numeric attribute that leave out a value."""
        column, found = self.column(name), []
        for literal in pattern:
            if literal.attribute == name and isinstance(literal, Range):
                for side in ("low", "high"):
                    bound = getattr(literal, side)
                    if bound is not None:
                        alone = Range(name, **{side: bound}).mask(column)
                        found += [] if alone[~column.missing].all() else [bound]
        return found

    def names(self, pattern: Pattern, name: str, category: str) -> bool:
        """Whether a pattern has a literal that holds for a category."""
        named = [literal for literal in pattern if literal.attribute == name]
        if not named or isinstance(named[0], IsMissing):
            return False
        if isinstance(named[0], NotEqual):
            return category != named[0].value
        return category in (getattr(named[0], "values", None) or (named[0].value,))


def changed(table: Table, name: str, change: Any) -> Table:
    """A table with something added to a numeric column, or one category in the place of all."""
    columns = []
    for column in table.columns:
        if column.name == name:
            values = column.values.copy()
            for i in np.flatnonzero(~column.missing):
                plus = (
                    Fraction(repr(values[i].item())) + decimal_of(change) if not column.categories else None
                )
                values[i] = column.categories.index(change) if plus is None else float(plus)
            column = replace(column, values=values)
        columns.append(column)
    return replace(table, columns=tuple(columns))


def evaluate(table: Table, patterns: Sequence[Pattern]) -> Rules:
    """A rule set with what it covers, literal by literal."""
    columns = {column.name: column for column in table.columns}
    covers = np.ones((len(patterns), table.n_rows), dtype=bool)
    for k, pattern in enumerate(patterns):
        for literal in pattern:
            covers[k] &= literal.mask(columns[literal.attribute])
    return Rules(table, tuple(patterns), covers)


@dataclass(frozen=True)
class Own:
    """A user's own constraint: a function of a formulation, and the same by counting."""

    name: str
    rows: Callable[[Any], Any]
    check: Callable[[Rules], bool]

    def __call__(self, f: Any) -> Any:
        return self.rows(f)

    def __repr__(self) -> str:
        return self.name


def decimal_of(value: Any) -> Fraction:
    return Fraction(str(value))


def _rates(rules: Rules, constraint: Any, among: np.ndarray) -> list[Fraction]:
    """In every group with such rows, the share of them that is covered."""
    group = constraint.group
    if isinstance(group, str):
        column = rules.column(group)
        group = [None if m else v for v, m in zip(column.values.tolist(), column.missing.tolist())]
    else:
        group = [None if code == -1 else code for code in group]
    rates = []
    for value in {value for value in group if value is not None}:
        rows = among & np.array([one == value for one in group])
        if rules.weigh(rows):
            rates.append(rules.weigh(rows & rules.fires) / rules.weigh(rows))
    return rates


def _gap(rules: Rules, constraint: Any, among: np.ndarray) -> bool:
    rates = _rates(rules, constraint, among)
    return all(abs(a - b) <= decimal_of(constraint.gap) for a, b in combinations(rates, 2))


def _precision(rules: Rules, least: Fraction) -> bool:
    found, right = rules.weigh(rules.fires), rules.weigh(rules.fires & rules.table.y)
    return right >= least * found


def share_of(rules: Rules, label: bool) -> tuple[Fraction, Fraction]:
    """Weight of the rows of a label that are predicted right, and of all of them."""
    rows = rules.table.y == label
    return rules.weigh(rows & ~rules.wrong), rules.weigh(rows)


def meets(rules: Rules, constraint: Any) -> bool:
    """Whether a rule set meets a constraint."""
    c, y = constraint, rules.table.y
    match constraint:
        case Own():
            return bool(c.check(rules))
        case ready.max_false_negatives():
            return rules.weigh(y & rules.wrong) <= decimal_of(c.most)
        case ready.max_false_positives():
            return rules.weigh(~y & rules.wrong) <= decimal_of(c.most)
        case ready.max_cost():
            costs = (c.false_negative, c.false_positive, c.true_positive, c.true_negative)
            rows = (y & rules.wrong, ~y & rules.wrong, y & ~rules.wrong, ~y & ~rules.wrong)
            return sum(decimal_of(a) * rules.weigh(b) for a, b in zip(costs, rows)) <= decimal_of(c.most)
        case ready.min_sensitivity():
            right, every = share_of(rules, True)
            return right >= decimal_of(c.least) * every
        case ready.min_specificity():
            right, every = share_of(rules, False)
            return right >= decimal_of(c.least) * every
        case ready.min_precision():
            return _precision(rules, decimal_of(c.least))
        case ready.max_uses():
            return rules.uses(c.attribute) <= c.most
        case ready.at_most_one_of():
            return sum(rules.uses(name) > 0 for name in c.attributes) <= 1
        case ready.forbid_together():
            return all(len(set(p.attributes) & set(c.attributes)) <= 1 for p in rules.patterns)
        case ready.require_attribute():
            return rules.uses(c.attribute) > 0
        case ready.require_pattern():
            return rules.has(c.pattern)
        case ready.forbid_pattern():
            return not rules.has(c.pattern)
        case ready.budget():
            return sum(decimal_of(cost) for n, cost in c.costs.items() if rules.uses(n)) <= decimal_of(c.most)
        case ready.max_total_literals():
            return sum(len(p) for p in rules.patterns) <= c.most
        case ready.min_support_per_pattern():
            return all(rules.weigh(y & covered) >= decimal_of(c.least) for covered in rules.covers)
        case ready.monotone():
            return rules.bounded(c.attribute, "above" if c.direction == "increasing" else "below") == 0
        case ready.only_with():
            return all(c.attribute not in p.attributes or c.other in p.attributes for p in rules.patterns)
        case ready.max_overlap():
            return bool((rules.covers.sum(axis=0) <= c.most).all())
        case ready.no_cut():
            bounds = [b for p in rules.patterns for b in rules.cuts(p, c.attribute)]
            return not any(b > c.value if c.side == "above" else b < c.value for b in bounds)
        case ready.no_category():
            return not any(rules.names(p, c.attribute, c.category) for p in rules.patterns)
        case ready.category_only_with():
            naming = [p for p in rules.patterns if rules.names(p, c.attribute, c.category)]
            return all(c.other in p.attributes for p in naming)
        case ready.unchanged_when() | ready.not_lowered_when() | ready.not_raised_when():
            after = evaluate(changed(rules.table, c.attribute, c.change), rules.patterns).fires
            rises, falls = after & ~rules.fires, rules.fires & ~after
            counted = {"unchanged_when": rises | falls, "not_lowered_when": falls, "not_raised_when": rises}
            every = rules.weigh(np.ones_like(y))
            return rules.weigh(counted[type(c).__name__]) <= decimal_of(c.most) * every
        case ready.min_coverage():
            return all(rate >= decimal_of(c.least) for rate in _rates(rules, c, np.ones_like(y)))
        case ready.min_group_sensitivity():
            return all(rate >= decimal_of(c.least) for rate in _rates(rules, c, y))
        case ready.demographic_parity():
            return _gap(rules, c, np.ones_like(y))
        case ready.equal_opportunity():
            return _gap(rules, c, y)
        case ready.predictive_equality():
            return _gap(rules, c, ~y)
        case ready.equalized_odds():
            return _gap(rules, c, y) and _gap(rules, c, ~y)
    raise AssertionError(constraint)


def all_patterns(
    table: Table, *, value_literals: bool = True, either_bound: bool = False, **options: bool
) -> list[Pattern]:
    """Every pattern of substantive literals, one for everything that can be said on these rows.

    `value_literals` says whether "has a value" is a literal; `either_bound` whether it is written with a
    bound from above, too, and not with one from below alone, which makes two patterns that say the same.
    """
    by_attribute: list[list[Literal | None]] = []
    for column, own in zip(table.columns, all_literals(table, **options)):
        written: list[Literal | None] = [None]
        for literal, _ in own:
            one = _one_sided(literal, column)
            if not isinstance(one, Range) or not one.mask(column)[~column.missing].all():
                written.append(one)
            elif value_literals:
                written.append(one)
                written += [Range(column.name, high=literal.high)] if either_bound else []
        by_attribute.append(written)
    chosen = ([literal for literal in parts if literal is not None] for parts in product(*by_attribute))
    return [Pattern(literals) for literals in chosen if literals]


def _one_sided(literal: Literal, column: Any) -> Literal:
    """A range as it is written: with short bounds, and without those that leave out no row."""
    if not isinstance(literal, Range):
        return literal
    values = np.unique(column.values[~column.missing])
    low = high = None
    if literal.low != values[0]:
        low = cut_between(values[values < literal.low][-1], literal.low).above
    if literal.high != values[-1]:
        high = cut_between(literal.high, values[values > literal.high][0]).below
    if low is None and high is None:
        low = literal.low
    return Range(literal.attribute, low, high)


def all_rules(table: Table, patterns: Sequence[Pattern], K: int) -> list[Rules]:
    """Every rule set of at most K of the patterns, no two of which say the same."""
    whole = evaluate(table, patterns)
    said = [whole.said(pattern) for pattern in patterns]
    return [
        Rules(table, tuple(patterns[k] for k in chosen), whole.covers[list(chosen)])
        for size in range(K + 1)
        for chosen in combinations(range(len(patterns)), size)
        if len({said[k] for k in chosen}) == size
    ]


def best(
    sets: Sequence[Rules], objective: Objective, constraints: Sequence[Any]
) -> tuple[Fraction | None, list[Rules]]:
    """The least `total * L` among the rule sets that meet the constraints, and all that meet them."""
    found = [rules for rules in sets if all(meets(rules, c) for c in constraints)]
    return min((rules.value(objective) for rules in found), default=None), found
