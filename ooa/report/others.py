"""The sections of the report on other rule sets: from simple to accurate, from specific to sensitive."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from ooa.checks import few_of
from ooa.data.amounts import amount, percent
from ooa.errors import OptionError
from ooa.rules.markup import Html, tag

from .figures import Figures
from .near_optimal import near_section
from .parts import grid, key, section
from .pictures import Marks, chart
from .words import several

if TYPE_CHECKING:
    import pandas as pd

    from ooa.explore.rashomon import RashomonSet

__all__ = ["NO_OTHERS", "Others"]


@dataclass(frozen=True, eq=False)
class Others:
    """Other rule sets that a report shows beside the one it is about; all over the rows learned from.

    Attributes
    ----------
    path_frame : what `path` returned: rule sets of other sizes
    curve_frame : what `operating_curve` returned: rule sets from specific to sensitive
    near : what `near_optimal` returned: rule sets that are nearly as good
    """

    path_frame: pd.DataFrame | None = None
    curve_frame: pd.DataFrame | None = None
    near: RashomonSet | None = None

    def refuse(self) -> None:
        """Raise if there are any: the rows learned from are not at hand."""
        for one in fields(self):
            if getattr(self, one.name) is not None:
                raise OptionError(
                    f"{one.name} is about the rows learned from, and the report is about others"
                )

    def sections(self, figures: Figures) -> list[tuple[str, str, Html]]:
        """The name of each section, what links call it, and the section."""
        found = []
        if self.path_frame is not None:
            found.append(("path", "Complexity", path_section(figures, self.path_frame)))
        if self.curve_frame is not None:
            found.append(("curve", "Sensitivity", curve_section(figures, self.curve_frame)))
        if self.near is not None:
            found.append(("near", "Nearly as good", near_section(self.near)))
        return found


NO_OTHERS = Others()


def path_section(figures: Figures, path: pd.DataFrame) -> Html:
    """Errors against complexity, along a path of rule sets."""
    _check(path, "path_frame", ("errors", "literals", "patterns"))
    found = figures.certificate
    total, held_out = float(found.total), set(_HELD_OUT) <= set(path.columns)
    size = ["literals", "patterns", "errors"]
    models = path.sort_values(size, kind="stable").drop_duplicates(size).to_dict("records")
    here = (float(found.literals), 100 * float(found.errors) / total)
    words = "; ".join(
        f"{several(int(m['literals']), 'condition')}: {percent(float(m['errors']), total)} wrong"
        for m in models
    )
    by_weight = ", by weight" if figures.certificate.weighted else ""
    series = [Marks("path", [(m["literals"], 100 * m["errors"] / total) for m in models])]
    if held_out:
        series.append(Marks("held-out", [(m["literals"], 100 * (1 - m["cv_accuracy"])) for m in models]))
    picture = chart(
        [*series, Marks("here", [here])],
        "conditions in the rule set",
        f"errors, %{by_weight}",
        f"Errors against size of {several(len(models), 'rule set')}. {words}.",
    )
    rows = [tag("tr", *(tag("td", text, class_="n") for text in _model(m, total, held_out))) for m in models]
    head = ["Conditions", "Patterns", f"Errors{by_weight}", f"Accuracy{by_weight}"]
    head += [f"{rate}, held out" for rate in ("Accuracy", "Sensitivity", "Specificity")] if held_out else []
    dots = [("dot path", "best rule set known at other prices")]
    dots += [("dot held-out", "what rule sets of the same price do on rows held out")] if held_out else []
    return section(
        "path",
        "Accuracy against complexity",
        tag(
            "p",
            "Other prices of size give other rule sets: longer ones make fewer errors on the rows learned "
            "from, but are harder to use and may do no better on others.",
        ),
        picture,
        key([*dots, ("dot here", "this rule set")]),
        grid("The rule sets in figures", head, rows, range(len(head))),
        *([tag("p", _SPREAD, class_="soft")] if held_out else []),
    )


#: The rates on rows held out; each has its standard error beside it.
_HELD_OUT = ("cv_accuracy", "cv_sensitivity", "cv_specificity")
_SPREAD = "Held out: the mean over the folds, ± its standard error."


def _model(model: Mapping[Hashable, Any], total: float, held_out: bool) -> list[str]:
    errors = float(model["errors"])
    cells = [
        f"{model['literals']:,}",
        f"{model['patterns']:,}",
        amount(errors),
        percent(total - errors, total),
    ]
    return cells + [_with_spread(model, name) for name in (_HELD_OUT if held_out else ())]


def _with_spread(row: Mapping[Hashable, Any], name: str) -> str:
    """A rate on rows held out, with its standard error if that is there."""
    if not math.isfinite(row[name]):
        return "–"
    spread = row.get(f"{name}_se", math.nan)
    return f"{100 * row[name]:.1f} %" + (f" ± {100 * spread:.1f}" if math.isfinite(spread) else "")


def curve_section(figures: Figures, curve: pd.DataFrame) -> Html:
    """Sensitivity against false alarms, along weights of a positive row, and along prices if these differ."""
    _check(curve, "curve_frame", ("weight", "sensitivity", "specificity", "literals", "proved"))
    held_out = {"cv_sensitivity", "cv_specificity"} <= set(curve.columns)
    prices = {"C1", "C2", "envelope"} <= set(curve.columns) and len(curve[["C1", "C2"]].drop_duplicates()) > 1
    points = (curve[curve["envelope"]] if prices else curve).to_dict("records")
    series = [Marks("path", [_place(one, "") for one in points])]
    if held_out:
        series.append(Marks("held-out", [_place(one, "cv_") for one in points]))
    counted = figures.sets[0].rows.confusion
    here = 100 * counted.alarms / counted.negatives, 100 * counted.found / counted.positives
    series.append(Marks("here", [here]))
    words = "; ".join(
        f"weight {one['weight']:g}: {one['sensitivity']:.1%} found, {1 - one['specificity']:.1%} false alarms"
        for one in points
    )
    head = ["Weight of a positive row", *(["Price"] if prices else []), "Conditions", "Sensitivity"]
    head += ["Specificity", *(["Sensitivity, held out", "Specificity, held out"] if held_out else [])]
    names = ["sensitivity", "specificity"] + (["cv_sensitivity", "cv_specificity"] if held_out else [])
    rows = [
        tag(
            "tr",
            tag("td", f"{one['weight']:g}", class_="n"),
            *([tag("td", _price(one), class_="n")] if prices else []),
            tag("td", f"{one['literals']:,}", class_="n"),
            *(tag("td", _with_spread(one, name), class_="n") for name in names),
            tag("td", "proved optimal" if one["proved"] else "best known"),
        )
        for one in points
    ]
    other = "weights and prices: those that no other one beats" if prices else "weights"
    dots = [("dot path", f"best rule set known at other {other}")]
    dots += [("dot held-out", "what such rule sets do on rows held out")] if held_out else []
    return section(
        "curve",
        "From specific to sensitive",
        tag(
            "p",
            "If a positive row counts for more negative ones, other rule sets are the best: they find more, "
            "and raise more false alarms.",
        ),
        chart(
            series,
            "false alarms, % of the negatives",
            "found, % of the positives",
            f"Share found against false alarms of {several(len(points), 'rule set')}. {words}.",
        ),
        key([*dots, ("dot here", "this rule set")]),
        grid("The rule sets in figures", [*head, "Proof"], rows, range(len(head))),
        *([tag("p", _SPREAD, class_="soft")] if held_out else []),
    )


def _price(one: Mapping[Hashable, Any]) -> str:
    return f"{one['C1']:g}" if one["C1"] == one["C2"] else f"{one['C1']:g}, {one['C2']:g}"


def _place(one: Mapping[Hashable, float], rows: str) -> tuple[float, float]:
    return 100 * (1 - one[f"{rows}specificity"]), 100 * one[f"{rows}sensitivity"]


def _check(frame: pd.DataFrame, name: str, needed: Sequence[str]) -> None:
    lacking = [column for column in needed if column not in frame.columns]
    if lacking:
        raise OptionError(f"{name} has no column {lacking[0]!r}; it needs {few_of(needed)}")
