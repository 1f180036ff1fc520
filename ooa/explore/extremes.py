"""The least and the most of a figure over all rule sets up to a value, by fits beside limits on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.errors import InfeasibleConstraints
from ooa.formulations.base import ConstraintLike
from ooa.rules.ruleset import RuleSet

from .beside import FitsBeside
from .figures import Limited, limited_figures
from .reliance import groups_of, prices_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Extreme", "Extremes", "fit_ranges"]

NOT_LISTED = -1


@dataclass(frozen=True)
class Extreme:
    """The least or the most of a figure that is known, and whether nothing goes beyond it.

    Attributes
    ----------
    value : of the figure
    rules : a rule set that has it; None if it is the one that the search began with
    exact : whether no rule set of those in question has less, or more
    """

    value: Fraction
    rules: RuleSet | None
    exact: bool


@dataclass(frozen=True)
class Extremes:
    """Looks for rule sets up to a value of L that go beyond what is known of a figure.

    Parameters
    ----------
    fits : over the rows, with the settings of every fit
    upper : L of the rule sets in question is at most this
    redundant : whether rule sets are among them that have redundant patterns

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.learning.settings import OOAxSettings
    >>> from ooa.explore.figures import limited_figures
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> figure = limited_figures(table, table.y, None, None)["sensitivity"]
    >>> fits = FitsBeside(table, OOAxSettings(C1="1/50", C2="1/50"))
    >>> within = Extremes(fits, Fraction(1, 3), False)
    >>> found = within.least(figure, Fraction(1))
    >>> float(found.value), found.rules.to_text(compact=True), found.exact
    (0.5, '(x ≥ 4) → target = 1 ELSE 0', True)
    """

    fits: FitsBeside
    upper: Fraction
    redundant: bool

    def least(self, figure: Limited, known: Fraction) -> Extreme:
        """How little there is of a figure, where so much is known of."""
        return self._beyond(figure, figure.less, known, -1)

    def most(self, figure: Limited, known: Fraction) -> Extreme:
        """How much there is of a figure, where so much is known of."""
        return self._beyond(figure, figure.more, known, 1)

    def _beyond(
        self, figure: Limited, limits: Callable[[Fraction], list[ConstraintLike]], known: Fraction, sign: int
    ) -> Extreme:
        """Go beyond what is known, in strides twice as long each time, until nothing does."""
        value, rules, stride, excluded = known, None, Fraction(0), None
        while True:
            aim = value + sign * stride
            if excluded is not None and sign * (aim - excluded) >= 0:
                stride, aim = Fraction(0), value
            more, sure = self._any_of(limits(aim), figure, aim, sign)
            if more is None:
                if not stride:
                    return Extreme(value, rules, sure)
                excluded, stride = aim if sure else excluded, Fraction(0)
                continue
            rules, before = more, value
            reached = self._value(figure, more)
            assert reached is not None
            value = reached
            stride = max(2 * stride, abs(value - before))

    def _any_of(
        self, limits: list[ConstraintLike], figure: Limited, aim: Fraction, sign: int
    ) -> tuple[RuleSet | None, bool]:
        """A rule set beyond the aim; otherwise, whether there is provably none."""
        sure = True
        for limit in limits:
            found, none = self._best(limit)
            reached = None if found is None else self._value(figure, found)
            if reached is not None and sign * (reached - aim) > 0:
                return found, True
            sure = sure and none
        return None, sure

    def _best(self, limit: ConstraintLike) -> tuple[RuleSet | None, bool]:
        """The best rule set beside a limit, if it is in question; whether provably none is."""
        try:
            learned = self.fits.best(limit)
        except InfeasibleConstraints:
            return None, True
        if learned is None:
            return None, False
        if learned.certificate.bound > self.upper:
            return None, True
        if learned.certificate.objective > self.upper or not learned.certificate.feasible:
            return None, False
        return self._without_redundant(learned.rules), False

    def _without_redundant(self, rules: RuleSet) -> RuleSet | None:
        """A rule set without its redundant patterns; None if it might not be in question then."""
        if self.redundant:
            return rules
        left, frame = list(rules), self.fits.table.as_frame()
        covers: NDArray[np.bool_] = np.asarray(rules.covers(frame))
        for k in reversed(range(len(left))):
            others = np.delete(covers, k, axis=1).any(axis=1)
            if not (covers[:, k] & ~others).any():
                covers = np.delete(covers, k, axis=1)
                del left[k]
        if len(left) == len(rules):
            return rules
        if self.fits.settings.constraints:
            return None
        return RuleSet(left, target=rules.target, positive=rules.positive, negative=rules.negative)

    def _value(self, figure: Limited, rules: RuleSet) -> Fraction | None:
        return figure.value(rules, np.asarray(rules.covers(self.fits.table.as_frame()).any(axis=1)))


def fit_ranges(
    frame: pd.DataFrame,
    within: Extremes,
    rules: Sequence[RuleSet],
    groups: str | None,
    costs: Mapping[str, Any] | None,
) -> pd.DataFrame:
    """The ranges of listed rule sets, with the least and the most over all there are.

    Parameters
    ----------
    frame : what `range_frame` says of the listed ones
    within : what is asked
    rules : the listed ones, best first
    groups, costs : as for `range_frame`
    """
    table = within.fits.table
    covers = [np.asarray(one.covers(table.as_frame()).any(axis=1)) for one in rules]
    known = limited_figures(
        table,
        covers[0],
        None if groups is None else groups_of(table, groups),
        None if costs is None else prices_of(table, costs),
    )
    rows = []
    for row in frame.to_dict("records"):
        figure, text = known[row["figure"]], {}
        for end, look in (("least", within.least), ("most", within.most)):
            at = row[f"{end}_at"]
            value = figure.value(rules[at], covers[at])
            assert value is not None
            found = look(figure, value)
            if found.rules is not None:
                row |= {end: float(found.value), f"{end}_at": NOT_LISTED}
            row[f"{end}_exact"] = found.exact
            text[f"{end}_rules"] = (found.rules or rules[at]).to_text(compact=True)
        rows.append(row | {"exact": row["least_exact"] and row["most_exact"]} | text)
    return type(frame)(rows)
