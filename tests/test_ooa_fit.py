"""OOA end to end: brute force, both proofs, starts, limits."""

from __future__ import annotations

import time
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from brute_ooa import all_literals, best_value
from fake_backends import BruteForce
from sklearn.tree import DecisionTreeClassifier
from tiny_tables import tiny_objective, tiny_table

import ooa.ooa_fit
from ooa.certificate import Scope, count
from ooa.conditions import Range
from ooa.datasets import monks, planted_dnf
from ooa.errors import InfeasibleConstraints, OOAError, OOAWarning, OptionError, RuleError
from ooa.fitting import Fit
from ooa.formulations.boxes import BoxFormulation
from ooa.objective import Objective
from ooa.ooa_fit import learn_ooa
from ooa.ooax import Learned, learn_ooax
from ooa.patterns import Pattern
from ooa.registry import available_backends, get_backend
from ooa.rows import Rows
from ooa.rules import RuleSet
from ooa.solution import PointStatus, RawResult, Solution, StartStatus, Termination
from ooa.solving import Capability
from ooa.table import Table

BACKENDS = [name for name, found in available_backends().items() if found.ok]
OTHERS = [name for name in BACKENDS if name != "highs"]
FORMS = ("compact", "paper")
both = pytest.mark.parametrize("formulation", FORMS)


def quietly(table: Table, **options: Any) -> Learned:
    """Learn, take every warning for a failure, and check what is true of any result."""
    options = {"C1": 0.005, "C2": 0.005} | options
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learned = learn_ooa(table, **options)
    proof = learned.certificate
    objective = Objective.of(options["C1"], options["C2"])
    assert proof.objective == count(learned.rules, table, objective).objective
    assert 0 <= proof.bound <= proof.objective
    assert len(learned.rules) <= (options.get("max_patterns", 5) or np.inf)
    assert proof.proof in ("decomposition", "formation", "counting")
    if proof.termination is Termination.OPTIMAL:
        assert proof.gap < 1e-5
    return learned


@pytest.fixture(scope="module")
def mixed() -> Table:
    """A noisy table that takes the MIP a second or more, and fits every licence."""
    data = planted_dnf(40, 3, 2, noise=0.1, kinds=["numeric", "categorical"], seed=3)
    return Table.from_any(data.X, data.y)


@pytest.fixture(scope="module")
def hard() -> Table:
    """A table that nobody proves anything about in a few seconds."""
    data = planted_dnf(250, 9, 4, 3, noise=0.15, seed=1)
    return Table.from_any(data.X, data.y)


@pytest.fixture
def solves(monkeypatch: pytest.MonkeyPatch) -> list[tuple[BoxFormulation, RuleSet, Fraction, Solution]]:
    """What the MIP was given in every fit: formulation, start, the start's value; and the solution."""
    seen: list[tuple[BoxFormulation, RuleSet, Fraction, Solution]] = []
    solve = Fit.solve

    def watched(self: Fit, formulation: Any, solver: Any) -> Any:
        best, value = self.best, self.upper
        found = solve(self, formulation, solver)
        if isinstance(formulation, BoxFormulation):
            assert value is not None
            seen.append((formulation, best, value, found[0]))
        return found

    monkeypatch.setattr(Fit, "solve", watched)
    return seen


# -- brute force over all patterns -----------------------------------------------------------------


def check_against_brute_force(seed: int, backend: str = "highs") -> str:
    """One table, as it comes; returns what proved the optimum."""
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
    assert (proof.scope, proof.statement) == (Scope.ALL, "all patterns")
    all_said = choice["single_category"] and not any(column.missing.any() for column in rows.columns)
    if proof.proof != "counting":
        assert proof.proof == ("decomposition" if decompose and all_said else "formation"), seed
    return proof.proof


@pytest.mark.parametrize("chunk", range(5))
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
def test_has_a_value_is_a_literal_that_mining_does_not_know(formulation: str) -> None:
    # Only "x has a value" parts the classes but for one row; no mined literal says it.
    table = Table.from_any({"x": [1, 2, 3, 4, 5, None, None]}, [1, 1, 0, 1, 1, 0, 0])
    learned = quietly(table, C1="1/100", C2="1/100", max_patterns=1, formulation=formulation)
    assert learned.rules.covers({"x": [1, 3, 5, None]})[:, 0].tolist() == [True, True, True, False]
    assert learned.certificate.proved
    assert learned.certificate.proof == "formation"
    everything = {"thresholds": "distinct", "ranges": True, "max_length": None, "max_candidates": None}
    mined = learn_ooax(table, C1="1/100", C2="1/100", max_patterns=1, **everything).certificate
    assert mined.objective > learned.certificate.objective
    assert mined.scope is not Scope.ALL


@both
def test_sets_of_categories_are_more_than_mined(formulation: str) -> None:
    table = Table.from_any({"c": list("abcd") * 3, "n": range(12)}, [1, 1, 0, 0] * 2 + [1, 0, 0, 0])
    options = {"C1": "1/6", "C2": 0, "max_patterns": 2, "formulation": formulation}
    single, several = (quietly(table, single_category=choice, **options) for choice in (True, False))
    assert (single.certificate.proof, several.certificate.proof) == ("decomposition", "formation")
    assert single.rules == RuleSet.parse("c = a -> target = 1 ELSE 0")
    assert several.rules == RuleSet.parse("c IN {a, b} -> target = 1 ELSE 0")
    assert several.certificate.proved


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
        assert learned.certificate.proof == "formation"

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

    def claims(self: Fit, formulation: Any, solver: Any) -> Any:
        calls.append(isinstance(formulation, BoxFormulation))
        value = formed if calls[-1] else mined
        stopped = Solution(Termination.TIME_LIMIT, PointStatus.NONE, None, None, None, "highs")
        if value == "2/10":
            self.upper = Fraction(value)  # as if
        return stopped, None if value is None else Fraction(value)

    assert best > Fraction(1, 10)
    monkeypatch.setattr(Fit, "solve", claims)
    monkeypatch.setattr("ooa.selecting.why_not", lambda fit, candidates: "the ILP is what is tested here")
    certificate = learn_ooa(table, C1="1/50", C2="1/50").certificate
    assert (certificate.bound, certificate.proof) == (min(Fraction(bound), certificate.objective), proof)
    assert calls == ([False] if mined == "2/10" else [False, True])


# -- starts ----------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_mip_starts_from_ooax(mixed: Table, solves: list[Any], backend: str, formulation: str) -> None:
    # A large gap, to be done soon; the limit is for slow machines alone.
    options = {"C1": 0.01, "C2": 0.01, "max_patterns": 2, "relative_gap": 0.5, "time_limit": 6}
    learned = quietly(mixed, formulation=formulation, decompose=False, backend=backend, **options)
    ((model, start, value, solution),) = solves
    assert learned.solution is solution
    assert len(start) > 0
    assert value == count(start, mixed, Objective.of(0.01, 0.01)).objective
    point = model.encode(start)
    assert model.milp.worst(point) == (0.0, "")
    # Ranges may be moved off cuts that no optimal rule set needs, which can only make them better.
    moved = count(model.decode(point), mixed, Objective.of(0.01, 0.01)).objective
    assert learned.certificate.objective <= moved <= value
    exactly = model.milp.objective(point)
    assert exactly == pytest.approx(float(moved * model.total / model.unit), rel=1e-12)
    if Capability.START in get_backend(backend).capabilities:
        assert solution.start is StartStatus.USED, solution.start_message
        first = next(moment.incumbent for moment in solution.trace if moment.incumbent is not None)
        assert first == pytest.approx(exactly, abs=1e-6)


def test_never_worse_than_ooax(monkeypatch: pytest.MonkeyPatch) -> None:

    def stopped(*args: Any) -> Any:
        return Solution(Termination.TIME_LIMIT, PointStatus.NONE, None, None, None, "highs"), None

    better = 0
    for seed in range(4):
        data = planted_dnf(30, 4, 2, noise=0.1, seed=seed)
        table = Table.from_any(data.X, data.y)
        options = {"C1": 0.02, "C2": 0.02, "max_patterns": 2}
        mined = learn_ooax(table, max_candidates=2_000, **options)
        assert mined.certificate.proved
        learned = quietly(table, **options)
        assert learned.certificate.objective <= mined.certificate.objective
        better += learned.certificate.objective < mined.certificate.objective
        # Where the MIP finds nothing itself
        with monkeypatch.context() as patched:
            patched.setattr(ooa.ooa_fit, "_form", stopped)
            started = quietly(table, decompose=False, **options)
        assert started.certificate.objective == mined.certificate.objective
    assert better > 0  # ranges, and cuts anywhere


def as_rules(tree: DecisionTreeClassifier, names: list[str]) -> RuleSet:
    """One pattern per positive leaf, the conditions on one attribute merged into a range."""
    inner = tree.tree_
    patterns = []

    def walk(node: int, sides: dict[str, tuple[float, float]]) -> None:
        if inner.children_left[node] < 0:
            if sides and inner.value[node][0].argmax() == 1:
                patterns.append(
                    Pattern(
                        Range(
                            name,
                            low=None if low == -np.inf else low,
                            high=None if high == np.inf else high,
                            low_closed=False,
                        )
                        for name, (low, high) in sides.items()
                    )
                )
            return
        name, cut = names[inner.feature[node]], float(inner.threshold[node])
        low, high = sides.get(name, (-np.inf, np.inf))
        walk(inner.children_left[node], sides | {name: (low, min(high, cut))})
        walk(inner.children_right[node], sides | {name: (max(low, cut), high)})

    walk(0, {})
    return RuleSet(patterns)


@both
def test_a_tree_is_a_start(solves: list[Any], formulation: str) -> None:
    rng = np.random.default_rng(4)
    X = rng.normal(size=(60, 3)).round(3)
    y = (X[:, 0] > 0.3) & (X[:, 1] < 0.5) ^ (rng.random(60) < 0.1)
    names = ["a", "b", "c"]
    tree = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    rules = as_rules(tree, names)
    frame = dict(zip(names, X.T))
    assert rules.covers(frame).any(axis=1).tolist() == tree.predict(X).tolist()
    table = Table.from_any(frame, y)
    options = {"C1": 0.001, "C2": 0.001, "max_patterns": len(rules), "formulation": formulation}
    untouched = quietly(table, start=rules, time_limit=0, **options)
    assert untouched.rules == RuleSet(rules, target="target", positive=True, negative=False)
    learned = quietly(table, start=rules, time_limit=10, relative_gap=0.8, decompose=False, **options)
    ((_, start, value, solution),) = solves
    assert value <= untouched.certificate.objective
    assert start == learned.rules or learned.certificate.objective < value
    assert solution.start is StartStatus.USED


@pytest.mark.parametrize(
    "text",
    [
        "x > 6.283 AND x <= 16.999",
        "x >= 7 AND x <= 16 AND c IN {a, b, elsewhere}",
        "6 < x AND x < 17 OR x > 100",
        "7 <= x AND x <= 8.5 OR 9 <= x AND x < 16.25",
        "c = a -> other = 5 ELSE 7",
    ],
)
@both
def test_any_rule_set_is_a_start(text: str, formulation: str) -> None:
    label = ["ill" if 7 <= x <= 16 else "well" for x in range(30)]
    table = Table.from_any({"x": range(30), "c": ["a", "b"] * 15}, label, positive="ill")
    start = RuleSet.parse(text)
    own = count(start, table, Objective.of(0.005, 0.005))
    options = {"max_patterns": 2, "formulation": formulation, "start": start}
    at_once = quietly(table, time_limit=0, **options)
    assert at_once.certificate.objective <= own.objective
    for decompose in (True, False):
        learned = quietly(table, decompose=decompose, **options)
        assert learned.certificate.objective == Fraction(1, 100)
        for rules in (learned.rules, at_once.rules):
            assert (rules.target, rules.positive, rules.negative) == ("target", "ill", "well")


def test_a_start_better_than_ooax_is_what_the_mip_starts_from(solves: list[Any]) -> None:
    # Two-sided ranges between any values: more than the coarse OOAx can say with one pattern.
    rng = np.random.default_rng(2)
    x = rng.permutation(60) / 7
    label = (x > 2.9) & (x < 5.1) ^ (x == 4)
    table = Table.from_any({"x": x, "z": rng.normal(size=60)}, label)
    start = RuleSet.parse("2.9 < x AND x < 5.1")
    quietly(table, start=start, max_patterns=1, decompose=False, C1=0.02, C2=0.001)
    ((_, used, _, solution),) = solves
    assert list(used) == list(start)
    assert solution.objective == pytest.approx(1 + 60 * 0.021)


@both
@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("height >= 3", {}, "'height', which the table does not have"),
        ("x >= 3 OR x <= 1 OR c = a", {}, "3 patterns where at most 2 are allowed"),
        ("c IN {a, b}", {}, "'c ∈ {a, b}' holds for several categories of 'c', where one is allowed"),
        ("c != a AND x > 2", {}, "several categories of 'c'"),
        ("x IN {1, 3}", {}, "does not select one range"),
        ("x <= 9", {}, "holds for every row"),
        ("x > 2.5", {"thresholds": {"x": [2]}}, "cuts 'x' between 2 and 3, where no cut is allowed"),
        ("z IS MISSING", {}, "missing values of 'z' have none"),
        ("c >= 3", {}, "'c'"),
    ],
)
def test_a_start_that_does_not_fit_is_refused(
    text: str, options: dict[str, Any], words: str, formulation: str
) -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("abcc"), "z": [1, 2, None, 3]}, [0, 1, 1, 0])
    for limit in (None, 0):
        with pytest.raises(RuleError, match=words) as caught:
            learn_ooa(
                table,
                start=RuleSet.parse(text),
                max_patterns=2,
                formulation=formulation,
                time_limit=limit,
                **options,
            )
        assert "\n" not in str(caught.value)


def test_what_does_not_fit_by_one_option_fits_by_another() -> None:
    table = Table.from_any({"x": [1, 2, 3, 4], "c": list("abcc"), "z": [1, 2, None, 3]}, [0, 1, 1, 0])
    quietly(table, start=RuleSet.parse("c IN {a, b}"), single_category=False)
    quietly(table, start=RuleSet.parse("z IS MISSING"), missing=True)
    quietly(table, start=RuleSet.parse("x >= 2"), thresholds={"x": [2]})


# -- limits ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "formulation"),
    [(0, "compact"), (0, "paper"), (0.1, "compact"), (0.1, "paper"), (1, "paper"), (3, "compact")],
)
def test_a_time_limit_covers_everything(hard: Table, limit: float, formulation: str) -> None:
    began = time.monotonic()
    learned = quietly(hard, time_limit=limit, formulation=formulation)
    seconds = time.monotonic() - began
    proof = learned.certificate
    assert seconds < limit + 2
    assert sum(proof.seconds.values()) == pytest.approx(seconds, abs=0.2)
    assert proof.termination is Termination.TIME_LIMIT
    assert not proof.proved
    assert 0 < proof.gap <= 1
    assert learned.rules.predict(hard.as_frame()).shape == (250,)
    if limit >= 1:
        assert len(learned.rules) > 0
    if limit == 3:
        assert "forming" in proof.seconds
        assert learned.solution is not None
        assert learned.solution.start in (StartStatus.USED, StartStatus.NOT_USED)


@pytest.mark.parametrize("limit", [0, 0.02, 0.1])
def test_bounds_are_honest_whatever_the_time(limit: float) -> None:
    for seed in range(20):
        rng = np.random.default_rng([16, seed])
        table, objective, K = tiny_table(rng), tiny_objective(rng), int(rng.integers(1, 4))
        learned = quietly(
            table,
            C1=objective.C1,
            C2=objective.C2,
            max_patterns=K,
            time_limit=limit,
            decompose=bool(seed % 2),
            formulation=FORMS[seed // 2 % 2],
        )
        proof = learned.certificate
        best = best_value(table.distinct(), objective, K) / sum(map(Fraction, table.weight.tolist()))
        assert proof.bound <= best <= proof.objective, seed


def test_no_time_leaves_the_start_or_nothing(hard: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    start = RuleSet.parse("x5 <= 24 AND x7 = c OR x0 = false AND x3 = true AND x5 >= 77")
    own = count(start, hard, Objective.of(0.005, 0.005)).objective
    empty = sum(map(Fraction, hard.positive.tolist())) / 250
    assert own < empty
    assert quietly(hard, time_limit=0).certificate.objective <= empty
    assert quietly(hard, time_limit=0, start=start).certificate.objective <= own
    # And if not even local search comes to anything
    monkeypatch.setattr("ooa.ooax.search", lambda *args: None)
    assert len(quietly(hard, time_limit=0).rules) == 0
    assert list(quietly(hard, time_limit=0, start=start).rules) == list(start)


class FindsNothing(BruteForce):
    """Is stopped before it has found anything, and forgets the start."""

    def run(self, *args: Any) -> RawResult:
        return RawResult(Termination.TIME_LIMIT, "time is up")


class Fails(BruteForce):
    """Fails whatever it is given."""

    def run(self, *args: Any) -> RawResult:
        raise ZeroDivisionError("deep inside the solver")


class CallsItOptimal(BruteForce):
    """Calls the start of any model optimal."""

    def run(self, params: Any, start: Any, monitor: Any) -> RawResult:
        return RawResult(Termination.OPTIMAL, "optimal", start, float(self.model.c @ start) + 3.0)


@both
def test_a_solver_that_finds_nothing(mixed: Table, formulation: str) -> None:
    learned = quietly(mixed, backend=FindsNothing(), formulation=formulation)
    assert len(learned.rules) > 0  # from local search
    assert learned.certificate.proof == "counting"
    assert not learned.certificate.proved
    assert learned.certificate.termination is Termination.TIME_LIMIT


@pytest.mark.parametrize("backend", [Fails(), CallsItOptimal()], ids=["fails", "lies"])
def test_a_solver_that_cannot_be_trusted(mixed: Table, backend: BruteForce) -> None:
    with pytest.warns(OOAWarning, match="its bound is not used"):
        learned = learn_ooa(mixed, backend=backend)
    assert len(learned.rules) > 0
    assert learned.certificate.proof == "counting"
    assert not learned.certificate.proved


def test_a_gap_is_enough(mixed: Table) -> None:
    proof = quietly(mixed, C1=0.01, C2=0.01, max_patterns=2, relative_gap=0.9, decompose=False).certificate
    assert proof.termination in (Termination.GAP_LIMIT, Termination.OPTIMAL)
    assert proof.gap <= 0.9 + 1e-6


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


# -- options ---------------------------------------------------------------------------------------


def over_cuts(rows: Rows, cuts: list[float]) -> Any:
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
    assert (Scope.LENGTH, "all patterns over these thresholds") in said


@pytest.mark.parametrize("thresholds", ["auto", "quantiles", "mdl", "tree"])
def test_ooax_cuts_where_the_boxes_may(thresholds: str, solves: list[Any]) -> None:
    rng = np.random.default_rng(9)
    x, z = rng.normal(size=(2, 60))
    table = Table.from_any({"x": x, "z": z}, (x > 0.1) ^ (rng.random(60) < 0.1))
    learned = quietly(table, C1=0.02, C2=0.02, max_patterns=1, thresholds=thresholds, max_thresholds=3)
    assert len(learned.rules) == 1
    assert learned.certificate.proved
    assert len(solves) == 1


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
