"""Every way to the optimum of one tiny problem, and whether each finds what brute force finds.

A case is a random table with awkward weights, a language of literals, prices, a limit and constraints, all
from one seed. The ways are the formulations and the learners, on one solver or another. Brute force goes
by masks and exact fractions and shares nothing with any of them but the literals' own `mask`.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.constraints import no_cut, not_lowered_when, not_raised_when, unchanged_when
from ooa.data.columns import Column
from ooa.errors import InfeasibleConstraints, OOAWarning
from ooa.formulations import CompactFormulation, Formulation, OOAFormulation, OOAxFormulation
from ooa.formulations.base import required_patterns
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Standing
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.verdict import Learned
from ooa.objective import exact_sum
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.solving import Termination, get_backend
from support.brute_constraints import Rules, all_rules, best, evaluate, meets
from support.constraint_problems import READY
from support.random_constraints import random_own, random_ready
from support.tiny_tables import tiny_objective, tiny_table
from support.weighted_tables import KINDS, weighted_table

BOXES = {"paper": OOAFormulation, "compact": CompactFormulation}
FORMS = ("aggregated", "disaggregated")
#: Constraints about bounds as they are written.
WRITTEN = (no_cut, unchanged_when, not_lowered_when, not_raised_when)
#: Most patterns of a table, without constraints and with them: rule sets are gone through one by one then.
MOST_PATTERNS, MOST_CONSTRAINED = 400, 45
PROVED = (Standing.PROVED, Standing.PROVED_WITHIN)
#: By how much values of L may differ where weights have no common step.
ROUNDING = Fraction(1, 10**5)


@dataclass(frozen=True)
class Language:
    """What literals are made of; the same words as the options of `learn_ooax`."""

    ranges: bool
    negations: bool
    sets: int
    missing: bool

    @property
    def of_boxes(self) -> bool:
        """Whether boxes say the same: any range, and one category or any set of them."""
        return self.ranges and not self.negations and self.sets != 2

    def literals(self, column: Column, missing: bool, either_bound: bool = False) -> list[Literal]:
        """The literals on a column that select some of its rows and not all, one for each such set of rows.

        With `either_bound` "has a value" is there twice: with a bound from below, and with one from above.
        """
        found: dict[bytes, Literal] = {}
        for literal in self._every(column, missing or self.missing):
            mask = literal.mask(column)
            if mask.any() and not mask.all():
                found.setdefault(mask.tobytes(), literal)
        known = (~column.missing).tobytes()
        twice = either_bound and column.kind == "numeric" and known in found
        other = [Range(column.name, high=column.values[~column.missing].max().item())] if twice else []
        return [*found.values(), *other]

    def _every(self, column: Column, missing: bool) -> Iterator[Literal]:
        name = column.name
        if column.kind == "numeric":
            values = np.unique(column.values[~column.missing]).tolist()
            for i, low in enumerate(values):
                for j, high in enumerate(values[i:], start=i):
                    least, most = i == 0, j == len(values) - 1
                    if least and most and self.ranges:
                        yield Range(name, low=low)
                    elif least != most or (self.ranges and not least):
                        yield Range(name, None if least else low, None if most else high)
        else:
            present = [column.categories[code] for code in np.unique(column.values[column.values >= 0])]
            yield from (Equal(name, value) for value in present)
            if self.negations:
                yield from (NotEqual(name, value) for value in present)
            for size in range(2, min(self.sets, len(present)) + 1):
                yield from (OneOf(name, some) for some in combinations(present, size))
        if missing:
            yield IsMissing(name)


class Case:
    """A problem from a seed; one with `mixture` has two to four constraints, where a table allows them."""

    def __init__(self, seed: Sequence[int], *, mixture: bool = False) -> None:
        rng = np.random.default_rng(seed)
        self.seed = list(seed)
        many = int(rng.choice([2, 2, 3, 4] if mixture else [0, 0, 0, 1, 1, 2]))
        while True:
            kind = rng.choice(KINDS).item() if rng.random() < 0.3 and not many else ""
            self.table = weighted_table(kind, rng) if kind else tiny_table(rng)
            boxes, draw = rng.random() < 0.6, rng.random(4) < (0.5, 0.4, 0.3, 0.4)
            sets = 9 if draw[2] else 1
            self.language = Language(
                ranges=bool(boxes or draw[0]),
                negations=bool(not boxes and draw[1]),
                sets=sets if boxes else int(rng.integers(1, 4)),
                missing=bool(draw[3]),
            )
            self.constraints: list[Any] = []
            if 0 < len(self.patterns()) <= (MOST_CONSTRAINED if many else MOST_PATTERNS):
                break
        self.objective = tiny_objective(rng)
        self.K = int(rng.integers(1, 4 if len(self.patterns()) <= 18 or not many else 3))
        self.merge = bool(rng.random() < 0.7)
        if many:
            sets_of = all_rules(self.table, self.patterns(), min(self.K, 2))
            drawn = [_constraint(rng, sets_of) for _ in range(many)]
            self.constraints = [one for one in drawn if one is not None]
        self._known: dict[tuple[Pattern, ...], Fraction | None] = {}

    @cached_property
    def exact(self) -> bool:
        """Whether weights have a step, so that values are compared exactly."""
        return all(Fraction(w).denominator <= 4 for w in self.table.weight.tolist())

    @cached_property
    def total(self) -> Fraction:
        return exact_sum(self.table.weight)

    def patterns(self, *, boxes: bool = False) -> list[Pattern]:
        """Every pattern of the language; beside constraints boxes say "has a value" with either bound."""
        either = boxes and bool(self.constraints)
        by_attribute: list[list[Literal | None]] = []
        for described, column in zip(self.table.attributes, self.table.columns):
            own = self.language.literals(column, described.missing_category, either)
            by_attribute.append([None, *own])
        chosen = ([one for one in parts if one is not None] for parts in product(*by_attribute))
        return [Pattern(literals) for literals in chosen if literals]

    def mined(self) -> list[Pattern]:
        """The patterns that OOAx mines: beside some constraints, a pattern without positives is left out."""
        every = evaluate(self.table, self.patterns())
        if all(getattr(c, "allows_removal", False) for c in self.constraints):
            return list(every.patterns)
        wanted = {every.said(pattern) for pattern in required_patterns(self.constraints)}
        good = self.table.positive > 0
        return [
            pattern
            for pattern, covers in zip(every.patterns, every.covers)
            if (covers & good).any() or every.said(pattern) in wanted
        ]

    def optimum(self, patterns: Sequence[Pattern]) -> Fraction | None:
        """The least L over rule sets of at most K of these patterns; None if none meets the constraints."""
        key = tuple(patterns)
        if key not in self._known:
            self._known[key] = self._constrained(key) if self.constraints else self._plain(key)
        return self._known[key]

    def _constrained(self, patterns: Sequence[Pattern]) -> Fraction | None:
        found, _ = best(all_rules(self.table, patterns, self.K), self.objective, self.constraints)
        return None if found is None else found / self.total

    def _plain(self, patterns: Sequence[Pattern]) -> Fraction:
        """By the cheapest way to cover each set of rows."""
        n = self.table.n_rows
        step = math.lcm(self.objective.C1.denominator, self.objective.C2.denominator)
        price = np.full(1 << n, 1 << 60)
        covers = evaluate(self.table, patterns).covers @ (1 << np.arange(n))
        cost = np.array([int(self.objective.cost(len(pattern)) * step) for pattern in patterns])
        np.minimum.at(price, covers, cost)
        one = np.flatnonzero(price < 1 << 60)
        cheapest = np.full(1 << n, 1 << 60)
        cheapest[0] = 0
        for _ in range(self.K):
            known = np.flatnonzero(cheapest < 1 << 60)
            sums = cheapest[known][:, None] + price[one]
            np.minimum.at(cheapest, (known[:, None] | one).ravel(), sums.ravel())
        weight = [Fraction(w) for w in self.table.weight.tolist()]
        reached = np.flatnonzero(cheapest < 1 << 60).tolist()
        return min(Fraction(int(cheapest[mask]), step) + self._errors(mask, weight) for mask in reached)

    def _errors(self, mask: int, weight: list[Fraction]) -> Fraction:
        wrong = (w for i, w in enumerate(weight) if bool(mask >> i & 1) != bool(self.table.y[i]))
        return sum(wrong, Fraction(0)) / self.total

    # -- the ways --------------------------------------------------------------------------------

    def check(self, backend: str) -> Iterator[str]:
        """Go every way with a solver; yield the name of each, and what is wrong, after a colon, if it is."""
        yield from self.check_formulations(backend)
        yield from self.check_learners(backend)

    @property
    def of_boxes(self) -> bool:
        """Whether forming patterns has the same rule sets: not where a constraint is about bounds as they are
        written, which are observed values here and lie between them there (its own tests see to that).
        """
        return self.language.of_boxes and not any(isinstance(one, WRITTEN) for one in self.constraints)

    def check_formulations(self, backend: str) -> Iterator[str]:
        """The same for the programs alone."""
        for form in (*FORMS, *(BOXES if self.of_boxes else ())):
            yield self._told(f"{form} on {backend}", self._formulated(form, backend))

    def check_learners(self, backend: str) -> Iterator[str]:
        """The same for whole fits, without a limit: each must end with a proof.

        Fits write bounds between observed values, so what is about bounds as written has tests of its own.
        """
        if any(isinstance(one, WRITTEN) for one in self.constraints):
            return
        how = {"C1": self.objective.C1, "C2": self.objective.C2, "max_patterns": self.K}
        common = how | {"missing": self.language.missing, "constraints": self.constraints, "backend": backend}
        # Beside constraints "auto" searches within their limits, and "search" refuses where it has no start.
        other = "auto" if self.constraints else "search"
        for selection in ("ilp", other) if compiled() else ("ilp",):
            options = common | {
                "ranges": self.language.ranges,
                "negations": self.language.negations,
                "sets": self.language.sets,
                "selection": selection,
                "max_length": None,
                "thresholds": "distinct",
            }
            name = f"learn_ooax by {selection} on {backend}"
            yield self._told(name, self._learned(learn_ooax, options, self.mined()))
        for form in BOXES if self.of_boxes else ():
            # With a proof by OOAx and without, by turns: its statements are about the same patterns.
            decompose = (self.seed[-1] + (form == "paper")) % 2 == 0
            options = common | {
                "formulation": form,
                "decompose": decompose,
                "single_category": self.language.sets == 1,
            }
            name = f"learn_ooa {form}{' decomposed' if decompose else ''} on {backend}"
            yield self._told(name, self._learned(learn_ooa, options, self.patterns(boxes=True)))

    def _told(self, name: str, wrong: str) -> str:
        return f"{name}: {wrong} (seed {self.seed})" if wrong else name

    def _formulation(self, form: str, patterns: Sequence[Pattern]) -> Formulation:
        rows = self.table.distinct() if self.merge else self.table
        common = {"constraints": self.constraints, "table": self.table if self.merge else None}
        if form in BOXES:
            options = {"single_category": self.language.sets == 1, "missing": self.language.missing}
            return BOXES[form](rows, self.objective, self.K, **options, **common)
        candidates = Candidates.of_patterns(rows, patterns)
        return OOAxFormulation(candidates, rows, self.objective, max_patterns=self.K, form=form, **common)

    def _formulated(self, form: str, backend: str) -> str:
        patterns = self.patterns(boxes=form in BOXES)
        optimum, formulation = self.optimum(patterns), self._formulation(form, patterns)
        solution = get_backend(backend).solve(formulation.milp)
        if optimum is None:
            ended = solution.termination
            return "" if ended is Termination.INFEASIBLE else f"{ended.value} where nothing is feasible"
        if solution.termination is not Termination.OPTIMAL or solution.x is None:
            return f"{solution.termination.value}, optimum {float(optimum)}"
        wrong = self._worse(list(formulation.decode(solution.x)), optimum)
        claimed = Fraction(solution.objective) * formulation.unit / self.total
        return wrong or ("" if abs(claimed - optimum) <= ROUNDING else f"claims {float(claimed)}")

    def _learned(self, learn: Any, options: dict[str, Any], patterns: Sequence[Pattern]) -> str:
        optimum = self.optimum(patterns)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", OOAWarning)
                learned: Learned = learn(self.table, **options)
        except InfeasibleConstraints:
            return "" if optimum is None else f"called infeasible, optimum {float(optimum)}"
        proof = learned.certificate
        if optimum is None:
            return "a rule set where nothing is feasible"
        if proof.bound > optimum:
            return f"bound {float(proof.bound)} above the optimum {float(optimum)}"
        if proof.standing not in PROVED:
            return f"{proof.standing.value}: {proof.headline}"
        return self._worse(list(learned.rules), optimum)

    def _worse(self, patterns: list[Pattern], optimum: Fraction) -> str:
        rules: Rules = evaluate(self.table, patterns)
        value = rules.value(self.objective) / self.total
        if len(patterns) > self.K:
            return f"{len(patterns)} patterns, where {self.K} are allowed"
        broken = [c for c in self.constraints if not meets(rules, c)]
        if broken:
            return f"breaks {broken[0]!r}"
        same = value == optimum if self.exact else abs(value - optimum) <= ROUNDING
        return "" if same else f"value {float(value)}, optimum {float(optimum)}"


def _constraint(rng: np.random.Generator, sets: Sequence[Rules]) -> Any:
    """A ready-made constraint or, more rarely, one of one's own; None where none can be made of the table."""
    name = rng.choice([*READY, "own", "own", "own"]).item()
    return random_own(rng, sets) if name == "own" else random_ready(name, rng, sets)
