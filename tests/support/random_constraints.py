"""Random constraints that some rule sets meet and others do not: ready-made ones, and others of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from ooa import constraints as ready
from ooa.rules.pattern import Pattern
from support.brute_constraints import Own, Rules, decimal_of, share_of


def random_ready(name: str, rng: np.random.Generator, sets: Sequence[Rules]) -> Any:
    """A ready-made constraint of this name whose limit some rule set just meets, more often than not."""
    table, some = sets[0].table, sets[int(rng.integers(len(sets)))]
    names = [attribute.name for attribute in table.attributes]
    numeric = [attribute.name for attribute in table.attributes if attribute.kind == "numeric"]
    pick = [str(n) for n in rng.permutation(names)]
    attribute, y = pick[0], table.y
    patterns = some.patterns or sets[-1].patterns

    def share(label: bool) -> Any:
        right, every = share_of(some, label)
        exactly = right / every if every else Fraction(1)
        decimal = round(float(exactly), 3)
        return rng.choice([0.5, 0.95, decimal]).item() if rng.random() < 0.5 else str(exactly)

    match name:
        case "max_false_negatives" | "max_false_positives":
            label = name == "max_false_negatives"
            exactly = float(some.weigh((y == label) & some.wrong))
            return getattr(ready, name)(exactly + rng.choice([0, 0, 0.25]).item())
        case "max_cost":
            missed, wrong = (rng.choice([0.5, 1, 3]).item() for _ in range(2))
            right = [(rng.choice([0, 0.5, 1]) * cost).item() for cost in (missed, wrong)]
            costs = (missed, wrong, *right)
            rows = (y & some.wrong, ~y & some.wrong, y & ~some.wrong, ~y & ~some.wrong)
            paid = sum(decimal_of(cost) * some.weigh(one) for cost, one in zip(costs, rows))
            return ready.max_cost(float(paid) + rng.choice([0, 0, 0.25]).item(), *costs)
        case "min_sensitivity" | "min_specificity":
            return getattr(ready, name)(share(name == "min_sensitivity"))
        case "min_precision":
            found, right = some.weigh(some.fires), some.weigh(some.fires & y)
            return ready.min_precision(str(right / found) if found and rng.random() < 0.6 else 0.8)
        case "max_uses":
            return ready.max_uses(attribute, int(rng.integers(2)))
        case "at_most_one_of" | "forbid_together":
            return getattr(ready, name)(pick[:2]) if len(pick) > 1 else None
        case "only_with":
            return ready.only_with(*pick[:2]) if len(pick) > 1 else None
        case "max_overlap":
            return ready.max_overlap(int(rng.integers(1, 3)))
        case "no_cut":
            by = rng.choice(numeric).item() if numeric else ""
            bounds = [b for p in patterns for b in some.cuts(p, by)] if by else []
            value = rng.choice(bounds).item() + rng.choice([0, 0, 1e-12]).item() if bounds else 1.0
            return ready.no_cut(by, rng.choice(["above", "below"]).item(), value) if by else None
        case "no_category" | "category_only_with":
            named = [a for a in table.attributes if a.categories]
            if not named or (name == "category_only_with" and len(pick) < 2):
                return None
            column = named[int(rng.integers(len(named)))]
            others = [n for n in pick if n != column.name][: 0 if name == "no_category" else 1]
            return getattr(ready, name)(column.name, rng.choice(column.categories).item(), *others)
        case "unchanged_when" | "not_lowered_when" | "not_raised_when":
            column = next(c for c in table.columns if c.name == attribute)
            steps = np.diff(np.unique(column.values[~column.missing])) if not column.categories else []
            up = rng.choice([1, -1]) * (max(steps, default=1.0) * rng.choice([0.5, 1, 2]))
            change = rng.choice(column.categories).item() if column.categories else float(up)
            return getattr(ready, name)(attribute, change, rng.choice([0, 0, 0.2, 0.5]).item())
        case "require_attribute":
            return ready.require_attribute(attribute)
        case "require_pattern" | "forbid_pattern":
            return getattr(ready, name)(patterns[int(rng.integers(len(patterns)))]) if patterns else None
        case "budget":
            costs = {n: rng.choice([0, 0.1, 0.2, 0.7]).item() for n in names}
            most = sum(decimal_of(costs[n]) for n in names if some.uses(n))
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
    own = [
        *_on_predictions(some, rows),
        *_on_size(some, rng.choice(names).item()),
        *_on_coverage(some, rows),
        Own(
            "occurs",
            lambda f: sum(f.occurs(name) for name in names) >= len(names),
            lambda r: all(r.uses(name) for name in names),
        ),
    ]
    if patterns:
        own += _on_patterns(patterns[0], patterns[-1])
    if numeric:
        own += _on_bounds(rng.choice(numeric).item())
    return own[int(rng.integers(len(own)))]


def _on_predictions(some: Rules, rows: np.ndarray) -> list[Own]:
    y, errors, fires = some.table.y, int(some.wrong.sum()), int(some.fires[rows].sum())
    return [
        Own("errors >=", lambda f: f.error.sum() >= errors, lambda r: r.wrong.sum() >= errors),
        Own("errors ==", lambda f: f.error.sum() == errors, lambda r: r.wrong.sum() == errors),
        Own(
            "misses >=",
            lambda f: f.error[rows & f.label].sum() >= 1,
            lambda r: (r.wrong & rows & y).sum() >= 1,
        ),
        Own("fires >=", lambda f: f.predicted[rows].sum() >= fires, lambda r: r.fires[rows].sum() >= fires),
        Own("fires <=", lambda f: f.predicted[rows].sum() <= fires, lambda r: r.fires[rows].sum() <= fires),
    ]


def _on_size(some: Rules, attribute: str) -> list[Own]:
    n, literals, uses = len(some.patterns), sum(len(p) for p in some.patterns), some.uses(attribute)
    return [
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
    ]


def _on_coverage(some: Rules, rows: np.ndarray) -> list[Own]:
    y, covered = some.table.y, int(some.covers[:, rows].sum())
    support = max((float(some.weigh(y & c)) for c in some.covers), default=0.0)
    return [
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
            lambda r: all(r.weigh(y & c) <= Fraction(support) for c in r.covers),
        ),
        Own(
            "support adds up to more",
            lambda f: f.positive_support.sum() >= support + 0.5,
            lambda r: sum(r.weigh(y & c) for c in r.covers) >= Fraction(support) + Fraction(1, 2),
        ),
    ]


def _on_patterns(p: Pattern, q: Pattern) -> list[Own]:
    return [
        Own("one of two", lambda f: f.has(p) + f.has(q) <= 1, lambda r: r.has(p) + r.has(q) <= 1),
        Own("both", lambda f: f.has(p) + f.has(q) == 2, lambda r: r.has(p) and r.has(q)),
    ]


def _on_bounds(x: str) -> list[Own]:
    return [
        Own(
            "bounded",
            lambda f: f.bounded(x, "below").sum() >= 1,
            lambda r: r.bounded(x, "below") >= 1,
        ),
        Own(
            "bounded on both sides",
            lambda f: f.bounded(x, "above").sum() - f.bounded(x, "below").sum() == 0,
            lambda r: r.bounded(x, "below") == r.bounded(x, "above"),
        ),
    ]
