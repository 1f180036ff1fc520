"""The section of the report about single patterns: whom each covers, how well, and what it is worth."""

from __future__ import annotations

from collections.abc import Sequence

from ooa.data.amounts import amount, percent
from ooa.rules.markup import Html, join, tag
from ooa.rules.tally import PatternFigures, Tally

from .figures import Figures, RowFigures
from .parts import FEW, badge, conditions, grid, key, prediction, section
from .pictures import bar
from .words import several

__all__ = ["COLUMNS", "pattern_grid", "patterns_section"]

#: The columns of figures, and what they mean.
_MEASURES = ("Covers", "Precision", "Finds", "Alone", "Saves")
COLUMNS = (
    "Covers: how many rows it holds for. Precision: how many of these are positive. Finds: how many of all "
    "positive rows it covers. Alone: rows that no other pattern covers. Saves: how many more errors there "
    "would be without it."
)
_WEIGHTED = (
    " Rows were weighted in learning, so a pattern may cost more rows than it saves and still be worth it by "
    "weight."
)


def patterns_section(figures: Figures) -> Html:
    """Coverage, precision and contribution of each pattern, as a picture and as a table."""
    if not len(figures.rules):
        return section("patterns", "What each pattern does", tag("p", "There are no patterns."))
    yes = prediction(figures, True)
    entries = [
        ("found", f"{yes}, found by this pattern alone"),
        ("found-too", f"{yes}, found by others too"),
        ("alarms", "false alarm by this pattern alone"),
        ("alarms-too", "false alarm by others too"),
    ]
    longest = max(_share(one, k) for one in figures.sets for k in range(len(figures.rules)))
    items = [_deed(k, figures, longest) for k in range(len(figures.rules))]
    return section(
        "patterns",
        "What each pattern does",
        tag(
            "p",
            "The longer the bar, the more of the rows its pattern covers; the longest is "
            f"{percent(longest, 1.0)} of them.",
        ),
        key(entries),
        tag("ol", items, class_="deeds"),
        tag("h3", "The same in figures"),
        _pattern_grids(figures),
        tag("p", COLUMNS, _WEIGHTED if figures.certificate.weighted else None, class_="soft"),
    )


def _pattern_grids(figures: Figures) -> Html:
    """Return what each pattern does: a table of counts of rows, and one by weight where there are weights."""
    by_weight = [one.weighed for one in figures.sets if one.weighed is not None]
    return join(
        pattern_grid("Each pattern in figures: counts of rows", [one.rows for one in figures.sets]),
        pattern_grid("Each pattern in figures: by weight", by_weight) if by_weight else None,
    )


def pattern_grid(caption: str, tallies: Sequence[Tally]) -> Html:
    """Return a table with a column, or one for each set of rows, for each measure."""
    rows = []
    for k in range(len(tallies[0].patterns)):
        cells = zip(*(_measures(tally.patterns[k]) for tally in tallies))
        rows.append(
            tag(
                "tr",
                tag("th", str(k + 1), scope="row"),
                [tag("td", text, class_="n") for measure in cells for text in measure],
            )
        )
    wide = len(tallies)
    numbers = range(1, 1 + wide * len(_MEASURES))
    if wide == 1:
        return grid(caption, ["Pattern", *_MEASURES], rows, numbers)
    names = [tally.name.removesuffix(", by weight") for tally in tallies]
    groups = [("", 1), *((name, wide) for name in _MEASURES)]
    return grid(caption, ["Pattern", *names * len(_MEASURES)], rows, numbers, "paired", groups)


def _measures(one: PatternFigures) -> tuple[str, ...]:
    return (
        amount(one.support),
        percent(one.confusion.found, one.support),
        percent(one.confusion.found, one.confusion.positives),
        amount(one.alone),
        _signed(one.saves),
    )


def _share(one: RowFigures, k: int) -> float:
    """Return which share of some rows a pattern covers."""
    total = one.rows.confusion.total
    return one.rows.patterns[k].support / total if total else 0.0


def _deed(k: int, figures: Figures, longest: float) -> Html:
    """Return the bars of one pattern, one for each set of rows, with their words."""
    return tag(
        "li",
        tag("p", badge(k + 1), tag("span", conditions(figures.rules[k], FEW)), class_="head"),
        [_deed_on(one, k, longest) for one in figures.sets],
    )


def _deed_on(rows: RowFigures, k: int, longest: float) -> Html:
    one = rows.rows.patterns[k]
    found, alarms = one.confusion.found, one.confusion.alarms
    parts = [
        ("found", one.only_found),
        ("found-too", found - one.only_found),
        ("alarms-too", alarms - one.only_alarms),
        ("alarms", one.only_alarms),
    ]
    covers = several(int(one.support), rows.row)
    words = (
        f"Pattern {k + 1} covers {covers}: {amount(found)} positive, of which {amount(one.only_found)} by it "
        f"alone, and {amount(alarms)} false alarms, of which {amount(one.only_alarms)} by it alone."
    )
    positive = saves = None
    if rows.weighed is not None:
        its = rows.weighed.patterns[k]
        positive = f" (by weight {percent(its.confusion.found, its.support)})"
        saves = f" (by weight {_signed(its.saves)})"
    return join(
        bar(parts, longest * rows.rows.confusion.total, words),
        tag(
            "p",
            "covers ",
            tag("b", covers),
            ", ",
            tag("b", percent(found, one.support)),
            " of them positive",
            positive,
            "; without it there would be ",
            tag("b", _difference(one.saves)),
            saves,
            class_="does",
        ),
    )


def _signed(errors: float) -> str:
    """Return more errors with a plus and fewer with a minus."""
    return f"+{amount(errors)}" if errors > 0 else amount(errors).replace("-", "−")


def _difference(errors: float) -> str:
    """Return more or fewer errors in words."""
    if errors == 0:
        return "as many errors"
    return f"{amount(abs(errors))} {'more' if errors > 0 else 'fewer'} error{'s' * (abs(errors) != 1)}"
