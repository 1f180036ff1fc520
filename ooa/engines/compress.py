"""From a table that stays where it is to distinct weighted rows over its conditions: two scans, or three."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.cutpoints import Cut
from ooa.candidates.thresholds import Thresholds
from ooa.checks import few_of
from ooa.data.columns import Column, Kind
from ooa.data.frames import open_frame
from ooa.data.table import Table, check_columns, column_kinds, described
from ooa.errors import DataError, OptionError

from .capacity import Language
from .coarser import coarser, estimated_rows
from .keys import NARROW, Keys, coded
from .plain import check_comparable
from .profile import Profile, profiles_of
from .reading import EngineRows
from .sampling import at_most, rows_of, sample_of
from .source import Source
from .zones import Zones

__all__ = ["Compressed", "ReadAs", "TooManyRows", "compress"]

#: After each merge that gave too many rows the estimate has to be so many times lower.
_LOWER = (2, 4, 8)
#: Folds that a column may tell.
MOST_FOLDS = 100
_Merged = tuple[Table, NDArray[np.intp] | None]
#: The seed of a second sample, which has nothing to do with the first.
_OTHERS = 2


@dataclass(frozen=True, eq=False)
class ReadAs:
    """How a source is read, and cut; the words are those of `ooa.Table.from_any` and the estimators."""

    target: str
    weight: str = ""
    positive: object = None
    class_weight: object = None
    categorical: Sequence[str] = ()
    numeric: Sequence[str] = ()
    missing: Any = "false"
    thresholds: Thresholds = "auto"
    max_thresholds: int = 15
    fold: str = ""


@dataclass(frozen=True, eq=False)
class Compressed:
    """A table of distinct rows, each with what it stands for.

    Attributes
    ----------
    table : two rows at most, a positive and a negative one, for all rows that satisfy the same conditions
    cuts : where each numeric column is cut
    n_rows : how many rows there are where they live
    note : how they were compressed, in words
    narrowed : whether columns have more values than zones, so that nothing is known beyond these cuts
    everywhere : all rows, where the table is of a sample of them
    language : then, how many conditions there are, by what was known before the sample was drawn
    fold : of each row of the table, if a column says it
    float_labels : whether the labels are of a type of floats
    """

    table: Table
    cuts: Mapping[str, Sequence[Cut]]
    n_rows: int
    note: str
    narrowed: bool
    everywhere: EngineRows | None = None
    language: Language | None = None
    fold: NDArray[np.intp] | None = None
    float_labels: bool = False


def compress(source: Source, wanted: ReadAs, say: Callable[[str], None] = lambda text: None) -> Compressed:
    """Compress a source: look at a sample, count values, merge rows.

    Parameters
    ----------
    source : where the rows are
    wanted : how they are read
    say : what is told about progress

    Examples
    --------
    >>> import polars as pl
    >>> rows = pl.LazyFrame({"x": range(1000), "y": [x >= 700 for x in range(1000)]})
    >>> found = compress(Source(rows), ReadAs("y", thresholds="mdl"))
    >>> found.table, found.n_rows
    (Table(2 rows, 1 attributes, weight 300 positive, 700 negative), 1000)
    >>> found.cuts["x"]
    [Cut(below=699.0, above=700.0, below_closed=True)]
    """
    reading = EngineRows(
        source.open(),
        wanted.target,
        wanted.weight,
        wanted.positive,
        wanted.class_weight,
        aside=[wanted.fold] if wanted.fold else [],
    )
    if not reading.names:
        raise DataError("The table has no columns to learn from")
    for name in reading.names:
        check_comparable(reading.frame, name, reading.schema[name])
    kinds = column_kinds(reading.names, wanted.categorical, wanted.numeric)
    n_rows = rows_of(reading.frame)
    whole = n_rows <= source.sample_rows
    say(f"scan 1 of {2 if whole else 3}: drawing from {n_rows:,} rows with {reading.engine}")
    sample = sample_of(reading.frame, n_rows, source.sample_rows)
    if not n_rows or not len(sample):
        raise DataError("The table has no rows")
    if not whole:
        say(f"scan 2 of 3: counting the values of columns with {reading.engine}")
    profiles = profiles_of(reading, sample, kinds, whole)
    check_columns(tuple(one.column for one in profiles))
    cuts = _cuts(profiles, wanted)
    last = 2 if whole else 3
    say(f"scan {last} of {last}: merging {n_rows:,} rows with {reading.engine}")
    drawn = _drawn(reading, sample, kinds)
    fitting = _Fitting(source.max_distinct, profiles, drawn, whole)
    try:
        (table, fold), kept = fitting.merged(
            cuts,
            lambda some: _merged(reading, profiles, some, kinds, wanted, source.max_distinct),
            source.when_more,
        )
    except TooManyRows:
        if source.when_more != "sample":
            raise
        language = Language.of([one.column for one in profiles], cuts)
        found = _of_a_sample(source, reading, replace(wanted, thresholds=cuts), n_rows, say)
        return replace(found, language=language)
    sampled = [one.column.name for one in profiles if not one.complete]
    chosen = [name for name in sampled if name not in _given(wanted)]
    note = _note(reading, table, chosen, len(sample), _number(cuts) - _number(kept), _number(cuts))
    floats = reading.schema[wanted.target].is_float()
    return Compressed(table, kept, n_rows, note, _narrowed(profiles, kept), fold=fold, float_labels=floats)


def _drawn(reading: EngineRows, sample: Any, kinds: dict[str, Kind | None]) -> list[Column]:
    """What sampled rows are merged by, but for those that weigh nothing: conditions, the label, the fold."""
    frame, counting = open_frame(sample.to_native()), np.flatnonzero(reading.weights(sample) != 0)
    by = kinds | dict.fromkeys([*reading.aside, reading.target], "categorical")
    return [frame.column(name, kind).take(counting) for name, kind in by.items()]


@dataclass(frozen=True, eq=False)
class _Fitting:
    """Merging within limits: with all cuts, or with as many as fit."""

    most: int
    profiles: list[Profile]
    drawn: list[Column]
    whole: bool

    def merged(
        self, cuts: dict[str, list[Cut]], merge: Callable[[dict[str, list[Cut]]], _Merged], when_more: str
    ) -> tuple[_Merged, dict[str, list[Cut]]]:
        """The merged rows, and the cuts that they are merged by; fewer are tried if that is asked for."""
        aim, coarsen = float(self.most), when_more == "coarser"
        # An estimate is no proof that there are more, unless it is of all rows: it saves a scan where
        # something else can be done.
        if (self.whole or when_more != "error") and estimated_rows(self.drawn, cuts, self.whole) > aim:
            if not coarsen or (self.whole and not any(cuts.values())):
                raise TooManyRows(self.most)
            cuts = coarser(self.profiles, cuts, self.drawn, self.whole, aim)
        for lower in _LOWER:
            try:
                return merge(cuts), cuts
            except TooManyRows:
                if not coarsen or not any(cuts.values()):
                    raise
            aim /= lower
            cuts = coarser(self.profiles, cuts, self.drawn, self.whole, aim, least=1)
        return merge(cuts), cuts


def _number(cuts: Mapping[str, Sequence[Cut]]) -> int:
    return sum(map(len, cuts.values()))


def _of_a_sample(
    source: Source, reading: EngineRows, wanted: ReadAs, n_rows: int, say: Callable[[str], None]
) -> Compressed:
    """As many rows, drawn at random, as may come back; what is learned from them is counted on all later."""
    drawn = at_most(reading.frame, n_rows, source.max_distinct, seed=_OTHERS)  # cuts were chosen before
    number = len(drawn)
    inner = Source(drawn.to_native(), max_distinct=number, when_more="error", sample_rows=number)
    found = compress(inner, wanted, say)
    note = f"{number:,} of {n_rows:,} rows, drawn at random with {reading.engine}, were learned from"
    return replace(found, n_rows=n_rows, note=note, narrowed=True, everywhere=reading)


def _given(wanted: ReadAs) -> Mapping[str, Any]:
    return {} if isinstance(wanted.thresholds, str) else wanted.thresholds


def _cuts(profiles: list[Profile], wanted: ReadAs) -> dict[str, list[Cut]]:
    """Where each numeric column is cut."""
    numeric = {one.column.name: one for one in profiles if one.column.kind == "numeric"}
    for name in _given(wanted):
        if name not in numeric:
            raise OptionError(f"thresholds names {name!r}, which is not a numeric column of the table")
    return {name: one.cuts(wanted.thresholds, wanted.max_thresholds) for name, one in numeric.items()}


def _merged(
    reading: EngineRows,
    profiles: list[Profile],
    cuts: dict[str, list[Cut]],
    kinds: dict[str, Kind | None],
    wanted: ReadAs,
    most: int,
) -> _Merged:
    """Have the engine merge the rows that satisfy the same conditions, and read what comes back."""
    columns = []
    for one in profiles:
        column = one.column
        zoned = column.kind == "numeric" and not column.levels and kinds[column.name] != "categorical"
        plain = reading.schema[column.name]
        zones = (
            Zones.of(cuts[column.name], one.known, time=column.time, complete=one.complete)
            if zoned and (plain.is_numeric() or plain.is_temporal())
            else None
        )
        columns.append(coded(one, zones, plain))
    keys = Keys(columns, NARROW) if reading.frame.implementation.is_ibis() else Keys(columns)
    by = [*keys.raw, *reading.aside]
    merged = reading.merged(keys.expressions(reading), by, most, values=keys.values(reading))
    if len(merged) > most:
        raise TooManyRows(most)
    decoded = keys.decoded(merged, kinds)
    attributes = described(tuple(one.column for one in profiles), wanted.missing)
    table = Table.of_columns(
        attributes,
        decoded,
        reading.is_positive(merged),
        reading.scaled(merged),
        labels=reading.labels,
        target=wanted.target,
        copies=reading.copies(merged),
    )
    return table, _folds(merged, wanted.fold) if wanted.fold else None


def _folds(merged: Any, name: str) -> NDArray[np.intp]:
    """The fold of each merged row, counted from 0."""
    column = open_frame(merged.to_native()).column(name, "categorical")
    if column.missing.any():
        raise DataError(f"The fold in {name!r} is missing in some rows")
    values, fold = np.unique(column.values, return_inverse=True)
    if not 2 <= len(values) <= MOST_FOLDS:
        raise DataError(
            f"Column {name!r} has {len(values):,} values, and there can be 2 to {MOST_FOLDS} folds"
        )
    return np.asarray(fold, dtype=np.intp)


class TooManyRows(DataError):
    """More distinct rows than may come back."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"There are more than {most:,} distinct rows over these conditions and the label: raise "
            "max_distinct of ooa.Source, lower max_thresholds, or leave columns out"
        )


def _narrowed(profiles: list[Profile], cuts: dict[str, list[Cut]]) -> bool:
    """Whether a column has more values than its cuts tell apart."""
    return any(
        not one.complete or len(one.known) > len(cuts[one.column.name]) + 1
        for one in profiles
        if one.column.kind == "numeric"
    )


def _note(reading: EngineRows, table: Table, sampled: list[str], size: int, dropped: int, number: int) -> str:
    total = 0 if table.copies is None else int(table.copies.sum())
    words = f"{reading.engine} merged {total:,} rows into {table.distinct().n_rows:,} distinct ones, exactly"
    if dropped:
        words += f"; for that {dropped} of {number} cuts were left out, those that say least about the labels"
    if sampled:
        words += f"; cuts of {few_of(map(repr, sampled))} were chosen by a sample of {size:,} rows"
    return words
