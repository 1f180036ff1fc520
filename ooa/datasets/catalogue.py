"""The catalogue of data sets: what there is by which name."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ooa.checks import did_you_mean, listed_items, number_from, whole_number
from ooa.errors import OptionError
from ooa.rules.literal import Equal, NotEqual
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .synthetic import planted_table, survey_answers
from .uci import read_uci
from .uci_sets import UCI_SETS

__all__ = ["Dataset", "apnea_survey", "list_datasets", "load_dataset", "monks", "planted_dnf", "tic_tac_toe"]


@dataclass(frozen=True, eq=False)
class Dataset:
    """A table with two classes.

    Attributes
    ----------
    name : str
    X : pandas.DataFrame
        Numeric columns are float64, categorical ones category or bool.
    y : pandas.Series
        1 for a positive row, 0 for a negative one; its name says what positive means.
    positive : int
        The positive label, 1.
    description : str
    rules : RuleSet or None
        The rule set that generated the labels, where there is one.
    """

    name: str
    X: pd.DataFrame = field(repr=False)
    y: pd.Series[int] = field(repr=False)
    description: str
    positive: int = 1
    rules: RuleSet | None = field(default=None, repr=False)


def _labels(truth: ArrayLike, name: str) -> pd.Series[int]:
    return pd.Series(np.asarray(truth, dtype=bool), name=name).astype("int64")


def load_dataset(name: str) -> Dataset:
    """Return a data set by its name; `list_datasets` shows them all.

    Parameters
    ----------
    name : str
        Case does not matter, nor does ``-`` against ``_``.

    Returns
    -------
    Dataset

    Raises
    ------
    OptionError
        If there is no set of that name.
    DataError
        If a UCI set is neither in the folder nor to be downloaded, or its counts are not the documented ones.

    Examples
    --------
    >>> load_dataset("monks1").X.shape
    (432, 6)
    """
    wanted = str(name).lower().replace("_", "-")
    for generated, make in _GENERATED.items():
        if generated == wanted:
            return make()
    for spec in UCI_SETS:
        if spec.name.replace("_", "-") == wanted:
            X, y = read_uci(spec)
            return Dataset(spec.name, X, y, spec.description)
    names = [*_GENERATED, *(spec.name for spec in UCI_SETS)]
    raise OptionError(f"There is no data set of the name {name!r:.200}; {did_you_mean(wanted, names)}")


def list_datasets() -> pd.DataFrame:
    """Return one row per data set: its size, its kinds of columns, and where it comes from.

    Examples
    --------
    >>> list_datasets().loc["heart", ["rows", "numeric", "categorical", "positives"]].tolist()
    [270, 6, 7, 120]
    """
    rows: list[dict[str, object]] = []
    for name, make in _GENERATED.items():
        data = make()
        rows.append(
            {
                "name": name,
                "rows": len(data.X),
                "numeric": 0,
                "categorical": data.X.shape[1],
                "positives": int(data.y.sum()),
                "source": "synthetic" if name == "apnea-survey" else "enumerated",
                "description": data.description,
            }
        )
    rows.extend(
        {
            "name": spec.name,
            "rows": spec.rows,
            "numeric": len(spec.numeric),
            "categorical": len(spec.columns) - len(spec.numeric),
            "positives": spec.positives,
            "source": f"UCI (OpenML {spec.openml_id})",
            "description": spec.description,
        }
        for spec in UCI_SETS
    )
    return pd.DataFrame(rows).set_index("name")


#: The most rows, attributes or patterns to make.
_MOST = 100_000_000
_SQUARES = tuple(
    f"{row}_{column}" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")
)
_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tic_tac_toe() -> Dataset:
    """Return all 958 boards on which a legal game of tic-tac-toe can end, x moving first; positive if x wins.

    Examples
    --------
    >>> data = tic_tac_toe()
    >>> len(data.X), int(data.y.sum()), len(data.rules)
    (958, 626, 8)
    """
    boards = sorted(_final_boards(), reverse=True)
    X = pd.DataFrame([list(board) for board in boards], columns=list(_SQUARES), dtype="category")
    y = _labels([_wins(board, "x") for board in boards], "x_wins")
    lines = [Pattern([Equal(_SQUARES[square], "x") for square in line]) for line in _LINES]
    description = "All final boards of tic-tac-toe with x moving first; x, o or b (blank) in nine squares."
    return Dataset("tic-tac-toe", X, y, description, rules=RuleSet(lines, target="x_wins"))


def _wins(board: str, player: str) -> bool:
    return any(all(board[square] == player for square in line) for line in _LINES)


def _final_boards() -> set[str]:
    """Play all games at once, move by move, and collect the boards on which nobody can go on."""
    final: set[str] = set()
    open_boards = {"b" * 9}
    for move in range(9):
        player = "xo"[move % 2]
        boards = {
            board[:square] + player + board[square + 1 :]
            for board in open_boards
            for square in range(9)
            if board[square] == "b"
        }
        final |= {board for board in boards if _wins(board, player)}
        open_boards = boards - final
    return final | open_boards


_ROBOT = {
    "head_shape": ("round", "square", "octagon"),
    "body_shape": ("round", "square", "octagon"),
    "is_smiling": ("yes", "no"),
    "holding": ("sword", "balloon", "flag"),
    "jacket_color": ("red", "yellow", "green", "blue"),
    "has_tie": ("yes", "no"),
}


def monks(problem: int) -> Dataset:
    """Return the full grid of 432 robots with the labels of a MONK's problem (the third without noise).

    Parameters
    ----------
    problem : {1, 2, 3}
        1: head_shape = body_shape or jacket_color = red. 2: exactly two attributes have their first value.
        3: a green jacket and a sword, or neither a blue jacket nor an octagonal body.

    Returns
    -------
    Dataset
        With the true rule set in ``rules``.

    Examples
    --------
    >>> [int(monks(problem).y.sum()) for problem in (1, 2, 3)]
    [216, 142, 228]
    """
    if not isinstance(problem, int):
        raise OptionError(f"problem is {problem!r:.200}: it must be 1, 2 or 3.")
    if problem == 1:
        same = [Pattern([Equal("head_shape", v), Equal("body_shape", v)]) for v in _ROBOT["head_shape"]]
        patterns = [*same, Pattern([Equal("jacket_color", "red")])]
    elif problem == 2:
        patterns = [
            Pattern([(Equal if a in pair else NotEqual)(a, values[0]) for a, values in _ROBOT.items()])
            for pair in itertools.combinations(_ROBOT, 2)
        ]
    elif problem == 3:
        patterns = [
            Pattern([Equal("jacket_color", "green"), Equal("holding", "sword")]),
            Pattern([NotEqual("jacket_color", "blue"), NotEqual("body_shape", "octagon")]),
        ]
    else:
        raise OptionError(f"problem is {problem!r}: it must be 1, 2 or 3.")
    rules = RuleSet(patterns, target="monk")
    X = pd.DataFrame(list(itertools.product(*_ROBOT.values())), columns=list(_ROBOT), dtype="category")
    y = _labels(rules.covers(X).any(axis=1), "monk")
    description = f"All 432 robots of MONK's problem {problem}; the label follows a rule exactly."
    return Dataset(f"monks{problem}", X, y, description, rules=rules)


def apnea_survey(n: int = 1922, seed: int = 0) -> Dataset:
    """Return a SYNTHETIC survey shaped like the paper's sleep-apnea study, whose data are not public.

    Each of the 112 columns is a yes/no answer. Age, body-mass index, snoring and hypertension carry the
    signal: the four-pattern rule of the paper is right for about 80 % of the patients, no rule for much more.

    Parameters
    ----------
    n : int, default 1922
        Patients.
    seed : int, default 0

    Examples
    --------
    >>> data = apnea_survey(200)
    >>> data.X.shape
    (200, 112)
    """
    n, seed = _size(n, "n"), whole_number(seed, "seed", least=0)
    X, sick = survey_answers(n, np.random.default_rng(seed))
    snoring = [
        Pattern([Equal("age_30_or_more", True), Equal(f"{where}_snoring", True)])
        for where in ("symptom", "reason")
    ]
    hypertension = Pattern([Equal("age_30_or_more", True), Equal("has_hypertension", True)])
    rules = RuleSet([*snoring, hypertension, Pattern([Equal("bmi_25_or_more", True)])], target="sleep_apnea")
    description = (
        "SYNTHETIC: random answers shaped like the paper's sleep-apnea survey; they say nothing of medicine."
    )
    return Dataset("apnea-survey", X, _labels(sick, "sleep_apnea"), description, rules=rules)


def planted_dnf(
    n: int = 500,
    n_attributes: int = 10,
    n_patterns: int = 3,
    length: int = 2,
    *,
    noise: float = 0.0,
    kinds: Sequence[str] = ("binary", "categorical", "numeric"),
    seed: int = 0,
) -> Dataset:
    """Return a random table labelled by a random rule set, which comes along in ``rules``.

    Every planted pattern covers a row that no other covers, and each class has at least 2 % of the rows.

    Parameters
    ----------
    n, n_attributes, n_patterns, length : int
        Rows, attributes, patterns, and literals in each pattern.
    noise : float, default 0
        The share of rows whose label is then flipped. Without noise the planted rule set makes no error.
    kinds : sequence of {"binary", "categorical", "numeric"}
        Kinds of the attributes x0, x1, ..., repeated as needed.
    seed : int, default 0

    Examples
    --------
    >>> data = planted_dnf(200, noise=0.05)
    >>> int((data.rules.predict(data.X) != data.y).sum())
    10
    """
    n, n_attributes = _size(n, "n"), _size(n_attributes, "n_attributes")
    n_patterns, length = _size(n_patterns, "n_patterns"), whole_number(length, "length")
    noise, seed = number_from(noise, "noise"), whole_number(seed, "seed", least=0)
    kinds = listed_items(kinds, "kinds", str, "kinds of attributes")
    if not 1 <= length <= n_attributes:
        raise OptionError(f"length is {length}: it must lie between 1 and n_attributes, {n_attributes}.")
    if not 0 <= noise < 0.5:
        raise OptionError(f"noise is {noise}: it must be at least 0 and below 0.5.")
    if not kinds:
        raise OptionError("kinds is empty: at least one is needed.")
    rng = np.random.default_rng(seed)
    X, rules = planted_table(n, n_attributes, n_patterns, length, kinds, rng)
    labels = np.asarray(rules.covers(X).any(axis=1))
    labels[rng.choice(n, round(noise * n), replace=False)] ^= True
    description = (
        f"Random rows labelled by {n_patterns} planted patterns of length {length}, {noise:.0%} flipped."
    )
    return Dataset("planted-dnf", X, _labels(labels, "planted"), description, rules=rules)


_GENERATED: dict[str, Callable[[], Dataset]] = {
    "tic-tac-toe": tic_tac_toe,
    "monks1": lambda: monks(1),
    "monks2": lambda: monks(2),
    "monks3": lambda: monks(3),
    "apnea-survey": apnea_survey,
}


def _size(value: object, name: str) -> int:
    """How many of something to make, if that can be kept."""
    size = whole_number(value, name)
    if size > _MOST:
        raise OptionError(f"{name} must be at most {_MOST:,}, not {value!r:.200}")
    return size
