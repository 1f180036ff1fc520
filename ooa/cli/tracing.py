"""`ooa path`: the best rule sets along falling prices, from simple to accurate, and how good each is."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from ooa.explore.price_path import path
from ooa.learning.certificate import Certificate
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import rules_text
from ooa.solving.solution import Termination

from .asked import settings_asked_for
from .fitting import counted_on, odd_columns
from .folding import HELD_OUT, folds_asked_for, held_out_document, held_out_text
from .modelfile import certificate_dict
from .output import following, say, say_json
from .problem import Problem, read_problem
from .scoring import figures, price_text, rate_text, say_rule_sets

__all__ = ["run"]


def run(arguments: argparse.Namespace) -> int:
    """Learn along a path of prices."""
    problem = read_problem(arguments)
    if not arguments.json and not arguments.quiet:
        say(f"{problem.summary()}\n")
    wanted = settings_asked_for(arguments, problem)
    if not arguments.quiet:
        odd_columns(problem, wanted)
    folds = folds_asked_for(arguments, problem, wanted.seed)
    with following(arguments.quiet) as progress:
        told = replace(wanted, progress=progress)
        found = path(problem.table, arguments.prices, splits=folds, settings=told)
    steps = [
        (row, rules, certificate, counted_on(problem, rules))
        for row, rules, certificate in zip(found.to_dict("records"), found.rule_sets, found.certificates)
    ]
    if arguments.json:
        say_json({"path": [_document(*step) for step in steps]})
    else:
        _show(steps, problem)
    return 130 if any(step[2].termination is Termination.INTERRUPTED for step in steps) else 0


def _document(
    row: dict[Any, Any], rules: RuleSet, certificate: Certificate, counted: dict[str, Confusion]
) -> dict[str, Any]:
    """One price for machines."""
    return {
        "c1": row["C1"],
        "c2": row["C2"],
        "held_out": held_out_document(row),
        "text": rules_text(rules, compact=True),
        "rules": rules.to_dict(),
        "certificate": certificate_dict(certificate),
        "training": figures(counted["training"]),
        "test": figures(counted["test"]) if "test" in counted else None,
    }


def _show(steps: list[Any], problem: Problem) -> None:
    """A line per price, then the rule sets by number."""
    numbers: dict[RuleSet, int] = {}
    rows, held_out = [], [f"cv_{rate}" for rate in HELD_OUT] if "cv_accuracy" in steps[0][0] else []
    for row, rules, certificate, counted in steps:
        number = numbers.setdefault(rules, len(numbers) + 1)
        size = [str(len(rules)), str(rules.n_literals)]
        rates = [cell for one in counted.values() for cell in _cells(one)]
        rates += [held_out_text(row, name) for name in held_out]
        rows.append([price_text(row), str(number), *size, *rates, certificate.headline])
    measures = ["errors", "sensitivity", "PPV"]
    others = [f"test {measure}" for measure in measures] if problem.test is not None else []
    others += [f"held-out {rate}" for rate in HELD_OUT] if held_out else []
    head = ["price", "rules", "patterns", "conditions", *measures, *others, "proof"]
    say_rule_sets(head, rows, numbers, "one of them: ooa fit ... --c1 PRICE --c2 PRICE --save model.json")


def _cells(counted: Confusion) -> list[str]:
    return [f"{counted.errors:,}", rate_text(counted.sensitivity), rate_text(counted.ppv)]
