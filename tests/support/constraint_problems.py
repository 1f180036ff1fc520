"""Tiny tables with all their rule sets, and random constraints on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ooa import constraints as ready
from ooa.candidates.candidates import Candidates
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation
from support.brute_constraints import Rules, all_patterns, all_rules
from support.random_constraints import random_own, random_ready
from support.tiny_tables import tiny_objective, tiny_table

READY = [name for name in ready.__all__ if name != "Constraint"]

#: Ready-made constraints that speak of predictions and of nothing else.
OF_PREDICTIONS = {
    "max_false_negatives",
    "max_false_positives",
    "min_sensitivity",
    "min_specificity",
    "min_precision",
    "min_coverage",
    "min_group_sensitivity",
    "demographic_parity",
    "equal_opportunity",
    "predictive_equality",
    "equalized_odds",
    "max_cost",
}
#: Those that flags of boxes say all of, but where "has a value" may be written with either bound.
OF_PATTERNS = (
    "max_uses",
    "at_most_one_of",
    "forbid_together",
    "only_with",
    "category_only_with",
    "min_support_per_pattern",
    "forbid_pattern",
    "budget",
    "max_total_literals",
    "no_category",
    "no_cut",
    "monotone",
)

#: Rule sets are gone through one by one, so there must not be many of them.
MOST_PATTERNS = 60


class Problem:
    """A random tiny table with all its rule sets of at most K patterns."""

    def __init__(self, seed: Sequence[int]) -> None:
        self.rng = rng = np.random.default_rng(seed)
        while True:
            self.table, self.objective = tiny_table(rng, most_rows=6), tiny_objective(rng)
            self.options = {"single_category": bool(rng.random() < 0.6), "missing": bool(rng.random() < 0.4)}
            patterns = all_patterns(self.table, **self.options)
            if 0 < len(patterns) <= MOST_PATTERNS:
                break
        self.K = int(rng.integers(1, 3)) if len(patterns) > 18 else int(rng.integers(1, 4))
        self.sets = all_rules(self.table, patterns, self.K)

    def brute(self, form: str, constraints: Sequence[Any]) -> list[Rules]:
        """All rule sets that a formulation can say."""
        boxes = form in ("paper", "compact")
        either = boxes and bool(constraints)
        patterns = all_patterns(self.table, value_literals=boxes, either_bound=either, **self.options)
        return all_rules(self.table, patterns, self.K)

    def formulation(self, form: str, constraints: Sequence[Any]) -> Formulation:
        merged = bool(self.rng.random() < 0.7)
        rows = self.table.distinct() if merged else self.table
        common = {"constraints": constraints, "table": self.table if merged else None}
        if form in ("paper", "compact"):
            boxes = OOAFormulation if form == "paper" else CompactFormulation
            return boxes(rows, self.objective, self.K, **self.options, **common)
        patterns = all_patterns(self.table, value_literals=False, **self.options)
        candidates = Candidates.of_patterns(rows, patterns)
        return OOAxFormulation(candidates, rows, self.objective, max_patterns=self.K, form=form, **common)


def drawn(problem: Problem, name: str) -> Any:
    if name == "own":
        return random_own(problem.rng, problem.sets)
    return random_ready(name, problem.rng, problem.sets)
