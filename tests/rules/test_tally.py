"""What each pattern does, counted against the rule set without it."""

from __future__ import annotations

import numpy as np

from ooa.rules.ruleset import RuleSet
from ooa.rules.tally import Tally


def test_what_a_pattern_saves_is_what_is_lost_without_it() -> None:
    rng = np.random.default_rng(5)
    X, weight = rng.normal(size=(300, 3)), rng.integers(1, 5, 300)
    y = X[:, 0] + rng.normal(size=300) > 0.5
    rules = RuleSet.parse("x0 > 1 OR x1 > 1 AND x0 > 0 OR x2 > 1.5")
    for counts in (np.ones(300), weight):
        tally = Tally.of(rules, rules.covers(X), y, counts)
        assert tally.confusion.errors == counts[(rules.predict(X) == 1) != y].sum()
        for k, one in enumerate(tally.patterns):
            alone, rest = RuleSet([rules[k]]), RuleSet([p for p in rules if p != rules[k]])
            fires = alone.predict(X) == 1
            assert one.support == counts[fires].sum()
            assert one.confusion.found == counts[fires & y].sum()
            assert one.alone == counts[fires & (rest.predict(X) == 0)].sum()
            without = counts[(rest.predict(X) == 1) != y].sum()
            assert one.saves == without - tally.confusion.errors
