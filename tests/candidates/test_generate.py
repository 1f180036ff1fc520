"""Candidate literals: categories, complements, and the rows they hold for."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.literal_tables import finite, made, names

from ooa.candidates.generate import candidate_literals
from ooa.candidates.thresholds import STRATEGIES
from ooa.clock import Deadline, WorkClock
from ooa.data.bitsets import unpack
from ooa.data.frames import open_frame
from ooa.errors import OptionError
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range


def test_categories() -> None:
    table = made({"c": ["a", "b", "c", None]}, missing="category")
    plain = candidate_literals(table)
    assert plain.literals == (Equal("c", "a"), Equal("c", "b"), Equal("c", "c"), IsMissing("c"))
    full = candidate_literals(table, negations=True, sets=3)
    assert full.literals == (
        *plain.literals[:3],
        *(NotEqual("c", v) for v in "abc"),  # the simplest form of the sets of two
        OneOf("c", ["a", "b", "c"]),  # has a value
        IsMissing("c"),
    )
    assert full.complement.tolist() == [-1] * 6 + [7, 6]
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


def test_has_a_value_is_a_range_and_a_set_where_values_are_missing() -> None:
    columns = {"x": [3, 1, None, 1], "c": ["b", None, "a", "a"], "k": ["a", "a", None, "a"]}
    some = candidate_literals(made(columns), thresholds="distinct", ranges=True, sets=2)
    assert names(some) == ["x ≤ 1", "x ≥ 3", "x ≥ 1", "c = a", "c = b", "c ∈ {a, b}", "k = a"]
    plain = candidate_literals(made(columns), thresholds="distinct")
    assert names(plain) == ["x ≤ 1", "x ≥ 3", "c = a", "c = b", "k = a"]
    whole = {"x": [3, 1, 2], "c": ["b", "a", "a"]}
    full = candidate_literals(made(whole), thresholds="distinct", ranges=True, sets=2)
    assert names(full) == ["x ≤ 1", "x ≥ 2", "x ≤ 2", "x ≥ 3", "2 ≤ x ≤ 2", "c = a", "c = b"]


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
    every -= {np.ones(len(x), bool).tobytes()}
    assert found == every - {np.zeros(len(x), bool).tobytes()}


def test_a_column_of_many_values_keeps_to_time_and_memory() -> None:
    """So many ranges on one column that a look between two columns would come far too late."""
    table = made({"x": list(range(100)), "y": list(range(100))})
    everything = candidate_literals(table, thresholds="distinct", ranges=True)
    assert len(everything) == 2 * (100 * 101 // 2 - 1)
    assert everything.note == ""
    late = Deadline.after(3.5, WorkClock())
    found = candidate_literals(table, thresholds="distinct", ranges=True, deadline=late)
    assert found.note.startswith(
        "only some conditions on 'x' were made for lack of time; only 1 of 2 columns"
    )
    assert 400 <= len(found) <= 1_200
    assert found.literals == everything.literals[: len(found)]
    few = candidate_literals(table, thresholds="distinct", ranges=True, max_bytes=1_500 * 16)
    assert few.note.startswith("only some conditions on 'x' were made for lack of memory; only 1 of 2")
    assert len(few) == 1_600


def test_a_literal_is_found_again_among_those_on_the_same_rows() -> None:
    """Also where attributes repeat one another, so that several literals hold for the same rows."""
    rng = np.random.default_rng(4)
    x = rng.integers(0, 6, size=150).astype(float)
    table = made({"x": x, "same": x, "kind": rng.choice(list("abc"), 150)}, rng.integers(0, 2, 150))
    literals = candidate_literals(table, thresholds="distinct", ranges=True)
    found = [literals.place_of(literal, table) for literal in literals.literals]
    assert found == list(range(len(literals)))
    assert literals.place_of(Range("x", low=-100), table) is None
    assert literals.place_of(Range("x", low=0.25, high=3.25), table) is None
    assert literals.place_of(Equal("kind", "d"), table) is None
