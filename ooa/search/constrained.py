"""Good sets of candidates that meet constraints: local search with prices on what the constraints limit.

Let `f` be what a set gains and `a_m` the sum that constraint m limits. With prices lambda >= 0,

    f_lambda(A) = f(A) + sum over m of lambda_m (limit_m - a_m(A))

is at least `f(A)` for every set that meets the constraints, and is what a set gains once rows and patterns
are valued anew: so local search finds good sets for any prices, and their lines over lambda, one for each set
seen, say which prices come next (the cutting-plane method on the Lagrangian dual). Sets that meet the
constraints lie on the way, and single exchanges make the best of them better.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.candidates.row_weights import RowWeights
from ooa.clock import NEVER, Deadline
from ooa.data.bitsets import unpack, weighted_count
from ooa.formulations.counted import Counted, covered_by
from ooa.kernels.availability import compiled
from ooa.kernels.bits import gains

from .local_search import Choice, LocalSearch

__all__ = ["ConstrainedSearch", "Valued", "best_prices"]

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

#: Candidates that one local search looks at, the best at the present prices; and for the exchanges.
WIDTH = 6_000
#: Kicks in a row that may fail in one of these searches, and words that it goes through.
KICKS, WORK = 6, 2 * 10**7
#: Prices in a row that may bring nothing better once the best of them are known.
IDLE = 5
#: Exchanges of one pattern, one after the other.
EXCHANGES = 100


class Valued(NamedTuple):
    """What sets of candidates gain: the value of every row they cover, less the price of every pattern."""

    value: Integers
    price: Integers


class _Seen(NamedTuple):
    gain: int
    amounts: Integers


class ConstrainedSearch:
    """Search for a set of candidates that meets constraints and gains much.

    Parameters
    ----------
    counted : the constraints; all candidates are allowed
    valued : what sets gain, on the rows and flags of `counted`
    max_patterns : most patterns in a set, or None
    threads : that count gains; the answer does not depend on it

    Attributes
    ----------
    counted, valued : the constraints, and what sets gain
    best, choice : the gain of the best set found that meets the sums, and the set; None until there is one
    penalty : the last prices lambda

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 1, 1], [1, 1, 0, 0], [0, 0, 1, 0]])
    >>> on_rows, on_patterns = np.array([[0, 0, 1, 1]]), np.zeros((1, 3), int)
    >>> few = Counted(bits, np.ones(3, bool), on_rows, on_patterns, np.array([1]), True, ())
    >>> search = ConstrainedSearch(few, Valued(np.array([3, 3, 3, 3]), np.array([1, 1, 1])), 2)
    >>> search.run([()])
    >>> search.choice, search.best
    ((1, 2), 7)
    """

    def __init__(self, counted: Counted, valued: Valued, max_patterns: int | None, threads: int = 1) -> None:
        self.counted, self.valued, self._threads = counted, valued, threads
        self._most = len(valued.price) if max_patterns is None else min(max_patterns, len(valued.price))
        self._measured: dict[Choice, _Seen] = {}
        self.best: int | None = None
        self.choice: Choice | None = None
        self.penalty: Floats = np.zeros(len(counted.limit))
        self._found: Callable[[Choice], None] | None = None

    def run(
        self,
        starts: Iterable[Choice],
        *,
        rounds: int = 12,
        seed: int = 0,
        deadline: Deadline = NEVER,
        found: Callable[[Choice], None] | None = None,
        enough: int | None = None,
    ) -> None:
        """Look for better sets.

        It ends where one gains all that the prices leave, as no other one seen can gain more then.

        Parameters
        ----------
        starts : sets to begin with, whether or not they meet the constraints
        rounds : how many prices are tried, or fewer if so many of them in a row bring nothing better
        seed : of the random kicks
        deadline : when it ends in any case
        found : told of every set that meets the sums and gains more than all before
        enough : what is looked for is a set that meets the sums and gains so much, and no more
        """
        self._found = found
        origin: Choice = ()
        for start in (*starts, ()):
            self._see(start)
            origin = origin or tuple(start)
        rng, settled, idle = np.random.default_rng(seed), False, 0
        for turn in range(rounds):
            if deadline.passed() or not len(self.valued.price) or idle == IDLE:
                break
            if enough is not None and self.best is not None and self.best >= enough:
                break
            before = self.best
            dual, bound = self._prices()
            # Once no better prices are in sight, sets that are nearly best at them are looked at.
            self.penalty = dual * rng.uniform(0.6, 1.6, len(dual)) if settled else dual
            top = self._improve(self.choice or origin, seed + turn, deadline)
            slack = 1e-9 * max(1.0, abs(bound))
            settled |= self.penalised(top) <= bound + slack
            if settled and self.best is not None and self.best >= bound - slack:
                self.penalty = dual
                break
            self._exchange(top, deadline)
            if settled and self.choice is not None:
                self._exchange(self.choice, deadline)
                idle = idle + 1 if self.best == before else 0
            self.penalty = dual

    def penalised(self, chosen: Choice) -> float:
        """`f_lambda` of a set at the present prices."""
        seen = self._see(chosen)
        return seen.gain + float(self.penalty @ (self.counted.limit - seen.amounts))

    def most(self, penalty: Integers, scale: int) -> int:
        """The most that a set seen gains times a scale, less what whole prices take for its amounts."""
        few = (one for chosen, one in self._measured.items() if len(chosen) <= self._most)
        return max((scale * one.gain - int(penalty @ one.amounts) for one in few), default=0)

    def tight(self) -> list[Choice]:
        """The sets seen that gain most at the last prices, up to one more than there are constraints.

        Whoever begins with them is at these prices at once.
        """
        chosen = np.array([self.penalised(one) for one in self._measured])
        best = np.argsort(-chosen, kind="stable")[: len(self.penalty) + 1]
        every = list(self._measured)
        return [every[k] for k in best.tolist()]

    def _see(self, chosen: Iterable[int]) -> _Seen:
        """What a set gains and takes up; it is the best known if it is."""
        picked = tuple(sorted(chosen))
        known = self._measured.get(picked)
        if known is not None:
            return known
        width = self.counted.on_rows.shape[1]
        covered = unpack(covered_by(self.counted.bits, picked)[None], width)[0]
        gain = int(self.valued.value[covered].sum() - self.valued.price[list(picked)].sum())
        seen = _Seen(gain, self.counted.amounts(covered, picked))
        self._measured[picked] = seen
        if (
            len(picked) <= self._most
            and self._meets(seen.amounts)
            and (self.best is None or gain > self.best)
        ):
            self.best, self.choice = gain, picked
            if self._found is not None:
                self._found(picked)
        return seen

    def _meets(self, amounts: Integers) -> bool:
        return bool((amounts <= self.counted.limit).all())

    def _prices(self) -> tuple[Floats, float]:
        """The prices at which the best of the sets seen gains least, and what it gains there."""
        seen = list(self._measured.values())
        gain = np.array([float(one.gain) for one in seen])
        room = self.counted.limit - np.array([one.amounts for one in seen])
        worth = max(1.0, float(np.abs(self.valued.value).sum() + np.abs(self.valued.price).sum()))
        return best_prices(gain, room, None if self.choice is not None else worth) or (self.penalty, np.inf)

    def _improve(self, start: Choice, seed: int, deadline: Deadline) -> Choice:
        """Local search at the present prices, over the candidates that are best at them."""
        counted, penalty = self.counted, self.penalty
        value = self.valued.value - penalty @ counted.on_rows
        price = self.valued.price + penalty @ counted.on_patterns
        right, wrong = np.maximum(value, 0.0), np.maximum(-value, 0.0)
        among = self._promising(right, wrong, price, start)
        place = {k: i for i, k in enumerate(among.tolist())}
        local = LocalSearch(
            counted.bits[among], right, wrong, price[among], self._most, threads=self._threads
        )
        best = local.run(
            tuple(place[k] for k in start),
            seed=seed,
            rounds=KICKS,
            work=WORK,
            deadline=deadline,
            seen=lambda chosen: self._see_parts(tuple(among[list(chosen)].tolist())),
        )
        return tuple(among[list(best)].tolist())

    def _see_parts(self, chosen: Choice) -> None:
        """Look at a set, and at what it was before its last patterns were added."""
        for size in range(len(chosen), 0, -1):
            self._see(chosen[:size])

    def _promising(self, right: Floats, wrong: Floats, price: Floats, kept: Choice) -> NDArray[np.intp]:
        """The candidates that gain most at some prices, by themselves or with negatives counted more."""
        if len(price) <= WIDTH:
            return np.arange(len(price))
        good, bad = (weighted_count(self.counted.bits, weight) for weight in (right, wrong))
        merits = good - bad - price, good - 3 * bad - price
        best = [np.argpartition(-merit, WIDTH // 2)[: WIDTH // 2] for merit in merits]
        some = [np.array(list(kept), dtype=np.intp), np.array(list(self.choice or ()), dtype=np.intp)]
        return np.unique(np.concatenate([*best, *some]))

    def _exchange(self, chosen: Choice, deadline: Deadline) -> None:
        """Exchange, add or leave out one pattern at a time as long as that helps.

        What is nearer to the constraints is better; among sets that meet them, what gains more.
        """
        if deadline.passed():
            return
        counted, penalty = self.counted, self.penalty
        value = self.valued.value - penalty @ counted.on_rows
        price = self.valued.price + penalty @ counted.on_patterns
        among = self._promising(np.maximum(value, 0.0), np.maximum(-value, 0.0), price, chosen)
        on_rows, on_patterns = (
            [self.valued.value, *counted.on_rows],
            [-self.valued.price, *counted.on_patterns],
        )
        sums: list[_Marginal] = []
        for rows, patterns in zip(on_rows, on_patterns):
            if deadline.passed():  # each lays out the rows of all these patterns
                return
            sums.append(_Marginal(rows, patterns[among], counted.bits[among], self._threads))
        for _ in range(EXCHANGES):
            better = self._best_exchange(chosen, among, sums, deadline)
            if better is None:
                return
            chosen = better
            self._see(chosen)

    def _best_exchange(
        self, chosen: Choice, among: NDArray[np.intp], sums: list[_Marginal], deadline: Deadline
    ) -> Choice | None:
        """The best set that differs in one pattern, if it is better."""
        now = self._see(chosen)
        best, found = (-self._beyond(now.amounts), float(now.gain)), None
        for kept in (chosen, *(tuple(k for k in chosen if k != z) for z in chosen)):
            if deadline.passed():
                break
            base, cover = self._see(kept), covered_by(self.counted.bits, kept)[None]
            options = [(kept, self._beyond(base.amounts), float(base.gain))]
            if len(kept) < self._most:
                gain = base.gain + sums[0].of(cover)
                gain[np.isin(among, kept)] = -np.inf
                added = np.array([one.of(cover) for one in sums[1:]]).reshape(len(sums) - 1, len(among))
                amounts = base.amounts[:, None] + added
                beyond = self._beyond(amounts)
                k = int(np.lexsort((-gain, beyond))[0])
                options.append((tuple(sorted((*kept, int(among[k])))), float(beyond[k]), float(gain[k])))
            for option, over, worth in options:
                if (-over, worth) > best:
                    best, found = (-over, worth), option
        return found

    def _beyond(self, amounts: NDArray[Any]) -> Any:
        """By how much amounts exceed the limits, in all, each as a share of its limit."""
        limit = self.counted.limit.reshape(-1, *(1,) * (amounts.ndim - 1))
        return (np.maximum(amounts - limit, 0) / np.maximum(1, np.abs(limit))).sum(axis=0)


def best_prices(gain: Floats, room: NDArray[Any], worth: float | None) -> tuple[Floats, float] | None:
    """The prices at which the best of some sets gains least, and what it gains there; None if there are none.

    Parameters
    ----------
    gain : of each set
    room : what each of them leaves of every limit, below 0 if it is beyond
    worth : the most that keeping to a limit is worth, if no set is known that keeps to all of them
    """
    from scipy.optimize import linprog  # takes a while to import

    size = np.maximum(1.0, np.abs(room).max(axis=0))  # so that no column is tiny or huge
    most = np.full(len(size), np.inf) if worth is None else worth * size
    rows = np.column_stack([room / size, -np.ones(len(gain))])
    bounds = [*((0.0, high) for high in most.tolist()), (None, None)]
    cost = np.append(1e-9 * np.ones(len(size)), 1.0)
    solved = linprog(cost, A_ub=rows, b_ub=-gain, bounds=bounds, method="highs")
    return None if solved.x is None else (solved.x[:-1] / size, float(solved.x[-1]))


class _Marginal:
    """What each candidate would add to a sum over covered rows and patterns."""

    def __init__(self, rows: Integers, patterns: Integers, bits: NDArray[np.uint64], threads: int) -> None:
        some = np.flatnonzero(rows)
        self._fast, self._threads = compiled(), threads
        self._patterns, self._bits = patterns.astype(np.float64), bits
        self._sides = None
        if len(some):
            signed = rows.astype(np.float64)
            self._sides = tuple(RowWeights(np.maximum(sign * signed, 0.0), bits) for sign in (1.0, -1.0))

    def of(self, cover: NDArray[np.uint64]) -> Floats:
        """For each candidate, given what is covered already."""
        if self._sides is None:
            return self._patterns.copy()
        if self._fast:
            up, down = self._sides
            sides = up.rows, up.word_factors, down.rows, down.word_factors
            covered = up.laid_out(cover), down.laid_out(cover)
            return gains(*sides, *covered, -self._patterns, 1.0, self._threads)
        total = self._patterns.copy()
        for sign, side in zip((1.0, -1.0), self._sides):
            total += sign * side.weigh(side.rows & ~side.laid_out(cover))
        return total
