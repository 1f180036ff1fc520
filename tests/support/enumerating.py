"""Near-optimal rule sets against brute force."""

from __future__ import annotations

import numpy as np

from ooa.constraints import (
    demographic_parity,
    max_false_negatives,
    max_false_positives,
    max_total_literals,
    max_uses,
    min_precision,
    require_attribute,
)
from ooa.explore.enumerate import enumerate_optimal
from support.every_rule_set import Every
from support.strictly import strictly
from support.tiny_tables import tiny_table

PRICES = [0, 0, "1/50", "1/20", 0.1, "1/7"]

quietly = strictly(enumerate_optimal)


def values(found):
    return [certificate.objective for certificate in found.certificates]


def check_set(found, every, n, eps):
    """Compare with brute force: all within eps, or the n best."""
    assert found.complete
    assert len(set(found.rules)) == len(found)
    assert values(found) == sorted(values(found))
    got = {frozenset(rules): certificate.objective for rules, certificate in found}
    best = min(every.value.values())
    expected = every.wanted(found.redundant, eps)
    others = sorted(value for rules, value in every.wanted(found.redundant).items() if rules not in got)
    assert all(expected.get(rules) == value for rules, value in got.items())
    ranked = sorted(expected.values())
    if n is not None:
        ranked = ranked[:n]
    assert sorted(got.values()) == ranked
    assert all(certificate.bound == best for certificate in found.certificates)
    assert found.certificates[0].proved
    assert found.rest is None or not others or found.rest <= others[0]


def check_predictions(found, every, table, n, eps):
    """Compare predictions with brute force: the cheapest rule set stands for each."""
    assert found.complete
    least = every.by_prediction()
    got = {}
    for rules, certificate in found:
        holds = rules.covers(table.as_frame())
        key = holds.any(axis=1).tobytes()
        assert key not in got
        for k in range(len(rules)):
            fewer = frozenset(rules) - {rules[k]}
            assert np.delete(holds, k, axis=1).any(axis=1).tobytes() != key or fewer not in every.value
        assert every.value[frozenset(rules)] == certificate.objective == least[key]
        got[key] = certificate.objective
    ranked = sorted(least.values())
    if eps is not None:
        ranked = [value for value in ranked if value <= ranked[0] + eps]
    assert sorted(got.values()) == ranked[:n]


def random_case(rng, most_patterns=11):
    """A tiny table with few enough patterns to try all subsets."""
    while True:
        table = tiny_table(rng, most_rows=6)
        options = {
            "C1": PRICES[rng.integers(len(PRICES))],
            "C2": PRICES[rng.integers(len(PRICES))],
            "max_patterns": [None, 1, 2, 3][rng.integers(4)],
            "max_length": [None, 1, 2][rng.integers(3)],
        }
        every = Every(table, **(options | {"max_patterns": 0}))
        if len(every.patterns) <= (most_patterns if options["max_patterns"] is None else 2 * most_patterns):
            return table, options


def constraint_cases(table):
    """Constraints, each with its meaning for a rule set (as patterns) and its predictions."""
    names = [attribute.name for attribute in table.attributes]
    weight, y = table.weight, table.y
    group = np.arange(table.n_rows) % 2

    def gap(fires):
        rates = [weight[fires & (group == g)].sum() / weight[group == g].sum() for g in (0, 1)]
        return abs(rates[0] - rates[1])

    def precise(fires):
        true, false = weight[fires & y].sum(), weight[fires & ~y].sum()
        return true >= 0.6 * (true + false) - 1e-9

    def own(f):
        return f.error[0] <= 0

    uses = {name: lambda rules, name=name: sum(name in p.attributes for p in rules) for name in names}
    last = names[-1]
    return [
        ((max_false_negatives(1),), lambda rules, fires: weight[y & ~fires].sum() <= 1),
        ((max_false_positives(1),), lambda rules, fires: weight[~y & fires].sum() <= 1),
        ((max_uses(last, 1),), lambda rules, fires: uses[last](rules) <= 1),
        ((require_attribute(last),), lambda rules, fires: uses[last](rules) >= 1),
        ((max_total_literals(2),), lambda rules, fires: sum(map(len, rules)) <= 2),
        ((min_precision(0.6),), lambda rules, fires: precise(fires)),
        ((demographic_parity(group, 0.3),), lambda rules, fires: gap(fires) <= 0.3 + 1e-9),
        ((own, max_uses(last, 1)), lambda rules, fires: fires[0] == y[0] and uses[last](rules) <= 1),
    ]
