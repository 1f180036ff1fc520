"""OOA by boxes within a fit: better rule sets by the exact best box, and bounds over all of them."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ooa.clock import Deadline, Patience
from ooa.errors import RuleError
from ooa.formulations.box_filters import NO_FILTERS, BoxFilters
from ooa.formulations.rank_space import RankSpace
from ooa.kernels.availability import compiled
from ooa.rules.ruleset import RuleSet
from ooa.search.boxes import BoxSearch, RankBox
from ooa.search.branch_and_bound import MOST_UNITS
from ooa.search.replacement import Replacement

from .box_generation import BoxGeneration
from .box_values import BoxValues, free_values
from .pace import Pace
from .settings import OOASettings
from .state import Fit

__all__ = ["Boxing", "boxes_can_be_had", "too_many_cells"]


def boxes_can_be_had(fit: Fit, settings: OOASettings) -> bool:
    """Whether families of boxes can be searched: in whole numbers."""
    problem = fit.problem
    fine = problem.total / problem.step * problem.rows.n_rows > MOST_UNITS
    return settings.decompose and compiled() and not fine


def too_many_cells(fit: Fit) -> bool:
    """Whether the table is too large to be laid out for boxes in a part of the time and memory left."""
    policy, rows, left = fit.policy, fit.problem.rows, fit.timing.deadline.left()
    cells = (rows.n_rows + policy.box_column_cells) * len(rows.columns)
    in_time = left is None or cells <= left * policy.box_cells_per_second
    return not in_time or cells * policy.box_cell_bytes > fit.memory


class Boxing:
    """Families of boxes in one fit, in the units of the objective's grid.

    Parameters
    ----------
    fit : the fit in progress, without constraints but for those that filters say or values count
    language : what boxes can say, as `BoxFormulation` takes it
    values : what they are worth
    filters : what they have to keep to

    Attributes
    ----------
    found : sets of boxes that were better than those before, and the rows of the fit that each covers
    bound : no rule set has a smaller L on the grid, if anything is known
    proof : what proved the bound: "boxes", or "generation" if it was the linear program
    """

    def __init__(
        self,
        fit: Fit,
        language: dict[str, Any],
        values: BoxValues | None = None,
        filters: BoxFilters = NO_FILTERS,
    ) -> None:
        self._fit, self._filters, problem = fit, filters, fit.problem
        ranks = {name: value for name, value in language.items() if name != "single_category"}
        self._values = values = free_values(problem) if values is None else values
        merge = not filters or not self._needs_all_cuts(ranks)
        self._space = RankSpace.of(values.rows, **ranks, merge=merge, cut_by=problem.table)
        self._positive, self._negative = (
            np.bincount(self._space.row, weights=side, minlength=self._space.n_rows).astype(np.int64)
            for side in (values.positive, values.negative)
        )
        self._search = BoxSearch(
            self._space,
            self._positive,
            self._negative,
            values.prices,
            single_category=bool(language["single_category"]),
            threads=fit.threads,
            filters=filters,
        )
        self._replacement: Replacement[RankBox] = Replacement(
            self._search, self._positive, self._negative, problem.max_patterns
        )
        self._gain: dict[int, int] = {}
        self.found: list[tuple[tuple[RankBox, ...], NDArray[np.bool_]]] = []
        self._longest = 0.0  # seconds of a piece of the search, which on many rows are many
        self._met: list[RankBox] = []
        self._generation: BoxGeneration | None = None
        self.bound: Fraction | None = None
        self.proof = "boxes"

    def _needs_all_cuts(self, ranks: dict[str, Any]) -> bool:
        """Whether the filters may need cuts that the best boxes do not need otherwise."""
        space = RankSpace.of(self._values.rows, **ranks, cut_by=self._fit.problem.table)
        net = (self._values.positive - self._values.negative).astype(np.int64)
        worth = np.zeros(space.n_rows, dtype=np.int64)
        np.add.at(worth, space.row, net)
        return self._filters.need_cuts(space, worth)

    # -- better rule sets ----------------------------------------------------------------------------

    def improve(
        self,
        deadline: Deadline,
        starts: list[tuple[RankBox, ...]] | None = None,
        *,
        brief: bool = False,
    ) -> None:
        """Add the best box, and replace one at a time by the best beside the others, as long as that pays.

        It begins with the best rule set known, unless others are given; and ends sooner if it is to be brief.
        """
        fit, policy = self._fit, self._fit.policy
        patience = Patience(policy.look_idle if brief else policy.replace_idle, 1.0, deadline.clock)
        patience.renew()
        self._show("replacing one pattern at a time by the best")

        def offer(found: tuple[RankBox, ...]) -> None:
            self._offer(found)
            patience.renew()

        search = self._replacement
        search.run(
            self._starts() if starts is None else starts,
            seed=fit.params.seed + search.searches,
            rounds=policy.replace_rounds,
            work=None if deadline.limited else policy.replace_work,
            deadline=replace(deadline, patience=patience),
            improved=offer,
        )
        self._met = search.collected(policy.generated_from)
        fit.log.interrupted |= search.interrupted
        fit.timing.book("replacement")
        fit.log.heed()

    def _starts(self) -> list[tuple[RankBox, ...]]:
        """The best rule set known, if boxes say it."""
        found = []
        try:
            for pattern in self._fit.best.rules:
                box = self._space.box(pattern)
                if box is not None:
                    found.append(self._search.items(box))
        except RuleError:
            return []
        return [tuple(found)]

    def _offer(self, boxes: tuple[RankBox, ...]) -> None:
        if self._filters.together([self._search.box(items) for items in boxes], self._space):
            self._known(len(boxes), self._search.gain(boxes))
        covered = np.logical_or.reduce([self._search.covers(items) for items in boxes])
        self.found.append((boxes, covered[self._space.row]))
        self._fit.best.offer(RuleSet([self._space.pattern(self._search.box(items)) for items in boxes]))
        self._show("boxes")

    def _known(self, boxes: int, gain: int) -> None:
        self._gain[boxes] = max(gain, self._gain.get(boxes, 0))

    def _show(self, what: str) -> None:
        best, line = self._fit.best.value, self._fit.log.line
        known = "" if best is None else f", best {float(best):.5f}"
        bound = "" if self.bound is None else f", bound {float(self.bound):.5f}"
        line.update(f"{what}{known}{bound}")

    # -- bounds --------------------------------------------------------------------------------------

    def prove(self, most: int, deadline: Deadline) -> None:
        """Bounds for rule sets of 1, 2, ... boxes, up to so many, one gap after the other.

        What fewer boxes gain at most bounds what more of them can add, so it comes first, with a share of the
        time for each number. The best single one is looked for at once: that takes a moment on most tables,
        and if not, there is a rule set to start from. If two are all there may be, a fifth of the
        time is for families of these. Then comes the linear program, which mostly leaves less than
        they do, and again before the largest of them, or after a share of the time for these where all
        smaller ones are searched through. Where there may be more
        than families are searched for, it is all there is; and it has most of the time where families of
        fewer boxes are not searched through.
        """
        self._search.allow(most)
        policy = self._fit.policy
        for start in self._starts():
            self._known(len(start), self._search.gain(start))
        few = most <= policy.most_boxes
        until = deadline.share_of_rest(policy.single_box_share)
        if few and self._exclude(1, self._target(1, 0.0), until):
            self._note()
        if few and most == 2:
            early = deadline.share_of_rest(policy.two_boxes_share, policy.boxes_seconds)
            if self._close_fewer(most, early):
                self._close(most, early, some=True)
        if most > 1:
            share = policy.box_generation[0] if few else 1.0
            self._generate_and_improve(most, deadline.share_of_rest(share, policy.generation_seconds))
            if deadline.limited and self._generation is not None and not self._settled(most):
                starts = [tuple(self._generation.chosen())]
                self.improve(deadline.share_of_rest(policy.box_start_share), starts)
        if few and most > 1:
            closed = self._close_fewer(most, deadline)
            if closed and most > 2:
                until = deadline.share_of_rest(policy.fewer_boxes_share, policy.boxes_seconds)
                self._close(most, until, some=True)
            share = policy.box_generation[2 if not closed else 1 if self._promising(most) else 0]
            self._generate(most, deadline.share_of_rest(share, policy.generation_seconds))
        if few and not self._settled(most):
            self._close(most, deadline)
        self._fit.timing.book("boxes")

    def _close_fewer(self, most: int, deadline: Deadline) -> bool:
        """Gaps for fewer boxes than that, with a share of the time for each; whether all were settled."""
        policy = self._fit.policy
        for boxes in range(1, most):
            if self._settled(most):
                break
            until = deadline.share_of_rest(policy.fewer_boxes_share, policy.boxes_seconds)
            self._close(boxes, until, some=True)
            if not self._settled(boxes):
                return False
        return True

    def _promising(self, most: int) -> bool:
        """Whether the linear program, slow to begin, leaves at most twice the gap that families do."""
        if self._generation is None:
            return False
        known = self._target(most, 0.0)
        return self._generation.bound - known <= 2 * (int(self._search.caps[most]) - known)

    def _settled(self, most: int) -> bool:
        """Whether no set of at most so many boxes is better by more than the gap that is wanted."""
        return bool(self._search.caps[most] <= self._target(most, self._fit.params.relative_gap))

    def _generate(self, most: int, until: Deadline, rounds: int | None = None) -> None:
        """Lower the bound for at most so many boxes by the linear program."""
        worth = self._positive - self._negative
        if self._generation is None:
            self._generation = BoxGeneration(self._fit, self._search, worth, most)

        def improved(gain: int) -> None:
            self._search.at_most(most, gain)
            self._note("generation")

        if not self._settled(most):
            needed = self._target(most, self._fit.params.relative_gap)
            starts = [items for start in self._starts() for items in start]
            self._generation.turn([*starts, *self._met], needed, until, improved, rounds)

    def _generate_and_improve(self, most: int, until: Deadline) -> None:
        """The linear program piece by piece, each four times the one before; what it chooses is a start.

        Pieces are so many solutions of it, so that a fit with more time has the starts of one with less.
        """
        rounds = self._fit.policy.box_start_rounds
        while True:
            self._generate(most, until, rounds)
            generation = self._generation
            if not until.limited or generation is None or generation.ended or until.passed():
                return
            if self._settled(most):
                return
            self.improve(until.share_of_rest(0.5), [tuple(generation.chosen())], brief=True)
            rounds *= 4

    def _close(self, most: int, until: Deadline, some: bool = False) -> None:
        """One gap after the other for rule sets of at most so many boxes; if only some, as time allows.

        Time for larger numbers is not spent on a gap that would not be proved in the end.
        """
        wanted, policy = self._fit.params.relative_gap, self._fit.policy
        pace, gap = Pace(policy), math.inf
        while gap > wanted and not until.passed():
            gap = pace.next_gap(wanted, until.left())
            if gap > wanted and self._search.caps[most] <= self._target(most, gap):
                continue
            began = until.clock.now()
            for boxes in range(1, most + 1):
                if not self._exclude(boxes, self._target(most, gap), until):
                    return
                self._note()
            pace.took(gap, until.clock.now() - began)
            if self._search.caps[most] <= self._target(most, wanted):
                return
            if some and not pace.in_time(until.left()):
                return

    def _target(self, most: int, gap: float) -> int:
        """What a rule set of at most so many boxes gains that is better by this gap than the best known."""
        known = max((gain for boxes, gain in self._gain.items() if boxes <= most), default=0)
        values, problem, upper = self._values, self._fit.problem, self._fit.best.upper
        if not values.free and upper is not None:  # with prices, sets that meet no constraint gain more
            known = max(known, values.aim(upper * problem.total / problem.step))
        value = values.everything - known
        return max(0, values.everything - (value - math.floor(Fraction(gap) * value)))

    def _exclude(self, boxes: int, target: int, until: Deadline) -> bool:
        """Look for just so many boxes that gain more; return whether time was long enough."""
        search = self._search
        if search.caps[boxes] <= max(target, search.caps[boxes - 1]):
            return True  # known, or not to be had
        if not self._time_for_a_piece(until):
            return False
        before = until.clock.now()

        def go_on(share: float) -> bool:
            nonlocal before
            self._show(f"sets of {boxes} boxes: {100 * share:.0f} %")
            now = until.clock.now()
            self._longest, before = max(self._longest, now - before), now
            return self._time_for_a_piece(until)

        done, found = search.exclude(boxes, target, go_on)
        if found:
            self._offer(found)
        return done

    def _time_for_a_piece(self, until: Deadline) -> bool:
        """Whether there is time for another piece of the search, as long as the longest so far."""
        left = until.left()
        return not until.passed() and (left is None or left > self._longest)

    def _note(self, proof: str = "boxes") -> None:
        """Note what is proved for all numbers of boxes together, and by what."""
        problem = self._fit.problem
        bound = self._values.cost(int(self._search.caps[-1])) * problem.step / problem.total
        if self.bound is None or bound > self.bound:
            self.bound, self.proof = bound, proof
            self._fit.log.note_bound(problem.grid.below(bound))
            self._fit.timing.watch(float(bound), float(self._fit.best.upper or 0))
