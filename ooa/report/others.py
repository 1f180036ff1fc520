"""The sections of the report on other rule sets: from simple to accurate, from specific to sensitive."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

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
    total = float(found.total)
    models = sorted(
        {(int(m["literals"]), int(m["patterns"]), float(m["errors"])) for m in path.to_dict("records")}
    )
    here = (float(found.literals), 100 * float(found.errors) / total)
    words = "; ".join(f"{several(n, 'condition')}: {percent(e, total)} wrong" for n, _, e in models)
    by_weight = ", by weight" if figures.certificate.weighted else ""
    picture = chart(
        [Marks("path", [(n, 100 * errors / total) for n, _, errors in models]), Marks("here", [here])],
        "conditions in the rule set",
        f"errors, %{by_weight}",
        f"Errors against size of {several(len(models), 'rule set')}. {words}.",
    )
    rows = [
        tag("tr", *(tag("td", text, class_="n") for text in _model(n, k, errors, total)))
        for n, k, errors in models
    ]
    head = ["Conditions", "Patterns", f"Errors{by_weight}", f"Accuracy{by_weight}"]
    return section(
        "path",
        "Accuracy against complexity",
        tag(
            "p",
            "Other prices of size give other rule sets: longer ones make fewer errors on the rows learned "
            "from, but are harder to use and may do no better on others.",
        ),
        picture,
        key([("dot path", "best rule set known at other prices"), ("dot here", "this rule set")]),
        grid("The rule sets in figures", head, rows, range(4)),
    )


def _model(literals: int, patterns: int, errors: float, total: float) -> tuple[str, str, str, str]:
    return f"{literals:,}", f"{patterns:,}", amount(errors), percent(total - errors, total)


def curve_section(figures: Figures, curve: pd.DataFrame) -> Html:
    """Sensitivity against false alarms, along weights of a positive row."""
    _check(curve, "curve_frame", ("weight", "sensitivity", "specificity", "literals", "proved"))
    held_out = {"cv_sensitivity", "cv_specificity"} <= set(curve.columns)
    points = curve.to_dict("records")
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
    head = ["Weight of a positive row", "Conditions", "Sensitivity", "Specificity"]
    head += ["Sensitivity, held out", "Specificity, held out"] if held_out else []
    names = ["sensitivity", "specificity"] + (["cv_sensitivity", "cv_specificity"] if held_out else [])
    rows = [
        tag(
            "tr",
            tag("td", f"{one['weight']:g}", class_="n"),
            tag("td", f"{one['literals']:,}", class_="n"),
            *(tag("td", f"{100 * one[name]:.1f} %", class_="n") for name in names),
            tag("td", "proved optimal" if one["proved"] else "best known"),
        )
        for one in points
    ]
    dots = [("dot path", "best rule set known at other weights")]
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
    )


def _place(one: Mapping[Hashable, float], rows: str) -> tuple[float, float]:
    return 100 * (1 - one[f"{rows}specificity"]), 100 * one[f"{rows}sensitivity"]


def _check(frame: pd.DataFrame, name: str, needed: Sequence[str]) -> None:
    lacking = [column for column in needed if column not in frame.columns]
    if lacking:
        raise OptionError(f"{name} has no column {lacking[0]!r}; it needs {few_of(needed)}")
