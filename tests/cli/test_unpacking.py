"""Files that hold more than they weigh are refused before they fill the memory, and plain ones never."""

import gzip
import io
import zipfile

import pytest
from support import cli_running

from ooa.cli.reading import open_source
from ooa.cli.unpacking import unpacked
from ooa.errors import DataError

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa
ROWS = b"a,y\n" + b"1,2\n" * 500_000


def test_gzip(folder, ooa):
    (folder / "t.csv.gz").write_bytes(gzip.compress(ROWS))
    answer = ooa("fit", "t.csv.gz", "--target", "y", "--max-unpacked", 1)
    assert answer.code == 1
    assert answer.err == "ooa: t.csv.gz unpacks to more than 1 MB: --max-unpacked allows for more\n"
    assert open_source("t.csv.gz", most=3).content == ROWS


def test_a_workbook():
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/sheet.xml", b" " * 2_000_000)
    for content in (held.getvalue(), gzip.compress(held.getvalue())):
        with pytest.raises(DataError, match=r"t\.xlsx unpacks to more than 1 MB"):
            unpacked("t.xlsx", content, 1)
    assert unpacked("t.xlsx", held.getvalue(), 2) == held.getvalue()


def _parquet(column, **how):
    from pyarrow import parquet, table

    held = io.BytesIO()
    parquet.write_table(table({"a": column}), held, **how)
    return held.getvalue()


@pytest.mark.parametrize("dictionary", [True, False])
@pytest.mark.parametrize(
    "cells",
    [["x" * 100_000] * 50, [0.0] * 600_000, [None, 7] * 300_000, ["x" * 1_500_000, "y" * 1_500_000]],
    ids=["long text", "numbers", "missing", "texts beyond the limit"],
)
def test_parquet(cells, dictionary):
    pyarrow = pytest.importorskip("pyarrow")
    content = _parquet(pyarrow.array(cells), use_dictionary=dictionary, compression="zstd")
    assert len(content) < 300_000
    for packed in (content, gzip.compress(content)):
        with pytest.raises(DataError, match=r"t\.parquet unpacks to more than 1 MB"):
            unpacked("t.parquet", packed, 1)
    assert unpacked("t.parquet", content, 6) == content


def test_parquet_on_the_command_line(folder, ooa):
    pyarrow = pytest.importorskip("pyarrow")
    (folder / "t.parquet").write_bytes(_parquet(pyarrow.array([0] * 600_000)))
    answer = ooa("fit", "t.parquet", "--target", "a", "--max-unpacked", 1)
    assert answer.code == 1
    assert answer.err == "ooa: t.parquet unpacks to more than 1 MB: --max-unpacked allows for more\n"
    assert "no column is left to learn from" in ooa("fit", "t.parquet", "--target", "a").err


def test_what_is_broken_is_left_to_the_reader():
    for content in (b"PAR1 and no more", b"PK\x03\x04 and no more"):
        assert unpacked("t", content, 1) == content
    with pytest.raises(DataError, match="t: Compressed file ended"):
        unpacked("t", gzip.compress(ROWS)[:-20], 9)


def test_a_plain_file_has_no_limit():
    assert unpacked("t.csv", ROWS, 1) == ROWS
