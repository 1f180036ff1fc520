"""`ooa fit`: learn a rule set, show it with its certificate, save it."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ooa.data.table import Table
from ooa.errors import FormatError, OptionError
from ooa.learning.by_settings import explain_fit, learn
from ooa.learning.settings import FitSettings, OOAxSettings
from ooa.learning.verdict import Learned
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import pattern_text
from ooa.solving.solution import Termination

from .asked import settings_asked_for
from .modelfile import model_dict, read_model
from .output import finite, following, json_text, note, say, say_json, text_table
from .problem import Problem, read_problem
from .wording import Typed

if TYPE_CHECKING:
    from ooa.theory.bounds_report import BoundsReport

__all__ = ["learn_and_show", "pattern_counts", "pattern_table", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    for option in ("save", "report"):
        place = getattr(arguments, option)
        if place is not None and not Path(place).parent.is_dir():
            raise OptionError(f"--{option} {place}: there is no such folder")
    problem = read_problem(arguments)
    log = sys.stderr if arguments.verbose else None
    wanted = settings_asked_for(arguments, problem, start=_start(arguments.start), log=log)
    if arguments.explain_plan:
        return _explain_plan(arguments, problem, wanted)
    if not arguments.json and not arguments.quiet:
        say(f"{problem.summary()}\n")  # before the waiting begins
    bounds = _bounds(problem, wanted) if arguments.explain_bounds else None
    if bounds is not None and not arguments.json:
        say(f"{bounds}\n")
    learned = learn_and_show(problem, wanted, quiet=arguments.quiet)
    counts = pattern_counts(learned.rules, problem.table)
    explanation = _explanation(problem, learned, wanted)
    document = model_dict(
        learned.rules,
        learned.certificate,
        schema=problem.schema(),
        settings=_settings(arguments),
        patterns=counts,
        explanation=explanation,
    )
    if bounds is not None:
        document["bounds"] = bounds.to_dict()
    if arguments.save is not None:
        Path(arguments.save).write_text(json_text(document), encoding="utf-8")
    if arguments.report is not None:
        from ooa.report.page import write_report

        write_report(learned, problem.table, arguments.report, parameters=_settings(arguments))
    if arguments.json:
        say_json(document)
    elif not (arguments.quiet and arguments.save):
        say(learned.rules)
        say()
        if counts:
            say(f"{pattern_table(counts)}\n")
        say(learned.certificate)
        if arguments.save is not None:
            say(f"\nsaved in {arguments.save}; next: ooa predict {arguments.save} new.csv")
    if explanation is not None:
        note(explanation)
    if learned.certificate.termination is Termination.INTERRUPTED:
        return 130
    return 0 if learned.certificate.feasible else 3


def _explain_plan(arguments: argparse.Namespace, problem: Problem, wanted: FitSettings) -> int:
    """Print what a fit would do, and do none of it."""
    from ooa.learning.by_settings import explain_plan

    plan = explain_plan(problem.table, wanted)
    if arguments.json:
        say_json({"plan": plan.splitlines()})
    else:
        say(f"{problem.summary()}\n\n{plan}")
    return 0


def _bounds(problem: Problem, wanted: FitSettings) -> BoundsReport:
    """What the theorems say, by the start if there is one."""
    from ooa.theory.bounds_report import bounds_report

    if problem.constraints:
        note("the bounds are those without constraints, which may need patterns that they exclude")
    length = wanted.max_length if isinstance(wanted, OOAxSettings) else None
    return bounds_report(problem.table, wanted.C1, wanted.C2, max_length=length, known=wanted.start)


def learn_and_show(problem: Problem, wanted: FitSettings, *, quiet: bool) -> Learned:
    """Learn from a problem what is wanted, and show how it goes."""
    with following(quiet) as progress:
        return learn(problem.table, replace(wanted, progress=progress))


def pattern_counts(rules: RuleSet, table: Table) -> list[dict[str, Any]]:
    """What each pattern does on the training rows."""
    if not len(rules):
        return []
    labels = [table.labels[1] if positive else table.labels[0] for positive in table.y]
    found = rules.statistics(table, labels, table.weight)
    return [
        {
            "text": pattern_text(pattern),
            "rows": row["support"],
            "positives": row["positives"],
            "precision": finite(row["precision"]),
            "only": row["marginal_coverage"],
        }
        for pattern, row in zip(rules, found.to_dict(orient="records"))
    ]


def pattern_table(counts: list[dict[str, Any]]) -> str:
    """The same for people; the patterns are numbered as they stand in the rule set."""
    head = ["pattern", "rows", "positive", "precision", "only this"]
    rows = [
        [
            f"{k}",
            f"{c['rows']:g}",
            f"{c['positives']:g}",
            "-" if c["precision"] is None else f"{100 * c['precision']:.1f} %",
            f"{c['only']:g}",
        ]
        for k, c in enumerate(counts, 1)
    ]
    return text_table(head, rows)


def _start(place: str | None) -> RuleSet | None:
    """The rule set to start from."""
    if place is None:
        return None
    try:
        return read_model(place).rules
    except FormatError as error:
        raise OptionError(f"--start: {error}") from None


def _settings(arguments: argparse.Namespace) -> dict[str, Any]:
    """What was asked for, to be able to ask for it again."""
    left_out = {"run", "debug", "json", "quiet", "verbose", "save", "report", "data"}
    left_out |= {"explain_bounds", "explain_plan"}
    return {name: value for name, value in sorted(vars(arguments).items()) if name not in left_out}


def _explanation(problem: Problem, learned: Learned, wanted: FitSettings) -> str | None:
    """Say why the rule set tells no rows apart, if that is so, and what would change it."""
    rules, table = learned.rules, problem.table
    why = explain_fit(learned, rules.covers(table), table, wanted)
    return None if why is None else why.sentence(Typed(problem.against_rest))
