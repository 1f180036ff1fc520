"""Efficient sets and VC dimensions against brute force, on every backend; generalisation bounds by hand."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from ooa.clock import WorkClock
from ooa.data.table import Table
from ooa.datasets import monks
from ooa.errors import LicenseLimit, OOAWarning, OptionError, RuleError
from ooa.learning.ooax import learn_ooax
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import available_backends, get_backend
from ooa.theory import capacity
from ooa.theory.capacity import maximum_efficient_set, rule_sets, vc_dimension
from ooa.theory.circuits import short_circuits
from ooa.theory.efficient_sets import EfficientFormulation, useful_pairs
from ooa.theory.generalisation import generalisation_statement

BACKENDS = [name for name, found in available_backends().items() if found.ok]


def columns(covers):
    """Data and patterns with a given coverage: pattern k holds where column k is 1."""
    data = {f"p{k}": column.astype(int) for k, column in enumerate(covers.T)}
    return [Pattern.parse(f"p{k} = 1") for k in range(covers.shape[1])], data


def largest_efficient(covers):
    """The size of a maximum efficient set, by trying all sets of patterns."""
    n_patterns = covers.shape[1]
    for size in range(min(covers.shape), 0, -1):
        for chosen in itertools.combinations(range(n_patterns), size):
            once = covers[:, chosen][covers[:, chosen].sum(axis=1) == 1]
            if once.any(axis=0).all():
                return size
    return 0


def shattered(covers, most):
    """The VC dimension of unions of at most `most` columns over the rows, by definition."""
    n_rows, n_patterns = covers.shape
    unions = {
        covers[:, chosen].any(axis=1).tobytes()
        for size in range(min(most, n_patterns) + 1)
        for chosen in itertools.combinations(range(n_patterns), size)
    }
    labels = np.array([np.frombuffer(union, dtype=bool) for union in unions])
    for size in range(n_rows, 0, -1):
        for points in itertools.combinations(range(n_rows), size):
            if len(np.unique(labels[:, points], axis=0)) == 2**size:
                return size
    return 0


def random_coverage(seed, most_rows=8, most_patterns=7):
    rng = np.random.default_rng(seed)
    shape = rng.integers(1, most_rows), rng.integers(1, most_patterns)
    return rng.random(shape) < rng.choice([0.2, 0.5, 0.8])


def check(found, covers):
    """The members and witnesses form an identity matrix."""
    members = [int(str(pattern).split()[0][1:]) for pattern in found.members]
    assert np.array_equal(covers[np.ix_(found.witnesses, members)], np.eye(found.size, dtype=bool))
    assert found.size <= found.upper


# -- efficient sets ------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_maximum_efficient_sets_are_those_of_brute_force(backend, monkeypatch):
    # Without the greedy search and the rank the solver has to find and prove everything itself.
    monkeypatch.setattr(capacity, "_greedy", lambda *_: np.zeros(0, dtype=int))
    monkeypatch.setattr(capacity, "_rank", lambda covers: min(covers.shape))
    for seed in range(12):
        covers = random_coverage(seed)
        found = maximum_efficient_set(*columns(covers), backend=backend)
        check(found, covers)
        assert found.proved
        assert found.size == largest_efficient(covers)


@pytest.mark.parametrize("seed", range(40))
def test_bounds_and_greedy_search_agree_with_brute_force(seed):
    covers = random_coverage(seed)
    largest = largest_efficient(covers)
    without_time = maximum_efficient_set(*columns(covers), time_limit=0)
    check(without_time, covers)
    assert without_time.size <= largest <= without_time.upper
    assert maximum_efficient_set(*columns(covers)).size == largest
    # Theorem 4
    assert shattered(covers, covers.shape[1]) == largest


def test_the_time_is_over_when_the_clock_says_so(monkeypatch):
    tried, grown = [], capacity._grown
    monkeypatch.setattr(capacity, "_grown", lambda *args: tried.append(1) or grown(*args))
    covers = np.random.default_rng(1).random((30, 20)) < 0.4
    found = maximum_efficient_set(*columns(covers), time_limit=3, clock=WorkClock())
    check(found, covers)
    assert len(tried) == 3  # the first in any case, then one for each look at the clock that is in time
    assert not found.proved


@pytest.mark.parametrize("seed", range(30))
def test_useful_pairs_keep_a_maximum(seed):
    covers = random_coverage(seed)
    covers = np.unique(np.unique(covers, axis=0), axis=1)
    useful = useful_pairs(covers)
    assert (useful <= covers).all()
    pairs = list(zip(*np.nonzero(useful)))

    def fits(chosen):
        rows, patterns = zip(*chosen)
        return np.array_equal(covers[np.ix_(rows, patterns)], np.eye(len(chosen)))

    size = largest_efficient(covers)
    assert not size or any(fits(chosen) for chosen in itertools.combinations(pairs, size))


def test_the_program_takes_any_efficient_set():
    covers = np.unique(np.random.default_rng(0).random((12, 10)) < 0.3, axis=0)
    covers = covers[covers.any(axis=1)]
    formulation = EfficientFormulation(covers)
    for pair in zip(formulation.row.tolist(), formulation.pattern.tolist()):
        point = formulation.encode([pair])
        assert formulation.milp.violation(point) == 0
        assert formulation.milp.objective(point) == -1
        ((row, pattern),) = formulation.decode(point)
        assert pattern == pair[1]
        assert covers[row, pattern]
    everything = np.ones(formulation.milp.n_columns)
    assert formulation.milp.violation(everything) > 0


@pytest.mark.parametrize("seed", range(20))
def test_circuits_are_not_efficient(seed):
    covers = random_coverage(seed, 12, 9)
    for circuit in map(list, short_circuits(covers)):
        assert largest_efficient(covers[:, circuit]) < len(circuit)


def test_no_patterns_no_rows_and_nothing_covered():
    data = {"x": [1, 2, 3]}
    assert maximum_efficient_set([], data).size == 0
    nothing = maximum_efficient_set([Pattern.parse("x > 9")], data)
    assert (nothing.size, nothing.upper, nothing.proved) == (0, 0, True)
    assert "0 of 0 patterns, proved" in repr(nothing)
    same = [Pattern.parse("x >= 2"), Pattern.parse("x > 1.5")]
    assert maximum_efficient_set(same, data).size == 1


def test_a_licence_too_small_keeps_what_is_known(monkeypatch):
    covers = np.random.default_rng(1).random((30, 20)) < 0.4
    backend = get_backend("highs")

    def refuse(*_, **__):
        raise LicenseLimit("too large")

    monkeypatch.setattr(backend, "solve", refuse)
    with pytest.warns(OOAWarning, match="too large"):
        found = maximum_efficient_set(*columns(covers), backend=backend)
    check(found, covers)
    assert not found.proved
    assert f"at most {found.upper}" in repr(found)


def test_mined_patterns_of_a_real_table():
    data = monks(1)
    table = Table.from_any(data.X.iloc[:, :4], data.y)
    candidates = learn_ooax(table, C1=0, C2=0, max_length=1).candidates
    patterns = [candidates.pattern(k) for k in range(len(candidates))]
    found = maximum_efficient_set(patterns, table, time_limit=60)
    covers = RuleSet(found.members).covers(table)[list(found.witnesses)]
    assert (covers.sum(axis=1) == 1).all()
    assert covers.any(axis=0).all()
    # all but one value of each attribute: its rows have that one value of the other attributes
    assert found.size == found.upper == 11 - 4


# -- VC dimension --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_limits_on_patterns_give_bounds_that_hold(seed):
    covers = random_coverage(seed, 6, 6)
    for most in (1, 2, 3):
        found = vc_dimension(*columns(covers), max_patterns=most)
        assert found.lower <= shattered(covers, most) <= found.upper
        if most >= found.efficient.size:
            assert found.exact


def test_a_limit_may_leave_the_dimension_open():
    # intervals on a line shatter two points each, far fewer than the points that single values tell apart
    patterns = [Pattern.parse(f"{a} <= x <= {b}") for a in range(6) for b in range(a, 6)]
    found = vc_dimension(patterns, {"x": range(6)}, max_patterns=1)
    assert (found.lower, found.upper, found.exact) == (1, 4, False)  # 22 rule sets
    assert str(found) == (
        "VC dimension between 1 and 4, of rule sets of at most 1 of these 21 patterns over these rows"
    )
    assert str(vc_dimension(patterns, {"x": range(6)})).startswith("VC dimension 6, of all rule sets")
    with pytest.raises(OptionError, match="max_patterns"):
        vc_dimension(patterns, {"x": range(6)}, max_patterns=0)


# -- generalisation ------------------------------------------------------------------------------


def by_hand(errors, n, labellings, delta):
    return errors / n + math.sqrt(2 * math.log(labellings) / n) + 3 * math.sqrt(math.log(2 / delta) / (2 * n))


@pytest.fixture(scope="module")
def table():
    X = {"a": np.arange(4000) % 4, "c": np.array(["u", "v", "w"])[np.arange(4000) % 3]}
    y = X["a"] >= 2
    y[:100] = ~y[:100]
    return Table.from_any(X, y)


def test_the_bound_is_what_it_is_by_hand(table):
    rules = RuleSet.parse("a >= 2")
    made = generalisation_statement(rules, table, max_patterns=2, max_length=2, confidence=0.9)
    # literals: 10 ranges and 4 "all but one" of a; 3 "=", 3 "≠" and "any" of c; patterns 14 + 7 + 98
    labellings = 1 + 119 + 119 * 118 // 2
    assert made.training_error == Fraction(100, 4000)
    assert made.log_labellings == pytest.approx(math.log(labellings))
    assert made.vc == int(math.log2(labellings))
    exact = by_hand(100, 4000, labellings, 0.1)
    assert exact <= made.bound <= exact + 1e-8
    assert not made.vacuous
    assert f"at most {math.ceil(1e4 * exact) / 1e4:.4f}" in str(made)


def test_limits_from_the_rule_set_cost_confidence(table):
    rules = RuleSet.parse("a >= 2 AND c = u OR a >= 2 AND c IN {v, w}")
    made = generalisation_statement(rules, table)
    patterns = 14 + 8 + 14 * 8  # two to the three sets of categories
    labellings = 1 + patterns + patterns * (patterns - 1) // 2
    exact = by_hand(100, 4000, labellings, 0.05 / (2 * 3) / (2 * 3) / 2)
    assert exact <= made.bound <= exact + 1e-8
    assert "sets of categories" in made.about
    assert "nothing but the attributes was fixed" in str(made)
    half = generalisation_statement(rules, table, max_patterns=2)
    assert exact > half.bound > by_hand(100, 4000, labellings, 0.05)
    assert "max_patterns = 2 was fixed" in str(half)


def test_given_patterns_count_by_their_vc_dimension(table):
    patterns = [Pattern.parse(text) for text in ("a >= 2", "a >= 1", "a >= 3", "a <= 0")]
    made = generalisation_statement(RuleSet.parse("a >= 2"), table, patterns=patterns)
    # "a <= 0" and one of the nested others can be told apart; 12 different rows, 16 rule sets
    assert made.vc == 2
    labellings = min(1 + 12 + 66, 16)
    exact = by_hand(100, 4000, labellings, 0.05)
    assert exact <= made.bound <= exact + 1e-8
    limited = generalisation_statement(RuleSet.parse("a >= 2"), table, patterns=patterns, max_patterns=1)
    assert limited.log_labellings == pytest.approx(math.log(5))
    assert "these patterns" in str(limited)


def test_few_rows_make_the_bound_vacuous_and_it_says_so():
    few = Table.from_any({"a": range(10)}, [0] * 6 + [1] * 4)
    made = generalisation_statement(RuleSet.parse("a >= 6"), few)
    assert made.bound == 1.0
    assert made.vacuous
    assert "vacuous" in str(made)


def test_no_better_than_one_label_is_said(table):
    made = generalisation_statement(RuleSet([]), table)
    assert made.training_error == made.minority == Fraction(1, 2)
    assert "no better than always predicting one label (0.5000)" in str(made)


def test_missing_values_and_learned_models():
    rng = np.random.default_rng(0)
    x = rng.integers(0, 3, 3000).astype(float)
    x[::7] = np.nan
    table = Table.from_any({"x": x}, x == 1)
    learned = learn_ooax(table, C1=0.01, C2=0.01, missing=True)
    made = generalisation_statement(learned, table, max_patterns=1, max_length=1)
    assert made.log_labellings == pytest.approx(math.log(1 + 6 + 3 + 1))
    assert made.training_error == Fraction(learned.certificate.errors, 3000)


def test_what_the_statement_cannot_be_about(table):
    rules = RuleSet.parse("a >= 2 AND c = u OR a = 1")
    for options, error, words in [
        ({"max_patterns": 1}, OptionError, "max_patterns=1 is less"),
        ({"max_length": 1}, OptionError, "max_length=1 is less"),
        ({"patterns": [Pattern.parse("a >= 2")]}, RuleError, "not among the given patterns"),
        ({"confidence": 1}, OptionError, "confidence"),
        ({"confidence": "high"}, OptionError, "confidence"),
    ]:
        with pytest.raises(error, match=words):
            generalisation_statement(rules, table, **options)
    with pytest.raises(RuleError, match="numeric column"):
        generalisation_statement(RuleSet.parse("a IN {0, 3}"), table)
    with pytest.raises(OptionError, match="not 3"):
        generalisation_statement(3, table)


@pytest.mark.parametrize(("n", "most"), [(0, 3), (5, 1), (5, 5), (7, 3)])
def test_the_number_of_rule_sets(n, most):
    sets = [chosen for size in range(most + 1) for chosen in itertools.combinations(range(n), size)]
    assert rule_sets(n, most) == len(sets)
