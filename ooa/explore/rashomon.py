"""A list of rule sets that are all (nearly) as good as the best, and what is proved about the list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet

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
        Whether it is proved that nothing that was asked for is missing.
    rest : Fraction or None
        No rule set that is not listed is below this value: up to there the list is complete in any case.
        None if nothing is known, or, of a complete list, if there is no other.
    statement : str
        Which patterns the rule sets could be made of.
    n, within : int or None, Fraction or None
        How many, and how far above the optimum, were asked for.
    distinct_predictions : bool
        Whether rule sets with equal predictions count as one.
    """

    rules: tuple[RuleSet, ...]
    certificates: tuple[Certificate, ...]
    complete: bool
    rest: Fraction | None
    statement: str
    n: int | None = None
    within: Fraction | None = None
    distinct_predictions: bool = False

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

    def __str__(self) -> str:
        kind = "rule sets" + (" with different predictions" if self.distinct_predictions else "")
        where = f"made of {self.statement}"
        near = "" if self.within is None else f" within {float(self.within):g} of the optimum"
        if self.complete and self.within is not None and (self.n is None or len(self) < self.n):
            head = f"all {len(self)} {kind}{near}, {where}"
        elif self.complete:
            head = f"the {len(self)} best {kind}{near}, {where}"
        else:
            head = f"{len(self)} {kind}{near}, {where}; there may be others as good that were not found"
        lines = [f"{float(c.objective):.6g}  {r.to_text(compact=True)}" for r, c in self]
        return "\n".join([head, *lines])

    def __repr__(self) -> str:
        return f"RashomonSet({len(self)} rule sets, complete={self.complete})"
