"""OOA beside constraints: what boxes find and prove without them is used, and never too much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from support.brute_constraints import all_patterns, all_rules, best

from ooa.constraints import max_false_positives, max_total_literals, min_sensitivity, require_attribute
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.ooa import explain_ooa, learn_ooa
from ooa.learning.policy import POLICY
from ooa.learning.settings import OOASettings
from ooa.objective import Objective

pytestmark = pytest.mark.skipif(not compiled(), reason="the core was not compiled")

#: OOAx over all patterns has no turn.
COARSE = replace(POLICY, all_literals=0)
TOLD = {"C1": "1/40", "C2": "1/50", "max_patterns": 2, "policy": COARSE}


def drawn(seed: int) -> Table:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(7, 11))
    columns = {"a": rng.integers(0, 4, n), "b": rng.choice(["u", "v"], n)}
    label = (columns["a"] >= 2) ^ (rng.random(n) < 0.3)
    label[:2] = True, False
    return Table.from_any(columns, label)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "constraint", [min_sensitivity(1), max_false_positives(0), max_total_literals(1)], ids=repr
)
def test_the_optimum_is_that_of_brute_force(seed, constraint):
    table = drawn(seed)
    least, _ = best(all_rules(table, all_patterns(table), 2), Objective.of("1/40", "1/50"), [constraint])
    found = learn_ooa(table, constraints=[constraint], **TOLD).certificate
    assert found.proved
    assert found.objective == least / table.n_rows
    assert found.bound == found.objective


def test_what_meets_the_constraints_without_them_is_proved_by_boxes():
    table = Table.from_any({"x": [1, 2, 3, 4, 5, 6, 7, 8]}, [0, 0, 1, 1, 0, 0, 1, 1])
    found = learn_ooa(table, constraints=[max_false_positives(3)], **TOLD).certificate
    assert (found.proved, found.proof) == (True, "boxes")
    short = learn_ooa(table, constraints=[max_total_literals(1)], **TOLD).certificate
    assert (short.proved, short.proof) == (True, "boxes")  # they keep to it
    assert short.objective > found.objective
    strict = learn_ooa(table, constraints=[require_attribute("x")], **TOLD | {"C1": "1/2"}).certificate
    assert (strict.proved, strict.proof) == (True, "formation")


def test_the_plan_says_so():
    table = drawn(0)
    said = explain_ooa(table, OOASettings(constraints=[min_sensitivity(1)], time_limit=10, policy=COARSE))
    assert "families of boxes: at most 3 s, what they find without the constraints is the answer" in said
    assert "3. families of boxes: with prices on what constraints say of predictions" in said
    assert said.splitlines()[-1].startswith("4. the MIP that forms patterns: for what OOAx leaves open")
