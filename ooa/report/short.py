"""The short report: what fits on one printed page."""

from __future__ import annotations

from ooa.rules.markup import Html, tag

from .figures import Figures
from .outcome import matrices, rates_grid
from .parts import FEW, section
from .patterns import COLUMNS, pattern_grid
from .sections import rules_in_words
from .words import proof_in_short

__all__ = ["short_sections"]


def short_sections(figures: Figures) -> list[Html]:
    """Return rules, figures and proof, and nothing else."""
    rows = [one.rows for one in figures.sets]
    patterns = pattern_grid("Each pattern in figures", rows), tag("p", COLUMNS, class_="soft")
    said = [tag("p", words) for words in proof_in_short(figures)]
    return [
        section("rules", "The rules", rules_in_words(figures, FEW)),
        section(
            "figures",
            "Right and wrong",
            matrices(rows, figures),
            rates_grid(figures),
            patterns if len(figures.rules) else None,
        ),
        section("proof", "Is it proved?", said),
    ]
