"""From the options to the settings of a fit, for every command that learns."""

from __future__ import annotations

import argparse
from dataclasses import fields
from typing import Any

from ooa.learning.settings import METHODS, FitSettings
from ooa.rules.ruleset import RuleSet

from .problem import Problem
from .wording import SPELLED

__all__ = ["settings_asked_for"]


def settings_asked_for(
    arguments: argparse.Namespace, problem: Problem, *, start: RuleSet | None = None, **more: Any
) -> FitSettings:
    """The settings that a command line asks for; what it does not say is as everywhere else.

    Parameters
    ----------
    arguments : what was typed
    problem : what it is about, with the constraints
    start : the rule set to start from, of which an option only names the file
    **more : settings that no option is about
    """
    kind, typed = METHODS[arguments.method], vars(arguments)
    options = {field.name: SPELLED.get(field.name, field.name) for field in fields(kind)}
    chosen = {name: typed[option] for name, option in options.items() if option in typed}
    chosen["missing"] = arguments.missing == ["literal"]  # the other ways are about the table
    if arguments.thresholds is None:  # each method has its own way
        del chosen["thresholds"]
    if problem.compressed is not None and problem.compressed.narrowed:
        chosen["thresholds"] = problem.compressed.cuts  # rows were merged between these
    return kind(**chosen | {"constraints": problem.constraints, "start": start} | more)
