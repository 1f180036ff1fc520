"""Choosing among the candidates: the turns of the exact search and of the selection ILP, up to the proof."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ooa.candidates.candidates import Candidates
from ooa.candidates.screening import best_by_score
from ooa.errors import OptionError
from ooa.solving.solution import Termination

from .conditions import merit_of
from .conflict import refusal
from .constrained import prove_constrained
from .improve import local_search
from .plan import TOO_MANY, Plan, Step, facts_of, nonzeros_of, why_no_search
from .prove import Improvement, Proof, search_exactly
from .settings import OOAxSettings
from .solve import solve_from_best
from .state import Fit
from .verdict import EXACT_SEARCH, Reach, Verdict

__all__ = ["Choosing"]


class Choosing:
    """The choice among screened candidates.

    Parameters
    ----------
    fit : the fit in progress
    settings : what was asked for
    screened : what is known so far: the candidates, and what a proof over all of them would reach
    own : candidates that the ILP gets in any case
    """

    def __init__(self, fit: Fit, settings: OOAxSettings, screened: Verdict, own: Candidates) -> None:
        self._fit, self._settings, self._own = fit, settings, own
        self._candidates, self._reach = screened.candidates, screened.reach
        self._verdict = screened
        self._proof: Proof | None = None  # what the last exact search found out
        self._most, self._handed, self._refused = settings.first_candidates, 0, False

    def run(self, plan: Plan, improve: Improvement | None) -> Verdict:
        """Give everyone their turns until there is a proof or no time; return what is known then.

        `improve` is a search for a good rule set that waits for an attempt at the proof.
        """
        fit = self._fit
        if not self._possible():
            return self._verdict
        if improve is not None and plan.proving[0].step is not Step.SEARCH:
            improve.run()
            improve = None
        for turn in plan.proving:
            if fit.over or self._settled():
                break
            with fit.timing.within(turn.seconds), fit.log.interruptible():
                if turn.step is Step.SEARCH:
                    self._verdict = self._search(improve)
                    improve = None
                else:
                    self._solve_more()
            fit.timing.book("solving")
        if plan.hint and not self._settled():
            self._verdict = replace(self._verdict, notes=(*self._verdict.notes, plan.hint))
        return self._verdict

    def _settled(self) -> bool:
        """Whether nothing is left to be done about the candidates at hand."""
        if self._verdict.termination is Termination.INFEASIBLE:
            return True
        known = [self._verdict.bound, *self._pool_bounds(self._reach.pool)]
        return any(self._closed(bound) for bound in known)

    def _pool_bounds(self, pool: int | None) -> list[Fraction]:
        return [bound for size, bound in self._verdict.pools if size == pool]

    def _closed(self, bound: Fraction | None) -> bool:
        """Whether a bound is as close to the best known as was asked for, and as can be told."""
        problem, upper = self._fit.problem, self._fit.best.upper
        if bound is None or upper is None:
            return False
        slack = Fraction(self._fit.params.relative_gap) * upper
        return upper - bound <= slack or problem.closes(bound, upper)

    def _solve_more(self) -> None:
        """The ILP over the best candidates, then over more of them as long as it settles them in time."""
        while True:
            self._verdict = self._solve()
            settled = any(self._closed(bound) for bound in self._pool_bounds(self._handed))
            limited = not isinstance(self._settings.max_candidates, str) or self._most is None
            if limited or self._refused or not settled or self._settled() or self._fit.over:
                return
            assert self._most is not None
            self._most *= self._fit.policy.growth

    def _possible(self) -> bool:
        """Whether what was asked for can be had: if that is an exact search, and it cannot, that is an error.

        Once there was one, it is none that there is no time for another among more patterns; a note says so.
        """
        if self._settings.selection != "search":
            return True
        reason = why_no_search(facts_of(self._fit, self._candidates, 0), self._fit.policy)
        if reason == TOO_MANY and "searching" in self._fit.timing.seconds:
            note = f"no exact search among {len(self._candidates):,} patterns: {reason}"
            self._verdict = replace(self._verdict, notes=(*self._verdict.notes, note))
            return False
        if reason:
            raise OptionError(f"cannot be had here: {reason}", option="selection", value="search")
        return True

    def _search(self, improve: Improvement | None) -> Verdict:
        """Search all sets of candidates, the solver having no more than linear programs to solve."""
        fit, verdict, without = self._fit, self._verdict, frozenset(self._settings.without)
        verdict = replace(verdict, termination=Termination.EXHAUSTED)
        if fit.problem.constraints:
            bound = prove_constrained(fit, self._candidates, without)
            return verdict.with_bound(bound, self._reach, "search", EXACT_SEARCH)
        proof = self._proof = search_exactly(fit, self._candidates, improve, without, before=self._proof)
        kept = Candidates.of_patterns(fit.problem.rows, fit.best.rules)
        self._candidates = self._candidates.take(proof.left).joined(kept)
        counts = {**verdict.counts, "left by the search": len(self._candidates)}
        verdict = replace(verdict, candidates=self._candidates, counts=counts)
        return verdict.with_bound(proof.bound, self._reach, "search", EXACT_SEARCH)

    def _solve(self) -> Verdict:
        """Solve the ILP over the best candidates; constraints that nothing meets are an error."""
        fit, problem = self._fit, self._fit.problem
        candidates, reach, verdict = self.handed_over()
        left, nonzeros = fit.timing.deadline.left(), nonzeros_of(problem, candidates)
        rows, reason = f"{problem.rows.n_rows:,} distinct rows", ""
        if left is not None and nonzeros > self._most_nonzeros(left):
            reason = "solvers do not keep to a time limit there"
        elif left is not None and candidates.words > left * fit.policy.words_per_second:
            reason = f"there is no time to lay out what {len(candidates):,} patterns cover"
        elif nonzeros * fit.policy.nonzero_bytes > fit.memory:
            reason = "it does not fit into memory, raise max_memory"
        if reason:
            self._refused = True
            note = f"no ILP over {rows}: {reason}"
            return replace(verdict, notes=tuple(dict.fromkeys((*verdict.notes, note))))

        from ooa.formulations.ooax import OOAxFormulation

        solved = solve_from_best(fit, OOAxFormulation.of(candidates, problem, form=self._settings.form))
        ended = solved.solution.termination
        if ended is Termination.INFEASIBLE and problem.constraints and fit.best.upper is None:
            raise refusal(reach.words, fit.best.problem.constraints)
        return replace(verdict, candidates=candidates).with_solved(solved, reach, "selection")

    def _most_nonzeros(self, left: float) -> float:
        """The most that an ILP may have for solvers to keep to a time limit; constraints need it more."""
        policy, constrained = self._fit.policy, bool(self._fit.problem.constraints)
        in_time = left * policy.most_nonzeros_per_second
        return in_time if constrained else min(policy.most_nonzeros, in_time)

    def handed_over(self) -> tuple[Candidates, Reach, Verdict]:
        """The candidates that the ILP gets, what a proof over them reaches, and what is known by then."""
        fit, settings, policy, verdict = self._fit, self._settings, self._fit.policy, self._verdict
        everything, rows = self._candidates, self._fit.problem.rows
        most = self._most or len(everything)
        left, nonzeros = fit.timing.deadline.left(), nonzeros_of(fit.problem, everything)
        room = fit.memory / policy.nonzero_bytes
        room = room if left is None else min(room, left * policy.nonzeros_per_second)
        if nonzeros > room:
            most = min(most, max(policy.least_candidates, int(len(everything) * room / nonzeros)))
        if len(everything) <= most:
            self._handed = 0
            return everything, verdict.reach, verdict
        chosen = best_by_score(everything, most, merit_of(settings, fit.problem)).joined(self._own)
        chosen = chosen.joined(Candidates.of_patterns(rows, fit.best.rules))
        local_search(fit, chosen, fit.timing.deadline.share(policy.ilp_search_share))
        fit.timing.book("incumbent")
        verdict = replace(verdict, counts={**verdict.counts, "best by score": most})
        self._handed = len(chosen)
        return chosen, replace(verdict.reach, pool=len(chosen)), verdict
