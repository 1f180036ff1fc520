"""What can be typed: the commands, and what `ooa --help` says. Nothing heavy is imported here."""

from __future__ import annotations

import argparse
from functools import cache

from ooa.version import __version__

from .commands import CommandParser
from .learning_commands import add_learning_commands
from .using_commands import add_listings, add_using_commands

__all__ = ["build_parser"]

_ABOUT = """\
Learn small Or's of And's classifiers from a table, with a proof of
how good they are.

first steps:
  ooa demo                                           a first rule set in seconds
  ooa fit data.csv --target sick --save model.json   learn from your own table
  ooa predict model.json new.csv -o out.csv          use it
  ooa explain model.json new.csv --row 17            why is row 17 predicted as it is?
  ooa export model.json --to python                  take it elsewhere
"""
_END = """\
tables:
  A file (CSV, TSV or other delimited UTF-8 text with a head line, also .gz;
  Excel, with openpyxl; Parquet, with pyarrow), - for standard input, or
  dataset:NAME for one of `ooa datasets`. Empty cells are missing values; --na
  names more texts that mean missing. Dates such as 2024-05-31 are read as
  dates. Rows count from 0.

output:
  Results go to standard output; progress and notes go to standard error, as a
  live line on a terminal and as plain lines elsewhere. --json writes one JSON
  document instead; its keys are stable.

exit codes:
  0    done
  1    the input, an option or a solver is at fault; one sentence on standard
       error says why
  2    the command line could not be understood
  3    done, but not as asked: no rule set that meets the constraints was
       found in time (fit), or the solvers contradict one another (bench)
  130  interrupted with Ctrl-C; fit prints and saves the best rule set so far
  141  whoever read the output stopped reading

completion:
  eval "$(ooa completion bash)"     or zsh; in fish:
  ooa completion fish | source
"""


@cache
def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; it is made once, as parsing does not change it."""
    parser = CommandParser(prog="ooa", description=_ABOUT, epilog=_END)
    parser.add_argument("--version", action="version", version=f"ooa {__version__}")
    parser.set_defaults(run=None, debug=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=CommandParser)
    add_learning_commands(commands)
    add_using_commands(commands)
    add_listings(commands)
    return parser
