"""`ooa demo`: data, rules, certificate, an explanation and how to go on, in seconds and offline."""

from __future__ import annotations

import argparse

import pandas as pd

from ooa.data.table import Table
from ooa.datasets.catalogue import tic_tac_toe
from ooa.learning.ooax import learn_ooax
from ooa.solving.registry import available_backends

from .modelfile import model_dict
from .output import bold, say, say_json
from .scoring import pattern_counts, pattern_table
from .wording import Typed

__all__ = ["run"]

_NEXT = """\
ooa fit dataset:monks1 --save model.json        learn, and keep the model
ooa explain model.json dataset:monks1 --row 5   why is row 5 predicted as it is?
ooa export model.json --to python               the rules as a function; also sql, latex, pmml, ...
ooa fit your.csv --target your_column           your own table
ooa bench dataset:monks1                        the same model on every solver that is installed
ooa --help                                      everything else"""


def run(arguments: argparse.Namespace) -> int:
    """Run the demonstration."""
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y, positive=data.positive)
    if not arguments.json:
        say(bold("The data"))
        say(f"All {len(data.y)} boards on which a game of tic-tac-toe can end. Has x won? Row 0 is")
        say(_board(data.X.iloc[0]))
    learned = learn_ooax(table, C1="0.001", C2="0.001", max_patterns=None)
    counts = pattern_counts(learned.rules, table, table.y)
    if arguments.json:
        say_json(model_dict(learned.rules, learned.certificate, patterns=counts))
        return 0
    _headline("The rules, learned from the boards alone")
    say(learned.rules)
    say(f"\n{pattern_table(counts)}")
    _headline("What is proved about them")
    say(learned.certificate.text(Typed()))
    steps = ", ".join(f"{n:,} {stage}" for stage, n in learned.certificate.counts.items())
    say(f"the patterns on the way: {steps}")
    _headline("Why is row 0 predicted as it is?")
    say(learned.rules.explain(data.X.iloc[[0]]))
    _headline("How to go on")
    say(_NEXT)
    installed = [f"{name} {found.version}" for name, found in available_backends().items() if found.ok]
    say(f"\nsolvers here: {', '.join(installed)}")
    return 0


def _headline(text: str) -> None:
    say(f"\n{bold(text)}")


def _board(row: pd.Series[str]) -> str:
    """A board as it is drawn."""
    cells = ["." if cell == "b" else str(cell) for cell in row]
    return "\n".join("    " + " ".join(cells[i : i + 3]) for i in (0, 3, 6))
