"""How rich a set of patterns is: maximum efficient sets and the VC dimension (Theorem 4)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ooa.checks import instance, listed_items, whole_or_none
from ooa.clock import CLOCK, Clock, Deadline
from ooa.errors import LicenseLimit, SolverError
from ooa.logs import user_warn
from ooa.model.expressions import BoolArray
from ooa.rules.evaluation import covers as coverage
from ooa.rules.pattern import Pattern
from ooa.solving.backend import Backend
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend

from .efficient_sets import EfficientFormulation, WitnessPairs

__all__ = ["EfficientSet", "VCDimension", "maximum_efficient_set", "vc_dimension"]

#: Rows of the program beyond which it is not built, and what the greedy search found is returned.
_MOST_ROWS = 2_000_000
#: Tries of the greedy search.
_TRIES = 20


@dataclass(frozen=True, eq=False)
class EfficientSet:
    """Patterns that each cover a row which no other of them covers.

    Attributes
    ----------
    members : tuple of Pattern
    witnesses : tuple of int
        For each member, the number of a row that it covers and no other member does.
    upper : int
        No efficient set of these patterns over these rows has more members.
    n_patterns : int
        The number of patterns that differ on these rows and cover any.
    """

    members: tuple[Pattern, ...]
    witnesses: tuple[int, ...]
    upper: int
    n_patterns: int

    @property
    def size(self) -> int:
        """The number of members."""
        return len(self.members)

    @property
    def proved(self) -> bool:
        """Whether this is proved to be a maximum efficient set."""
        return self.size == self.upper

    def __repr__(self) -> str:
        known = "proved" if self.proved else f"at most {self.upper}"
        return f"EfficientSet({self.size} of {self.n_patterns} patterns, {known})"


@dataclass(frozen=True)
class VCDimension:
    """What is known of a VC dimension: it lies between two bounds, which are equal if it is known exactly.

    Attributes
    ----------
    lower, upper : int
    efficient : EfficientSet
        Its witnesses are shattered, by as many rule sets as there are subsets of its members; with a limit
        on the number of patterns, any `lower` of them are.
    statement : str
        Of which rule sets and over which rows.
    """

    lower: int
    upper: int
    efficient: EfficientSet
    statement: str

    @property
    def exact(self) -> bool:
        """Whether the dimension is known exactly."""
        return self.lower == self.upper

    def __str__(self) -> str:
        value = f"{self.lower}" if self.exact else f"between {self.lower} and {self.upper}"
        return f"VC dimension {value}, of {self.statement}"


def maximum_efficient_set(
    patterns: Iterable[Pattern],
    X: object,
    *,
    backend: str | Backend = "highs",
    time_limit: float | None = None,
    seed: int = 0,
    clock: Clock = CLOCK,
) -> EfficientSet:
    """Find the most patterns that each cover a row of the data which no other of them covers.

    Parameters
    ----------
    patterns : iterable of Pattern
        A rule set will do.
    X : frame, array or Table
        The rows.
    backend : name of a solver, or a `Backend`
    time_limit : seconds for everything; a greedy search and a bound by linear algebra come first
    seed : of the greedy search and the solver
    clock : what time it is; another one than the machine's is for tests

    Returns
    -------
    EfficientSet
        Always: without time, or beyond two million pairs of a row and a pattern that covers it, what the
        greedy search found. The witnesses are checked against the patterns.

    Notes
    -----
    An upper bound without a solver: members and witnesses form an identity matrix within the coverage, so
    the rank of the coverage, over any field, is at least the size. It is computed over the field of two
    elements, exactly.

    Examples
    --------
    >>> patterns = [Pattern.parse(text) for text in ("x <= 1", "x >= 3", "y = a", "x >= 1")]
    >>> found = maximum_efficient_set(patterns, {"x": [0, 2, 3, 4, 2], "y": ["b", "a", "b", "a", "b"]})
    >>> found.size, found.proved
    (3, True)
    >>> print(*found.members, found.witnesses, sep=", ")
    x ≤ 1, x ≥ 3, y = a, (0, 2, 1)
    """
    instance(clock, "clock", Clock, "a Clock")
    # It raises what they cannot be.
    deadline = SolveParams(time_limit=time_limit, seed=seed, clock=clock).deadline()
    solver = get_backend(backend)
    solver.require()
    given = _distinct(patterns)
    full = coverage(given, X)
    rows, columns = _first_of_equal(full), _first_of_equal(full.T)
    covers = full[np.ix_(rows, columns)]
    formulation = EfficientFormulation(covers)
    pairs = formulation.pairs_of(_greedy(covers, np.random.default_rng(seed), deadline))
    upper = min(_rank(covers), *covers.shape)
    few = np.count_nonzero(covers) <= _MOST_ROWS
    if len(pairs) < upper and few and not deadline.passed():
        pairs, upper = _solved(formulation, pairs, upper, solver, seed, deadline)
    pairs = sorted(pairs, key=lambda pair: pair[1])
    witnesses, members = [int(rows[n]) for n, _ in pairs], [int(columns[k]) for _, k in pairs]
    if not np.array_equal(full[np.ix_(witnesses, members)], np.eye(len(pairs), dtype=bool)):
        raise SolverError(f"{solver.name} returned a set of patterns that is not efficient")
    return EfficientSet(tuple(given[k] for k in members), tuple(witnesses), upper, len(columns))


def vc_dimension(
    patterns: Iterable[Pattern],
    X: object,
    *,
    max_patterns: int | None = None,
    backend: str | Backend = "highs",
    time_limit: float | None = None,
    seed: int = 0,
    clock: Clock = CLOCK,
) -> VCDimension:
    """Compute the VC dimension of the rule sets made of given patterns, over given rows.

    By Theorem 4 it is the size of a maximum efficient set. Over other rows than these it may be larger, as
    patterns may differ there that do not differ here; over all of them it is at most the number of patterns.

    Parameters
    ----------
    patterns : iterable of Pattern
    X : frame, array or Table
    max_patterns : int, optional
        The most patterns in a rule set. The paper's theorem is about rule sets of any number of patterns.
        With a limit K below the size E of a maximum efficient set, the dimension lies between K (any K
        witnesses are shattered) and the smaller of E (the proof of "at most" uses single patterns only) and
        the binary logarithm of the number of such rule sets.
    backend, time_limit, seed, clock
        See `maximum_efficient_set`.

    Examples
    --------
    >>> patterns = [Pattern.parse(f"x = {v}") for v in "abcd"]
    >>> print(vc_dimension(patterns, {"x": list("abcd")}))
    VC dimension 4, of all rule sets of these 4 patterns over these rows
    >>> print(vc_dimension(patterns, {"x": list("abcd")}, max_patterns=2))
    VC dimension between 2 and 3, of rule sets of at most 2 of these 4 patterns over these rows
    """
    most = whole_or_none(max_patterns, "max_patterns")
    given = _distinct(patterns)
    found = maximum_efficient_set(given, X, backend=backend, time_limit=time_limit, seed=seed, clock=clock)
    if most is None:
        statement = f"all rule sets of these {len(given)} patterns over these rows"
        return VCDimension(found.size, found.upper, found, statement)
    upper = min(found.upper, rule_sets(found.n_patterns, most).bit_length() - 1)
    statement = f"rule sets of at most {most} of these {len(given)} patterns over these rows"
    return VCDimension(min(found.size, most), upper, found, statement)


def rule_sets(n_patterns: int, most: int) -> int:
    """The number of rule sets of at most so many of so many patterns.

    Examples
    --------
    >>> rule_sets(4, 2)
    11
    """
    return sum(math.comb(n_patterns, size) for size in range(min(most, n_patterns) + 1))


def _distinct(patterns: object) -> list[Pattern]:
    """Patterns as given, each once."""
    return list(dict.fromkeys(listed_items(patterns, "patterns", Pattern, "patterns")))


def _first_of_equal(lines: BoolArray) -> NDArray[np.intp]:
    """The first of every kind of line that is not all False."""
    packed = np.packbits(lines, axis=1)
    _, first = np.unique(packed, axis=0, return_index=True)
    return np.sort(first[lines[first].any(axis=1)])


def _greedy(covers: BoolArray, rng: np.random.Generator, deadline: Deadline) -> NDArray[np.intp]:
    """The members of a large efficient set: grown, then again and again some are dropped and it is regrown.

    Any subset of an efficient set is efficient, so members may be dropped at will.
    """
    best = np.zeros(0, dtype=np.intp)
    for attempt in range(_TRIES):
        if attempt and deadline.passed():
            break
        kept = best[rng.random(len(best)) > 0.3]
        weight: NDArray[np.float64] = rng.uniform(0.8, 1.2, size=(covers.shape[1],))
        members = _grown(covers, kept, weight)
        if len(members) >= len(best):
            best = members
    return best


def _grown(covers: BoolArray, members: NDArray[np.intp], weight: NDArray[np.float64]) -> NDArray[np.intp]:
    """Add patterns that leave every member a row of its own, those first that take the fewest rows."""
    table = covers.astype(np.float32)
    while True:
        times = table[:, members].sum(axis=1)
        new = table[times == 0].sum(axis=0)
        alone = times == 1
        owned = table[np.ix_(alone, members)]  # one member per line
        taken = owned.T @ table[alone]
        possible = (new > 0) & (taken < owned.sum(axis=0)[:, None]).all(axis=0)
        if not possible.any():
            return members
        price = np.where(possible, (new + taken.sum(axis=0)) * weight, np.inf)
        members = np.append(members, np.argmin(price))


def _rank(covers: BoolArray) -> int:
    """The rank over the field of two elements, by elimination on whole rows as integers."""
    lines = covers if covers.shape[0] < covers.shape[1] else covers.T
    basis: dict[int, int] = {}
    for line in np.packbits(lines, axis=1):
        rest = int.from_bytes(line.tobytes(), "big")
        while rest and rest.bit_length() in basis:
            rest ^= basis[rest.bit_length()]
        if rest:
            basis[rest.bit_length()] = rest
    return len(basis)


def _solved(
    formulation: EfficientFormulation,
    pairs: WitnessPairs,
    upper: int,
    solver: Backend,
    seed: int,
    deadline: Deadline,
) -> tuple[WitnessPairs, int]:
    """Solve the program from what the greedy search found."""
    milp, start = formulation.milp, formulation.encode(pairs)
    try:
        solution = solver.solve(milp, start, time_limit=deadline.left(), seed=seed, clock=deadline.clock)
    except (LicenseLimit, SolverError) as error:  # what the greedy search found is still worth having
        user_warn(str(error))
        return pairs, upper
    if solution.x is not None and len(found := formulation.decode(solution.x)) > len(pairs):
        pairs = found
    if solution.bound is not None:  # the number of members is whole
        upper = min(upper, math.floor(-solution.bound + 1e-6))
    return pairs, max(upper, len(pairs))
