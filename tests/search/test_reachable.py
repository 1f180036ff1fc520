"""Limits out of reach by counting, against going through all sets."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from support.limit_cases import Tiny

from ooa.search.reachable import out_of_reach


@pytest.mark.parametrize("part", range(4))
def test_only_what_nothing_meets_is_out_of_reach(part: int) -> None:
    said, infeasible = 0, 0
    for seed in range(300 * part, 300 * part + 300):
        tiny = Tiny(seed, least=-1 if seed % 3 == 0 else 0, lifted=seed % 2 == 0)
        assert not out_of_reach(tiny.counted, tiny.most)  # some set meets these
        limit = tiny.limit - tiny.rng.integers(0, 4, len(tiny.limit))
        allowed = tiny.rng.random(len(tiny.price)) < 0.8
        rest = np.flatnonzero(allowed)
        sets = (c for k in range(tiny.most + 1) for c in combinations(rest.tolist(), k))
        met = any((tiny.amounts(c) <= limit).all() for c in sets)
        told = out_of_reach(replace(tiny.counted, limit=limit, allowed=allowed), tiny.most)
        assert not (told and met), seed
        said, infeasible = said + told, infeasible + (not met)
    assert said > infeasible / 3  # and it says so of a good part of them


def test_candidates_that_one_limit_excludes_do_not_help_with_another() -> None:
    """The last candidate alone reaches all rows, but breaks the other limit."""
    tiny = Tiny(0)
    bits = np.array([[0b0001], [0b0010], [0b1111]], dtype=np.uint64)
    on_rows = np.zeros((2, 64), dtype=np.int64)
    on_rows[0, :3], on_rows[1, 3] = -1, 1
    nothing = np.zeros((2, 3), dtype=np.int64)
    limits = replace(tiny.counted, bits=bits, allowed=np.ones(3, bool), on_rows=on_rows, on_patterns=nothing)
    assert out_of_reach(replace(limits, limit=np.array([-3, 0])), 3)
    assert not out_of_reach(replace(limits, limit=np.array([-2, 0])), 3)
    assert out_of_reach(replace(limits, limit=np.array([-2, 0])), 1)
