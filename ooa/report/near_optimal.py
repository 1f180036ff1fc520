"""The section on rule sets that are nearly as good: what they rely on, and what can be attained."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from ooa.explore.rashomon import RashomonSet
from ooa.rules.markup import Html, tag

from .parts import grid, section
from .words import several

__all__ = ["near_section"]

#: Attributes that are listed at most.
MOST = 30
_FIGURES = {
    "errors": "errors, by weight",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "ppv": "positive predictive value",
    "flagged": "predicted positive",
    "literals": "conditions",
    "patterns": "patterns",
    "attributes": "attributes",
    "changed_rows": "rows predicted otherwise than by the first",
}


def near_section(near: RashomonSet) -> Html:
    """What near-optimal rule sets say together."""
    rows = near.rows()
    weight = rows["weight"].to_numpy()
    ambiguous = 100 * weight[rows["ambiguous"].to_numpy()].sum() / weight.sum()
    used = [one for one in near.attributes().to_dict("records") if one["sets"]]
    listed = [_attribute(one) for one in used[:MOST]]
    figures = [_range(one) for one in near.ranges().to_dict("records")]
    more = f" The {MOST} that most use are listed." if len(used) > MOST else ""
    return section(
        "near",
        "Nearly as good",
        tag("p", f"{near.headline[0].upper()}{near.headline[1:]}."),
        tag(
            "p",
            f"{ambiguous:.1f} % of the rows, by weight, are predicted otherwise by one of them than by "
            f"the first. They use {several(len(used), 'attribute')}.{more}",
        ),
        grid(
            "What they rely on; the loss is how far L of the best one without it is above the best",
            ["Attribute", "Used by", "Loss without"],
            listed,
            (1, 2),
        ),
        grid(
            f"What can be attained{'' if near.complete else ', among those listed'}",
            ["Figure", "The first", "Least", "Most"],
            figures,
            (1, 2, 3),
        ),
    )


def _attribute(one: Mapping[Any, Any]) -> Html:
    without, sure = one["without"], one["without_at_least"]
    if math.isnan(without):
        lost = f"over {sure:.4f}" if sure > 0 else "unknown"
    else:
        lost = f"{without:.4f}" if sure >= without else f"at most {without:.4f}"
    cells = (f"{100 * one['share']:.0f} %", lost)
    return tag(
        "tr", tag("th", one["attribute"], scope="row"), [tag("td", text, class_="n") for text in cells]
    )


def _range(one: Mapping[Any, Any]) -> Html:
    rate = one["figure"] in ("sensitivity", "specificity", "ppv", "flagged")
    values = (one[name] for name in ("optimum", "least", "most"))
    cells = [f"{100 * value:.1f} %" if rate else f"{value:,g}" for value in values]
    name = _FIGURES.get(one["figure"], one["figure"])
    return tag("tr", tag("th", name, scope="row"), [tag("td", text, class_="n") for text in cells])
