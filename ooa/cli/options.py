"""Options that several commands have, and how their values are read."""

from __future__ import annotations

import argparse
import csv
from collections.abc import Callable
from typing import Any, get_args

from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, METHODS, OOASettings, OOAxSettings, Selection

__all__ = ["WAYS_TO_CUT", "data", "learning", "model", "model_and_data", "names", "setting"]

#: Those of `ooa.candidates.thresholds`, which is not imported for the sake of a quick --help.
WAYS_TO_CUT = ("auto", "distinct", "quantiles", "mdl", "tree", "round")


def model(parser: argparse.ArgumentParser) -> None:
    """What to use."""
    parser.add_argument("model", help="what `ooa fit --save` wrote, a rule set as JSON, or rules as text")


def model_and_data(parser: argparse.ArgumentParser) -> None:
    """What to use, and on what."""
    model(parser)
    parser.add_argument("data", help="a table: a file, - or dataset:NAME")
    parser.add_argument("--na", type=names, default=[], metavar="A,B", help="texts that mean missing")


def data(parser: argparse.ArgumentParser) -> None:
    """Where the data are, and what is what in them."""
    group = parser.add_argument_group("data")
    group.add_argument("data", help="a table: a file, - or dataset:NAME")
    add = group.add_argument
    add("--target", metavar="COLUMN", help="what to predict: a column with two different values")
    add("--positive", metavar="LABEL", help="the value to predict [true, the larger number or the last text]")
    add("--drop", type=names, default=[], metavar="A,B", help="columns to leave out, such as an id")
    add("--categorical", type=names, default=[], metavar="A,B", help="columns of numbers that are mere codes")
    add("--numeric", type=names, default=[], metavar="A,B", help="columns of true/false to take as 0 and 1")
    add("--weight", metavar="COLUMN", help="what each row counts for")
    add("--na", type=names, default=[], metavar="A,B", help="texts that mean missing, such as NA,?")


def learning(parser: argparse.ArgumentParser) -> None:
    """What is learned, and how long. The defaults are those of the settings."""
    group, usual = parser.add_argument_group("learning"), OOAxSettings
    add = group.add_argument
    add("--method", choices=[*METHODS], default="ooax", help="select mined patterns, or form them [ooax]")
    # As text, as if they had been typed: prices are the decimals they look like.
    setting(group, "--c1", str(usual.C1), "price of a condition, as a share of the rows", metavar="X")
    setting(group, "--c2", str(usual.C2), "price of a pattern, as a share of the rows", metavar="X")
    most = {"type": count, "metavar": "N"}
    setting(group, "--max-patterns", usual.max_patterns, "most patterns, or none for any number", **most)
    setting(group, "--max-length", usual.max_length, "most conditions in a pattern (ooax)", **most)
    words = (
        "least positive rows that a pattern covers, below 1 their share, or none for what the prices imply"
    )
    support = {"type": number_or_none, "metavar": "X"}
    setting(group, "--min-support", usual.min_support, f"{words} (ooax)", **support)
    words = "most patterns that a solver gets, the best ones; none: all; auto: 2000, then more (ooax)"
    some = {"type": count_or_auto, "metavar": "N"}
    setting(group, "--max-candidates", usual.max_candidates, words, **some)
    add(
        "--thresholds",
        choices=WAYS_TO_CUT,
        metavar="WAY",
        help="where numbers are cut: distinct (between any two values), quantiles, mdl or tree (where the "
        "label changes), round (numbers such as 20 or 0.5), auto (distinct or quantiles) "
        f"[ooax: {OOAxSettings.thresholds}, ooa: {OOASettings.thresholds}]",
    )
    add("--ranges", action="store_true", help="also conditions such as 20 <= age < 30 (ooax)")
    add("--negations", action="store_true", help="also conditions such as colour != red (ooax)")
    words = "also conditions on up to N values, such as colour in {red, blue} (ooax)"
    setting(group, "--sets", usual.sets, words, type=whole, metavar="N")
    words = "choose patterns by exact search, by a solver, or by one after the other (ooax)"
    setting(group, "--selection", usual.selection, words, choices=get_args(Selection))
    add("--constraint", action="append", default=[], metavar="NAME=...", help="what must hold; repeatable")
    limit = {"type": seconds, "metavar": "S"}
    words = "seconds for everything, or none; auto: a minute, less if nothing better is in sight"
    setting(group, "--time-limit", INTERACTIVE_TIME_LIMIT, words, **limit)
    words = "stop where objective and bound are so close, as a share of the objective"
    setting(group, "--gap", usual.relative_gap, words, type=number, metavar="X")
    setting(group, "--threads", usual.threads, "how many the solver may use", type=whole, metavar="N")
    setting(group, "--seed", usual.seed, "the solver's random seed", type=int, metavar="N")


def setting(group: Any, option: str, default: Any, words: str, **how: Any) -> None:
    """Add an option with a default, which the help ends with.

    Parameters
    ----------
    group : the parser, or a group of its options
    option, default : the option, and the default of the setting it is about
    words : what it is about
    **how : what `add_argument` takes besides
    """
    shown = "none" if default is None else f"{default:g}" if isinstance(default, float) else default
    group.add_argument(option, default=default, help=f"{words} [{shown}]", **how)


def names(text: str) -> list[str]:
    """Names separated by commas; one that contains a comma stands in double quotes."""
    return [name for name in next(csv.reader([text], skipinitialspace=True), []) if name]


def _read(kind: type, least: int, words: str, *others: str) -> Callable[[str], Any]:
    """A function that reads a number of at least so much, or one of these words; else it says what it is."""

    def read(text: str) -> Any:
        if text.lower() in others:
            return None if text.lower() == "none" else text.lower()
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not value >= least:
            raise argparse.ArgumentTypeError(f"{text!r} is {words}")
        return value

    return read


whole = _read(int, 1, "not a whole number of at least 1")
count = _read(int, 1, "neither a whole number of at least 1 nor none", "none")
count_or_auto = _read(int, 1, "neither a whole number of at least 1 nor none nor auto", "none", "auto")
number = _read(float, 0, "not a number of at least 0")
number_or_none = _read(float, 0, "neither a number of at least 0 nor none", "none")
seconds = _read(float, 0, "neither a number of seconds nor none nor auto", "none", "auto")
