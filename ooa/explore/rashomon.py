"""A list of rule sets that are all (nearly) as good as the best, and what is proved about the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet

from .notebook import html_table, patterns_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class RashomonSet(Sequence[tuple[RuleSet, Certificate]]):
    """Rule sets with their certificates, in order of their value L; see `ooa.enumerate_optimal`.

    Attributes
    ----------
    rules : tuple of RuleSet
    certificates : tuple of Certificate
        Each counted exactly; the bound, which all share, is on the optimum.
    complete : bool
        Whether it is proved that nothing that was asked for is missing, up to `rounding`.
    rest : Fraction or None
        No rule set of those asked for that is not listed is below this value: up to there the list is
        complete in any case. None if nothing is known, or, of a complete list, if there is no other.
    statement : str
        Which patterns the rule sets could be made of.
    n, within : int or None, Fraction or None
        How many, and how far above the optimum, were asked for.
    distinct_predictions : bool
        Whether rule sets with equal predictions count as one.
    redundant : bool
        Whether rule sets that only add a redundant pattern are listed too.
    pool : int or None
        Where patterns had to be left out, and nothing is missing over the others: how many those were.
    total : int or None
        How many there are within the distance asked for, where that is known: more than are listed if these
        are very many (10,000 at most are).
    """

    rules: tuple[RuleSet, ...]
    certificates: tuple[Certificate, ...]
    complete: bool
    rest: Fraction | None
    statement: str
    n: int | None = None
    within: Fraction | None = None
    distinct_predictions: bool = False
    redundant: bool = False
    pool: int | None = None
    total: int | None = None

    def __len__(self) -> int:
        return len(self.rules)

    @overload
    def __getitem__(self, index: int) -> tuple[RuleSet, Certificate]: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[tuple[RuleSet, Certificate]]: ...

    def __getitem__(self, index: int | slice) -> Any:
        return list(zip(self.rules, self.certificates))[index]

    def __iter__(self) -> Iterator[tuple[RuleSet, Certificate]]:
        return iter(zip(self.rules, self.certificates))

    def to_frame(self) -> pd.DataFrame:
        """The list as a pandas frame: objective, how far above the best, errors, size and the rules as text.

        `RuleSet.parse` reads the text back.
        """
        import pandas as pd

        best = self.certificates[0].objective if self.certificates else Fraction(0)
        rows = [
            {
                "objective": float(found.objective),
                "excess": float(found.objective - best),
                "errors": float(found.errors),
                "error_rate": float(found.errors / found.total),
                "literals": found.literals,
                "patterns": found.patterns,
                "rules": rules.to_text(compact=True),
            }
            for rules, found in self
        ]
        names = ["objective", "excess", "errors", "error_rate", "literals", "patterns", "rules"]
        return pd.DataFrame(rows, columns=names)

    @property
    def rounding(self) -> Fraction:
        """By how much a rule set that is missing in a complete list can be better than its last, at most.

        That is 0 unless weights had to be rounded, and where all within a distance of the optimum are listed.
        """
        if not self.complete or self.rest is None or not len(self):
            return Fraction(0)
        return max(Fraction(0), self.certificates[-1].objective - self.rest)

    @property
    def headline(self) -> str:
        """What the list is, and what is proved about it, in one sentence."""
        kind = "rule sets"
        if self.distinct_predictions:
            kind += " with different predictions"
        elif not self.redundant:
            kind += " without redundant patterns"
        near = "" if self.within is None else f" within {float(self.within):g} of the optimum"
        known = self.complete or self.pool is not None
        if self.total is not None and self.total > len(self) and self.n is None:
            return f"the {len(self)} best of {self.total} {kind}{near}, among {self.statement}"
        if not known:
            which = f"{len(self)}"
        elif self.within is not None and (self.n is None or len(self) < self.n):
            which = f"all {len(self)}"
        else:
            which = f"the {len(self)} best" + (
                f", up to {float(self.rounding):.1g}," if self.rounding else ""
            )
        head = f"{which} {kind}{near}, among {self.statement}"
        if self.complete:
            return head
        lacking = "other patterns were left out, so" if known else "not all were looked at:"
        better = "" if self.certificates and self.certificates[0].proved else ", or better"
        return f"{head}; {lacking} there may be others as good{better}"

    def __str__(self) -> str:
        lines = [f"{float(c.objective):.6g}  {r.to_text(compact=True)}" for r, c in self]
        return "\n".join([self.headline, *lines])

    def _repr_html_(self) -> str:
        best = self.certificates[0].objective if self.certificates else Fraction(0)
        return html_table(
            "rashomon",
            self.headline,
            [
                {
                    "L": f"{float(found.objective):.6g}",
                    "above the best": f"{float(found.objective - best):.4g}",
                    "errors": f"{float(found.errors):g}",
                    "literals": f"{found.literals}",
                    "patterns": f"{found.patterns}",
                    "rules": patterns_of(rules),
                }
                for rules, found in self
            ],
        )

    def __repr__(self) -> str:
        return f"RashomonSet({len(self)} rule sets, complete={self.complete})"
