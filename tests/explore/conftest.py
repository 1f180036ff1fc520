"""Tables that several modules of this room explore; nobody changes them."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.data.table import Table
from ooa.datasets import monks


@pytest.fixture(scope="session")
def robots():
    data = monks(1)
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="session")
def small():
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 60) for name in "abc"} | {"v": rng.choice(["p", "q", "r"], 60)}
    label = (columns["a"] >= 1) & (columns["v"] == "p") | (columns["b"] == 2) & (columns["c"] <= 1)
    return Table.from_any(columns, label ^ (rng.random(60) < 0.08))
