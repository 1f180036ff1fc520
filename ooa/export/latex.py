"""Rule sets as a LaTeX tabular that reads like an algorithm; needs no package."""

from __future__ import annotations

from ooa.rules.literal import Literal
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import levels_text, literal_text, name_text, value_text

__all__ = ["to_latex"]

_SIGNS = {
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "≠": r"$\neq$",
    "∈": r"$\in$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    '"': r"\textquotedbl{}",
    "'": r"\textquotesingle{}",
    "`": r"\textasciigrave{}",
    "-": r"{-}",  # two in a row would become a dash
    **{sign: rf"\{sign}" for sign in "&%$#_{}"},
}


def to_latex(rules: RuleSet) -> str:
    r"""Write a rule set as a tabular: one row per pattern, then what follows.

    Everything from the data is escaped; characters that a font lacks are up to the engine (XeLaTeX and
    LuaLaTeX take any).

    Examples
    --------
    >>> print(to_latex(RuleSet.parse("body_mass >= 35 OR age >= 30 AND job = 'R&D'")))
    \begin{tabular}{@{}ll@{}}
    \textbf{if} & body\_mass $\geq$ 35 \\
    \textbf{or} & age $\geq$ 30 \textbf{and} job = \textquotesingle{}R\&D\textquotesingle{} \\
    \textbf{then} & target = 1 \\
    \textbf{else} & target = 0 \\
    \end{tabular}
    """
    patterns = [r" \textbf{and} ".join(map(_literal, pattern)) for pattern in rules] or [r"\textit{never}"]
    target = _escape(name_text(rules.target))
    labels = [f"{target} = {_escape(value_text(label))}" for label in (rules.positive, rules.negative)]
    levels = levels_text(rules)
    order = [_escape(levels.removeprefix("WITH "))] if levels else []
    words = ["if", *["or"] * (len(patterns) - 1), "then", "else", "with"]
    rows = [rf"\textbf{{{word}}} & {text} \\" for word, text in zip(words, [*patterns, *labels, *order])]
    return "\n".join([r"\begin{tabular}{@{}ll@{}}", *rows, r"\end{tabular}"])


def _literal(literal: Literal) -> str:
    """Write a literal."""
    return _escape(literal_text(literal))


def _escape(text: str) -> str:
    """Escape what means something to TeX; `display` has already spelt out what cannot be seen."""
    return "".join(_SIGNS.get(character, character) for character in text)
