"""Random tables and rule sets for the exports: odd names and values, None beside NaN, types that clash."""

from __future__ import annotations

import datetime
import math
import random
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pandas as pd

from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from support.strategies import EPOCH, ODD_TEXT

HOSTILE = [
    *(
        "'); DROP TABLE x; --",
        '"; DROP TABLE x; --',
        "` OR 1=1; --",
        "]; SELECT 1; --",
        "a' OR 'a'='a",
        "\\'",
    ),
    *(
        "\\",
        "\\\\",
        "\\n",
        "a\\",
        "''",
        '""',
        "``",
        "[x]",
        "a=b",
        " AND ",
        "%s",
        "{0}",
        "$1",
        ":x",
        "?",
        "@x",
    ),
    *(
        "/* x */",
        "-- x",
        "#x",
        "\u2028",
        "NULL",
        "None",
        "select",
        "ORDER",
        "rowid",
        "]]>",
        "<!--",
        "&lt;",
        "&",
    ),
    *(
        "\n",
        "a\nb",
        "\t",
        "\r\n",
        " lead",
        "trail ",
        "名前",
        "ﬁ",
        "e\u0301",
        "\ufeff",
        "'''",
        '"""',
        "\x7f",
        "\x85",
    ),
]
TEXTS = [text for text in dict.fromkeys([*ODD_TEXT, *HOSTILE]) if "\x00" not in text]
NAMES = [text for text in TEXTS if text]
LABELS: list[tuple[Any, Any]] = [
    (1, 0),
    (0, 1),
    (True, False),
    ("it's", "no\\"),
    ("\n", "1"),
    (0.5, -2),
    (2**60, 7),
]
TYPES = {"float": "number", "int": "number", "bool": "bool", "text": "text", "time": "time"}


@dataclass(eq=False)
class Case:
    """A table with both kinds of missing values, and rule sets on it with their predictions."""

    kinds: dict[str, str]
    columns: dict[str, list[Any]]
    rules: list[RuleSet]

    @property
    def n_rows(self) -> int:
        return len(next(iter(self.columns.values())))

    @property
    def types(self) -> dict[str, Any]:
        return {name: TYPES[kind] for name, kind in self.kinds.items()}

    def rows(self) -> list[dict[str, Any]]:
        return [{name: column[i] for name, column in self.columns.items()} for i in range(self.n_rows)]

    @cached_property
    def frame(self) -> pd.DataFrame:
        dtypes = {"float": "float64", "int": "Int64", "bool": "boolean", "text": "object", "time": "object"}
        frame = pd.DataFrame({name: pd.Series(v, dtype="object") for name, v in self.columns.items()})
        for name, kind in self.kinds.items():
            if kind == "time":
                frame[name] = pd.to_datetime(frame[name]).astype("datetime64[us]")
            else:
                frame[name] = frame[name].astype(dtypes[kind])
        return frame

    @cached_property
    def expected(self) -> list[list[Any]]:
        # Not by `predict`, which refuses types that clash.
        fires = [rules.covers(self.frame).any(axis=1).tolist() for rules in self.rules]
        return [
            [rules.positive if one else rules.negative for one in some]
            for rules, some in zip(self.rules, fires)
        ]


def random_case(rng: random.Random, names: list[str] = NAMES, n_rules: int = 20, mixed: bool = True) -> Case:
    """Draw a case; `mixed` also compares columns with values of types that they do not have."""
    kinds: dict[str, str] = {}
    for name in rng.sample(names, rng.randint(1, 5)):
        if name.casefold() not in {other.casefold() for other in kinds}:
            kinds[name] = rng.choice(list(TYPES))
    n_rows = rng.randint(1, 12)
    columns = {name: [_cell(rng, kind) for _ in range(n_rows)] for name, kind in kinds.items()}
    target = rng.choice([name for name in names if name.casefold() not in {k.casefold() for k in kinds}])
    rules = []
    for _ in range(n_rules):
        patterns = []
        for _ in range(rng.randint(0, 4)):
            used = rng.sample(list(kinds), rng.randint(1, min(3, len(kinds))))
            patterns.append(Pattern(_literal(rng, name, kinds[name], columns[name], mixed) for name in used))
        rules.append(RuleSet(patterns, target, *rng.choice(LABELS)))
    return Case(kinds, columns, rules)


def _cell(rng: random.Random, kind: str) -> Any:
    if rng.random() < 0.15:
        return None
    if kind == "float" and rng.random() < 0.15:
        return math.nan
    return _value(rng, kind)


def _value(rng: random.Random, kind: str) -> Any:
    match kind:
        case "float":
            return rng.choice(
                [rng.randint(-4, 8) / 2, rng.gauss(0, 2), 0.1, 1e300, -5e-324, 16777217.0, math.inf]
            )
        case "int":
            return rng.choice([rng.randint(-2, 4), 16777217, 10**12])
        case "bool":
            return rng.random() < 0.5
        case "time":
            whole = EPOCH + datetime.timedelta(days=rng.randint(-2, 2))
            last = datetime.datetime.max - datetime.timedelta(microseconds=rng.randint(0, 1))
            return rng.choice([whole, whole + datetime.timedelta(microseconds=rng.randint(0, 10**7)), last])
    return rng.choice(TEXTS)


def _literal(rng: random.Random, name: str, kind: str, column: list[Any], mixed: bool) -> Literal:
    def value() -> Any:
        of = rng.choice(["float", "int", "bool", "text"]) if mixed and rng.random() < 0.2 else kind
        present = [cell for cell in column if _listable(cell)]
        if of == kind and present and rng.random() < 0.6:
            return rng.choice(present)
        drawn = _value(rng, "text" if of == "time" else of)
        return drawn if _listable(drawn) else 1

    how = rng.random()
    if how < 0.15:
        return IsMissing(name)
    if kind == "time" and (how < 0.85 or not mixed):
        return _range(
            rng,
            name,
            lambda: (_value(rng, "time") - EPOCH) // datetime.timedelta(microseconds=1),
            True,
        )
    if (how < 0.5 and kind in ("float", "int")) or (kind == "bool" and mixed and how < 0.3):
        return _range(
            rng, name, lambda: rng.choice([float(v) for v in column if _listable(v)] + [0.5, 1, -1.5])
        )
    if how < 0.25 and kind in ("text", "bool"):
        return _level_range(rng, name, kind)
    if how < 0.65:
        return Equal(name, value())
    if how < 0.85:
        return NotEqual(name, value())
    return OneOf(name, [value() for _ in range(rng.randint(0, 3))])


def _range(rng: random.Random, name: str, bound: Any, time: bool = False) -> Range:
    sides = rng.choice([(bound(), None), (None, bound()), (bound(), bound())])
    return Range(name, *sides, rng.random() < 0.5, rng.random() < 0.5, time)


def _level_range(rng: random.Random, name: str, kind: str) -> LevelRange:
    """Some of the texts in an order that goes with the name, as an attribute has but one."""
    levels: list[Any] = [True, False] if kind == "bool" else random.Random(name).sample(TEXTS, 12)
    low, high = sorted(rng.sample(range(len(levels)), 2))
    low, high = rng.choice([(levels[low], levels[high]), (None, levels[high]), (levels[low], None)])
    return LevelRange(name, levels, low, high)


def _listable(cell: Any) -> bool:
    return isinstance(cell, (bool, int, str)) or (isinstance(cell, float) and math.isfinite(cell))
