"""`ooa fit --report`: the report on what was learned, with test rows beside those learned from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.data.table import Table
from ooa.learning.verdict import Learned
from ooa.rules.ruleset import RuleSet

from .problem import Problem
from .scoring import labelled

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["keep_report", "test_table"]


def keep_report(
    problem: Problem, learned: Learned, place: str, settings: Mapping[str, object], *, short: bool
) -> None:
    """Write a report on what was learned.

    Parameters
    ----------
    problem, learned : from what, and what
    place : the file
    settings : what was asked for
    short : whether one printed page is enough
    """
    from ooa.report.page import write_report, write_short_report

    test, names = None, problem.names
    if problem.test is not None:
        test, names = test_table(problem, problem.test, learned.rules)
    if short:
        write_short_report(learned, problem.table, place, test=test)
    else:
        write_report(learned, problem.table, place, test=test, ids=names, parameters=settings)


def test_table(problem: Problem, given: pd.DataFrame, rules: RuleSet) -> tuple[Table, Any]:
    """The test rows that have a label as a table, and what they are called."""
    rows, positive = labelled(rules, given)
    table = problem.table
    frame = table.take(rows)
    test = Table.of_columns(
        table.attributes,
        [frame.column(name) for name in frame.names],
        positive,
        np.ones(len(positive)),
        labels=table.labels,
        target=table.target,
    )
    # A test part stands nowhere by itself, so its rows are called by their numbers in the file.
    numbers = rows.index.to_series(name="row_in_file")
    return test, numbers if problem.names is None else rows[problem.names.name]
