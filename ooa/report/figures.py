"""Everything that the report counts: what the rule set, and each of its patterns, does on the rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ooa.data.columns import Column
from ooa.data.table import Table
from ooa.errors import DataError
from ooa.learning.certificate import Certificate
from ooa.objective import exact_sum
from ooa.rules.confusion import Confusion
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import number_text, time_text, value_text

__all__ = ["Figures", "PatternFigures", "cell_text", "measure_text", "take_stock"]


@dataclass(frozen=True)
class PatternFigures:
    """What one pattern does; `only_` counts the rows that no other pattern covers."""

    pattern: Pattern
    confusion: Confusion
    only_found: float
    only_alarms: float

    @property
    def support(self) -> float:
        """The weight of the rows it covers."""
        return self.confusion.found + self.confusion.alarms

    @property
    def saves(self) -> float:
        """By how much the errors of the rule set would grow without this pattern."""
        return self.only_found - self.only_alarms


@dataclass(frozen=True)
class Figures:
    """What is counted on the rows.

    Attributes
    ----------
    rules, table, certificate : what is reported on
    holds : for each row and each pattern, whether it holds
    fires : for each row, whether any pattern holds
    confusion : of the rule set
    patterns : one entry per pattern, in order
    unavoidable : weight of the errors that no rule set whatsoever avoids, as equal rows differ in their label
    weighted : whether rows count for anything other than 1
    held_out : whether these are other rows than those learned from, which alone the certificate speaks of
    """

    rules: RuleSet
    table: Table
    certificate: Certificate
    holds: NDArray[np.bool_]
    fires: NDArray[np.bool_]
    confusion: Confusion
    patterns: tuple[PatternFigures, ...]
    unavoidable: float
    weighted: bool
    held_out: bool = False

    @property
    def rows(self) -> str:
        """What the counts are counts of."""
        return "weight of rows" if self.weighted else "rows"


def take_stock(rules: RuleSet, certificate: Certificate, table: Table, *, held_out: bool = False) -> Figures:
    """Count what a rule set does on rows; raise if they should be those learned from and are not."""
    holds = rules.covers(table.as_frame())
    fires: NDArray[np.bool_] = np.asarray(holds.any(axis=1))
    errors, total = exact_sum(table.weight[fires != table.y]), exact_sum(table.weight)
    if not held_out and (errors, total) != (certificate.errors, certificate.total):
        raise DataError(
            f"The certificate counts {float(certificate.errors):g} errors of {float(certificate.total):g}, "
            f"this table gives {float(errors):g} of {float(total):g}: it is not the one learned from "
            "(held_out=True reports on other rows)"
        )
    once = holds.sum(axis=1) == 1
    patterns = tuple(
        PatternFigures(
            pattern,
            Confusion.count(holds[:, k], table.y, table.weight),
            float(table.positive[holds[:, k] & once].sum()),
            float(table.negative[holds[:, k] & once].sum()),
        )
        for k, pattern in enumerate(rules)
    )
    distinct = table.distinct()
    unavoidable = float(np.minimum(distinct.positive, distinct.negative).sum())
    weighted = bool((table.weight != 1).any())
    return Figures(
        rules=rules,
        table=table,
        certificate=certificate,
        holds=holds,
        fires=fires,
        confusion=Confusion.count(fires, table.y, table.weight),
        patterns=patterns,
        unavoidable=unavoidable,
        weighted=weighted,
        held_out=held_out,
    )


def cell_text(column: Column, row: int) -> str:
    """Write one value of a column."""
    if column.missing[row]:
        return "missing"
    if column.kind == "categorical":
        return value_text(column.categories[int(column.values[row])])
    return measure_text(float(column.values[row]), column.time)


def measure_text(value: float, time: bool) -> str:
    """Write a number, or a time if it is one that has a date."""
    if time:
        try:
            return time_text(value)
        except OverflowError:  # beyond the year 9999
            return f"{number_text(value)} µs"
    return number_text(value)
