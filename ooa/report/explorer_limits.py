"""The limits that rule sets on the page to explore are checked for: sums over rows, and over their form."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ooa.constraints import (
    at_most_one_of,
    budget,
    demographic_parity,
    equal_opportunity,
    forbid_together,
    max_false_negatives,
    max_false_positives,
    max_total_literals,
    max_uses,
    min_precision,
    min_sensitivity,
    min_specificity,
    monotone,
    require_attribute,
)
from ooa.data.table import Table
from ooa.formulations.base import ConstraintLike, describe
from ooa.formulations.row_sums import row_sums
from ooa.formulations.task import Task
from ooa.objective import Objective
from ooa.solving.prepare import FEASIBILITY

from .coding import CodedRows

__all__ = ["limits_document"]


def limits_document(
    constraints: Sequence[ConstraintLike | str], table: Table, objective: Objective, rows: CodedRows | None
) -> list[dict[str, Any]]:
    """What the page has to know of every constraint; without rows, or where it cannot count, its name alone.

    A sum over rows is met if the weights of the coded rows that are covered add up to no more than its limit.
    Of the form, what attributes and conditions weigh is added up: over all patterns ("patterns"), over the
    attributes in the rule set ("set"), or in each pattern by itself ("each"); or no condition bounds the
    attributes from that side ("below", "above").

    Parameters
    ----------
    constraints : themselves, or words for those that are not at hand
    table : the rows learned from
    objective : the prices
    rows : the coded rows of the page, if it has any
    """
    task = Task.of(table, objective)
    found = []
    for one in constraints:
        if isinstance(one, str):
            found.append({"name": one, "words": one})
            continue
        words = _WORDS.get(type(one), describe)
        document: dict[str, Any] = {"name": describe(one), "words": words(one)}
        form = _FORMS.get(type(one))
        if form is not None:
            document["form"] = form(one)
        elif rows is not None:
            document |= _sums(task, one, rows)
        found.append(document)
    return found


def _sums(task: Task, constraint: ConstraintLike, rows: CodedRows) -> dict[str, Any]:
    """A constraint as sums over coded rows, if it can be."""
    sums = row_sums(task, constraint, FEASIBILITY)
    if sums is None:
        return {}
    coded = np.zeros(task.rows.n_rows, dtype=np.int64)
    coded[task.rows.row] = rows.row  # equal rows have equal codes
    many = len(rows.positive)
    weights = (np.bincount(coded, weights=one.weight, minlength=many) for one in sums)
    return {
        "sums": [
            {"weight": base64.b64encode(weight.astype("<f8").tobytes()).decode("ascii"), "most": one.limit}
            for weight, one in zip(weights, sums)
        ]
    }


def _form(
    over: str, most: float, attributes: Mapping[str, float] | None = None, literal: float = 0
) -> dict[str, Any]:
    return {"over": over, "most": most, "attributes": dict(attributes or {}), "literal": literal}


_FORMS: dict[type, Callable[[Any], dict[str, Any]]] = {
    max_uses: lambda one: _form("patterns", one.whole_number("most"), {one.attribute: 1}),
    max_total_literals: lambda one: _form("patterns", one.whole_number("most"), literal=1),
    at_most_one_of: lambda one: _form("set", 1, dict.fromkeys(one.attributes, 1)),
    budget: lambda one: _form(
        "set", float(one.number("most")), {name: float(cost) for name, cost in one.costs.items()}
    ),
    require_attribute: lambda one: _form("set", -1, {one.attribute: -1}),
    monotone: lambda one: _form("above" if one.direction == "increasing" else "below", 0, {one.attribute: 1}),
    forbid_together: lambda one: _form("each", 1, dict.fromkeys(one.attributes, 1)),
}


def _percent(share: float) -> str:
    return f"{100 * float(share):g} %"


def _gap(words: str, one: Any) -> str:
    between = f" by {one.group}" if isinstance(one.group, str) else ""
    return f"{words}{between} at most {_percent(one.gap)}"


def _uses(one: max_uses) -> str:
    most = one.whole_number("most")
    return (
        f"{one.attribute} in at most {most} pattern{'s' * (most != 1)}"
        if most
        else f"{one.attribute} is not used"
    )


#: What the page calls limits, where that says more to a reader than their names.
_WORDS: dict[type, Callable[[Any], str]] = {
    min_sensitivity: lambda one: f"sensitivity at least {_percent(one.least)}",
    min_specificity: lambda one: f"specificity at least {_percent(one.least)}",
    min_precision: lambda one: f"positive predictive value at least {_percent(one.least)}",
    max_false_negatives: lambda one: f"at most {float(one.most):g} positives missed",
    max_false_positives: lambda one: f"at most {float(one.most):g} false alarms",
    demographic_parity: lambda one: _gap("gap in predictions", one),
    equal_opportunity: lambda one: _gap("sensitivity gap", one),
    max_total_literals: lambda one: f"at most {one.most:g} condition{'s' * (one.most != 1)}",
    max_uses: _uses,
    require_attribute: lambda one: f"{one.attribute} is used",
    at_most_one_of: lambda one: f"at most one of {', '.join(one.attributes)}",
    forbid_together: lambda one: f"{' and '.join(one.attributes)} in no pattern together",
}
