"""Every command that takes a table, times sources that are none: one sentence, or an answer."""

from __future__ import annotations

import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ooa.cli import main

GOOD = "a,b,y\n" + "".join(f"{i},{'uv'[i % 2]},{int(i > 3)}\n" for i in range(8))
LEARN = ("--target=y", "--time-limit=1", "--quiet")
#: The commands, with TABLE where the table is named.
COMMANDS: dict[str, tuple[str, ...]] = {
    "fit": ("fit", "TABLE", *LEARN),
    "fit --table": ("fit", "TABLE", *LEARN, "--table"),
    "fit --test": ("fit", "good.csv", *LEARN, "--test=TABLE"),
    "path": ("path", "TABLE", *LEARN, "--prices=0.01", "--folds=0"),
    "curve": ("curve", "TABLE", *LEARN, "--weights=1", "--folds=0"),
    "trade-off": ("trade-off", "TABLE", *LEARN, "--of=min_sensitivity=LIMIT", "--limits=0.5"),
    "explore": ("explore", "TABLE", *LEARN, "--output=page.html"),
    "bench": ("bench", "TABLE", *LEARN, "--backends=highs"),
    "write": ("write", "TABLE", "--target=y", "--to=t.mps"),
    "predict": ("predict", "rules.txt", "TABLE"),
    "predict --table": ("predict", "rules.txt", "TABLE", "--table", "--output=out.parquet"),
    "evaluate": ("evaluate", "rules.txt", "TABLE"),
    "evaluate --table": ("evaluate", "rules.txt", "TABLE", "--table"),
    "compare": ("compare", "rules.txt", "rules.txt", "TABLE"),
    "explain": ("explain", "rules.txt", "TABLE", "--row=0"),
    "predict with": ("predict", "TABLE", "good.csv"),
    "export": ("export", "TABLE", "--to=sql"),
}


def _file(name: str, content: bytes | str) -> Callable[[], str]:
    def make() -> str:
        Path(name).write_bytes(content.encode() if isinstance(content, str) else content)
        return name

    return make


def _folder() -> str:
    Path("folder").mkdir()
    return "folder"


def _link() -> str:
    os.symlink("nowhere.csv", "link.csv")
    return "link.csv"


#: Sources that are no table, or an odd one; what is made is in the working folder, and its name handed back.
SOURCES: dict[str, Callable[[], str]] = {
    "no file": lambda: "gone.csv",
    "no name": lambda: "",
    "a name with a NUL": lambda: "a\0b.csv",
    "a name of 300 characters": lambda: "n" * 300 + ".csv",
    "a folder": _folder,
    "a dangling link": _link,
    "a glob without files": lambda: "gone*.parquet",
    "an odd glob": lambda: "[.csv",
    "standard input, empty": lambda: "-",
    "no such data set": lambda: "dataset:gone",
    "a data set without a name": lambda: "dataset:",
    "nothing": _file("t.csv", ""),
    "white space": _file("t.csv", " \n\n \n"),
    "a mark alone": _file("t.csv", b"\xef\xbb\xbf"),
    "a head alone": _file("t.csv", "a,b,y\n"),
    "one column": _file("t.csv", "y\n0\n1\n0\n1\n"),
    "one row": _file("t.csv", "a,b,y\n1,u,1\n"),
    "columns of one name": _file("t.csv", "a,a,y\n1,2,0\n3,4,1\n"),
    "a column without a name": _file("t.csv", "a,,y\n1,2,0\n3,4,1\n"),
    "more cells than columns": _file("t.csv", "a,b,y\n1,u,0,9,9\n3,v,1\n"),
    "a quote that does not end": _file("t.csv", 'a,b,y\n1,"u,0\n3,v,1\n'),
    "Latin-1": _file("t.csv", GOOD.replace("u", "ü").encode("latin-1")),
    "half a UTF-16 character": _file("t.csv", b"\xff\xfea"),
    "zeros": _file("t.csv", b"\0" * 100),
    "noise": _file("t.csv", bytes(range(256)) * 4),
    "a picture": _file("t.csv", b"\x89PNG\r\n\x1a\n" + bytes(100)),
    "broken Parquet": _file("t.parquet", b"PAR1" + b"\x15\x04" * 50 + b"PAR1"),
    "the head of Parquet": _file("t.parquet", b"PAR1"),
    "text called Parquet": _file("t.parquet", GOOD),
    "a broken workbook": _file("t.xlsx", b"PK\x03\x04" + bytes(50)),
    "an old workbook": _file("t.xls", b"\xd0\xcf\x11\xe0" + bytes(50)),
    "broken gzip": _file("t.csv.gz", gzip.compress(GOOD.encode())[:-12]),
    "text called gzip": _file("t.csv.gz", GOOD),
    "gzip of nothing": _file("t.csv.gz", gzip.compress(b"")),
    "a model": _file("t.json", '{"format": "ooa.model", "version": 1}'),
    "JSON": _file("t.json", "[1, 2, 3]"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_no_table_is_refused_in_one_sentence(command, tmp_path, monkeypatch, capsys) -> None:
    found = {}
    for words, make in SOURCES.items():
        place = tmp_path / words.replace(" ", "-")
        place.mkdir()
        monkeypatch.chdir(place)
        Path("good.csv").write_text(GOOD)
        Path("rules.txt").write_text("a >= 3 -> y = 1 ELSE 0")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
        source = make()
        try:
            code = main([word.replace("TABLE", source) for word in COMMANDS[command]])
        except SystemExit as end:
            code = end.code
        except BaseException as error:
            found[words] = f"raised {type(error).__name__}: {error!s:.200}"
            continue
        said = capsys.readouterr().err
        last = said.strip().rpartition("\n")[2]
        if code not in (0, 1, 2, 3) or "Traceback" in said or "fault of ooa" in said:
            found[words] = f"{code}: {said[-400:]}"
        elif code in (1, 2) and not (last.startswith("ooa: ") and len(last) < 1_000):
            found[words] = f"not one sentence: {said[-400:]}"
    assert found == {}
