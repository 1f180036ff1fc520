"""The section of the report about right and wrong: confusion matrices and rates, side by side."""

from __future__ import annotations

from collections.abc import Sequence

from ooa.data.amounts import amount, percent
from ooa.rules.confusion import Confusion
from ooa.rules.markup import Html, join, tag
from ooa.rules.tally import Tally
from ooa.rules.text import value_text

from .figures import Figures, RowFigures
from .parts import grid, key, prediction, section
from .pictures import bar
from .words import several

__all__ = ["matrices", "outcome_section", "rates_grid"]

#: What the rates are called, for those who know the words and for those who do not.
_RATES = {
    "accuracy": "Right in all (accuracy)",
    "sensitivity": "Found, of all positive (sensitivity)",
    "specificity": "Recognised, of all negative (specificity)",
    "ppv": "Right when positive is predicted (PPV, precision)",
    "npv": "Right when negative is predicted (NPV)",
}


def outcome_section(figures: Figures) -> Html:
    """Confusion matrices and rates of the rule set, and matrices of each pattern."""
    entries = [("found", "found"), ("missed", "missed"), ("alarms", "false alarm"), ("spared", "recognised")]
    single = [
        tag("div", matrix(one.rows.patterns[k].confusion, f"Pattern {k + 1}{one.suffix}", figures))
        for k in range(len(figures.rules))
        for one in figures.sets
    ]
    beside = "matrices pairs" if len(figures.sets) > 1 else "matrices"
    return section(
        "outcome",
        "Right and wrong",
        [_told(one, figures) for one in figures.sets],
        key(entries),
        matrices(figures.tallies, figures),
        tag("h3", "In rates"),
        rates_grid(figures),
        (tag("h3", "Each pattern on its own"), tag("div", single, class_=beside)) if single else None,
    )


def _told(one: RowFigures, figures: Figures) -> Html:
    """Return what is right and what is wrong of some rows, in words and as a bar."""
    all_ = one.rows.confusion
    parts = [("found", all_.found), ("missed", all_.missed), ("alarms", all_.alarms), ("spared", all_.spared)]
    yes, no = prediction(figures, True), prediction(figures, False)
    words = (
        f"Of {several(int(all_.total), one.row)}, {amount(all_.positives)} are {yes}: {amount(all_.found)} "
        f"found, {amount(all_.missed)} missed. The other {amount(all_.negatives)} are {no}: "
        f"{amount(all_.spared)} recognised as such; false alarms: {amount(all_.alarms)}."
    )
    return join(tag("p", words), bar(parts, all_.total, words))


def rates_grid(figures: Figures) -> Html:
    """Return the rates as a table: a column for each set of rows, and those by weight after them."""
    tallies = figures.tallies

    def cell(name: str, one: Tally) -> Html:
        part, whole = one.confusion.rates[name]
        of = tag("small", f"{amount(part)} of {amount(whole)}")
        return tag("td", percent(part, whole), of, class_="n", data_name=f"{one.name}: ")

    rows = [
        tag("tr", tag("th", words, scope="row"), [cell(name, one) for one in tallies])
        for name, words in _RATES.items()
    ]
    head = ["Rate", *(one.name for one in tallies)]
    return grid("Rates of the whole rule set", head, rows, range(1, len(head)), kind="rates stack")


def matrices(tallies: Sequence[Tally], figures: Figures) -> Html:
    """Return the confusion matrices of the whole rule set beside one another."""
    tables = [
        tag("div", matrix(one.confusion, f"All rules together: {one.name.lower()}", figures))
        for one in tallies
    ]
    return tag("div", tables, class_="matrices lone" if len(tallies) == 1 else "matrices pairs")


def matrix(confusion: Confusion, caption: str, figures: Figures) -> Html:
    """Return a confusion matrix; the tint grows with the share of all rows."""
    yes, no = value_text(figures.rules.positive), value_text(figures.rules.negative)

    def cell(value: float, kind: str, words: str) -> Html:
        share = value / confusion.total if confusion.total else 0.0
        return tag("td", amount(value), tag("small", words), class_=kind, style=f"--share:{share:.3f}")

    head = tag(
        "tr",
        tag("th", "truth", scope="col"),
        tag("th", f"predicted {yes}", scope="col", class_="n"),
        tag("th", f"predicted {no}", scope="col", class_="n"),
    )
    rows = [
        tag(
            "tr",
            tag("th", yes, scope="row"),
            cell(confusion.found, "right", "found"),
            cell(confusion.missed, "wrong", "missed"),
        ),
        tag(
            "tr",
            tag("th", no, scope="row"),
            cell(confusion.alarms, "wrong", "false alarm"),
            cell(confusion.spared, "right", "recognised"),
        ),
    ]
    return tag("table", tag("caption", caption), tag("thead", head), tag("tbody", rows), class_="matrix")
