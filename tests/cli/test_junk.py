"""Every option of every command times junk: done, or one sentence that names the option or the junk.

The options come from the parsers, so that new ones are covered by themselves.
"""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Iterator

import pytest
from support import cli_running

from ooa.cli import main
from ooa.cli.parser import build_parser

folder, people = cli_running.folder, cli_running.people

TYPED = {
    "nothing": "",
    "a blank": " ",
    "text": "abc",
    "a pair": "a=b",
    "commas": ",,",
    "equals": "=",
    "-1": "-1",
    "0": "0",
    "2.5": "2.5",
    "beyond floats": "1e400",
    "not a number": "nan",
    "infinity": "inf",
    "2**70": str(2**70),
    "many digits": "1" * 5_000,
    "a quotation mark": '"',
    "per cent": "%",
    "other letters": "ä\u2028\U0001f600",
    "half a pair": "\udcff",
    "two lines": "a\nb",
    "NUL": "a\x00b",
    "a folder": os.curdir,
    "no folder": "no/such/folder/x.json",
}
TABLE = "a,b,y\n" + "".join(f"{i},{'uv'[i % 2]},{int(i in (2, 3, 4))}\n" for i in range(6))
#: What each command is given besides; those without are only listings.
GOOD = {
    "fit": ["t.csv", "--target=y", "--time-limit=1", "--quiet"],
    "path": ["t.csv", "--target=y", "--time-limit=1", "--quiet", "--prices=0.01"],
    "trade-off": [
        "t.csv",
        "--target=y",
        "--time-limit=1",
        "--quiet",
        "--of=min_sensitivity=LIMIT",
        "--limits=0.5",
    ],
    "curve": ["t.csv", "--target=y", "--time-limit=1", "--quiet", "--weights=1", "--folds=0"],
    "explore": ["t.csv", "--target=y", "--time-limit=1", "--quiet", "--output=page.html"],
    "bench": ["t.csv", "--target=y", "--time-limit=1", "--quiet", "--backends=highs"],
    "write": ["t.csv", "--target=y", "--to=t.mps"],
    "predict": ["rules.txt", "t.csv"],
    "evaluate": ["rules.txt", "t.csv"],
    "compare": ["rules.txt", "rules.txt", "t.csv"],
    "explain": ["rules.txt", "t.csv", "--row=0"],
    "export": ["rules.txt", "--to=sql"],
    "completion": ["bash"],
    **{listing: [] for listing in ("backends", "datasets", "demo")},
}


def _commands() -> dict[str, argparse.ArgumentParser]:
    group = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(group.choices)


def _options() -> Iterator[tuple[str, str]]:
    """Every option with the first command that has it: others that say the same of it read it alike."""
    known = set()
    for command, parser in _commands().items():
        for action in parser._actions:
            option = max(action.option_strings, key=len, default="")
            if option and action.nargs != 0 and (option, action.help) not in known:
                known.add((option, action.help))
                yield command, option


def _named(option: str, junk: str, sentence: str) -> bool:
    """Whether a sentence names the option, with or without its dashes, or shows what was typed."""
    word = option.strip("-").replace("-", "_")
    shown = repr(junk)[1:-1][:50] if junk.strip() else repr(junk)
    # A table in which all is missing, or that has but one column, is what the sentence is about then.
    data = option in ("--sep", "--na") and (
        "missing" in sentence or "column" in sentence or "cells" in sentence
    )
    return option in sentence or word in sentence.lower() or shown in sentence or data


OPTIONS = list(_options())


def test_every_command_is_tried() -> None:
    assert GOOD.keys() == _commands().keys()


@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=[" ".join(one) for one in OPTIONS])
def test_junk_is_refused_in_one_sentence(command, option, tmp_path, monkeypatch, capsys) -> None:
    found = {}
    for words, junk in TYPED.items():
        place = tmp_path / words.replace("*", "")
        place.mkdir()
        monkeypatch.chdir(place)
        (place / "t.csv").write_text(TABLE)
        (place / "rules.txt").write_text("a >= 3 -> y = 1 ELSE 0")
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
        try:
            code = main([command, *GOOD[command], f"{option}={junk}"])
        except SystemExit as end:
            code = end.code
        except BaseException as error:
            found[words] = f"raised {type(error).__name__}: {error!s:.200}"
            continue
        said = capsys.readouterr().err
        last = said.strip().rpartition("\n")[2]
        if code not in (0, 1, 2, 3) or "Traceback" in said or "fault of ooa" in said:
            found[words] = f"{code}: {said[:300]}"
        elif code in (1, 2) and not (
            last.startswith("ooa: ") and _named(option, junk, last) and len(last) < 2_000
        ):
            found[words] = f"not one sentence that names it: {last[:300]}"
    assert found == {}
