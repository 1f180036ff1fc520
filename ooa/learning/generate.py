"""Generation within a fit: a bound over all patterns of a language where mining had to leave some out."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from threading import Event

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.candidates.mining import mine
from ooa.search.best_pattern import Items
from ooa.search.branch_and_bound import MOST_PAIRS
from ooa.search.generation import Generation

from .conditions import asked_support
from .mine import Mining, longest_of, mining_budget, of_mined
from .proof_scope import foreign, reach_of
from .replace import Replacing
from .settings import OOAxSettings
from .state import Fit
from .verdict import EXACT_SEARCH, Verdict

__all__ = ["GENERATION", "Generating"]

#: What the certificate calls such a proof.
GENERATION = "generation"


class Generating:
    """Patterns generated in one fit, in the units of the objective's grid.

    Parameters
    ----------
    fit : the fit in progress, without constraints
    literals : what patterns are made of
    settings : what was asked for, without a filter
    own : the user's own patterns
    replacing : what finds single patterns

    Attributes
    ----------
    replacing : the same
    bound : no rule set of the language has a smaller L on the grid, if anything is known
    """

    def __init__(
        self, fit: Fit, literals: LiteralSet, settings: OOAxSettings, own: Candidates, replacing: Replacing
    ) -> None:
        self._fit, self._literals, self._settings, self._own = fit, literals, settings, own
        self.replacing = replacing
        self._search: Generation[Items] | None = None
        self.bound: Fraction | None = None

    def possible(self) -> bool:
        """Whether all literals are there, no patterns of others are, and pairs of rows are not too many."""
        problem = self._fit.problem
        if not self._fit.policy.generation_share:
            return False
        some = (problem.rows.positive > problem.rows.negative).sum()
        pairs = int(some) * int((problem.rows.negative > problem.rows.positive).sum())
        whole = not self._literals.note and not foreign(self._own, self._literals, problem.rows)
        return whole and 0 < pairs <= MOST_PAIRS and problem.most_patterns(self._fit.best.upper) is not None

    def turn(self, mined: Mining) -> Mining:
        """Lower the bound, and return what was mined with the patterns that were generated.

        If all patterns that a better rule set can have are few enough, these are returned: none is missing.
        """
        fit, policy = self._fit, self._fit.policy
        limit = fit.timing.deadline.left()
        seconds = policy.generation_seconds if limit is None else policy.generation_share * limit
        until = fit.timing.deadline.within(seconds)
        search = self._search = self._search or self._made()
        search.add(self.replacing.collected(policy.generated_from))
        fit.log.line.update("a linear program, patterns generated as it asks for them")
        rounds = None if fit.timing.deadline.limited else policy.generation_rounds
        search.run(self._known(), until, self._note, rounds)
        fit.log.interrupted |= search.interrupted
        fit.timing.book("generation")
        joined = mined.candidates.joined(self.replacing.candidates(search.pool))
        mined = replace(mined, candidates=joined)
        if fit.over or search.best is None:
            return mined
        rest = self._within_gap(search)
        return mined if rest is None else replace(mined, candidates=rest, complete=True, notes=())

    def told(self, verdict: Verdict, mined: Mining) -> Verdict:
        """The verdict with the bound that was found, if there is one."""
        if self.bound is None:
            return verdict
        whole = replace(mined, complete=True, longest=longest_of(self._settings, self._fit.problem.rows))
        reach = reach_of(self._fit.best.problem, whole, self._settings, self._own, 0, safe=True)
        return verdict.with_bound(self.bound, reach, GENERATION, EXACT_SEARCH)

    def _made(self) -> Generation[Items]:
        fit = self._fit
        positive, negative = (weights.astype(np.int64) for weights in fit.problem.in_steps())
        most = fit.problem.most_patterns(fit.best.upper)
        assert most is not None
        params = fit.params.changed(time_limit=None, log=None, progress=None, options={}, confirm=False)
        patterns = self.replacing.finder()
        return Generation(patterns, positive - negative, max(1, most), fit.solver, params)

    def _known(self) -> int:
        """What the best rule set known gains."""
        problem, upper = self._fit.problem, self._fit.best.upper
        assert upper is not None
        return self._everything() - int(upper * problem.total / problem.step)

    def _everything(self) -> int:
        return int(self._fit.problem.in_steps()[0].sum())

    def _note(self) -> None:
        """Hand on the bound."""
        assert self._search is not None
        problem = self._fit.problem
        self.bound = (self._everything() - self._search.bound) * problem.step / problem.total
        self._fit.log.note_bound(problem.grid.below(self.bound))

    def _within_gap(self, search: Generation[Items]) -> Candidates | None:
        """All patterns that a rule set better than the best known can have, if they are few enough.

        Each of them is worth enough by the multipliers of the bound, so its positives alone are.
        """
        fit, settings, values = self._fit, self._settings, search.best
        assert values is not None
        K = search.max_patterns
        least = values.threshold(self._known() + 1, search.most, K)
        longest = longest_of(settings, fit.problem.rows)
        price = values.values.scale * fit.problem.prices_in_steps(longest)
        if least + price[1] <= 0:
            return None
        budget, enough = mining_budget(fit, settings), Event()

        def show(found: int, share: float) -> None:
            if found > budget:
                enough.set()

        found = mine(
            self._literals,
            values.values.own.astype(np.float64),
            np.zeros(len(values.values.own)),
            max_length=longest,
            min_positive=np.maximum(0, least + price).astype(np.float64),
            max_patterns=budget,
            max_bytes=1 << 62,
            deadline=fit.timing.deadline.share_of_rest(fit.policy.within_gap_share),
            threads=fit.threads,
            stop=enough,
            progress=show,
        )
        fit.log.interrupted |= found.interrupted
        fit.timing.book("mining")
        if not found.complete:
            return None
        listed = of_mined(self._literals, found)
        rest = Candidates.over(listed.literals, listed.holds, listed.items, fit.problem.rows)
        return rest.take(np.flatnonzero(rest.positive >= asked_support(fit, settings)))
