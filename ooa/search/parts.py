"""The exact search on a cluster: first patterns are handed to joblib's workers, and answers put together.

Patterns have an order, and every set belongs to its first one. A *part* is a list of patterns, some of them
first ones: its sets are those that have one of these. The sets of a list are those of its first few first
patterns, with all others to follow, and those of the list without these few; so parts are divided until
there are enough, each worker looks into one, for so much work and not for so long, and hands back what it
has not come to, which is a part again. What one part drops from its list is in no set worth looking for that
begins later, and so the parts after it drop it as well.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ooa.kernels.sets import PricedPatterns, RowMultipliers, SetSearch

__all__ = ["Question", "look_into", "search_parts", "workers"]

Integers = NDArray[np.int64]

#: Patterns that a worker looks at before it hands back what is left, and between two looks.
PART_WORK, STEP_WORK = 1 << 28, 1 << 19
#: Bytes of patterns that are handed to a worker at most.
MOST_BYTES = 1 << 26
#: Backends of joblib's own, which are no cluster.
_HERE = ("LokyBackend", "ThreadingBackend", "SequentialBackend", "MultiprocessingBackend")


class Question(NamedTuple):
    """A search for sets that gain more than a target, beside what `SetSearch` is told of it."""

    patterns: PricedPatterns
    start: RowMultipliers | None
    most: int
    target: int
    goal: int
    many: int
    quick: bool


class Part(NamedTuple):
    """Patterns in their order, by name, and how many of them are first ones."""

    names: Integers
    first: int


class Searched(NamedTuple):
    """What a worker has found: the best gain and its set, empty if that was known; and what is left."""

    best: int
    choice: Integers
    names: Integers
    first: int


def workers(threads: int) -> int:
    """How many workers there are, if somebody has chosen a joblib backend that is none of joblib's own; or 0.

    Parameters
    ----------
    threads : how many are to work on the search

    Examples
    --------
    >>> workers(2)
    0
    """
    joblib = sys.modules.get("joblib.parallel")  # who has chosen one has imported it
    if joblib is None or threads < 2:
        return 0
    backend = joblib.get_active_backend()[0]
    if type(backend).__name__ in _HERE or getattr(backend, "nesting_level", None):
        return 0
    return threads


def look_into(question: Question, part: Part, known: int, work: int) -> Searched:
    """Search a part, on a worker, with about so much work.

    Examples
    --------
    >>> rows = np.array([[1], [2], [4]], dtype=np.uint64)
    >>> one, nothing = np.ones(1, dtype=np.int64), np.zeros((3, 1), dtype=np.uint64)
    >>> each = np.ones(3, dtype=np.int64)
    >>> patterns = PricedPatterns(rows, one, nothing, one, 0 * each, each, 0 * each)
    >>> question = Question(patterns, None, 2, 0, 1, 8, False)
    >>> look_into(question, Part(np.array([0, 1, 2]), 3), 0, 100).best
    2
    """
    search = SetSearch(
        question.patterns,
        most=question.most,
        target=max(question.target, known),
        known=known,
        goal=question.goal,
        many=question.many,
        quick=question.quick,
        first=part.first,
    )
    if question.start is not None:
        search.filter(question.start)
    done = False
    while not done and work > 0:
        done = search.advance(min(work, STEP_WORK))
        work -= STEP_WORK
    best, choice = search.best()
    left = search.left()
    first = 0 if done else int(np.sum(left < part.first))
    return Searched(best, part.names[choice], part.names[left], first)


def search_parts(
    question: Question, names: Integers, known: int, crew: int, go_on: Callable[[float], bool]
) -> tuple[bool, int, Integers]:
    """Have workers look for sets that gain more than a target.

    The answer depends on how many workers there are only in which of several best sets it is.

    Parameters
    ----------
    question : with all patterns
    names : those that are left, in their order
    known : gain of the best set known
    crew : how many workers
    go_on : asked from time to time, with the share of the patterns done, whether to go on

    Returns
    -------
    tuple
        Whether all sets were gone through, the best gain, and its set, empty if that is what was known.
    """
    from joblib import Parallel, delayed

    best, choice, total, work = known, names[:0], len(names), PART_WORK
    parts = [Part(names, total)] if total else []
    with Parallel(n_jobs=crew) as parallel:
        while parts and go_on(1 - _first(parts) / total):
            before, parts = _first(parts), _divided(parts, crew)
            asked = [(_about(question, part), part, best, work) for part in parts[:crew]]
            answers = parallel(delayed(look_into)(*one) for one in asked)
            for one in answers:
                if one.best > best:
                    best, choice = one.best, one.choice
            parts = _left(parts, answers)
            if _first(parts) == before:  # what was begun and not finished is begun anew
                work *= 2
    return not parts, best, choice


def _first(parts: list[Part]) -> int:
    return sum(part.first for part in parts)


def _about(question: Question, part: Part) -> Question:
    """The question with no more patterns than those of a part, in its order."""
    told = question.patterns
    each = {
        name: getattr(told, name)[part.names] for name in ("right", "wrong", "price", "positive", "negative")
    }
    return question._replace(patterns=told._replace(**each))


def _divided(parts: list[Part], crew: int) -> list[Part]:
    """At least as many parts as workers, if there are so many first patterns."""
    parts = list(parts)
    while len(parts) < crew and any(part.first > 1 for part in parts):
        k = max(range(len(parts)), key=lambda j: parts[j].first)
        names, first = parts[k]
        half = first // 2
        parts[k : k + 1] = [Part(names, half), Part(names[half:], first - half)]
    return parts


def _left(parts: list[Part], answers: list[Searched]) -> list[Part]:
    """The parts that are left, each without what those before it have dropped."""
    found: list[Part] = []
    kept: Integers | None = None
    for number, (names, first) in enumerate(parts):
        if number < len(answers):
            names, first = answers[number].names, answers[number].first
        here = np.ones(len(names), dtype=bool) if kept is None else np.isin(names, kept)
        if first and here[:first].any():
            found.append(Part(names[here], int(here[:first].sum())))
        if number < len(answers):
            kept = names[here]
    return found
