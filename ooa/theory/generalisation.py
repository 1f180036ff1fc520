"""What the training error says about new rows: a bound that counts how many ways rule sets label the rows.

With probability at least 1 - delta over n independent rows, every rule set h of a class fixed in advance has

    error on new rows <= error on these rows + sqrt(2 ln(G) / n) + 3 sqrt(ln(2 / delta) / (2 n)),

where G is the number of ways in which the class labels these n rows. Proof: the bound by the empirical
Rademacher complexity R of the class's errors (error <= training error + 2 R + the last term), and Massart's
lemma, R <= sqrt(ln(G) / (2 n)): the errors on n rows, less 1/2, are one of G vectors of length sqrt(n) / 2.
By the lemma of Sauer and Shelah, G is at most the number of sets of at most d of the different rows, d being
the VC dimension over these rows, which is what Theorem 4 gives.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from ooa.checks import instance, listed_items, whole_or_none
from ooa.data.rows import DistinctRows
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.rules.levels import LevelRange
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving.backend import Backend
from ooa.solving.registry import get_backend

from .capacity import rule_sets, vc_dimension

__all__ = ["Generalisation", "generalisation_statement"]

#: Every floating-point result is raised by this share, far more than rounding can have lost.
_SAFETY = 1 + 1e-9


@dataclass(frozen=True)
class Generalisation:
    """A bound on the share of errors on new rows.

    Attributes
    ----------
    training_error : Fraction
        The share of the training rows that the rule set gets wrong.
    bound : float
        The share of errors on new rows is at most this, with the given confidence; at most 1.
    confidence : float
    n_rows : int
    vc : int
        An upper bound on the VC dimension of the class over these rows.
    log_labellings : float
        The natural logarithm of (an upper bound on) the number of ways the class labels these rows.
    minority : Fraction
        The share of errors of predicting the more frequent label everywhere.
    about : str
        The class of rule sets.
    assumptions : tuple of str
    """

    training_error: Fraction
    bound: float
    confidence: float
    n_rows: int
    vc: int
    log_labellings: float
    minority: Fraction
    about: str
    assumptions: tuple[str, ...]

    @property
    def vacuous(self) -> bool:
        """Whether the bound says nothing: no rule set errs on more than all rows."""
        return self.bound >= 1

    def __str__(self) -> str:
        head = (
            f"training error {float(self.training_error):.4f} on {self.n_rows} rows; {self.about}; "
            f"VC dimension at most {self.vc} over these rows"
        )
        if self.vacuous:
            said = "the bound is vacuous: so few rows say nothing about new ones for so rich a class"
        else:
            said = (
                f"with confidence {self.confidence:g} the error on new rows is at most "
                f"{math.ceil(1e4 * self.bound) / 1e4:.4f}"
            )
            if self.bound >= self.minority:
                said += f", which is no better than always predicting one label ({float(self.minority):.4f})"
        return "\n".join([head, said, *(f"  if {assumption}" for assumption in self.assumptions)])


def generalisation_statement(
    model: Any,
    table: Table,
    *,
    patterns: Iterable[Pattern] | None = None,
    max_patterns: int | None = None,
    max_length: int | None = None,
    confidence: float = 0.95,
    backend: str | Backend = "highs",
    time_limit: float | None = 10.0,
) -> Generalisation:
    """Bound the error of a fitted rule set on new rows.

    Parameters
    ----------
    model : RuleSet, `Learned` or fitted estimator
    table : the rows it was learned from
    patterns : iterable of Pattern, optional
        The candidates that the rule set was selected from, **if they were fixed without looking at these
        rows**; the VC dimension then is that of Theorem 4. By default the class is all rule sets over the
        table's attributes, with any thresholds: then it does not matter how patterns were found in the rows.
    max_patterns, max_length : int, optional
        Limits that were **fixed in advance**. A limit that is not given is taken from the rule set, and the
        confidence is shared among all limits there might have been (a share of 1 / (K (K + 1)) for K).
    confidence : float
    backend, time_limit : for the VC dimension of given patterns; see `vc_dimension`

    Returns
    -------
    Generalisation

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = {"a": rng.integers(0, 5, 20_000), "b": rng.integers(0, 5, 20_000)}
    >>> table = Table.from_any(X, X["a"] >= 3)
    >>> print(generalisation_statement(RuleSet.parse("a >= 3"), table, max_patterns=2, max_length=2))
    training error 0.0000 on 20000 rows; rule sets of at most 2 patterns of at most 2 literals over these 2 \
attributes; VC dimension at most 16 over these rows
    with confidence 0.95 the error on new rows is at most 0.0627
      if the rows, and new ones, are drawn independently from one distribution
      if max_patterns = 2 and max_length = 2 were fixed before these rows were seen
      if errors count once per row, whatever its weight
    """
    rules = _rules(model)
    instance(table, "table", Table, "an ooa.Table")
    if isinstance(confidence, bool) or not isinstance(confidence, (int, float)) or not 0 < confidence < 1:
        raise OptionError(f"confidence must be a number between 0 and 1, not {confidence!r}")
    limits = {
        "max_patterns": whole_or_none(max_patterns, "max_patterns"),
        "max_length": whole_or_none(max_length, "max_length"),
    }
    n = table.n_rows
    wrong = int(np.count_nonzero(rules.covers(table).any(axis=1) != table.y))
    minority = min(int(table.y.sum()), n - int(table.y.sum()))
    if patterns is None:
        about, labellings, share, assumed = _any_rules(rules, table.distinct(), limits)
        vc = labellings.bit_length() - 1
    else:
        given = list(dict.fromkeys(listed_items(patterns, "patterns", Pattern, "patterns")))
        _check_among(rules, given, limits)
        solver = get_backend(backend)
        found = vc_dimension(
            given, table, max_patterns=limits["max_patterns"], backend=solver, time_limit=time_limit
        )
        vc, about = found.upper, found.statement.removesuffix(" over these rows")
        distinct = table.distinct().n_rows
        most = limits["max_patterns"] or len(given)
        labellings = min(rule_sets(distinct, vc), rule_sets(found.efficient.n_patterns, most))
        share, assumed = Fraction(1), "these patterns, and any limit, were fixed before these rows were seen"
    labellings = min(labellings, 2**n)
    logarithm = math.log(labellings) * _SAFETY
    delta = (1 - confidence) * float(share)
    width = math.sqrt(2 * logarithm / n) + 3 * math.sqrt(math.log(2 / delta) / (2 * n))
    return Generalisation(
        training_error=Fraction(wrong, n),
        bound=min(1.0, (wrong / n + width) * _SAFETY),
        confidence=confidence,
        n_rows=n,
        vc=vc,
        log_labellings=logarithm,
        minority=Fraction(minority, n),
        about=about,
        assumptions=(
            "the rows, and new ones, are drawn independently from one distribution",
            assumed,
            "errors count once per row, whatever its weight",
        ),
    )


def _rules(model: Any) -> RuleSet:
    """The rule set of whatever has one."""
    rules = next((getattr(model, name) for name in ("rules", "rules_") if hasattr(model, name)), model)
    if not isinstance(rules, RuleSet):
        raise OptionError(
            f"model must be a rule set, what `learn_ooax` returns or a fitted estimator, not {model!r:.200}"
        )
    return rules


def _check_among(rules: RuleSet, given: list[Pattern], limits: dict[str, int | None]) -> None:
    """Raise if the rule set is not of the class that the statement would be about."""
    strange = [pattern for pattern in rules if pattern not in set(given)]
    if strange:
        raise RuleError(f"the rule set has pattern {strange[0]}, which is not among the given patterns")
    _check_limits(rules, limits)


def _check_limits(rules: RuleSet, limits: dict[str, int | None]) -> None:
    sizes = {"max_patterns": len(rules), "max_length": max(map(len, rules), default=0)}
    for name, limit in limits.items():
        if limit is not None and sizes[name] > limit:
            raise OptionError(f"{name}={limit} is less than what the rule set has, {sizes[name]}")


def _any_rules(
    rules: RuleSet, rows: DistinctRows, limits: dict[str, int | None]
) -> tuple[str, int, Fraction, str]:
    """The class of all rule sets within the limits: in words, its labellings, its share, the assumption."""
    _check_limits(rules, limits)
    taken = {"max_patterns": max(1, len(rules)), "max_length": max([1, *map(len, rules)])}
    share = Fraction(1)
    for name, limit in limits.items():
        if limit is None:
            share /= taken[name] * (taken[name] + 1)
        else:
            taken[name] = limit
    sets = _names_sets(rules, rows)
    if None in limits.values():
        share /= 2  # with or without sets of categories
    K, L = taken["max_patterns"], taken["max_length"]
    sums = [1] + [0] * L  # patterns by length: the elementary symmetric polynomials of the literals
    for literals in _literals_per_attribute(rows, sets):
        for length in range(L, 0, -1):
            sums[length] += sums[length - 1] * literals
    about = (
        f"rule sets of at most {K} patterns of at most {L} literals over these {len(rows.columns)} attributes"
    )
    about += " with sets of categories" if sets else ""
    fixed = [f"{name} = {limit}" for name, limit in limits.items() if limit is not None]
    assumed = (
        f"{' and '.join(fixed)} were fixed before these rows were seen"
        if len(fixed) == 2
        else f"{fixed[0]} was fixed before these rows were seen"
        if fixed
        else "nothing but the attributes was fixed before these rows were seen"
    )
    return about, rule_sets(sum(sums[1:]), K), share, assumed


def _names_sets(rules: RuleSet, rows: DistinctRows) -> bool:
    """Whether a literal names several categories; raise on what is neither a range nor about categories."""
    numeric = {attribute.name: attribute.kind == "numeric" for attribute in rows.attributes}
    sets = False
    for literal in (literal for pattern in rules for literal in pattern):
        if numeric[literal.attribute] and isinstance(literal, OneOf) and len(literal.values) > 1:
            raise RuleError(f"'{literal}' is about a numeric column, where the statement counts ranges only")
        if not numeric[literal.attribute]:
            sets |= isinstance(literal, Range) or (isinstance(literal, OneOf) and len(literal.values) > 1)
        assert isinstance(literal, (Range, LevelRange, OneOf, Equal, NotEqual, IsMissing))
    return sets


def _literals_per_attribute(rows: DistinctRows, sets: bool) -> list[int]:
    """For each attribute, (at least) how many different sets of these rows its literals say."""
    counts = []
    for column in rows.columns:
        values = len(np.unique(column.values[~column.missing]))
        if column.kind == "numeric":
            said = values * (values + 1) // 2 + values  # ranges, and all values but one
        else:
            said = 2**values if sets else 2 * values + 1  # equal to one, to all but one, or any
        counts.append(said + int(column.missing.any()))
    return counts
