"""The optimal rule sets along a grid of prices, from simple to accurate, each started from the others.

For every single rule set, L is an affine function of the prices (C1, C2). The optimum, the least of
these functions over one and the same family of rule sets, is therefore concave: between two points
where it is known (or bounded from below), it is nowhere below the chord. Where the best rule set known
lies on a chord, it is optimal, and no solver is needed. On a fine grid most points are settled so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from ooa.checks import one_of
from ooa.clock import Deadline
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.by_settings import first_paying_pattern, learn
from ooa.learning.certificate import Certificate, Count, Scope, count, trivial_bound
from ooa.learning.settings import METHODS, FitSettings, OOASettings, OOAxSettings, takes
from ooa.learning.verdict import EVERYTHING, Learned
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

#: Points of the default grid, and how far it reaches below the largest price.
POINTS, SPAN = 10, 64
#: What the grid says, and nobody else.
_PRICES = ("C1", "C2")


class PathFrame(pd.DataFrame):
    """What `path` returns: a frame with one row per price, and what the rows stand for.

    What is derived from it (a selection, a copy) is a plain frame without these attributes.

    Attributes
    ----------
    rule_sets : tuple of RuleSet
    certificates : tuple of Certificate
    """

    _metadata: ClassVar[list[str]] = ["rule_sets", "certificates"]
    rule_sets: tuple[RuleSet, ...]
    certificates: tuple[Certificate, ...]


@takes(OOAxSettings, OOASettings, but=_PRICES)
def path(
    table: Table,
    C_grid: Iterable[Any] | None = None,
    *,
    method: str | None = None,
    settings: FitSettings | None = None,
    **options: Any,
) -> PathFrame:
    """Learn the optimal rule set for every price of a grid.

    Parameters
    ----------
    table : the training data
    C_grid : prices, each a number for C1 = C2 or a pair (C1, C2), taken as the decimals they look like;
        None for ten from the largest that admits a first pattern downwards
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : what every fit is told, but for its prices; by default `OOAxSettings()` or `OOASettings()`
    **options : fields of `OOAxSettings` or `OOASettings`, in the place of what the settings say. `time_limit`
        is for the whole path, and the patterns of `start` are candidates everywhere

    Returns
    -------
    PathFrame
        A pandas frame with one row per price, in the order given: C1, C2, errors, error_rate, literals,
        patterns, objective, bound, gap, proved, and the rules as text, which `RuleSet.parse` reads. The
        rule sets themselves are its attribute `rule_sets`, their certificates `certificates`. Where a
        certificate's proof is "concavity", its bound is the chord between the bounds of two other prices.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> frame = path(Table.from_any(data.X, data.y), [0.1, 0.05, 0.01])
    >>> frame[["C1", "errors", "literals", "patterns", "proved"]]
         C1  errors  literals  patterns  proved
    0  0.10   108.0         1         1    True
    1  0.05   108.0         1         1    True
    2  0.01     0.0         7         4    True
    >>> print(frame.rule_sets[0].to_text(compact=True, unicode=False))
    (jacket_color = red) -> monk = 1 ELSE 0
    """
    wanted = _wanted(method, settings, options)
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    rows = table.distinct()
    grid = _default_grid(rows, wanted) if C_grid is None else _read_grid(C_grid)
    route = _Path(table, rows, wanted.start)
    waiting = _from_the_ends(sorted(set(grid), key=lambda point: (-point.C1 - point.C2, -point.C1)))
    for done, point in enumerate(waiting):
        if route.settled(point):
            continue
        left = deadline.left()
        limit = None if left is None else left / (len(waiting) - done)
        here = replace(wanted, C1=point.C1, C2=point.C2, start=route.best(point), time_limit=limit)
        learned = learn(table, here)
        route.add(point, learned)
        if learned.certificate.termination is Termination.INTERRUPTED:
            break
    return _frame(grid, {point: route.answer(point) for point in set(grid)})


def refuse_prices(options: Iterable[str]) -> None:
    """Raise if options name a price: those of a path are on its grid."""
    for name in options:
        if name in _PRICES:
            raise OptionError(f"path takes {name} from C_grid: give a list of numbers or pairs there")


def _wanted(method: str | None, settings: FitSettings | None, options: dict[str, Any]) -> FitSettings:
    """What every fit of the path is told; the prices are yet to come."""
    refuse_prices(options)
    kind = OOAxSettings if settings is None else type(settings)
    if method is not None:
        kind = METHODS[one_of(method, "method", METHODS)]
    if settings is not None and not isinstance(settings, kind):
        raise OptionError(
            f"takes {kind.__name__}, not {type(settings).__name__}", option="method", value=method
        )
    wanted = kind.of(settings, options, "path")
    if wanted.start is not None and isinstance(wanted, OOAxSettings):
        # One family of rule sets for all prices.
        wanted = replace(wanted, patterns=(*wanted.patterns, *wanted.start))
    return wanted


class _Path:
    """What is known along the path: rule sets, and certificates of the points that were solved."""

    def __init__(self, table: Table, rows: DistinctRows, start: RuleSet | None) -> None:
        self._table, self._rows = table, rows
        self._start = start
        self._models: dict[RuleSet, Count] = {}
        self._solved: dict[Objective, Certificate] = {}

    def add(self, point: Objective, learned: Learned) -> None:
        """Take up a rule set that was learned, and its certificate."""
        self._solved[point] = learned.certificate
        if learned.certificate.feasible:
            self._models.setdefault(learned.rules, count(learned.rules, self._table, point))

    def best(self, point: Objective) -> RuleSet | None:
        """The best rule set known at a point, to start from."""
        if not self._models:
            return self._start
        return min(self._models, key=lambda rules: (self._value(rules, point), rules))

    def settled(self, point: Objective) -> bool:
        """Whether the best rule set known at a point is on a chord, and so optimal."""
        chord = self._chord(point)
        best = self.best(point)
        return chord is not None and best in self._models and chord[0] >= self._value(best, point)

    def answer(self, point: Objective) -> tuple[RuleSet, Certificate]:
        """The best rule set known at a point, with the best bound known there."""
        labels = self._table.labels
        rules = self.best(point) if self._models else RuleSet([], self._table.target, labels[1], labels[0])
        assert rules is not None
        known = count(rules, self._table, point)
        certificate = self._solved.get(point) or Certificate.of(
            known,
            bound=trivial_bound(self._rows, point),
            scope=EVERYTHING.scope,
            statement=EVERYTHING.statement,
            termination=Termination.INTERRUPTED,
            proof="counting",
        )
        bound, chord = certificate.bound, self._chord(point)
        if chord is not None and chord[0] > bound:
            bound, other = chord
            certificate = replace(
                certificate, scope=other.scope, statement=other.statement, proof="concavity", confirmed_by=""
            )
        closed = bool(self._models) and bound >= known.objective
        return rules, replace(
            certificate,
            errors=known.errors,
            literals=known.literals,
            patterns=known.patterns,
            objective=known.objective,
            bound=min(bound, known.objective) if self._models else bound,
            feasible=bool(self._models),
            claimed_by=certificate.claimed_by if known.objective == certificate.objective else "",
            termination=Termination.OPTIMAL if closed else certificate.termination,
        )

    def _value(self, rules: RuleSet, point: Objective) -> Fraction:
        known = self._models[rules]
        return point.value(known.errors, known.total, known.literals, known.patterns)

    def _chord(self, point: Objective) -> tuple[Fraction, Certificate] | None:
        """The best bound from the chord between two solved points, and the weaker of their certificates."""
        ends = [(at, c) for at, c in self._solved.items() if at != point]
        best: tuple[Fraction, Certificate] | None = None
        for (a, first), (b, second) in combinations(ends, 2):
            share = _share(a, b, point)
            if share is None:
                continue
            bound = (1 - share) * first.bound + share * second.bound
            if best is None or bound > best[0]:
                # All patterns up to a length is less than all patterns; lower prices meet more of them.
                weaker = max((first, -a.C1 - a.C2), (second, -b.C1 - b.C2), key=_weakness)[0]
                best = bound, weaker
        return best


def _weakness(end: tuple[Certificate, Fraction]) -> tuple[bool, Fraction]:
    return end[0].scope is not Scope.ALL, end[1]


def _share(a: Objective, b: Objective, point: Objective) -> Fraction | None:
    """Where a point lies between two others, from 0 to 1; None if it does not."""
    across = (b.C1 - a.C1, b.C2 - a.C2)
    along = (point.C1 - a.C1, point.C2 - a.C2)
    if across[0] * along[1] != across[1] * along[0]:
        return None
    share = along[0] / across[0] if across[0] else along[1] / across[1]
    return share if 0 <= share <= 1 else None


def _from_the_ends(points: list[Objective]) -> list[Objective]:
    """Both ends first, then the middles: so that every other point is between two that are solved."""
    if len(points) <= 2:
        return points
    order, spans = [points[0], points[-1]], [(0, len(points) - 1)]
    while spans:
        low, high = spans.pop(0)
        if high - low > 1:
            middle = (low + high) // 2
            order.append(points[middle])
            spans += [(low, middle), (middle, high)]
    return order


def _read_grid(C_grid: Iterable[Any]) -> list[Objective]:
    """The prices as the user typed them: numbers or pairs."""
    grid = []
    for prices in [C_grid] if isinstance(C_grid, str) else C_grid:
        pair = prices if isinstance(prices, (tuple, list, np.ndarray)) else (prices, prices)
        if len(pair) != 2:
            raise OptionError(f"C_grid must hold numbers or pairs (C1, C2), not {prices!r}")
        grid.append(Objective.of(*pair))
    if not grid:
        raise OptionError("C_grid has no prices: give at least one, or None for the default")
    return grid


def _default_grid(rows: DistinctRows, settings: FitSettings) -> list[Objective]:
    """Ten prices C1 = C2 in geometric steps, down from the largest at which a pattern beats having none.

    The last is a 64th of the first, but not so low that a pattern of one literal costs less than an error.
    """
    first = first_paying_pattern(rows, settings)
    total = exact_sum(rows.positive) + exact_sum(rows.negative)
    # Where no single pattern gains anything, none can at prices above this.
    largest = float(first.price if first is not None else exact_sum(rows.positive) / total / 2)
    if largest == 0:
        return [Objective.of(0, 0)]
    weights = np.concatenate([rows.positive, rows.negative])
    error = float(Fraction(float(weights[weights > 0].min())) / total)
    smallest = min(largest, max(largest / SPAN, error / 2))
    prices = np.geomspace(largest, smallest, POINTS)
    # Two digits, rounded down: at the largest price itself the pattern only just fails to pay.
    digits = [f"{np.floor(p * 10.0 ** (1 - np.floor(np.log10(p))) * (1 - 1e-9)):.0f}" for p in prices]
    powers = [int(np.floor(np.log10(p))) - 1 for p in prices]
    return list(dict.fromkeys(Objective.of(f"{d}e{e}", f"{d}e{e}") for d, e in zip(digits, powers)))


def _frame(grid: list[Objective], answers: dict[Objective, tuple[RuleSet, Certificate]]) -> PathFrame:
    lines = [
        {
            "C1": float(point.C1),
            "C2": float(point.C2),
            "errors": float(found.errors),
            "error_rate": float(found.errors / found.total),
            "literals": found.literals,
            "patterns": found.patterns,
            "objective": float(found.objective),
            "bound": float(found.bound),
            "gap": found.gap,
            "proved": found.proved,
            "rules": rules.to_text(compact=True),
        }
        for point, (rules, found) in ((point, answers[point]) for point in grid)
    ]
    frame = PathFrame(lines)
    frame.rule_sets = tuple(answers[point][0] for point in grid)
    frame.certificates = tuple(answers[point][1] for point in grid)
    return frame
