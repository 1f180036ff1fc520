"""Exact ranges by fits beside limits, against the ranges of a list in which nothing is missing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.tiny_tables import tiny_table

from ooa.clock import WorkClock
from ooa.constraints import max_false_negatives, max_uses
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.explore import beside
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.rashomon import RashomonSet
from ooa.learning.ooax import learn_ooax
from ooa.rules.ruleset import RuleSet

PRICES = {"C1": "1/50", "C2": "1/50", "max_patterns": 2, "max_length": 2}
#: Where a fit that is to have more may come upon redundant patterns.
OF_SIZE = {"literals", "patterns", "attributes", "measuring_cost"}


def grouped(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    n = 10
    frame = {"x": rng.integers(0, 3, n), "z": rng.integers(0, 2, n), "sex": rng.choice(["f", "m"], n)}
    y = rng.random(n) < np.where(frame["x"] > 1, 0.75, 0.25)
    y[:2] = [False, True]
    weight = rng.choice([1, 2, Fraction(1, 2)], n).astype(float) if seed % 2 else None
    return Table.from_any(frame, y.astype(int), sample_weight=weight)


def only_the_best(near: RashomonSet) -> RashomonSet:
    return replace(near, rules=near.rules[:1], certificates=near.certificates[:1], complete=False)


def compared(near: RashomonSet, **asked) -> set[str]:
    """Compare what fits say of the best alone with what the list says; return what they leave open."""
    assert near.complete
    known = near.ranges(**asked).set_index("figure")
    fitted = only_the_best(near).ranges(exact=True, **asked).set_index("figure")
    assert known["exact"].all()
    left = set()
    for name, row in fitted.iterrows():
        for end, sign in (("least", 1), ("most", -1)):
            if row[f"{end}_exact"]:
                assert row[end] == pytest.approx(known.loc[name, end], abs=1e-12), (name, end)
            else:
                assert sign * (row[end] - known.loc[name, end]) > -1e-12
                left.add(f"{end} {name}")
        assert row["exact"] == (row["least_exact"] and row["most_exact"])
    return left


@pytest.mark.parametrize("seed", range(2))
def test_they_are_those_of_all_rule_sets(seed):
    near = enumerate_optimal(grouped(seed), within="1/12", **PRICES)
    left = compared(near, **({"costs": {"x": 3, "z": "1/2"}} if seed else {"groups": "sex"}))
    assert left <= {f"most {name}" for name in OF_SIZE}


def test_nothing_is_left_open_where_redundant_patterns_count():
    near = enumerate_optimal(tiny_table(np.random.default_rng(1)), within="1/20", redundant=True, **PRICES)
    assert not compared(near)


def test_redundant_patterns_are_no_more_literals():
    """Within the distance "x >= 3" can be said twice over, but no second pattern changes a prediction."""
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    for redundant, most in ((False, 1), (True, 2)):
        near = enumerate_optimal(table, within="1/20", redundant=redundant, **PRICES)
        row = only_the_best(near).ranges(exact=True).set_index("figure").loc["literals"]
        assert (row["most"], row["most_exact"]) == (most, redundant)
        assert near.ranges().set_index("figure").loc["literals", "most"] == most


def test_beside_constraints():
    bound = [max_false_negatives(2), max_uses("x", 1)]
    near = enumerate_optimal(grouped(2), within="1/12", constraints=bound, **PRICES)
    left = compared(near)
    assert "least sensitivity" not in left
    assert "most changed_rows" not in left


def test_the_rule_sets_at_the_ends_are_told():
    near = only_the_best(enumerate_optimal(grouped(0), within="1/12", **PRICES))
    table = near.table
    row = near.ranges(exact=True).set_index("figure").loc["sensitivity"]
    for end in ("least", "most"):
        fires = RuleSet.parse(row[f"{end}_rules"]).covers(table.as_frame()).any(axis=1)
        found = (table.weight * table.y)[fires].sum() / (table.weight * table.y).sum()
        assert row[end] == pytest.approx(found)
        at = row[f"{end}_at"]
        assert at == -1 or near.rules[at].to_text(compact=True) == row[f"{end}_rules"]


def test_without_time_nothing_is_called_exact():
    near = only_the_best(enumerate_optimal(grouped(1), within="1/12", **PRICES))
    hasty = replace(near, settings=replace(near.settings, time_limit=1e-9, clock=WorkClock(1.0)))
    frame = hasty.ranges(exact=True).set_index("figure")
    assert not frame.loc["sensitivity", "exact"]
    assert frame.loc["sensitivity", "least"] <= frame.loc["sensitivity", "optimum"]


def test_a_rule_set_beyond_the_distance_is_no_end(monkeypatch):
    """Fits that prove nothing: whatever they come upon counts only if it is near enough."""

    def weak(*args, **options):
        learned = learn_ooax(*args, **options)
        return replace(learned, certificate=replace(learned.certificate, bound=Fraction(0)))

    near = enumerate_optimal(grouped(0), within="1/12", **PRICES)
    monkeypatch.setattr(beside, "learn_ooax", weak)
    assert "least sensitivity" in compared(near)


def test_what_is_not_asked_for_by_distance_is_refused():
    near = enumerate_optimal(grouped(2), 1, **PRICES)
    assert not near.ranges()["exact"].any()
    with pytest.raises(OptionError, match="list with within"):
        near.ranges(exact=True)
    distinct = only_the_best(
        enumerate_optimal(grouped(2), within="1/12", distinct_predictions=True, **PRICES)
    )
    with pytest.raises(OptionError, match="distinct_predictions"):
        distinct.ranges(exact=True)
