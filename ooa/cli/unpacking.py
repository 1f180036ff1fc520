"""Files that hold more than they weigh: gzip, workbooks and Parquet, up to a limit that is said."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib

from ooa.errors import DataError

__all__ = ["PARQUET", "ZIP", "unpacked"]

PARQUET, ZIP = b"PAR1", b"PK\x03\x04"
_GZIP = b"\x1f\x8b"
_MB = 1_000_000
_BATCH = 65_536  # rows of Parquet at a time


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
    pieces that are within the limit.
    """
    try:
        from pyarrow.parquet import ParquetFile

        file = ParquetFile(io.BytesIO(content))
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        size = int(sum(group.total_byte_size for group in groups))
        # No row of a group is larger than all of the group's pages together.
        if size > limit or sum(group.num_rows * group.total_byte_size for group in groups) <= limit:
            return size
        rows = limit // max(group.total_byte_size for group in groups)
        size = 0
        for batch in file.iter_batches(batch_size=max(1, min(_BATCH, rows))):
            size += int(batch.nbytes)
            if size > limit:
                break
        return size
    except (ImportError, OSError, ValueError):  # pyarrow's own errors are among them
        return 0
