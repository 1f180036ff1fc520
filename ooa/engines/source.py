"""Where rows come from that are not read into memory: files through DuckDB, and every lazy frame."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ooa.checks import one_of, whole_number
from ooa.errors import DataError, OOAError

from .csv_files import check_names, open_csv

__all__ = ["Source", "collected", "engine_errors", "engine_name", "is_source", "open_files", "source_of"]

#: How files are read, by how their names end.
_READERS = {
    "read_parquet": (".parquet", ".pq"),
    "read_csv": (".csv", ".csv.gz", ".csv.zst", ".tsv", ".tsv.gz", ".txt"),
}
#: So much of what an engine says is repeated.
_LINES, _LETTERS = 3, 300
_INTERRUPTED = "Query interrupted"
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_WAYS = ("coarser", "sample", "error")


@dataclass(frozen=True)
class Source:
    """Rows that stay where they are, and how they are compressed for a fit.

    Parameters
    ----------
    data : str, path or lazy frame
        A CSV or Parquet file, a folder of Parquet files, or a glob of files, read by DuckDB (`pip
        install duckdb`); or a lazy frame that narwhals knows: of polars, DuckDB, Ibis, PySpark, Dask, Daft.
    max_distinct : int, default 1,000,000
        The most rows that may come back: those that differ in a condition, in the label, or in the fold if a
        column says it.
    when_more : {"coarser", "sample", "error"}, default "coarser"
        What to do if there are more: leave out the cuts that say least about the labels; learn from a random
        sample of rows, and count the rule set on all of them; or raise.
    sample_rows : int, default 100,000
        How many rows, drawn at random, say which columns have few values; cuts of columns with many are
        chosen by them. A table of no more rows is looked at as a whole.

    Examples
    --------
    >>> import polars as pl
    >>> import ooa
    >>> rows = pl.LazyFrame({"age": [31, 50, 64, 28] * 50, "ill": [0, 1, 1, 0] * 50})
    >>> model = ooa.fit(ooa.Source(rows, max_distinct=1000), target="ill")
    >>> print(model.rules_[0])
    age ≥ 50
    """

    data: Any
    max_distinct: int = 1_000_000
    when_more: str = "coarser"
    sample_rows: int = 100_000

    def __post_init__(self) -> None:
        whole_number(self.max_distinct, "max_distinct")
        whole_number(self.sample_rows, "sample_rows")
        one_of(self.when_more, "when_more", _WAYS)

    def open(self) -> Any:
        """Return the rows as a lazy frame of narwhals; nothing is read yet, but the names of columns."""
        import narwhals as nw

        if isinstance(self.data, (str, os.PathLike)):
            return nw.from_native(open_files(os.fspath(self.data)))
        if isinstance(self.data, nw.LazyFrame):
            return self.data
        frame = nw.from_native(self.data, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            return frame.lazy()
        if not isinstance(frame, nw.LazyFrame):
            raise DataError(
                f"A {type(self.data).__name__} is no source of rows: pass the path of a CSV or Parquet file, "
                "or a lazy frame of polars, DuckDB, Ibis, PySpark, Dask or Daft"
            )
        return frame


def is_source(data: object) -> bool:
    """Whether data are a `Source`, the path of files, or a lazy frame.

    Examples
    --------
    >>> import polars as pl
    >>> is_source("rows/*.parquet"), is_source(pl.LazyFrame({"x": [1]})), is_source([[1.0]])
    (True, True, False)
    """
    if isinstance(data, (Source, str, os.PathLike)):
        return True
    if data is None or isinstance(data, (list, tuple, dict)):
        return False
    import narwhals as nw

    try:
        return isinstance(nw.from_native(data, pass_through=True), nw.LazyFrame)
    except nw.exceptions.DuplicateError:  # of a frame that has rows; others say what is wrong with it
        return False


def source_of(data: Any) -> Source:
    """Return what `is_source` says yes to as a `Source`, with the defaults where none are said."""
    return data if isinstance(data, Source) else Source(data)


def open_files(path: str, options: Mapping[str, Any] = _NOTHING, types: Mapping[str, str] = _NOTHING) -> Any:
    """Open files as a relation of DuckDB, with a connection of its own, which ends with it.

    Parameters
    ----------
    path : a CSV or Parquet file, a folder of Parquet files, or a glob
    options, types : of text, see `open_csv`; types of columns that are not there are left aside
    """
    inside = os.path.join(path, "**", "*.parquet") if os.path.isdir(path) else path
    remote = "://" in path
    if not remote and not glob.glob(inside, recursive=True):
        raise DataError(f"There is no file {inside!r}")
    lower = inside.lower()
    reader = next((name for name, ends in _READERS.items() if lower.endswith(ends)), None)
    if reader is None:
        ends = ", ".join(end for some in _READERS.values() for end in some)
        raise DataError(f"{path!r} is no table of a known kind: its name must end with one of {ends}")
    try:
        import duckdb
    except ImportError:
        raise DataError("DuckDB, which reads files, is not installed: pip install duckdb") from None
    connection = duckdb.connect()
    with engine_errors("duckdb", f"open {path!r}"):
        if reader == "read_parquet":
            if not remote:
                check_names(_names_in(connection, min(glob.glob(inside, recursive=True))))
            return connection.read_parquet(inside, union_by_name=True)
        return open_csv(connection, inside, options, types)


def _names_in(connection: Any, path: str) -> list[str]:
    """The names of the columns of a Parquet file, as they are in it."""
    told = connection.execute("select name, num_children from parquet_schema(?)", [path]).fetchall()
    names, inside = [], [told[0][1]]  # how many are still to come of the columns, and of what these hold
    for name, children in told[1:]:
        while not inside[-1]:
            inside.pop()
        if len(inside) == 1:
            names.append(name)
        inside[-1] -= 1
        inside.append(children or 0)
    return names


def engine_name(frame: Any) -> str:
    """What the engine of a lazy frame of narwhals is called.

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> engine_name(nw.from_native(pl.LazyFrame({"x": [1]})))
    'polars'
    """
    name = str(frame.implementation).lower()
    # Engines that come to narwhals by a plugin have no name there.
    return name if name != "unknown" else type(frame.to_native()).__module__.partition(".")[0]


def collected(frame: Any, doing: str) -> Any:
    """Have an engine do its work and hand over the rows that are left: one scan.

    Parameters
    ----------
    frame : lazy frame of narwhals
    doing : what it does, for the sentence that says why it could not
    """
    with engine_errors(engine_name(frame), doing):
        if frame.implementation.is_polars():  # piece by piece: what is grouped need not fit into memory
            return frame.collect(engine="streaming")
        return frame.collect()


@contextmanager
def engine_errors(engine: str, doing: str) -> Iterator[None]:
    """Say in one sentence what an engine failed to do; our own errors, and Ctrl-C, pass."""
    try:
        yield
    except OOAError:
        raise
    except BaseException as error:
        # What is written in Rust may panic, which is no Exception to Python, so that nobody else catches it.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        # DuckDB hears Ctrl-C itself, and has errors for it.
        if type(error).__name__ == "InterruptException" or str(error) == _INTERRUPTED:
            raise KeyboardInterrupt from error
        lines = [" ".join(line.split()) for line in str(error).splitlines() if line.strip()]
        words = "; ".join(lines[:_LINES]) or type(error).__name__
        raise DataError(f"{engine} could not {doing}: {words[:_LETTERS]}") from error
