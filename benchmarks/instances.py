"""The data sets of the studies, by name: the paper's nine, a few more, and generated ones of any size."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from ooa.data.table import Table
from ooa.datasets import Dataset, apnea_survey, load_dataset, planted_dnf
from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet

#: The nine sets of the paper's Table 2, in its order.
PAPER = (
    "blogger",
    "votes",
    "tic-tac-toe",
    "monks1",
    "bupa",
    "transfusion",
    "banknote",
    "indian-diabetes",
    "heart",
)
#: Sets whose attributes are all categorical: patterns up to length 4 are looked at there.
CATEGORICAL = frozenset({"blogger", "votes", "tic-tac-toe", "monks1", "mushroom"})
GENERATED = frozenset({"tic-tac-toe", "monks1", "monks2", "monks3", "apnea-survey"})
#: Sets that come with scikit-learn: the function that loads one, and the class to be told from the others.
SCIKIT = {"breast-cancer": ("load_breast_cancer", 0), "wine": ("load_wine", 0), "digits": ("load_digits", 8)}
#: The first of them the other way round, as who fits the data as they come has it.
BENIGN = {"benign": ("load_breast_cancer", 1)}
_PLANTED = re.compile(r"(planted|wide|correlated|four)-(\d+)x(\d+)")


def load(name: str) -> Dataset:
    """A data set by name.

    Besides the sets of `ooa.datasets` there are `planted-1000x20`: 1,000 rows of yes/no attributes that make
    20 literals, labelled by three planted patterns of length 3, 5 % of the labels flipped; `mixed-20000`, the
    same with 12 attributes of all kinds; `rare-4000` with ten numeric ones and 8 % positives; `survey-200`,
    the synthetic survey with 200 rows; `wide-2000x60` with 60 numeric attributes and two patterns of length
    3; `correlated-350x34` with 34 that go together, and two patterns of ranges; `four-50000x30` with 30 and
    four patterns, one of them of length 3; `endgame-4000` with two kings and a rook on the board; and those
    of scikit-learn (`SCIKIT`, `BENIGN`).
    """
    planted = _PLANTED.fullmatch(name)
    makers = {"wide": _wide, "correlated": _correlated, "four": _four}
    if planted and planted[1] in makers:
        return makers[planted[1]](int(planted[2]), int(planted[3]))
    if planted:
        rows, literals = int(planted[2]), int(planted[3])
        return planted_dnf(rows, literals // 2, 3, 3, noise=0.05, kinds=("binary",), seed=literals)
    if name.startswith("survey-"):
        return apnea_survey(int(name.removeprefix("survey-")))
    if name.startswith("mixed-"):
        return planted_dnf(int(name.removeprefix("mixed-")), 12, 3, 3, noise=0.05, seed=1)
    if name.startswith("rare-"):
        return _rare(int(name.removeprefix("rare-")))
    if name.startswith("endgame-"):
        return _endgame(int(name.removeprefix("endgame-")))
    if name in SCIKIT | BENIGN:
        return _scikit(name)
    return load_dataset(name)


def _rare(rows: int) -> Dataset:
    """Ten numeric attributes, one with few values, and three patterns of two literals that few rows meet."""
    rng = np.random.default_rng(5)
    X = pd.DataFrame({f"x{j}": rng.normal(size=rows).round(3) for j in range(8)})
    X["age"], X["visits"] = rng.integers(18, 95, rows), rng.integers(0, 14, rows)
    rules = RuleSet.parse(
        "x0 > 1.4 AND age > 70 OR x1 < -1.6 AND x2 > 0.5 OR visits >= 12 AND x3 > 0.7 -> rare = 1 ELSE 0"
    )
    y = rng.random(rows) < np.where(rules.covers(X).any(axis=1), 0.85, 0.015)
    labels = pd.Series(y.astype("int64"), name="rare")
    return Dataset("rare", X.astype(float), labels, "Rare positives, some of them by chance.", rules=rules)


def _endgame(rows: int) -> Dataset:
    """Files and ranks of two kings and a rook: can it be, with white to move?

    Not if two stand on one square, the kings side by side, or the black one in check. Which numbers are equal
    or differ by one is what counts, so patterns are long and many.
    """
    rng = np.random.default_rng(6)
    places = rng.integers(1, 9, size=(rows, 3, 2))
    king, rook, black = places[:, 0], places[:, 1], places[:, 2]
    beside = np.abs(king - black).max(axis=1) <= 1
    check = (rook == black).any(axis=1)
    wrong = beside | check | (king == rook).all(axis=1)
    names = [f"{piece}_{axis}" for piece in ("king", "rook", "black") for axis in ("file", "rank")]
    X = pd.DataFrame(places.reshape(rows, 6), columns=names)
    labels = pd.Series(wrong.astype("int64"), name="impossible")
    return Dataset("endgame", X, labels, "Positions of two kings and a rook that cannot be.")


def _wide(rows: int, columns: int) -> Dataset:
    """Numeric noise, and two patterns of three bounds each; 5 % of the labels flipped."""
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"x{j}": rng.normal(size=rows).round(3) for j in range(columns)})
    rules = RuleSet.parse(
        "x1 > 0.3 AND x5 < 0.5 AND x9 > -0.4 OR x3 > 0.8 AND x7 > 0 AND x12 < 0.6 -> wide = 1 ELSE 0"
    )
    y = rules.covers(X).any(axis=1) ^ (rng.random(rows) < 0.05)
    labels = pd.Series(y.astype("int64"), name="wide")
    return Dataset("wide", X, labels, "Two patterns of length 3 among many numbers.", rules=rules)


def _correlated(rows: int, columns: int) -> Dataset:
    """Numbers that hang on six things unseen, and two patterns of ranges; 3 % of the labels flipped."""
    rng = np.random.default_rng(columns)
    unseen, share = rng.normal(size=(rows, 6)), rng.normal(size=(6, columns))
    mixed = unseen @ share + 0.6 * np.linalg.norm(share, axis=0) * rng.normal(size=(rows, columns))
    X = pd.DataFrame((mixed / mixed.std(axis=0)).round(3), columns=[f"x{j}" for j in range(columns)])
    rules = RuleSet.parse(
        "-0.9 <= x1 <= 1.1 AND x4 > -0.5 AND x8 < 0.9 AND x20 > -1.2 "
        "OR x2 > 0.7 AND -1 <= x11 <= 0.6 -> y = 1 ELSE 0"
    )
    y = rules.covers(X).any(axis=1) ^ (rng.random(rows) < 0.03)
    labels = pd.Series(y.astype("int64"), name="y")
    return Dataset(
        "correlated", X, labels, "Two patterns of ranges among numbers that go together.", rules=rules
    )


def _four(rows: int, columns: int) -> Dataset:
    """Numbers, and four patterns of one to three bounds; 5 % of the labels flipped."""
    rng = np.random.default_rng(4)
    X = pd.DataFrame({f"x{j}": rng.normal(size=rows).round(3) for j in range(columns)})
    rules = RuleSet.parse(
        "x0 > 1.5 OR x3 > 0.8 AND x7 < -0.5 OR x11 < -0.9 AND x15 > 0.4 "
        "OR x19 > 0.2 AND x22 < 0.3 AND x27 > 0.6 -> y = 1 ELSE 0"
    )
    y = rules.covers(X).any(axis=1) ^ (rng.random(rows) < 0.05)
    labels = pd.Series(y.astype("int64"), name="y")
    return Dataset("four", X, labels, "Four patterns of one to three bounds among numbers.", rules=rules)


def _scikit(name: str) -> Dataset:
    """A set of scikit-learn's, with one class against the others."""
    import sklearn.datasets

    loader, positive = (SCIKIT | BENIGN)[name]
    data = getattr(sklearn.datasets, loader)(as_frame=True)
    y = (data.target == positive).astype("int64")
    return Dataset(name, data.data.astype(float), y, f"Class {positive} of scikit-learn's {loader}.")


def table_of(name: str) -> Table:
    """A data set as a table to learn from."""
    data = load(name)
    return Table.from_any(data.X, data.y)


def longest_pattern(name: str) -> int:
    """The most literals in a pattern that the studies ask for on a set."""
    return 4 if name in CATEGORICAL else 3


def available(names: Sequence[str]) -> list[str]:
    """Those of some sets that are at hand; a sentence on standard error for each of the others."""
    folder = os.environ.get("OOA_DATA")
    found = []
    for name in names:
        generated = name.startswith(
            ("planted-", "wide-", "correlated-", "four-", "survey-", "mixed-", "rare-", "endgame-")
        )
        made = name in GENERATED or name in SCIKIT | BENIGN or generated
        if made or (folder and (Path(folder) / f"{name}.csv").is_file()):
            found.append(name)
            continue
        place = f"the folder {folder} has no {name}.csv" if folder else "OOA_DATA is not set"
        print(f"{name}: left out, as {place} (set it to a folder with the UCI sets)", file=sys.stderr)
    return found


def monks_split() -> tuple[Dataset, Dataset]:
    """Monks-1 as it was published: 124 robots to learn from, and all 432, these among them, to test on."""
    folder = Path(os.environ.get("OOA_DATA", ""))
    path = folder / "monks1_train.csv"
    if not path.is_file():
        raise OptionError("the published training rows of monks-1 are read from monks1_train.csv in OOA_DATA")
    whole = load_dataset("monks1")
    frame = pd.read_csv(path, keep_default_na=False, dtype=str)
    X = frame[list(whole.X.columns)].astype("category")
    y = frame["target"].astype("int64").rename(whole.y.name)
    return Dataset("monks1-published", X, y, "The published 124 training robots."), whole
