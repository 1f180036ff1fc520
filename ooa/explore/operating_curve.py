"""Rule sets from specific to sensitive: the best for every weight of a positive row against a negative one.

What a ROC curve is for scores, this is for rule sets: every point is a rule set of its own, the best at its
weight, with what is proved about that. On rows held out, folds say what to expect of each weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import instance, listed_items
from ooa.clock import Deadline
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.by_settings import learn
from ooa.learning.certificate import Certificate
from ooa.learning.settings import FitSettings, OOASettings, OOAxSettings, takes
from ooa.live_line import LiveLine
from ooa.objective import exact, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .cross_validation import Split, in_folds
from .operating_frame import OperatingFrame, Rates
from .price_path import from_the_ends
from .settings_of_all import settings_of_all

__all__ = ["WEIGHTS", "operating_curve"]

#: How many negative rows a positive one counts for, where nobody says: a sixteenth to sixteen, by doubling.
WEIGHTS = tuple(Fraction(2) ** power for power in range(-4, 5))
#: Weights are fractions of whole numbers up to this, so that products with weights of rows stay exact.
_MOST = 1000


@takes(OOAxSettings, OOASettings)
def operating_curve(
    table: Table,
    weights: Iterable[Any] | None = None,
    *,
    splits: Sequence[Split] = (),
    jobs: int | None = None,
    method: str | None = None,
    settings: FitSettings | None = None,
    **options: Any,
) -> OperatingFrame:
    """Learn the best rule set for every weight of a positive row against a negative one.

    A small weight gives specific rule sets, with few false alarms, a large one sensitive ones, which miss
    few. A weight of 3 is what ``class_weight={positive: 3, negative: 1}`` would be. L, and so the price of a
    condition, is relative to the weight of all rows.

    Parameters
    ----------
    table : the training data
    weights : for how many negative rows a positive one counts; by default 1/16 to 16 by doubling
    splits : folds, each the numbers of the rows to learn from and of those held out; with them the rates on
        rows held out are counted as well
    jobs : folds at a time, as joblib counts them
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : what every fit is told; by default `OOAxSettings()` or `OOASettings()`
    **options : fields of `OOAxSettings` or `OOASettings`, in the place of what the settings say. `time_limit`
        is for all fits together, folds among them

    Returns
    -------
    OperatingFrame
        A pandas frame with a row for every weight, from small to large: weight, sensitivity, specificity,
        literals, patterns, objective, bound, gap, proved (the last four at the weight), scope (among which
        patterns bound and proof hold), and the rules as text; with folds also cv_sensitivity and
        cv_specificity, over all rows that were held out once. The rule sets are its attribute `rule_sets`,
        their certificates `certificates`.

    Examples
    --------
    >>> from ooa.datasets import apnea_survey
    >>> data = apnea_survey(200)
    >>> table = Table.from_any(data.X.iloc[:, :6], data.y)
    >>> frame = operating_curve(table, [0.25, 1, 4], C1=0.01, C2=0.01)
    >>> frame[["weight", "sensitivity", "specificity", "literals", "proved"]].round(2)
       weight  sensitivity  specificity  literals  proved
    0    0.25         0.66         0.81         1    True
    1    1.00         0.75         0.73         2    True
    2    4.00         1.00         0.09         2    True
    """
    wanted = settings_of_all("operating_curve", method, settings, options)
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    asked = _read_weights(WEIGHTS if weights is None else weights)
    folds = [_read_split(one, table.n_rows) for one in listed_items(splits, "splits", object, "folds")]
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    whole = table if wanted.constraints else table.ordered()
    with LiveLine(wanted.progress, clock=wanted.clock) as line:  # one line for all fits
        share = deadline.share_of_rest(wanted.policy.whole_path_share) if folds else deadline
        answers = _along(whole, asked, wanted.within(share.left()))
        held_out = None
        if folds:
            told = replace(wanted, progress=False, threads=1).within(deadline.left())
            task = partial(_fold, weights=asked)
            held_out = _pooled(in_folds(table, folds, task, told, jobs=jobs, tell=line.update))
        rates = [_rates(rules, whole) for rules, _ in answers]
        return OperatingFrame.of(asked, answers, rates, held_out)


def _along(
    table: Table, weights: Sequence[Fraction], wanted: FitSettings
) -> list[tuple[RuleSet, Certificate]]:
    """The best rule set at each weight, each fit started from the best that is known there."""
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    found: dict[Fraction, tuple[RuleSet, Certificate]] = {}
    known: dict[RuleSet, Rates] = {}
    for done, weight in enumerate(from_the_ends(weights)):
        left = deadline.left()
        limit = None if left is None else left / (len(weights) - done)
        if any(one.termination is Termination.INTERRUPTED for _, one in found.values()):
            limit = 0.0  # a rule set for every weight all the same, by those that are known
        here = replace(wanted, start=_best(known, weight, wanted) or wanted.start).within(limit)
        learned = learn(reweighted(table, weight), here)
        found[weight] = learned.rules, learned.certificate
        if learned.certificate.feasible:
            known.setdefault(learned.rules, _rates(learned.rules, table))
    return [found[weight] for weight in weights]


def _best(known: dict[RuleSet, Rates], weight: Fraction, wanted: FitSettings) -> RuleSet | None:
    """The best rule set known at a weight."""
    C1, C2 = exact(wanted.C1, "C1"), exact(wanted.C2, "C2")

    def value(rules: RuleSet) -> tuple[Fraction, RuleSet]:
        rates = known[rules]
        missed = weight * (rates.positives - rates.found) + rates.alarms
        size = C1 * rules.n_literals + C2 * len(rules)
        return missed + size * (weight * rates.positives + rates.negatives), rules

    return min(known, key=value, default=None)


def reweighted(table: Table, weight: Fraction) -> Table:
    """A table in which a positive row counts for so many times what it does, up to a common factor.

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3]}, [0, 1, 1])
    >>> reweighted(table, Fraction(3, 2))
    Table(3 rows, 1 attributes, weight 6 positive, 2 negative)
    """
    positive, negative = table.positive * weight.numerator, table.negative * weight.denominator
    return replace(table, positive=positive, negative=negative, weight=positive + negative)


def _rates(rules: RuleSet, table: Table) -> Rates:
    """What a rule set does with the rows of each class."""
    fires: NDArray[np.bool_] = np.asarray(rules.covers(table.as_frame()).any(axis=1))
    sums = (table.positive[fires], table.positive, table.negative[fires], table.negative)
    return Rates(*map(exact_sum, sums))


def _fold(train: Table, test: Table, settings: FitSettings, weights: Sequence[Fraction]) -> list[Rates]:
    """What the rule set of each weight, learned from some rows, does with others."""
    return [_rates(rules, test) for rules, _ in _along(train, weights, settings)]


def _pooled(folds: Sequence[Sequence[Rates]]) -> list[Rates]:
    """The rates over the rows held out in any fold, weight by weight."""
    return [Rates(*(sum(parts, Fraction(0)) for parts in zip(*some))) for some in zip(*folds)]


def _read_split(given: Any, rows: int) -> Split:
    """The numbers of the rows to learn from and of those held out."""
    try:
        train, test = (np.asarray(part) for part in given)
        whole = all(part.ndim == 1 and part.dtype.kind in "iu" for part in (train, test))
        if whole and all(((part >= 0) & (part < rows)).all() for part in (train, test)):
            return train.astype(np.intp), test.astype(np.intp)
    except (TypeError, ValueError):
        pass
    raise OptionError(
        f"splits must hold pairs of arrays with numbers of rows below {rows}, not {given!r:.60}"
    )


def _read_weights(weights: Iterable[Any]) -> list[Fraction]:
    """The weights as typed, each once, from small to large."""
    asked = []
    for given in listed_items(weights, "weights", object, "numbers above 0"):
        weight = exact(given, "a weight")
        if not weight:
            raise OptionError("weights must be above 0: a class that counts for nothing has no rates")
        if max(weight.limit_denominator(_MOST).as_integer_ratio()) > _MOST:
            raise OptionError(f"weights must be between 1/{_MOST} and {_MOST}, not {given!r:.60}")
        asked.append(weight.limit_denominator(_MOST))
    if not asked:
        raise OptionError("weights has none: give at least one, or None for the default")
    return sorted(set(asked))
