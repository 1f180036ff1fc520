"""Constraints read as sums say what the constraints say, of every set of candidates."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from support.brute_constraints import evaluate, meets
from support.constraint_problems import READY, Problem, drawn

from ooa.candidates.candidates import Candidates
from ooa.constraints import max_uses, require_pattern
from ooa.data.bitsets import unpack
from ooa.data.table import Table
from ooa.formulations.counted import MOST_SUMS, Counted, covered_by, read
from ooa.formulations.task import Task
from ooa.objective import Objective
from ooa.rules.pattern import Pattern
from ooa.solving.prepare import FEASIBILITY


def met(counted: Counted, chosen: list[int]) -> bool:
    covered = unpack(covered_by(counted.bits, chosen)[None], counted.on_rows.shape[1])[0]
    within = (counted.amounts(covered, chosen) <= counted.limit).all()
    return bool(within and counted.allowed[chosen].all())


def counted_of(problem: Problem, constraint: Any) -> tuple[Counted, list[Pattern]]:
    task = Task.of(problem.table, problem.objective, constraints=[constraint])
    patterns = list(dict.fromkeys(p for rules in problem.sets for p in rules.patterns))
    return read(Candidates.of_patterns(task.rows, patterns), task, FEASIBILITY), patterns


@pytest.mark.parametrize("name", [*READY, "own"])
def test_sums_hold_where_the_constraint_does(name: str) -> None:
    seen = set()
    for seed in range(25):
        problem = Problem([8, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        if constraint is None:
            continue
        counted, patterns = counted_of(problem, constraint)
        if counted.left:
            assert name == "own"
            continue
        for i in problem.rng.permutation(len(problem.sets))[:60]:
            rules = problem.sets[i]
            expected = meets(evaluate(problem.table, rules.patterns), constraint)
            found = met(counted, [patterns.index(p) for p in rules.patterns])
            seen.add(expected)
            if counted.exact:
                assert found == expected, (seed, constraint, rules.patterns)
            else:
                assert found or not expected, (seed, constraint, rules.patterns)
    assert seen == {True, False}


def test_what_cannot_be_read_is_left() -> None:
    problem = Problem([8, 1, 1])

    def on_pairs(f: Any) -> Any:
        return f._any("both", f.predicted[:2]) >= 1  # a flag over rows, which no candidate raises by itself

    def on_what_is_not_there(f: Any) -> Any:
        return f._any("left out", 1 - f.used[:2]) >= 1  # raised by what the set has not

    def raises(f: Any) -> Any:
        raise ZeroDivisionError

    def many(f: Any) -> Any:
        return [f.used.sum() <= k for k in range(1, MOST_SUMS + 2)]

    for own in (on_pairs, on_what_is_not_there, raises, many):
        counted, _ = counted_of(problem, own)
        assert counted.left == (own,)
        assert not counted.complete
        assert not len(counted.limit)


def test_fractions_without_a_step_are_rounded_so_that_nothing_is_lost() -> None:
    problem = Problem([8, 2, 2])
    rng = np.random.default_rng(0)
    factor = rng.random(problem.table.n_rows) * np.pi

    def own(f: Any) -> Any:
        return (f.predicted * factor).sum() <= float(factor.sum() / 2)

    counted, patterns = counted_of(problem, own)
    assert not counted.exact
    for rules in problem.sets[:200]:
        if factor[rules.fires].sum() <= factor.sum() / 2:
            assert met(counted, [patterns.index(p) for p in rules.patterns])


def test_rounded_sums_hold_at_their_very_limits() -> None:
    """Limits that some pattern just meets, without any tolerance, coefficients of both signs."""
    table = Table.from_any({"x": range(20)}, [n % 2 for n in range(20)])
    patterns = [Pattern.parse(f"x >= {cut}") for cut in range(1, 20)]
    rng = np.random.default_rng(1)
    for sign in (1.0, -1.0, 0.5):
        factor = np.where(rng.random(20) < sign, 1, -1) * rng.random(20) * np.pi
        for k, cut in enumerate(range(1, 20)):
            amount = sum(map(Fraction, factor[cut:].tolist()), Fraction(0))
            side = float(amount)
            side = side if Fraction(side) >= amount else math.nextafter(side, math.inf)

            def just(f: Any, each: Any = factor, most: float = side) -> Any:
                return (f.predicted * each).sum() <= most

            task = Task.of(table, Objective.of(0, 0), constraints=[just])
            counted = read(Candidates.of_patterns(task.rows, patterns), task)
            assert not counted.exact
            assert met(counted, [k])


@pytest.mark.parametrize(
    "own",
    [
        lambda f: 0 * f.used.sum() <= -1,
        lambda f: f.used.sum() <= -1,
        lambda f: f.predicted.sum() >= len(f.label) + 1,
    ],
)
def test_what_nothing_meets_is_met_by_nothing(own: Any) -> None:
    """Neither by the empty set nor by that of all candidates."""
    counted, patterns = counted_of(Problem([8, 1, 1]), own)
    assert not met(counted, [])
    assert not met(counted, [*range(len(patterns))])
    assert not any(met(counted, [k]) for k in range(len(patterns)))


def test_what_covers_too_much_to_be_said_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_overlap(f: Any) -> Any:
        return f.covers[:, :].sum(axis=1) <= 1

    assert not counted_of(Problem([8, 1, 1]), no_overlap)[0].left
    monkeypatch.setattr("ooa.formulations.counted.MOST_COVERS", 3)
    assert counted_of(Problem([8, 1, 1]), no_overlap)[0].left == (no_overlap,)


def test_every_constraint_excludes_its_candidates() -> None:
    table = Table.from_any({"x": [1, 2, 3], "y": [3, 1, 2], "z": [1, 1, 2]}, [0, 1, 1])
    task = Task.of(table, Objective.of(0, 0), constraints=[max_uses("x", 0), max_uses("y", 0)])
    own = [Pattern.parse(text) for text in ("x >= 2", "y <= 2", "z >= 2")]
    assert read(Candidates.of_patterns(task.rows, own), task).allowed.tolist() == [False, False, True]


def test_patterns_that_are_asked_for_are_flags_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether they are flags or not, every set has the same sums; with flags none of them is below 0."""
    table = Table.from_any({"x": [1, 2, 3, 4], "y": [1, 2, 2, 1]}, [0, 1, 1, 0])

    def some_of_them(f: Any) -> Any:
        chosen = f.used
        return [chosen[0] + 2 * chosen[2] - chosen[3] >= 1, f.error.sum() - 3 * chosen[1] <= 2]

    wanted = require_pattern("y >= 2"), some_of_them
    task = Task.of(table, Objective.of(0, 0), constraints=wanted)
    patterns = [Pattern.parse(text) for text in ("x >= 2", "x >= 3", "y >= 2", "x <= 2", "x <= 3")]
    candidates = Candidates.of_patterns(task.rows, patterns)
    with_flags = read(candidates, task)
    monkeypatch.setattr("ooa.formulations.counted.MOST_OWN", 2)  # there are three
    without = read(candidates, task)
    assert (without.on_patterns < 0).any()
    assert not (with_flags.on_patterns < 0).any()
    assert (with_flags.on_patterns > 0).any()
    for chosen in (some for k in range(6) for some in combinations(range(5), k)):
        sums = [
            one.amounts(unpack(covered_by(one.bits, chosen)[None], one.on_rows.shape[1])[0], chosen)
            for one in (with_flags, without)
        ]
        assert (sums[0] == sums[1]).all()
    assert (with_flags.limit == without.limit).all()
