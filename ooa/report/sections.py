"""The sections of the report about the rules: what they say, and what is proved about them."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from ooa.data.amounts import percent
from ooa.rules.markup import Content, Html, join, tag

from .figures import Figures
from .parts import badge, conditions, facts, key, prediction, section
from .pictures import proof_line
from .words import ending_words, limit_words, proof_words, score_words, sentence, verdict_words

__all__ = ["proof_section", "rules_section"]


def rules_section(figures: Figures) -> Html:
    """The rules, in words and as the library reads them."""
    again = (
        tag("p", "A condition on a value that is missing does not hold.", class_="soft"),
        tag("h3", "The same, to be read back by the library"),
        tag("pre", figures.rules.to_text()),
    )
    return section("rules", "The rules", rules_in_words(figures), again if len(figures.rules) else None)


def rules_in_words(figures: Figures, most: int | None = None) -> Html:
    """Return what is predicted when, with at most so many values of a set of categories."""
    rules = figures.rules
    yes, no = prediction(figures, True), prediction(figures, False)
    if not len(rules):
        why = " No pattern saves enough errors to be worth its price." if figures.certificate.proved else ""
        return tag("p", "There is no rule: every row is predicted ", tag("span", no, class_="say"), ".", why)
    items = [tag("li", badge(k), tag("div", conditions(pattern, most))) for k, pattern in enumerate(rules, 1)]
    which = "the following holds" if len(rules) == 1 else "at least one of these holds"
    return join(
        tag("p", "Predict ", tag("span", yes, class_="say"), f" if {which}:"),
        tag("ol", items, class_="rules"),
        tag("p", "Otherwise predict ", tag("span", no, class_="say"), ".", class_="otherwise"),
    )


def proof_section(figures: Figures, parameters: Mapping[str, object]) -> Html:
    """The certificate, in plain language."""
    found = figures.certificate
    score, bound = float(found.objective), float(found.bound)
    headline, more = verdict_words(found)
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
    notes = [*limit_words(found), *([f"{sentence(found.message)}."] if found.message else [])]
    return section(
        "proof",
        "How good is this, and is it proved?",
        tag("p", tag("b", headline), more),
        tag("p", score_words(figures)),
        picture,
        said,
        tag("p", ending_words(found)),
        [tag("p", words, class_="note") for words in notes],
        tag("h3", "In figures"),
        facts(
            [
                ("Score (objective L)", f"{score:.6g}{_exactly(found.objective)}"),
                ("Proven bound on it", f"{bound:.6g}"),
                ("Gap", percent(found.gap, 1.0) if found.feasible else "none is known"),
                ("Scope of the proof", found.statement),
                ("Kind of proof", found.proof or "not stated"),
                ("End of the search", found.termination.words),
            ]
        ),
    )


def _exactly(value: Fraction) -> str:
    """Return a fraction, unless it has more digits than anybody reads."""
    return f", exactly {value}" if len(str(value)) <= 20 else ""
