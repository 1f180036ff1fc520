"""What near-optimal rule sets say together: attributes they rely on, rows they disagree on, and figures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ooa.checks import instance
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.objective import exact
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet

from .predictions import Predictions

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["attribute_frame", "group_gaps", "groups_of", "prices_of", "range_frame", "row_frame"]


def attribute_frame(
    names: Iterable[str], rules: Sequence[RuleSet], excess: Sequence[Fraction], known: Fraction | None
) -> pd.DataFrame:
    """For every attribute, how many rule sets use it, and what it costs to do without it, or with it.

    Parameters
    ----------
    names : of the attributes
    rules : the rule sets, best first
    excess : how far each is above the best
    known : no rule set that is not among them is nearer to the best than this; None if nothing is known
    """
    import pandas as pd

    uses = [set(one.attributes) for one in rules]
    rows = []
    for name in names:
        using = [name in used for used in uses]
        row: dict[str, Any] = {"attribute": name, "sets": sum(using), "share": sum(using) / max(1, len(uses))}
        for kind, wanted in (("without", False), ("with", True)):
            least = next((far for far, does in zip(excess, using) if does is wanted), None)
            sure = min((one for one in (least, known) if one is not None), default=Fraction(0))
            row |= {kind: math.nan if least is None else float(least)}
            row |= {f"{kind}_at_least": float(sure if known is not None else Fraction(0))}
        rows.append(row)
    columns = ["attribute", "sets", "share", "without", "without_at_least", "with", "with_at_least"]
    return pd.DataFrame(rows, columns=columns)


def row_frame(table: Table, rules: Sequence[RuleSet], excess: Sequence[Fraction]) -> pd.DataFrame:
    """For every row, what the best rule set predicts, and whether others that are nearly as good agree."""
    import pandas as pd

    made = Predictions(rules, table)
    positive = np.zeros(made.distinct.n_rows, dtype=np.int64)
    nearest = np.full(made.distinct.n_rows, np.nan)
    first: NDArray[np.bool_] | None = None
    for fires, far in zip(made, excess):
        first = fires if first is None else first
        positive += fires
        nearest[(fires != first) & np.isnan(nearest)] = float(far)
    if first is None:
        raise OptionError("there is no rule set to speak of")
    row = made.distinct.row
    return pd.DataFrame(
        {
            "positive": table.y,
            "weight": table.weight,
            "predicted": first[row],
            "share": positive[row] / len(rules),
            "ambiguous": ~np.isnan(nearest[row]),
            "nearest": nearest[row],
        }
    )


def range_frame(
    table: Table,
    rules: Sequence[RuleSet],
    groups: str | None = None,
    costs: Mapping[str, Any] | None = None,
) -> pd.DataFrame:
    """What can be attained within the distance: the least and the most of every figure, and where.

    Rates are of what rows weigh.
    """
    import pandas as pd

    if not rules:
        raise OptionError("there is no rule set to speak of")
    made = Predictions(rules, table)
    group = None if groups is None else groups_of(table, groups)
    price = None if costs is None else prices_of(table, costs)
    row, first = made.distinct.row, made.of(rules[0])
    figures: dict[str, list[float]] = {}
    for one, fires in zip(rules, made):
        here = _figures(one, fires[row], table)
        here["changed_rows"] = float(np.count_nonzero((fires != first)[row]))
        if group is not None:
            here |= group_gaps(fires[row], table, group)
        if price is not None:
            here["measuring_cost"] = float(sum((price[name] for name in one.attributes), Fraction(0)))
        for name, value in here.items():
            figures.setdefault(name, []).append(value)
    rows = []
    for name, values in figures.items():
        known = np.array(values)
        if np.isnan(known).all():
            continue
        least, most = int(np.nanargmin(known)), int(np.nanargmax(known))
        rows.append(
            {
                "figure": name,
                "optimum": values[0],
                "least": values[least],
                "most": values[most],
                "least_at": least,
                "most_at": most,
            }
        )
    return pd.DataFrame(rows)


def _figures(rules: RuleSet, fires: NDArray[np.bool_], table: Table) -> dict[str, float]:
    seen = Confusion.of(fires, table.y, table.weight)
    rates = {"sensitivity": seen.sensitivity, "specificity": seen.specificity, "ppv": seen.ppv}
    return {
        "errors": seen.errors,
        **{name: math.nan if rate is None else rate for name, rate in rates.items()},
        "flagged": seen.flagged / seen.total,
        "literals": float(rules.n_literals),
        "patterns": float(len(rules)),
        "attributes": float(len(rules.attributes)),
    }


def groups_of(table: Table, name: str) -> list[NDArray[np.bool_]]:
    """The rows of every value of an attribute."""
    instance(name, "groups", str, "None or the name of a column")
    column = next((column for column in table.columns if column.name == name), None)
    if column is None:
        raise OptionError(f"groups names {name!r}, which is not a column of the table")
    if not column.names:
        raise OptionError(f"groups names {name!r}, which holds numbers: groups are those of categories")
    found = [column.codes == code for code in range(len(column.names))]
    return [rows for rows in found if rows.any()]


def prices_of(table: Table, costs: Mapping[str, Any]) -> dict[str, Fraction]:
    """What it costs to measure each attribute: those that are not named cost nothing."""
    instance(costs, "costs", Mapping, "None or a dict from columns to numbers")
    known = {attribute.name: Fraction(0) for attribute in table.attributes}
    for name in costs:
        if name not in known:
            raise OptionError(f"costs name {name!r}, which is not a column of the table")
    return known | {name: exact(cost, f"the entry of costs for {name!r}") for name, cost in costs.items()}


def group_gaps(fires: NDArray[np.bool_], table: Table, groups: list[NDArray[np.bool_]]) -> dict[str, float]:
    """How far groups are apart in what is predicted of all, and of the positives among them."""
    rates: dict[str, Callable[[NDArray[np.bool_]], NDArray[np.bool_]]] = {
        "flagged_gap": lambda rows: rows,
        "sensitivity_gap": lambda rows: rows & table.y,
    }
    found = {}
    for name, among in rates.items():
        shares = []
        for rows in map(among, groups):
            weight = table.weight[rows].sum()
            if weight > 0:
                shares.append(float(table.weight[rows & fires].sum() / weight))
        found[name] = max(shares) - min(shares) if shares else math.nan
    return found
