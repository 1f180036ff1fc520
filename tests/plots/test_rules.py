"""What each pattern does, drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support import plotting
from support.plotting import RULES

from ooa.datasets import monks
from ooa.errors import DataError
from ooa.estimators import OOAxClassifier
from ooa.plots.rules import plot_rules
from ooa.rules.ruleset import RuleSet

# Fixture: assigned, as the tests ask for it by name.
pyplot = plotting.pyplot

X = pd.DataFrame({"x": [1, 2, 3, 4, 5, 6], "z": ["a", "b", "a", "a", "b", "b"]})
Y = [0, 0, 1, 1, 0, 1]


def widths(ax) -> list[list[float]]:
    return [[bar.get_width() for bar in bars] for bars in ax.containers]


def test_rules_are_counted_alone_and_together(pyplot, tmp_path):
    ax = plot_rules(RULES, X, Y)
    # Row 3 is covered by both patterns; the last bar is the rule set.
    assert widths(ax) == [[1, 1, 3], [1, 1, 0], [-1, 0, -1], [0, 0, 0]]
    assert [text.get_text() for text in ax.texts] == [
        "precision 66.7 %, saves 0 errors",
        "precision 100 %, saves 1 error",
        "finds 100 % of all",
    ]
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["x ≥ 4", "x ≥ 3 AND z = a", "all together"]
    assert all("−" not in tick.get_text() for tick in ax.get_xticklabels())
    assert "rows" in ax.get_xlabel()
    assert ax.get_legend() is not None
    ax.figure.savefig(tmp_path / "rules.png")
    assert (tmp_path / "rules.png").stat().st_size > 5_000


def test_rules_of_a_model_on_its_own_rows_and_on_others(pyplot):
    data = monks(1)
    model = OOAxClassifier(max_length=2).fit(data.X, data.y)
    ax = pyplot.subplots()[1]
    assert plot_rules(model, ax=ax) is ax
    assert widths(ax) == widths(plot_rules(model.rules_, data.X, data.y))
    some = data.X[:100], data.y[:100]
    half = plot_rules(model, *some, sample_weight=np.full(100, 0.5))
    assert widths(half) == widths(plot_rules(model, *some))  # people are people, whatever they weigh
    assert "weight" not in half.get_xlabel()


def test_weights_stand_beside_the_counts(pyplot):
    ax = plot_rules(RULES, X, Y, sample_weight=[1, 1, 1, 1, 4, 1])
    assert widths(ax) == widths(plot_rules(RULES, X, Y))
    assert [text.get_text() for text in ax.texts] == [
        "precision 66.7 %, saves 0 errors\n(by weight 33.3 %, costs 3)",
        "precision 100 %, saves 1 error\n(by weight 100 %, saves 1)",
        "finds 100 % of all (by weight 100 %)",
    ]


def test_rules_that_cannot_be_drawn():
    with pytest.raises(DataError, match="without patterns"):
        plot_rules(RuleSet(), X, Y)
    with pytest.raises(DataError, match="needs X and y"):
        plot_rules(RULES)
