"""`--table`: files that DuckDB merges or scores where they are, rather than being read into memory."""

from __future__ import annotations

import argparse
import glob
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ooa.checks import few_of, nearest
from ooa.data.columns import Category
from ooa.data.table import Table
from ooa.engines.compress import ReadAs, compress
from ooa.engines.reading import EngineRows
from ooa.engines.scoring import predicted
from ooa.engines.source import Source, engine_errors, open_files
from ooa.engines.testing_rows import rows_to_test
from ooa.errors import DataError, OptionError
from ooa.keeping import replacing
from ooa.learning.settings import METHODS
from ooa.live_line import LiveLine
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet

from .cells import CellType, Reading
from .constraint_texts import parse_constraint
from .modelfile import SavedModel, is_against_rest
from .output import following, note
from .problem import Problem, class_weight_said, missing_said, test_file, typed_label, types_said
from .wording import Typed

__all__ = ["confusion_there", "is_table", "read_table_problem", "table_to_test", "write_predictions"]

_SQL_TYPES: dict[CellType, str] = {
    "text": "VARCHAR",
    "number": "DOUBLE",
    "bool": "BOOLEAN",
    "time": "TIMESTAMP",
}
#: What is about rows in memory alone, by the name of the option.
_IN_MEMORY = ("ordered", "dates", "strip", "test_share", "ids", "why")


def is_table(arguments: argparse.Namespace) -> bool:
    """Whether the data are to stay where they are: as was said, or as they are several files."""
    place: str = arguments.data
    files = os.path.isdir(place) and bool(glob.glob(os.path.join(place, "**", "*.parquet"), recursive=True))
    several = files or (not os.path.exists(place) and any(mark in place for mark in "*?["))
    if not (getattr(arguments, "table", False) or (hasattr(arguments, "table") and several)):
        return False
    for option in _IN_MEMORY:
        if getattr(arguments, option, None):
            shown = Typed().option(option, None).split()[0]
            raise OptionError(f"{shown} is about rows in memory, and those of a --table are not read into it")
    return True


def _opened(place: str, reading: Reading, types: Mapping[str, CellType]) -> Any:
    """The rows of files as a lazy frame of narwhals."""
    import narwhals as nw
    import pandas as pd  # noqa: F401  (without it DuckDB 2.0 ends a process with pages about types it leaks)

    said: dict[str, Any] = {"sep": reading.sep, "decimal": reading.decimal, "encoding": reading.encoding}
    options = {name: value for name, value in said.items() if value is not None}
    if reading.na:
        options["na_values"] = ["", *reading.na]
    return nw.from_native(
        open_files(place, options, {name: _SQL_TYPES[kind] for name, kind in types.items()})
    )


def read_table_problem(arguments: argparse.Namespace) -> Problem:
    """Merge the rows of files where they are, and read everything that was said about them."""
    place, reading, said = arguments.data, Reading.typed(arguments), types_said(arguments)
    frame = _opened(place, reading, said)
    names = frame.collect_schema().names()
    _check_names(arguments, names)
    frame = frame.drop([name for name in arguments.drop if name != arguments.weight])
    positive, class_weight, against_rest = arguments.positive, arguments.class_weight, False
    if positive is not None or isinstance(class_weight, dict):
        frame, positive, against_rest = _with_labels(frame, arguments)
        class_weight = class_weight_said(class_weight, _labels(frame, arguments.target))
    source = Source(frame, max_distinct=arguments.max_distinct, when_more=arguments.when_more)
    wanted = ReadAs(
        target=arguments.target,
        weight=arguments.weight or "",
        positive=positive,
        class_weight=class_weight,
        categorical=arguments.categorical,
        numeric=arguments.numeric,
        missing="false" if arguments.missing == ["literal"] else missing_said(arguments.missing),
        thresholds=arguments.thresholds or METHODS[arguments.method].thresholds,
    )
    with following(arguments.quiet) as progress, LiveLine(progress) as line:
        found = compress(source, wanted, line.update)
    return Problem(
        source=place,
        table=found.table,
        constraints=tuple(parse_constraint(text, {}) for text in arguments.constraint),
        reading=reading,
        settled=frozenset(said),
        against_rest=against_rest,
        test=test_file(arguments, found.table, None),
        compressed=found,
    )


def _check_names(arguments: argparse.Namespace, names: list[str]) -> None:
    """Refuse names that are no columns."""
    if arguments.target is None:
        listed = few_of(names, most=12)
        raise OptionError(f"--target is missing: which column is to be predicted? the columns are {listed}")
    missing = missing_said(arguments.missing)
    named = {
        "--target": [arguments.target],
        "--drop": arguments.drop,
        "--weight": [arguments.weight] if arguments.weight else [],
        "--categorical": arguments.categorical,
        "--numeric": arguments.numeric,
        "--missing": [] if isinstance(missing, str) else missing,
    }
    for option, some in named.items():
        for name in some:
            if name not in names:
                close = nearest(name, names)
                listed = f"the columns are {few_of(names, most=12)}"
                hint = f"did you mean {close!r}?" if close is not None else listed
                raise OptionError(f"{option} names {name!r}, which is not a column; {hint}")


def _labels(frame: Any, target: str) -> list[Category]:
    """The labels there are, in order; one scan of one column."""
    from ooa.data.frames import open_frame
    from ooa.engines.source import collected

    found = collected(frame.select(target).unique(), "list the labels")
    column = open_frame(found.to_native()).column(target, "categorical")
    return [column.categories[code] for code in np.unique(column.values[~column.missing])]


def _with_labels(frame: Any, arguments: argparse.Namespace) -> tuple[Any, Category | None, bool]:
    """The rows, the positive label as it is in them, and whether it is learned against several others."""
    import narwhals as nw

    target, positive = arguments.target, arguments.positive
    present = _labels(frame, target)
    if positive is None:
        return frame, None, False
    chosen = typed_label(positive, present)
    if chosen is None:
        raise OptionError(
            f"--positive {positive} is not a value of column {target!r}: it has {few_of(present)}"
        )
    if len(present) <= 2:
        return frame, chosen, False
    note(f"{target!r} has {len(present)} different values: {positive} is learned against the rest")
    label = nw.col(target)
    text = nw.when(label == chosen).then(nw.lit(positive)).otherwise(nw.lit(f"not {positive}"))
    return frame.with_columns(nw.when(~label.is_null()).then(text).alias(target)), positive, True


def table_to_test(place: str, model: SavedModel, reading: Reading) -> Table:
    """The rows of files that have a label, merged by what the rules ask for."""
    frame = _opened(place, reading.for_model(model.reading), model.types)
    return _tested(frame, model.rules, place)


def _tested(frame: Any, rules: RuleSet, place: str) -> Table:
    if rules.target not in frame.collect_schema().names():
        raise DataError(f"{place}: there is no column {rules.target!r} with labels to compare with")
    against = is_against_rest(rules)
    return rows_to_test(rules, EngineRows(frame, rules.target), against_rest=against, unlabelled=True)


def confusion_there(rules: RuleSet, table: Table) -> Confusion:
    """What is said of merged rows against what they are, in rows."""
    fires = np.asarray(rules.covers(table.as_frame()).any(axis=1))
    return Confusion.of(fires, table.y, table.row_numbers.astype(np.float64))


def write_predictions(arguments: argparse.Namespace, model: SavedModel) -> Table | None:
    """Write the rows of files with what is predicted; and count, if they have labels."""
    place: str | None = arguments.output
    if place is None or not place.endswith((".parquet", ".csv", ".tsv")):
        raise OptionError("--table needs --output with a name that ends in .csv, .tsv or .parquet")
    rules, reading = model.rules, Reading.typed(arguments)
    frame = _opened(arguments.data, reading.for_model(model.reading), model.types)
    relation = predicted(rules, frame, f"predicted_{rules.target}").to_native()
    with replacing(place) as draft, engine_errors("duckdb", f"write {place!r}"):
        if place.endswith(".parquet"):
            relation.write_parquet(str(draft))
        else:
            relation.write_csv(str(draft), sep="\t" if place.endswith(".tsv") else ",", header=True)
    if rules.target not in frame.collect_schema().names():
        return None
    return _tested(frame, rules, arguments.data)
