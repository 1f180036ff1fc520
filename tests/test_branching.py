"""The exact search: against brute force, against the ILP, and under limits."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from fake_backends import Raises

from ooa import branching, exact_search, ooax
from ooa._row_weights import RowWeights
from ooa.bitsets import pack
from ooa.branching import MOST_UNITS, Branching
from ooa.compilation import compiled
from ooa.constraints import max_uses, min_sensitivity, require_attribute
from ooa.datasets import tic_tac_toe
from ooa.errors import OOAWarning, OptionError
from ooa.ooax import learn_ooax
from ooa.registry import get_backend
from ooa.rules import RuleSet
from ooa.selecting import TECHNIQUES
from ooa.solution import Termination
from ooa.solving import SolveParams
from ooa.table import Table

pytestmark = pytest.mark.skipif(not compiled(), reason="numba is not installed")


def always(share: float) -> bool:
    assert 0 <= share <= 1
    return True


def problem(rng: np.random.Generator):
    """Random patterns, rows of several weights, prices (often none), and a size limit."""
    n, rows = int(rng.integers(1, 13)), int(rng.integers(1, 90))
    covers = rng.random((n, rows)) < rng.uniform(0.1, 0.7)
    label = rng.random(rows) < 0.5
    weight = rng.integers(1, int(rng.choice([2, 4, 40])), rows).astype(float)
    price = rng.integers(0, int(rng.choice([1, 4, 30])), n)
    return covers, np.where(label, weight, 0), np.where(label, 0, weight), price, int(rng.integers(1, 6))


def gain(covers, positive, negative, price, chosen) -> int:
    fires = covers[list(chosen)].any(axis=0)
    return int(positive[fires].sum() - negative[fires].sum() - price[list(chosen)].sum())


def best_gain(covers, positive, negative, price, slots) -> int:
    sets = (s for size in range(slots + 1) for s in combinations(range(len(price)), size))
    return max(gain(covers, positive, negative, price, chosen) for chosen in sets)


@pytest.mark.parametrize("seed", range(300))
def test_the_search_finds_and_proves_what_brute_force_finds(seed):
    rng = np.random.default_rng(seed)
    covers, positive, negative, price, slots = problem(rng)
    best = best_gain(covers, positive, negative, price, slots)
    search = Branching(pack(covers), positive, negative, price, slots)
    if seed % 2:
        search.thin_out(always)
    assert search.run(0, 0, always)
    assert search.best == best
    assert gain(covers, positive, negative, price, search.choice) == best
    assert len(search.choice) <= slots
    # What is excluded is excluded rightly, and nothing that exceeds the target is missed.
    target = int(rng.integers(0, best + 3))
    assert search.run(target, target, always)
    assert search.best == max(best, target)
    assert bool(search.choice) == (best > target)


def test_a_target_above_the_best_known_excludes_only_what_exceeds_it():
    rng = np.random.default_rng(5)
    for _ in range(50):
        covers, positive, negative, price, slots = problem(rng)
        best = best_gain(covers, positive, negative, price, slots)
        search = Branching(pack(covers), positive, negative, price, slots)
        assert search.run(best + 2, 0, always)
        assert search.best <= best
        if search.choice:
            assert gain(covers, positive, negative, price, search.choice) == search.best


def test_many_patterns_with_much_overlap():
    """Enough patterns for the multipliers to be at work; the reference is the search without thinning out."""
    rng = np.random.default_rng(2)
    for _ in range(5):
        rows = 120
        label = rng.random(rows) < 0.5
        centre = rng.random((300, 3))
        points = rng.random((rows, 3))
        covers = (np.abs(points[None] - centre[:, None]) < rng.uniform(0.2, 0.6, (300, 1, 1))).all(axis=2)
        positive, negative = label.astype(float), (~label).astype(float)
        price = rng.integers(1, 4, 300)
        plain = Branching(pack(covers), positive, negative, price, 3)
        assert plain.run(0, 0, always)
        pairs = best_gain(covers[:40], positive, negative, price[:40], 3)
        few = Branching(pack(covers[:40]), positive, negative, price[:40], 3)
        assert few.run(0, 0, always)
        assert few.best == pairs
        thin = Branching(pack(covers), positive, negative, price, 3)
        thin.thin_out(always)
        assert len(thin) < 300
        assert thin.run(0, 0, always)
        assert thin.best == plain.best == gain(covers, positive, negative, price, thin.choice)


def test_a_search_that_is_told_to_stop_has_proved_nothing():
    covers, positive, negative, price, slots = problem(np.random.default_rng(1))
    search = Branching(pack(covers), positive, negative, price, slots)
    search.thin_out(lambda share: False)
    assert len(search) == len(price)
    assert not search.run(0, 0, lambda share: False)


# -- within a fit ----------------------------------------------------------------------------------


def noisy(rng: np.random.Generator, rows: int) -> Table:
    frame = {
        "a": rng.integers(0, 6, rows),
        "b": rng.integers(0, 5, rows),
        "c": rng.choice(list("uvw"), rows),
        "d": rng.choice(["no", "yes"], rows),
    }
    label = ((frame["a"] >= 3) & (frame["c"] == "u")) | (frame["b"] <= 1)
    label ^= rng.random(rows) < 0.2
    label[:2] = False, True
    weight = rng.integers(1, 4, rows) if rng.random() < 0.5 else None
    return Table.from_any(frame, label, sample_weight=weight)


@pytest.mark.parametrize("seed", range(12))
def test_search_and_ilp_prove_the_same(seed):
    rng = np.random.default_rng(seed)
    table = noisy(rng, int(rng.integers(20, 80)))
    C1, C2 = [(0.01, 0.01), ("1/100", 0), (0, "1/50"), (0.004, 0.03)][seed % 4]
    options = {
        "C1": C1,
        "C2": C2,
        "max_patterns": int(rng.integers(1, 5)),
        "max_length": 2,
        "progress": False,
    }
    searched = learn_ooax(table, selection="search", **options).certificate
    solved = learn_ooax(table, selection="ilp", max_candidates=None, **options).certificate
    assert searched.proved
    assert solved.proved
    assert searched.objective == solved.objective
    assert searched.scope is solved.scope
    assert searched.statement == solved.statement
    assert searched.proof in ("search", "counting")
    assert searched.backend == ""


def test_without_prices_and_with_a_size_limit():
    table = noisy(np.random.default_rng(3), 60)
    options = {"C1": 0, "C2": 0, "max_patterns": 2, "max_length": 2, "progress": False}
    searched = learn_ooax(table, selection="search", **options).certificate
    solved = learn_ooax(table, selection="ilp", max_candidates=None, **options).certificate
    assert searched.proved
    assert searched.objective == solved.objective


def test_the_search_takes_all_candidates_where_the_ilp_takes_the_best_by_score():
    table = noisy(np.random.default_rng(4), 80)
    options = {"C1": 0.002, "C2": 0.002, "max_candidates": 20, "progress": False}
    searched = learn_ooax(table, selection="search", **options)
    solved = learn_ooax(table, selection="ilp", **options)
    assert searched.certificate.statement.startswith("all patterns up to length 3")
    assert solved.certificate.statement.endswith("screened candidates")
    assert searched.certificate.objective <= solved.certificate.objective


def test_five_patterns_on_tic_tac_toe():
    """The ILP's bound is still half the objective after minutes here."""
    data = tic_tac_toe()
    found = learn_ooax(Table.from_any(data.X, data.y), C1=0.01, C2=0.01, max_patterns=5, progress=False)
    assert found.certificate.proved
    assert found.certificate.proof == "search"
    assert found.certificate.patterns == 5
    assert round(float(found.certificate.objective), 4) == 0.2760


def test_a_relative_gap_ends_the_search_with_an_honest_bound():
    table = noisy(np.random.default_rng(6), 80)
    options = {"C1": 0.003, "C2": 0.003, "selection": "search", "progress": False}
    exact = learn_ooax(table, **options).certificate
    rough = learn_ooax(table, relative_gap=0.3, **options).certificate
    assert rough.bound <= exact.objective <= rough.objective
    assert rough.gap <= 0.3
    assert rough.proved or rough.termination is Termination.GAP_LIMIT


def test_no_time_is_no_proof():
    table = noisy(np.random.default_rng(7), 80)
    found = learn_ooax(table, C1=0.001, C2=0.001, time_limit=1e-6, selection="search", progress=False)
    assert not found.certificate.proved
    assert found.certificate.termination is Termination.TIME_LIMIT


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"selection": "guess"}, "selection must be"),
        ({"selection": "search", "form": "aggregated"}, "form='aggregated' is about the ILP"),
        ({"selection": "search", "constraints": [min_sensitivity(0.5)]}, "constraints are left to the ILP"),
        ({"selection": "search", "max_patterns": None, "C1": 0, "C2": 0}, "more than 200 patterns"),
    ],
)
def test_what_the_search_cannot_do_is_said(options, words):
    table = noisy(np.random.default_rng(8), 40)
    with pytest.raises(OptionError, match=words):
        learn_ooax(table, **{"C1": 0.01, "C2": 0.01, "progress": False} | options)


def test_weights_without_a_common_measure_go_to_the_ilp():
    rng = np.random.default_rng(9)
    data = {"x": rng.integers(0, 9, 40), "y": rng.integers(0, 9, 40)}
    table = Table.from_any(data, rng.random(40) < 0.5, sample_weight=rng.uniform(0.1, 1, 40))
    with pytest.raises(OptionError, match="no common measure"):
        learn_ooax(table, selection="search", progress=False)
    assert learn_ooax(table, max_patterns=2, max_length=1, progress=False).certificate.settled


@pytest.mark.parametrize("technique", [*TECHNIQUES])
def test_no_technique_changes_the_optimum(technique):
    table = noisy(np.random.default_rng(10), 70)
    options = {"C1": 0.005, "C2": 0.005, "max_length": 2, "selection": "search", "progress": False}
    whole = learn_ooax(table, **options).certificate
    less = learn_ooax(table, without=[technique], **options).certificate
    assert whole.proved
    assert less.proved
    assert less.objective == whole.objective


def test_an_unknown_technique_is_named():
    with pytest.raises(OptionError, match=r"without must name some of incumbent, .*, not 'luck'"):
        learn_ooax(noisy(np.random.default_rng(10), 30), without="luck", progress=False)


def test_the_search_proves_what_a_solver_that_fails_cannot():
    """Few candidates, so that the solver has the first turn."""
    table = noisy(np.random.default_rng(11), 30)
    options = {"C1": 0.03, "C2": 0.03, "max_length": 2, "progress": False}
    with pytest.warns(OOAWarning, match="ended with error"):
        found = learn_ooax(table, backend=Raises(), **options).certificate
    assert found.proved
    assert found.proof == "search"
    assert found.objective == learn_ooax(table, selection="ilp", **options).certificate.objective


def test_without_numba_the_solver_does_it_all(monkeypatch):
    table = noisy(np.random.default_rng(12), 40)
    monkeypatch.setattr("ooa.exact_search.compiled", lambda: False)
    options = {"C1": 0.02, "C2": 0.02, "max_length": 2, "progress": False}
    assert learn_ooax(table, **options).certificate.proof == "selection"
    with pytest.raises(OptionError, match=r"numba is not installed \(pip install 'ooa\[fast\]'\)"):
        learn_ooax(table, selection="search", **options)
    stopped = learn_ooax(table, time_limit=1e-6, **options).certificate
    assert not stopped.proved


@pytest.mark.parametrize("seed", range(6))
def test_beside_constraints_the_search_gives_the_bound_without_them(seed, monkeypatch):
    table = noisy(np.random.default_rng(20 + seed), 60)
    options = {"C1": 0.01, "C2": 0.01, "max_length": 2, "progress": False}
    free = learn_ooax(table, **options).certificate
    bound = [min_sensitivity(0.95), max_uses("b", 0), max_uses("d", 1)][seed % 3]
    exact = learn_ooax(table, constraints=[bound], **options).certificate
    assert exact.proved
    monkeypatch.setattr("ooa.selecting._solve", lambda *args: None)  # the solver gets nowhere
    alone = learn_ooax(table, constraints=[bound], **options).certificate
    assert alone.feasible
    assert alone.proof == "search"
    assert alone.bound == free.objective <= exact.objective <= alone.objective
    assert alone.proved == (alone.objective == free.objective)


@pytest.mark.parametrize("seed", range(20))
def test_lists_long_enough_for_multipliers_and_replacements(seed):
    """Boxes around points, alike as patterns over thresholds are; all triples are counted at once."""
    rng = np.random.default_rng(100 + seed)
    n, rows = 45, int(rng.integers(60, 200))
    centre, points = rng.random((n, 2)), rng.random((rows, 2))
    covers = (np.abs(points[None] - centre[:, None]) < rng.uniform(0.1, 0.4, (n, 1, 2))).all(axis=2)
    label = (points[:, 0] > 0.5) ^ (rng.random(rows) < 0.3)
    weight = rng.integers(1, 4, rows)
    price = rng.integers(0, 8, n)
    signed = np.where(label, weight, -weight)
    three = np.array(list(combinations(range(n), 3)))
    gains = (covers[three].any(axis=1) * signed).sum(axis=1) - price[three].sum(axis=1)
    best = max(int(gains.max()), best_gain(covers, label * weight, ~label * weight, price, 2))
    search = Branching(
        pack(covers), (label * weight).astype(float), (~label * weight).astype(float), price, slots=3
    )
    if seed % 2:
        search.thin_out(always)
    assert search.run(0, 0, always)
    assert search.best == best


def boxes(seed: int, n: int, rows: int):
    """Rows of noisy labels in the unit square, and boxes as patterns: coverage, labels and prices."""
    rng = np.random.default_rng(seed)
    centre, points = rng.random((n, 2)), rng.random((rows, 2))
    covers = (np.abs(points[None] - centre[:, None]) < rng.uniform(0.1, 0.4, (n, 1, 2))).all(axis=2)
    label = (points[:, 0] > 0.5) ^ (rng.random(rows) < 0.25)
    return covers, label, rng.integers(1, 9, n)


def multiplied_bound(covers, label, price, slots, needed, pairs=None):
    """Which patterns the multipliers leave, and their bound, with nothing chosen yet."""
    from ooa._branch_multipliers import multiplied
    from ooa._branch_pairs import Pairs, pairs_of

    right, wrong = (RowWeights(rows.astype(float), pack(covers)) for rows in (label, ~label))
    words = right.rows.shape[1]
    none = np.zeros(0, dtype=np.int64)
    pairs = pairs or (none, none, np.zeros(0), np.zeros(64 * wrong.rows.shape[1], dtype=np.int64))
    name = np.arange(len(price))
    y, table = np.full(64 * words, 0.5), np.zeros((8 * words, 256))
    size, bound = multiplied(
        name,
        covers[:, label].sum(axis=1),
        covers[:, ~label].sum(axis=1),
        price.copy(),
        len(price),
        slots,
        needed,
        right.rows,
        right.word_factors.astype(np.int64),
        np.zeros(words, dtype=np.uint64),
        wrong.rows,
        np.zeros(wrong.rows.shape[1], dtype=np.uint64),
        Pairs(*pairs, *pairs_of(right.rows, wrong.rows, *pairs[:2])),
        y,
        table,
    )
    return set(name[:size].tolist()), int(bound)


@pytest.mark.parametrize("seed", range(12))
def test_multipliers_keep_every_pattern_of_every_good_choice(seed):
    covers, label, price = boxes(seed, 24, 90)
    signed = np.where(label, 1, -1)
    sets = [one for size in (1, 2, 3) for one in combinations(range(24), size)]
    gains = [int(signed[covers[list(one)].any(axis=0)].sum() - price[list(one)].sum()) for one in sets]
    for needed in (max(gains) + 1, max(gains), max(gains) - 1, max(gains) - 4, 0):
        kept, bound = multiplied_bound(covers, label, price, 3, needed)
        assert bound >= max(needed, max(gains))
        for one, worth in zip(sets, gains, strict=True):
            assert worth <= needed or kept.issuperset(one)


def relaxed(covers, label, price, slots) -> float:
    """The bound with the best multipliers there are: for each worst member, the relaxation of the rest."""
    from scipy.optimize import linprog

    negatives, best = covers[:, ~label].sum(axis=1), 0.0
    for most in np.unique(negatives):
        such = negatives <= most
        rows = covers[such][:, label].T.astype(float)
        shares = np.hstack([np.eye(len(rows)), -rows])  # a positive counts as far as patterns cover it
        number = np.concatenate([np.zeros(len(rows)), np.ones(such.sum())])
        cost = np.concatenate([-np.ones(len(rows)), price[such]])
        limits = np.concatenate([np.zeros(len(rows)), [slots]])
        found = linprog(cost, A_ub=np.vstack([shares, number]), b_ub=limits, bounds=(0, 1))
        best = max(best, -found.fun - most)
    return best


@pytest.mark.parametrize("seed", range(4))
def test_multipliers_come_close_to_the_best_there_are(seed):
    covers, label, price = boxes(50 + seed, 150, 120)
    ideal = relaxed(covers, label, price, 4)
    _, bound = multiplied_bound(covers, label, price, 4, needed=0)
    plain = int(np.sort(covers[:, label].sum(axis=1) - price)[-4:].sum())  # each row once per pattern
    assert bound <= 1.15 * ideal + 1 < plain


def test_what_was_compiled_from_other_sources_is_not_used(tmp_path):
    from ooa._compiling import _folder

    source = tmp_path / "_kernel.py"
    source.write_text("a = 1")
    first = _folder(tmp_path)
    first.mkdir(parents=True)
    (first / "code").touch()
    assert _folder(tmp_path) == first
    source.write_text("a = 2")
    second = _folder(tmp_path)
    assert second != first
    assert not first.exists()


@pytest.mark.parametrize("start", ["b <= 2", None])
def test_the_empty_set_counts_beside_constraints_that_exclude_it(start):
    """No pattern pays here, so that a required one makes the best rule set worse than the empty one."""
    rng = np.random.default_rng(3)
    data = {"a": rng.integers(0, 9, 40), "b": rng.integers(0, 9, 40)}
    table = Table.from_any(data, [1] * 6 + [0] * 34)
    options = {"C1": "1/10", "C2": "1/10", "constraints": [require_attribute("b")], "progress": False}
    exact = learn_ooax(table, **options).certificate
    assert exact.proved
    assert exact.objective > Fraction(6, 40)
    with pytest.warns(OOAWarning):
        found = learn_ooax(
            table, backend=Raises(), start=start and RuleSet.parse(start), **options
        ).certificate
    assert found.bound <= Fraction(6, 40)
    assert not found.proved


def test_ctrl_c_keeps_the_gaps_that_are_proved(monkeypatch):
    table = noisy(np.random.default_rng(21), 60)
    for attempt in ("FIRST_SECONDS", "EARLY_SECONDS", "ROUGH_SECONDS", "ATTEMPT_SECONDS"):
        monkeypatch.setattr(f"ooa.exact_search.{attempt}", 0.0)
    original, calls = Branching.run, []

    def run(self, target, known, go_on):
        calls.append(target)
        if len(calls) == 6:
            raise KeyboardInterrupt
        return original(self, target, known, go_on)

    monkeypatch.setattr(Branching, "run", run)
    options = {"C1": 0.01, "C2": 0.01, "max_length": 2, "max_patterns": 3, "selection": "search"}
    found = learn_ooax(table, progress=False, without=["separation"], **options).certificate
    assert found.termination is Termination.INTERRUPTED
    assert found.proof == "search"
    assert 0 < found.bound < found.objective


def test_weights_whose_sums_would_round_are_refused():
    covers = np.ones((2, 4096), dtype=bool)
    with pytest.raises(ValueError, match="too large"):
        Branching(pack(covers), np.full(4096, 2.0**25), np.zeros(4096), np.ones(2, int), 2)


def test_a_tight_case_with_the_largest_weights_allowed():
    """Four patterns that part the rows among them: no bound may fall a unit short of them."""
    part, rng = 256, np.random.default_rng(0)
    rows = 4 * part
    covers = np.zeros((74, rows), dtype=bool)
    for k in range(4):
        covers[k, k * part : (k + 1) * part] = True
    for k in range(4, 74):
        covers[k, part + rng.choice(3 * part, part, replace=False)] = True
    price = np.ones(74, dtype=np.int64)
    price[0] = 0
    for weight in rng.integers(MOST_UNITS // rows**2 // 2, MOST_UNITS // rows**2, 8).tolist():
        best = rows * weight - 3
        search = Branching(pack(covers), np.full(rows, float(weight)), np.zeros(rows), price, 4)
        assert search.run(best - 1, best - 1, always)
        assert search.best == best


def test_a_first_use_under_a_short_limit_does_not_compile(monkeypatch):
    table = noisy(np.random.default_rng(13), 40)
    monkeypatch.setattr("ooa.exact_search.ready", lambda: False)
    found = learn_ooax(table, C1=0.02, C2=0.02, max_length=2, time_limit=20, progress=False).certificate
    assert found.proof == "selection"
    assert "not compiled yet" in found.message


def test_compiled_functions_survive_a_place_that_cannot_be_written(tmp_path):
    script = "from ooa._popcount import popcount; import numpy as np; print(popcount(np.uint64(255)))"
    copy = tmp_path / "ooa"
    copy.mkdir()
    for name in ("__init__", "_compiling", "_popcount"):
        (copy / f"{name}.py").write_text((Path(branching.__file__).parent / f"{name}.py").read_text())
    (copy / "__pycache__").touch()  # where the cache would go
    nowhere = {"HOME": "/proc/nowhere", "XDG_CACHE_HOME": "/proc/nowhere", "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), **nowhere},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.strip() == "8", done.stderr


def test_a_glance_gives_the_search_something_to_beat(monkeypatch):
    table = noisy(np.random.default_rng(12), 60)
    options = {"C1": 0.01, "C2": 0.01, "max_length": 2, "max_patterns": 3, "progress": False}
    without = learn_ooax(table, selection="search", **options)
    monkeypatch.setattr(ooax, "GLANCE", 0)
    at_first = []

    def run(self, target, known, go_on):
        at_first.append(known)
        return original(self, target, known, go_on)

    original = Branching.run
    monkeypatch.setattr(Branching, "run", run)
    found = learn_ooax(table, selection="search", **options)
    assert at_first[0] > 0
    assert found.certificate.proved
    assert found.certificate.objective == without.certificate.objective


@pytest.mark.parametrize("seed", range(20))
def test_merging_classes_keeps_the_largest(seed):
    from ooa._branch_bounds import BUCKETS, cumulate

    rng = np.random.default_rng(seed)
    top = -np.sort(-rng.integers(0, 50, (BUCKETS, int(rng.integers(1, 9)))), axis=1)
    expected = [sorted(top[: b + 1].ravel().tolist())[::-1][: top.shape[1]] for b in range(BUCKETS)]
    cumulate(top)
    assert top.tolist() == expected


@pytest.mark.parametrize("seed", range(30))
def test_dominance_drops_exactly_what_another_can_stand_in_for(seed):
    rng = np.random.default_rng(seed)
    n, rows = int(rng.integers(2, 60)), int(rng.integers(4, 90))
    covers = rng.random((n, rows)) < rng.choice([0.1, 0.5, 0.9])
    label, weight = rng.random(rows) < rng.choice([0.0, 0.4, 1.0]), rng.integers(1, 4, rows).astype(float)
    price = rng.integers(0, int(rng.choice([2, 30])), n)
    search = Branching(pack(covers), weight * label, weight * ~label, price, slots=3)
    search.thin_out(always)

    def outdone(z, by):
        lost = weight[label & covers[z] & ~covers[by]].sum()
        caused = weight[~label & covers[by] & ~covers[z]].sum()
        return lost + caused + price[by] <= price[z]

    kept = set(search.names.tolist())
    for z in range(n):
        rivals = [by for by in range(n) if by != z and outdone(z, by)]
        if z not in kept:
            assert any(by in kept for by in rivals)
        else:  # of two that can stand in for each other one stays
            assert all(by not in kept for by in rivals)


def test_gaps_come_down_to_the_one_wanted():
    """Whatever each of them takes, and however much time there is."""
    from ooa.exact_search import next_gap

    rng = np.random.default_rng(0)
    for wanted in (0.0, 0.02, 0.7):
        for _ in range(200):
            gap, spent, left = math.inf, 0.0, float(rng.choice([1.0, 60.0, 300.0]))
            for _ in range(100):
                before, gap = gap, next_gap(gap, spent, wanted, rng.choice([None, left]))
                assert wanted <= gap < before
                spent = float(rng.choice([0.0, 0.1, 1.0, 10.0]))
                if gap == wanted:
                    break
            assert gap == wanted


def test_more_than_twenty_patterns_are_searched_too():
    rng = np.random.default_rng(11)
    rows = 120
    covers = np.zeros((40, rows), dtype=bool)
    for k in range(40):
        covers[k, 3 * k : 3 * k + 3] = True
    label = rng.random(rows) < 0.8
    search = Branching(pack(covers), label.astype(float), 1.0 - label, np.ones(40, dtype=np.int64), slots=40)
    gain = covers[:, label].sum(axis=1) - covers[:, ~label].sum(axis=1) - 1
    best = gain[gain > 0].sum()
    # By their worst member alone sets of disjoint patterns are bounded badly; a linear program settles them.
    assert search.tell_apart(0, get_backend("highs"), SolveParams(), None) == best
    assert search.run(best - 1, best - 1, always)
    assert search.best == best
    assert len(search.choice) > 20


def test_a_search_that_runs_out_of_time_without_any_bound_ends(monkeypatch):
    for seconds in ("FIRST_SECONDS", "EARLY_SECONDS", "ROUGH_SECONDS", "ATTEMPT_SECONDS"):
        monkeypatch.setattr(exact_search, seconds, 0.0)
    rng = np.random.default_rng(0)
    columns = {f"x{i}": rng.integers(0, 10, 300) for i in range(6)}
    table = Table.from_any(columns, columns["x0"] >= 5)  # an L of 0 is known at once: no gap is below it
    found = learn_ooax(
        table,
        C1=0,
        C2=0,
        max_patterns=5,
        selection="search",
        time_limit=0.5,
        without=["separation"],
        progress=False,
    )
    assert found.certificate.objective == 0


def test_a_gap_that_is_reached_exactly_is_the_gap_asked_for():
    x = np.tile(np.repeat([0, 1], 5), 3)
    y = x.astype(bool)
    y[:2] ^= True
    table = Table.from_any({"x": x, "z": np.arange(30) % 3}, y)
    options = {"C1": 0, "C2": 0.02, "max_patterns": 1, "selection": "search", "without": ["incumbent"]}
    found = learn_ooax(table, relative_gap=1.0, progress=False, **options).certificate
    assert found.termination in (Termination.GAP_LIMIT, Termination.OPTIMAL)
