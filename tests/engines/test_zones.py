"""Zones of numeric columns."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.candidates.cutpoints import Cut
from ooa.engines.zones import Zones


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("time", [False, True])
def test_one_edge_is_enough_where_all_values_are_known(seed: int, time: bool) -> None:
    random = np.random.default_rng(seed)
    known = np.unique(random.integers(0, 30, random.integers(1, 20))).astype(np.int64 if time else float)
    ends = np.sort(random.integers(-2, 33, (random.integers(0, 8), 2)), axis=1)
    cuts = [Cut(float(a), float(b), below_closed=bool(a < b or random.random() < 0.5)) for a, b in ends]
    every = Zones.of(cuts, known, time=time)
    few = Zones.of(cuts, known, time=time, complete=True)
    zone, place = every.of_values(known), few.of_values(known)
    assert (np.unique(zone, return_inverse=True)[1] == place).all()  # the same parts, numbered without gaps
    assert len(few) == len(np.unique(zone))
    assert set(few.edges) <= set(every.edges)
    assert (few.values[place] == every.values[zone]).all()
