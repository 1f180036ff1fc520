"""Pictures without a screen."""

from __future__ import annotations

import pandas as pd
import pytest

from ooa.rules.ruleset import RuleSet

FRAME = pd.DataFrame(
    {
        "C1": [0.1, 0.05, 0.01],
        "C2": [0.1, 0.05, 0.01],
        "error_rate": [0.25, 0.25, 0.0],
        "literals": [1, 1, 7],
        "patterns": [1, 1, 4],
        "proved": [False, True, False],
    }
)
OPERATING = pd.DataFrame(
    {
        "weight": [0.5, 1.0, 2.0],
        "sensitivity": [0.5, 0.5, 0.9],
        "specificity": [0.9, 0.9, 0.6],
        "literals": [3, 3, 1],
        "proved": [True, True, False],
        "cv_sensitivity": [0.4, 0.45, 0.8],
        "cv_specificity": [0.8, 0.8, 0.5],
    }
)
TRADED = pd.DataFrame(
    {
        "limit": [0.5, 0.7, 0.9, 1.0],
        "objective": [0.2, 0.25, float("nan"), float("nan")],
        "price": [0.0, 0.05, float("nan"), float("nan")],
        "bound": [0.2, 0.22, 0.22, float("inf")],
        "proved": [True, False, False, True],
    }
)


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


RULES = RuleSet.parse("x >= 4 OR (x >= 3 AND z = a)")
