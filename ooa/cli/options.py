"""Options that several commands have, and how their values are read."""

from __future__ import annotations

import argparse
import csv

__all__ = ["WAYS_TO_CUT", "data", "learning", "model", "model_and_data", "names"]

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
    """What is learned, and how long."""
    add = parser.add_argument_group("learning").add_argument
    add(
        "--method", choices=["ooax", "ooa"], default="ooax", help="select mined patterns, or form them [ooax]"
    )
    add("--c1", default="0.002", metavar="X", help="price of a condition, as a share of the rows [0.002]")
    add("--c2", default="0.002", metavar="X", help="price of a pattern, as a share of the rows [0.002]")
    add(
        "--max-patterns",
        type=count,
        default=5,
        metavar="N",
        help="most patterns, or none for any number [5]",
    )
    add("--max-length", type=count, default=3, metavar="N", help="most conditions in a pattern (ooax) [3]")
    add(
        "--thresholds",
        choices=WAYS_TO_CUT,
        metavar="WAY",
        help="where numbers are cut: distinct (between any two values), quantiles, mdl or tree (where the "
        "label changes), round (numbers such as 20 or 0.5), auto (distinct or quantiles) [ooax: auto, ooa: "
        "distinct]",
    )
    add("--ranges", action="store_true", help="also conditions such as 20 <= age < 30 (ooax)")
    add("--negations", action="store_true", help="also conditions such as colour != red (ooax)")
    add(
        "--selection",
        choices=["auto", "search", "ilp"],
        default="auto",
        help="choose patterns by exact search, by a solver, or by one after the other (ooax) [auto]",
    )
    add("--constraint", action="append", default=[], metavar="NAME=...", help="what must hold; repeatable")
    add("--time-limit", type=seconds, default=60.0, metavar="S", help="seconds for everything, or none [60]")
    add("--seed", type=int, default=0, metavar="N", help="the solver's random seed [0]")


def names(text: str) -> list[str]:
    """Names separated by commas; one that contains a comma stands in double quotes."""
    return [name for name in next(csv.reader([text], skipinitialspace=True), []) if name]


def count(text: str) -> int | None:
    if text.lower() == "none":
        return None
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a whole number of at least 1 nor none")
    return value


def seconds(text: str) -> float | None:
    if text.lower() == "none":
        return None
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number of seconds nor none")
    return value
