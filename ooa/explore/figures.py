"""Figures of rule sets within limits: how to say, to a fit, that there is to be less or more of one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.constraints.base import Term, at_most, weighted
from ooa.constraints.error_rates import max_false_negatives, max_false_positives
from ooa.constraints.structure import budget, max_total_literals
from ooa.data.table import Table
from ooa.formulations.base import ConstraintLike
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from ooa.formulations.vocabulary import Vocabulary

__all__ = ["Limited", "limited_figures"]

Mask = NDArray[np.bool_]
Summands = Callable[["Vocabulary"], list[Term]]
Beyond = Callable[[Fraction], list[ConstraintLike]]

#: Less than any step that exact figures go in, so that what is at most the rest of it is strictly less.
TINY = Fraction(1, 10**30)
ONE = Fraction(1)


class Limited(NamedTuple):
    """A figure, and the limits beyond a value of it.

    Attributes
    ----------
    value : of a rule set that covers these rows; None if there is none
    less, more : whatever has less, or more, than a value meets one of these constraints; nothing else does
    """

    value: Callable[[RuleSet, Mask], Fraction | None]
    less: Beyond
    more: Beyond


def limited_figures(
    table: Table, first: Mask, groups: Sequence[Mask] | None, prices: Mapping[str, Fraction] | None
) -> dict[str, Limited]:
    """The figures of `RashomonSet.ranges` by their names.

    Parameters
    ----------
    table : the rows
    first : what the best rule set covers
    groups : the rows of each group
    prices : what it costs to measure each attribute

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 1, 0, 1])
    >>> known = limited_figures(table, np.array([False, True, True, True]), None, None)
    >>> rules = RuleSet.parse("x >= 4")
    >>> known["sensitivity"].value(rules, rules.covers(table.as_frame()).any(axis=1))
    Fraction(1, 2)
    >>> known["literals"].less(Fraction(3)), known["sensitivity"].more(Fraction(1))
    ([max_total_literals(most=2)], [])
    """
    every = dict.fromkeys((one.name for one in table.attributes), ONE)
    flips = np.where(first, -1.0, 1.0)
    known = _rates(table) | {
        "literals": Limited(
            lambda rules, fires: Fraction(rules.n_literals),
            lambda least: [max_total_literals(int(least) - 1)] if least >= 1 else [],
            _beyond(lambda f: [Term(f.n_literals[None], np.ones(1), ONE)])[1],
        ),
        "patterns": Limited(
            lambda rules, fires: Fraction(len(rules)),
            *_beyond(lambda f: [Term(f.n_patterns[None], np.ones(1), ONE)]),
        ),
        "attributes": _measured(every),
        "changed_rows": Limited(
            lambda rules, fires: Fraction(int(np.count_nonzero(fires != first))),
            *_beyond(lambda f: [weighted(f.predicted, flips)], Fraction(int(first.sum()))),
        ),
    }
    if groups is not None:
        known["flagged_gap"] = _gap(table, groups)
        known["sensitivity_gap"] = _gap(table, [rows & table.y for rows in groups])
    if prices is not None:
        known["measuring_cost"] = _measured(prices)
    return known


def _beyond(terms: Summands, rest: Fraction = Fraction(0)) -> tuple[Beyond, Beyond]:
    """Less, and more, than a value of what some terms and the rest add up to."""

    def less(least: Fraction) -> list[ConstraintLike]:
        return [lambda f: at_most(least - rest - TINY, *terms(f))]

    def more(most: Fraction) -> list[ConstraintLike]:
        return [lambda f: at_most(rest - most - TINY, *_less(terms(f)))]

    return less, more


def _less(terms: Iterable[Term]) -> list[Term]:
    return [one._replace(factor=-one.factor) for one in terms]


def _rates(table: Table) -> dict[str, Limited]:
    """Errors, and shares of rows by what they weigh."""
    right, wrong = exact_sum(table.positive), exact_sum(table.negative)

    def found(fires: Mask) -> Fraction:
        return exact_sum(table.positive[fires])

    def alarms(fires: Mask) -> Fraction:
        return exact_sum(table.negative[fires])

    def ppv(rules: RuleSet, fires: Mask) -> Fraction | None:
        flagged = found(fires) + alarms(fires)
        return found(fires) / flagged if flagged else None

    def flagged(factor: Fraction, other: Fraction) -> Summands:
        return lambda f: [
            weighted(f.predicted, table.positive, factor),
            weighted(f.predicted, table.negative, other),
        ]

    share = 1 / (right + wrong)
    known = {
        "errors": Limited(
            lambda rules, fires: right - found(fires) + alarms(fires), *_beyond(flagged(-ONE, ONE), right)
        ),
        "flagged": Limited(
            lambda rules, fires: (found(fires) + alarms(fires)) * share, *_beyond(flagged(share, share))
        ),
        "ppv": Limited(
            ppv,
            lambda least: [lambda f: at_most(-TINY, *flagged(1 - least, -least)(f))],
            lambda most: [lambda f: at_most(-TINY, *flagged(most - 1, most)(f))],
        ),
    }
    if right:
        known["sensitivity"] = Limited(
            lambda rules, fires: found(fires) / right,
            _beyond(lambda f: [weighted(f.predicted, table.positive, 1 / right)])[0],
            lambda most: _if_any(max_false_negatives, (1 - most) * right),
        )
    if wrong:
        known["specificity"] = Limited(
            lambda rules, fires: 1 - alarms(fires) / wrong,
            _beyond(lambda f: [weighted(f.predicted, table.negative, -1 / wrong)], ONE)[0],
            lambda most: _if_any(max_false_positives, (1 - most) * wrong),
        )
    return known


def _if_any(limit: Callable[[Any], ConstraintLike], most: Fraction) -> list[ConstraintLike]:
    """Less than so much, of what is never negative."""
    return [limit(most - TINY)] if most > 0 else []


def _measured(prices: Mapping[str, Fraction]) -> Limited:
    """What the attributes in a rule set cost together, each once."""

    def terms(f: Vocabulary) -> list[Term]:
        return [Term(f.occurs(name)[None], np.ones(1), price) for name, price in prices.items() if price]

    costs: Any = dict(prices)
    return Limited(
        lambda rules, fires: sum((prices[name] for name in rules.attributes), Fraction(0)),
        lambda least: [budget(costs, least - TINY)] if least > 0 else [],  # type: ignore[arg-type]
        _beyond(terms)[1],
    )


def _gap(table: Table, groups: Sequence[Mask]) -> Limited:
    """How far groups are apart in the share that is covered."""
    some = [np.where(rows, table.weight, 0.0) for rows in groups]
    shares = [(weight, 1 / exact_sum(weight)) for weight in some if weight.any()]

    def value(rules: RuleSet, fires: Mask) -> Fraction | None:
        rates = [share * exact_sum(weight[fires]) for weight, share in shares]
        return max(rates) - min(rates) if rates else None

    def apart(f: Vocabulary) -> list[list[Term]]:
        rates = [weighted(f.predicted, weight, share) for weight, share in shares]
        return [[one, *_less([other])] for one, other in permutations(rates, 2)]

    def less(least: Fraction) -> list[ConstraintLike]:
        if least <= 0:
            return []
        return [lambda f: [row for terms in apart(f) for row in at_most(least - TINY, *terms)]]

    def wider(k: int, most: Fraction) -> ConstraintLike:
        return lambda f: at_most(-most - TINY, *_less(apart(f)[k]))

    def more(most: Fraction) -> list[ConstraintLike]:
        return [wider(k, most) for k in range(len(shares) * (len(shares) - 1))]

    return Limited(value, less, more)
