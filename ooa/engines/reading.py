"""The questions that an engine is asked: labels, values of one column, ends of many, and merged rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of
from ooa.data.columns import Category, Column
from ooa.data.frames import open_frame
from ooa.data.labels import Labels, read_labels, read_weights
from ooa.errors import DataError

from .source import engine_errors

__all__ = ["EngineRows"]

_COUNT, _WEIGHT = "_ooa_count", "_ooa_weight"
#: A column with so many different values is no label.
_MANY_LABELS = 1_000


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
    """

    frame: Any
    target: str
    weight: str = ""
    positive: object = None
    class_weight: object = None

    def __post_init__(self) -> None:
        for name in filter(None, (self.target, self.weight)):
            if name not in self.schema:
                raise DataError(
                    f"There is no column {name!r}; the columns are {few_of(map(repr, self.schema), most=12)}"
                )

    @cached_property
    def engine(self) -> str:
        """What the engine is called."""
        return str(self.frame.implementation).lower()

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The columns and their types."""
        with engine_errors(self.engine, "name the columns"):
            return dict(self.frame.collect_schema())

    @cached_property
    def names(self) -> list[str]:
        """The columns to learn from."""
        return [name for name in self.schema if name not in (self.target, self.weight)]

    @cached_property
    def _of_label(self) -> tuple[Labels, NDArray[np.int64], NDArray[np.float64]]:
        """The two labels, how many rows have each, and the factor of its class."""
        counted = self._grouped([self.target], _MANY_LABELS, "count the labels")
        column = open_frame(counted.to_native()).column(self.target, "categorical")
        rows, weight = _numbers(counted, _COUNT).astype(np.int64), self._weights(counted)
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

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self._of_label[1].sum())

    def check_weights(self) -> None:
        """Raise unless all weights are numbers that can be counted with."""
        import narwhals as nw

        if not self.weight:
            return
        if not self.schema[self.weight].is_numeric():
            raise DataError(f"The weights in {self.weight!r} are not numbers")
        column = nw.col(self.weight)
        asked = [column.min().alias("least"), column.count().alias("known"), nw.len().alias("rows")]
        with engine_errors(self.engine, f"read the weights in {self.weight!r}"):
            least, known, rows = self.frame.select(*asked, column.sum().alias("sum")).collect().row(0)[:3]
        if known < rows:
            raise DataError(f"The weight {self.weight!r} is missing in {rows - known:,} rows")
        if least < 0 or not math.isfinite(least):
            raise DataError(f"The weights in {self.weight!r} must be finite and not negative ({least!r})")

    def counted(self, name: str) -> Any:
        """The different values of a column with the labels at them, as an eager frame."""
        return self._grouped([name, self.target], None, f"count the values of {name!r}")

    def merged(self, keys: dict[str, Any], raw: Sequence[str], most: int) -> Any:
        """Merge rows that agree in some expressions, in some columns and in their label.

        Parameters
        ----------
        keys : expressions by name
        raw : names of columns
        most : no more than this many are handed over
        """
        frame = self.frame.with_columns(**keys) if keys else self.frame
        return self._grouped([*keys, *raw, self.target], most, "merge equal rows", frame)

    def ends(self, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """The least and the largest value of numeric columns, as numbers here."""
        import narwhals as nw

        asked = []
        for j, name in enumerate(names):
            value = self.value(name)
            asked += [value.min().alias(f"_ooa_min{j}"), value.max().alias(f"_ooa_max{j}")]
        with engine_errors(self.engine, "find the least and largest values"):
            found = self.frame.select(*asked).collect()
        ends = {}
        for j, name in enumerate(names):
            parts = [found.get_column(f"_ooa_{end}{j}") for end in ("min", "max")]
            both = nw.concat([part.rename(name).to_frame() for part in parts])
            values = open_frame(both.to_native()).column(name, "numeric").values
            ends[name] = (values[0].item(), values[1].item())
        return ends

    def value(self, name: str) -> Any:
        """A numeric column as an expression: missing where it is NaN, numbers that are no floats as such."""
        import narwhals as nw

        dtype, column = self.schema[name], nw.col(name)
        if isinstance(dtype, (nw.Date, nw.Datetime)):
            return column
        column = column.cast(nw.Float64)
        return nw.when(~column.is_nan()).then(column) if dtype.is_float() else column

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
        plain = self._weights(counted)
        if (factors == 1.0).all():
            return plain
        return plain * factors[self.is_positive(counted).astype(np.intp)]

    def copies(self, counted: Any) -> NDArray[np.int64]:
        """How many rows each row of a frame that was handed over stands for."""
        return _numbers(counted, _COUNT).astype(np.int64)

    def _weights(self, counted: Any) -> NDArray[np.float64]:
        if _COUNT not in counted.columns:  # rows as they are
            return _numbers(counted, self.weight) if self.weight else np.ones(len(counted))
        return _numbers(counted, _WEIGHT if self.weight else _COUNT)

    def _grouped(self, keys: list[str], most: int | None, doing: str, frame: Any = None) -> Any:
        import narwhals as nw

        frame = self.frame if frame is None else frame
        sums = [nw.len().alias(_COUNT)]
        if self.weight:
            frame = frame.with_columns(nw.col(self.weight).cast(nw.Float64).alias(_WEIGHT))
            frame = frame.filter(nw.col(_WEIGHT) > 0)
            sums.append(nw.col(_WEIGHT).sum())
        with engine_errors(self.engine, doing):
            grouped = frame.group_by(keys).agg(*sums)
            return (grouped if most is None else grouped.head(most + 1)).collect()


def _numbers(frame: Any, name: str) -> NDArray[np.float64]:
    return np.array([float(value) for value in frame.get_column(name).to_list()], dtype=np.float64)
