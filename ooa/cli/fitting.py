"""`ooa fit`: learn a rule set, show it with its certificate, save it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from ..display import pattern_text
from ..errors import FormatError, OOAError, OptionError
from ..objective import Objective
from ..ooax import Learned, learn_ooax
from ..rules import RuleSet
from ..solution import Termination
from ..table import Table
from .modelfile import model_dict, read_model
from .output import finite, following, json_text, note, say, say_json, text_table
from .problem import Problem, read_problem

__all__ = ["learn", "pattern_table", "run"]


def run(arguments: argparse.Namespace) -> int:
    """Run the command."""
    for option in ("save", "report"):
        place = getattr(arguments, option)
        if place is not None and not Path(place).parent.is_dir():
            raise OptionError(f"--{option} {place}: there is no such folder")
    problem = read_problem(arguments)
    start = _start(arguments.start)
    said = f"{problem.summary()}\n"
    if not arguments.json and not arguments.quiet:
        say(said)  # before the waiting begins
    learned = learn(
        arguments,
        problem,
        backend=arguments.backend,
        start=start,
        log=sys.stderr if arguments.verbose else None,
    )
    counts = pattern_counts(learned.rules, problem.table)
    document = model_dict(
        learned.rules,
        learned.certificate,
        schema=problem.schema(),
        settings=_settings(arguments),
        patterns=counts,
    )
    if arguments.save is not None:
        Path(arguments.save).write_text(json_text(document), encoding="utf-8")
    if arguments.report is not None:
        from ..report import write_report

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
    _remark(problem, learned, arguments)
    if learned.certificate.termination is Termination.INTERRUPTED:
        return 130
    return 0 if learned.certificate.feasible else 3


def learn(arguments: argparse.Namespace, problem: Problem, **more: Any) -> Learned:
    """Learn from a problem what the options ask for."""
    common = {
        "C1": arguments.c1,
        "C2": arguments.c2,
        "max_patterns": arguments.max_patterns,
        "constraints": problem.constraints,
        "time_limit": arguments.time_limit,
        "seed": arguments.seed,
    }
    with following(quiet=getattr(arguments, "quiet", True)) as progress:
        if arguments.method == "ooa":
            from ..ooa_fit import learn_ooa

            return learn_ooa(problem.table, progress=progress, **common, **more)
        return learn_ooax(
            problem.table,
            max_length=arguments.max_length,
            ranges=arguments.ranges,
            negations=arguments.negations,
            progress=progress,
            **common,
            **more,
        )


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
    return {name: value for name, value in sorted(vars(arguments).items()) if name not in left_out}


def _remark(problem: Problem, learned: Learned, arguments: argparse.Namespace) -> None:
    """Say on standard error why the rule set tells no rows apart, if that is so."""
    fires = learned.rules.covers(problem.table).any(axis=1)
    if learned.certificate.feasible and (fires.all() or not fires.any()):
        note(_why_trivial(problem, learned, arguments))


def _why_trivial(problem: Problem, learned: Learned, arguments: argparse.Namespace) -> str:
    from ..emptiness import explain_trivial
    from ..literals import candidate_literals

    rows = problem.table.distinct()
    try:
        return explain_trivial(
            learned.rules,
            rows,
            learned.certificate,
            Objective.of(arguments.c1, arguments.c2),
            candidate_literals(rows),
            max_length=arguments.max_length,
            constrained=bool(problem.constraints),
        )
    except OOAError:
        return "the rule set predicts the same for every row"
