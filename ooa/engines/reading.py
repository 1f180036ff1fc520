"""The questions that an engine is asked: labels, values of columns, and merged rows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of
from ooa.data.columns import Category, Column
from ooa.data.frames import open_frame
from ooa.data.labels import Labels, read_labels, read_weights
from ooa.errors import DataError

from .plain import plain_value, written_otherwise
from .source import collected, engine_errors, engine_name
from .values import counted_values, total

__all__ = ["EngineRows"]

_COUNT, _WEIGHT, _LEAST, _KNOWN = "_ooa_count", "_ooa_weight", "_ooa_least", "_ooa_known"
#: Before the name of a column: how many of its times are written in another form than they are compared in.
_STRANGE = "_ooa_strange_"


@dataclass(frozen=True, eq=False)
class EngineRows:
    """A lazy frame with a label, and maybe a weight, by name.

    Attributes
    ----------
    frame : lazy frame of narwhals
    target : the column of labels
    weight : the column of weights; "" if every row counts for 1
    positive : the label to predict, if it is said
    class_weight : see `ooa.data.labels.read_weights`
    aside : other columns that are not learned from
    """

    frame: Any
    target: str
    weight: str = ""
    positive: object = None
    class_weight: object = None
    aside: Sequence[str] = ()

    def __post_init__(self) -> None:
        for name in filter(None, (self.target, self.weight, *self.aside)):
            if name not in self.schema:
                raise DataError(
                    f"There is no column {name!r}; the columns are {few_of(map(repr, self.schema), most=12)}"
                )

    @cached_property
    def engine(self) -> str:
        """What the engine is called."""
        return engine_name(self.frame)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The columns and their types."""
        with engine_errors(self.engine, "name the columns"):
            return dict(self.frame.collect_schema())

    @cached_property
    def names(self) -> list[str]:
        """The columns to learn from."""
        return [name for name in self.schema if name not in (self.target, self.weight, *self.aside)]

    @cached_property
    def _of_label(self) -> tuple[Labels, NDArray[np.int64], NDArray[np.float64]]:
        """The two labels, how many rows have each, and the factor of its class."""
        return self._read_labels(self.counted([])[""])

    def _read_labels(self, counted: Any) -> tuple[Labels, NDArray[np.int64], NDArray[np.float64]]:
        column = open_frame(counted.to_native()).column(self.target, "categorical")
        rows, weight = self.copies(counted), self.weights(counted)
        if not len(column):
            raise DataError("The table has no rows")
        if column.missing.any():
            number = int(rows[column.missing].sum())
            raise DataError(f"The label {self.target!r} is missing in {number:,} row{'s' * (number > 1)}")
        labels = read_labels(column, positive=self.positive, name=self.target)
        totals = np.array([weight[~labels.y].sum(), weight[labels.y].sum()])
        ends = read_labels([False, True])
        factors = read_weights(
            Labels(ends.y, labels.negative, labels.positive), totals, self.class_weight
        ) / np.where(totals > 0, totals, 1.0)
        return labels, rows, factors

    @property
    def labels(self) -> tuple[Category, Category]:
        """The negative and the positive label."""
        return self._of_label[0].negative, self._of_label[0].positive

    def check_labels(self, sample: Any) -> None:
        """Raise if rows that were handed over have more than two labels: all rows may have any number."""
        column = open_frame(sample.to_native()).column(self.target, "categorical")
        present = np.unique(column.values[~column.missing])
        if len(present) > 2:
            known = Column(column.name, "categorical", present.astype(np.int32), column.categories)
            read_labels(known, positive=self.positive, name=self.target)

    def counted(self, names: Sequence[str], handed_over: Any = None) -> dict[str, Any]:
        """The different values of columns with the labels at them, in one scan; under "" the labels alone.

        Parameters
        ----------
        names : of the columns
        handed_over : all rows as an eager frame, if they are here already; then there is no scan
        """
        frame = self.frame if handed_over is None else handed_over.lazy()
        found = counted_values(self._weighed(frame), self.target, names, self._sums)
        self.__dict__["_of_label"] = self._read_labels(found[""])  # no need to ask again
        return found

    def merged(
        self,
        keys: dict[str, Any],
        raw: Sequence[str],
        most: int,
        least: Mapping[str, str] = MappingProxyType({}),
        used: Sequence[str] | None = None,
        values: Mapping[str, Any] = MappingProxyType({}),
    ) -> Any:
        """Merge rows that agree in some expressions, in some columns and in their label.

        Parameters
        ----------
        keys : expressions by name
        raw : names of columns
        most : no more than this many are handed over
        least : expressions that rows need not agree in, by name, and what their least value is called
        used : the columns that keys are made of; by default those to learn from
        values : expressions that keys are made of, by the names that they have there
        """
        import narwhals as nw

        doing = "merge equal rows"
        with engine_errors(self.engine, doing):
            valued = self.frame.with_columns(**values) if values else self.frame
            frame = self._weighed(valued.with_columns(**keys) if keys else valued)
            functions = [total(name, what) for name, what in self._sums.items()]
            functions += [nw.col(key).min().alias(name) for key, name in least.items()]
            strange = self._written_otherwise(self.names if used is None else used)
            if strange:
                frame = frame.with_columns(**{_STRANGE + name: found for name, found in strange.items()})
                functions += [nw.col(_STRANGE + name).sum() for name in strange]
            by = [*(key for key in keys if key not in least), *raw, self.target]
            grouped = frame.group_by(by).agg(*functions).head(most + 1)
        merged = collected(grouped, doing)
        for name in strange:
            if np.nansum(_numbers(merged, _STRANGE + name)):
                raise DataError(
                    f"Column {name!r} has times that are not all written as SQLite compares them: as "
                    "'YYYY-MM-DD' or 'YYYY-MM-DD hh:mm:ss', without a zone"
                )
        return merged

    def _written_otherwise(self, names: Sequence[str]) -> dict[str, Any]:
        """For times that are kept as text whether they are, as 1 or 0, in a form that compares wrongly."""
        import narwhals as nw

        found = {name: written_otherwise(self.frame, name, self.schema[name]) for name in names}
        one, zero = nw.lit(1, nw.Int64), nw.lit(0, nw.Int64)
        return {
            name: nw.when(odd).then(one).otherwise(zero) for name, odd in found.items() if odd is not None
        }

    @property
    def _sums(self) -> dict[str, str]:
        """What is summed up over rows that are merged; of weights also what says whether all can be used."""
        by_weight = {_WEIGHT: f"sum:{_WEIGHT}", _LEAST: f"min:{_WEIGHT}", _KNOWN: f"count:{_WEIGHT}"}
        return {_COUNT: "count"} | (by_weight if self.weight else {})

    def _weighed(self, frame: Any) -> Any:
        """The rows with their weights as floats, without those that weigh nothing."""
        import narwhals as nw

        if frame.implementation.is_dask():  # which cannot group by a column with NaN and with what is missing
            floats = [name for name, dtype in self.schema.items() if dtype.is_float()]
            plain = [plain_value(frame, name, self.schema[name]).alias(name) for name in floats]
            frame = frame.with_columns(*plain) if plain else frame
        if not self.weight:
            return frame
        if not self.schema[self.weight].is_numeric():
            raise DataError(f"The weights in {self.weight!r} are not numbers")
        frame = frame.with_columns(nw.col(self.weight).cast(nw.Float64).alias(_WEIGHT))
        return frame.filter((nw.col(_WEIGHT) != 0) | nw.col(_WEIGHT).is_null())

    def value(self, name: str) -> Any:
        """A numeric column as an expression: missing where it is NaN, numbers that are no floats as such."""
        return plain_value(self.frame, name, self.schema[name])

    def weights_of(self, counted: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The weight of the positives, and of the negatives, in each row of a frame that was handed over."""
        y, weight = self.is_positive(counted), self.scaled(counted)
        return np.where(y, weight, 0.0), np.where(y, 0.0, weight)

    def is_positive(self, counted: Any) -> NDArray[np.bool_]:
        """Which rows of a frame that was handed over are positive."""
        column: Column = open_frame(counted.to_native()).column(self.target, "categorical")
        known = {self.labels[0]: False, self.labels[1]: True}
        for category in column.categories:
            if category not in known and (column.values == column.categories.index(category)).any():
                raise DataError(
                    f"The table changed while it was read: {category!r} in {self.target!r} is new"
                )
        y = [known.get(category, False) for category in column.categories]
        positive: NDArray[np.bool_] = np.array([*y, False])[column.values]
        return positive

    def scaled(self, counted: Any) -> NDArray[np.float64]:
        """The weight of rows of a frame that was handed over, times that of their class."""
        factors = self._of_label[2]
        plain = self.weights(counted)
        if (factors == 1.0).all():
            return plain
        return plain * factors[self.is_positive(counted).astype(np.intp)]

    def copies(self, counted: Any) -> NDArray[np.int64]:
        """How many rows each row of a frame that was handed over stands for."""
        return _numbers(counted, _COUNT).astype(np.int64)

    def weights(self, counted: Any) -> NDArray[np.float64]:
        """The weight of rows of a frame that was handed over, whatever their class counts for."""
        if _COUNT not in counted.columns:  # rows as they are
            return _numbers(counted, self.weight) if self.weight else np.ones(len(counted))
        if not self.weight:
            return _numbers(counted, _COUNT)
        missing = int((_numbers(counted, _COUNT) - _numbers(counted, _KNOWN)).sum())
        if missing:
            raise DataError(f"The weight {self.weight!r} is missing in {missing:,} row{'s' * (missing > 1)}")
        weight, least = _numbers(counted, _WEIGHT), _numbers(counted, _LEAST)
        for value in (*weight, *least):
            if value < 0 or not math.isfinite(value):
                raise DataError(f"The weights in {self.weight!r} must be finite and not negative ({value!r})")
        return weight


def _numbers(frame: Any, name: str) -> NDArray[np.float64]:
    values = frame.get_column(name)
    return np.array([np.nan if v is None else float(v) for v in values.to_list()], dtype=np.float64)
