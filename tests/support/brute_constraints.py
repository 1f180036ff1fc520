"""Constraints without any model: whether a rule set meets them, by counting, and the best one that does.

Everything here goes by predictions, patterns and exact fractions; nothing is taken from the library's own
constraints but their names and arguments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from ooa import constraints as ready
from ooa.data.table import Table
from ooa.objective import Objective
from ooa.rules.literal import Literal, Range
from ooa.rules.pattern import Pattern
from support.brute_ooa import all_literals


@dataclass
class Rules:
    """A rule set as its patterns and what each covers, row by row."""

    table: Table
    patterns: tuple[Pattern, ...]
    covers: np.ndarray  # bool, patterns x rows

    @property
    def fires(self) -> np.ndarray:
        return self.covers.any(axis=0)

    @property
    def wrong(self) -> np.ndarray:
        return self.fires != self.table.y

    def weigh(self, rows: np.ndarray) -> Fraction:
        return sum(map(Fraction, self.table.weight[rows].tolist()), Fraction(0))

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
    asks: tuple[tuple[str, str], ...] = ()  # sides of attributes, in the order they are mentioned

    def __call__(self, f: Any) -> Any:
        return self.rows(f)

    def __repr__(self) -> str:
        return self.name


def _number(value: Any) -> Fraction:
    return Fraction(str(value))


def _gap(rules: Rules, constraint: Any, among: np.ndarray) -> bool:
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
    return all(abs(a - b) <= _number(constraint.gap) for a, b in combinations(rates, 2))


def _precision(rules: Rules, least: Fraction) -> bool:
    found, right = rules.weigh(rules.fires), rules.weigh(rules.fires & rules.table.y)
    return right >= least * found


def _share(rules: Rules, label: bool) -> tuple[Fraction, Fraction]:
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
            return rules.weigh(y & rules.wrong) <= _number(c.most)
        case ready.max_false_positives():
            return rules.weigh(~y & rules.wrong) <= _number(c.most)
        case ready.min_sensitivity():
            right, every = _share(rules, True)
            return right >= _number(c.least) * every
        case ready.min_specificity():
            right, every = _share(rules, False)
            return right >= _number(c.least) * every
        case ready.min_precision():
            return _precision(rules, _number(c.least))
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
            return sum(_number(cost) for n, cost in c.costs.items() if rules.uses(n)) <= _number(c.most)
        case ready.max_total_literals():
            return sum(len(p) for p in rules.patterns) <= c.most
        case ready.min_support_per_pattern():
            return all(rules.weigh(y & covered) >= _number(c.least) for covered in rules.covers)
        case ready.monotone():
            return rules.bounded(c.attribute, "above" if c.direction == "increasing" else "below") == 0
        case ready.demographic_parity():
            return _gap(rules, c, np.ones_like(y))
        case ready.equal_opportunity():
            return _gap(rules, c, y)
        case ready.predictive_equality():
            return _gap(rules, c, ~y)
    raise AssertionError(constraint)


def free_sides(constraints: Sequence[Any]) -> dict[str, str]:
    """By attribute, the side that constraints are about first; "has a value" is written with the other."""
    sides: dict[str, str] = {}
    for c in constraints:
        asks = c.asks if isinstance(c, Own) else ()
        if isinstance(c, ready.monotone):
            asks = ((c.attribute, "above" if c.direction == "increasing" else "below"),)
        for attribute, side in asks:
            sides.setdefault(attribute, side)
    return sides


def all_patterns(
    table: Table, *, value_literals: bool = True, free: dict[str, str] | None = None, **options: bool
) -> list[Pattern]:
    """Every pattern of substantive literals, one for everything that can be said on these rows.

    `value_literals` says whether "has a value" is a literal; `free` which side it leaves free.
    """
    by_attribute: list[list[Literal | None]] = []
    for column, own in zip(table.columns, all_literals(table, **options)):
        written: list[Literal | None] = [None]
        for literal, _ in own:
            one = _one_sided(literal, column, (free or {}).get(column.name, "above"))
            if value_literals or not isinstance(one, Range) or not one.mask(column)[~column.missing].all():
                written.append(one)
        by_attribute.append(written)
    chosen = ([literal for literal in parts if literal is not None] for parts in product(*by_attribute))
    return [Pattern(literals) for literals in chosen if literals]


def _one_sided(literal: Literal, column: Any, free: str) -> Literal:
    """A range without the bounds that leave out no row."""
    if not isinstance(literal, Range):
        return literal
    values = column.values[~column.missing]
    low = None if literal.low == values.min() else literal.low
    high = None if literal.high == values.max() else literal.high
    if low is None and high is None:
        low, high = (literal.low, None) if free == "above" else (None, literal.high)
    return Range(literal.attribute, low, high)


def all_rules(table: Table, patterns: Sequence[Pattern], K: int) -> list[Rules]:
    """Every rule set of at most K of the patterns."""
    whole = evaluate(table, patterns)
    return [
        Rules(table, tuple(patterns[k] for k in chosen), whole.covers[list(chosen)])
        for size in range(K + 1)
        for chosen in combinations(range(len(patterns)), size)
    ]


def best(
    sets: Sequence[Rules], objective: Objective, constraints: Sequence[Any]
) -> tuple[Fraction | None, list[Rules]]:
    """The least `total * L` among the rule sets that meet the constraints, and all that meet them."""
    found = [rules for rules in sets if all(meets(rules, c) for c in constraints)]
    return min((rules.value(objective) for rules in found), default=None), found


def random_ready(name: str, rng: np.random.Generator, sets: Sequence[Rules]) -> Any:
    """A ready-made constraint of this name whose limit some rule set just meets, more often than not."""
    table, some = sets[0].table, sets[int(rng.integers(len(sets)))]
    names = [attribute.name for attribute in table.attributes]
    numeric = [attribute.name for attribute in table.attributes if attribute.kind == "numeric"]
    pick = [str(n) for n in rng.permutation(names)]
    attribute, y = pick[0], table.y
    patterns = some.patterns or sets[-1].patterns

    def share(label: bool) -> Any:
        right, every = _share(some, label)
        exactly = right / every if every else Fraction(1)
        decimal = round(float(exactly), 3)
        return rng.choice([0.5, 0.95, decimal]).item() if rng.random() < 0.5 else str(exactly)

    match name:
        case "max_false_negatives" | "max_false_positives":
            label = name == "max_false_negatives"
            exactly = float(some.weigh((y == label) & some.wrong))
            return getattr(ready, name)(exactly + rng.choice([0, 0, 0.25]).item())
        case "min_sensitivity" | "min_specificity":
            return getattr(ready, name)(share(name == "min_sensitivity"))
        case "min_precision":
            found, right = some.weigh(some.fires), some.weigh(some.fires & y)
            return ready.min_precision(str(right / found) if found and rng.random() < 0.6 else 0.8)
        case "max_uses":
            return ready.max_uses(attribute, int(rng.integers(2)))
        case "at_most_one_of" | "forbid_together":
            return getattr(ready, name)(pick[:2]) if len(pick) > 1 else None
        case "require_attribute":
            return ready.require_attribute(attribute)
        case "require_pattern" | "forbid_pattern":
            return getattr(ready, name)(patterns[int(rng.integers(len(patterns)))]) if patterns else None
        case "budget":
            costs = {n: rng.choice([0, 0.1, 0.2, 0.7]).item() for n in names}
            most = sum(_number(costs[n]) for n in names if some.uses(n))
            return ready.budget(costs, float(most))
        case "max_total_literals":
            return ready.max_total_literals(int(rng.integers(4)))
        case "min_support_per_pattern":
            exactly = [float(some.weigh(y & covered)) for covered in some.covers]
            return ready.min_support_per_pattern(min(exactly, default=1.0))
        case "monotone":
            direction = rng.choice(["increasing", "decreasing"]).item()
            return ready.monotone(rng.choice(numeric).item(), direction) if numeric else None
    group = [None if rng.random() < 0.15 else rng.choice(["f", "m", "x"]).item() for _ in y]
    by = attribute if rng.random() < 0.3 else group
    return getattr(ready, name)(by, rng.choice([0, 0.25, 0.5, "1/3"]))


def random_own(rng: np.random.Generator, sets: Sequence[Rules]) -> Own:
    """A constraint that tempts a solver to raise or lower something that is not the rule set's."""
    table, some = sets[0].table, sets[int(rng.integers(len(sets)))]
    rows = rng.random(table.n_rows) < 0.6
    patterns = some.patterns or sets[-1].patterns
    names = [attribute.name for attribute in table.attributes]
    numeric = [attribute.name for attribute in table.attributes if attribute.kind == "numeric"]
    n, errors, fires = len(some.patterns), int(some.wrong.sum()), int(some.fires[rows].sum())
    covered = int(some.covers[:, rows].sum())
    literals = sum(len(p) for p in some.patterns)
    support = max((float(some.weigh(table.y & c)) for c in some.covers), default=0.0)
    attribute = rng.choice(names).item()
    uses = some.uses(attribute)
    own = [
        Own("errors >=", lambda f: f.error.sum() >= errors, lambda r: r.wrong.sum() >= errors),
        Own("errors ==", lambda f: f.error.sum() == errors, lambda r: r.wrong.sum() == errors),
        Own(
            "misses >=",
            lambda f: f.error[rows & f.label].sum() >= 1,
            lambda r: (r.wrong & rows & table.y).sum() >= 1,
        ),
        Own("fires >=", lambda f: f.predicted[rows].sum() >= fires, lambda r: r.fires[rows].sum() >= fires),
        Own("fires <=", lambda f: f.predicted[rows].sum() <= fires, lambda r: r.fires[rows].sum() <= fires),
        Own("patterns >=", lambda f: f.n_patterns >= n, lambda r: len(r.patterns) >= n),
        Own(
            "literals ==",
            lambda f: f.n_literals == literals,
            lambda r: sum(len(p) for p in r.patterns) == literals,
        ),
        Own("uses >=", lambda f: f.uses(attribute).sum() >= uses, lambda r: r.uses(attribute) >= uses),
        Own(
            "long",
            lambda f: f.length - 2 * f.used >= 0,
            lambda r: all(len(p) >= 2 for p in r.patterns),
        ),
        Own(
            "covers >=",
            lambda f: f.covers[rows, :].sum() >= covered,
            lambda r: r.covers[:, rows].sum() >= covered,
        ),
        Own(
            "covers <=",
            lambda f: f.covers[rows, :].sum() <= covered,
            lambda r: r.covers[:, rows].sum() <= covered,
        ),
        Own(
            "covered by one each",
            lambda f: f.covers[rows, :].sum(axis=1) <= 1,
            lambda r: (r.covers[:, rows].sum(axis=0) <= 1).all(),
        ),
        Own(
            "support <=",
            lambda f: f.positive_support <= support,
            lambda r: all(r.weigh(table.y & c) <= Fraction(support) for c in r.covers),
        ),
        Own(
            "support adds up to more",
            lambda f: f.positive_support.sum() >= support + 0.5,
            lambda r: sum(r.weigh(table.y & c) for c in r.covers) >= Fraction(support) + Fraction(1, 2),
        ),
        Own(
            "occurs",
            lambda f: sum(f.occurs(name) for name in names) >= len(names),
            lambda r: all(r.uses(name) for name in names),
        ),
    ]
    if patterns:
        p, q = patterns[0], patterns[-1]
        own.append(Own("one of two", lambda f: f.has(p) + f.has(q) <= 1, lambda r: r.has(p) + r.has(q) <= 1))
        own.append(Own("both", lambda f: f.has(p) + f.has(q) == 2, lambda r: r.has(p) and r.has(q)))
    if numeric:
        x = rng.choice(numeric).item()
        own.append(
            Own(
                "bounded",
                lambda f: f.bounded(x, "below").sum() >= 1,
                lambda r: r.bounded(x, "below") >= 1,
                asks=((x, "below"),),
            )
        )
        own.append(
            Own(
                "bounded on both sides",
                lambda f: f.bounded(x, "above").sum() - f.bounded(x, "below").sum() == 0,
                lambda r: r.bounded(x, "below") == r.bounded(x, "above"),
                asks=((x, "above"), (x, "below")),
            )
        )
    return own[int(rng.integers(len(own)))]
