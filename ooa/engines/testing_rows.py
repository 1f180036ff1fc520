"""Rows to test rules on, merged where they live: those that agree in every condition of the rules are one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of
from ooa.data.columns import Column
from ooa.data.frames import open_frame
from ooa.data.ranks import as_trained_on
from ooa.data.rows import Attribute
from ooa.data.table import Table, described
from ooa.errors import DataError
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet

from .plain import plain_value
from .reading import EngineRows
from .scoring import check_columns, holds_literal

__all__ = ["confusion_on", "rows_to_test"]

#: Conditions that are packed into one whole number.
_PACKED = 60
#: Groups that may come back: no rules make more of any use.
_MOST = 1_000_000


def confusion_on(rules: RuleSet, rows: EngineRows) -> Confusion:
    """What is said of rows against what they are, counted by their engine in one scan.

    Parameters
    ----------
    rules : the rule set
    rows : with their labels, and their weights if they have some
    """
    table = rows_to_test(rules, rows)
    return Confusion.of(np.asarray(rules.covers(table.as_frame()).any(axis=1)), table.y, table.weight)


def rows_to_test(
    rules: RuleSet,
    rows: EngineRows,
    known: dict[str, Attribute] | None = None,
    *,
    against_rest: bool = False,
    unlabelled: bool = False,
) -> Table:
    """Merge rows that agree in the truth of every condition and in their label, in one scan.

    Of each column that the rules use, one of the values of merged rows stands for all.

    Parameters
    ----------
    rules : the rule set
    rows : of one class or of both
    known : the columns as they were learned from, if that is known
    against_rest : whether every label but the positive one is the negative one
    unlabelled : whether rows without a label are left out, rather than an error

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"x": [1.0, 3.0, None, 5.0], "y": [0, 1, 1, 1]}))
    >>> rows_to_test(RuleSet.parse("x >= 2 -> y = 1 ELSE 0"), EngineRows(frame, "y"))
    Table(3 rows, 1 attributes, weight 3 positive, 1 negative)
    """
    import narwhals as nw

    check_columns(rules, rows.schema)
    literals = list(dict.fromkeys(literal for pattern in rules for literal in pattern))
    keys: dict[str, Any] = {}
    for start in range(0, len(literals), _PACKED):
        packed = nw.lit(0, nw.Int64)
        for bit, literal in enumerate(literals[start : start + _PACKED]):
            met = holds_literal(literal, rows.frame, rows.schema[literal.attribute])
            packed = packed + nw.when(met).then(nw.lit(1 << bit, nw.Int64)).otherwise(nw.lit(0, nw.Int64))
        keys[f"_ooa_met{start}"] = packed
    whole: list[str] = []
    least: dict[str, str] = {}
    for number, name in enumerate(rules.attributes):
        dtype, value = rows.schema[name], plain_value(rows.frame, name, rows.schema[name])
        keys[f"_ooa_gone{number}"] = value.is_null()
        if isinstance(dtype, nw.Boolean):
            whole.append(name)
        else:
            least[name] = f"_ooa_value{number}"
            plain = isinstance(dtype, (nw.Categorical, nw.Enum))
            keys[least[name]] = value.cast(nw.String) if plain else value
    named = {column: name for name, column in least.items()}
    merged = rows.merged(keys, whole, _MOST, least=named, used=rules.attributes)
    if len(merged) > _MOST:
        raise DataError(f"There are more than {_MOST:,} rows that differ for these rules")
    frame = open_frame(merged.to_native())
    labels = frame.column(rows.target, "categorical")
    y, labelled = _positive(rules, labels, against_rest)
    if not unlabelled and not labelled.all():
        number = int(rows.copies(merged)[~labelled].sum())
        raise DataError(f"The label {rows.target!r} is missing in {number:,} row{'s' * (number > 1)}")
    if not labelled.any():
        raise DataError(f"No row has a label in {rows.target!r}" if len(merged) else "The table has no rows")
    columns, kept = [], np.flatnonzero(labelled)
    for name in rules.attributes:
        attribute = None if known is None else known.get(name)
        column = frame.column(name) if attribute is None else as_trained_on(frame, name, attribute)
        columns.append(column.take(kept))
    weight = rows.weights(merged) if rows.class_weight is None else rows.scaled(merged)
    return Table.of_columns(
        described(tuple(columns), "false") if known is None else [known[name] for name in rules.attributes],
        columns,
        y[kept],
        weight[kept],
        labels=(rules.negative, rules.positive),
        target=rules.target,
        copies=rows.copies(merged)[kept],
    )


def _positive(
    rules: RuleSet, labels: Column, against_rest: bool
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which rows are positive, and which have a label at all."""
    present = [labels.categories[code] for code in np.unique(labels.values[~labels.missing])]
    pair = {str(rules.positive), str(rules.negative)}
    others = [label for label in present if str(label) not in pair]
    if others and not against_rest:
        raise DataError(
            f"The label {labels.name!r} is {few_of(map(repr, others), most=3)} somewhere, neither "
            f"{rules.positive!r} nor {rules.negative!r}"
        )
    yes = np.array([*(str(label) == str(rules.positive) for label in labels.categories), False])
    return yes[labels.values], ~labels.missing
