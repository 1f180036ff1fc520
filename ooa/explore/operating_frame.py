"""What `operating_curve` returns: a pandas frame with a row for every price and weight."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from ooa.learning.certificate import Certificate
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet

from .notebook import html_table, patterns_of
from .rates import Rates, held_out_columns

__all__ = ["OperatingFrame", "OperatingPoint", "not_beaten"]


class OperatingPoint(NamedTuple):
    """What a rule set is the best for."""

    price: Objective
    weight: Fraction


class OperatingFrame(pd.DataFrame):
    """What `operating_curve` returns: a frame with one row per price and weight, and what these stand for.

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
        points: Sequence[OperatingPoint],
        answers: Sequence[tuple[RuleSet, Certificate]],
        rates: Sequence[Rates],
        folds: Sequence[Sequence[Rates]] = (),
    ) -> OperatingFrame:
        """The frame of some points, the answer at each of them, and what it does with rows."""
        frame = cls([_row(*one) for one in zip(points, answers, rates)])
        frame["envelope"] = not_beaten(frame, "")
        if folds:
            for name, values in held_out_columns(folds).items():
                frame[name] = values
            frame["cv_envelope"] = not_beaten(frame, "cv_")
        frame["rules"] = [rules.to_text(compact=True) for rules, _ in answers]
        frame.rule_sets = tuple(rules for rules, _ in answers)
        frame.certificates = tuple(found for _, found in answers)
        return frame

    @property
    def headline(self) -> str:
        """What the curve is, and what is proved about it, in one sentence."""
        different, prices = len(set(self.rule_sets)), len(self[["C1", "C2"]].drop_duplicates())
        sets = f"{different} rule set{'s' * (different != 1)} from specific to sensitive"
        where = f"at {self['weight'].nunique()} weights" + (f" and {prices} prices" if prices > 1 else "")
        return f"{sets}, {where}, {int(self['proved'].sum())} of {len(self)} proved optimal there"

    def _repr_html_(self) -> str | None:
        whole = len(getattr(self, "rule_sets", ())) == len(self) and "sensitivity" in self.columns
        if not whole or not pd.get_option("display.notebook_repr_html"):
            return None
        rates = [name for name in self.columns if name.endswith(("sensitivity", "specificity"))]
        several = len(self[["C1", "C2"]].drop_duplicates()) > 1
        rows = [
            ({"C1": f"{row['C1']:g}", "C2": f"{row['C2']:g}"} if several else {})
            | {"weight": f"{row['weight']:g}"}
            | {name.replace("cv_", "held out: "): f"{row[name]:.3f}" for name in rates}
            | {"known": found.headline, "rules": patterns_of(rules)}
            for row, rules, found in zip(self.to_dict("records"), self.rule_sets, self.certificates)
        ]
        return html_table("operating curve", self.headline, rows)


def not_beaten(frame: pd.DataFrame, rows: str) -> NDArray[np.bool_]:
    """Which rule sets no other one beats: more sensitive and no less specific, or the other way round.

    Of those with the same rates, the shorter beats the longer.

    Parameters
    ----------
    frame : with the rates and the sizes
    rows : "" for the rates on the rows learned from, "cv_" for those on rows held out

    Examples
    --------
    >>> rates = {"sensitivity": [0.5, 0.9, 0.9, 0.9], "specificity": [0.9, 0.6, 0.6, 0.5]}
    >>> not_beaten(pd.DataFrame(rates | {"literals": [2, 3, 4, 1], "patterns": 1}), "").tolist()
    [True, True, False, False]
    """
    good = frame[[f"{rows}sensitivity", f"{rows}specificity"]].to_numpy()
    size = frame[["literals", "patterns"]].to_numpy()
    as_good = np.all(good[:, None] >= good[None, :], axis=2)
    better = as_good & np.any(good[:, None] > good[None, :], axis=2)
    shorter = np.all(size[:, None] <= size[None, :], axis=2) & np.any(size[:, None] < size[None, :], axis=2)
    beaten = np.any(better | (as_good & as_good.T & shorter), axis=0)
    found: NDArray[np.bool_] = np.all(np.isfinite(good), axis=1) & ~beaten
    return found


def _row(point: OperatingPoint, answer: tuple[RuleSet, Certificate], rates: Rates) -> dict[str, Any]:
    """What the frame says about one price and weight."""
    _, found = answer
    return {
        "C1": float(point.price.C1),
        "C2": float(point.price.C2),
        "weight": float(point.weight),
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
