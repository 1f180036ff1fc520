"""`ooa explore`: a page with all rule sets that are nearly as good as the best, to choose and to change."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from ooa.errors import OptionError
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.rashomon import RashomonSet
from ooa.learning.settings import OOAxSettings
from ooa.report.coding import NAMES
from ooa.report.explorer import write_explorer
from ooa.rules.text import rules_text
from ooa.solving.solution import Termination

from .asked import settings_asked_for
from .fitting import odd_columns
from .modelfile import certificate_dict
from .output import following, refuse_unwritable, say, say_json, text_table
from .problem import Problem, read_problem
from .reporting import test_table

__all__ = ["run"]

#: Attributes that are shown.
MOST_SHOWN = 12


def run(arguments: argparse.Namespace) -> int:
    """List the rule sets and write the page."""
    refuse_unwritable(arguments, "output")
    if arguments.method != "ooax":
        raise OptionError("ooa explore lists sets of mined patterns: --method must be ooax")
    problem = read_problem(arguments)
    if not arguments.json and not arguments.quiet:
        say(f"{problem.summary()}\n")
    wanted = settings_asked_for(arguments, problem)
    if not arguments.quiet:
        odd_columns(problem, wanted)
    assert isinstance(wanted, OOAxSettings)
    with following(arguments.quiet) as progress:
        near = enumerate_optimal(
            problem.table,
            arguments.most,
            arguments.within,
            settings=replace(wanted, progress=progress),
        )
    test = None if problem.test is None else test_table(problem, problem.test, near.rules[0])[0]
    few = (name for name, values in problem.values.items() if len(values) <= NAMES)
    named: set[str] = set() if arguments.no_rows else set(few)
    write_explorer(
        near,
        arguments.output,
        test=test,
        rows=not arguments.no_rows,
        groups=arguments.groups,
        title=arguments.title,
        schema=problem.schema(named),
        constraints=problem.constraints,
    )
    if arguments.json:
        say_json(_document(near, arguments.output))
    else:
        _show(near, problem, arguments.output)
    interrupted = any(one.termination is Termination.INTERRUPTED for one in near.certificates)
    return 130 if interrupted else 0


def _document(near: RashomonSet, place: str) -> dict[str, Any]:
    """For machines: without the rule sets, which are in the page, but for the first."""
    frame = near.attributes()
    return {
        "page": place,
        "sets": len(near),
        "total": near.total,
        "complete": near.complete,
        "within": None if near.within is None else float(near.within),
        "headline": near.headline,
        "optimum": {
            "text": rules_text(near.rules[0], compact=True),
            "rules": near.rules[0].to_dict(),
            "certificate": certificate_dict(near.certificates[0]),
        },
        "attributes": frame.astype(object).where(frame.notna(), None).to_dict("records"),
    }


def _show(near: RashomonSet, problem: Problem, place: str) -> None:
    """What the list is, the optimum, and which attributes the rule sets use."""
    say(f"{near.headline}\n")
    say(rules_text(near.rules[0]))
    say()
    used = [row for row in near.attributes().to_dict("records") if row["sets"]]
    rows = [
        [row["attribute"], f"{100 * row['share']:.0f} %", _loss(row["without"], row["without_at_least"])]
        for row in used[:MOST_SHOWN]
    ]
    say(text_table(["attribute", "used by", "loss without"], rows, left=(0,)))
    if len(used) > MOST_SHOWN:
        say(f"and {len(used) - MOST_SHOWN} more attributes")
    rows_of = near.rows()
    if any(one.termination is Termination.TIME_LIMIT for one in near.certificates):
        say("\nthe time limit ended the list: a longer --time-limit, or a smaller --within, lists all")
    share = rows_of["weight"][rows_of["ambiguous"]].sum() / rows_of["weight"].sum()
    say(f"\n{100 * share:.1f} % of the rows are predicted otherwise by one of them than by the first")
    say(f"the page: {place}; open it in any browser")


def _loss(without: float, sure: float) -> str:
    """How much the best without an attribute loses, as far as it is known."""
    if without != without:  # none is listed
        return f"over {sure:.4f}" if sure > 0 else "?"
    return f"{without:.4f}" if sure >= without else f"at most {without:.4f}"
