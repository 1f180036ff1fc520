"""A list of rule sets that are all (nearly) as good as the best, and what is proved about the list."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

from ooa.checks import truth
from ooa.errors import DataError, OptionError
from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet

from .beside import FitsBeside, fit_losses
from .extremes import Extremes, fit_ranges
from .notebook import html_table, patterns_of
from .reliance import attribute_frame, range_frame, row_frame

if TYPE_CHECKING:
    import pandas as pd

    from ooa.data.table import Table
    from ooa.learning.settings import OOAxSettings
    from ooa.objective import Objective


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
    sample : tuple of RuleSet
        Drawn from all that are within the distance asked for, listed or not, each as likely, with
        replacement. Empty if none was asked for, or if not all could be counted.
    table, objective, settings : Table or None, Objective or None, OOAxSettings or None
        The rows that it is about, the prices, and what the fit was told. A copy that is pickled has no rows
        and no settings.
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
    sample: tuple[RuleSet, ...] = ()
    table: Table | None = field(default=None, repr=False, compare=False)
    objective: Objective | None = field(default=None, repr=False, compare=False)
    settings: OOAxSettings | None = field(default=None, repr=False, compare=False)

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
    def excess(self) -> tuple[Fraction, ...]:
        """How far each rule set is above the first."""
        return tuple(found.objective - self.certificates[0].objective for found in self.certificates)

    @property
    def known(self) -> Fraction | None:
        """No rule set that was asked for and is not listed is nearer to the first than this, where known."""
        if not self.certificates:
            return None
        sure = [] if self.rest is None else [self.rest - self.certificates[0].objective]
        if self.complete and self.n is None and self.within is not None and not self.rounding:
            sure.append(self.within)
        return max([one for one in sure if one >= 0], default=None)

    def attributes(self, exact: bool = False) -> pd.DataFrame:
        """For every attribute, how many of the rule sets use it, and the loss without it.

        Parameters
        ----------
        exact : whether to fit anew, without each attribute where the list does not say what the loss is: with
            the settings and limits of the list, each time. Ctrl-C ends the fit at hand, and no other is begun

        Returns
        -------
        pandas.DataFrame
            A row for every attribute, those that most rule sets use first: attribute; sets (how many of the
            listed rule sets use it) and share (of these or, where there is one, of the sample); without (how
            far the best listed one that does not use it is above the best; NaN if all use it) and
            without_at_least (what is proved of that: if it is the same, the loss is exact); with and
            with_at_least (the same of those that use it). Where rule sets with equal predictions count as
            one nothing is proved, as others may use other attributes.

        Examples
        --------
        >>> from ooa import Table, enumerate_optimal
        >>> data = {"x": [1, 2, 3, 4, 5, 6], "y": [1, 2, 4, 3, 5, 6]}
        >>> table = Table.from_any(data, [0, 0, 0, 1, 1, 1])
        >>> near = enumerate_optimal(table, within="1/6", C1="1/50", C2="1/50", max_length=1)
        >>> near.attributes()[["attribute", "sets", "share", "without", "with"]].round(3)
          attribute  sets  share  without   with
        0         x     3    0.6    0.167  0.000
        1         y     2    0.4    0.000  0.167
        """
        names = [attribute.name for attribute in self._rows.attributes]
        known = None if self.distinct_predictions else self.known
        frame = attribute_frame(names, self.rules, self.excess, known)
        if truth(exact, "exact"):
            fit_losses(frame, FitsBeside(self._rows, self._settings), self.certificates[0].objective)
        if self.sample:
            uses = [set(rules.attributes) for rules in self.sample]
            frame["share"] = [sum(name in used for used in uses) / len(uses) for name in names]
        order = frame.sort_values(["share", "without"], ascending=False, kind="stable", na_position="first")
        return order.reset_index(drop=True)

    def rows(self) -> pd.DataFrame:
        """For every row, whether rule sets that are nearly as good as the best predict otherwise.

        Returns
        -------
        pandas.DataFrame
            A row for every row of the table: positive (whether it is), weight, predicted (by the best rule
            set), share (of the listed rule sets that predict the positive label), ambiguous (whether any of
            them predicts otherwise than the best) and nearest (how far above the best the first is that
            does; NaN if none).

        Examples
        --------
        >>> from ooa import Table, enumerate_optimal
        >>> table = Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [0, 0, 0, 1, 1, 1])
        >>> near = enumerate_optimal(table, within="1/6", C1="1/50", C2="1/50", max_length=1)
        >>> near.rows()["share"].round(2).tolist()
        [0.0, 0.0, 0.33, 0.67, 1.0, 1.0]
        """
        return row_frame(self._rows, self.rules, self.excess)

    def ranges(
        self, groups: str | None = None, costs: Mapping[str, Any] | None = None, exact: bool = False
    ) -> pd.DataFrame:
        """What can be attained within the distance: the least and the most of every figure.

        Parameters
        ----------
        groups : str, optional
            A column of categories: also the gaps between its groups, in the share that is predicted positive
            and in sensitivity.
        costs : dict, optional
            What it costs to measure attributes: also the cost of all that a rule set uses, each once.
        exact : bool, default False
            Where not all within the distance are listed, whether to fit anew for every end of every range:
            the best rule set that goes beyond what is known, until there provably is none within the
            distance. Each fit has the settings and limits of the list; there are two or more for a figure.
            Ctrl-C ends the one at hand, and no other is begun.

        Returns
        -------
        pandas.DataFrame
            A row for every figure, with its value at the best rule set, the least and the most there is, and
            the numbers of the rule sets where that is. changed_rows are those that the best rule set predicts
            otherwise: the most is the largest discrepancy. Rates are of what rows weigh. exact says whether
            both ends are those of all rule sets within the distance: otherwise there may be less, or more,
            among those that are not listed.

            Where ends were fitted, least_exact and most_exact say it of each, least_rules and most_rules are
            the rule sets there, as text, and one that is not listed has the number -1. An end that is not
            exact is attained, but whether anything lies beyond it is not known: a fit ran out of time, or,
            towards more literals, patterns or attributes, came upon redundant patterns only.

        Examples
        --------
        >>> from ooa import Table, enumerate_optimal
        >>> table = Table.from_any({"x": [1, 2, 3, 4, 5, 6]}, [0, 0, 0, 1, 1, 1])
        >>> near = enumerate_optimal(table, within="1/6", C1="1/50", C2="1/50", max_length=1)
        >>> near.ranges()[["figure", "optimum", "least", "most"]].head(3).round(2)
                figure  optimum  least  most
        0       errors      0.0   0.00   1.0
        1  sensitivity      1.0   0.67   1.0
        2  specificity      1.0   0.67   1.0
        """
        frame = range_frame(self._rows, self.rules, groups, costs)
        every = self.complete and (self.n is None or len(self) < self.n)
        frame["exact"] = every
        if not truth(exact, "exact") or every:
            return frame
        if self.within is None:
            raise OptionError("exact ranges are of all within a distance: list with within=..., not n alone")
        settings = self._settings
        if self.distinct_predictions:
            raise OptionError("exact ranges are of all rule sets: list without distinct_predictions")
        upper = self.certificates[0].objective + self.within
        beyond = Extremes(FitsBeside(self._rows, settings), upper, self.redundant)
        return fit_ranges(frame, beyond, self.rules, groups, costs)

    @property
    def _settings(self) -> OOAxSettings:
        if self.settings is None or not self.certificates:
            raise DataError("This list was copied without what it was made from: list anew")
        return self.settings

    @property
    def _rows(self) -> Table:
        if self.table is None:
            raise DataError("This list was copied without the rows that it is about: list anew")
        return self.table

    def __getstate__(self) -> dict[str, Any]:
        left = ("table", "settings")
        return {name: None if name in left else value for name, value in vars(self).items()}

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
        if not known and self.known:
            far = f"none is missing that is less than {_down(self.known)} above the best"
            return f"{head}; not all were looked at: {far}, further away there may be others"
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


def _down(value: Fraction) -> str:
    """Three digits of a positive number, never more than it."""
    unit = Fraction(10) ** (math.floor(math.log10(value)) - 2)
    return f"{float(value // unit * unit):.3g}"
