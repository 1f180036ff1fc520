"""The stock of mined patterns: what other fits find in it is what they would have mined."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from ooa.data.table import Table
from ooa.learning.conditions import literals_of
from ooa.learning.mine import least_supports, mine_patterns
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.learning.stock import Stock


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(7)
    X = {f"x{j}": rng.integers(0, 6, 150) for j in range(4)}
    y = ((X["x0"] > 3) & (X["x1"] < 4)) ^ (rng.random(150) < 0.1)
    return Table.from_any(X, y.astype(int))


def mined(table, settings):
    fit = Fit.of(table, settings)
    return fit, mine_patterns(
        fit, literals_of(settings, fit.problem), settings, least_supports(fit, settings)
    )


def named(mining):
    return {mining.candidates.pattern(k) for k in range(len(mining.candidates))}


@pytest.mark.parametrize("min_support", [None, 0.2])
@pytest.mark.parametrize("prices", [(0.01, 0.01), (0.002, 0.05), (0.03, 0.002)])
def test_the_same_patterns_as_by_mining(table, prices, min_support):
    options = {"min_support": min_support}
    stock = Stock()
    assert stock.fill(table, OOAxSettings(C1=0.002, C2=0.002, **options))
    settings = OOAxSettings(C1=prices[0], C2=prices[1], **options)
    fit, alone = mined(table, settings)
    taken = stock.take(fit, settings)
    assert named(taken) == named(alone)
    assert len(taken.candidates) == len(alone.candidates)
    assert (taken.longest, taken.complete) == (alone.longest, True)


@pytest.mark.parametrize("prices", [(0.001, 0.01), (0.01, 0.001)])
def test_lower_prices_are_not_served(table, prices):
    stock = Stock()
    stock.fill(table, OOAxSettings(C1=0.002, C2=0.002))
    settings = OOAxSettings(C1=prices[0], C2=prices[1])
    assert stock.take(Fit.of(table, settings), settings) is None


def test_other_rows_are_not_served(table):
    stock, settings = Stock(), OOAxSettings(C1=0.002, C2=0.002)
    stock.fill(table, settings)
    part = table.subset(np.arange(100))
    assert stock.take(Fit.of(part, settings), settings) is None
    assert stock.take(Fit.of(table, settings), settings) is not None


def test_what_is_not_all_there_is_is_not_kept(table):
    stock, settings = Stock(), OOAxSettings(C1=0.002, C2=0.002, max_mined=20)
    assert stock.fill(table, settings)
    assert stock.take(Fit.of(table, settings), settings) is None


def test_a_fit_that_had_to_mine_leaves_that_for_the_others(table):
    stock = Stock()
    first = learn_ooax(table, C1=0.01, C2=0.01, stock=stock)
    settings = OOAxSettings(C1=0.02, C2=0.02)
    assert stock.take(Fit.of(table, settings), settings) is not None
    again = learn_ooax(table, settings, stock=stock)
    alone = learn_ooax(table, settings)
    assert first.certificate.proved
    assert again.certificate.proved
    assert again.certificate.objective == alone.certificate.objective
    assert again.certificate.statement == alone.certificate.statement


def test_weights_that_are_rounded_in_other_units_are_not_mixed_up(table):
    weighted = Table.from_any(
        {column.name: column.values for column in table.columns}, table.y.astype(int), class_weight="balanced"
    )
    stock = Stock()
    for price in (Fraction(1, 700), Fraction(1, 90), Fraction(1, 70)):
        options = {"C1": price, "C2": price, "max_length": 2, "max_patterns": 2}
        shared = learn_ooax(weighted, **options, stock=stock).certificate
        alone = learn_ooax(weighted, **options).certificate
        assert (shared.objective, shared.proved) == (alone.objective, alone.proved)
