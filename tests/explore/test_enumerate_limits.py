"""Listing under limits: what was found is kept, and not called complete."""

from __future__ import annotations

import pytest
from support.enumerating import values

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.datasets import tic_tac_toe
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.listing import Listing
from ooa.kernels.availability import compiled, what_is_missing
from ooa.solving import Termination

needs_core = pytest.mark.skipif(not compiled(), reason=what_is_missing())


@pytest.mark.parametrize(("limit", "selection"), [(0, "auto"), (0.01, "search"), (1.0, "ilp")])
@pytest.mark.parametrize("options", [{"n": 30}, {"within": 0.02}, {"n": 30, "distinct_predictions": True}])
def test_a_time_limit_is_kept_and_said(limit, selection, options):
    data = tic_tac_toe()
    table = Table.from_any(data.X, data.y)
    clock = WorkClock(1e-3)  # a thousand looks at it are a second
    limits = {"max_patterns": None, "time_limit": limit, "clock": clock, "selection": selection}
    found = enumerate_optimal(table, **options, C1=0.004, C2=0.004, **limits)
    assert clock.instant < limit + 0.3  # then it is looked at a few times more
    assert not found.complete
    assert "there may be others" in str(found)
    assert len(found) >= 1
    assert values(found) == sorted(values(found))
    assert all(c.termination is Termination.TIME_LIMIT for c in found.certificates)
    assert all(c.bound <= c.objective for c in found.certificates)


def test_ctrl_c_keeps_what_was_found(monkeypatch):
    from ooa.explore import next_best as enumeration

    calls = []
    solve = enumeration.Enumeration._next

    def pressed(self, *args):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return solve(self, *args)

    monkeypatch.setattr(enumeration.Enumeration, "_next", pressed)
    table = Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 1, 1])
    options = {"C1": "1/50", "C2": "1/50", "distinct_predictions": True, "selection": "ilp"}
    found = enumerate_optimal(table, 4, **options)
    assert not found.complete
    assert 1 <= len(found) < 4
    assert found.certificates[0].termination is Termination.INTERRUPTED


@needs_core
def test_ctrl_c_keeps_what_the_search_listed(monkeypatch):
    take = Listing._take

    def pressed(self, some):
        take(self, some)
        raise KeyboardInterrupt

    monkeypatch.setattr(Listing, "_take", pressed)
    table = Table.from_any({"x": [1, 2, 3, 4, 5]}, [0, 1, 0, 1, 1])
    found = enumerate_optimal(table, 4, C1="1/50", C2="1/50")
    assert not found.complete
    assert len(found) >= 1
    assert found.certificates[0].termination is Termination.INTERRUPTED
