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

from ooa.checks import instance, listed_items
from ooa.clock import Deadline
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.by_settings import learn
from ooa.learning.certificate import Certificate
from ooa.learning.settings import FitSettings, OOASettings, OOAxSettings, takes
from ooa.live_line import LiveLine
from ooa.logs import user_warn
from ooa.objective import Objective, exact
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Termination

from .held_out import INTERRUPTED, Split, in_folds, read_splits
from .operating_frame import OperatingFrame, OperatingPoint
from .price_grid import from_the_ends, read_grid, refuse_prices
from .rates import Rates, rates_of
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
    C_grid: Iterable[Any] | None = None,
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
    C_grid : prices, each a number for C1 = C2 or a pair (C1, C2): there is a rule set for every weight at
        each of them; by default the prices are those of the settings
    splits : folds, each the numbers of the rows to learn from and of those held out; with them the rates on
        rows held out are counted as well
    jobs : folds at a time, as joblib counts them
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : what every fit is told; by default `OOAxSettings()` or `OOASettings()`
    **options : fields of `OOAxSettings` or `OOASettings`, in place of what the settings say. `time_limit`
        is for all fits together, folds among them

    Returns
    -------
    OperatingFrame
        A pandas frame with a row for every price, from dear to cheap, and weight, from small to large: C1,
        C2, weight, sensitivity, specificity, literals, patterns, objective, bound, gap, proved (the last four
        at that price and weight), scope (among which patterns bound and proof hold), envelope (whether no
        other of these rule sets is at least as sensitive and as specific, and more of one of them, or
        shorter), and the rules as text; with folds also cv_accuracy, cv_sensitivity and cv_specificity, the
        means over the folds on the rows held out, their standard errors (cv_accuracy_se, ...), and
        cv_envelope, by these rates. The rule sets are its attribute `rule_sets`, their certificates
        `certificates`.

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
    >>> frame = operating_curve(table, [0.25, 1, 4], C_grid=[0.04, 0.01])
    >>> frame[["C1", "weight", "sensitivity", "specificity", "envelope"]].round(2)
         C1  weight  sensitivity  specificity  envelope
    0  0.04    0.25         0.00         1.00      True
    1  0.04    1.00         0.66         0.81      True
    2  0.04    4.00         1.00         0.09      True
    3  0.01    0.25         0.66         0.81      True
    4  0.01    1.00         0.75         0.73      True
    5  0.01    4.00         1.00         0.09      True
    """
    if C_grid is not None:
        refuse_prices("operating_curve", options)
    wanted = settings_of_all("operating_curve", method, settings, options)
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    own = [Objective.of(wanted.C1, wanted.C2)]
    points = _points(own if C_grid is None else read_grid(C_grid), WEIGHTS if weights is None else weights)
    folds = read_splits(splits, table.n_rows)
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    whole = table if wanted.constraints else table.ordered()
    with LiveLine(wanted.progress, clock=wanted.clock) as line:  # one line for all fits
        share = deadline.share_of_rest(wanted.policy.whole_path_share) if folds else deadline
        answers = _along(whole, points, wanted.within(share.left()))
        held_out: Sequence[Sequence[Rates]] = ()
        whole_folds = not _interrupted(answers)
        if folds and whole_folds:
            told = replace(wanted, progress=False, threads=1).within(deadline.left())
            task = partial(_fold, points=points)
            held_out, whole_folds = in_folds(table, folds, task, told, jobs=jobs, tell=line.update)
    if folds and not whole_folds:
        held_out = ()
        user_warn(INTERRUPTED)
    rates = [rates_of(rules, whole) for rules, _ in answers]
    return OperatingFrame.of(points, answers, rates, held_out)


def _points(prices: Iterable[Objective], weights: Iterable[Any]) -> list[OperatingPoint]:
    """All weights at every price, from dear to cheap."""
    falling = sorted(set(prices), key=lambda price: (-price.C1 - price.C2, -price.C1))
    asked = _read_weights(weights)
    return [OperatingPoint(price, weight) for price in falling for weight in asked]


def _along(
    table: Table, points: Sequence[OperatingPoint], wanted: FitSettings
) -> list[tuple[RuleSet, Certificate]]:
    """The best rule set at each point, each fit started from the best that is known there."""
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    found: dict[OperatingPoint, tuple[RuleSet, Certificate]] = {}
    known: dict[RuleSet, Rates] = {}
    for done, point in enumerate(from_the_ends(points)):
        left = deadline.left()
        limit = None if left is None else left / (len(points) - done)
        if _interrupted(found.values()):
            limit = 0.0  # a rule set for every point all the same, by those that are known
        start = _best(known, point) or wanted.start
        here = replace(wanted, C1=point.price.C1, C2=point.price.C2, start=start).within(limit)
        rows = reweighted(table, point.weight)
        try:
            learned = learn(rows, here)
        except KeyboardInterrupt:  # before anything was known: what others found is not lost by that
            if _interrupted(found.values()):
                raise
            learned = learn(rows, here.within(0.0))
            ended = replace(learned.certificate, termination=Termination.INTERRUPTED)
            learned = replace(learned, certificate=ended)
        found[point] = learned.rules, learned.certificate
        if learned.certificate.feasible:
            known.setdefault(learned.rules, rates_of(learned.rules, table))
    return [found[point] for point in points]


def _interrupted(found: Iterable[tuple[RuleSet, Certificate]]) -> bool:
    """Whether Ctrl-C ended one of the fits."""
    return any(one.termination is Termination.INTERRUPTED for _, one in found)


def _best(known: dict[RuleSet, Rates], point: OperatingPoint) -> RuleSet | None:
    """The best rule set known at a point."""
    weight = point.weight

    def value(rules: RuleSet) -> tuple[Fraction, RuleSet]:
        rates = known[rules]
        missed = weight * (rates.positives - rates.found) + rates.alarms
        size = point.price.C1 * rules.n_literals + point.price.C2 * len(rules)
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


def _fold(
    train: Table, test: Table, settings: FitSettings, points: Sequence[OperatingPoint]
) -> tuple[list[Rates], bool]:
    """What the rule set of each point, learned from some rows, does with others."""
    answers = _along(train, points, settings)
    return [rates_of(rules, test) for rules, _ in answers], _interrupted(answers)


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
