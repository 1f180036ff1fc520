"""Tables that several modules of this room learn from; nobody changes them."""

from __future__ import annotations

import numpy as np
import pytest
from support.strictly import strictly

from ooa.data.table import Table
from ooa.datasets import apnea_survey, monks, tic_tac_toe
from ooa.learning.ooax import learn_ooax


@pytest.fixture(scope="session")
def game():
    data = tic_tac_toe()
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="session")
def robots():
    data = monks(1)
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="session")
def survey():
    data = apnea_survey()
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="session")
def small():
    """A noisy table that every backend solves in a moment."""
    rng = np.random.default_rng(1)
    columns = {name: rng.integers(0, 3, 80) for name in "abcd"} | {"v": rng.choice(["p", "q", "r"], 80)}
    label = (columns["a"] >= 1) & (columns["v"] == "p") | (columns["b"] == 2) & (columns["c"] <= 1)
    return Table.from_any(columns, label ^ (rng.random(80) < 0.08))


@pytest.fixture(scope="module")
def winner(game):
    """What wins at tic-tac-toe."""
    return strictly(learn_ooax)(game, C1=0.001, C2=0.001, max_patterns=None)
