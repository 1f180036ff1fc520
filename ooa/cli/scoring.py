"""How good a rule set is on labelled rows: counts of rows first, weights beside them and called so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import few_of
from ooa.data.amounts import amount, percent
from ooa.data.columns import Category
from ooa.data.frames import open_frame
from ooa.errors import DataError
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import name_text, pattern_text, rules_text, value_text

from .modelfile import is_against_rest
from .output import finite, say, text_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "actual_labels",
    "confusion_on",
    "confusion_or_why_not",
    "figures",
    "figures_table",
    "labelled",
    "matrix_table",
    "pattern_counts",
    "pattern_table",
    "plain_labels",
    "rate_text",
    "say_rule_sets",
]


def actual_labels(rules: RuleSet, frame: pd.DataFrame) -> NDArray[np.float64]:
    """Per row 1 if its label is the positive one, 0 if it is the negative one, NaN if it is missing.

    Raises
    ------
    DataError
        If there is no column of labels, or it holds other labels than the rules know.
    """
    if rules.target not in frame.columns:
        raise DataError(f"there is no column {rules.target!r} with labels to compare with")
    labels = open_frame(frame).column(rules.target, kind="categorical")
    present = [labels.categories[code] for code in np.unique(labels.values[~labels.missing])]
    known = {str(rules.positive), str(rules.negative)}
    others = [label for label in present if str(label) not in known]
    if others and not is_against_rest(rules):
        raise DataError(
            f"column {rules.target!r} holds {few_of(map(repr, others), most=3)}, and the rules know "
            f"{rules.positive!r} and {rules.negative!r} only"
        )
    positive = [float(str(label) == str(rules.positive)) for label in labels.categories]
    return np.asarray(np.array([*positive, np.nan])[labels.values])


def labelled(rules: RuleSet, frame: pd.DataFrame) -> tuple[pd.DataFrame, NDArray[np.bool_]]:
    """The rows that have a label, and whether it is the positive one."""
    actual = actual_labels(rules, frame)
    known = ~np.isnan(actual)
    if not known.any():
        raise DataError(f"no row has a label in column {rules.target!r}")
    return frame[known], actual[known] == 1


def confusion_on(rules: RuleSet, frame: pd.DataFrame) -> Confusion:
    """What the rules say of labelled rows against what these are; rows without a label do not count."""
    rows, positive = labelled(rules, frame)
    return Confusion.of(np.asarray(rules.covers(rows).any(axis=1)), positive)


def confusion_or_why_not(rules: RuleSet, frame: pd.DataFrame) -> tuple[Confusion | None, str]:
    """The same where labels can be compared with; else why not, or nothing if there are none."""
    if rules.target not in frame.columns:
        return None, ""
    try:
        return confusion_on(rules, frame), ""
    except DataError as error:
        return None, str(error)


def plain_labels(rules: RuleSet, frame: pd.DataFrame) -> list[Category | None]:
    """The labels as they are written, None where one is missing; nothing if there are none."""
    if rules.target not in frame.columns:
        return []
    labels = open_frame(frame).column(rules.target, kind="categorical")
    return [None if code < 0 else labels.categories[code] for code in labels.values.tolist()]


def figures(counted: Confusion) -> dict[str, Any]:
    """The same for machines."""
    return {
        "rows": counted.total,
        "positives": counted.positives,
        "found": counted.found,
        "missed": counted.missed,
        "alarms": counted.alarms,
        "spared": counted.spared,
        "errors": counted.errors,
        "accuracy": counted.accuracy,
        "sensitivity": counted.sensitivity,
        "specificity": counted.specificity,
        "ppv": counted.ppv,
        "npv": counted.npv,
    }


def matrix_table(counted: Confusion, rules: RuleSet) -> str:
    """What rows are against what is said of them, for people.

    Examples
    --------
    >>> print(matrix_table(Confusion(8, 2, 3, 87), RuleSet([], "ill", "yes", "no")))
               predicted yes  predicted no
    ill = yes              8             2
    ill = no               3            87
    """
    yes, no = value_text(rules.positive), value_text(rules.negative)
    target = name_text(rules.target)
    rows = [
        [f"{target} = {yes}", amount(counted.found), amount(counted.missed)],
        [f"{target} = {no}", amount(counted.alarms), amount(counted.spared)],
    ]
    return text_table(["", f"predicted {yes}", f"predicted {no}"], rows)


def figures_table(counted: Mapping[str, Confusion]) -> str:
    """Rates with the counts behind them, a column for each set of rows.

    Examples
    --------
    >>> print(figures_table({"training": Confusion(8, 2, 3, 87), "test": Confusion(3, 2, 1, 44)}))
                           training               test
    errors         5 of 100 = 5.0 %    3 of 50 = 6.0 %
    accuracy     95 of 100 = 95.0 %  47 of 50 = 94.0 %
    sensitivity    8 of 10 = 80.0 %    3 of 5 = 60.0 %
    specificity   87 of 90 = 96.7 %  44 of 45 = 97.8 %
    PPV            8 of 11 = 72.7 %    3 of 4 = 75.0 %
    NPV           87 of 89 = 97.8 %  44 of 46 = 95.7 %
    """
    rates: dict[str, Callable[[Confusion], tuple[float, float]]] = {
        "errors": lambda one: (one.errors, one.total),
        "accuracy": lambda one: (one.total - one.errors, one.total),
        "sensitivity": lambda one: (one.found, one.positives),
        "specificity": lambda one: (one.spared, one.negatives),
        "PPV": lambda one: (one.found, one.flagged),
        "NPV": lambda one: (one.spared, one.missed + one.spared),
    }
    rows = [[name, *(_share(*rate(one)) for one in counted.values())] for name, rate in rates.items()]
    text = text_table(["", *counted], rows)
    return text if any(counted) else text.partition("\n")[2]  # no head where nothing has a name


def _share(part: float, whole: float) -> str:
    return f"{amount(part)} of {amount(whole)} = {percent(part, whole)}"


def pattern_counts(
    rules: RuleSet,
    X: object,
    positive: NDArray[np.bool_],
    weight: NDArray[np.float64] | None = None,
    copies: NDArray[np.int64] | None = None,
) -> list[dict[str, Any]]:
    """What each pattern does on labelled rows, or merged ones; where rows are weighted, also by weight."""
    if not len(rules):
        return []
    labels = [rules.positive if one else rules.negative for one in positive]
    if copies is not None:
        each = rules.statistics(X, labels, copies.astype(np.float64)).to_dict(orient="records")
        plain = [
            {"text": pattern_text(pattern)} | _counts(row, "weighted_") for pattern, row in zip(rules, each)
        ]
        if weight is None or (weight == copies).all():
            return plain
        heavy = rules.statistics(X, labels, weight).to_dict(orient="records")
        return [one | {"weighted": _counts(row, "weighted_")} for one, row in zip(plain, heavy)]
    weighted = weight is not None and bool((weight != 1).any())
    found = rules.statistics(X, labels, weight if weighted else None)
    return [
        {"text": pattern_text(pattern)}
        | _counts(row)
        | ({"weighted": _counts(row, "weighted_")} if weighted else {})
        for pattern, row in zip(rules, found.to_dict(orient="records"))
    ]


def _counts(row: Mapping[Any, Any], which: str = "") -> dict[str, Any]:
    return {
        "rows": row[f"{which}support"],
        "positives": row[f"{which}positives"],
        "ppv": finite(row[f"{which}precision"]),
        "sensitivity": finite(row[f"{which}recall"]),
        "only": row[f"{which}marginal_coverage"],
    }


def pattern_table(counts: list[dict[str, Any]]) -> str:
    """The same for people; the patterns are numbered as they stand in the rule set."""
    head = ["pattern", "rows", "positive", "PPV", "sensitivity", "only this"]
    if any("weighted" in one for one in counts):
        head += ["weight", "weighted PPV"]
    return text_table(head, [[str(k), *_cells(one)] for k, one in enumerate(counts, 1)])


def _cells(one: Mapping[str, Any]) -> list[str]:
    cells = [
        amount(one["rows"]),
        amount(one["positives"]),
        rate_text(one["ppv"]),
        rate_text(one["sensitivity"]),
        amount(one["only"]),
    ]
    if "weighted" in one:
        cells += [amount(one["weighted"]["rows"]), rate_text(one["weighted"]["ppv"])]
    return cells


def rate_text(share: float | None) -> str:
    """A share for people."""
    return "-" if share is None else percent(share, 1)


def price_text(row: Mapping[Any, Any]) -> str:
    """A price for people: one number, or that of a condition and that of a pattern."""
    return f"{row['C1']:g}" if row["C1"] == row["C2"] else f"{row['C1']:g}, {row['C2']:g}"


def say_rule_sets(head: list[str], rows: list[list[str]], numbers: Mapping[RuleSet, int], hint: str) -> None:
    """Print a table about rule sets, then these by the numbers they have in it, and what to do with them."""
    say(text_table(head, rows, left=(0, len(head) - 1), again=head.index("rules") + 1))
    say()
    for rules, number in numbers.items():
        say(f"{number}. {rules_text(rules, compact=True)}")
    say(f"\n{hint}")
