"""OOA agrees with brute force over all patterns; both proofs, and what only one of them can prove."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from support import ooa_checking
from support.brute_constraints import best
from support.brute_ooa import best_value
from support.constraint_problems import READY, Problem, drawn
from support.ooa_checking import FORMS, both, quietly
from support.sweeps import sweep
from support.tiny_tables import tiny_objective, tiny_table

from ooa.constraints import monotone
from ooa.data.table import Table
from ooa.datasets import monks
from ooa.errors import InfeasibleConstraints, OptionError
from ooa.formulations.boxes import BoxFormulation
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Scope
from ooa.learning.ooa import learn_ooa
from ooa.learning.ooax import learn_ooax
from ooa.learning.policy import POLICY
from ooa.learning.solve import Solved
from ooa.learning.state import Fit
from ooa.objective import Objective
from ooa.rules.ruleset import RuleSet
from ooa.solving import PointStatus, Solution, Termination, available_backends

OTHERS = [name for name, found in available_backends().items() if found.ok and name != "highs"]
# Fixtures: assigned, as the tests ask for them by name.
solves = ooa_checking.solves


# -- brute force over all patterns -----------------------------------------------------------------


def check_against_brute_force(seed: int, backend: str = "highs") -> str:
    """One table, as it comes, missing cells and sets of categories included; returns what proved it."""
    rng = np.random.default_rng([15, seed])
    table, objective, K = tiny_table(rng), tiny_objective(rng), int(rng.integers(1, 4))
    choice = {"single_category": bool(rng.random() < 0.7), "missing": bool(rng.random() < 0.4)}
    decompose = bool(seed % 2)
    rows = table.distinct()
    learned = quietly(
        table,
        C1=objective.C1,
        C2=objective.C2,
        max_patterns=K,
        formulation=FORMS[seed // 2 % 2],
        decompose=decompose,
        backend=backend,
        **choice,
    )
    proof = learned.certificate
    total = sum(map(Fraction, table.weight.tolist()))
    assert proof.objective * total == best_value(rows, objective, K, **choice), seed
    assert proof.proved, seed
    assert proof.scope is Scope.ALL
    assert "one condition per column" in proof.statement or proof.proof == "counting"
    if proof.proof != "counting":
        assert proof.proof == ("decomposition" if decompose else "formation"), seed
    return proof.proof


@pytest.mark.parametrize("chunk", range(sweep(3, of=5)))
def test_brute_force_agrees(chunk: int) -> None:
    proofs = {check_against_brute_force(seed) for seed in range(40 * chunk, 40 * (chunk + 1))}
    assert proofs == {"decomposition", "formation", "counting"}


@pytest.mark.parametrize("backend", OTHERS)
def test_brute_force_agrees_on_the_other_backends(backend: str) -> None:
    for seed in range(1000, 1012):
        check_against_brute_force(seed, backend)


def test_monks_is_proved_by_either(solves: list[Any]) -> None:
    data = monks(1)
    table = Table.from_any(data.X.iloc[:, [0, 1, 4]], data.y)
    learned = quietly(table, C1=0.001, C2=0.001)
    assert learned.rules == RuleSet.parse(
        "jacket_color = red OR head_shape = round AND body_shape = round "
        "OR head_shape = square AND body_shape = square OR head_shape = octagon AND body_shape = octagon "
        "-> monk = 1 ELSE 0"
    )
    assert (learned.certificate.proof, solves) == ("decomposition", [])
    formed = quietly(table, C1=0.001, C2=0.001, max_patterns=4, decompose=False)
    assert formed.rules == learned.rules
    assert formed.certificate.proof == "formation"
    assert formed.certificate.proved
    assert len(solves) == 1


# -- what the decomposition does not prove ---------------------------------------------------------


@both
@pytest.mark.parametrize("decompose", [True, False])
def test_has_a_value_is_a_literal_of_both(formulation: str, decompose: bool) -> None:
    # Only "x has a value" parts the classes but for one row.
    table = Table.from_any({"x": [1, 2, 3, 4, 5, None, None]}, [1, 1, 0, 1, 1, 0, 0])
    options: dict[str, Any] = {"C1": "1/100", "C2": "1/100", "max_patterns": 1}
    learned = quietly(table, formulation=formulation, decompose=decompose, **options)
    assert learned.rules.covers({"x": [1, 3, 5, None]})[:, 0].tolist() == [True, True, True, False]
    assert learned.certificate.proved
    assert learned.certificate.proof == ("decomposition" if decompose else "formation")
    everything = {"thresholds": "distinct", "max_length": None, "max_candidates": None}
    one_sided = learn_ooax(table, **everything, **options).certificate
    assert one_sided.objective > learned.certificate.objective
    assert one_sided.scope is not Scope.ALL
    assert learn_ooax(table, ranges=True, **everything, **options).certificate.scope is Scope.ALL


@both
def test_sets_of_categories_are_mined_where_they_are_allowed(formulation: str) -> None:
    table = Table.from_any({"c": list("abcd") * 3, "n": range(12)}, [1, 1, 0, 0] * 2 + [1, 0, 0, 0])
    options = {"C1": "1/6", "C2": 0, "max_patterns": 2, "formulation": formulation}
    single, several = (quietly(table, single_category=choice, **options) for choice in (True, False))
    assert (single.certificate.proof, several.certificate.proof) == ("decomposition", "decomposition")
    assert single.rules == RuleSet.parse("c = a -> target = 1 ELSE 0")
    assert several.rules == RuleSet.parse("c IN {a, b} -> target = 1 ELSE 0")
    assert several.certificate.proved


def test_single_categories_prove_nothing_about_sets() -> None:
    """Where there are too many sets to mine, a look at single categories is a start and no proof."""
    columns = {"c": list("abcdefgh") * 3, "d": ["x"] * 16 + ["y"] * 8}
    table = Table.from_any(columns, [1, 1, 1, 0] * 4 + [0] * 8)
    options: dict[str, Any] = {"C1": "1/50", "C2": "1/50", "max_patterns": 1, "single_category": False}
    few = replace(POLICY, all_literals=50)
    learned = quietly(table, policy=few, **options)
    by = "boxes" if compiled() else "formation"
    assert (learned.certificate.proof, learned.certificate.proved) == (by, True)
    assert learned.certificate.objective == quietly(table, **options).certificate.objective == Fraction(3, 50)


@pytest.mark.parametrize("name", READY)
def test_brute_force_agrees_beside_constraints(name: str) -> None:
    for seed in range(6):
        problem = Problem([7, seed, crc32(name.encode())])
        constraint = drawn(problem, name)
        expected = None
        if constraint is not None:
            expected, _ = best(problem.brute("compact", [constraint]), problem.objective, [constraint])
        if expected is not None:
            prices = {"C1": problem.objective.C1, "C2": problem.objective.C2}
            learned = quietly(
                problem.table, max_patterns=problem.K, constraints=[constraint], **prices, **problem.options
            )
            assert learned.certificate.objective * Fraction(problem.table.weight.sum()) == expected, seed
            assert learned.certificate.proved, seed


def test_a_constraint_may_tell_the_two_forms_of_has_a_value_apart() -> None:
    """Only "x <= greatest value" says it within the constraint, and it is the other one that is mined."""
    table = Table.from_any({"x": [1, 2, 3, 4, 5, None, None]}, [1, 1, 0, 1, 1, 0, 0])
    options: dict[str, Any] = {"C1": "1/100", "C2": "1/100", "max_patterns": 1}
    for direction in ("increasing", "decreasing"):
        learned = quietly(table, constraints=[monotone("x", direction)], **options)
        assert learned.rules.covers({"x": [1, 3, 5, None]})[:, 0].tolist() == [True, True, True, False]
        assert learned.certificate.proved


def test_one_missing_cell_does_not_cost_the_proof() -> None:
    data = monks(1)
    X = data.X.astype(object)
    X.iloc[0, 0] = None
    for single in (True, False):
        learned = quietly(Table.from_any(X, data.y), C1=0.001, C2=0.001, single_category=single)
        assert (learned.certificate.proof, learned.certificate.proved) == ("decomposition", True)


def test_constraints_may_need_patterns_that_are_not_mined() -> None:
    table = Table.from_any({"c": list("aabbcc")}, [0, 0, 1, 1, 0, 1])

    def first_row_is_predicted(f: Any) -> Any:
        return f.predicted[0] >= 1

    for decompose in (True, False):
        learned = quietly(
            table, C1=0.01, C2=0.01, max_patterns=3, constraints=[first_row_is_predicted], decompose=decompose
        )
        assert learned.rules.predict(table.as_frame())[0] == 1
        assert learned.certificate.feasible
        assert learned.certificate.proved
        assert learned.certificate.proof == ("boxes" if decompose and compiled() else "formation")

    def nothing_and_something(f: Any) -> Any:
        return [f.predicted[0] >= 1, f.predicted[1] <= 0]  # equal rows

    with pytest.raises(InfeasibleConstraints, match="nothing_and_something"):
        learn_ooa(table, max_patterns=3, constraints=[nothing_and_something])


def test_constraints_may_need_ranges_that_are_not_mined() -> None:
    table = Table.from_any({"x": range(30)}, [int(7 <= x <= 16) for x in range(30)])

    def no_errors(f: Any) -> Any:
        return f.error.sum() <= 0

    learned = quietly(table, C1=0.01, C2=0.01, max_patterns=1, constraints=[no_errors], decompose=False)
    assert learned.certificate.errors == 0
    assert learned.certificate.feasible


@pytest.mark.parametrize(
    ("mined", "formed", "bound", "proof"),
    [
        ("1/10", "1/20", "1/10", "decomposition"),
        ("1/20", "1/10", "1/10", "formation"),
        (None, "1/10", "1/10", "formation"),
        ("1/10", None, "1/10", "decomposition"),
        (None, None, "1/25", "counting"),
        ("1/100", "1/100", "1/25", "counting"),
        ("2/10", "1/100", "2/10", "decomposition"),  # closed: the MIP is not even built
    ],
)
def test_the_better_bound_is_reported_with_its_proof(
    monkeypatch: pytest.MonkeyPatch, mined: str | None, formed: str | None, bound: str, proof: str
) -> None:
    table = Table.from_any({"x": range(10), "c": list("abababbbaa")}, [0, 1, 1, 1, 0, 0, 1, 0, 0, 1])
    best = learn_ooa(table, C1="1/50", C2="1/50").certificate.objective
    calls = []

    def claims(fit: Fit, formulation: Any) -> Solved:
        calls.append(isinstance(formulation, BoxFormulation))
        value = formed if calls[-1] else mined
        stopped = Solution(Termination.TIME_LIMIT, PointStatus.NONE, None, None, None, "highs")
        if value == "2/10":
            fit.best.upper = Fraction(value)  # as if
        return Solved(fit.solver, stopped, None if value is None else Fraction(value))

    assert best > Fraction(1, 10)
    for room in ("select", "ooa"):
        monkeypatch.setattr(f"ooa.learning.{room}.solve_from_best", claims)
    monkeypatch.setattr("ooa.learning.ooa.boxes_can_be_had", lambda *_: False)
    no_search = replace(POLICY, most_searched_patterns=0)  # the ILP is what is tested here
    certificate = learn_ooa(table, C1="1/50", C2="1/50", policy=no_search).certificate
    assert (certificate.bound, certificate.proof) == (min(Fraction(bound), certificate.objective), proof)
    assert calls == ([False] if mined == "2/10" else [False, True])


# -- the number of boxes ---------------------------------------------------------------------------


def test_theorem_3_limits_the_boxes(solves: list[Any]) -> None:
    rng = np.random.default_rng(8)
    table = Table.from_any({"x": range(12), "c": rng.choice(["a", "b"], 12)}, [0, 1, 1, 0, 1, 0] * 2)
    for C1, C2, most in (("1/20", "1/20", None), ("1/20", "1/20", 2), ("1/10", 0, None), (0, "1/9", None)):
        solves.clear()
        learned = quietly(table, C1=C1, C2=C2, max_patterns=most, decompose=False)
        ((model, _, value, _),) = solves
        by_theorem = int(value / (Fraction(C1) + Fraction(C2)))
        assert (by_theorem if most is None else min(most, by_theorem)) == model.K
        objective = Objective.of(C1, C2)
        best = best_value(table.distinct(), objective, model.K)
        assert learned.certificate.objective == best / 12
        assert learned.certificate.proved


def test_something_must_limit_the_boxes() -> None:
    table = Table.from_any({"x": [1, 2, 3]}, [0, 1, 0])
    with pytest.raises(OptionError, match="give max_patterns"):
        learn_ooa(table, C1=0, C2=0, max_patterns=None)
    assert quietly(table, C1=0, C2=0, max_patterns=1).certificate.objective == 0
