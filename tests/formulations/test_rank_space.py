"""Rank space: literals to ranks and back, and the cuts that no optimal rule set needs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.brute_ooa import Literals, all_literals, as_bits, best_value, random_rules
from support.strategies import literals_on, ranges
from support.tiny_tables import tiny_objective, tiny_table

from ooa.data.columns import Column
from ooa.data.table import Table
from ooa.errors import RuleError
from ooa.formulations.needed_cuts import NeededCuts
from ooa.formulations.rank_space import RankSpace
from ooa.formulations.scales import NumericScale
from ooa.learning.certificate import count
from ooa.objective import Objective
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def table(**columns: list) -> Table:
    n = len(next(iter(columns.values())))
    return Table.from_any(columns, [0, 1] * (n // 2) + [0] * (n % 2))


def test_ranks_codes_and_weights() -> None:
    space = RankSpace.of(
        Table.from_any(
            {"x": [5.0, -1.0, None, 5.0], "c": ["b", "a", "b", "b"]}, [0, 1, 1, 1], sample_weight=[1, 2, 3, 4]
        )
    )
    assert space.rank.tolist() == [[-1, 1], [0, 0], [1, 1]]
    assert space.row.tolist() == [2, 1, 0, 2]
    assert space.positive.tolist() == [3, 2, 4]
    assert space.negative.tolist() == [0, 0, 1]
    assert [scale.size for scale in space.scales] == [2, 2]
    assert [scale.has_missing for scale in space.scales] == [True, False]


def test_a_category_that_does_not_occur_has_no_rank() -> None:
    space = RankSpace.of(table(flag=[True, True, None, True]))
    assert space.scales[0].size == 1
    assert space.rank.ravel().tolist() == [-1, 0]


AWKWARD = [
    [0.1, 0.2, 0.30000000000000004, 0.3],
    [1.0, np.nextafter(1.0, 2), np.nextafter(1.0, 0)],
    [-1e300, 0.0, 1e-300, 1e300],
    [-3.0, -2.0, 7.0],
    [4.0],
    [1e15, 1e15 + 1, 1e15 + 2],
]


@pytest.mark.parametrize("values", AWKWARD)
@pytest.mark.parametrize("missing", [False, True])
def test_every_interval_of_ranks_becomes_a_range_of_exactly_these(values: list, missing: bool) -> None:
    data = table(x=[*values, *values, *([None] if missing else [])])
    scale = RankSpace.of(data).scales[0]
    assert isinstance(scale, NumericScale)
    m = len(values)
    for a in range(m):
        for b in range(a, m):
            selection = np.zeros(m + 1, dtype=bool)
            selection[a : b + 1] = True
            literal = scale.literal(selection) if b - a + 1 < m or missing else None
            if literal is None:
                assert scale.is_trivial(selection)
                continue
            assert isinstance(literal, Range)
            expected = np.isin(data.columns[0].values, np.sort(values)[a : b + 1])
            assert literal.mask(data.columns[0]).tolist() == expected.tolist()
            assert scale.select(literal).tolist() == selection.tolist()
            if (a, b) != (0, m - 1):
                assert (literal.low is None) == (a == 0)
                assert (literal.high is None) == (b == m - 1)


def test_times() -> None:
    data = Table.from_any(
        {"t": np.array(["2020-01-05", "2020-03-01", "2021-01-01"], dtype="M8[us]")}, [0, 1, 1]
    )
    space = RankSpace.of(data)
    pattern = Pattern.parse("t >= 2020-02-01 AND t <= 2020-12-31")
    box = space.box(pattern)
    assert box is not None
    assert box[0].tolist() == [False, True, False, False]
    literal = space.pattern(box).literals[0]
    assert isinstance(literal, Range)
    assert literal.time
    assert literal.mask(data.columns[0]).tolist() == [False, True, False]
    with pytest.raises(RuleError, match="holds times"):
        space.box(Pattern([Range("t", low=3)]))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.integers(-2, 8).map(lambda k: k / 2) | st.none(), min_size=2, max_size=6),
    ranges("x", st.integers(-4, 18).map(lambda k: k / 4)),
)
def test_any_range_selects_the_ranks_of_the_rows_it_covers(values: list, literal: Range) -> None:
    if all(value is None for value in values):
        values[0] = 1.0
    data = table(x=values)
    space = RankSpace.of(data)
    selection = space.scales[0].select(literal)
    assert selection[space.rank[:, 0]][space.row].tolist() == literal.mask(data.columns[0]).tolist()


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.sampled_from([1, 2, 3.5, "a", "b", True, None]), min_size=2, max_size=6),
    literals_on("x", st.sampled_from([1, 2, 3.5, 4, "a", "c", True, False]), time=False),
)
def test_any_literal_on_a_categorical_attribute(values: list, literal: object) -> None:
    families = [
        [v for v in values if isinstance(v, kind) and isinstance(v, bool) == flag]
        for kind, flag in (((int, float), False), (str, False), (bool, True))
    ]
    largest = max(families, key=len)
    if not largest:
        largest = ["a"]
    values = [value if value in largest and type(value) in map(type, largest) else None for value in values]
    if all(value is None for value in values):
        values[0] = largest[0]
    data = Table.from_any(
        {"x": values},
        [0, 1] * (len(values) // 2) + [0] * (len(values) % 2),
        categorical=["x"],
        missing="category",
    )
    space = RankSpace.of(data)
    try:
        expected = literal.mask(data.columns[0])  # type: ignore[attr-defined]
    except ValueError:  # a range of texts
        with pytest.raises(RuleError, match="text"):
            space.scales[0].select(literal)  # type: ignore[arg-type]
        return
    selection = space.scales[0].select(literal)  # type: ignore[arg-type]
    assert selection[space.rank[:, 0]][space.row].tolist() == expected.tolist()


def test_literals_of_categories() -> None:
    space = RankSpace.of(Table.from_any({"c": ["a", "b", "c", None]}, [0, 1, 1, 0], missing="category"))
    scale = space.scales[0]
    for literal in (Equal("c", "b"), OneOf("c", ["a", "c"]), IsMissing("c"), OneOf("c", ["a", "b", "c"])):
        assert scale.literal(scale.select(literal)) == literal
    assert scale.literal(scale.select(NotEqual("c", "b"))) == OneOf("c", ["a", "c"])
    assert not scale.select(Equal("c", "z")).any()
    assert not scale.is_trivial(scale.select(OneOf("c", ["a", "b", "c"])))


def test_what_no_box_says() -> None:
    space = RankSpace.of(table(x=[1.0, 2, 3, None], c=["a", "a", "b", "b"], one=[1, 1, 1, 1]))
    for text, words in [
        ("y >= 3", "'y', which is not a column"),
        ("x IS MISSING", "missing values of 'x' have none"),
        ("x IN {1, 3}", "does not select one range of the values of 'x'"),
        ("c > 3", "text"),
        ("one = 1", "holds for every row"),
        ("c IN {a, b} AND one <= 5", "holds for every row"),
    ]:
        with pytest.raises(RuleError, match=words):
            space.box(Pattern.parse(text))
    assert space.box(Pattern.parse("x > 7 AND c = a")) is None
    assert space.box(Pattern.parse("c = z")) is None
    assert space.box(Pattern.parse("one IS MISSING AND c = a")) is None  # no row lacks a value there
    box = space.box(Pattern.parse("x IN {2, 3} AND one = 1"))
    assert box is not None
    assert str(space.pattern(box)) == "x ≥ 2"  # the literal that holds for every row is gone


def test_has_a_value() -> None:
    space = RankSpace.of(table(x=[1.0, 2, 3, None]), missing=True)
    box = space.box(Pattern.parse("x > -100"))
    assert box is not None
    assert str(space.pattern(box)) == "x ≥ 1"
    absent = space.box(Pattern.parse("x IS MISSING"))
    assert absent is not None
    assert str(space.pattern(absent)) == "x IS MISSING"


def test_a_coarser_grid() -> None:
    data = table(x=[1.0, 2, 3, 4, 5, 6], z=[1.0, 2, 3, 4, 5, 6])
    space = RankSpace.of(data, thresholds={"x": [2.5, 2.7, 4, 9], "z": []})
    assert [scale.size for scale in space.scales] == [3, 1]
    box = space.box(Pattern.parse("x > 2 AND x <= 3.5"))
    assert box is not None
    assert str(space.pattern(box)) == "2.5 ≤ x < 4"  # as the user gave them
    with pytest.raises(RuleError, match="'x ≥ 5' cuts 'x' between 4 and 5, where no cut is allowed"):
        space.box(Pattern.parse("x >= 5"))
    with pytest.raises(RuleError, match="between 1 and 2"):
        space.box(Pattern.parse("x <= 1"))
    deciles = RankSpace.of(data, thresholds="quantiles", max_thresholds=2)
    assert [scale.size for scale in deciles.scales] == [3, 3]
    assert len(deciles.positive) == 3  # rows that agree on every rank are one


def allowed_literals(data: Table, space: RankSpace, everything: Literals) -> Literals:
    """The brute-force literals, numeric ones only where the space allows their cuts."""
    found = []
    for j, scale in enumerate(space.scales):
        if not isinstance(scale, NumericScale):
            found.append(everything[j])
            continue
        own = [pair for pair in everything[j] if isinstance(pair[0], IsMissing)]
        for a in range(scale.size):
            for b in range(a, scale.size):
                if (a == 0 or scale.lower[a - 1]) and (b == scale.size - 1 or scale.upper[b]):
                    selection = np.zeros(scale.size + 1, dtype=bool)
                    selection[a : b + 1] = True
                    if not scale.is_trivial(selection):
                        literal = scale.literal(selection)
                        own.append((literal, as_bits(literal.mask(data.columns[j]))))
        found.append(own)
    return found


def test_cuts_that_are_left_out_lose_no_optimum() -> None:
    fewer = 0
    for seed in range(1000):
        rng = np.random.default_rng([7, seed])
        rows, objective, K = tiny_table(rng).distinct(), tiny_objective(rng), int(rng.integers(1, 4))
        everything = all_literals(rows, missing=bool(seed % 2))
        kept = allowed_literals(rows, RankSpace.of(rows, merge=True), everything)
        fewer += sum(map(len, kept)) < sum(map(len, everything))
        whole = best_value(rows, objective, K, literals=everything)
        assert best_value(rows, objective, K, literals=kept) == whole, seed
    assert fewer > 300


def test_moving_ranges_never_makes_a_rule_set_worse() -> None:
    for seed in range(300):
        rng = np.random.default_rng([8, seed])
        rows, objective = tiny_table(rng).distinct(), tiny_objective(rng)
        space = RankSpace.of(rows, merge=True)
        rules = random_rules(rows, 3, rng)
        boxes = [space.box(pattern) for pattern in rules]
        moved = RuleSet(space.pattern(box) for box in boxes if box is not None)
        assert count(moved, rows, objective).objective <= count(rules, rows, objective).objective, seed
        again = [space.box(pattern) for pattern in moved]
        assert RuleSet(space.pattern(box) for box in again if box is not None) == moved


def test_a_range_may_not_be_extended_to_everything() -> None:
    data = Table.from_any({"x": [1, 2, 3, 4]}, [1, 0, 1, 1], sample_weight=[10, 1, 5, 3])
    objective = Objective.of("5/19", 0)
    best = best_value(data, objective, 2)
    rules = RuleSet.parse("x <= 3")
    assert count(rules, data, objective).objective * 19 == best
    space = RankSpace.of(data, merge=True)
    assert space.box(rules[0]) is not None
    # Without the exception, ranks 3 and 4 would be one, and the optimum lost.
    scale = space.scales[0]
    careless = NeededCuts.of(np.arange(4, dtype=np.int32), np.array([10.0, -1, 5, 3]), 4, has_missing=True)
    assert not careless.upper[2]
    assert isinstance(scale, NumericScale)
    assert scale.upper[-1]
    everything = all_literals(data)
    lost = [[pair for pair in everything[0] if pair[0].high != 3]]  # type: ignore[attr-defined]
    assert best_value(data, objective, 2, literals=lost) > best


def test_values_with_both_labels_keep_their_cuts() -> None:
    data = Table.from_any({"x": [1, 1, 2, 2, 3, 3], "c": list("ababab")}, [0, 1, 1, 0, 0, 1])
    scale = RankSpace.of(data, merge=True).scales[0]
    assert isinstance(scale, NumericScale)
    assert scale.lower.all()
    assert scale.upper.all()


def test_merged_ranks_read_back() -> None:
    data = Table.from_any({"x": [1, 2, 3, 4, 5, 6, 7]}, [0, 0, 1, 1, 1, 0, 0])
    space = RankSpace.of(data, merge=True)
    scale = space.scales[0]
    assert isinstance(scale, NumericScale)
    assert scale.size == 3
    assert scale.lower.tolist() == [True, False]
    assert scale.upper.tolist() == [False, True]
    for text in ("x >= 3 AND x <= 5", "x = 4", "x >= 2 AND x <= 4", "x >= 5"):
        box = space.box(Pattern.parse(text))
        assert box is not None
        assert str(space.pattern(box)) == "3 ≤ x ≤ 5"
    assert space.box(Pattern.parse("x <= 2")) is None
    column = Column("x", "numeric", np.arange(8.0))
    box = space.box(Pattern.parse("x = 4"))
    assert box is not None
    assert np.flatnonzero(space.pattern(box).literals[0].mask(column)).tolist() == [3, 4, 5]
