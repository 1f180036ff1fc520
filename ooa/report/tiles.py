"""The main figures of the report, as tiles: how often it is right, how large it is, what is proved."""

from __future__ import annotations

from ooa.data.amounts import amount, percent
from ooa.rules.markup import Html, tag

from .figures import Figures
from .words import several, verdict

__all__ = ["tiles"]

#: The rates that come first, and what they are called.
_RATES = (
    ("accuracy", "Right"),
    ("sensitivity", "Found, of all positive"),
    ("ppv", "Right when predicting positive"),
)


def tiles(figures: Figures) -> Html:
    """Return the main figures: of test rows if there are any, with those of training and by weight below."""
    found = figures.certificate
    kind, short, more = verdict(found)
    proof = "Proof" if figures.test is None else "Proof, on the rows learned from"
    entries = [
        *(_rate(name, words, figures) for name, words in _RATES),
        ("", "Size", several(found.patterns, "pattern"), [several(found.literals, "condition")]),
        (kind, proof, short, [more]),
    ]
    parts = [
        tag(
            "div",
            tag("dt", name),
            tag("dd", value, class_="big"),
            [tag("dd", line, class_="more") for line in words],
            class_=tint or None,
        )
        for tint, name, value, words in entries
    ]
    return tag("dl", parts, class_="tiles")


def _rate(name: str, words: str, figures: Figures) -> tuple[str, str, str, list[str]]:
    """Return a tile: no colour, what it is about, the share, and what it is a share of."""
    main = figures.main
    part, whole = main.rows.confusion.rates[name]
    more = [f"{amount(part)} of {amount(whole)}" + (" test rows" if figures.test is not None else " rows")]
    if main.weighed is not None:
        more.append(f"{percent(*main.weighed.confusion.rates[name])} by weight")
    if figures.training is not None and figures.test is not None:
        more.append(f"{percent(*figures.training.rows.confusion.rates[name])} in training")
    return "", words, percent(part, whole), more
