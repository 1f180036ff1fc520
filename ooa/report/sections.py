"""The sections of the report about the rules: what they say, what is proved, what each pattern does."""

from __future__ import annotations

from collections.abc import Mapping

from ooa.data.amounts import amount, percent

from .figures import Figures, PatternFigures
from .markup import Content, Html, join, tag
from .parts import badge, conditions, facts, grid, key, prediction, section
from .pictures import bar, proof_line
from .words import ending_words, proof_words, score_words, verdict

__all__ = ["patterns_section", "proof_section", "rules_section"]


def rules_section(figures: Figures) -> Html:
    """The rules, in words."""
    rules = figures.rules
    yes, no = prediction(figures, True), prediction(figures, False)
    if not len(rules):
        why = " No pattern saves enough errors to be worth its price." if figures.certificate.proved else ""
        return section(
            "rules",
            "The rules",
            tag("p", "There is no rule: every row is predicted ", tag("span", no, class_="say"), ".", why),
        )
    items = [tag("li", badge(k), tag("div", conditions(pattern))) for k, pattern in enumerate(rules, 1)]
    which = "the following holds" if len(rules) == 1 else "at least one of these holds"
    return section(
        "rules",
        "The rules",
        tag("p", "Predict ", tag("span", yes, class_="say"), f" if {which}:"),
        tag("ol", items, class_="rules"),
        tag("p", "Otherwise predict ", tag("span", no, class_="say"), ".", class_="otherwise"),
        tag("p", "A condition on a value that is missing does not hold.", class_="soft"),
        tag("h3", "The same, to be read back by the library"),
        tag("pre", rules.to_text()),
    )


def proof_section(figures: Figures, parameters: Mapping[str, object]) -> Html:
    """The certificate, in plain language."""
    found = figures.certificate
    score, bound = float(found.objective), float(found.bound)
    _, short, more = verdict(found)
    picture: Content = None
    if found.feasible:
        sure = found.proved
        limit = "Proved: nothing scores lower" if sure else f"Proved: nothing scores below {bound:.4f}"
        words = f"This rule set scores {score:.4f}. {limit}."
        entries = [("excluded", "proved impossible"), ("unknown", "not known"), ("track", "worse")]
        picture = join(
            proof_line(score if sure else bound, score, limit, f"This rule set: {score:.4f}", words),
            key([entry for entry in entries if not (sure and entry[0] == "unknown")]),
        )
    said = [tag("p", words) for words in proof_words(figures, parameters) if words]
    return section(
        "proof",
        "How good is this, and is it proved?",
        tag("p", tag("b", f"{short}: "), f"{more}."),
        tag("p", score_words(figures)),
        picture,
        said,
        tag("p", ending_words(found)),
        tag("p", f"{found.message[:1].upper()}{found.message[1:]}.", class_="note")
        if found.message
        else None,
        tag("h3", "In figures"),
        facts(
            [
                ("Score (objective L)", f"{score:.6g}, exactly {found.objective}"),
                ("Proven bound on it", f"{bound:.6g}"),
                ("Gap", percent(found.gap, 1.0) if found.feasible else "none is known"),
                ("Scope of the proof", found.statement),
                ("Kind of proof", found.proof or "not stated"),
                ("End of the search", found.termination.words),
            ]
        ),
    )


def patterns_section(figures: Figures) -> Html:
    """Coverage, precision and contribution of each pattern, as a picture and as a table."""
    if not figures.patterns:
        return section("patterns", "What each pattern does", tag("p", "There are no patterns."))
    whole = max(one.support for one in figures.patterns)
    items = [_deed(k, one, whole, figures) for k, one in enumerate(figures.patterns, 1)]
    yes = prediction(figures, True)
    entries = [
        ("found", f"{yes}, found by this pattern alone"),
        ("found-too", f"{yes}, found by others too"),
        ("alarms", "false alarm by this pattern alone"),
        ("alarms-too", "false alarm by others too"),
    ]
    head = ["Pattern", "Covers", "Precision", "Finds", "Alone", "Saves"]
    rows = [
        tag(
            "tr",
            tag("th", str(k), scope="row"),
            tag("td", amount(one.support), class_="n"),
            tag("td", percent(one.confusion.found, one.support), class_="n"),
            tag("td", percent(one.confusion.found, one.confusion.positives), class_="n"),
            tag("td", amount(one.only_found + one.only_alarms), class_="n"),
            tag("td", _signed(one.saves), class_="n"),
        )
        for k, one in enumerate(figures.patterns, 1)
    ]
    caption = f"Each pattern in figures (counts are {figures.rows})"
    return section(
        "patterns",
        "What each pattern does",
        tag(
            "p",
            f"The longer the bar, the more its pattern covers; the longest is "
            f"{amount(whole)} {figures.rows}.",
        ),
        key(entries),
        tag("ol", items, class_="deeds"),
        tag("h3", "The same in figures"),
        grid(caption, head, rows, range(1, 6)),
        tag("p", _COLUMNS, class_="soft"),
    )


_COLUMNS = (
    "Precision: how many of the rows it covers are positive. Finds: how many of all positive rows it covers. "
    "Alone: rows that no other pattern covers. Saves: how many more errors there would be without it."
)


def _deed(number: int, one: PatternFigures, whole: float, figures: Figures) -> Html:
    """Return one pattern's bar, with its words."""
    found, alarms = one.confusion.found, one.confusion.alarms
    parts = [
        ("found", one.only_found),
        ("found-too", found - one.only_found),
        ("alarms-too", alarms - one.only_alarms),
        ("alarms", one.only_alarms),
    ]
    words = (
        f"Pattern {number} covers {amount(one.support)} {figures.rows}: {amount(found)} positive, of which "
        f"{amount(one.only_found)} by it alone, and {amount(alarms)} false alarms, of which "
        f"{amount(one.only_alarms)} by it alone."
    )
    return tag(
        "li",
        tag("p", badge(number), tag("span", conditions(one.pattern)), class_="head"),
        bar(parts, whole, words),
        tag(
            "p",
            "covers ",
            tag("b", amount(one.support)),
            f" {figures.rows}, ",
            tag("b", percent(found, one.support)),
            " of them positive; ",
            "without it there would be ",
            tag("b", _difference(one.saves)),
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
