"""Options that several commands have, and how their values are read."""

from __future__ import annotations

import argparse
import codecs
import csv
import re
from collections.abc import Callable
from datetime import datetime
from fractions import Fraction
from typing import Any, get_args

from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, METHODS, OOASettings, OOAxSettings, Selection

from .repeated import Each, Together

__all__ = [
    "MOST_UNPACKED",
    "WAYS_TO_CUT",
    "count",
    "data",
    "learning",
    "model",
    "model_and_data",
    "names",
    "price",
    "row",
    "setting",
    "tables",
    "testing",
]

#: The most that a compressed file may unpack to, in MB, unless more is allowed for.
MOST_UNPACKED = 2_000
#: Those of `ooa.candidates.thresholds`, which is not imported for the sake of a quick --help.
WAYS_TO_CUT = ("auto", "distinct", "quantiles", "mdl", "tree", "round")


def model(parser: argparse.ArgumentParser, name: str = "model") -> None:
    """What to use."""
    parser.add_argument(name, help="what `ooa fit --save` wrote, a rule set as JSON, or rules as text")


def model_and_data(parser: argparse.ArgumentParser, *models: str) -> None:
    """What to use, and on what."""
    for name in models or ("model",):
        model(parser, name)
    parser.add_argument("data", help="a table: a file, - or dataset:NAME")
    reading(
        parser.add_argument_group("reading", "What was said when the model was learned need not be said.")
    )


def reading(group: Any) -> None:
    """How a table is written."""
    add = group.add_argument
    _several(group, "--na", "texts that mean missing, such as NA,?")
    add("--decimal", choices=[".", ","], help="the decimal mark of numbers [.]")
    words = "of dates other than 2024-05-31: day-first (31.5.2024), month-first (5/31/2024) or as %%d.%%m.%%y"
    add("--dates", type=dates, metavar="HOW", help=words)
    add(
        "--sep",
        type=separator,
        metavar="C",
        help="what separates cells, such as ; or tab [the head line tells]",
    )
    add("--strip", action="store_true", help="blanks at the ends of texts do not count: 'yes ' is 'yes'")
    add("--encoding", type=encoding, metavar="NAME", help="of the text, such as cp1252 or latin-1 [utf-8]")
    words = f"the most that a compressed file may unpack to [{MOST_UNPACKED}]"
    add("--max-unpacked", type=whole, default=MOST_UNPACKED, metavar="MB", help=words)


def _several(group: Any, name: str, words: str) -> None:
    """An option for several names, all in one place or in several."""
    group.add_argument(name, type=names, action="extend", default=[], metavar="A,B", help=words)


def data(parser: argparse.ArgumentParser) -> None:
    """Where the data are, and what is what in them."""
    group = parser.add_argument_group("data")
    group.add_argument("data", help="a table: a file, - or dataset:NAME")
    add = group.add_argument
    add("--target", metavar="COLUMN", help="what to predict: a column with two different values")
    add("--positive", metavar="LABEL", help="the value to predict [true, the larger number or the last text]")
    _several(group, "--drop", "columns to leave out, such as an id")
    _several(group, "--categorical", "columns of numbers that are mere codes")
    _several(group, "--numeric", "columns of true/false to take as 0 and 1")
    words = (
        "a column of text whose values have an order, least first: conditions such as grade >= B; repeatable"
    )
    add("--ordered", type=ordered, action=Each, default=[], metavar="COLUMN=A,B,C", help=words)
    add("--weight", metavar="COLUMN", help="what each row counts for")
    words = "what the rows of a label count for: balanced, so that both labels weigh the same, or yes=5,no=1"
    add("--class-weight", type=class_weight, action=Together, metavar="HOW", help=words)
    words = (
        "missing values: false (no condition holds for them), category ('is missing' is a condition on text "
        "columns; or only on the columns A,B), literal (it is one on every column) [false]"
    )
    add("--missing", type=names, default=[], metavar="WAY", help=words)
    reading(group)


def tables(group: Any, *, merging: bool = False) -> None:
    """Files that are not read into memory."""
    words = "DuckDB reads the file, which need not fit into memory; as it does a folder, or a name with *"
    group.add_argument("--table", action="store_true", help=words)
    if not merging:
        return
    words = "of a --table: the most distinct rows, over the conditions, that may come back [1000000]"
    group.add_argument("--max-distinct", type=whole, default=1_000_000, metavar="N", help=words)
    words = "of a --table, if there are more: coarser cuts, a sample of the rows, or an error [coarser]"
    ways = ("coarser", "sample", "error")
    group.add_argument("--when-more", choices=ways, default="coarser", help=words)


def testing(parser: argparse.ArgumentParser) -> None:
    """What to try the rules on."""
    group = parser.add_argument_group("trying the rules on other rows").add_mutually_exclusive_group()
    group.add_argument("--test", metavar="FILE", help="a table that is not learned from")
    words = "this share of the rows is not learned from; drawn at random from each label, by --seed"
    group.add_argument("--test-share", type=share, metavar="X", help=words)


def learning(parser: argparse.ArgumentParser, *, path: bool = False) -> None:
    """What is learned, and how long, at one price or along a path. The defaults are those of the settings."""
    group, usual = parser.add_argument_group("learning"), OOAxSettings
    add = group.add_argument
    add("--method", choices=[*METHODS], default="ooax", help="select mined patterns, or form them [ooax]")
    # As text, as if they had been typed: prices are the decimals they look like.
    if path:
        words = "prices of a condition and of a pattern alike, as shares of the rows"
        words += f" [all that matter, down to {usual.C1}]"
        add("--prices", type=prices, metavar="X,Y", help=words)
    else:
        cost = {"type": price, "metavar": "X"}
        setting(group, "--c1", str(usual.C1), "price of a condition, as a share of the rows", **cost)
        setting(group, "--c2", str(usual.C2), "price of a pattern, as a share of the rows", **cost)
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
    words = "most patterns held in memory, the best ones (ooax)"
    setting(group, "--max-mined", usual.max_mined, words, type=whole, metavar="N")
    add(
        "--thresholds",
        choices=WAYS_TO_CUT,
        metavar="WAY",
        help="where numbers are cut: distinct (between any two values), quantiles, mdl or tree (where the "
        "label changes), round (numbers such as 20 or 0.5), auto (distinct if values are few, else mdl and "
        "quantiles) "
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
    words = "of the solver and of the exact search [one, and one per processor: it changes no answer]"
    add("--threads", default=usual.threads, type=whole, metavar="N", help=words)
    words = "let threads share what they find at once: among several best rule sets it may be any"
    add("--free-threads", dest="deterministic", action="store_false", help=words)
    words = "for conditions, patterns and the search among them, beside the table [half of what is free]"
    add("--max-memory", default=usual.max_memory, type=whole, metavar="MB", help=words)
    setting(group, "--seed", usual.seed, "the solver's random seed", type=int, metavar="N")
    words = "have what the solver claims confirmed by another one before it counts as proved [only cbc's]"
    add("--confirm", action="store_true", default=usual.confirm, help=words)


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
    try:
        return [name for name in next(csv.reader([text], skipinitialspace=True), []) if name]
    except csv.Error:
        raise argparse.ArgumentTypeError(f"{text!r} is not names on one line, separated by commas") from None


def price(text: str) -> str:
    """A price, kept as it was typed: it is the decimal it looks like."""
    try:
        good = Fraction(text) >= 0
    except (ValueError, ZeroDivisionError):
        good = False
    if not good:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of at least 0")
    return text


def prices(text: str) -> list[str]:
    """Prices separated by commas; 0,01 is rather one price with a decimal comma."""
    if re.fullmatch(r"0,0*[1-9]\d*", text) and text.partition(",")[2].startswith("0"):
        meant = text.replace(",", ".")
        raise argparse.ArgumentTypeError(f"{text!r} would be two prices: for one, write {meant}")
    return [price(one) for one in names(text)]


def share(text: str) -> float:
    """A share of the rows: some, but not all."""
    value = number(text)
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not between 0 and 1")
    return float(value)


def separator(text: str) -> str:
    """One character; a tab has a name."""
    found = {"tab": "\t", "\\t": "\t"}.get(text.lower(), text)
    if len(found) != 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not one character, nor tab")
    return found


def encoding(text: str) -> str:
    """An encoding that Python knows."""
    try:
        return codecs.lookup(text).name
    except LookupError:
        words = "is no encoding that is known; common ones are utf-8, cp1252, latin-1 and utf-16"
        raise argparse.ArgumentTypeError(f"{text!r} {words}") from None


def dates(text: str) -> str:
    """How dates are written: an order that has a name, or a format."""
    if text in ("day-first", "month-first"):
        return text
    try:
        day = datetime.strptime(datetime(2024, 5, 31).strftime(text), text)
    except ValueError:
        day = None
    if day is None or "%" not in text:
        words = "is neither day-first, month-first nor a format such as %d.%m.%Y"
        raise argparse.ArgumentTypeError(f"{text!r} {words}")
    return text


def ordered(text: str) -> tuple[str, list[str]]:
    """A column and its levels, the least first."""
    column, equals, levels = text.partition("=")
    listed = names(levels)
    if not equals or len(listed) < 2 or len(set(listed)) < len(listed):
        raise argparse.ArgumentTypeError(f"{text!r} is not like grade=low,medium,high")
    return column.strip(), listed


def class_weight(text: str) -> str | dict[str, float]:
    """Weights by label, or that they are to be balanced."""
    if text == "balanced":
        return text
    pairs = [one.rpartition("=") for one in names(text)]
    if not pairs or any(not equals for _, equals, _ in pairs):
        raise argparse.ArgumentTypeError(f"{text!r} is neither balanced nor like yes=5,no=1")
    found = {label.strip(): number(weight) for label, _, weight in pairs}
    if len(found) < len(pairs):
        raise argparse.ArgumentTypeError(f"{text!r} says the weight of a label twice")
    return found


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
row = _read(int, 0, "not the number of a row, of which the first is 0; for several, repeat the option")
number = _read(float, 0, "not a number of at least 0")
number_or_none = _read(float, 0, "neither a number of at least 0 nor none", "none")
seconds = _read(float, 0, "neither a number of seconds nor none nor auto", "none", "auto")
