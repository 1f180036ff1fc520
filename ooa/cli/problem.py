"""From the options to a problem: which column is what, the labels, the weights, the constraints, the test."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of, nearest, weights
from ooa.constraints.base import Constraint
from ooa.data.columns import Category, Column
from ooa.data.frames import open_frame
from ooa.data.suspicions import MANY
from ooa.data.table import Table
from ooa.errors import DataError, OptionError

from .cells import PLAIN, CellType, Reading
from .constraint_texts import parse_constraint
from .output import note
from .reading import InputFile, open_source, source_asked_for

if TYPE_CHECKING:
    import pandas as pd

    from ooa.engines.compress import Compressed

__all__ = [
    "Problem",
    "class_weight_said",
    "missing_said",
    "read_problem",
    "test_file",
    "typed_label",
    "types_said",
]


@dataclass(frozen=True)
class Problem:
    """A table to learn from, and what was said about it.

    Attributes
    ----------
    source : what to call the data
    table : the columns to learn from, with labels and weights
    constraints : what the rule set must meet
    reading : how the data are written
    settled : the columns of which it was said what they are
    against_rest : whether one of several labels is learned against all others
    test : labelled rows that are not learned from, if there are any
    names : what the rows are called in a report, if that was said
    compressed : how rows were merged where they are, if they were
    """

    source: str
    table: Table
    constraints: tuple[Constraint, ...]
    reading: Reading = PLAIN
    settled: frozenset[str] = frozenset()
    against_rest: bool = False
    test: pd.DataFrame | None = None
    names: pd.Series[Any] | None = None
    compressed: Compressed | None = None

    @property
    def weighted(self) -> bool:
        """Whether rows count for anything other than 1."""
        return bool((self.table.weight != self.table.row_numbers).any())

    @property
    def n_rows(self) -> int:
        """How many rows there are, merged or not."""
        return int(self.table.row_numbers.sum())

    @property
    def n_positives(self) -> int:
        """How many of them are positive."""
        return int(self.table.row_numbers[self.table.y].sum())

    @property
    def values(self) -> dict[str, list[Category]]:
        """The categories there are, by column; not of columns with so many that others are no surprise."""
        columns = [one for one in self.table.columns if one.kind == "categorical" and not one.levels]
        seen = {one.name: np.unique(one.values[~one.missing]) for one in columns}
        return {
            one.name: [one.categories[code] for code in seen[one.name]]
            for one in columns
            if len(seen[one.name]) < MANY
        }

    def summary(self) -> str:
        """The data in one sentence; shares are of rows."""
        table = self.table
        kinds = ["ordered" if attribute.levels else attribute.kind for attribute in table.attributes]
        names = ("numeric", "ordered", "categorical")
        parts = [f"{kinds.count(kind)} {kind}" for kind in names if kind in kinds]
        rows, positives = self.n_rows, self.n_positives
        weight = float(table.positive.sum() / table.weight.sum())
        beside = f", {100 * weight:.0f} % of the weight" if self.weighted else ""
        apart = f"; {len(self.test):,} other rows to test on" if self.test is not None else ""
        return (
            f"{self.source}: {rows:,} rows, {len(kinds)} columns ({', '.join(parts)}); "
            f"{table.target} = {table.labels[1]} in {positives:,} rows "
            f"({100 * positives / rows:.0f} %{beside}){apart}"
        )

    def schema(self, used: Collection[str]) -> dict[str, Any]:
        """The training data for the model file, with how they were read, and the values of columns used."""
        known = {name: values for name, values in self.values.items() if name in used}
        columns = [
            {"name": attribute.name, "kind": "time" if attribute.time else attribute.kind}
            | ({"kind": "ordered", "levels": list(attribute.levels)} if attribute.levels else {})
            | ({"values": known[attribute.name]} if attribute.name in known else {})
            for attribute in self.table.attributes
        ]
        return {
            "source": self.source,
            "target": self.table.target,
            "rows": self.n_rows,
            "columns": columns,
            "reading": asdict(self.reading) | {"na": list(self.reading.na)},
        }


def read_problem(arguments: argparse.Namespace) -> Problem:
    """Read the data and everything that was said about them."""
    if hasattr(arguments, "table"):
        from .tables import is_table, read_table_problem

        if is_table(arguments):
            return read_table_problem(arguments)
    source = source_asked_for(arguments)
    everything = source.frame(types_said(arguments))
    target = _target(source, everything, arguments.target)
    _check_names(arguments, everything)
    for column, levels in arguments.ordered:
        everything[column] = _in_order(everything[column], levels)
    labels, positive, against_rest = _labels(everything, target, arguments.positive)
    learned, kept_aside = _parted(arguments, labels)
    part, labels = everything.iloc[learned], labels.take(learned)
    ids: str | None = getattr(arguments, "ids", None)
    frame = _to_learn_from(source, part, {target, *arguments.drop, arguments.weight, ids})
    table = Table.from_any(
        frame,
        labels,
        positive=positive,
        sample_weight=_weight(part, arguments.weight),
        class_weight=class_weight_said(arguments.class_weight, labels.categories),
        categorical=[name for name in arguments.categorical if name in frame],
        numeric=[name for name in arguments.numeric if name in frame],
        missing="false" if arguments.missing == ["literal"] else missing_said(arguments.missing),
    )
    groups = {str(name): part[name].tolist() for name in part if name not in frame and name != target}
    return Problem(
        source=source.name,
        table=table,
        constraints=tuple(parse_constraint(text, groups) for text in arguments.constraint),
        reading=source.reading,
        settled=frozenset(types_said(arguments)),
        against_rest=against_rest,
        test=everything.iloc[kept_aside] if len(kept_aside) else test_file(arguments, table, ids),
        names=None if ids is None else part[ids],
    )


def types_said(arguments: argparse.Namespace) -> dict[str, CellType]:
    """The types that follow from what was said of columns."""
    texts = (*arguments.categorical, *(column for column, _ in arguments.ordered))
    said: dict[str, CellType] = dict.fromkeys(texts, "text")
    return said | dict.fromkeys(arguments.numeric, "number")


def _target(source: InputFile, frame: pd.DataFrame, target: str | None) -> str:
    """The column to predict; data sets know theirs."""
    if target is None and source.dataset is not None:
        return str(frame.columns[-1])
    if target is None:
        listed = few_of(frame.columns, most=12)
        raise OptionError(f"--target is missing: which column is to be predicted? the columns are {listed}")
    _check_name("--target", target, frame)
    return target


def _check_names(arguments: argparse.Namespace, frame: pd.DataFrame) -> None:
    """Refuse names that are no columns."""
    missing = missing_said(arguments.missing)
    named: dict[str, Sequence[str]] = {
        "--drop": arguments.drop,
        "--ids": [name for name in (getattr(arguments, "ids", None),) if name is not None],
        "--weight": [] if arguments.weight is None else [arguments.weight],
        "--categorical": arguments.categorical,
        "--numeric": arguments.numeric,
        "--ordered": [column for column, _ in arguments.ordered],
        "--missing": [] if isinstance(missing, str) else missing,
    }
    for option, names in named.items():
        for name in names:
            _check_name(option, name, frame)


def _check_name(option: str, name: str, frame: pd.DataFrame) -> None:
    if name not in frame.columns:
        close = nearest(name, frame.columns)
        listed = f"the columns are {few_of(frame.columns, most=12)}"
        hint = f"did you mean {close!r}?" if close is not None else listed
        raise OptionError(f"{option} names {name!r}, which is not a column; {hint}")


def _in_order(column: pd.Series[Any], levels: list[str]) -> pd.Series[Any]:
    """A column of text with the order that was said; text that is none of the levels is an error."""
    import pandas as pd

    others = sorted(set(column.dropna().astype(str)) - set(levels))
    if others:
        raise OptionError(
            f"--ordered {column.name}={','.join(levels)}: the column also holds "
            f"{few_of(map(repr, others), most=3)}"
        )
    return pd.Series(pd.Categorical(column, levels, ordered=True), index=column.index, name=column.name)


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
    chosen = typed_label(positive, present)
    if chosen is None:
        close = nearest(positive, map(str, present))
        hint = f"did you mean {close}?" if close is not None else f"it has {few_of(present)}"
        raise OptionError(f"--positive {positive} is not a value of column {target!r}: {hint}")
    if len(present) <= 2:
        return labels, chosen, False
    note(f"{target!r} has {len(present)} different values: {positive} is learned against the rest")
    is_chosen = [label == chosen for label in labels.categories]
    codes = np.array([*is_chosen, -1], dtype=np.int32)[labels.values]
    return Column(target, "categorical", codes, (f"not {positive}", positive)), positive, True


def typed_label(text: str, labels: Sequence[Category]) -> Category | None:
    """The label that was typed, None if it is none of these."""

    def typed(label: Category) -> bool:
        return str(label) == text or (isinstance(label, bool) and str(label).lower() == text.lower())

    return next(filter(typed, labels), None)


def _parted(arguments: argparse.Namespace, labels: Column) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows to learn from, and those kept aside: of each label the same share, at random by the seed."""
    share, rows = getattr(arguments, "test_share", None), np.arange(len(labels))
    if share is None:
        return rows, rows[:0]
    rng = np.random.default_rng(arguments.seed)
    aside = np.zeros(len(labels), dtype=bool)
    for code in np.unique(labels.values):
        of_label = rng.permutation(rows[labels.values == code])
        aside[of_label[: round(share * len(of_label))]] = True
    if not aside.any():
        raise OptionError(f"--test-share {share:g} leaves no row to test on")
    return rows[~aside], rows[aside]


def _to_learn_from(source: InputFile, frame: pd.DataFrame, aside: set[str | None]) -> pd.DataFrame:
    """The columns that are left, without those that are empty."""
    left = frame[[name for name in frame.columns if name not in aside]]
    empty = left.columns[
        left.isna().all().to_numpy(dtype=bool)
    ].tolist()  # all at once: wide tables take long
    if len(left) and empty:
        note(f"no row has a value in {few_of(map(repr, empty), most=5)}: left out")
        left = left.drop(columns=empty)
    if not len(left.columns):
        raise DataError(f"{source.name}: no column is left to learn from")
    return left


def _weight(frame: pd.DataFrame, name: str | None) -> NDArray[np.float64] | None:
    """What each row counts for."""
    if name is None:
        return None
    return weights(open_frame(frame).column(name, kind="numeric").values, len(frame), f"--weight {name}")


def class_weight_said(said: str | dict[str, float] | None, labels: Sequence[Category]) -> object:
    """What the rows of each label count for."""
    if not isinstance(said, dict):
        return said
    found = {}
    for text, weight in said.items():
        label = typed_label(text, labels)
        if label is None:
            raise OptionError(f"--class-weight names {text!r}: the labels are {few_of(map(repr, labels))}")
        found[label] = weight
    return found


def missing_said(words: Sequence[str]) -> Any:
    """What missing values are: one of three ways, or a category in some columns."""
    ways = ("false", "category", "literal")
    return words[0] if len(words) == 1 and words[0] in ways else list(words) or "false"


def test_file(arguments: argparse.Namespace, table: Table, ids: str | None) -> pd.DataFrame | None:
    """The rows of another file, read as those that are learned from."""
    place = getattr(arguments, "test", None)
    if place is None:
        return None
    types: dict[str, CellType] = {column.name: _cell_type(column) for column in table.columns}
    named = [] if ids is None else [ids]
    source = open_source(place, most=arguments.max_unpacked).for_model(Reading.typed(arguments))
    frame = source.frame(types, {*types, table.target, *named})
    if table.target not in frame.columns:
        raise DataError(f"--test {place}: there is no column {table.target!r} with labels to compare with")
    for name in named:
        if name not in frame.columns:
            raise DataError(f"--test {place}: there is no column {name!r}, which --ids names")
    return frame


def _cell_type(column: Column) -> CellType:
    if not column.names:
        return "time" if column.time else "number"
    return "text" if any(isinstance(name, str) for name in column.names) else "bool"
