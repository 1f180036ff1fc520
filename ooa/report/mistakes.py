"""The section of the report about the rows that are predicted wrongly: which they are, and why."""

from __future__ import annotations

from collections.abc import Mapping

from ooa.data.amounts import amount
from ooa.rules.markup import Content, Html, join, tag
from ooa.rules.text import name_text

from .figures import Figures
from .misses import NAMED, WrongRows, wrong_rows
from .parts import grid, prediction, section
from .words import several

__all__ = ["missed_section"]


def missed_section(figures: Figures) -> Html:
    """Which rows are wrong and why; at most a few of each kind.

    Beside the training rows there may be test rows; then it is about these.
    """
    wrong = wrong_rows(figures)
    return section(
        "missed",
        "Rows that are predicted wrongly, and why",
        _unavoidable(figures, wrong),
        tag("h3", "Missed"),
        _missed(figures, wrong),
        tag("h3", "False alarms"),
        _alarms(figures, wrong),
    )


def _unavoidable(figures: Figures, wrong: WrongRows) -> Html:
    which = "These are the test rows. " if len(figures.sets) > 1 else ""
    if not wrong.n_missed + wrong.n_alarms:
        return tag("p", which, "Every row is predicted right.")
    one = figures.main
    words = (
        f"{several(one.unavoidable, 'error')} of {amount(one.rows.confusion.errors)} cannot be "
        "avoided by any rule on these attributes, as there are rows that agree in all of them and still "
        "differ in the outcome."
        if one.unavoidable
        else "None of the errors is forced by the data: no two rows agree in every attribute and differ in "
        "the outcome."
    )
    named = (
        " Rows were merged where they live, and so have no numbers here."
        if one.table.copies is not None
        else " Rows are counted from 0, in the order of the table."
        if figures.names is None
        else f" Rows are named by {name_text(figures.names.kind)}."
    )
    return tag("p", which, words, named)


def _missed(figures: Figures, wrong: WrongRows) -> Html:
    if not wrong.n_missed:
        return tag("p", f"None: every row with {prediction(figures, True)} is found.")
    if not len(figures.rules):
        return tag(
            "p", f"All {several(wrong.n_missed, 'positive row')}, as there is no pattern to find them."
        )
    lacks = "; ".join(
        f"{several(rows, 'row')} by {several(lack, 'condition')}" for lack, rows in wrong.by_lack.items()
    )
    rows = [
        tag(
            "tr",
            tag("th", _names(one.rows, figures), scope="row", data_name=f"{_head(figures)} "),
            tag("td", _values(one.values)),
            tag("td", str(one.pattern), _as_near(one.as_near), data_name="Nearest pattern: "),
            tag("td", "; ".join(one.lacks), data_name="It lacks: "),
        )
        for one in wrong.missed
    ]
    head = [_head(figures), "Values the rules look at", "Nearest pattern", "What it lacks"]
    shown = _shown(len(rows), wrong.missed_groups, wrong.n_missed, "those that lack least first")
    return join(
        tag(
            "p",
            f"{several(wrong.n_missed, 'row')} of {prediction(figures, True)} fail the pattern that "
            f"comes nearest: {lacks}.",
        ),
        grid(shown, head, rows, kind="stack"),
    )


def _alarms(figures: Figures, wrong: WrongRows) -> Html:
    if not wrong.n_alarms:
        return tag("p", f"None: no row with {prediction(figures, False)} is predicted otherwise.")
    by = "; ".join(f"pattern {k} on {n:,}" for k, n in enumerate(wrong.by_pattern, 1) if n)
    rows = [
        tag(
            "tr",
            tag("th", _names(one.rows, figures), scope="row", data_name=f"{_head(figures)} "),
            tag("td", _values(one.values)),
            tag("td", ", ".join(map(str, one.patterns)), data_name="Patterns that hold: "),
        )
        for one in wrong.alarms
    ]
    return join(
        tag("p", f"{several(wrong.n_alarms, 'row')} of {prediction(figures, False)}: {by}."),
        grid(
            _shown(len(rows), wrong.alarm_groups, wrong.n_alarms, "the most frequent first"),
            [_head(figures), "Values the rules look at", "Patterns that hold"],
            rows,
            kind="stack",
        ),
    )


def _as_near(patterns: tuple[int, ...]) -> str:
    return f" (as near: {', '.join(map(str, patterns))})" if patterns else ""


def _values(values: Mapping[str, str]) -> Html:
    """Return a row's values."""
    pieces: list[Content] = []
    for name, value in values.items():
        pieces += [", " if pieces else None, f"{name_text(name)} ", tag("b", value)]
    return join(*pieces)


def _head(figures: Figures) -> str:
    """Return what the first column is called."""
    return "Rows" if figures.names is None else name_text(figures.names.kind)


def _names(rows: tuple[int, ...], figures: Figures) -> str:
    """Return the first names, or numbers, of rows, and how many there are; of merged rows only this."""
    copies = figures.main.table.copies
    if copies is not None:
        return several(int(copies[list(rows)].sum()), "row")
    names = [str(row) if figures.names is None else figures.names.texts[row] for row in rows[:NAMED]]
    named = ", ".join(names)
    return f"{named} and {len(rows) - NAMED:,} more" if len(rows) > NAMED else named


def _shown(shown: int, groups: int, rows: int, order: str) -> str:
    """Return the caption of a list of groups of rows."""
    what = (
        several(rows, "row") if groups == rows else f"{several(groups, 'group')} of rows alike for the rules"
    )
    part = f"{shown} of " if shown < groups else "All " if groups > 1 else ""
    return f"{part}{what}, {order}" if groups > 1 else what
