"""Files that hold more than they weigh: gzip, workbooks and Parquet, up to a limit that is said."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from typing import Any

from ooa.errors import DataError

__all__ = ["PARQUET", "ZIP", "unpacked"]

PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
_GZIP = b"\x1f\x8b"
_MB = 1_000_000
_BATCH = 65_536  # rows of Parquet at a time
#: How texts are written in Parquet if each is there in full, once or as often as it comes.
_REPEATED = {"PLAIN", "RLE", "BIT_PACKED", "PLAIN_DICTIONARY", "RLE_DICTIONARY"}


def unpacked(name: str, content: bytes, most: int) -> bytes:
    """What a file holds: unpacked if it is gzip, else as it is, if what it holds is not too much.

    Whether a workbook or Parquet can be read at all is found out when it is.

    Parameters
    ----------
    name : what to call it in messages
    content : its bytes
    most : the most that they may unpack to, in MB: a few kB may hold all that a machine can keep
    """
    limit, size = most * _MB, 0
    if content.startswith(_GZIP):
        content = _from_gzip(name, content, limit)
        size = len(content)
    if size <= limit and content.startswith(ZIP):
        size = _size_of_zip(content)
    elif size <= limit and content.startswith(PARQUET):
        size = _size_of_parquet(content, limit)
    if size > limit:
        raise DataError(f"{name} unpacks to more than {most:,} MB: --max-unpacked allows for more")
    return content


def _from_gzip(name: str, content: bytes, limit: int) -> bytes:
    """What gzip packed, up to one byte too many."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            return file.read(limit + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"{name}: {error}") from None


def _size_of_zip(content: bytes) -> int:
    """What the parts of a workbook take together; 0 if it is none."""
    try:
        return sum(part.file_size for part in zipfile.ZipFile(io.BytesIO(content)).infolist())
    except zipfile.BadZipFile:
        return 0


def _size_of_parquet(content: bytes, limit: int) -> int:
    """What a Parquet file takes in memory, or something beyond the limit; 0 if it cannot be read.

    What its pages take is written down, but a value that repeats is written once: only unpacking tells, in
    pieces that are within the limit. Texts stay packed meanwhile: each is counted by its length, as often as
    it is there.
    """
    try:
        from pyarrow.parquet import ParquetFile

        groups = ParquetFile(io.BytesIO(content)).metadata
        texts, largest = _columns_of_parquet(groups)
        size = int(sum(groups.row_group(i).total_byte_size for i in range(groups.num_row_groups)))
        if size > limit:
            return size
        file = ParquetFile(io.BytesIO(content), read_dictionary=texts)
        size, rows = 0, limit // largest if largest else _BATCH
        for batch in file.iter_batches(batch_size=max(1, min(_BATCH, rows))):
            size += sum(map(_size_of_column, batch.columns))
            if size > limit:
                break
        return size
    except (ImportError, OSError, ValueError):  # pyarrow's own errors are among them
        return 0


def _columns_of_parquet(groups: Any) -> tuple[list[str], int]:
    """Columns of texts that can be read without repeating them, and the most that a row of the others takes.

    A row of a column of numbers takes a few bytes. Of what is left (lists, texts that are written as
    differences) no row is larger than all pages of its group together.
    """
    texts, largest = set(), 0
    for i in range(groups.num_row_groups):
        group, others = groups.row_group(i), 0
        for k in range(group.num_columns):
            column, flat = group.column(k), groups.schema.column(k).max_repetition_level == 0
            if flat and column.physical_type != "BYTE_ARRAY":
                continue
            if flat and "." not in column.path_in_schema and not set(column.encodings) - _REPEATED:
                texts.add(column.path_in_schema)
            else:
                others += column.total_uncompressed_size
        largest = max(largest, others)
    return sorted(texts), largest


def _size_of_column(column: Any) -> int:
    """What a column of a batch takes with its texts in full."""
    from pyarrow import compute, types

    if not types.is_dictionary(column.type):
        return int(column.nbytes)
    each = compute.binary_length(column.dictionary).cast("int64")
    return int(compute.sum(each.take(column.indices)).as_py() or 0) + 4 * len(column)
