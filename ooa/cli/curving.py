"""`ooa curve`: the best rule sets from specific to sensitive ones, on training rows and on rows held out."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from typing import Any

from ooa.explore.operating_curve import operating_curve
from ooa.explore.operating_frame import OperatingFrame
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import rules_text
from ooa.solving.solution import Termination

from .asked import settings_asked_for
from .fitting import counted_on, odd_columns
from .folding import folds_asked_for, held_out_document, held_out_text
from .modelfile import certificate_dict
from .output import following, say, say_json
from .problem import Problem, read_problem
from .scoring import figures, price_text, rate_text, say_rule_sets

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Learn at every weight."""
    problem = read_problem(arguments)
    if not arguments.json and not arguments.quiet:
        say(f"{problem.summary()}\n")
    wanted = settings_asked_for(arguments, problem)
    if not arguments.quiet:
        odd_columns(problem, wanted)
    folds = folds_asked_for(arguments, problem, wanted.seed)
    with following(arguments.quiet) as progress:
        told = replace(wanted, progress=progress)
        found = operating_curve(
            problem.table, arguments.weights, C_grid=arguments.prices, splits=folds, settings=told
        )
    if arguments.json:
        say_json({"curve": _documents(found, problem)})
    else:
        _show(found, problem)
    interrupted = any(one.termination is Termination.INTERRUPTED for one in found.certificates)
    return 130 if interrupted else 0


def _documents(found: OperatingFrame, problem: Problem) -> list[dict[str, Any]]:
    """Every price and weight for machines."""
    documents = []
    for row, rules, certificate in zip(found.to_dict("records"), found.rule_sets, found.certificates):
        counted = counted_on(problem, rules)
        documents.append(
            {
                "c1": row["C1"],
                "c2": row["C2"],
                "weight": row["weight"],
                "envelope": row["envelope"],
                "held_out": held_out_document(row),
                "text": rules_text(rules, compact=True),
                "rules": rules.to_dict(),
                "certificate": certificate_dict(certificate),
                "training": figures(counted["training"]),
                "test": figures(counted["test"]) if "test" in counted else None,
            }
        )
    return documents


_RATES = ("sensitivity", "specificity")


def _show(found: OperatingFrame, problem: Problem) -> None:
    """A line per price and weight, then the rule sets by number."""
    numbers: dict[RuleSet, int] = {}
    rows = []
    held_out = [f"cv_{rate}" for rate in _RATES] if "cv_sensitivity" in found.columns else []
    prices = len(found[["C1", "C2"]].drop_duplicates()) > 1
    for row, rules, certificate in zip(found.to_dict("records"), found.rule_sets, found.certificates):
        number = numbers.setdefault(rules, len(numbers) + 1)
        counted = [
            cell
            for one in counted_on(problem, rules).values()
            for cell in (f"{one.errors:,}", rate_text(one.sensitivity), rate_text(one.specificity))
        ]
        counted += [held_out_text(row, name) for name in held_out]
        place = [price_text(row)] if prices else []
        beaten = ["no" if row["envelope"] else "yes"] if prices else []
        size = [str(len(rules)), str(rules.n_literals)]
        line = [*place, f"{row['weight']:g}", str(number), *size, *counted, *beaten, certificate.headline]
        rows.append(line)
    measures = ["errors", *_RATES]
    others = [f"test {measure}" for measure in measures] if problem.test is not None else []
    others += [f"held-out {rate}" for rate in _RATES] if held_out else []
    others += ["beaten"] if prices else []
    place = ["price"] if prices else []
    head = [*place, "weight", "rules", "patterns", "conditions", *measures, *others, "proof"]
    negative, positive = problem.table.labels
    weights = shlex.quote(f"{positive}=WEIGHT,{negative}=1")
    hint = f"one of them: ooa fit ... --class-weight {weights}"
    hint += " --c1 PRICE --c2 PRICE" if prices else ""
    say_rule_sets(head, rows, numbers, f"{hint} --save model.json")
