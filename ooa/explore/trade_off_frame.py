"""What `trade_off` returns: a pandas frame with one row per limit, and what the rows stand for."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from ooa.data.table import Table
from ooa.learning.certificate import Certificate
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet

from .known_frontier import Answer
from .notebook import html_table, patterns_of

__all__ = ["TradeOffFrame"]


class TradeOffFrame(pd.DataFrame):
    """What `trade_off` returns: a frame with one row per limit, and what the rows stand for.

    What is derived from it (a selection, a copy) is a plain frame without these attributes.

    Attributes
    ----------
    constraint : str
        What it is a limit of.
    rule_sets : tuple of RuleSet or None
        None where no rule set that meets the limit is known.
    certificates : tuple of Certificate
    free : Answer
        The rule set without the constraint, and its certificate.
    """

    _metadata: ClassVar[list[str]] = ["constraint", "rule_sets", "certificates", "free"]
    constraint: str
    rule_sets: tuple[RuleSet | None, ...]
    certificates: tuple[Certificate, ...]
    free: Answer

    @classmethod
    def of(
        cls, constraint: str, table: Table, limits: Iterable[Any], answers: Iterable[Answer], free: Answer
    ) -> TradeOffFrame:
        """The frame of some limits and the answer at each of them."""
        answers = list(answers)
        frame = cls([_row(table, limit, answer, free) for limit, answer in zip(limits, answers)])
        frame.constraint, frame.free = constraint, free
        frame.rule_sets = tuple(answer.rules for answer in answers)
        frame.certificates = tuple(answer.certificate for answer in answers)
        return frame

    @property
    def headline(self) -> str:
        """What the frame is, and what is proved about it, in one sentence."""
        points = f"{len(self)} limit{'s' * (len(self) != 1)} of {self.constraint}"
        return f"{points}, {int(self['proved'].sum())} of them settled"

    def _repr_html_(self) -> str | None:
        whole = len(getattr(self, "rule_sets", ())) == len(self) and {"limit", "known"} <= set(self.columns)
        if not whole or not pd.get_option("display.notebook_repr_html"):
            return None
        rows = [
            {
                "limit": f"{limit}",
                "errors": f"{errors:g}",
                "L": f"{value:.6g}",
                "known": known,
                "rules": ["none"] if rules is None else patterns_of(rules),
            }
            for limit, errors, value, known, rules in zip(
                self["limit"], self["errors"], self["objective"], self["known"], self.rule_sets
            )
        ]
        return html_table("trade-off", self.headline, rows)


def _row(table: Table, limit: Any, answer: Answer, free: Answer) -> dict[str, Any]:
    """What the frame says about one limit."""
    rules, found, reason = answer
    row = {"limit": limit, "errors": math.nan, "false_negatives": math.nan, "false_positives": math.nan}
    row |= {"literals": math.nan, "patterns": math.nan, "objective": math.nan, "price": math.nan}
    known = {"bound": float(found.bound), "gap": found.gap, "proved": found.proved, "known": found.headline}
    if rules is None:
        words = "no rule set meets it" if reason else "none was found"
        known |= {"proved": bool(reason), "known": words} | ({"bound": math.inf} if reason else {})
        return row | known | {"scope": reason or found.statement, "rules": ""}
    missed, wrong = _errors(table, rules)
    row |= {"errors": float(missed + wrong), "false_negatives": float(missed)}
    row |= {"false_positives": float(wrong), "literals": found.literals, "patterns": found.patterns}
    row |= {"objective": float(found.objective)}
    if free.rules is not None:
        row |= {"price": float(found.objective - free.certificate.objective)}
    return row | known | {"scope": found.statement, "rules": rules.to_text(compact=True)}


def _errors(table: Table, rules: RuleSet) -> tuple[Fraction, Fraction]:
    """The weight of what is missed, and of what is covered wrongly."""
    fires = np.asarray(rules.covers(table.as_frame()).any(axis=1))
    return exact_sum(table.positive[~fires]), exact_sum(table.negative[fires])
