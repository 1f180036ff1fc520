"""`ooa fit`: learn a rule set, show it with its certificate, save it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ooa.data.table import Table
from ooa.errors import FormatError, OptionError
from ooa.learning.ooax import Learned, learn_ooax
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import pattern_text
from ooa.solving.solution import Termination

from .modelfile import model_dict, read_model
from .output import finite, following, json_text, note, say, say_json, text_table
from .problem import Problem, read_problem
from .wording import Typed

if TYPE_CHECKING:
    from ooa.theory.bounds_report import BoundsReport

__all__ = ["learn", "pattern_table", "run", "thresholds"]


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
    bounds = _bounds(arguments, problem, start) if arguments.explain_bounds else None
    if bounds is not None and not arguments.json:
        say(f"{bounds}\n")
    learned = learn(
        arguments,
        problem,
        backend=arguments.backend,
        start=start,
        log=sys.stderr if arguments.verbose else None,
    )
    counts = pattern_counts(learned.rules, problem.table)
    explanation = _explanation(problem, learned, arguments)
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


def _bounds(arguments: argparse.Namespace, problem: Problem, start: RuleSet | None) -> BoundsReport:
    """What the theorems say, by the start if there is one."""
    from ooa.theory.bounds_report import bounds_report

    if problem.constraints:
        note("the bounds are those without constraints, which may need patterns that they exclude")
    length = arguments.max_length if arguments.method == "ooax" else None
    return bounds_report(problem.table, arguments.c1, arguments.c2, max_length=length, known=start)


def learn(arguments: argparse.Namespace, problem: Problem, **more: Any) -> Learned:
    """Learn from a problem what the options ask for."""
    common = {
        "C1": arguments.c1,
        "C2": arguments.c2,
        "max_patterns": arguments.max_patterns,
        "constraints": problem.constraints,
        "time_limit": arguments.time_limit,
        "seed": arguments.seed,
        **thresholds(arguments),
    }
    with following(quiet=getattr(arguments, "quiet", True)) as progress:
        if arguments.method == "ooa":
            from ooa.learning.ooa import learn_ooa

            return learn_ooa(problem.table, progress=progress, **common, **more)
        return learn_ooax(
            problem.table,
            max_length=arguments.max_length,
            ranges=arguments.ranges,
            negations=arguments.negations,
            selection=arguments.selection,
            progress=progress,
            **common,
            **more,
        )


def thresholds(arguments: argparse.Namespace) -> dict[str, Any]:
    """Where numbers are cut; if that was not said, each method has its own way."""
    return {"thresholds": arguments.thresholds or ("distinct" if arguments.method == "ooa" else "auto")}


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
    left_out = {"run", "debug", "json", "quiet", "verbose", "save", "report", "data", "explain_bounds"}
    return {name: value for name, value in sorted(vars(arguments).items()) if name not in left_out}


def _explanation(problem: Problem, learned: Learned, arguments: argparse.Namespace) -> str | None:
    """Say why the rule set tells no rows apart, if that is so, and what would change it."""
    fires = learned.rules.covers(problem.table).any(axis=1)
    if not learned.certificate.feasible or (fires.any() and not fires.all()):
        return None
    from ooa.candidates.generate import candidate_literals
    from ooa.learning.empty_result import explain_trivial

    rows, limit = problem.table.distinct(), arguments.time_limit
    mined = arguments.method == "ooax"
    return explain_trivial(
        learned,
        rows,
        Objective.of(arguments.c1, arguments.c2),
        candidate_literals(
            rows,
            ranges=mined and arguments.ranges,
            negations=mined and arguments.negations,
            **thresholds(arguments),
        ),
        max_length=arguments.max_length,
        seconds=5.0 if limit is None else min(5.0, limit / 10),
        constrained=bool(problem.constraints),
    ).sentence(Typed(problem.against_rest))
