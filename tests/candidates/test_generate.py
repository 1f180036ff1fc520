"""Candidate literals: cut points, categories, and the rows they hold for."""

from __future__ import annotations

import datetime as dt
import math
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ooa.candidates.cutpoints import cut_between
from ooa.candidates.generate import LiteralSet, candidate_literals
from ooa.candidates.round_numbers import LEAST_BETWEEN, round_numbers
from ooa.candidates.thresholds import STRATEGIES, numeric_cuts
from ooa.data.bitsets import unpack
from ooa.data.frames import open_frame
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range

finite = st.floats(allow_nan=False, allow_infinity=False)


def made(X: Any, y: Any = None, **options: Any) -> Table:
    n = open_frame(X).n_rows
    return Table.from_any(X, np.arange(n) % 2 if y is None else y, **options)


def names(literals: LiteralSet) -> list[str]:
    return [str(literal) for literal in literals.literals]


# --- readable cut points ------------------------------------------------------------------------------------


@st.composite
def neighbours(draw: st.DrawFn) -> tuple[float, float]:
    lower = draw(finite)
    upper = draw(finite) if draw(st.booleans()) else lower
    for _ in range(draw(st.integers(1, 3))):
        upper = math.nextafter(upper, math.inf)
    if lower > upper:
        lower, upper = upper, lower
    if not lower < upper < math.inf:
        lower, upper = 0.0, 1.0
    return lower + 0.0, upper + 0.0


@settings(max_examples=500)
@given(neighbours())
@example((1.7e308, 1.79e308))
@example((-1.7e308, 1.7e308))
@example((0.0, 5e-324))
@example((5e-324, 1e-323))
@example((1.0, 1.0000000000000002))
@example((-5e-324, 0.0))
def test_cuts_separate(pair: tuple[float, float]) -> None:
    lower, upper = pair
    cut = cut_between(lower, upper)
    assert lower <= cut.below < upper
    assert lower < cut.above <= upper


@given(st.integers(-2000, 2000), st.integers(1, 500), st.sampled_from([1, 10, 100, 1000]))
def test_cuts_have_the_fewest_digits(start: int, width: int, scale: int) -> None:
    low, high = Fraction(start, scale), Fraction(start + width, scale)

    def zeros(value: Fraction) -> int:
        """The power of ten that divides the value: more is shorter."""
        return next(p for p in range(6, -5, -1) if (value / Fraction(10) ** p).denominator == 1)

    cut = cut_between(float(low), float(high))
    inside = [Fraction(k, scale) for k in range(start, start + width + 1)]
    for bound, allowed, observed in [(cut.below, inside[:-1], low), (cut.above, inside[1:], high)]:
        exact = Fraction(repr(bound))
        best = max(map(zeros, allowed))
        assert zeros(exact) >= best
        if low.denominator == high.denominator == 1 and zeros(observed) == best:
            assert exact in (observed, 0)


@pytest.mark.parametrize(
    ("lower", "upper", "below", "above"),
    [
        (29, 30, 29, 30),
        (29, 31, 30, 30),
        (20, 50, 20, 50),
        (20, 55, 20, 40),
        (999, 1001, 1000, 1000),
        (0, 1, 0, 1),
        (-3, 4, 0, 0),
        (-30, -29, -30, -29),
        (0.1, 0.2, 0.1, 0.2),
        (36.61, 36.67, 36.64, 36.64),
        (2.5, 7, 5, 5),
        (1.23456789, 1.23456792, 1.2345679, 1.2345679),
        (1e-9, 3e-9, 2e-9, 2e-9),
    ],
)
def test_natural_cuts(lower: float, upper: float, below: float, above: float) -> None:
    cut = cut_between(lower, upper)
    assert (cut.below, cut.above) == (below, above)


def micro(*parts: int) -> float:
    return dt.datetime(*parts, tzinfo=dt.timezone.utc).timestamp() * 1e6  # type: ignore[misc,arg-type]


@pytest.mark.parametrize(
    ("lower", "upper", "below", "above"),
    [
        ((2019, 5, 2), (2021, 3, 4), (2020, 1, 1), (2021, 1, 1)),
        ((2020, 5, 2), (2020, 8, 4), (2020, 6, 1), (2020, 8, 1)),
        ((2020, 5, 2, 13), (2020, 5, 3, 4), (2020, 5, 3), (2020, 5, 3)),
        ((2020, 5, 2, 13, 7), (2020, 5, 2, 13, 9), (2020, 5, 2, 13, 7), (2020, 5, 2, 13, 9)),
        ((1969, 12, 31, 23), (1970, 1, 1, 1), (1970, 1, 1), (1970, 1, 1)),
        ((1960, 3, 3), (1961, 3, 3), (1961, 1, 1), (1961, 1, 1)),
    ],
)
def test_natural_times(lower: Any, upper: Any, below: Any, above: Any) -> None:
    cut = cut_between(micro(*lower), micro(*upper), time=True)
    assert (cut.below, cut.above) == (micro(*below), micro(*above))


@given(st.integers(-(2**54), 2**54), st.integers(1, 10**15))
def test_times_separate(lower: int, step: int) -> None:
    low, high = float(lower), float(lower + step)
    if low < high:
        cut = cut_between(low, high, time=True)
        assert low <= cut.below < high
        assert low < cut.above <= high


# --- strategies ---------------------------------------------------------------------------------------------


def test_auto_takes_every_value_or_quantiles() -> None:
    table = made({"few": np.arange(100) % 10, "many": np.arange(100)})
    cuts = numeric_cuts(table, "auto", 9)
    assert [c.above for c in cuts["few"]] == list(range(1, 10))
    assert [c.above for c in cuts["many"]] == list(range(10, 100, 10))
    assert len(numeric_cuts(table, "distinct", 9)["many"]) == 99
    assert [c.above for c in numeric_cuts(table, "quantiles", 3)["many"]] == [25, 50, 75]


def test_quantiles_follow_the_weights() -> None:
    table = made({"x": [1, 2, 3, 4, 5, 6]}, sample_weight=[10, 1, 1, 1, 1, 1])
    assert [c.above for c in numeric_cuts(table, "quantiles", 1)["x"]] == [2]
    skewed = made({"x": [0] * 95 + [1, 2, 3, 4, 5]})
    assert [c.above for c in numeric_cuts(skewed, "quantiles", 4)["x"]] == [1]


def test_supervised_cuts_find_the_change_of_label() -> None:
    rng = np.random.default_rng(0)
    x, noise = np.arange(200.0), rng.random(200)
    table = made({"x": x, "noise": noise}, (x >= 60) & (x < 130))
    for strategy in ("mdl", "tree"):
        assert [c.above for c in numeric_cuts(table, strategy, 2)["x"]] == [60, 130]
        best = numeric_cuts(table, strategy, 1)["x"]
        assert [c.above for c in best] in ([60], [130])
    assert numeric_cuts(table, "mdl", 9)["noise"] == []


def naive_mdl(values: list[float], labels: list[bool]) -> list[float]:
    """Fayyad and Irani's recursion, one row at a time; returns the value after every accepted cut."""

    def entropy(part: list[bool]) -> float:
        p = sum(part) / len(part)
        return -sum(q * math.log2(q) for q in (p, 1 - p) if q > 0)

    n = len(values)
    cuts = [i for i in range(1, n) if values[i - 1] < values[i]]
    if not cuts:
        return []
    gain = {
        i: entropy(labels) - i / n * entropy(labels[:i]) - (n - i) / n * entropy(labels[i:]) for i in cuts
    }
    best = max(cuts, key=lambda i: (round(gain[i], 12), -i))
    left, right = labels[:best], labels[best:]
    k, k1, k2 = (len(set(part)) for part in (labels, left, right))
    delta = math.log2(3**k - 2) - (k * entropy(labels) - k1 * entropy(left) - k2 * entropy(right))
    if gain[best] <= (math.log2(n - 1) + delta) / n:
        return []
    below = naive_mdl(values[:best], left)
    return [*below, values[best], *naive_mdl(values[best:], right)]


def test_mdl_against_the_recursion() -> None:
    rng = np.random.default_rng(3)
    accepted = 0
    for _ in range(90):
        n = int(rng.integers(4, 60))
        x = np.sort(rng.integers(0, 12, n)).astype(float)
        y = (rng.random(n) < 0.15) ^ (x > rng.integers(0, 12)) ^ (x > rng.integers(0, 12))
        if y.all() or not y.any():
            continue
        cuts = numeric_cuts(made({"x": x}, y), "mdl", 99)["x"]
        expected = naive_mdl(x.tolist(), y.tolist())
        observed = [float(x[x >= cut.above].min()) for cut in cuts]
        assert observed == expected
        accepted += len(expected)
    assert accepted > 20


def test_tree_tells_close_values_apart() -> None:
    x = np.array([1.0, np.nextafter(1, 2), 1e300, np.nextafter(1e300, np.inf)])
    table = made({"x": np.tile(x, 5)}, np.tile([0, 1, 1, 0], 5))
    assert [c.above for c in numeric_cuts(table, "tree", 9)["x"]] == [x[1], x[3]]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (np.arange(18, 91), [20, 40, 60, 80]),
        (np.geomspace(3, 4000, 73), [5, 10, 20, 50, 100, 200, 500, 1000, 2000]),
        (36 + np.arange(60) / 10, [37, 38, 39, 40, 41]),
        (np.arange(-50, 51), [-40, -20, 0, 20, 40]),
        (-np.arange(100.0), [-80, -60, -40, -20]),
        (1990 + np.arange(35), [2000, 2010, 2020]),
        ([0] * 90 + [7, 15, 30, 33, 70, 82, 110, 140, 155, 190], [5, 10, 20, 50, 100]),  # mostly none
        ([0, 0, 0, 1, 1], [1]),
        ([0, 0.5], [0.5]),
        ([3e-7, 4e-7, 8e-7], [4e-7, 8e-7]),
        ([5, 5, 5], []),
        (np.arange(1, 7) / 10, [0.2, 0.4, 0.6]),  # 0.6 / 0.2 is less than 3
        (np.append(np.linspace(-1, 1, 1000), 1e300), [-0.5, 0, 0.5]),
        ([0] * 991 + [1] * 9, [1]),
        ([5e-324, 1e-323], []),
        ([-1e308, 0, 1e308], [0, 1e308]),
        (np.r_[np.geomspace(1e-4, 100, 100), np.linspace(101, 199, 900)], [20, 80, 120, 140, 160, 180]),
    ],
)
def test_round_numbers(values: Any, expected: list[float]) -> None:
    table = made({"x": np.asarray(values, dtype=float)})
    cuts = numeric_cuts(table, "round", 9)["x"]
    assert [c.above for c in cuts] == expected
    assert all(c.below == c.above and not c.below_closed for c in cuts)


@given(
    st.lists(st.floats(-1e307, 1e307), min_size=2, max_size=60, unique=True),
    st.integers(1, 9),
    st.integers(0, 2**32 - 1),
)
def test_round_numbers_part_the_rows(values: list[float], limit: int, seed: int) -> None:
    x = np.unique(np.array(values) + 0.0)
    weight = np.random.default_rng(seed).integers(0, 20, len(x)).astype(float)
    numbers = round_numbers(x, weight, limit)
    assert len(numbers) <= limit
    edges = [-np.inf, *numbers, np.inf]
    parts = [weight[(x >= low) & (x < high)].sum() for low, high in pairwise(edges)]
    least = LEAST_BETWEEN * weight.sum() if np.count_nonzero(weight) > 4 else 1
    assert len(numbers) == 0 or min(parts) >= least * (1 - 1e-9)
    # Weights are counts, in whatever unit; what weighs nothing is not there.
    assert numbers == round_numbers(x[weight > 0], weight[weight > 0] / 10, limit)


@given(st.lists(st.integers(-300, 900), min_size=2, max_size=40, unique=True), st.integers(-3, 3))
def test_round_numbers_are_the_same_in_other_units(values: list[int], power: int) -> None:
    ones = np.ones(len(values))
    found = round_numbers(np.array(sorted(values), dtype=float), ones, 9)
    scaled = np.array([float(f"{value}e{power}") for value in sorted(values)])
    assert round_numbers(scaled, ones, 9) == [float(f"{number:.17g}e{power}") for number in found]


def test_round_numbers_up_to_a_limit() -> None:
    ones = np.ones(101)
    assert round_numbers(np.arange(101.0), ones, 3) == [20, 40, 60]
    assert round_numbers(np.arange(101.0), ones, 1) == [50]
    assert round_numbers(np.array([1.0, 3, 6]), np.array([30.0, 40, 30]), 1) == [5]
    many = round_numbers(np.geomspace(1e-6, 1e6, 500), np.ones(500), 4)
    assert len(many) == 4
    assert {f"{number:e}"[0] for number in many} <= {"1", "2", "5"}


def test_round_numbers_do_not_depend_on_the_sample() -> None:
    rng = np.random.default_rng(5)
    for _ in range(20):
        columns = {
            "income": rng.lognormal(3, 1, 300).round(1),
            "share": rng.uniform(0, 100, 300),
            "age": rng.normal(50, 18, 300).clip(1).round(),
            "haemoglobin": rng.normal(13, 2, 300).round(1),
        }
        cuts = {name: {c.above for c in own} for name, own in numeric_cuts(made(columns), "round", 9).items()}
        assert {5, 10, 20, 50, 100} <= cuts["income"] <= {1, 2, 5, 10, 20, 50, 100, 200, 500}
        assert cuts["share"] == {20, 40, 60, 80} == cuts["age"] - {100}
        assert {10, 12, 14, 16} <= cuts["haemoglobin"] <= {8, 10, 12, 14, 16, 18}


def test_times_are_cut_at_calendar_units_where_round_numbers_are_asked_for() -> None:
    days = pd.date_range("2020-01-01", periods=400)
    table = made({"day": days})
    assert numeric_cuts(table, "round", 9) == numeric_cuts(table, "auto", 9)


def test_cuts_by_hand() -> None:
    table = made({"age": [10, 20, 30, 40], "bmi": [1.5, 2.5, 3.5, 4.5], "c": ["a", "b", "c", "d"]})
    literals = candidate_literals(table, thresholds={"age": [30, 15, 30.0, 99]}, ranges=True)
    assert names(literals)[:5] == ["age < 15", "age ≥ 15", "age < 30", "age ≥ 30", "15 ≤ age < 30"]
    assert sum(literals.attribute == 1) == 9  # the other column is cut as usual: 3 cuts, 3 ranges
    for thresholds, message in [
        ({"z": [1]}, "thresholds names 'z', which is not a numeric column"),
        ({"c": [1]}, "thresholds names 'c'"),
        ({"age": 5}, "of 'age' must be a list"),
        ({"age": ["5"]}, "The threshold '5' of 'age' is not a finite number"),
        ({"age": [math.nan]}, "not a finite number"),
        ({"age": [True]}, "not a finite number"),
        ("deciles", "thresholds='deciles' must be one of auto, distinct"),
    ]:
        with pytest.raises(OptionError, match=message):
            candidate_literals(table, thresholds=thresholds)
    for limit in (0, 1.5, True):
        with pytest.raises(OptionError, match="max_thresholds"):
            candidate_literals(table, max_thresholds=limit)


def test_cuts_by_hand_of_times() -> None:
    table = made({"t": pd.to_datetime(["2020-01-01", "2020-06-01", "2021-01-01"]).tz_localize("Asia/Tokyo")})
    expected = Range("t", low=micro(2020, 3, 1), time=True)
    zoned = dt.datetime(2020, 3, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    for cut in ("2020-03-01", dt.datetime(2020, 3, 1), np.datetime64("2020-03-01"), micro(2020, 3, 1), zoned):
        assert candidate_literals(table, thresholds={"t": [cut]}).literals[1] == expected
    assert "t ≤ 2020-01-01" in names(
        candidate_literals(made({"t": pd.to_datetime(["2020-01-01", "2020-01-02"])}))
    )
    with pytest.raises(OptionError, match="The threshold 'soon' of 't' is not a time"):
        candidate_literals(table, thresholds={"t": ["soon"]})


# --- literals -----------------------------------------------------------------------------------------------


def test_categories() -> None:
    table = made({"c": ["a", "b", "c", None]}, missing="category")
    plain = candidate_literals(table)
    assert plain.literals == (Equal("c", "a"), Equal("c", "b"), Equal("c", "c"), IsMissing("c"))
    full = candidate_literals(table, negations=True, sets=3)
    assert full.literals == (
        *plain.literals[:3],
        *(NotEqual("c", v) for v in "abc"),  # the simplest form of the sets of two
        IsMissing("c"),
    )
    four = candidate_literals(made({"c": list("abcd")}), sets=2)
    assert four.literals[4:] == tuple(OneOf("c", list(pair)) for pair in ("ab", "ac", "ad", "bc", "bd", "cd"))
    assert four.complement.tolist() == [-1] * 4 + [9, 8, 7, 6, 5, 4]


def test_two_categories_need_no_negation() -> None:
    literals = candidate_literals(made({"f": [True, False, True]}), negations=True)
    assert literals.literals == (Equal("f", False), Equal("f", True))
    assert literals.complement.tolist() == [1, 0]


def test_missing_by_option_for_any_attribute() -> None:
    table = made({"n": [1, None, 2], "c": ["a", "b", "c"]})
    assert IsMissing("n") not in candidate_literals(table).literals
    literals = candidate_literals(table, missing=True)
    assert IsMissing("n") in literals.literals
    assert IsMissing("c") not in literals.literals
    assert literals.complement[literals.literals.index(IsMissing("n"))] == -1


def test_complements_of_cuts() -> None:
    literals = candidate_literals(made({"x": [1, 2, 3]}))
    assert names(literals) == ["x ≤ 1", "x ≥ 2", "x ≤ 2", "x ≥ 3"]
    assert literals.complement.tolist() == [1, 0, 3, 2]
    assert candidate_literals(made({"x": [1, 2, 3, None]})).complement.tolist() == [-1] * 4


def test_literals_that_say_nothing_are_left_out() -> None:
    literals = candidate_literals(made({"x": [1, 1], "c": ["a", "a"], "f": [True, True]}), missing=True)
    assert len(literals) == 0
    assert literals.bits.shape == (0, 1)


def test_too_many_sets() -> None:
    table = made({"c": [str(i) for i in range(60)]})
    with pytest.raises(
        OptionError, match=r"sets=3 makes more than 10000 literals of column 'c'.*60 categories"
    ):
        candidate_literals(table, sets=3)
    for sets in (0, True, 2.5):
        with pytest.raises(OptionError, match="sets must be a whole number"):
            candidate_literals(table, sets=sets)


columns = st.fixed_dictionaries(
    {
        "n": st.sampled_from(
            [
                st.none() | finite,
                st.none() | st.integers(-5, 5).map(float),
                st.none() | st.sampled_from([math.nextafter(1, k) for k in (0, 1, 2)]),
                st.none()
                | st.sampled_from([5e-324, 0.0, -0.0, 1e-323, 1.7e308, -1.7e308, 1.6999999999999997e308]),
            ]
        ),
        "c": st.just(st.none() | st.sampled_from(["a", "b", "a b", "'", "", "1"])),
        "f": st.just(st.none() | st.booleans()),
    }
)


@st.composite
def random_tables(draw: st.DrawFn) -> tuple[dict[str, list[Any]], list[bool]]:
    cells = draw(columns)
    n = draw(st.integers(1, 20))
    X = {name: draw(st.lists(cell, min_size=n, max_size=n)) for name, cell in cells.items()}
    fill = {"n": 1.0, "c": "a", "f": True}
    return {name: [fill[name], None, *values] for name, values in X.items()}, [
        i % 3 == 0 for i in range(n + 2)
    ]


@settings(deadline=None, max_examples=150)
@given(random_tables(), st.sampled_from(sorted(STRATEGIES)), st.integers(1, 4))
def test_bits_are_what_the_literals_say(data: Any, strategy: str, limit: int) -> None:
    X, y = data
    table = made(X, y)
    options: dict[str, Any] = {"thresholds": strategy, "max_thresholds": limit, "ranges": True, "sets": 2}
    literals = candidate_literals(table, negations=True, missing=True, **options)
    masks = unpack(literals.bits, literals.n_rows)
    frames = [open_frame(pd.DataFrame(X)), open_frame(pl.DataFrame(X)), table.as_frame()]
    for i, literal in enumerate(literals.literals):
        assert table.attributes[literals.attribute[i]].name == literal.attribute
        for frame in frames:
            np.testing.assert_array_equal(literal.mask(frame.column(literal.attribute)), masks[i])
        twin = literals.complement[i]
        same = literals.attribute == literals.attribute[i]
        opposite = np.flatnonzero(same & (masks == ~masks[i]).all(axis=1))
        assert opposite.tolist() == ([] if twin < 0 else [twin])
    assert not masks.all(axis=1).any()
    assert masks.any(axis=1).all()
    assert len({(a, m.tobytes()) for a, m in zip(literals.attribute, masks)}) == len(literals)

    distinct = table.distinct()
    merged = candidate_literals(distinct, negations=True, missing=True, **options)
    assert merged.literals == literals.literals
    np.testing.assert_array_equal(unpack(merged.bits, merged.n_rows)[:, distinct.row], masks)


@settings(deadline=None)
@given(random_tables())
def test_distinct_cuts_miss_no_split(data: Any) -> None:
    X, y = data
    x = np.array(X["n"], dtype=float)
    literals = candidate_literals(made({"n": X["n"]}, y), thresholds="distinct", ranges=True)
    found = {mask.tobytes() for mask in unpack(literals.bits, len(x))}
    values = np.unique(x[~np.isnan(x)])
    every = {((x >= low) & (x <= high)).tobytes() for low in values for high in values if low <= high}
    every -= {np.ones(len(x), bool).tobytes(), (~np.isnan(x)).tobytes()}
    assert found == every - {np.zeros(len(x), bool).tobytes()}
