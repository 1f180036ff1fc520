"""Weights without a common step, on a grid: bounds that hold, proofs that say how far they are off."""

from __future__ import annotations

import warnings
from fractions import Fraction

import numpy as np
import pytest
from support.weighted_tables import KINDS, best_value, weighted_case, weighted_table

from ooa.constraints import (
    max_false_negatives,
    max_false_positives,
    min_sensitivity,
    min_support_per_pattern,
)
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Standing, count
from ooa.learning.grid import AIM, on_grid
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.problem import FitProblem
from ooa.objective import Objective, exact_sum
from ooa.rules.ruleset import RuleSet
from ooa.search.branch_and_bound import MOST_UNITS
from ooa.solving import Termination, available_backends

BACKENDS = [name for name, found in available_backends().items() if found.ok]
EVERYTHING = {"thresholds": "distinct", "ranges": True, "max_length": None, "progress": False}
#: Weights that are meant as multiples of something, whatever their last digits are.
MEANT = ("balanced", "thirds", "decimals", "classes")


def fires_of_every_kind(rng, n_rows):
    return [np.zeros(n_rows, bool), np.ones(n_rows, bool), *(rng.random((30, n_rows)) < rng.random((30, 1)))]


# -- the grid itself -------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_no_rule_set_is_below_what_the_grid_says(kind):
    for seed in range(40):
        table, objective, most = weighted_case(kind, seed)
        rng = np.random.default_rng(seed)
        grid = on_grid(table, objective, most)
        assert grid.objective.grid(grid.units, grid.rows.positive.tolist()).denominator == 1 or grid.exact
        assert grid.units * grid.rows.n_rows * most <= MOST_UNITS
        for fires in fires_of_every_kind(rng, grid.rows.n_rows):
            literals, patterns = int(rng.integers(0, 9)), int(rng.integers(0, 4))
            given, counted = grid.values(fires, literals, patterns)
            wrong = fires[grid.rows.row] != table.y
            errors = sum(map(Fraction, table.weight[wrong].tolist()))
            assert given == objective.value(errors, grid.total, literals, patterns)
            assert grid.below(counted) <= given
            assert counted <= grid.above(given)
            assert grid.below(grid.above(given)) == given
            # From above, it is off by the weights' rounding, and by a unit per literal and pattern.
            rounded = abs(grid.total - grid.unit * grid.units) + 2 * grid.raised
            prices = (literals + patterns) * grid.unit
            assert given - grid.below(counted) <= (rounded + prices) / grid.total


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_rounded_by_a_millionth_of_their_sum_at_most(kind):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        table = weighted_table(kind, rng, most_rows=60)
        grid = on_grid(table, Objective.of(0.01, 0.002), 5)
        weights = [(grid.rows.positive, table.positive), (grid.rows.negative, table.negative)]
        off = Fraction(0)
        for units, given in weights:
            for i, k in enumerate(units.tolist()):
                off += abs(exact_sum(given[grid.rows.row == i]) - grid.unit * Fraction(k))
        assert off <= AIM * grid.total
        if kind in MEANT:
            assert off <= Fraction(1, 10**12) * grid.total


def test_what_is_on_a_grid_stays_as_it_is():
    rng = np.random.default_rng(0)
    for weight in (
        np.ones(50),
        rng.integers(0, 9, 50),
        rng.integers(1, 9, 50) / 8,
        rng.integers(1, 3, 50) * 3e9,
    ):
        table = Table.from_any({"x": rng.integers(0, 20, 50)}, rng.random(50) < 0.5, sample_weight=weight)
        objective = Objective.of("1/70", 0.003)
        grid, rows = on_grid(table, objective), table.distinct()
        assert grid.exact
        assert grid.objective is objective
        assert grid.rows.positive.tolist() == rows.positive.tolist()
        assert grid.rows.negative.tolist() == rows.negative.tolist()


def test_what_weighs_nothing_and_what_weighs_little_stay_apart():
    weight = [1e15, 1.0, 1e-300, 0.0, 1e15, 3.0]
    table = Table.from_any({"x": range(6)}, [0, 1, 1, 1, 1, 0], sample_weight=weight)
    grid = on_grid(table, Objective.of(0, 0))
    units = grid.rows.positive + grid.rows.negative
    assert (units > 0).tolist() == (table.weight > 0).tolist()
    assert units[2] == 1
    assert grid.raised > 0


def test_prices_of_many_digits_are_rounded_where_weights_are_not():
    table = Table.from_any({"x": range(300)}, np.arange(300) % 3 == 0)
    objective = Objective.of("0.00314159265358979323846", "1/3000000000000007")
    grid = on_grid(table, objective, 50)
    assert not grid.exact
    assert grid.unit * grid.units == 300
    assert not grid.raised
    for given, rounded in ((objective.C1, grid.objective.C1), (objective.C2, grid.objective.C2)):
        assert 0 <= given - rounded <= Fraction(1, 10**9)


def test_equal_rows_are_added_up_exactly():
    """Ten tenths are not 1.0 as floating-point numbers add up, and 0.1 is not a tenth."""
    table = Table.from_any({"x": [1] * 10 + [2] * 10}, [1] * 9 + [0] * 11, sample_weight=[0.1] * 20)
    problem = FitProblem.of(table, Objective.of("1/20", "1/20"))
    assert problem.grid.rows.positive.tolist() == [9 * problem.grid.rows.negative[0], 0]
    for text in ("x <= 1", "x >= 2"):
        rules = RuleSet.parse(text)
        assert problem.value(rules) == count(rules, table, problem.grid.given).objective


# -- proofs by it ----------------------------------------------------------------------------------


def check(found, best):
    """What a proof on a grid has to be, given the optimum by brute force."""
    certificate = found.certificate
    assert certificate.proved
    assert certificate.termination is Termination.OPTIMAL
    assert certificate.bound <= best <= certificate.objective <= certificate.bound + certificate.rounding
    assert certificate.rounding <= 2e-6
    exactly = certificate.objective == certificate.bound
    assert certificate.standing is (Standing.PROVED if exactly else Standing.PROVED_WITHIN)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", KINDS)
def test_every_way_to_a_proof_against_brute_force(kind, seed):
    table, objective, most = weighted_case(kind, seed)
    best = best_value(table, objective, most)
    told = {"C1": objective.C1, "C2": objective.C2, "max_patterns": most, "progress": False}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check(learn_ooa(table, **told), best)
        check(learn_ooa(table, decompose=False, **told), best)
        if any(column.missing.any() for column in table.columns):
            return  # there, OOAx has a literal less
        for selection in ("ilp", "auto", *(["search"] if compiled() else [])):
            found = learn_ooax(table, selection=selection, **told | EVERYTHING)
            check(found, best)
            if kind in MEANT and selection == "search":
                assert found.certificate.rounding <= 1e-12


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_proves_the_optimum_up_to_rounding(backend):
    seen = 0
    for seed in range(200, 230):
        table, objective, most = weighted_case(KINDS[seed % len(KINDS)], seed)
        if any(column.missing.any() for column in table.columns):
            continue
        told = {"C1": objective.C1, "C2": objective.C2, "max_patterns": most, "selection": "ilp"}
        check(learn_ooax(table, backend=backend, **told | EVERYTHING), best_value(table, objective, most))
        seen += 1
    assert seen > 10


@pytest.mark.parametrize("kind", KINDS)
def test_constraints_are_about_weights_as_they_were_given(kind):
    seen = 0
    for seed in range(300, 312):
        table, objective, most = weighted_case(kind, seed)
        positives, negatives = float(table.positive.sum()), float(table.negative.sum())
        few, many = 0.3 * positives, 0.6 * positives
        constraint, asked = [
            (max_false_negatives(few), {"meets": lambda missed, wrong, few=few: missed <= few}),
            (min_sensitivity(0.7), {"meets": lambda missed, wrong, few=few: missed <= few}),
            (
                max_false_positives(0.3 * negatives),
                {"meets": lambda missed, wrong, few=0.3 * negatives: wrong <= few},
            ),
            (min_support_per_pattern(many), {"good": lambda support, many=many: support >= many}),
        ][seed % 4]
        best = best_value(table, objective, most, **asked)
        told = {"C1": objective.C1, "C2": objective.C2, "max_patterns": most, "progress": False}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a weight is next to nothing in the row of a constraint
            if best is None:
                with pytest.raises(InfeasibleConstraints):
                    learn_ooa(table, constraints=[constraint], **told)
                continue
            check(learn_ooa(table, constraints=[constraint], **told), best)
            seen += 1
    assert seen > 4


def test_a_bound_that_left_the_rounding_out_would_be_false():
    """Errors on rows of next to no weight: on the grid they weigh a unit each."""
    heavy, light = [1e9, 1e9], [1e-9] * 4
    table = Table.from_any(
        {"x": [1, 2, 3, 4, 5, 6]}, [0, 1, 0, 1, 0, 1], sample_weight=[*heavy, *light], categorical=["x"]
    )
    found = learn_ooax(table, C1=0, C2=0, max_patterns=1, **EVERYTHING)
    problem = FitProblem.of(table, Objective.of(0, 0), 1)
    best = best_value(table, Objective.of(0, 0), 1)
    _, on_grid_ = problem.values(found.rules)
    grid = problem.grid
    assert found.certificate.objective == best == Fraction(1e-9) * 2 / grid.total
    assert grid.unit * grid.units * on_grid_ / grid.total > best
    assert found.certificate.bound <= best
    assert found.certificate.standing is Standing.PROVED_WITHIN


def test_balanced_classes_are_proved_as_whole_weights_in_their_proportion_are():
    rng = np.random.default_rng(3)
    data = {"a": rng.integers(0, 6, 90), "b": rng.integers(0, 5, 90), "c": rng.choice(list("uvw"), 90)}
    y = (data["a"] >= 4) ^ (rng.random(90) < 0.15)
    told = {"C1": 0.01, "C2": 0.01, "max_length": 2, "progress": False}
    for selection in ("ilp", *(["search"] if compiled() else [])):
        balanced = learn_ooax(Table.from_any(data, y, class_weight="balanced"), selection=selection, **told)
        weight = {True: int((~y).sum()), False: int(y.sum())}
        whole = learn_ooax(Table.from_any(data, y, class_weight=weight), selection=selection, **told)
        assert balanced.rules == whole.rules
        assert abs(balanced.certificate.objective - whole.certificate.objective) <= 1e-15
        assert whole.certificate.standing is Standing.PROVED
        assert balanced.certificate.proved
        assert balanced.certificate.rounding <= 1e-15
        assert balanced.certificate.termination is Termination.OPTIMAL
        assert balanced.certificate.counts == whole.certificate.counts


# -- what people see is as it was given ------------------------------------------------------------


def test_supports_scores_and_cuts_speak_of_weights_as_they_were_given():
    rng = np.random.default_rng(4)
    data = {"a": rng.random(60), "b": rng.random(60)}
    y = (data["a"] > 0.5) ^ (rng.random(60) < 0.2)
    table = Table.from_any(data, y, sample_weight=rng.uniform(0.5, 1.5, 60))
    heard = []

    def score(positive, negative, length):
        heard.append((float(np.max(positive, initial=0)), float(np.max(negative, initial=0))))
        return positive - negative

    for thresholds in ("quantiles", "mdl"):
        found = learn_ooax(
            table,
            thresholds=thresholds,
            C1=0.01,
            C2=0.01,
            max_length=2,
            score=score,
            max_candidates=3,
            selection="ilp",
            progress=False,
        )
        frame, candidates = table.as_frame(), found.candidates
        for k in range(len(candidates)):
            covers = RuleSet([candidates.pattern(k)]).covers(frame)[:, 0]
            assert candidates.positive[k] == pytest.approx(table.positive[covers].sum())
            assert candidates.negative[k] == pytest.approx(table.negative[covers].sum())
    assert heard
    assert all(p <= table.positive.sum() * 1.001 and n <= table.negative.sum() * 1.001 for p, n in heard)


@pytest.mark.parametrize("least", [2.5, 0.25])
def test_the_least_support_is_that_of_the_weights_as_they_were_given(least):
    rng = np.random.default_rng(5)
    data = {"a": rng.integers(0, 4, 40), "b": rng.integers(0, 4, 40)}
    weight = rng.choice([0.1, 0.3], 40)
    table = Table.from_any(data, rng.random(40) < 0.5, sample_weight=weight)
    told = {"C1": 0, "C2": 0, "max_patterns": 2, "selection": "ilp", "without": ["dominance", "bounds"]}
    found = learn_ooax(table, min_support=least, max_candidates=None, **told | EVERYTHING)
    needed = least if least >= 1 else least * table.positive.sum()
    assert len(found.candidates)
    assert found.candidates.positive.min() >= needed - 1e-9
    assert f"positive support of at least {needed:g}" in found.certificate.statement


def test_a_support_leaves_no_pattern_out_whose_weights_were_rounded_down():
    rng = np.random.default_rng(6)
    table = Table.from_any(
        {"a": rng.permutation(60)}, rng.random(60) < 0.7, sample_weight=rng.uniform(0.5, 1.5, 60)
    )
    grid = on_grid(table, Objective.of("0.01", "0.01"))
    assert not grid.exact
    units, given = grid.rows.positive, np.zeros(grid.rows.n_rows)
    np.add.at(given, grid.rows.row, table.positive)
    assert (units * float(grid.unit) < given).any()
    for weight, whole in zip(given[units > 0], units[units > 0]):
        assert grid.support(float(weight)) <= whole
