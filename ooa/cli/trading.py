"""`ooa trade-off`: the best rule set at every limit of a constraint, and what the limit costs."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from typing import Any

from ooa.errors import OptionError
from ooa.explore.trade_off import trade_off
from ooa.explore.trade_off_frame import TradeOffFrame
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import rules_text
from ooa.solving.solution import Termination

from .asked import settings_asked_for
from .fitting import counted_on, odd_columns
from .modelfile import certificate_dict
from .output import following, say, say_json
from .problem import Problem, read_problem
from .scoring import figures, rate_text, say_rule_sets

__all__ = ["run"]

#: What stands for the limit in the text of the constraint.
PLACE = "LIMIT"


def run(arguments: argparse.Namespace) -> int:
    """Learn at every limit."""
    if PLACE not in arguments.of:
        raise OptionError(
            f"--of {arguments.of!r:.200} does not say where the limit stands: write {PLACE} there"
        )
    others = len(arguments.constraint)
    arguments.constraint = [
        *arguments.constraint,
        *(arguments.of.replace(PLACE, n) for n in arguments.limits),
    ]
    problem = read_problem(arguments)
    limits = dict(zip(arguments.limits, problem.constraints[others:]))
    problem = replace(problem, constraints=problem.constraints[:others])
    if not arguments.json and not arguments.quiet:
        say(f"{problem.summary()}\n")
    wanted = settings_asked_for(arguments, problem)
    if not arguments.quiet:
        odd_columns(problem, wanted)
    with following(arguments.quiet) as progress:
        found = trade_off(
            problem.table, limits.__getitem__, limits, settings=replace(wanted, progress=progress)
        )
    if arguments.json:
        say_json({"constraint": arguments.of, "limits": _documents(found, problem)})
    else:
        _show(found, problem, arguments.of)
    interrupted = any(one.termination is Termination.INTERRUPTED for one in found.certificates)
    return 130 if interrupted else 0


def _documents(found: TradeOffFrame, problem: Problem) -> list[dict[str, Any]]:
    """Every limit for machines."""
    documents = []
    for row, rules, certificate in zip(found.to_dict("records"), found.rule_sets, found.certificates):
        document = {"limit": row["limit"], "known": row["known"], "proved": row["proved"]}
        document |= {"text": None, "rules": None, "certificate": None, "training": None, "test": None}
        if rules is not None:
            counted = counted_on(problem, rules)
            document |= {"text": rules_text(rules, compact=True), "rules": rules.to_dict()}
            document |= {
                "certificate": certificate_dict(certificate),
                "training": figures(counted["training"]),
            }
            document |= {"test": figures(counted["test"]) if "test" in counted else None}
        documents.append(document)
    return documents


def _show(found: TradeOffFrame, problem: Problem, of: str) -> None:
    """A line per limit, then the rule sets by number."""
    numbers: dict[RuleSet, int] = {}
    rows = []
    measures = ["errors", "sensitivity", "PPV"]
    others = [f"test {measure}" for measure in measures] if problem.test is not None else []
    for row, rules in zip(found.to_dict("records"), found.rule_sets):
        if rules is None:
            rows.append([row["limit"], *["-"] * (4 + len(measures) + len(others)), row["known"]])
            continue
        number = numbers.setdefault(rules, len(numbers) + 1)
        counted = [
            cell
            for one in counted_on(problem, rules).values()
            for cell in (f"{one.errors:,}", rate_text(one.sensitivity), rate_text(one.ppv))
        ]
        price = f"{row['price']:.4f}"
        rows.append(
            [row["limit"], str(number), str(len(rules)), str(rules.n_literals), price, *counted, row["known"]]
        )
    head = ["limit", "rules", "patterns", "conditions", "costs", *measures, *others, "proof"]
    say_rule_sets(
        head, rows, numbers, f"one of them: ooa fit ... --constraint {shlex.quote(of)} --save model.json"
    )
