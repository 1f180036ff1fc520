"""The commands that use a model, and those that list what there is: their options, help and examples."""

from __future__ import annotations

from typing import Any

from .commands import add_command
from .options import model, model_and_data, row, tables

__all__ = ["add_listings", "add_using_commands"]


def add_using_commands(commands: Any) -> None:
    """Add the commands that do something with a model."""
    _predict(commands)
    _evaluate(commands)
    _compare(commands)
    _explain(commands)
    _export(commands)


def _predict(commands: Any) -> None:
    predict = add_command(
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
  ooa predict model.json --table huge.parquet -o out.parquet

The table needs only the columns that the rules use, and is read as the one
  that was learned from. It is written as it was: with the same separator,
  encoding and line ends, to a file and to a pipe alike. If it has the target
  too, what is right and wrong is counted and noted on standard error.
JSON: target, positive, negative, rows, positives, labelled (counts as in `ooa
  evaluate --json` where the labels are known, else null), unseen [{column,
  value, rows, near}: values in columns of the rules that the model does not
  know], predictions [one per row; null with --table]; with --why also why
  [the patterns that hold, per row].""",
    )
    model_and_data(predict)
    tables(predict)
    predict.add_argument("-o", "--output", metavar="FILE", help="where to write: .csv, .tsv or .parquet")
    predict.add_argument("--why", action="store_true", help="add a column with the patterns that hold")


def _evaluate(commands: Any) -> None:
    evaluate = add_command(
        commands,
        "evaluate",
        "count what a rule set gets right and wrong on labelled rows",
        "judging:evaluate",
        "MODEL DATA ",
        """\
examples:
  ooa evaluate model.json new.csv
  ooa evaluate rules.txt new.csv --json
  ooa evaluate model.json 'sales/2024/*.parquet'

Sensitivity is the share of the positive rows that are found, specificity that
  of the negative rows that are spared; PPV is the share of the rows predicted
  positive that are, NPV that of those predicted negative.
JSON: model, data, rows, positives, found, missed, alarms, spared, errors,
  accuracy, sensitivity, specificity, ppv, npv, patterns [{text, rows,
  positives, ppv, sensitivity, only}], unseen [as `ooa predict --json`].""",
    )
    model_and_data(evaluate)
    tables(evaluate)


def _compare(commands: Any) -> None:
    compare = add_command(
        commands,
        "compare",
        "show where two rule sets differ, row by row",
        "judging:compare",
        "MODEL OTHER DATA ",
        """\
examples:
  ooa compare old.json new.json data.csv
  ooa compare small.json large.json data.csv --json

JSON: models, data, rows, differ [{row, label, predictions [two], because
  [patterns that hold]}], labelled [counts of each as in `ooa evaluate
  --json`; null without labels], unseen [as in `ooa predict --json`].""",
    )
    model_and_data(compare, "model", "other")


def _explain(commands: Any) -> None:
    explain = add_command(
        commands,
        "explain",
        "say why a row is predicted as it is",
        "using:explain",
        "MODEL DATA --row N ",
        """\
examples:
  ooa explain model.json data.csv --row 17
  ooa explain model.json data.csv --row 0 --row 1 --json

JSON: rows [{row, label, actual, values, fired [patterns], missed [{pattern,
  because}]}], unseen [as in `ooa predict --json`, of these rows].""",
    )
    model_and_data(explain)
    explain.add_argument(
        "--row",
        type=row,
        action="append",
        required=True,
        metavar="N",
        help="the row; the first is 0; repeatable",
    )


def _export(commands: Any) -> None:
    export = add_command(
        commands,
        "export",
        "write a rule set in another language",
        "using:export",
        "MODEL --to FORMAT ",
        """\
examples:
  ooa export model.json --to sql --option dialect=postgres --option what=where
  ooa export model.json --to python -o rule.py
  ooa export rules.txt --to sql --option types=age:number,job:text
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


def add_listings(commands: Any) -> None:
    """The commands without arguments."""
    add_command(
        commands,
        "backends",
        "the solvers: installed? which version? licence limits?",
        "showing:backends",
        notes="JSON: backends [{name, available, version, max_rows, max_columns, reason}],\n"
        "core {instruction_set, missing}: one of the two is null.",
    )
    add_command(
        commands,
        "datasets",
        "the tables that come along or are fetched by name",
        "showing:datasets",
        notes="JSON: datasets [{name, rows, numeric, categorical, positives, source,\n  description}].",
    )
    add_command(
        commands,
        "demo",
        "learn, certify and explain a first rule set",
        "demo:run",
        notes="JSON: a model, as `ooa fit --json` writes it.",
    )
    completion = add_command(
        commands, "completion", "print a script for completion in a shell", "completion:run", "SHELL "
    )
    completion.add_argument("shell", choices=["bash", "zsh", "fish"])
