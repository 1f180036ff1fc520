"""HiGHS: what is its own."""

from __future__ import annotations

import pytest

from ooa.model import Model
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend


def test_a_limit_is_for_one_solve_and_not_for_all_of_a_session(monkeypatch: pytest.MonkeyPatch):
    """Its clock goes on from solve to solve, and its limit is an instant on that clock."""
    highspy = pytest.importorskip("highspy")
    monkeypatch.setattr(highspy.Highs, "getRunTime", lambda self: 100.0)  # by earlier solves
    model = Model()
    x = model.add_continuous("x", 2, upper=1, cost=[-1, -1])
    model.add_rows("first", x.sum() <= 1.5)
    with get_backend("highs").open(model.freeze()) as session:
        session.solve(params=SolveParams(time_limit=5.0))
        _, end = session.backend._highs.getOptionValue("time_limit")
    assert 100.0 < end <= 105.0
