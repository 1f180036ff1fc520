"""What near-optimal rule sets say together, against counting rule set by rule set and row by row."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.tiny_tables import tiny_table

from ooa.constraints import max_false_negatives, max_uses, require_attribute
from ooa.data.table import Table
from ooa.errors import DataError, OptionError
from ooa.estimators import OOAxClassifier
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.listing import Listing
from ooa.explore.rashomon import RashomonSet
from ooa.kernels.availability import compiled, what_is_missing


def listed(seed: int, within: str = "1/10", **options) -> RashomonSet:
    table = tiny_table(np.random.default_rng(seed))
    return enumerate_optimal(table, within=within, C1="1/50", C2="1/50", max_patterns=2, **options)


def fires(near: RashomonSet) -> np.ndarray:
    return np.array([rules.covers(near.table.as_frame()).any(axis=1) for rules in near.rules])


@pytest.mark.parametrize("seed", range(6))
def test_rows(seed):
    near = listed(seed)
    frame, predicted = near.rows(), fires(near)
    assert frame["positive"].tolist() == near.table.y.tolist()
    assert frame["predicted"].tolist() == predicted[0].tolist()
    np.testing.assert_allclose(frame["share"], predicted.mean(axis=0))
    for row in range(near.table.n_rows):
        others = [float(near.excess[k]) for k in range(len(near)) if predicted[k, row] != predicted[0, row]]
        assert frame["ambiguous"][row] == bool(others)
        assert frame["nearest"][row] == min(others) if others else math.isnan(frame["nearest"][row])


@pytest.mark.parametrize("seed", range(6))
def test_attributes_against_fits_without_them(seed):
    near = listed(seed)
    assert near.complete
    for row in near.attributes().to_dict("records"):
        assert row["sets"] == sum(row["attribute"] in rules.attributes for rules in near.rules)
        without = listed(seed, "0", constraints=[max_uses(row["attribute"], 0)])
        loss = without.certificates[0].objective - near.certificates[0].objective
        if math.isnan(row["without"]):
            assert float(loss) > 0.1 - 1e-12
            assert row["without_at_least"] <= float(loss)
        else:
            assert row["without"] == row["without_at_least"] == float(loss)


def test_nothing_is_promised_of_a_list_that_leaves_out_what_predicts_the_same():
    near = listed(1, distinct_predictions=True)
    assert (near.attributes()[["without_at_least", "with_at_least"]] == 0).all(axis=None)


def test_ranges():
    near = listed(2)
    frame = near.ranges(costs={near.table.attributes[0].name: 3}).set_index("figure")
    predicted, y, weight = fires(near), near.table.y, near.table.weight
    found = [float(weight[one & y].sum() / weight[y].sum()) for one in predicted]
    assert frame.loc["sensitivity", ["optimum", "least", "most"]].tolist() == [
        found[0],
        min(found),
        max(found),
    ]
    assert found[frame.loc["sensitivity", "most_at"]] == max(found)
    assert frame.loc["changed_rows", "most"] == max((one != predicted[0]).sum() for one in predicted)
    assert frame.loc["literals", "least"] == min(rules.n_literals for rules in near.rules)
    name = near.table.attributes[0].name
    costs = [3.0 * (name in rules.attributes) for rules in near.rules]
    assert frame.loc["measuring_cost", ["least", "most"]].tolist() == [min(costs), max(costs)]


def test_gaps_between_groups():
    X = {"x": [1, 2, 3, 4, 5, 6, 7, 8], "sex": ["f", "m"] * 4}
    near = enumerate_optimal(Table.from_any(X, [0, 0, 0, 1, 0, 1, 1, 1]), within=0.1, C1=0.01, C2=0.01)
    frame = near.ranges(groups="sex").set_index("figure")
    predicted, men = fires(near), np.array([False, True] * 4)
    gaps = [abs(one[men].mean() - one[~men].mean()) for one in predicted]
    assert frame.loc["flagged_gap", ["optimum", "least", "most"]].tolist() == [gaps[0], min(gaps), max(gaps)]


def test_what_is_wrong_is_said():
    near = listed(3)
    with pytest.raises(OptionError, match="groups names 'z', which is not a column"):
        near.ranges(groups="z")
    with pytest.raises(OptionError, match="costs name 'z', which is not a column"):
        near.ranges(costs={"z": 1})
    with pytest.raises(OptionError, match="percentage such as '5%', not 'five%'"):
        listed(3, "five%")


def test_a_copy_has_no_rows():
    near = listed(4)
    copy = pickle.loads(pickle.dumps(near))
    assert copy == near
    with pytest.raises(DataError, match="copied without the rows"):
        copy.rows()


def test_a_percentage_is_of_the_optimum():
    near = listed(5, "50%")
    assert near.within == near.certificates[0].objective / 2
    assert near.rules == listed(5, str(near.within)).rules


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
def test_constraints_are_met_and_the_search_lists_beside_them(monkeypatch):
    runs = []
    run = Listing.run
    monkeypatch.setattr(Listing, "run", lambda self, **how: runs.append(1) or run(self, **how))
    X = {"x": [1, 2, 3, 4, 5, 6, 7, 8], "y": [3, 1, 2, 3, 1, 2, 3, 2]}
    table = Table.from_any(X, [0, 0, 1, 0, 1, 1, 0, 1])
    prices = {"C1": "1/50", "C2": "1/50", "max_patterns": 2}
    most = max_false_negatives(1)
    near = enumerate_optimal(table, within="1/5", constraints=[most], **prices)
    assert runs
    assert near.complete
    programs = enumerate_optimal(table, within="1/5", constraints=[most], selection="ilp", **prices)
    assert {*near.rules} == {*programs.rules}
    assert near.total == len(near)


def test_the_rows_of_an_estimator_are_in_the_order_of_its_data():
    X, y = {"x": [6, 1, 5, 2, 4, 3]}, [1, 0, 1, 0, 1, 0]
    model = OOAxClassifier(C1=0.02, C2=0.02).fit(X, y)
    near = model.near_optimal(within=Fraction(1, 6))
    assert near.rows()["positive"].tolist() == [True, False, True, False, True, False]
    assert near.rules[0] == model.rules_
    assert len(model.near_optimal(n=2, within=1)) == 2


def tied() -> Table:
    """Columns that cover the same rows in other words: a set of coverages stands for many rule sets."""
    x = [1, 2, 3, 4, 5, 6, 7, 8]
    return Table.from_any(
        {"x": x, "y": [2 * one for one in x], "z": [1, 0, 1, 1, 0, 1, 0, 1]}, [0, 0, 0, 1] * 2
    )


KINDS = [{}, {"distinct_predictions": True}, {"redundant": True}, {"constraints": [max_uses("y", 1)]}]


@pytest.mark.parametrize("seed", range(6))
def test_what_the_list_does_not_say_of_an_attribute_is_fitted(seed):
    near = listed(seed, "1/50")
    frame = near.attributes(exact=True)
    assert frame["attribute"].tolist() == near.attributes()["attribute"].tolist()
    for row in frame.to_dict("records"):
        without = listed(seed, "0", constraints=[max_uses(row["attribute"], 0)])
        loss = without.certificates[0].objective - near.certificates[0].objective
        assert row["without"] == row["without_at_least"] == float(loss)


def test_an_attribute_that_is_required_cannot_be_done_without():
    near = listed(3, constraints=[require_attribute("x0")])
    row = near.attributes(exact=True).set_index("attribute").loc["x0"]
    assert math.isnan(row["without"])
    assert row["without_at_least"] == math.inf
    with pytest.raises(DataError, match="list anew"):
        pickle.loads(pickle.dumps(near)).attributes(exact=True)


def test_ranges_say_whether_they_are_exact():
    assert listed(1).ranges()["exact"].all()
    table = tiny_table(np.random.default_rng(1))
    cut = replace(
        enumerate_optimal(table, within="1/10", C1="1/50", C2="1/50", max_patterns=2), complete=False
    )
    assert not cut.ranges()["exact"].any()


@pytest.mark.parametrize("kind", KINDS, ids=["lean", "by prediction", "redundant", "constrained"])
def test_every_rule_set_is_as_likely_to_be_drawn(kind):
    options = {"C1": "1/50", "C2": "1/50", "max_patterns": 2, "max_length": 2}
    near = enumerate_optimal(tied(), within="1/10", sample=6_000, **kind, **options)
    assert near.total == len(near) > 3
    drawn = Counter(near.sample)
    assert {*drawn} == {*near.rules}
    expected = len(near.sample) / len(near)
    far = sum((drawn[rules] - expected) ** 2 / expected for rules in near.rules)
    # chi-squared: mean k - 1, variance 2 (k - 1); six deviations off would be a fault, not chance
    assert far < len(near) - 1 + 6 * math.sqrt(2 * (len(near) - 1))


@pytest.mark.skipif(not compiled(), reason=what_is_missing())
def test_a_sample_speaks_for_all_where_few_are_listed():
    options = {"C1": "1/50", "C2": "1/50", "max_patterns": 2, "max_length": 2}
    every = enumerate_optimal(tied(), within="1/10", **options)
    few = enumerate_optimal(tied(), 2, "1/10", sample=4_000, **options)
    assert len(few) == 2
    shares = every.attributes().set_index("attribute")["share"]
    for name, share in few.attributes().set_index("attribute")["share"].items():
        assert share == pytest.approx(shares[name], abs=0.03)
    with pytest.raises(OptionError, match="sample"):
        enumerate_optimal(tied(), within=0, sample=-1, **options)
