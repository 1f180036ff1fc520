"""Rows held out in turn, for the commands that learn several rule sets: which, and what is counted there."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from ooa.errors import OptionError
from ooa.estimators.folds import splits_of
from ooa.explore.held_out import Split

from .output import finite
from .problem import Problem
from .scoring import rate_text

__all__ = ["HELD_OUT", "folds_asked_for", "held_out_document", "held_out_text"]

#: What is counted on rows held out.
HELD_OUT = ("accuracy", "sensitivity", "specificity")


def folds_asked_for(arguments: argparse.Namespace, problem: Problem, seed: int) -> list[Split]:
    """The folds that a command line asks for; none if it asks for 0."""
    rows = problem.table.n_rows
    if not arguments.folds:
        return []
    if not 2 <= arguments.folds <= rows:
        raise OptionError(f"--folds (--cv) must be 0, or from 2 to the number of rows, {rows}")
    return splits_of(problem.table, arguments.folds, None, seed)


def held_out_document(row: Mapping[Any, Any]) -> dict[str, Any] | None:
    """The rates on rows held out with their standard errors, for machines; None if there are no folds."""
    if "cv_accuracy" not in row:
        return None
    names = (f"{rate}{end}" for rate in HELD_OUT for end in ("", "_se"))
    return {name: finite(row[f"cv_{name}"]) for name in names}


def held_out_text(row: Mapping[Any, Any], name: str) -> str:
    """A rate on rows held out for people, with its standard error.

    Examples
    --------
    >>> held_out_text({"cv_accuracy": 0.8125, "cv_accuracy_se": 0.0204}, "cv_accuracy")
    '81.2 % ± 2.0'
    """
    rate = finite(row[name])
    return "-" if rate is None else f"{rate_text(rate)} ± {100 * row[f'{name}_se']:.1f}"
