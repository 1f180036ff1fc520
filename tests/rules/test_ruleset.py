"""Literals, patterns and rule sets as values: identity, order, algebra, simplification, explanation."""

from __future__ import annotations

import copy
import datetime
import math
import pickle
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.strategies import (
    covered,
    grid,
    holds,
    literals_on,
    patterns,
    rule_sets,
    rules_for,
    tables,
    texts,
)

from ooa.data.columns import Kind
from ooa.data.frames import open_frame
from ooa.errors import DataError, RuleError
from ooa.rules.algebra import intersect, unite
from ooa.rules.literal import Equal, IsMissing, Literal, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

DOMAIN: list[Any] = [None, True, False, "a", "1", *(k / 4 for k in range(-8, 24))]
small_values = grid | st.booleans() | st.sampled_from(["a", "1"])
small_literals = literals_on("x", small_values, time=False) | st.builds(
    Range, st.just("x"), grid, st.none() | grid, st.booleans(), st.booleans()
)


def answers(literal: Literal) -> list[bool]:
    """What a literal says on every value of a small domain; a range is never asked about text."""
    return [
        not (isinstance(literal, Range) and isinstance(value, str)) and holds(literal, value)
        for value in DOMAIN
    ]


class TestLiterals:
    def test_values_keep_their_type(self) -> None:
        ones: list[Any] = [1, 1.0, np.int8(1), np.float64(1)]
        assert {Equal("x", one) for one in ones} == {Equal("x", 1)}
        assert len({Equal("x", 1), Equal("x", True), Equal("x", "1"), Equal("x", 1.0)}) == 3
        yes: Any = np.bool_(True)
        assert Equal("x", yes).value is True
        assert type(Equal("x", np.str_("a")).value) is str
        assert OneOf("x", [True, 1, 1.0, "1"]).values == (True, 1, "1")
        assert OneOf("x", [True, 1, 1.0, "1"]) != OneOf("x", [1, "1"])

    def test_ranges_are_canonical(self) -> None:
        assert Range("x", -math.inf, 3, False) == Range("x", None, 3) == Range("x", high=np.float64(3))
        assert Range("x", 3, math.inf, high_closed=False) == Range("x", 3)
        assert Range("x", -0.0) == Range("x", 0)
        assert str(Range("x", -0.0)) == "x ≥ 0"
        assert Range("x", 1, 2) != Range("x", 1, 2, time=True)

    @pytest.mark.parametrize(
        ("literal", "empty"),
        [
            (Range("x", 2, 1), True),
            (Range("x", 1, 1), False),
            (Range("x", 1, 1, high_closed=False), True),
            (Range("x", 1, 2, False, False), False),
            (Range("x", 1), False),
            (OneOf("x", []), True),
            (IsMissing("x"), False),
        ],
    )
    def test_emptiness(self, literal: Literal, empty: bool) -> None:
        assert literal.is_empty is empty

    @pytest.mark.parametrize(
        ("make", "message"),
        [
            (lambda: Range("x"), "'x' has neither"),
            (lambda: Range("x", -math.inf, math.inf), "'x' has neither"),
            (lambda: Range("x", math.nan), "low bound of 'x': nan is not a finite number"),
            (lambda: Range("x", math.inf), "low bound of 'x': inf is not a finite number"),
            (lambda: Range("x", 10**400), "low bound of 'x': 1000000"),
            (lambda: Range("x", high="3"), "high bound of 'x' must be a number, not '3'"),  # type: ignore[arg-type]
            (lambda: Range("x", high=True), "high bound of 'x' must be a number"),
            (lambda: Range("x", 0.5, time=True), "whole microseconds"),
            (lambda: Range("x", 1e18, time=True), "years 1 to 9999"),
            (lambda: Equal("x", None), "literal on 'x': None cannot be a category"),  # type: ignore[arg-type]
            (lambda: Equal("x", math.nan), "literal on 'x': nan"),
            (lambda: Equal("x", math.inf), "literal on 'x': inf is not a finite number"),
            (lambda: OneOf("x", "abc"), "must be a collection, not the text 'abc'"),
            (lambda: OneOf("x", [(1, 2)]), r"literal on 'x': \(1, 2\)"),  # type: ignore[list-item]
            (lambda: IsMissing(3), "name of an attribute must be text, not 3"),  # type: ignore[arg-type]
            (lambda: Equal("x", "\ud800"), "lone surrogate"),
            (lambda: IsMissing("\udfff"), "lone surrogate"),
        ],
    )
    def test_nonsense_is_refused(self, make: Any, message: str) -> None:
        with pytest.raises(RuleError, match=message):
            make()

    def test_immutable(self) -> None:
        for thing, field in [
            (Range("x", 1), "low"),
            (OneOf("x", [1]), "values"),
            (Pattern([IsMissing("x")]), "literals"),
        ]:
            with pytest.raises(AttributeError):
                setattr(thing, field, None)
            with pytest.raises((AttributeError, TypeError)):
                thing.extra = 1  # type: ignore[attr-defined]

    def test_order_is_total_over_all_kinds(self) -> None:
        literals: list[Literal] = [
            IsMissing("a"),
            NotEqual("a", 1),
            Equal("a", "1"),
            Equal("a", 1),
            Equal("a", True),
            OneOf("a", [1, "x"]),
            Range("a", 2),
            Range("a", None, 2),
            Range("a", 2, None, False),
            Range("a", 2, time=True),
            Equal("A", "z"),
        ]
        ordered = sorted(literals)
        literals.reverse()
        assert ordered == sorted(literals)
        assert all(one < other for one, other in pairwise(ordered))
        assert ordered[0] == Equal("A", "z")
        with pytest.raises(TypeError):
            assert Range("x", 1) < Pattern([Range("x", 1)])
        assert Range("x", 1) != Pattern([Range("x", 1)])
        assert Range("x", 1) != "x ≥ 1"

    def test_masks_on_columns_of_either_kind(self) -> None:
        frame = open_frame({"x": [1, 2, None, 3]})
        kinds: list[Kind] = ["numeric", "categorical"]
        for kind in kinds:
            column = frame.column("x", kind)
            assert Range("x", 2).mask(column).tolist() == [False, True, False, True]
            assert Equal("x", 2.0).mask(column).tolist() == [False, True, False, False]
            assert NotEqual("x", 2).mask(column).tolist() == [True, False, False, True]
            assert OneOf("x", [1, 3, "a"]).mask(column).tolist() == [True, False, False, True]
            assert IsMissing("x").mask(column).tolist() == [False, False, True, False]
        with pytest.raises(DataError, match="Column 'x' holds text, where 'x ≥ 2' needs numbers"):
            Range("x", 2).mask(open_frame({"x": ["a"]}).column("x"))


# Bounds that the probes of `answers` tell apart
grid_ranges = st.builds(Range, st.just("x"), grid, grid, st.booleans(), st.booleans())


class TestAlgebra:
    @settings(max_examples=600)
    @given(small_literals, small_literals)
    def test_literals(self, a: Literal, b: Literal) -> None:
        in_a, in_b = answers(a), answers(b)
        if a.implies(b):
            assert all(y or not x for x, y in zip(in_a, in_b))
        if a.is_empty:
            assert not any(in_a)
        try:
            both = intersect(a, b)
        except RuleError:
            assert isinstance(a, NotEqual) or isinstance(b, NotEqual)
        else:
            assert answers(both) == [x and y for x, y in zip(in_a, in_b)]
        union = unite(a, b)
        if union is not None:
            assert answers(union) == [x or y for x, y in zip(in_a, in_b)]

    @settings(max_examples=300)
    @given(grid_ranges, grid_ranges)
    def test_ranges_are_decided_completely(self, a: Range, b: Range) -> None:
        assert a.implies(b) == all(y or not x for x, y in zip(answers(a), answers(b)))

    @given(patterns())
    def test_everything_implies_itself(self, pattern: Pattern) -> None:
        assert pattern.implies(pattern)
        assert pattern & pattern == pattern
        assert all(pattern.implies(Pattern([literal])) for literal in pattern)
        assert RuleSet([pattern]).implies(RuleSet([pattern]))
        assert RuleSet().implies(RuleSet([pattern]))

    def test_different_attributes_do_not_meet(self) -> None:
        assert not Range("x", 3).implies(Range("y", 2))
        assert unite(Range("x", 3), Range("y", 2)) is None
        assert len(Range("x", 3) & Range("y", 2)) == 2

    def test_ranges_that_touch(self) -> None:
        assert unite(Range("x", 1, 2), Range("x", 2, 3, False)) == Range("x", 1, 3)
        assert unite(Range("x", 1, 2, True, False), Range("x", 2, 3, False)) is None
        assert unite(Range("x", None, 2), Range("x", 2)) is None  # would be "not missing"
        assert unite(Range("x", 1, 2, time=True), Range("x", 2, 3)) is None
        assert unite(OneOf("x", ["a", "b"]), Equal("x", "c")) == OneOf("x", ["a", "b", "c"])
        assert unite(Equal("x", "a"), Equal("x", "b")) is None

    def test_conjunction_in_any_order(self) -> None:
        parts = [NotEqual("x", "a"), NotEqual("x", "b"), OneOf("x", ["a", "b", "c"])]
        assert (
            Pattern.conjunction(*parts) == Pattern.conjunction(*reversed(parts)) == Pattern([Equal("x", "c")])
        )
        assert (IsMissing("x") & Equal("x", 1)).is_empty
        with pytest.raises(RuleError, match="'x ≠ a' and 'x ≠ b' at once"):
            NotEqual("x", "a") & NotEqual("x", "b")


class TestPatterns:
    def test_canonical(self) -> None:
        pattern = Pattern([Range("b", 1), Equal("a", 2)])
        assert pattern == Pattern(iter([Equal("a", 2.0), Range("b", 1.0)]))
        assert pattern.attributes == ("a", "b")
        assert len(pattern) == 2
        assert hash(pattern) == hash(Pattern([Equal("a", 2.0), Range("b", 1.0)]))

    def test_nonsense_is_refused(self) -> None:
        with pytest.raises(RuleError, match="at least one literal"):
            Pattern([])
        with pytest.raises(RuleError, match="'x ≥ 1' and 'x = 2' are both on 'x'"):
            Pattern([Range("x", 1), Equal("x", 2)])
        with pytest.raises(RuleError, match=r"write Pattern\(\[Range"):
            Pattern(Range("x", 1))  # type: ignore[arg-type]
        with pytest.raises(RuleError, match="made of literals, not of 'x'"):
            Pattern(["x"])  # type: ignore[list-item]


class TestRuleSets:
    def test_equality_is_that_of_sets(self) -> None:
        a, b = Pattern([Range("x", 1)]), Pattern([Equal("y", "z"), Range("x", 2)])
        assert RuleSet([a, b]) == RuleSet([b, a, b])
        assert len(RuleSet([b, a, b])) == 2
        assert list(RuleSet([b, a])) == [a, b]
        assert a in RuleSet([a])
        assert b not in RuleSet([a])
        assert RuleSet([a]) != RuleSet([a], target="y")
        assert RuleSet([a]) != RuleSet([a], positive=True, negative=False)
        assert len({RuleSet([a, b]), RuleSet([b, a])}) == 1
        assert RuleSet([a, b]).attributes == ("x", "y")
        assert RuleSet([a, b]).n_literals == 3
        assert sorted([RuleSet([b]), RuleSet([a]), RuleSet()]) == [RuleSet(), RuleSet([a]), RuleSet([b])]

    def test_nonsense_is_refused(self) -> None:
        with pytest.raises(RuleError, match="both 1"):
            RuleSet(positive=1, negative=True)
        with pytest.raises(RuleError, match="The positive label: None"):
            RuleSet(positive=None)  # type: ignore[arg-type]
        with pytest.raises(RuleError, match="made of patterns"):
            RuleSet([Range("x", 1)])  # type: ignore[list-item]
        with pytest.raises(RuleError, match="must be text, not 3"):
            RuleSet(target=3)  # type: ignore[arg-type]

    @given(rule_sets())
    def test_pickle_and_copy(self, rules: RuleSet) -> None:
        for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
            again = pickle.loads(pickle.dumps(rules, protocol))
            assert again == rules
            assert hash(again) == hash(rules)
            assert repr(again) == repr(rules)
        assert copy.deepcopy(rules) == rules
        for pattern in rules:
            assert pickle.loads(pickle.dumps(pattern)) == pattern

    @given(rule_sets())
    def test_repr_evaluates(self, rules: RuleSet) -> None:
        assert eval(repr(rules), {"RuleSet": RuleSet}) == rules

    def test_subsets(self) -> None:
        assert RuleSet.parse("x > 3 AND y = 1 OR x > 5").implies(RuleSet.parse("x > 2"))
        assert not RuleSet.parse("x > 2").implies(RuleSet.parse("x > 3 OR y = 1"))

    def test_html_is_escaped(self) -> None:
        rules = RuleSet(
            [Pattern([Equal("<script>", "</td>&")])], target="<i>", positive="<b>", negative="a&b"
        )
        html = rules._repr_html_()
        for raw in ("<script>", "</td>&", "<i>", "<b>", "a&b"):
            assert raw not in html
        assert html.count("<tr>") == html.count("</tr>") == 3
        assert "FALSE" in RuleSet()._repr_html_()
        assert RuleSet()._repr_html_().count("<tr>") == 3


class TestSimplify:
    @settings(max_examples=400)
    @given(st.data())
    def test_predicts_the_same(self, data: st.DataObject) -> None:
        table = data.draw(tables(names=st.sampled_from(["x", "y"])))
        rules = data.draw(rules_for(table))
        simple = rules.simplify()
        for row in table.rows():
            assert any(covered(simple, row)) == any(covered(rules, row))
        assert len(simple) <= len(rules)
        assert simple.n_literals <= rules.n_literals
        assert simple.simplify() == simple

    @settings(max_examples=400)
    @given(
        st.lists(st.tuples(small_literals, st.sampled_from([Equal("y", 1), Equal("y", 2), None])), max_size=7)
    )
    def test_predicts_the_same_on_a_whole_domain(self, parts: list[tuple[Literal, Literal | None]]) -> None:
        rules = RuleSet(Pattern([a] if b is None else [a, b]) for a, b in parts)
        simple = rules.simplify()
        has_range = any(isinstance(a, Range) for a, _ in parts)
        for x in DOMAIN:
            if isinstance(x, str) and has_range:
                continue  # the whole rule set refuses text where it needs numbers
            for y in (1, 2, None):
                row = {"x": x, "y": y}
                assert any(covered(simple, row)) == any(covered(rules, row)), row
        assert len(simple) <= len(rules)

    @pytest.mark.parametrize(
        ("text", "simple"),
        [
            ("x > 3 OR x > 2", "x > 2"),
            ("x > 3 AND y = 1 OR y = 1", "y = 1"),
            ("5 < x < 4 OR y = 1 AND x IN {}", "FALSE"),
            ("1 <= x < 2 OR 2 <= x < 3 OR 3 <= x <= 4", "1 <= x <= 4"),
            ("1 <= x <= 2 AND y = a OR 2 < x <= 3 AND y = a", "1 <= x <= 3 AND y = a"),
            (
                "1 <= x <= 2 AND y = a OR 2 < x <= 3 AND y = b",
                "1 <= x <= 2 AND y = a OR 2 < x <= 3 AND y = b",
            ),
            ("x < 3 OR x >= 3", "x < 3 OR x >= 3"),
            ("x IN {a}", "x = a"),
            ("x IN {a, b} OR x = c OR x IN {d, e}", "x IN {a, b, c, d, e}"),
            ("x = a OR x = b", "x = a OR x = b"),
            ("x = a OR x != b", "x != b"),
            ("x IS MISSING OR x > 1 OR x > 0", "x IS MISSING OR x > 0"),
            (
                "0 <= x <= 1 AND 0 <= y <= 1 OR 1 <= x <= 2 AND 0 <= y <= 1 OR "
                "0 <= x <= 1 AND 1 <= y <= 2 OR 1 <= x <= 2 AND 1 <= y <= 2",
                "0 <= x <= 2 AND 0 <= y <= 2",
            ),
            ("2020-01-01 <= t < 2021-01-01 OR t >= 2021-01-01", "t >= 2020-01-01"),
        ],
    )
    def test_examples(self, text: str, simple: str) -> None:
        assert RuleSet.parse(text).simplify() == RuleSet.parse(simple)

    def test_merging_never_adds_patterns(self) -> None:
        # Six of the eight corners of a cube in a ring: each could merge with two others.
        corners = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1) if 0 < x + y + z < 3]
        rules = RuleSet(
            Pattern(Range(name, low, low + 1) for name, low in zip("xyz", corner)) for corner in corners
        )
        assert len(rules.simplify()) <= 4

    def test_many_patterns(self) -> None:
        rng = np.random.default_rng(0)
        rules = RuleSet(
            Pattern(Range(f"x{j}", *sorted(rng.integers(0, 50, 2).tolist())) for j in rng.permutation(8)[:4])
            for _ in range(1500)
        )
        simple = rules.simplify()
        X = rng.integers(0, 50, (2000, 8)).astype(float)
        X[rng.random(X.shape) < 0.1] = np.nan
        assert np.array_equal(simple.predict(X), rules.predict(X))


class TestExplain:
    RULES = RuleSet.parse(
        "age >= 30 AND bmi > 25 OR colour IN {red, blue} AND since <= 2020-01-01 OR note != x AND flag = true"
        " -> apnea = sick ELSE well"
    )
    ROW: ClassVar[dict[str, Any]] = {
        "age": 24.5,
        "bmi": 25,
        "colour": "light green",
        "since": datetime.datetime(2020, 1, 2, 6),
        "note": "x",
        "flag": None,
    }

    def test_negative(self) -> None:
        why = self.RULES.explain(self.ROW)
        assert why.label == "well"
        assert why.fired == ()
        assert list(why.missed) == list(self.RULES)
        assert str(why).splitlines() == [
            "apnea = well, as no pattern holds:",
            "  (age ≥ 30 AND bmi > 25) fails: age is 24.5, 5.5 too low; "
            "bmi is 25, which is on the open bound",
            "  (colour ∈ {blue, red} AND since ≤ 2020-01-01) fails: "
            "colour is 'light green', not one of {blue, red}; "
            "since is 2020-01-02T06:00:00, 1 day, 6:00:00 too high",
            "  (flag = true AND note ≠ x) fails: flag is missing; note is x",
        ]
        age, bmi = why.missed[self.RULES[0]]
        assert (age.value, age.distance, bmi.distance) == (24.5, -5.5, 0.0)

    def test_positive(self) -> None:
        why = self.RULES.explain({**self.ROW, "age": 31, "bmi": 40, "flag": True, "note": "y"})
        assert why.label == "sick"
        assert why.fired == (self.RULES[0], self.RULES[2])
        assert str(why).splitlines() == [
            "apnea = sick, as 2 patterns hold:",
            "  (age ≥ 30 AND bmi > 25): age is 31, bmi is 40",
            "  (flag = true AND note ≠ x): flag is true, note is y",
        ]

    def test_rows_of_any_form(self) -> None:
        frame = pd.DataFrame([{"x0": 1.0, "x1": "a"}, {"x0": 9.0, "x1": "b"}])
        rules = RuleSet.parse("x0 > 5 AND x1 = b")
        for row in (frame.iloc[1], frame.iloc[1:], frame.iloc[1].to_dict(), pl.from_pandas(frame)[1]):
            assert rules.explain(row).label == 1
        assert RuleSet.parse("x0 > 5").explain(np.array([9.0, 2.0])).fired
        assert str(RuleSet().explain({"x": 1})) == "target = 0, as there is no pattern"
        with pytest.raises(DataError, match="One row can be explained at a time, not 2"):
            rules.explain(frame)
        with pytest.raises(RuleError, match="'x1'"):
            rules.explain({"x0": 1})

    @settings(max_examples=150)
    @given(st.data())
    def test_agrees_with_predict(self, data: st.DataObject) -> None:
        table = data.draw(tables(names=texts))
        rules = data.draw(rules_for(table))
        for row in table.rows()[:2]:
            try:
                why = rules.explain(row)
            except DataError:  # a value of another kind than the rules name
                continue
            expected = covered(rules, row)
            assert [pattern in why.fired for pattern in rules] == expected
            assert (why.label == rules.positive) == any(expected)
            for misses in why.missed.values():
                assert all(not holds(miss.literal, row[miss.literal.attribute]) for miss in misses)
            assert str(why)
