"""Rules and certificate in plain words, for readers who know neither logic nor integer programming."""

from __future__ import annotations

from collections.abc import Mapping
from typing import SupportsFloat

from ooa.data.amounts import amount, percent
from ooa.learning.certificate import Certificate, Scope, Standing
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.text import name_text, value_text
from ooa.solving.solution import Termination

from .cells import measure_text
from .figures import Figures

__all__ = [
    "condition_words",
    "ending_words",
    "limit_words",
    "proof_in_short",
    "proof_words",
    "score_words",
    "sentence",
    "several",
    "verdict",
    "verdict_words",
]


def condition_words(literal: Literal, most: int | None = None) -> tuple[str, str]:
    """Return the attribute of a literal, and what is said of it; of many values the first few, if so wished.

    Examples
    --------
    >>> condition_words(Range("age", low=30)), condition_words(OneOf("job", ["nurse", "cook"]))
    (('age', 'is at least 30'), ('job', 'is one of cook, nurse'))
    >>> condition_words(Range("bmi", 18.5, 25, high_closed=False))
    ('bmi', 'is at least 18.5 and below 25')
    >>> condition_words(OneOf("job", ["nurse", "cook", "clerk"]), most=2)
    ('job', 'is one of clerk, cook and 1 more')
    """
    name = name_text(literal.attribute)
    match literal:
        case Range():
            sides = []
            if literal.low is not None:
                over = "at least" if literal.low_closed else "above"
                sides.append(f"{over} {measure_text(literal.low, literal.time)}")
            if literal.high is not None:
                under = "at most" if literal.high_closed else "below"
                sides.append(f"{under} {measure_text(literal.high, literal.time)}")
            return name, f"is {' and '.join(sides)}"
        case LevelRange():
            bounds = [("at least", literal.low), ("at most", literal.high)]
            said = [f"{side} {value_text(level)}" for side, level in bounds if level is not None]
            return name, f"is {' and '.join(said)}"
        case Equal(value=value):
            return name, f"is {value_text(value)}"
        case NotEqual(value=value):
            return name, f"is known and not {value_text(value)}"
        case OneOf(values=values):
            listed = ", ".join(map(value_text, values[:most])) or "none"
            more = len(values) - len(values[:most])
            return name, f"is one of {listed}" + (f" and {more:,} more" if more else "")
        case IsMissing():
            return name, "is missing"
    raise AssertionError(f"not a literal: {literal!r}")


def several(number: int, what: str) -> str:
    """Write a number of things.

    Examples
    --------
    >>> several(1, "pattern"), several(2000, "row")
    ('1 pattern', '2,000 rows')
    """
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def verdict(certificate: Certificate) -> tuple[str, str, str]:
    """Return how good the proof is: a class of style, the certificate's headline, and half a sentence.

    The classes are "proved", which alone is green, "open" and "broken".
    """
    more = {
        Standing.CLAIMED: "nobody confirmed it, so it is not proved",
        Standing.POOL: f"other patterns were left out, so a better one is possible (gap {_gap(certificate)})",
        Standing.OPEN: f"among {certificate.statement}, a better one may exist, by no more than that",
        Standing.INFEASIBLE: "no rule set that meets them was found",
    }.get(certificate.standing, f"among {certificate.statement}")
    return _CLASSES[certificate.standing], sentence(certificate.headline), more


_CLASSES = {
    Standing.PROVED: "proved",
    Standing.PROVED_WITHIN: "proved",
    Standing.CLAIMED: "open",
    Standing.POOL: "open",
    Standing.OPEN: "open",
    Standing.INFEASIBLE: "broken",
}


def sentence(words: str) -> str:
    """Return words with a capital at the beginning.

    Examples
    --------
    >>> sentence("proved optimal among all patterns over A")
    'Proved optimal among all patterns over A'
    """
    return f"{words[:1].upper()}{words[1:]}"


def score_words(figures: Figures) -> str:
    """Say what the objective is made of."""
    certificate = figures.certificate
    errors = certificate.errors / certificate.total
    size = certificate.objective - errors
    where = ", on the rows it was learned from," if figures.test is not None else ""
    made = f"{amount(float(certificate.errors))} wrong of {amount(float(certificate.total))}"
    by_weight = ""
    if certificate.weighted:
        made, by_weight = (
            f"a weight of {made} ({certificate.wrong_rows:,} of {several(certificate.rows, 'row')})",
            ", by weight,",
        )
    return (
        f"Rule sets are compared by a score, the lower the better: the share of rows{by_weight} predicted "
        f"wrongly, plus a price for every condition and every pattern so that the rules stay short. This "
        f"one{where} scores {_score(certificate.objective)}: {_score(errors)} for {made}, and "
        f"{_score(size)} for its size ({several(certificate.patterns, 'pattern')}, "
        f"{several(certificate.literals, 'condition')}). The size is thus priced like "
        f"{_errors(float(size * certificate.total), certificate)}."
    )


def proof_words(figures: Figures, parameters: Mapping[str, object]) -> list[str]:
    """Say, in a few sentences each, what is proved, among which rule sets, how, and what is not said."""
    found = figures.certificate
    rows = "these rows" if figures.test is None else "the rows learned from"
    caveat = _CAVEAT if figures.test is None else _CAVEAT_TEST
    if not found.feasible:
        return [_proved(found, parameters, rows), caveat]
    how = _PROOFS.get(found.proof, "")
    return [_proved(found, parameters, rows), _SCOPES[found.scope](found), how, caveat]


def proof_in_short(figures: Figures) -> list[str]:
    """Say in three sentences what is proved, about what, and what is not."""
    found = figures.certificate
    caveat = _CAVEAT if figures.test is None else _CAVEAT_TEST
    scope = "" if found.proved else f" {_SCOPES[found.scope](found)}"
    return ["".join(verdict_words(found)) + scope, *limit_words(found), caveat]


def verdict_words(found: Certificate) -> tuple[str, str]:
    """Return the headline, and the rest of a sentence that begins with it."""
    _, headline, more = verdict(found)
    return headline, f" {more}." if found.proved else f": {more}."


def limit_words(found: Certificate) -> list[str]:
    """Say which limits of the user's keep the rule set from being better."""
    return [f"{sentence(limit.sentence())}." for limit in found.limits]


def _proved(found: Certificate, parameters: Mapping[str, object], rows: str) -> str:
    limit = _limits(parameters)
    if not found.feasible:
        return (
            "The rule set shown does not meet the constraints that were asked for. It stands here only "
            "because none that meets them was found."
        )
    if found.standing is Standing.PROVED_WITHIN:
        return (
            f"No other rule set{limit}, within the scope of the proof, scores lower on {rows} by more "
            f"than {float(found.rounding):.1g}, to which weights that are no whole numbers were rounded."
        )
    if found.proved:
        return (
            f"No other rule set{limit}, within the scope of the proof, scores lower on {rows}. This is "
            "proved, not estimated: the score was counted exactly and no rule set was left out."
        )
    spare = float((found.objective - found.bound) * found.total)
    return (
        f"It is not known whether this is the best rule set. What is proved: no rule set{limit}, within the "
        f"scope of the proof, scores below {_score(found.bound)}, while this one has "
        f"{_score(found.objective)}. A better one, if there is any, can save at most as much as "
        f"{_errors(spare, found)} on {amount(float(found.total))} (a gap of {_gap(found)}). "
        f"{_pool(found)}More time may find one, or narrow the gap."
    )


def _pool(found: Certificate) -> str:
    """Say what is known where only some of the patterns could be looked at."""
    if found.standing is not Standing.POOL:
        return ""
    return (
        f"It is the best that can be made of the {several(found.pool or 0, 'pattern')} that were looked at; "
        "others were left out for lack of time or memory. "
    )


def _limits(parameters: Mapping[str, object]) -> str:
    """Say which rule sets were allowed at all."""
    most = parameters.get("max_patterns", "unknown")
    limit = f" with at most {several(most, 'pattern')}" if isinstance(most, int) else ""
    if most == "unknown":
        limit = " within the limits that were set"
    return f"{limit} that meets the constraints" if parameters.get("constraints") else limit


def _all(found: Certificate) -> str:
    return f"Scope: {found.statement}."


def _length(found: Certificate) -> str:
    return (
        f"Scope: {found.statement} (a pattern is some conditions that must hold "
        "together, a literal is one condition). Conditions other than these were not looked at."
    )


_SCOPES = {Scope.ALL: _all, Scope.LENGTH: _length}
_PROOFS = {
    "selection": "How: a solver chose among the patterns and showed, step by step, that no other choice "
    "scores lower than the bound.",
    "search": "How: the sets of patterns themselves were gone through, leaving out those that counting shows "
    "cannot score lower than the bound.",
    "decomposition": "How: all patterns there are were listed, and no choice among them scores lower than "
    "the bound, as was shown step by step.",
    "boxes": "How: patterns were gone through in families, all ranges and categories at once, leaving out "
    "those that counting shows cannot score lower than the bound.",
    "generation": "How: patterns were not listed but priced, the best of all of them in every round, and no "
    "set of patterns at these prices scores lower than the bound.",
    "formation": "How: a solver built the patterns itself, condition by condition, and showed that no way of "
    "building them scores lower than the bound.",
    "looser limit": "How: the bound is that of a looser limit of a constraint, which every rule set that "
    "meets this one meets as well.",
    "counting": "How: by counting alone. Rows that agree in every attribute but differ in the outcome cannot "
    "all be right, and a rule set is either empty or pays for one pattern at least.",
}
_CAVEAT = (
    "The proof, and every number on this page, is about the rows the rules were learned from. How well they "
    "do on others has to be measured on rows that were set aside."
)
_CAVEAT_TEST = (
    "The proof is about the rows the rules were learned from and says nothing of the test rows. What the "
    "rules do on these is counted on this page."
)
_ENDINGS = {
    Termination.OPTIMAL: "It ended with its proof complete",
    Termination.TIME_LIMIT: "It was ended by the time limit",
    Termination.NODE_LIMIT: "It was ended by the limit on nodes",
    Termination.GAP_LIMIT: "It ended as the gap was small enough",
    Termination.INTERRUPTED: "It was interrupted",
    Termination.CLAIMED: "It ended with a solver's claim that nobody confirmed",
    Termination.STALLED: "It ended as neither a better rule set nor a proof was in sight",
    Termination.EXHAUSTED: "It ended when all that the settings allow was done",
}


def ending_words(found: Certificate) -> str:
    """Say how the search ended."""
    how = _ENDINGS.get(found.termination, f"It ended with: {found.termination.words}")
    by = f" The solver was {found.backend} {found.version}".rstrip() if found.backend else ""
    if by and found.proved and found.confirmed_by:
        by += f", and what it claims was confirmed by {found.confirmed_by}"
    return f"The search took {sum(found.seconds.values()):.2f} seconds. {how}.{by}{'.' * bool(by)}"


def _errors(number: float, found: Certificate) -> str:
    """Return an amount of errors, in rows or by weight."""
    text = amount(round(number, 1))
    return f"errors of weight {text}" if found.weighted else f"{text} error{'s' * (text != '1')}"


def _score(value: SupportsFloat) -> str:
    return f"{float(value):.4f}"


def _gap(found: Certificate) -> str:
    return percent(found.gap, 1.0)
