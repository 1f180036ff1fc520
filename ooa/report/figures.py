"""Everything that the report counts: what the rule set, and each of its patterns, does on the rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ooa.data.rows import WeightedRows, merge_equal
from ooa.data.table import Table
from ooa.errors import DataError
from ooa.learning.certificate import Certificate
from ooa.objective import exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.rules.tally import Tally

from .cells import RowNames

__all__ = ["Figures", "RowFigures", "take_stock"]


@dataclass(frozen=True)
class RowFigures:
    """What is counted on some rows.

    Attributes
    ----------
    name : "training" or "test", or nothing if they are all that the report is about
    table : the rows
    holds : for each row and each pattern, whether it holds
    fires : for each row, whether any pattern holds
    rows : counts of rows; one of weight 0 is as good as absent
    weighed : the same by weight, if rows count for anything other than 1
    unavoidable : rows that any rule set whatsoever gets wrong, as equal ones differ in their label
    """

    name: str
    table: Table
    holds: NDArray[np.bool_]
    fires: NDArray[np.bool_]
    rows: Tally
    weighed: Tally | None
    unavoidable: int

    @classmethod
    def of(cls, name: str, rules: RuleSet, table: Table) -> RowFigures:
        """Count what a rule set does on the rows of a table."""
        holds = rules.covers(table.as_frame())
        fires: NDArray[np.bool_] = np.asarray(holds.any(axis=1))
        counts = (table.weight > 0).astype(np.float64) * table.row_numbers
        heads = (name.capitalize(), f"{name.capitalize()}, by weight") if name else ("Rows", "By weight")
        kinds = np.where(table.y, counts, 0.0), np.where(table.y, 0.0, counts)
        distinct = merge_equal(WeightedRows(table.attributes, table.columns, *kinds))
        return cls(
            name=name,
            table=table,
            holds=holds,
            fires=fires,
            rows=Tally.of(rules, holds, table.y, counts, heads[0]),
            weighed=Tally.of(rules, holds, table.y, table.weight, heads[1]) if table.weighted else None,
            unavoidable=int(np.minimum(distinct.positive, distinct.negative).sum()),
        )

    @property
    def row(self) -> str:
        """What one of them is called."""
        return f"{self.name} row".strip()

    @property
    def suffix(self) -> str:
        """What a caption about them ends with."""
        return self.name and f", {self.name}"


@dataclass(frozen=True)
class Figures:
    """What the report is about.

    Attributes
    ----------
    rules, certificate : what was learned, and what is proved about it on the rows learned from
    training : what the rules do on the rows learned from, if these are at hand
    test : what they do on others, if there are any
    names : what the rows of `main` are called, if they have names
    """

    rules: RuleSet
    certificate: Certificate
    training: RowFigures | None
    test: RowFigures | None
    names: RowNames | None = None

    @property
    def main(self) -> RowFigures:
        """Those that come first, and whose rows are named: new rows say more than those learned from."""
        one = self.test or self.training
        assert one is not None
        return one

    @property
    def sets(self) -> tuple[RowFigures, ...]:
        """The rows learned from, and then the others, as far as they are there."""
        return tuple(one for one in (self.training, self.test) if one is not None)

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """Every column of figures: counts of rows first, then those by weight, where weights are in play."""
        by_weight = (one.weighed for one in self.sets)
        return (*(one.rows for one in self.sets), *(one for one in by_weight if one is not None))


def take_stock(
    rules: RuleSet,
    certificate: Certificate,
    table: Table | None,
    test: Table | None = None,
    ids: str | Iterable[object] | None = None,
) -> Figures:
    """Count what a rule set does on the rows it was learned from, and on others.

    Raises
    ------
    DataError
        If the first are not those that the certificate speaks of, or `ids` do not fit the rows.
    """
    if table is None and test is None:
        raise DataError("A report needs rows: those learned from, or others as test")
    alone = table is None or test is None
    training, other = (
        None if rows is None else RowFigures.of("" if alone else name, rules, rows)
        for name, rows in (("training", table), ("test", test))
    )
    if training is not None:
        _check(training, certificate)
    figures = Figures(rules, certificate, training, other)
    return figures if ids is None else replace(figures, names=RowNames.of(ids, figures.main.table))


def _check(training: RowFigures, certificate: Certificate) -> None:
    table = training.table
    errors, total = exact_sum(table.weight[training.fires != table.y]), exact_sum(table.weight)
    if (errors, total) != (certificate.errors, certificate.total):
        raise DataError(
            f"The certificate counts {float(certificate.errors):g} errors of {float(certificate.total):g}, "
            f"this table gives {float(errors):g} of {float(total):g}: it is not the one learned from "
            "(hand other rows over as test rows)"
        )
