"""The options of OOA: thresholds, missing values, weights, seeds, the log; wrong ones and odd tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support import ooa_checking
from support.brute_ooa import all_literals, best_value
from support.ooa_checking import FORMS, both, quietly

from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import OOAError
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Scope
from ooa.learning.ooa import learn_ooa
from ooa.objective import Objective
from ooa.rules.literal import Range
from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
mixed, solves = ooa_checking.mixed, ooa_checking.solves


def over_cuts(rows: WeightedRows, cuts: list[float]) -> Any:
    """The literals whose ranges begin and end at the cuts."""
    return [
        [
            (literal, bits)
            for literal, bits in own
            if not isinstance(literal, Range) or _on_cuts(literal, column.values, cuts)
        ]
        for own, column in zip(all_literals(rows), rows.columns)
    ]


def _on_cuts(literal: Range, values: np.ndarray, cuts: list[float]) -> bool:
    values = np.unique(values)

    def parted(below: np.ndarray, above: np.ndarray) -> bool:
        return not len(below) or not len(above) or any(below.max() < cut <= above.min() for cut in cuts)

    return parted(values[values < literal.low], values[values >= literal.low]) and parted(
        values[values <= literal.high], values[values > literal.high]
    )


def test_coarse_thresholds_are_kept_to_and_said() -> None:
    said = set()
    for seed in range(16):
        rng = np.random.default_rng([17, seed])
        n = int(rng.integers(5, 9))
        columns = {"x": rng.integers(0, 9, n), "z": rng.integers(0, 9, n), "c": rng.choice(["a", "b"], n)}
        y = rng.random(n) < 0.5
        y[:2] = False, True
        table = Table.from_any(columns, y)
        cuts = sorted(rng.choice(9, 2, replace=False) + 0.5)
        learned = quietly(
            table,
            C1="1/40",
            C2="1/40",
            max_patterns=2,
            thresholds={"x": cuts, "z": cuts},
            decompose=bool(seed % 2),
            formulation=FORMS[seed // 2 % 2],
        )
        proof = learned.certificate
        rows = table.distinct()
        best = best_value(rows, Objective.of("1/40", "1/40"), 2, literals=over_cuts(rows, cuts))
        assert proof.objective * n == best, seed
        assert proof.proved
        for pattern in learned.rules:
            for literal in pattern:
                if isinstance(literal, Range):
                    assert {literal.low, literal.high} <= {None, *cuts}
        said.add((proof.scope, proof.statement))
        assert (proof.scope is Scope.ALL) == (proof.proof == "counting")
    assert any(s is Scope.LENGTH and "over these thresholds" in words for s, words in said)


@pytest.mark.parametrize("thresholds", ["auto", "quantiles", "mdl", "tree", "round"])
def test_ooax_cuts_where_the_boxes_may(thresholds: str, solves: list[Any]) -> None:
    rng = np.random.default_rng(9)
    x, z = rng.normal(size=(2, 60))
    table = Table.from_any({"x": x, "z": z}, (x > 0.1) ^ (rng.random(60) < 0.1))
    for decompose, calls in ((True, 0 if compiled() else 1), (False, 1)):  # by boxes, or by the MIP
        solves.clear()
        options = {"thresholds": thresholds, "max_thresholds": 3, "decompose": decompose}
        learned = quietly(table, C1=0.02, C2=0.02, max_patterns=1, **options)
        assert len(learned.rules) == 1
        assert learned.certificate.proved
        assert len(solves) == calls


def test_missing_values_can_be_asked_for() -> None:
    table = Table.from_any({"x": [1, 2, None, None, 2, 1, None]}, [0, 0, 1, 1, 0, 1, 0])
    plain, asked = (quietly(table, C1="1/50", C2="1/50", missing=choice) for choice in (False, True))
    assert asked.rules == RuleSet.parse("x IS MISSING -> target = 1 ELSE 0")
    assert plain.certificate.objective > asked.certificate.objective
    assert plain.certificate.proved
    assert asked.certificate.proved


@both
def test_weights_are_repeated_rows(formulation: str) -> None:
    rng = np.random.default_rng(6)
    columns = {"a": rng.integers(0, 4, 14), "b": rng.choice(["p", "q", "r"], 14)}
    label = rng.random(14) < 0.5
    times = rng.integers(1, 4, 14)
    weighted = Table.from_any(columns, label, sample_weight=times)
    repeated = Table.from_any(
        {name: np.repeat(values, times) for name, values in columns.items()}, np.repeat(label, times)
    )
    options = {"C1": "1/50", "C2": "1/50", "max_patterns": 2, "formulation": formulation}
    for decompose in (True, False):
        one, other = (quietly(t, decompose=decompose, **options) for t in (weighted, repeated))
        assert one.certificate.proved
        for field in ("errors", "total", "objective", "bound", "proof"):
            assert getattr(one.certificate, field) == getattr(other.certificate, field)


@pytest.mark.parametrize("scale", [1 / 3, 1e-9, 1e12])
def test_weights_of_any_size(scale: float) -> None:
    rng = np.random.default_rng(7)
    columns = {"a": rng.integers(0, 4, 20), "b": rng.choice(["p", "q", "r"], 20)}
    weight = rng.random(20) * scale
    table = Table.from_any(columns, rng.random(20) < 0.5, sample_weight=weight)
    proofs = [
        quietly(table, C1=0.02, C2=0.02, max_patterns=2, decompose=choice).certificate
        for choice in (True, False)
    ]
    assert proofs[0].objective == proofs[1].objective
    assert all(proof.gap < 1e-5 for proof in proofs)


@both
@pytest.mark.parametrize("decompose", [True, False])
def test_the_same_seed_gives_the_same(mixed: Table, formulation: str, decompose: bool) -> None:
    options = {"C1": 0.05, "C2": 0.05, "max_patterns": 1, "formulation": formulation, "seed": 5}
    one, other = (quietly(mixed, decompose=decompose, **options) for _ in range(2))
    assert one.rules == other.rules
    assert one.certificate.proved
    for field in ("objective", "bound", "proof", "statement", "termination", "counts"):
        assert getattr(one.certificate, field) == getattr(other.certificate, field)


@pytest.mark.parametrize(
    ("columns", "label", "weight"),
    [
        ({"x": [1, 1, 1]}, [0, 1, 1], None),  # a constant column: no literal at all
        ({"x": [1, 2]}, [0, 1], [0, 1]),  # the negatives weigh nothing
        ({"x": [1, 2]}, [0, 1], [1, 0]),  # the positives weigh nothing
        ({"x": [1, 1]}, [0, 1], None),  # one distinct row with both labels
        ({"x": [1.0, None, 3.0, None], "y": ["a", None, "b", "a"]}, [0, 1, 1, 0], None),
    ],
)
@pytest.mark.parametrize("C", [0, 0.1, 1e30])
@both
def test_degenerate_tables(columns: Any, label: Any, weight: Any, C: Any, formulation: str) -> None:
    table = Table.from_any(columns, label, sample_weight=weight)
    for decompose in (True, False):
        learned = quietly(
            table, C1=C, C2=C, max_patterns=2, decompose=decompose, formulation=formulation
        ).certificate
        assert learned.proved


@pytest.mark.parametrize(
    "options",
    [
        {"C1": -0.1},
        {"C2": float("nan")},
        {"max_patterns": 0},
        {"max_patterns": 1.5},
        {"formulation": "dense"},
        {"thresholds": "somewhere"},
        {"thresholds": {"height": [1]}},
        {"max_thresholds": 0},
        {"time_limit": -1},
        {"backend": "hihgs"},
        {"options": {"no_such_option": 1}},
        {"constraints": [3]},
    ],
)
def test_a_wrong_option_is_named(options: dict[str, Any]) -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("abab")}, [0, 1, 0, 1])
    with pytest.raises(OOAError) as caught:
        learn_ooa(table, **({"thresholds": "auto"} if "max_thresholds" in options else {}), **options)
    said = str(caught.value)
    assert "\n" not in said
    assert next(iter(options)).rstrip("s") in said or "options" in options


def test_the_live_line_and_the_log(mixed: Table, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    quietly(mixed, C1=0.03, C2=0.03, max_patterns=1, decompose=False, log=lines.append)
    assert any("HiGHS" in line for line in lines)
    assert capsys.readouterr() == ("", "")
