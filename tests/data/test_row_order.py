"""The order of rows by their values, and equal rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.two_rows import table

from ooa.clock import Deadline, WorkClock
from ooa.data import row_order
from ooa.data.row_order import equal_rows, lexicographic

CELLS = {
    "codes": st.integers(-1, 3),
    "whole": st.sampled_from([0.0, -0.0, 1.0, 2.0, np.nan, 2.0**20, -(2.0**20)]),
    "numbers": st.sampled_from([0.0, -0.0, 0.5, 5e-324, np.nan, 1e300, -1e300, 2.0**60]),
}
columns = st.integers(1, 25).flatmap(
    lambda n: st.lists(
        st.sampled_from(sorted(CELLS)).flatmap(lambda kind: st.lists(CELLS[kind], min_size=n, max_size=n)),
        min_size=1,
        max_size=5,
    )
)


@settings(deadline=None)
@given(columns)
def test_the_order_is_that_of_lexsort(given_columns: list[list[float]]) -> None:
    keys = [np.array(column) for column in given_columns]
    assert lexicographic(keys).tolist() == np.lexsort(keys).tolist()


def _key(row: tuple[float, ...]) -> tuple[object, ...]:
    return tuple("missing" if cell != cell else cell + 0.0 for cell in row)


@settings(deadline=None)
@given(columns, st.booleans())
def test_equal_rows_against_a_dictionary(given_columns: list[list[float]], colliding: bool) -> None:
    keys = [np.array(column) for column in given_columns]
    n = len(keys[0])
    with pytest.MonkeyPatch.context() as patch:
        if colliding:  # then sorting has to tell them apart
            patch.setattr(row_order, "_mixed", lambda code, values: code // np.uint64(2))
        found = equal_rows(keys, n)
    place: dict[object, int] = {}
    which = [place.setdefault(_key(row), len(place)) for row in zip(*given_columns)]
    first = [which.index(k) for k in range(len(place))]
    assert (first, which) == ((list(range(n)), which) if found is None else tuple(x.tolist() for x in found))
    assert found is not None or len(place) == n


def test_many_small_keys_make_one() -> None:
    rng = np.random.default_rng(0)
    keys = [
        rng.integers(0, 1000, 500) * (rng.random(500) < 0.1) for _ in range(20)
    ]  # 200 bits: more than one
    assert lexicographic(keys).tolist() == np.lexsort(keys).tolist()


@pytest.mark.parametrize("looks", range(1, 60))
def test_both_look_at_the_clock_before_every_column(looks: int) -> None:
    """However short the time: rows stay as they come, none is lost, and weights are the same."""
    clock = WorkClock()
    made = table({f"c{j}": [0.0, 0.0, 1.0, 0.0] for j in range(40)}, [0, 1, 0, 1], sample_weight=[1, 2, 0, 4])
    short = made.ordered(Deadline.after(looks, clock))
    assert clock.instant <= looks + 5
    assert sorted(short.weight.tolist()) == [1, 2, 4]
    merged = short.distinct(Deadline.after(looks, WorkClock()))
    assert merged.n_rows in (1, 3)
    assert (merged.positive.sum(), merged.negative.sum()) == (6, 1)
    assert np.bincount(merged.row, short.positive, merged.n_rows).tolist() == merged.positive.tolist()
