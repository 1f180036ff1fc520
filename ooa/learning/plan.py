"""The plan of a fit: who has a turn, in which order, for how long and why.

A plan follows from a few facts about the table, the settings and their policy, and from nothing else, so it
can be printed, tested and argued about. It is made when patterns are mined, and again when they are screened.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum

from ooa.candidates.candidates import Candidates
from ooa.kernels.availability import compiled
from ooa.search.branch_and_bound import MOST_PAIRS, MOST_UNITS

from .policy import Policy
from .problem import FitProblem
from .settings import OOAxSettings
from .smaller import Smaller
from .state import Fit

__all__ = ["TOO_MANY", "Facts", "Plan", "Step", "Turn", "facts_of", "plan_ooax", "why_no_search"]


class Step(str, Enum):
    """Who can have a turn."""

    SMALLER = "a smaller language"
    ROUNDS = "rounds of replacement"
    EARLY = "early look at short patterns"
    MINE = "mining"
    FREE = "exact search without the constraints"
    GREEDY = "greedy start"
    REPLACE = "optimal replacement"
    GENERATE = "generation of patterns"
    LOCAL = "local search"
    DOMINANCE = "pairwise dominance"
    SEARCH = "exact search"
    ILP = "selection ILP"
    OOAX_ALL = "OOAx over all patterns"
    OOAX_COARSE = "OOAx over fewer cuts, up to length 3"
    BOXES = "families of boxes"
    MIP = "the MIP that forms patterns"


@dataclass(frozen=True)
class Facts:
    """What a plan depends on.

    Attributes
    ----------
    rows : distinct rows
    literals : what patterns are made of
    candidates : patterns to choose from
    complete : whether these are all patterns there are
    words : of their coverage as the search lays it out, 64 rows each
    nonzeros : about how many the selection ILP over all of them has
    constrained : whether there are constraints that do more than exclude patterns
    filtered : whether there are any
    known : whether a rule set that meets them is known
    most_patterns : the most that a better rule set can have, or None
    on_a_grid : whether weights and prices are whole multiples of a step that is coarse enough to count in
    seconds : time left, or None
    memory : bytes for that coverage, or None
    compiled : whether the exact search can be had
    smaller : the smaller languages that are looked at first
    """

    rows: int
    literals: int
    candidates: int
    words: int
    nonzeros: float
    complete: bool = True
    constrained: bool = False
    filtered: bool = False
    known: bool = True
    most_patterns: int | None = 5
    on_a_grid: bool = True
    seconds: float | None = None
    memory: float | None = None
    compiled: bool = True
    smaller: tuple[Smaller, ...] = ()


def facts_of(fit: Fit, candidates: Candidates, literals: int, *, complete: bool = True) -> Facts:
    """The facts about these candidates at this moment of a fit."""
    problem = fit.problem
    most = problem.most_patterns(fit.best.upper)
    return Facts(
        rows=problem.rows.n_rows,
        literals=literals,
        candidates=len(candidates),
        complete=complete,
        words=int(problem.copies * candidates.words),
        nonzeros=nonzeros_of(problem, candidates),
        constrained=bool(problem.constraints),
        filtered=bool(fit.best.problem.constraints),
        known=fit.best.upper is not None,
        most_patterns=most,
        on_a_grid=problem.units(candidates.items.shape[1]) * problem.rows.n_rows * (most or 1) <= MOST_UNITS,
        seconds=fit.timing.deadline.left(),
        memory=fit.policy.patterns_memory * fit.memory,
        compiled=compiled(),
    )


def nonzeros_of(problem: FitProblem, candidates: Candidates) -> float:
    """About how many nonzeros the ILP over some candidates has: the rows that each of them covers."""
    covered = float(candidates.positive.sum() + candidates.negative.sum())
    return problem.rows.n_rows * covered / float(problem.total)


@dataclass(frozen=True)
class Turn:
    """One turn: who, for how many seconds at most (None: as many as there are), and why."""

    step: Step
    seconds: float | None
    why: str

    def __str__(self) -> str:
        limit = "" if self.seconds is None else f" at most {self.seconds:.3g} s,"
        return f"{self.step.value}:{limit} {self.why}"


@dataclass(frozen=True)
class Plan:
    """The turns of a fit, in order.

    Attributes
    ----------
    turns : the turns
    search_later : whether local search, or replacement, waits for a first attempt at the whole proof
    hint : what the certificate's message will say if time ends before the proof
    """

    turns: tuple[Turn, ...]
    search_later: bool = False
    hint: str = ""

    def has(self, step: Step) -> bool:
        """Whether a step has a turn."""
        return any(turn.step is step for turn in self.turns)

    @property
    def proving(self) -> tuple[Turn, ...]:
        """The turns at the proof."""
        return tuple(turn for turn in self.turns if turn.step in (Step.SEARCH, Step.ILP))

    def __str__(self) -> str:
        return "\n".join(f"{i}. {turn}" for i, turn in enumerate(self.turns, 1))


def plan_ooax(facts: Facts, settings: OOAxSettings) -> Plan:
    """The turns of OOAx.

    Examples
    --------
    >>> from dataclasses import replace
    >>> noisy = Facts(rows=500, literals=80, candidates=9_000, words=9_000 * 8, nonzeros=1e6, seconds=60.0)
    >>> print(plan_ooax(noisy, OOAxSettings()))
    1. early look at short patterns: first rule sets before all patterns are mined
    2. mining: at most 24 s, every pattern that an optimal rule set can have
    3. greedy start: a first rule set in next to no time
    4. exact search: at most 60 s, 9,000 candidates are more than an ILP can have
    5. local search: at most 6 s, if the first attempt at the proof fails
    6. selection ILP: for what the exact search leaves open
    7. exact search: with whatever time is left, until there is a proof
    >>> print(plan_ooax(replace(noisy, constrained=True, literals=20), OOAxSettings()))
    1. mining: at most 24 s, every pattern that an optimal rule set can have
    2. exact search without the constraints: at most 2 s, what it finds is the answer if it meets them
    3. greedy start: a first rule set in next to no time
    4. local search: at most 6 s, a good rule set to start from
    5. pairwise dominance: fewer candidates for the ILP
    6. exact search: with prices for the constraints, then within their limits
    7. selection ILP: for what the exact search leaves open: they are rows of it
    """
    _policy, reason = settings.policy, why_no_search(facts, settings.policy)
    first = _search_first(facts, settings, reason)
    later = first and _needs_no_start(facts, settings) and "incumbent" not in settings.without
    hint = "" if settings.selection == "ilp" else _hint(reason)
    turns = [*_gathering(facts, settings)]
    if facts.constrained and settings.selection != "ilp" and _searchable(facts, settings.policy):
        policy, seconds = settings.policy, settings.policy.free_first_seconds
        some = seconds if facts.seconds is None else min(seconds, policy.free_first_share * facts.seconds)
        turns.append(Turn(Step.FREE, some, "what it finds is the answer if it meets them"))
    turns += _improving(facts, settings, first, later)
    if not first and "dominance" not in settings.without:
        turns.append(Turn(Step.DOMINANCE, None, "fewer candidates for the ILP"))
    proving = _proving(facts, settings, reason)
    if later:
        place = 1 + [turn.step for turn in proving].index(Step.SEARCH)
        proving.insert(place, _searching(facts, settings, "if the first attempt at the proof fails"))
    return Plan((*turns, *proving), later, hint)


#: Why there is no exact search where a longer limit would give one.
TOO_MANY = "there are too many candidates and rows for the time"
_NOT_COMPILED = "the exact search was not compiled when ooa was installed"
_TOO_LARGE = "what all candidates cover does not fit into memory: set max_memory to"


def _hint(reason: str | None) -> str:
    """What would make an exact search possible that is not."""
    return f"no exact search: {reason}" if reason and reason.startswith(_TOO_LARGE) else ""


def _searchable(facts: Facts, policy: Policy) -> bool:
    """Whether the exact search could be used without the constraints."""
    return why_no_search(replace(facts, known=True), policy) is None


def why_no_search(facts: Facts, policy: Policy) -> str | None:
    """Why the exact search cannot be used here, or None if it can."""
    if not facts.known:
        return "no rule set that meets the constraints is known"
    if facts.most_patterns is None or facts.most_patterns > policy.most_searched_patterns:
        return f"rule sets of more than {policy.most_searched_patterns} patterns are left to the ILP"
    if not facts.on_a_grid:
        return "there are too many rows for weights as fine as these"
    if facts.seconds is not None and facts.words > facts.seconds * policy.words_per_second:
        return TOO_MANY
    if facts.memory is not None and 8 * facts.words > facts.memory:
        return f"{_TOO_LARGE} {math.ceil(8 * facts.words / policy.patterns_memory / 2**20)}"
    return None if facts.compiled else _NOT_COMPILED


def _search_first(facts: Facts, settings: OOAxSettings, reason: str | None) -> bool:
    """Whether the exact search has the first turn: it starts sooner than a solver, and is often enough."""
    if settings.selection == "ilp" or facts.constrained or reason is not None:
        return False
    few = facts.candidates <= settings.policy.some  # once they are screened
    return settings.selection == "search" or not (few and _asks_solver(settings))


def _asks_solver(settings: OOAxSettings) -> bool:
    """Whether something is asked of the solver that tells it apart: few candidates are its then."""
    return settings.backend != "highs" or bool(settings.options) or settings.log is not None


def _needs_no_start(facts: Facts, settings: OOAxSettings) -> bool:
    """Whether the exact search starts without a local search: among so few that is often all it takes."""
    policy, bringing = settings.policy, not facts.complete and _replaces(facts, settings)  # more patterns
    in_time = facts.seconds is None or facts.seconds >= policy.least_seconds
    return facts.candidates <= policy.quick and in_time and not bringing


def _gathering(facts: Facts, settings: OOAxSettings) -> Iterator[Turn]:
    """The turns before there are candidates."""
    policy = settings.policy
    in_rounds = facts.smaller and _searched_singly(facts, settings)
    if in_rounds:
        words = "; ".join(one.words for one in facts.smaller)
        share = _share(facts, policy.rounds_share)
        yield Turn(
            Step.ROUNDS, share, f"good rule sets over smaller languages, then over all of this one: {words}"
        )
    for one in () if in_rounds else facts.smaller:
        yield Turn(Step.SMALLER, _share(facts, one.share), f"{one.words}: a rule set to start from, and soon")
    if not in_rounds and looks_early(facts.literals, facts.rows, settings):
        yield Turn(Step.EARLY, None, "first rule sets before all patterns are mined")
    share, words = _share(facts, policy.mining_share), "every pattern that an optimal rule set can have"
    yield Turn(Step.MINE, share, words)


def looks_early(literals: int, rows: int, settings: OOAxSettings) -> bool:
    """Whether short patterns are looked at before all are mined."""
    policy = settings.policy
    many = literals >= policy.many_literals[rows <= policy.rows_at_double_cost]
    return many and settings.keep is None and "incumbent" not in settings.without


def _improving(facts: Facts, settings: OOAxSettings, first: bool, later: bool) -> Iterator[Turn]:
    """The turns at good rule sets, before anything is screened."""
    policy = settings.policy
    if "incumbent" in settings.without:
        return
    # A local search among few takes longer than the solver.
    few = facts.candidates <= policy.few and not facts.constrained and not first
    if few or facts.candidates > policy.greedy_above:
        yield Turn(Step.GREEDY, None, "a first rule set in next to no time")
    if not later and (not few or _replaces(facts, settings)):
        yield _searching(facts, settings)
        if _replaces(facts, settings) and facts.complete:
            yield Turn(Step.LOCAL, None, "among the best that screening leaves, if these are very many")
    if _replaces(facts, settings) and not facts.complete and (facts.rows / 2) ** 2 <= MOST_PAIRS:
        share = _share(facts, policy.generation_share)
        yield Turn(Step.GENERATE, share, "a bound over all patterns, also over those that were left out")


def _searching(facts: Facts, settings: OOAxSettings, why: str = "a good rule set to start from") -> Turn:
    """The turn at good rule sets before the proof, or after a first attempt at it."""
    if not _replaces(facts, settings):
        return Turn(Step.LOCAL, _share(facts, settings.policy.search_share), why)
    share, lack = _share(facts, settings.policy.replace_share), "patterns had to be left out"
    return Turn(Step.REPLACE, share, why if facts.complete else lack)


def _replaces(facts: Facts, settings: OOAxSettings) -> bool:
    """Whether single patterns are searched for among all there are: no list of them serves local search."""
    listed = facts.complete and facts.candidates <= settings.policy.search_width
    return not listed and _searched_singly(facts, settings)


def _searched_singly(facts: Facts, settings: OOAxSettings) -> bool:
    """Whether single patterns can be searched for."""
    without = {"incumbent", "replacement"}.intersection(settings.without)
    barred = facts.constrained or facts.filtered or settings.keep is not None or bool(without)
    return not barred and facts.compiled and facts.on_a_grid


def _proving(facts: Facts, settings: OOAxSettings, reason: str | None) -> list[Turn]:
    """The turns at the proof, once candidates are screened."""
    policy, n, most = settings.policy, facts.candidates, settings.first_candidates or facts.candidates
    if settings.selection == "ilp":
        reason = "the way that was asked for"
    if reason is not None:
        return [Turn(Step.ILP, None, reason)]
    handed = facts.nonzeros * min(1.0, most / max(1, n))
    if settings.selection == "search":
        return [Turn(Step.SEARCH, None, "the way that was asked for")]
    if handed > policy.most_nonzeros and not facts.constrained:
        return [Turn(Step.SEARCH, None, "no solver would keep to a time limit on so large an ILP")]
    share = policy.first_turn if n <= most else policy.long_turn
    seconds = policy.turn_seconds if facts.seconds is None else share * facts.seconds
    rest = policy.second_turn_seconds if facts.seconds is None else None
    if facts.constrained:
        some = policy.second_turn_seconds if facts.seconds is None else None
        first = Turn(Step.SEARCH, some, "with prices for the constraints, then within their limits")
        return [first, Turn(Step.ILP, None, "for what the exact search leaves open: they are rows of it")]
    if n <= policy.few and _asks_solver(settings):
        first = Turn(
            Step.ILP, seconds, f"{n:,} candidates are few enough for it, and something was asked of it"
        )
        second = Turn(Step.SEARCH, rest, "for what the ILP leaves open")
    else:
        why = "are more than an ILP can have" if n > most else "are hard for an ILP"
        why = f"{n:,} candidates {why}" if n > policy.few else "it starts sooner than a solver"
        first = Turn(Step.SEARCH, seconds, why)
        second = Turn(Step.ILP, rest, "for what the exact search leaves open")
    last = Step.ILP if facts.seconds is None else first.step
    return [first, second, Turn(last, None, "with whatever time is left, until there is a proof")]


def _share(facts: Facts, share: float) -> float | None:
    return None if facts.seconds is None else share * facts.seconds
