"""HiGHS: what is its own."""

from __future__ import annotations

from ooa.model import Model
from ooa.solving.params import SolveParams
from ooa.solving.registry import get_backend


def test_a_limit_is_for_one_solve_and_not_for_all_of_a_session():
    """Its clock goes on from solve to solve, and its limit is an instant on that clock."""
    model = Model()
    x = model.add_continuous("x", 2, upper=1, cost=[-1, -1])
    model.add_rows("first", x.sum() <= 1.5)
    ends: list[float] = []
    with get_backend("highs").open(model.freeze()) as session:
        for _ in range(3):
            session.solve(params=SolveParams(time_limit=5.0))
            ends.append(session.backend._highs.getOptionValue("time_limit")[1])
            session.add_rows(x.sum() <= 1.5 - len(ends) / 10)
        assert ends[0] >= 5.0 - 1e-3  # what preparing took is taken off
        assert ends[2] > ends[0] or session.backend._highs.getRunTime() == 0.0
