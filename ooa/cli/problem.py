"""From the options to a problem: which column is what, the labels, the weights, the constraints."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.checks import few_of
from ooa.constraints.base import Constraint
from ooa.data.columns import Category, Column
from ooa.data.frames import open_frame
from ooa.data.table import Table
from ooa.errors import DataError, OptionError

from .constraint_texts import parse_constraint
from .output import note
from .reading import Source, open_source

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Problem", "read_problem"]


@dataclass(frozen=True)
class Problem:
    """A table to learn from, and what was said about it.

    Attributes
    ----------
    source : what to call the data
    frame : the columns to learn from
    table : the same as a table, with labels and weights
    constraints : what the rule set must meet
    against_rest : whether one of several labels is learned against all others
    """

    source: str
    frame: pd.DataFrame
    table: Table
    constraints: tuple[Constraint, ...]
    against_rest: bool = False

    def summary(self) -> str:
        """The data in one sentence."""
        table = self.table
        kinds = [attribute.kind for attribute in table.attributes]
        parts = [f"{kinds.count(kind)} {kind}" for kind in ("numeric", "categorical") if kind in kinds]
        share = 100 * float(table.positive.sum()) / float(table.weight.sum())
        return (
            f"{self.source}: {table.n_rows:,} rows, {len(kinds)} columns ({', '.join(parts)}); "
            f"{table.target} = {table.labels[1]} in {int(table.y.sum()):,} rows ({share:.0f} %"
            f"{' of the weight' if (table.weight != 1).any() else ''})"
        )

    def schema(self) -> dict[str, Any]:
        """The training data for the model file."""
        columns = [
            {"name": attribute.name, "kind": "time" if attribute.time else attribute.kind}
            for attribute in self.table.attributes
        ]
        return {
            "source": self.source,
            "target": self.table.target,
            "rows": self.table.n_rows,
            "columns": columns,
        }


def read_problem(arguments: argparse.Namespace) -> Problem:
    """Read the data and everything that was said about them."""
    source = open_source(arguments.data)
    everything = source.frame(arguments.na, arguments.categorical)
    target = _target(source, everything, arguments.target)
    labels, positive, against_rest = _labels(everything, target, arguments.positive)
    aside = [target, *arguments.drop, *([arguments.weight] if arguments.weight else [])]
    for option, names in (("--drop", arguments.drop), ("--weight", aside[-1:] if arguments.weight else [])):
        for name in names:
            if name not in everything.columns:
                raise OptionError(f"{option} names {name!r}, which is not a column; {_listed(everything)}")
    frame = everything.drop(columns=aside)
    if not len(frame.columns):
        raise DataError(f"{source.name}: no column is left to learn from")
    table = Table.from_any(
        frame,
        labels,
        positive=positive,
        sample_weight=everything[arguments.weight] if arguments.weight else None,
        categorical=arguments.categorical,
        numeric=arguments.numeric,
    )
    groups = {name: everything[name].tolist() for name in aside if name != target}
    constraints = tuple(parse_constraint(text, groups) for text in arguments.constraint)
    return Problem(source.name, frame, table, constraints, against_rest)


def _target(source: Source, frame: pd.DataFrame, target: str | None) -> str:
    """The column to predict; data sets know theirs."""
    if target is None and source.dataset is not None:
        return str(frame.columns[-1])
    if target is None:
        raise OptionError(f"--target is missing: which column is to be predicted? {_listed(frame)}")
    if target not in frame.columns:
        raise OptionError(f"--target names {target!r}, which is not a column; {_listed(frame)}")
    return target


def _labels(frame: pd.DataFrame, target: str, positive: str | None) -> tuple[Column, Category | None, bool]:
    """The labels, the positive one, and whether it is learned against the rest, being more than one."""
    labels = open_frame(frame).column(target, kind="categorical")
    present = [labels.categories[code] for code in np.unique(labels.values[~labels.missing])]
    if len(present) > 2 and positive is None:
        shown = few_of(map(repr, present), most=5)
        raise DataError(
            f"column {target!r} has {len(present)} different values ({shown}) where two are needed: "
            "choose one with --positive, to be told from the rest"
        )
    if positive is None:
        return labels, None, False
    chosen = next((label for label in present if _same(label, positive)), None)
    if chosen is None:
        raise OptionError(
            f"--positive {positive} is not a value of column {target!r}: it has {few_of(present)}"
        )
    if len(present) <= 2:
        return labels, chosen, False
    note(f"{target!r} has {len(present)} different values: {positive} is learned against the rest")
    is_chosen = [label == chosen for label in labels.categories]
    codes = np.array([*is_chosen, -1], dtype=np.int32)[labels.values]
    return Column(target, "categorical", codes, (f"not {positive}", positive)), positive, True


def _same(label: Category, text: str) -> bool:
    """Whether a label is what was typed."""
    if isinstance(label, bool):
        return text.lower() == str(label).lower()
    return str(label) == text


def _listed(frame: pd.DataFrame) -> str:
    """The columns there are, for a message."""
    return f"the columns are {few_of(frame.columns, most=12)}"
