"""What is decided on the arrays of a model before any solver sees it."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.model import Milp
from ooa.solving import Termination
from ooa.solving.prepare import prepare

INF = np.inf


def milp(
    lower: float = 0.0, upper: float = 3.0, rows: list[tuple[float, float, float]] | None = None
) -> Milp:
    """One integer column x and rows (coefficient, least, most)."""
    given = np.array([(1.0, 0.0, 2.0)] if rows is None else rows).reshape(-1, 3)
    return Milp([1.0], given[:, :1], given[:, 1], given[:, 2], [lower], [upper], [True])


def test_a_model_without_degenerate_parts_is_handed_on_as_it_is() -> None:
    model = milp()
    ready = prepare(model)
    assert ready.milp is model
    assert (ready.rows, ready.termination, ready.x) == (None, None, None)


@pytest.mark.parametrize(
    ("lower", "upper", "tight"), [(0.5, 3.0, (1.0, 3.0)), (0.0, 2.5, (0.0, 2.0)), (0.5, 2.5, (1.0, 2.0))]
)
def test_bounds_of_integers_become_whole(lower: float, upper: float, tight: tuple[float, float]) -> None:
    ready = prepare(milp(lower, upper))
    assert (ready.milp.lower[0], ready.milp.upper[0]) == tight
    assert (ready.rows, ready.milp.n_rows, ready.termination) == (None, 1, None)


def test_a_hair_away_from_a_whole_number_a_bound_is_that_number() -> None:
    ready = prepare(milp(1 + 1e-10, 2 - 1e-10))
    assert (ready.milp.lower[0], ready.milp.upper[0]) == (1.0, 2.0)
    assert prepare(milp(0.2, 0.8)).termination is Termination.INFEASIBLE


@pytest.mark.parametrize(
    "idle", [(0.0, -1.0, 1.0), (1.0, -INF, INF), (0.0, 5e-7, 1.0), (0.0, -1.0, -5e-7), (0.0, -INF, INF)]
)
def test_rows_that_say_nothing_are_taken_out(idle: tuple[float, float, float]) -> None:
    ready = prepare(milp(rows=[idle, (1.0, 0.0, 2.0)]))
    assert ready.rows is not None
    assert (ready.rows.tolist(), ready.milp.n_rows, ready.termination) == ([1], 1, None)
    assert ready.milp.row_upper.tolist() == [2.0]
    alone = prepare(milp(rows=[idle]))
    assert (alone.termination, alone.x) == (Termination.OPTIMAL, [0.0])


@pytest.mark.parametrize("broken", [(0.0, 1.0, 2.0), (0.0, -2.0, -1.0), (0.0, 2e-6, INF), (0.0, -INF, -2e-6)])
def test_rows_that_nothing_can_meet_end_it(broken: tuple[float, float, float]) -> None:
    ready = prepare(milp(rows=[(1.0, 0.0, 2.0), broken]))
    assert ready.termination is Termination.INFEASIBLE
    assert "row row[1] has no coefficients" in ready.message


@pytest.mark.parametrize(
    ("cost", "lower", "upper", "x"),
    [
        (1.0, -3.0, 2.0, -3.0),
        (-1.0, -3.0, 2.0, 2.0),
        (-1.0, -3.0, -2.0, -2.0),
        (0.0, -3.0, 2.0, 0.0),
        (0.0, 1.0, 2.0, 1.0),
        (0.0, -3.0, -2.0, -2.0),
    ],
)
def test_without_rows_a_column_is_where_its_cost_prefers(
    cost: float, lower: float, upper: float, x: float
) -> None:
    ready = prepare(milp(lower, upper, []).replace(c=[cost]))
    assert (ready.termination, ready.x) == (Termination.OPTIMAL, [x])
