"""The sections of the report about right and wrong: confusion matrices, and the wrong rows with reasons."""

from __future__ import annotations

from collections.abc import Mapping

from ooa.data.amounts import amount, percent
from ooa.rules.confusion import Confusion
from ooa.rules.text import name_text, value_text

from .figures import Figures
from .markup import Content, Html, join, tag
from .misses import NAMED, WrongRows, wrong_rows
from .parts import facts, grid, key, prediction, section
from .pictures import bar
from .words import several

__all__ = ["missed_section", "outcome_section"]


def outcome_section(figures: Figures) -> Html:
    """Confusion matrices, of the rule set and of each pattern."""
    all_ = figures.confusion
    parts = [("found", all_.found), ("missed", all_.missed), ("alarms", all_.alarms), ("spared", all_.spared)]
    yes, no = prediction(figures, True), prediction(figures, False)
    words = (
        f"Of {amount(all_.total)} {figures.rows}, {amount(all_.positives)} are {yes}: {amount(all_.found)} "
        f"found, {amount(all_.missed)} missed. The other {amount(all_.negatives)} are {no}: "
        f"{amount(all_.spared)} recognised as such; false alarms: {amount(all_.alarms)}."
    )
    rates = [
        ("Right in all (accuracy)", all_.found + all_.spared, all_.total),
        ("Found, of all positive (sensitivity)", all_.found, all_.positives),
        ("Recognised, of all negative (specificity)", all_.spared, all_.negatives),
        ("Right when positive is predicted (precision)", all_.found, all_.found + all_.alarms),
        ("Right when negative is predicted", all_.spared, all_.spared + all_.missed),
    ]
    entries = [("found", "found"), ("missed", "missed"), ("alarms", "false alarm"), ("spared", "recognised")]
    single = [
        tag("div", matrix(one.confusion, f"Pattern {k}", figures))
        for k, one in enumerate(figures.patterns, 1)
    ]
    return section(
        "outcome",
        "Right and wrong",
        tag("p", words),
        bar(parts, all_.total, words),
        key(entries),
        matrix(all_, f"All rules together ({figures.rows})", figures, large=True),
        tag("h3", "In rates"),
        facts([(name, percent(part, whole)) for name, part, whole in rates]),
        (tag("h3", "Each pattern on its own"), tag("div", single, class_="matrices")) if single else None,
    )


def matrix(confusion: Confusion, caption: str, figures: Figures, large: bool = False) -> Html:
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
    body = tag("thead", head), tag("tbody", rows)
    return tag("table", tag("caption", caption), *body, class_="matrix large" if large else "matrix")


def missed_section(figures: Figures) -> Html:
    """Which rows are wrong and why; at most a few of each kind."""
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
    if not wrong.n_missed + wrong.n_alarms:
        return tag("p", "Every row is predicted right.")
    all_ = figures.confusion
    words = (
        f"{amount(figures.unavoidable)} of the {amount(all_.missed + all_.alarms)} errors cannot be "
        "avoided by any rule on these attributes, as there are rows that agree in all of them and still "
        "differ in the outcome."
        if figures.unavoidable
        else "None of the errors is forced by the data: no two rows agree in every attribute and differ in "
        "the outcome."
    )
    return tag("p", words, " Rows are counted from 0, in the order of the table.")


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
            tag("th", _numbers(one.rows), scope="row", data_name="Rows "),
            tag("td", _values(one.values)),
            tag("td", str(one.pattern), _as_near(one.as_near), data_name="Nearest pattern: "),
            tag("td", "; ".join(one.lacks), data_name="It lacks: "),
        )
        for one in wrong.missed
    ]
    head = ["Rows", "Values the rules look at", "Nearest pattern", "What it lacks"]
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
            tag("th", _numbers(one.rows), scope="row", data_name="Rows "),
            tag("td", _values(one.values)),
            tag("td", ", ".join(map(str, one.patterns)), data_name="Patterns that hold: "),
        )
        for one in wrong.alarms
    ]
    return join(
        tag("p", f"{several(wrong.n_alarms, 'row')} of {prediction(figures, False)}: {by}."),
        grid(
            _shown(len(rows), wrong.alarm_groups, wrong.n_alarms, "the most frequent first"),
            ["Rows", "Values the rules look at", "Patterns that hold"],
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


def _numbers(rows: tuple[int, ...]) -> str:
    """Return the first numbers of rows, and how many there are."""
    named = ", ".join(map(str, rows[:NAMED]))
    return f"{named} and {len(rows) - NAMED:,} more" if len(rows) > NAMED else named


def _shown(shown: int, groups: int, rows: int, order: str) -> str:
    """Return the caption of a list of groups of rows."""
    what = (
        several(rows, "row") if groups == rows else f"{several(groups, 'group')} of rows alike for the rules"
    )
    part = f"{shown} of " if shown < groups else "All " if groups > 1 else ""
    return f"{part}{what}, {order}" if groups > 1 else what
