"""Distinct rows with their weights."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.two_rows import table

cells = st.sampled_from([0.0, -0.0, 1.0, 1.0000000000000002, 5e-324, None, 1e300])


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(cells, st.sampled_from(["", "u", "v", None]), st.integers(0, 3)), min_size=2, max_size=30
    )
)
def test_distinct_rows_against_a_dictionary(rows: list[tuple[Any, ...]]) -> None:
    y = [i % 2 for i in range(len(rows))]
    weight = [w + 1 for *_, w in rows]
    data = {"n": [None, 1.5, *(r[0] for r in rows)], "c": ["u", "u", *(r[1] for r in rows)]}
    made = table(data, [0, 1, *y], sample_weight=[1, 1, *weight])
    distinct = made.distinct()

    totals: dict[Any, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for n, c, label, w in zip(data["n"], data["c"], [0, 1, *y], [1, 1, *weight]):
        totals[n, c][label] += w  # 0.0 and -0.0 are equal keys
    assert distinct.negative.tolist() == [negative for negative, _ in totals.values()]
    assert distinct.positive.tolist() == [positive for _, positive in totals.values()]
    place = {key: i for i, key in enumerate(totals)}
    assert distinct.row.tolist() == [place[key] for key in zip(data["n"], data["c"])]
    for whole, merged in zip(made.columns, distinct.columns):
        np.testing.assert_array_equal(merged.values[distinct.row], whole.values)


def test_distinct_rows_of_many_columns() -> None:
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(400, 40)), 2, axis=0)  # 400 ** 40 combinations do not fit an integer
    order = rng.permutation(len(X))
    X = X[order]
    distinct = table(X, np.arange(len(X)) % 2).distinct()
    assert distinct.n_rows == 400
    assert repr(distinct).startswith("DistinctRows(400 rows, 40 attributes")
    kept = np.stack([column.values for column in distinct.columns], axis=1)
    np.testing.assert_array_equal(kept[distinct.row], X)
