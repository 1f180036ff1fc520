"""What is said about odd columns, in Python and on the command line."""

from __future__ import annotations

import inspect

import pandas as pd
import pytest

from ooa.cli.wording import TypedAdvice
from ooa.data.advice import PYTHON, Advice
from ooa.data.suspicions import Doubt, Suspicion

CASES = [
    (
        Suspicion("code", Doubt.DISGUISE, count=3),
        "Column 'code' alone tells the label of all but 3 rows: if it is not known beforehand, leave it out",
        "--drop code",
    ),
    (
        Suspicion("dose", Doubt.DECIMALS, texts=("1,5",), others=("?",), how=(",",)),
        "Column 'dose' holds numbers as text, such as '1,5': read the data with decimal=','; if '?' means "
        "missing: read the data with na_values=['?']",
        "--decimal ,; if '?' means missing: --na '?'",
    ),
    (
        Suspicion("income", Doubt.DECIMALS, texts=("10,072",), how=(".", ",")),
        "holds numbers as text, such as '10,072': read the data with thousands=',' or decimal=','",
        "--decimal . if the comma groups thousands, else --decimal ,",
    ),
    (
        Suspicion("income", Doubt.DECIMALS, texts=("1,234.5",), how=(".",)),
        "read the data with thousands=','",
        "--decimal .",
    ),
    (
        Suspicion("day", Doubt.DATES, texts=("3/4/2024",), how=("day-first", "month-first")),
        "Column 'day' holds dates as text, such as '3/4/2024': read it with "
        "pandas.to_datetime(dayfirst=True or dayfirst=False)",
        "--dates day-first or --dates month-first",
    ),
    (
        Suspicion("day", Doubt.DATES, texts=("31.5.24",), how=("%d.%m.%y",)),
        "read it with pandas.to_datetime(format='%d.%m.%y')",
        "--dates %d.%m.%y",
    ),
    (
        Suspicion("age", Doubt.NUMBERS, texts=("3",), others=("n/a", "a, b")),
        "Column 'age' holds text among its numbers; if 'n/a' or 'a, b' means missing",
        "--na 'n/a,\"a, b\"'",
    ),
    (Suspicion("age", Doubt.NUMBERS, texts=("3",)), "holds numbers as text, such as '3'", "--numeric age"),
    (
        Suspicion("rate", Doubt.SIGNS, texts=("18.2%",), others=("n/a",)),
        "such as '18.2%': take it off and read them with pandas.to_numeric; if 'n/a' means missing: read",
        "take it off in the file; if 'n/a' means missing: --na n/a",
    ),
    (
        Suspicion("age", Doubt.SENTINEL, count=3, texts=("18", "95"), others=("999",)),
        "has 999 in 3 rows, and otherwise 18 to 95; if that means missing",
        "--na 999",
    ),
    (Suspicion("my id", Doubt.UNIQUE), "has another value in every row, as IDs have", "--drop 'my id'"),
    (Suspicion("zip", Doubt.MANY, count=1200), "has 1,200 categories", "--drop zip"),
    (
        Suspicion("zip", Doubt.CODES, texts=("007",)),
        "holds codes, as the leading zeros of '007'",
        "--numeric zip",
    ),
    (
        Suspicion("job", Doubt.SPELLINGS, alike=(("cook", "Cook"), ("driver", "drivr"))),
        "nearly equal ('cook' and 'Cook', 'driver' and 'drivr')",
        "spell them so",
    ),
    (Suspicion("site", Doubt.CONSTANT), "has the same value in every row", "--drop site"),
]


@pytest.mark.parametrize(("found", "said", "typed"), CASES)
def test_every_doubt_has_its_sentence_in_both_interfaces(found: Suspicion, said: str, typed: str) -> None:
    assert said in PYTHON.sentence(found) == str(found)
    assert typed in TypedAdvice().sentence(found)
    assert "--" not in str(found)


def test_all_doubts_are_among_the_cases() -> None:
    assert {found.doubt for found, _, _ in CASES} == set(Doubt)


def test_what_python_words_the_command_words_too() -> None:
    words = {name for name in vars(Advice) if not name.startswith("_")} - {"sentence"}
    assert words == {name for name in vars(TypedAdvice) if not name.startswith("_")}


def test_what_is_advised_exists_in_pandas() -> None:
    assert {"decimal", "na_values", "thousands"} <= set(inspect.signature(pd.read_csv).parameters)
    assert {"dayfirst", "format"} <= set(inspect.signature(pd.to_datetime).parameters)
