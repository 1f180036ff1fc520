"""Tables from files, standard input and by name: delimited text, Excel, Parquet, data sets."""

from __future__ import annotations

import argparse
import codecs
import io
import re
import sys
import zipfile
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.errors import DataError

from .cells import PLAIN, CellType, Reading, typed_column
from .delimited import cells_of_text, check_head
from .options import MOST_UNPACKED
from .output import note
from .unpacking import PARQUET, ZIP, unpacked

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["InputFile", "open_source", "source_asked_for"]

_PREFIX = "dataset:"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
#: What a head line may be separated by; the most frequent one wins, the first of equals.
_DELIMITERS = ",;\t|"


@dataclass(frozen=True)
class InputFile:
    """A table that was read but not interpreted yet.

    Attributes
    ----------
    name : what to call it in messages
    content : the bytes, unless it is a data set
    dataset : the name of the data set, if it is one
    reading : how it is written
    """

    name: str
    content: bytes = b""
    dataset: str | None = None
    reading: Reading = PLAIN

    @property
    def is_text(self) -> bool:
        """Whether it is delimited text."""
        return self.dataset is None and not self.content.startswith((PARQUET, ZIP, _OLD_EXCEL))

    @property
    def encoding(self) -> str:
        """What the text is encoded in."""
        if self.reading.encoding is not None:
            return self.reading.encoding
        return "utf-16" if self.content.startswith(_UTF_16) else "utf-8-sig"

    @property
    def delimiter(self) -> str:
        """What separates cells: as was said, by the file's name, or the most frequent in the head line."""
        if self.reading.sep is not None:
            return self.reading.sep
        if self.name.removesuffix(".gz").endswith((".tsv", ".tab")):
            return "\t"
        head = re.sub('"[^"]*"', "", self._text().partition("\n")[0])
        return max(_DELIMITERS, key=head.count)

    def for_model(self, learned: Reading) -> InputFile:
        """The same table, to be read as a model was taught to; but what is Unicode is read as such.

        No text in another encoding happens to be UTF-8 with letters beyond ASCII, so there is no doubt.
        """
        read = replace(self, reading=self.reading.for_model(learned))
        instead = read.unicode_instead
        if self.reading.encoding is not None or instead is None:
            return read
        name = instead.removesuffix("-sig").upper()
        note(f"{self.name} is {name} text, and is read as such; the model learned from {read.encoding}")
        return replace(read, reading=replace(read.reading, encoding=instead))

    @property
    def unicode_instead(self) -> str | None:
        """The encoding that text beyond ASCII is in by its looks, if another one than Unicode was said."""
        if not self.is_text or self.content.isascii() or self.encoding.replace("_", "-").startswith("utf"):
            return None
        if self.content.startswith(_UTF_16):
            return "utf-16"
        try:
            self.content.decode("utf-8")
        except UnicodeDecodeError:
            return None
        return "utf-8-sig"

    @property
    def written_in(self) -> str:
        """The encoding of a table that is written as this one was: with a mark at the start if it has one."""
        if not self.is_text:
            return "utf-8"
        marked = self.content.startswith(codecs.BOM_UTF8)
        return "utf-8" if self.encoding == "utf-8-sig" and not marked else self.encoding

    @property
    def line_end(self) -> str:
        """What ends its lines."""
        return "\r\n" if self.is_text and "\r\n" in self._text() else "\n"

    def frame(
        self, wanted: Mapping[str, CellType] | None = None, columns: Collection[str] | None = None
    ) -> pd.DataFrame:
        """The table with its types.

        Parameters
        ----------
        wanted : the types that columns have to be of; those of other columns follow from their cells
        columns : the columns that are needed, so far as they are there; by default all
        """
        import pandas as pd

        asked = wanted or {}
        cells = self.cells()
        if columns is not None:
            cells = cells[[name for name in cells.columns if name in columns]]
        try:
            typed = {
                name: typed_column(name, np.asarray(column, dtype=object), self.reading, asked.get(str(name)))
                if self._is_to_be_read(column.dtype)
                else column
                for name, column in _columns(cells)
            }
        except DataError as error:
            raise DataError(f"{self.name}, {error}") from None
        return pd.DataFrame(typed, index=cells.index, columns=cells.columns)  # at once: wide ones take long

    def cells(self) -> pd.DataFrame:
        """The table with every cell as it was written, to be written again."""
        if self.dataset is not None:
            return _dataset(self.dataset)
        if self.content.startswith(PARQUET):
            return _parquet(self)
        if self.is_text:
            return cells_of_text(self.name, self._text(), self.delimiter)
        return _excel(self)

    def _is_to_be_read(self, dtype: Any) -> bool:
        """Whether cells have no type yet; text in a file with types is text, unless something is said."""
        typed = self.dataset is not None or self.content.startswith(PARQUET)
        text = dtype.kind in "OT" or str(dtype).startswith("str")
        said = self.reading.na or self.reading.decimal or self.reading.dates or self.reading.strip
        return text and bool(said or not typed)

    def _text(self) -> str:
        try:
            return self.content.decode(self.encoding)
        except UnicodeError as error:
            at = error.start if isinstance(error, UnicodeDecodeError) else 0
            line = self.content.count(b"\n", 0, at) + 1
            known = self.reading.encoding
            said = f"not text in {known}" if known else "not UTF-8 text"
            hint = "; files from Excel or older programs often need --encoding cp1252"
            hint = "" if known and not known.startswith("utf") else hint
            raise DataError(f"{self.name}, line {line}: this is {said}{hint}") from None


def open_source(place: str, reading: Reading = PLAIN, most: int = MOST_UNPACKED) -> InputFile:
    """Read a file, standard input (-) or the name of a data set (dataset:NAME).

    Parameters
    ----------
    place : which one
    reading : how it is written
    most : the most that a compressed file may unpack to, in MB

    Examples
    --------
    >>> open_source("dataset:monks1").frame().shape
    (432, 7)
    """
    if place.startswith(_PREFIX):
        return InputFile(place, dataset=place[len(_PREFIX) :], reading=reading)
    name, content = ("standard input", sys.stdin.buffer.read()) if place == "-" else (place, _bytes(place))
    content = unpacked(name, content, most)
    if not content.strip():
        raise DataError(f"{name} is empty")
    if content.startswith(_OLD_EXCEL):
        raise DataError(f"{name} is an old Excel file: save it as .xlsx or .csv")
    if re.match(rb'\s*\{\s*"format": *"ooa\.', content):
        raise DataError(f"{name} is a model, and a table is needed here: the model comes before the table")
    source = InputFile(name, content, reading=reading)
    instead = source.unicode_instead
    if instead is not None:
        shown = instead.removesuffix("-sig").upper()
        note(f"{name} is {shown} text, too: without --encoding {source.encoding} it is read as such")
    return source


def source_asked_for(arguments: argparse.Namespace, place: str | None = None) -> InputFile:
    """The table that a command line names, or another one that is written alike."""
    named = arguments.data if place is None else place
    return open_source(named, Reading.typed(arguments), arguments.max_unpacked)


def _bytes(place: str) -> bytes:
    if Path(place).is_dir():
        raise DataError(f"{place} is a folder, not a table")
    if not Path(place).exists():
        raise DataError(f"there is no file {place!r}")
    return Path(place).read_bytes()


def _columns(cells: pd.DataFrame) -> Iterator[tuple[Any, Any]]:
    """The columns by name: series, or arrays of a wide table of objects, where series would take long."""
    if len(cells.columns) > len(cells) and (cells.dtypes == "object").all():
        return zip(cells.columns, np.ascontiguousarray(cells.to_numpy().T))
    return iter(cells.items())


def _dataset(name: str) -> pd.DataFrame:
    """A data set, with its label as the last column."""
    from ooa.datasets.catalogue import load_dataset

    data = load_dataset(name)
    return data.X.assign(**{str(data.y.name): data.y})


def _parquet(source: InputFile) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_parquet(io.BytesIO(source.content))
    except ImportError:
        raise DataError(f"{source.name}: reading Parquet needs pyarrow (pip install pyarrow)") from None
    except (OSError, ValueError) as error:
        raise DataError(f"{source.name}: this Parquet file cannot be read: {error}") from None


def _excel(source: InputFile) -> pd.DataFrame:
    """The first sheet of a workbook, its first row being the head line."""
    import pandas as pd

    try:
        from openpyxl import load_workbook
    except ImportError:
        raise DataError(f"{source.name}: reading Excel needs openpyxl (pip install openpyxl)") from None
    try:
        book = load_workbook(io.BytesIO(source.content), read_only=True, data_only=True)
    except (KeyError, ValueError, OSError, zipfile.BadZipFile):
        raise DataError(
            f"{source.name} is neither an Excel file nor another table that can be read"
        ) from None
    names = book.sheetnames
    if len(names) > 1:
        note(f"{source.name} has {len(names)} sheets; the first one, {names[0]!r}, is read")
    rows = [row for row in book.worksheets[0].iter_rows(values_only=True) if any(c is not None for c in row)]
    book.close()
    head = [str(name) if name is not None else "" for name in rows[0]] if rows else []
    while head and not head[-1]:
        head.pop()
    check_head(source.name, head)
    columns = {name: [row[j] if j < len(row) else None for row in rows[1:]] for j, name in enumerate(head)}
    return pd.DataFrame(columns, dtype=object)
