"""What `path` returns: a pandas frame with one row per price, and what the rows stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ooa.data.table import Table
from ooa.learning.certificate import Certificate
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

from .notebook import html_table, patterns_of
from .rates import Rates, rates_of

__all__ = ["PathFrame"]


class PathFrame(pd.DataFrame):
    """What `path` returns: a frame with one row per price, and what the rows stand for.

    What is derived from it (a selection, a copy) is a plain frame without these attributes.

    Attributes
    ----------
    rule_sets : tuple of RuleSet
    certificates : tuple of Certificate
    prices : tuple of Objective
        C1 and C2, exactly.
    complete : bool
        Whether it is proved that no other rule set is the best anywhere between the highest and the lowest
        price, but for some that are just as good; False if a grid was given.
    interrupted : bool
        Whether Ctrl-C ended the path over all rows.
    """

    _metadata: ClassVar[list[str]] = ["rule_sets", "certificates", "prices", "complete", "interrupted"]
    rule_sets: tuple[RuleSet, ...]
    certificates: tuple[Certificate, ...]
    prices: tuple[Objective, ...]
    complete: bool
    interrupted: bool

    @classmethod
    def of(
        cls,
        points: Iterable[Objective],
        answers: Iterable[tuple[RuleSet, Certificate]],
        table: Table,
        complete: bool = False,
        interrupted: bool = False,
    ) -> PathFrame:
        """The frame of some prices, the answer at each of them, and the rows learned from."""
        points, answers = tuple(points), list(answers)
        rates = {rules: rates_of(rules, table) for rules, _ in answers}
        frame = cls([_row(point, *answer, rates[answer[0]]) for point, answer in zip(points, answers)])
        frame.rule_sets = tuple(rules for rules, _ in answers)
        frame.certificates = tuple(found for _, found in answers)
        frame.prices, frame.complete, frame.interrupted = points, complete, interrupted
        return frame

    def put(self, columns: Mapping[str, NDArray[np.float64]]) -> None:
        """Put columns beside the others, before the rules."""
        for name, values in columns.items():
            self.insert(len(self.columns) - 1, name, values)

    @property
    def headline(self) -> str:
        """What the path is, and what is proved about it, in one sentence."""
        here = f"{len(self)} rule set{'s' * (len(self) != 1)} from simple to accurate"
        if self.complete:
            return f"{here}: no other is the best at any price between these"
        proved = sum(one.proved for one in self.certificates)
        return f"{here}, {proved} of them proved optimal at the price"

    def _repr_html_(self) -> str | None:
        whole = len(getattr(self, "rule_sets", ())) == len(self) and {"C1", "C2"} <= set(self.columns)
        if not whole or not pd.get_option("display.notebook_repr_html"):
            return None
        held_out = {
            f"cv_{rate}": f"held out: {rate}"
            for rate in ("accuracy", "sensitivity", "specificity")
            if f"cv_{rate}" in self.columns
        }
        one_price = self["C1"].equals(self["C2"])
        rows = [
            ({"C": f"{C1:g}"} if one_price else {"C1": f"{C1:g}", "C2": f"{C2:g}"})
            | {
                "errors": f"{float(found.errors):g}",
                "literals": f"{found.literals}",
                "patterns": f"{found.patterns}",
            }
            | {words: f"{row[name]:.3f} ± {row[f'{name}_se']:.3f}" for name, words in held_out.items()}
            | {
                "L": f"{float(found.objective):.6g}",
                "known": found.headline,
                "rules": patterns_of(rules),
            }
            for C1, C2, rules, found, row in zip(
                self["C1"], self["C2"], self.rule_sets, self.certificates, self.to_dict("records")
            )
        ]
        return html_table("path", self.headline, rows)


def _row(point: Objective, rules: RuleSet, found: Certificate, rates: Rates) -> dict[str, Any]:
    """What the frame says about one price."""
    return {
        "C1": float(point.C1),
        "C2": float(point.C2),
        "errors": float(found.errors),
        "error_rate": float(found.errors / found.total),
        "sensitivity": rates.sensitivity,
        "specificity": rates.specificity,
        "literals": found.literals,
        "patterns": found.patterns,
        "objective": float(found.objective),
        "bound": float(found.bound),
        "gap": found.gap,
        "proved": found.proved,
        "scope": found.statement,
        "rules": rules.to_text(compact=True),
    }
