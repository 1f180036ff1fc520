"""All rule sets over all patterns of a tiny table, by plain counting."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np

from ooa.candidates.generate import candidate_literals
from ooa.data.table import Table
from ooa.objective import Objective, exact_sum
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

#: A rule set as its patterns alone.
Rules = frozenset[Pattern]


class Every:
    """All rule sets of a table that some options allow: their values, errors and predictions.

    Patterns that cover no positive are in none of them. `meets` says whether a rule set with its
    predictions meets the constraints.
    """

    def __init__(
        self,
        table: Table,
        *,
        C1: Any,
        C2: Any,
        max_patterns: int | None,
        max_length: int | None = None,
        meets: Callable[[Rules, np.ndarray], bool] | None = None,
    ) -> None:
        self.patterns, self.holds = _patterns(table, max_length)
        self.objective = Objective.of(C1, C2)
        self.total = exact_sum(table.weight)
        self.value: dict[Rules, Fraction] = {}
        self.errors: dict[Rules, Fraction] = {}
        self.fires: dict[Rules, bytes] = {}
        there = len(self.patterns)
        for size in range((there if max_patterns is None else min(max_patterns, there)) + 1):
            for chosen in combinations(range(there), size):
                fires = self.holds[:, list(chosen)].any(axis=1)
                rules = frozenset(self.patterns[k] for k in chosen)
                if meets is not None and not meets(rules, fires):
                    continue
                errors = exact_sum(np.where(fires, table.negative, table.positive))
                literals = sum(map(len, rules))
                self.value[rules] = self.objective.value(errors, self.total, literals, size)
                self.errors[rules], self.fires[rules] = errors, fires.tobytes()

    def irredundant(self) -> dict[Rules, Fraction]:
        """Those that do not only add a pattern to another one of them that predicts the same."""
        return {
            rules: value
            for rules, value in self.value.items()
            if not any(self.fires.get(rules - {pattern}) == self.fires[rules] for pattern in rules)
        }

    def wanted(self, redundant: bool, eps: Fraction | None = None) -> dict[Rules, Fraction]:
        """Those asked for: with or without redundant patterns, at all or within eps of the optimum."""
        some = self.value if redundant else self.irredundant()
        most = None if eps is None else min(self.value.values()) + eps
        return {rules: value for rules, value in some.items() if most is None or value <= most}

    def by_prediction(self) -> dict[bytes, Fraction]:
        """The least value of every vector of predictions."""
        least: dict[bytes, Fraction] = {}
        for rules, value in self.value.items():
            key = self.fires[rules]
            least[key] = min(value, least.get(key, value))
        return least


def _patterns(table: Table, max_length: int | None) -> tuple[list[Pattern], np.ndarray]:
    """All patterns up to a length that cover a positive, and the rows that each covers."""
    by_attribute: dict[str, list[Any]] = {}
    for literal in candidate_literals(table.distinct()).literals:
        by_attribute.setdefault(literal.attribute, [None]).append(literal)
    made = [
        Pattern([literal for literal in chosen if literal is not None])
        for chosen in product(*by_attribute.values())
        if 1 <= sum(literal is not None for literal in chosen) <= (max_length or 99)
    ]
    rules = RuleSet(made)
    holds = rules.covers(table.as_frame()) if made else np.zeros((table.n_rows, 0), dtype=bool)
    some = [k for k in range(len(rules)) if table.positive[holds[:, k]].sum() > 0]
    return [rules[k] for k in some], holds[:, some]
