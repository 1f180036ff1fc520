"""What can be typed: commands, options, their help and examples. Nothing heavy is imported here."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, NoReturn

from ooa.learning.settings import FitSettings
from ooa.version import __version__

from .options import data, learning, model, model_and_data, names, setting

__all__ = ["build_parser"]

_ABOUT = """\
Learn small Or's of And's classifiers from a table, with a proof of how good they are.

first steps:
  ooa demo                                           a first rule set in seconds
  ooa fit data.csv --target sick --save model.json   learn from your own table
  ooa predict model.json new.csv -o out.csv          use it
  ooa explain model.json new.csv --row 17            why is row 17 predicted as it is?
  ooa export model.json --to sql                     take it elsewhere
"""
_END = """\
tables:
  A file (CSV, TSV or other delimited UTF-8 text with a head line, also .gz; or Parquet, with pyarrow),
  - for standard input, or dataset:NAME for one of `ooa datasets`. Empty cells are missing values; --na
  names more texts that mean missing. Dates such as 2024-05-31 are read as dates. Rows count from 0.

output:
  Results go to standard output; progress and notes go to standard error, as a live line on a terminal and
  as plain lines elsewhere. --json writes one JSON document instead; its keys are stable.

exit codes:
  0    done
  1    the input, an option or a solver is at fault; one sentence on standard error says why
  2    the command line could not be understood
  3    done, but not as asked: no rule set that meets the constraints was found in time (fit),
       or the solvers contradict one another (bench)
  130  interrupted with Ctrl-C; fit prints and saves the best rule set so far
  141  whoever read the output stopped reading

completion:
  eval "$(ooa completion bash)"     or zsh; for fish: ooa completion fish | source
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose options are written in full, and whose help keeps its lines.

    `appendix` makes the end of the help when help is asked for, as it may take an import.
    """

    appendix: Callable[[], str] | None = None

    def __init__(self, **options: Any) -> None:
        settled = {"formatter_class": argparse.RawDescriptionHelpFormatter, "allow_abbrev": False}
        super().__init__(**options | settled)

    def format_help(self) -> str:
        """The help, then the appendix."""
        text = super().format_help()
        return f"{text}\n{self.appendix()}" if self.appendix is not None else text

    def error(self, message: str) -> NoReturn:
        """One sentence and where to look, rather than the whole usage."""
        self.exit(2, f"ooa: {message} (see {self.prog} --help)\n")


def build_parser() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(prog="ooa", description=_ABOUT, epilog=_END)
    parser.add_argument("--version", action="version", version=f"ooa {__version__}")
    parser.set_defaults(run=None, debug=False)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    _fit(commands)
    _predict(commands)
    _explain(commands)
    _export(commands)
    _bench(commands)
    _write(commands)
    _listings(commands)
    return parser


def _command(commands: Any, name: str, words: str, run: str, arguments: str = "", notes: str = "") -> _Parser:
    """A command with the options that all have."""
    about = f"{words[0].upper()}{words[1:]}"
    about += "" if words.endswith("?") else "."
    usage = f"ooa {name} {arguments}[options]"
    made: _Parser = commands.add_parser(name, usage=usage, help=words, description=about, epilog=notes)
    made.set_defaults(run=f"ooa.cli.{run}")
    if name != "completion":
        made.add_argument("--json", action="store_true", help="one JSON document instead of text")
    made.add_argument("--debug", action="store_true", help="show where an error comes from")
    return made


def _fit(commands: Any) -> None:
    fit = _command(
        commands,
        "fit",
        "learn a rule set from a table",
        "fitting:run",
        "DATA --target COLUMN ",
        """\
examples:
  ooa fit heart.csv --target sick
  ooa fit heart.csv --target sick --positive yes --backend scip --time-limit 300 --save model.json
  ooa fit heart.csv --target sick --constraint min_sensitivity=0.95 --constraint max_uses=age,1
  zcat big.csv.gz | ooa fit - --target y --drop id,name --json > model.json
  ooa fit dataset:monks1

JSON, the same as --save writes: format, version, ooa, text (the rules in words), rules (`ooa export --to
  json` writes them alone), certificate {objective {exact, value}, bound {exact, value}, gap, proved,
  feasible, errors, total, accuracy, literals, patterns, scope, statement, proof, termination, counts,
  seconds, backend, version, message}, schema {source, target, rows, columns [{name, kind}]}, settings,
  patterns [{text, rows, positives, precision, only}], explanation (why the rules tell no rows apart, else
  null). Weights count for rows where --weight is given. With
  --explain-bounds also bounds {upper, most_patterns, most_literals, longest, literals, useful_literals,
  by_length [{length, price, positive_above, negative_at_most}]}, and the paper's forms (_paper) of each.
  With --explain-plan only plan [lines].""",
    )
    fit.appendix = _constraints
    data(fit)
    learning(fit)
    setting(fit, "--backend", FitSettings.backend, "the solver; see `ooa backends`", metavar="NAME")
    fit.add_argument("--start", metavar="FILE", help="rules to start from: a model, or rules as text")
    fit.add_argument(
        "--save", metavar="FILE", help="write the model, a JSON file that the other commands read"
    )
    fit.add_argument("--report", metavar="FILE", help="write a report to look at, one HTML page")
    fit.add_argument(
        "--explain-bounds", action="store_true", help="what the theorems say of the table, before solving"
    )
    fit.add_argument(
        "--explain-plan", action="store_true", help="who would run when, for how long and why; solves nothing"
    )
    fit.add_argument("--quiet", action="store_true", help="no progress; with --save, no output either")
    fit.add_argument("--verbose", action="store_true", help="the solver's own log, on standard error")


def _predict(commands: Any) -> None:
    predict = _command(
        commands,
        "predict",
        "apply a rule set: the table again, with a column predicted_TARGET",
        "using:predict",
        "MODEL DATA ",
        """\
examples:
  ooa predict model.json new.csv -o out.csv
  ooa predict model.json new.csv --why | head
  cat new.tsv | ooa predict rules.txt - > out.tsv

The table needs only the columns that the rules use. If it has the target too, the errors are counted and
  noted on standard error.
JSON: target, positive, negative, rows, positives, predictions [one per row], and where the labels are
  known, errors and accuracy; with --why also why [the patterns that hold, per row].""",
    )
    model_and_data(predict)
    predict.add_argument("-o", "--output", metavar="FILE", help="where to write: .csv, .tsv or .parquet")
    predict.add_argument("--why", action="store_true", help="add a column with the patterns that hold")


def _explain(commands: Any) -> None:
    explain = _command(
        commands,
        "explain",
        "say why a row is predicted as it is",
        "using:explain",
        "MODEL DATA --row N ",
        """\
examples:
  ooa explain model.json data.csv --row 17
  ooa explain model.json data.csv --row 0 --row 1 --json

JSON: rows [{row, label, actual, values, fired [patterns], missed [{pattern, because}]}].""",
    )
    model_and_data(explain)
    explain.add_argument(
        "--row",
        type=int,
        action="append",
        required=True,
        metavar="N",
        help="the row; the first is 0; repeatable",
    )


def _export(commands: Any) -> None:
    export = _command(
        commands,
        "export",
        "write a rule set in another language",
        "using:export",
        "MODEL --to FORMAT ",
        """\
examples:
  ooa export model.json --to sql --option dialect=postgres --option what=where
  ooa export model.json --to python -o rule.py
  ooa export rules.txt --to latex

JSON: to, text.""",
    )
    model(export)
    export.add_argument(
        "--to", required=True, metavar="FORMAT", help="sql, pandas, python, pmml, latex, text or json"
    )
    export.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="of the format; repeatable"
    )
    export.add_argument("-o", "--output", metavar="FILE", help="where to write [standard output]")


def _bench(commands: Any) -> None:
    bench = _command(
        commands,
        "bench",
        "solve the same model with each solver, with and without a start, and compare",
        "benching:run",
        "DATA --target COLUMN ",
        """\
examples:
  ooa bench heart.csv --target sick
  ooa bench dataset:tic-tac-toe --backends highs,scip --time-limit 30 --c1 0.001 --c2 0.001

Cold is without a start, warm from the rule set that a local search found. Objectives are counted from the
  rules, exactly; the seconds are those of the solver alone.
JSON: model {method, columns, integer, rows, nonzeros}, agree, runs [{backend, version, start, status,
  objective {exact, value}, bound, gap, seconds, nodes, message}].""",
    )
    data(bench)
    learning(bench)
    bench.add_argument(
        "--backends", type=names, metavar="A,B", help="which, separated by commas [all that are installed]"
    )
    bench.add_argument("--quiet", action="store_true", help="no progress")


def _write(commands: Any) -> None:
    write = _command(
        commands,
        "write",
        "write the mixed-integer program for any other solver",
        "benching:write",
        "DATA --target COLUMN --to FILE ",
        """\
examples:
  ooa write heart.csv --target sick --to model.mps
  ooa write heart.csv --target sick --method ooa --to model.lp

JSON: file, columns, integer, rows, nonzeros, scale (L is the program's objective divided by it).""",
    )
    data(write)
    learning(write)
    write.add_argument("--to", required=True, metavar="FILE", help="model.mps or model.lp")


def _listings(commands: Any) -> None:
    """The commands without arguments."""
    _command(
        commands,
        "backends",
        "the solvers: installed? which version? licence limits?",
        "showing:backends",
        notes="JSON: backends [{name, available, version, max_rows, max_columns, reason}].",
    )
    _command(
        commands,
        "datasets",
        "the tables that come along or are fetched by name",
        "showing:datasets",
        notes="JSON: datasets [{name, rows, numeric, categorical, positives, source, description}].",
    )
    _command(
        commands,
        "demo",
        "learn, certify and explain a first rule set, in seconds",
        "demo:run",
        notes="JSON: a model, as `ooa fit --json` writes it.",
    )
    completion = _command(
        commands, "completion", "print a script for completion in a shell", "completion:run", "SHELL "
    )
    completion.add_argument("shell", choices=["bash", "zsh", "fish"])


def _constraints() -> str:
    """The ready-made constraints, for the help."""
    from .constraint_texts import constraint_help

    return constraint_help()
