"""Tables from files, standard input and by name: CSV, TSV, other delimited text, Parquet, data sets."""

from __future__ import annotations

import csv
import gzip
import io
import sys
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ooa.errors import DataError

from .output import note

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Source", "open_source"]

_PREFIX = "dataset:"
_GZIP, _PARQUET = b"\x1f\x8b", b"PAR1"
#: What a head line may be separated by; the most frequent one wins, the first of equals.
_DELIMITERS = ",;\t|"
_DATE = r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"


@dataclass(frozen=True)
class Source:
    """A table that was read but not interpreted yet.

    Attributes
    ----------
    name : what to call it in messages
    content : the bytes, unless it is a data set
    dataset : the name of the data set, if it is one
    """

    name: str
    content: bytes = b""
    dataset: str | None = None

    @property
    def is_text(self) -> bool:
        """Whether it is delimited text."""
        return self.dataset is None and not self.content.startswith(_PARQUET)

    @property
    def delimiter(self) -> str:
        """What separates the cells: by the file's name, or the most frequent in the head line."""
        if self.name.removesuffix(".gz").endswith((".tsv", ".tab")):
            return "\t"
        head = self._text().partition("\n")[0]
        return max(_DELIMITERS, key=head.count)

    def frame(self, na: Collection[str] = (), categorical: Collection[str] = ()) -> pd.DataFrame:
        """The table with its types.

        Parameters
        ----------
        na : texts that mean missing, besides the empty cell
        categorical : columns in which dates are to stay text
        """
        if self.dataset is not None:
            return _dataset(self.dataset)
        if not self.is_text:
            return _parquet(self)
        frame = self._delimited(na_values=["", *na])
        for name in frame.columns:
            if frame[name].dtype.kind in "OT" or str(frame[name].dtype).startswith("str"):
                frame[name] = _text_column(frame[name], name in categorical)
        return frame

    def cells(self) -> pd.DataFrame:
        """The table with every cell as it was written, to be written again."""
        return self._delimited(dtype=str) if self.is_text else self.frame()

    def _text(self) -> str:
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = self.content.count(b"\n", 0, error.start) + 1
            raise DataError(f"{self.name}, line {line}: this is not UTF-8 text; save it as UTF-8") from None

    def _delimited(self, **options: Any) -> pd.DataFrame:
        """Parse delimited text; the head line names every column once."""
        import pandas as pd

        text, delimiter = self._text(), self.delimiter
        head = next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])
        if not any(head):
            raise DataError(f"{self.name}: there is no head line with the names of the columns")
        twice = [name for name in head if head.count(name) > 1]
        if twice:
            raise DataError(f"{self.name}: two columns are called {twice[0]!r}; column names must differ")
        try:
            frame: pd.DataFrame = pd.read_csv(
                io.StringIO(text), sep=delimiter, keep_default_na=False, low_memory=False, **options
            )
        except (pd.errors.ParserError, pd.errors.EmptyDataError, ValueError) as error:
            words = str(error).removeprefix("Error tokenizing data. C error: ").strip()
            raise DataError(f"{self.name}: {words}") from None
        if not isinstance(frame.index, pd.RangeIndex):  # pandas takes surplus cells for row names
            raise DataError(f"{self.name}: the rows have more cells than the head line has names")
        frame.columns = pd.Index(head)  # an empty name stays what it is
        return frame


def open_source(place: str) -> Source:
    """Read a file, standard input (-) or the name of a data set (dataset:NAME).

    Examples
    --------
    >>> open_source("dataset:monks1").frame().shape
    (432, 7)
    """
    if place.startswith(_PREFIX):
        return Source(place, dataset=place[len(_PREFIX) :])
    name, content = ("standard input", sys.stdin.buffer.read()) if place == "-" else (place, _bytes(place))
    if content.startswith(_GZIP):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error) as error:
            raise DataError(f"{name}: {error}") from None
    if not content.strip():
        raise DataError(f"{name} is empty")
    return Source(name, content)


def _bytes(place: str) -> bytes:
    if Path(place).is_dir():
        raise DataError(f"{place} is a folder, not a table")
    if not Path(place).exists():
        raise DataError(f"there is no file {place!r}")
    return Path(place).read_bytes()


def _dataset(name: str) -> pd.DataFrame:
    """A data set, with its label as the last column."""
    from ooa.datasets.catalogue import load_dataset

    data = load_dataset(name)
    return data.X.assign(**{str(data.y.name): data.y})


def _parquet(source: Source) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_parquet(io.BytesIO(source.content))
    except ImportError:
        raise DataError(f"{source.name}: reading Parquet needs pyarrow (pip install pyarrow)") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{source.name}: this Parquet file cannot be read: {error}") from None


def _text_column(column: pd.Series[Any], categorical: bool) -> pd.Series[Any]:
    """A column of text: dates become dates, and numbers spoilt by a few other texts are pointed out."""
    import pandas as pd

    present = column.dropna()
    if categorical or not len(present) or not isinstance(present.iloc[0], str):
        return column
    if present.str.fullmatch(_DATE).all():
        try:
            return pd.to_datetime(column, format="ISO8601", utc=True)
        except ValueError:
            return column
    odd = present[pd.to_numeric(present, errors="coerce").isna()]
    if len(odd) < len(present) / 2:
        few = ", ".join(map(repr, odd.unique()[:3]))
        note(
            f"column {column.name!r} is taken as text because of {few} among its numbers; "
            f"if that means missing: --na {odd.iloc[0]}"
        )
    return column
