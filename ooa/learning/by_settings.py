"""For those who hold the settings of a fit: the fit, its plan, and why it ended with nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.generate import candidate_literals
from ooa.clock import Deadline
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.objective import Objective

from .empty_result import TrivialResult, explain_trivial
from .ooa import explain_ooa, learn_ooa
from .ooax import explain_ooax, learn_ooax, run_ooax
from .proof_scope import least_support
from .settings import FitSettings, OOASettings, OOAxSettings
from .state import Fit
from .stock import Stock
from .verdict import Learned, certify

__all__ = ["explain_fit", "explain_plan", "learn", "prepare"]


def learn(table: Table, settings: FitSettings, stock: Stock | None = None) -> Learned:
    """Learn a rule set in the way that the settings are about; OOAx may use what a stock has.

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> print(learn(table, OOASettings(C1=0.1, C2=0.1)).rules[0])
    x ≥ 3
    """
    if isinstance(settings, OOASettings):
        return learn_ooa(table, settings)
    assert isinstance(settings, OOAxSettings)
    return learn_ooax(table, settings, stock=stock)


def prepare(table: Table, settings: FitSettings) -> Learned:
    """Do what a fit does before its program is solved: the start it would have, and the candidates for OOAx.

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> ready = prepare(table, OOAxSettings(C1=0.1, C2=0.1))
    >>> print(ready.rules[0], ready.solution)
    x ≥ 3 None
    """
    fit = Fit.of(table, settings)
    first = (
        settings
        if isinstance(settings, OOAxSettings)
        else OOAxSettings(**settings.common() | settings.language())
    )
    with fit.log.line:  # as an ILP would have it: the exact search often begins without a start
        return certify(fit, run_ooax(fit, replace(first, selection="ilp"), choose=False))


def explain_plan(table: Table, settings: FitSettings) -> str:
    """Say who would run when in a fit, for how long and why; nothing is solved for it.

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> print(explain_plan(table, OOASettings(time_limit=10, decompose=False)).splitlines()[-1])
    2. the MIP that forms patterns: for what OOAx leaves open
    """
    if isinstance(settings, OOASettings):
        return explain_ooa(table, settings)
    assert isinstance(settings, OOAxSettings)
    return explain_ooax(table, settings)


def explain_fit(
    learned: Learned, holds: NDArray[np.bool_], table: Table, settings: FitSettings
) -> TrivialResult | None:
    """Find out why a rule set tells no training rows apart; None if it does, or if the certificate says why.

    Parameters
    ----------
    learned : what was learned
    holds : for each training row and each pattern, whether it holds
    table : the training data
    settings : what the fit was told
    """
    fires = holds.any(axis=1)
    if (fires.any() and not fires.all()) or not learned.certificate.feasible:
        return None
    spent = sum(learned.certificate.seconds.values())
    seconds = settings.policy.time_to_explain(settings.seconds, spent)
    deadline = Deadline.after(seconds, settings.clock)
    rows = table.distinct(deadline)
    return explain_trivial(
        learned,
        rows,
        Objective.of(settings.C1, settings.C2),
        candidate_literals(rows, **settings.language(), deadline=deadline),
        constrained=bool(settings.constraints),
        deadline=deadline,
        **_look(rows, settings),
    )


def _look(rows: DistinctRows, settings: FitSettings) -> dict[str, Any]:
    """What a look for a first pattern is told about the patterns."""
    look: dict[str, Any] = {}
    if isinstance(settings, OOAxSettings):
        look["max_length"] = settings.max_length
        if settings.min_support is not None:
            look["min_positive"] = least_support(settings.min_support, rows)
    return look
