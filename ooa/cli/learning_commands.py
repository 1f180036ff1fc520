"""The commands that learn, with their help: fit, path, trade-off, curve, explore, bench and write."""

from __future__ import annotations

from typing import Any

from ooa.learning.settings import FitSettings

from .commands import add_command
from .options import count, data, learning, names, prices, setting, tables, testing

__all__ = ["add_learning_commands"]


def add_learning_commands(commands: Any) -> None:
    """Add the commands that learn from a table."""
    _fit(commands)
    _path(commands)
    _trade_off(commands)
    _curve(commands)
    _explore(commands)
    _bench(commands)
    _write(commands)


def _fit(commands: Any) -> None:
    fit = add_command(
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
  ooa fit heart.csv --target sick --test-share 0.3 --class-weight balanced
  ooa fit export.csv --target sick --sep ';' --decimal , --dates day-first --encoding cp1252 --na '?,n/a'
  zcat big.csv.gz | ooa fit - --target y --drop id,name --json > model.json
  ooa fit --table 'sales/*.parquet' --target bought --when-more sample --save model.json
  ooa fit dataset:monks1

JSON, the same as --save writes: format, version, ooa, text (the rules in
  words), rules (`ooa export --to json` writes them alone), certificate
  {objective {exact, value}, bound {exact, value}, gap, proved, feasible,
  errors, total, accuracy, literals, patterns, scope, statement, proof,
  termination, counts, seconds, backend, version, message}, schema {source,
  target, rows, columns [{name, kind, levels}], reading}, settings, patterns
  [{text, rows, positives, ppv, sensitivity, only}], training {rows,
  positives, found, missed, alarms, spared, errors, accuracy, sensitivity,
  specificity, ppv, npv}, test (the same of the test rows, else null),
  explanation (why the rules tell no rows apart, else null), suspicions
  [{column, doubt, count, texts, others, how, alike}]. All of these count
  rows; where rows are weighted, each pattern has the same by weight under
  weighted, and errors, total and accuracy of the certificate are by weight.
  With --explain-bounds also bounds {upper, most_patterns, most_literals,
  longest, literals, useful_literals, by_length [{length, price,
  positive_above, negative_at_most}]}, and the paper's forms (_paper) of each.
  With --explain-plan only plan [lines].""",
    )
    fit.appendix = _constraints
    data(fit)
    tables(fit.add_argument_group("tables bigger than memory"), merging=True)
    learning(fit)
    testing(fit)
    setting(fit, "--backend", FitSettings.backend, "the solver; see `ooa backends`", metavar="NAME")
    fit.add_argument("--start", metavar="FILE", help="rules to start from: a model, or rules as text")
    fit.add_argument(
        "--save", metavar="FILE", help="write the model, a JSON file that the other commands read"
    )
    fit.add_argument("--report", metavar="FILE", help="write a report to look at, one HTML page")
    fit.add_argument(
        "--ids",
        metavar="COLUMN",
        help="name wrong rows in the report by this column, which is not learned from",
    )
    fit.add_argument("--short", action="store_true", help="keep the report to one printed page")
    _saying(fit)


def _saying(fit: Any) -> None:
    """What is said beside the rule set."""
    fit.add_argument(
        "--explain-bounds", action="store_true", help="what the theorems say of the table, before solving"
    )
    fit.add_argument(
        "--explain-plan", action="store_true", help="who would run when, for how long and why; solves nothing"
    )
    fit.add_argument(
        "--quiet",
        action="store_true",
        help="no progress, and no word about odd columns; with --save, no output either",
    )
    fit.add_argument("--verbose", action="store_true", help="the solver's own log, on standard error")


def _path(commands: Any) -> None:
    path = add_command(
        commands,
        "path",
        "learn the best rule sets along falling prices, from simple to accurate",
        "tracing:run",
        "DATA --target COLUMN ",
        """\
examples:
  ooa path heart.csv --target sick --test-share 0.3
  ooa path heart.csv --target sick --prices 0.05,0.02,0.01,0.005 --time-limit 300
  ooa path heart.csv --target sick --cv 5
  ooa path dataset:monks1 --json

The price is that of a condition and of a pattern alike; the time limit is for
  all fits together. With --cv the rows of each fold are held out in turn: the
  mean over the folds, and its standard error. Other figures count rows,
  whatever they weigh.
JSON: path [{c1, c2, held_out, text, rules, certificate, training, test}], the
  last five as in `ooa fit --json`; held_out {accuracy, accuracy_se,
  sensitivity, ...}, or null.""",
    )
    data(path)
    learning(path, path=True)
    _folds(path, 0)
    testing(path)
    _solving(path)


def _trade_off(commands: Any) -> None:
    trade = add_command(
        commands,
        "trade-off",
        "learn the best rule set at every limit of a constraint: what the limit costs",
        "trading:run",
        "DATA --target COLUMN --of CONSTRAINT --limits X,Y ",
        """\
examples:
  ooa trade-off heart.csv --target sick --of min_sensitivity=LIMIT --limits 0.7,0.8,0.9,0.95
  ooa trade-off loans.csv --target repaid --of demographic_parity=sex,LIMIT --limits 0.2,0.1,0.05 --json

What a limit costs is by how much L is above that of the rule set without the
  constraint. The time limit is for all limits together. Rows are counted,
  whatever they weigh.
JSON: constraint, limits [{limit, known, proved, text, rules, certificate,
  training, test}], the last five as in `ooa fit --json`, or null where no
  rule set that meets the limit is known.""",
    )
    trade.appendix = _constraints
    data(trade)
    learning(trade)
    words = "the constraint, with LIMIT where the limit stands, such as min_sensitivity=LIMIT"
    trade.add_argument("--of", required=True, metavar="NAME=...", help=words)
    words = "the limits, separated by commas"
    trade.add_argument("--limits", required=True, type=names, metavar="X,Y", help=words)
    testing(trade)
    _solving(trade)


def _curve(commands: Any) -> None:
    curve = add_command(
        commands,
        "curve",
        "learn the best rule sets from specific to sensitive ones: a ROC curve of rule sets",
        "curving:run",
        "DATA --target COLUMN ",
        """\
examples:
  ooa curve heart.csv --target sick
  ooa curve heart.csv --target sick --weights 0.5,1,2,5 --cv 10 --test-share 0.3
  ooa curve heart.csv --target sick --prices 0.02,0.01,0.005

A weight says for how many negative rows a positive one counts. With several
  prices there is a line for each and every weight, and a rule set is beaten
  if another one is more sensitive or more specific and no less of the other,
  or as good and shorter. What is held out are the rows of each fold in turn:
  the mean over the folds, and its standard error. The time limit is for all
  fits together. Other figures count rows, whatever they weigh.
JSON: curve [{c1, c2, weight, envelope (not beaten), held_out {accuracy,
  accuracy_se, sensitivity, ...}, text, rules, certificate, training, test}],
  the last five as in `ooa fit --json`.""",
    )
    data(curve)
    learning(curve)
    words = "the weights, separated by commas [1/16 to 16 by doubling]"
    curve.add_argument("--weights", type=names, metavar="X,Y", help=words)
    words = "several prices of a condition and of a pattern alike, in place of --c1 and --c2"
    curve.add_argument("--prices", type=prices, metavar="X,Y", help=words)
    _folds(curve, 5)
    testing(curve)
    _solving(curve)


def _explore(commands: Any) -> None:
    explore = add_command(
        commands,
        "explore",
        "write a page with all rule sets that are nearly as good as the best, to choose and to change",
        "exploring:run",
        "DATA --target COLUMN -o PAGE ",
        """\
examples:
  ooa explore heart.csv --target sick -o page.html
  ooa explore heart.csv --target sick --within 10% --test-share 0.3 --groups sex -o page.html
  ooa explore patients.csv --target sick --drop id --no-rows -o page.html

The page is one file that loads nothing and sends nothing. It holds the rule
  sets with their figures and, for its editor, the distinct rows in coded form
  with their counts; --no-rows leaves these out. The models that it downloads
  are read by `ooa predict` and the other commands.
JSON: page, sets, total (how many there are, if that is known), complete,
  within, headline, optimum {text, rules, certificate}, attributes
  [{attribute, sets, share, without, without_at_least, with, with_at_least}].""",
    )
    explore.appendix = _constraints
    data(explore)
    learning(explore)
    testing(explore)
    page = explore.add_argument_group("the page")
    page.add_argument(
        "-o", "--output", required=True, metavar="PAGE", help="where to write it: an .html file"
    )
    words = "how far L may be above the optimum: an amount, or a share of it with a percent sign"
    page.add_argument("--within", default="5%", metavar="X", help=f"{words} [5%%]")
    page.add_argument("--most", type=count, metavar="N", help="the most rule sets [10000]")
    words = "a column of categories: gaps between its groups are figures, too"
    page.add_argument("--groups", metavar="COLUMN", help=words)
    words = "leave out the coded rows: then the editor is off"
    page.add_argument("--no-rows", action="store_true", help=words)
    page.add_argument("--title", metavar="TEXT", help="of the page")
    _solving(explore)


def _folds(parser: Any, usual: int) -> None:
    """Which rows are held out in turn."""
    words = f"how many parts to hold out in turn; 0 for none [{usual}]"
    parser.add_argument("--cv", "--folds", dest="folds", type=int, default=usual, metavar="N", help=words)


def _solving(parser: Any) -> None:
    """Which solver, and whether in silence: of commands that learn several rule sets."""
    setting(parser, "--backend", FitSettings.backend, "the solver; see `ooa backends`", metavar="NAME")
    parser.add_argument("--quiet", action="store_true", help="no progress, and no word about odd columns")


def _bench(commands: Any) -> None:
    bench = add_command(
        commands,
        "bench",
        "solve the same model with each solver, with and without a start, and compare",
        "benching:run",
        "DATA --target COLUMN ",
        """\
examples:
  ooa bench heart.csv --target sick
  ooa bench dataset:tic-tac-toe --backends highs,scip --time-limit 30 --c1 0.001 --c2 0.001

Cold is without a start, warm from the rule set that a local search found.
  Objectives are counted from the rules, exactly; the seconds are those of the
  solver alone.
JSON: model {method, columns, integer, rows, nonzeros}, agree, runs [{backend,
  version, start, status, objective {exact, value}, bound, gap, seconds,
  nodes, message}].""",
    )
    data(bench)
    learning(bench)
    bench.add_argument(
        "--backends", type=names, metavar="A,B", help="which, separated by commas [all that are installed]"
    )
    bench.add_argument("--quiet", action="store_true", help="no progress")


def _write(commands: Any) -> None:
    write = add_command(
        commands,
        "write",
        "write the mixed-integer program for any other solver",
        "benching:write",
        "DATA --target COLUMN --to FILE ",
        """\
examples:
  ooa write heart.csv --target sick --to model.mps
  ooa write heart.csv --target sick --method ooa --to model.lp

JSON: file, columns, integer, rows, nonzeros, scale (L is the program's
  objective divided by it).""",
    )
    data(write)
    learning(write)
    write.add_argument("--to", required=True, metavar="FILE", help="model.mps or model.lp")


def _constraints() -> str:
    """The ready-made constraints, for the help."""
    from .constraint_texts import constraint_help

    return constraint_help()
