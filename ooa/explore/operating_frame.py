"""What `operating_curve` returns: a pandas frame with one row per weight, and what the rows stand for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import pandas as pd

from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet

from .notebook import html_table, patterns_of

__all__ = ["OperatingFrame", "Rates"]


class Rates(NamedTuple):
    """The weight of the positives found and of all, of the negatives taken for positive and of all."""

    found: Fraction
    positives: Fraction
    alarms: Fraction
    negatives: Fraction

    @property
    def sensitivity(self) -> float:
        """The share of the positives that is found; not a number if there are none."""
        return float(self.found / self.positives) if self.positives else math.nan

    @property
    def specificity(self) -> float:
        """The share of the negatives that is left alone; not a number if there are none."""
        return float(1 - self.alarms / self.negatives) if self.negatives else math.nan


class OperatingFrame(pd.DataFrame):
    """What `operating_curve` returns: a frame with one row per weight, and what the rows stand for.

    What is derived from it (a selection, a copy) is a plain frame without these attributes.

    Attributes
    ----------
    rule_sets : tuple of RuleSet
    certificates : tuple of Certificate
    """

    _metadata: ClassVar[list[str]] = ["rule_sets", "certificates"]
    rule_sets: tuple[RuleSet, ...]
    certificates: tuple[Certificate, ...]

    @classmethod
    def of(
        cls,
        weights: Sequence[Fraction],
        answers: Sequence[tuple[RuleSet, Certificate]],
        rates: Sequence[Rates],
        held_out: Sequence[Rates] | None = None,
    ) -> OperatingFrame:
        """The frame of some weights, the answer at each of them, and what it does with rows."""
        rows = [_row(*one) for one in zip(weights, answers, rates)]
        for row, rate in zip(rows, held_out or ()):
            row |= {"cv_sensitivity": rate.sensitivity, "cv_specificity": rate.specificity}
        frame = cls([row | {"rules": rules.to_text(compact=True)} for row, (rules, _) in zip(rows, answers)])
        frame.rule_sets = tuple(rules for rules, _ in answers)
        frame.certificates = tuple(found for _, found in answers)
        return frame

    @property
    def headline(self) -> str:
        """What the curve is, and what is proved about it, in one sentence."""
        different = len(set(self.rule_sets))
        sets = f"{different} rule set{'s' * (different != 1)} from specific to sensitive"
        return f"{sets}, at {len(self)} weights, {int(self['proved'].sum())} of them proved optimal there"

    def _repr_html_(self) -> str | None:
        whole = len(getattr(self, "rule_sets", ())) == len(self) and "sensitivity" in self.columns
        if not whole or not pd.get_option("display.notebook_repr_html"):
            return None
        rates = [name for name in self.columns if name.endswith(("sensitivity", "specificity"))]
        rows = [
            {"weight": f"{row['weight']:g}"}
            | {name.replace("cv_", "held out: "): f"{row[name]:.3f}" for name in rates}
            | {"known": found.headline, "rules": patterns_of(rules)}
            for row, rules, found in zip(self.to_dict("records"), self.rule_sets, self.certificates)
        ]
        return html_table("operating curve", self.headline, rows)


def _row(weight: Fraction, answer: tuple[RuleSet, Certificate], rates: Rates) -> dict[str, Any]:
    """What the frame says about one weight."""
    _, found = answer
    return {
        "weight": float(weight),
        "sensitivity": rates.sensitivity,
        "specificity": rates.specificity,
        "literals": found.literals,
        "patterns": found.patterns,
        "objective": float(found.objective),
        "bound": float(found.bound),
        "gap": found.gap,
        "proved": found.proved,
        "scope": found.statement,
    }
