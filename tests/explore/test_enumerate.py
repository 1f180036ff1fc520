"""Several answers: brute force over all rule sets, known answers, honesty about what is proved."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support.enumerating import (
    check_predictions,
    check_set,
    constraint_cases,
    quietly,
    random_case,
    values,
)
from support.every_rule_set import Every
from support.weighted_tables import KINDS, weighted_table

from ooa.constraints import max_false_negatives, max_total_literals, require_attribute
from ooa.data.table import Table
from ooa.datasets import monks
from ooa.errors import InfeasibleConstraints
from ooa.learning.certificate import Standing
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.rules.ruleset import RuleSet
from ooa.solving import available_backends

BACKENDS = [name for name, found in available_backends().items() if found.ok]


# -- brute force -----------------------------------------------------------------------------------


both = pytest.mark.parametrize("redundant", [False, True], ids=["lean", "all"])
#: By the exact search where it can be had, and one program after the other.
ways = pytest.mark.parametrize(
    ("seed", "selection"), [*((seed, "auto") for seed in range(5)), (5, "ilp"), (6, "ilp")]
)


@both
@ways
def test_all_within_epsilon(seed, selection, redundant):
    rng = np.random.default_rng(seed)
    for _ in range(8):
        table, options = random_case(rng, 9)
        told = options | {"selection": selection}
        every = Every(table, **options)
        for eps in (Fraction(0), Fraction(1, 20)):
            if len(every.wanted(redundant, eps)) <= 300:
                check_set(quietly(table, within=eps, redundant=redundant, **told), every, None, eps)


@both
@ways
def test_the_n_best(seed, selection, redundant):
    rng = np.random.default_rng(100 + seed)
    for _ in range(8):
        table, options = random_case(rng, 9)
        told = options | {"selection": selection}
        n = int(rng.integers(1, 25))
        check_set(quietly(table, n, redundant=redundant, **told), Every(table, **options), n, None)


@both
@ways
def test_at_most_n_within_epsilon(seed, selection, redundant):
    rng = np.random.default_rng(200 + seed)
    for _ in range(4):
        table, options = random_case(rng, 9)
        told = options | {"selection": selection}
        n, eps = int(rng.integers(1, 12)), Fraction(int(rng.integers(0, 4)), 12)
        found = quietly(table, n, eps, redundant=redundant, **told)
        check_set(found, Every(table, **options), n, eps)


@ways
def test_distinct_predictions(seed, selection):
    rng = np.random.default_rng(300 + seed)
    for _ in range(6):
        table, options = random_case(rng, 9)
        told = options | {"selection": selection}
        every = Every(table, **options)
        n, eps = (int(rng.integers(1, 8)), None) if rng.random() < 0.5 else (None, Fraction(1, 10))
        found = quietly(table, n, eps, distinct_predictions=True, **told)
        check_predictions(found, every, table, n, eps)


@pytest.mark.parametrize("case", range(8))
@pytest.mark.parametrize("kind", [{}, {"redundant": True}, {"distinct_predictions": True}])
def test_beside_constraints(case, kind):
    rng = np.random.default_rng(400 + case)
    done = 0
    while done < 2:
        table, options = random_case(rng, 8)
        if (table.weight <= 0).any():
            continue
        constraints, meets = constraint_cases(table)[case]
        every = Every(table, **options, meets=meets)
        done += 1
        if not every.value:
            with pytest.raises(InfeasibleConstraints):
                quietly(table, 3, constraints=constraints, **options)
            continue
        n, eps = (7, None) if done == 1 else (None, Fraction(1, 12))
        found = quietly(table, n, eps, constraints=constraints, **kind, **options)
        if "distinct_predictions" in kind:
            check_predictions(found, every, table, n, eps)
        else:
            check_set(found, every, n, eps)


def test_what_covers_the_same_rows_is_not_screened_away():
    """A constraint can tell two patterns apart that predict the same; the best set has but one of d."""
    table = Table.from_any({"c": list("aabb"), "d": list("uuvv")}, [1, 1, 1, 0])
    told = {"C1": "1/8", "C2": "1/8", "max_patterns": 2, "max_length": None}
    every = Every(table, **told, meets=lambda rules, fires: any("d" in p.attributes for p in rules))
    assert len(every.by_prediction()) > 1
    constraints = (require_attribute("d"),)
    found = quietly(table, None, 2, constraints=constraints, distinct_predictions=True, **told)
    check_predictions(found, every, table, None, 2)


def test_what_does_not_pay_is_not_screened_away():
    """A pattern for one positive costs more than it is worth, and has to be there: of d, or of e."""
    table = Table.from_any({"d": list("abcddd"), "e": list("pqrsss")}, [1, 0, 0, 1, 1, 1])
    told = {"C1": "1/8", "C2": "1/8", "max_patterns": 2, "max_length": None}
    every = Every(table, **told, meets=lambda rules, fires: fires[table.y].all())
    assert len(every.wanted(False, Fraction(0))) == 4
    found = quietly(table, None, 0, constraints=(max_false_negatives(0),), **told)
    check_set(found, every, None, Fraction(0))


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_of_the_rest_beside_constraints(seed):
    """Those beyond the n best are not listed, and not below what is said of the rest."""
    table, options = random_case(np.random.default_rng(seed), 8)
    every = Every(table, **options, meets=lambda rules, fires: sum(map(len, rules)) <= 3)
    for n in (1, 3):
        found = quietly(table, n, constraints=(max_total_literals(3),), **options)
        check_set(found, every, n, None)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_backend_lists_the_same(backend):
    rng = np.random.default_rng(5)
    for options in ({"within": "1/25"}, {"n": 6}, {"within": "1/25", "distinct_predictions": True}):
        table, chosen = random_case(rng, 8)
        reference, found = (quietly(table, **options, **chosen, backend=b) for b in ("highs", backend))
        assert found.complete
        assert values(found) == values(reference)
        if "n" not in options and "distinct_predictions" not in options:
            assert found.rules == reference.rules


def test_weights_with_endless_digits():
    rng = np.random.default_rng(6)
    for _ in range(4):
        table, options = random_case(rng, 7)
        table = Table.from_any(
            {a.name: c.values for a, c in zip(table.attributes, table.columns)},
            table.y,
            sample_weight=rng.random(table.n_rows) / 3,
        )
        if len(Every(table, **(options | {"max_patterns": 0})).patterns) > 8:
            continue
        every = Every(table, **options)
        check_set(quietly(table, within="1/30", **options), every, None, Fraction(1, 30))
        found = quietly(table, 4, distinct_predictions=True, **options)
        check_predictions(found, every, table, 4, None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("redundant", [False, True])
def test_weights_without_a_common_step(kind, redundant):
    """Nothing within a distance is missing, counted exactly; the n best are so up to rounding."""
    for seed in range(4):
        rng = np.random.default_rng([seed, 7])
        table = weighted_table(kind, rng, most_rows=6)
        told = {"C1": "1/50", "C2": "1/40", "max_patterns": int(rng.integers(1, 3)), "max_length": None}
        every, eps = Every(table, **told), Fraction(1, 10)
        best = min(every.value.values())
        near = quietly(table, within=eps, redundant=redundant, **told)
        assert near.complete
        assert {frozenset(rules): value for rules, value in zip(near.rules, values(near))} == every.wanted(
            redundant, eps
        )
        few = quietly(table, n=3, redundant=redundant, **told)
        assert few.complete
        ranked = sorted(every.wanted(redundant).values())[:3]
        assert len(few) == len(ranked)
        assert all(abs(value - least) <= 1e-6 for value, least in zip(values(few), ranked))
        others = [
            value
            for rules, value in every.wanted(redundant).items()
            if rules not in map(frozenset, few.rules)
        ]
        assert few.rest is None or all(few.rest <= value for value in others)
        assert near.rounding == 0 <= few.rounding <= 1e-6
        assert all(value >= values(few)[-1] - few.rounding for value in others)
        assert ("best, up to" in str(few)) == (few.rounding > 0)
        for found in (near.certificates[0], few.certificates[0]):
            assert found.proved
            assert found.bound <= best <= found.objective <= found.bound + found.rounding


@pytest.mark.parametrize("distinct", [False, True])
@pytest.mark.parametrize(("n", "within"), [(3, None), (None, 0)])
def test_no_literals_at_all(distinct, n, within):
    table = Table.from_any({"x": [1, 1, 1]}, [0, 1, 1])
    found = quietly(table, n, within, distinct_predictions=distinct)
    assert found.complete
    assert found.rules == (RuleSet([]),)
    assert values(found) == [Fraction(2, 3)]


# -- known answers ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def robots():
    data = monks(1)
    return Table.from_any(data.X, data.y)


def test_the_second_best_of_monks(robots):
    best = learn_ooax(robots, C1=0.001, C2=0.001)
    everything = quietly(robots, 3, C1=0.001, C2=0.001, redundant=True)
    lean = quietly(robots, 3, C1=0.001, C2=0.001)
    for found in (everything, lean):
        assert found.complete
        assert found.rules[0] == best.rules
        assert values(found)[1] > values(found)[0] == best.certificate.objective
        assert found.certificates[2].bound == best.certificate.objective
        assert not found.certificates[2].proved
        assert found.certificates[2].gap > 0
    # The cheapest change is a pattern more that changes nothing: it takes two literals to be covered already.
    assert set(best.rules) < set(everything.rules[1])
    assert values(everything)[1] == values(everything)[0] + Fraction(3, 1000)
    assert "redundant" not in str(everything)
    # Without that, the same has to be said in other words, or something else.
    assert values(lean)[1] > values(everything)[2]
    for rules in lean.rules:
        holds = rules.covers(robots.as_frame())
        assert all((holds.sum(axis=1) == 1)[holds[:, k]].any() for k in range(len(rules)))


def test_a_list_over_some_candidates_is_not_called_complete(robots):
    few = quietly(robots, 9, C1=0.001, C2=0.001, max_candidates=6)
    assert not few.complete
    assert few.pool is not None
    assert few.statement == f"sets of the {few.pool} candidates that were looked at"
    assert "other patterns were left out" in few.headline
    better = "" if few.certificates[0].proved else ", or better"
    assert few.headline.endswith(f"there may be others as good{better}")
    best = few.certificates[0]
    certain = replace(best, bound=best.objective)
    assert replace(few, certificates=(certain,)).headline.endswith("there may be others as good")
    open_ = replace(best, bound=best.objective / 2, rounding=Fraction(0))
    assert replace(few, certificates=(open_,)).headline.endswith("there may be others as good, or better")
    assert few.certificates[0].standing is (Standing.PROVED if few.certificates[0].proved else Standing.POOL)
    assert all(one.standing is Standing.OPEN for one in few.certificates[1:])
    everything = quietly(robots, 9, C1=0.001, C2=0.001)
    missed = [value for value, rules in zip(values(everything), everything.rules) if rules not in few.rules]
    assert few.rest is not None
    assert few.rest <= min(missed)


def test_more_candidates_are_looked_at_as_long_as_there_is_time(robots):
    policy = replace(POLICY, first_candidates=6)
    grown = quietly(robots, 3, C1=0.001, C2=0.001, policy=policy)
    assert grown.complete
    assert grown.pool is None
    assert values(grown) == values(quietly(robots, 3, C1=0.001, C2=0.001))


def test_a_pattern_that_a_constraint_asks_for_is_not_redundant():
    table = Table.from_any({"x": [1, 2, 3, 4], "y": list("abab")}, [0, 0, 1, 1])
    prices = {"C1": "1/20", "C2": "1/20", "max_patterns": 2}
    found = quietly(table, within="1/5", constraints=[require_attribute("y")], **prices)
    assert found.complete
    assert RuleSet.parse("x >= 3 OR x >= 3 AND y = a") in found.rules
    free = quietly(table, within="1/5", **prices)
    assert RuleSet.parse("x >= 3 OR x >= 3 AND y = a") not in free.rules


def test_equal_rule_sets_come_in_canonical_order():
    table = Table.from_any({"x": [0, 1, 0, 1], "y": [0, 1, 0, 1], "z": [0, 1, 0, 1]}, [0, 1, 0, 1])
    found = quietly(table, within=0, C1="1/100", C2="1/100")
    texts = [rules.to_text(compact=True, unicode=False) for rules in found.rules]
    assert [text.split(" -> ")[0] for text in texts] == ["(x >= 1)", "(y >= 1)", "(z >= 1)"]
    once = quietly(table, within=0, C1="1/100", C2="1/100", distinct_predictions=True)
    assert len(once) == 1
    assert once.complete


def test_a_pattern_that_just_pays_for_itself_makes_a_second_optimum():
    # Theorem 2 as it stands drops it: it saves one error of four, and costs a quarter.
    table = Table.from_any({"x": [0, 0, 0, 1]}, [0, 0, 0, 1])
    found = quietly(table, within=0, C1="1/8", C2="1/8")
    assert [len(rules) for rules in found.rules] == [0, 1]


def test_what_is_dominated_is_near_optimal():
    table = Table.from_any({"x": [0, 0, 1, 2, 2], "y": [0, 1, 0, 1, 1]}, [0, 0, 1, 1, 1])
    near = quietly(table, within="1/5", C1="1/20", C2="1/20", max_patterns=1)
    assert {str(rules[0]) for rules in near.rules} == {"x ≥ 1", "x ≥ 2"}
    assert len(learn_ooax(table, C1="1/20", C2="1/20", max_patterns=1).candidates) < 2
