"""JSON keeps everything, and refuses with the place named whatever it did not write itself."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.strategies import rule_sets
from support.sweeps import sweep

from ooa.errors import FormatError
from ooa.rules.ruleset import RuleSet

RULES = RuleSet.parse(
    """IF x > 1 AND y IN {a, 1, true} OR z IS MISSING OR y != 'b' AND z = 2.5 OR t < 2020-01-01
    THEN predict label = yes ELSE predict label = no"""
)


@settings(max_examples=sweep(75, of=150))
@given(rule_sets())
def test_round_trip(rules: RuleSet) -> None:
    for again in (
        RuleSet.from_json(rules.to_json()),
        RuleSet.from_json(rules.to_json(indent=2)),
        RuleSet.from_json(rules.to_json().encode()),  # type: ignore[arg-type]
        RuleSet.from_dict(rules.to_dict()),
    ):
        assert again == rules
        assert repr(again) == repr(rules)  # which also tells 1 from 1.0 in the labels
    assert rules.to_json().isascii()


def test_the_documented_form() -> None:
    document = RULES.to_dict()
    assert document["format"] == "ooa.rules"
    assert document["version"] == 1
    assert (document["target"], document["positive"], document["negative"]) == ("label", "yes", "no")
    assert [literal["kind"] for pattern in document["patterns"] for literal in pattern["literals"]] == [
        "range",
        "missing",
        "range",
        "one_of",
        "not_equal",
        "equal",
    ]
    assert document["patterns"][2]["literals"][0] == {
        "kind": "range",
        "attribute": "x",
        "low": 1.0,
        "high": None,
        "low_closed": False,
        "high_closed": True,
        "time": False,
    }
    assert json.loads(RULES.to_json()) == document


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (["version"], 2, "version: this library reads version 1, not 2"),
        (["version"], "1", "version: this library reads version 1, not '1'"),
        (["version"], True, "version: this library reads version 1, not True"),
        (["format"], "pickle", "format: expected 'ooa.rules', got 'pickle'"),
        (["target"], 3, "target: expected a text, got 3"),
        (["positive"], None, "positive: expected a text, a number, true or false, got None"),
        (["positive"], "no", "the document: The positive and the negative label are both 'no'"),
        (["patterns"], {}, "patterns: expected a list, got {}"),
        (["patterns", 1], [], "patterns[1]: expected an object, got []"),
        (["patterns", 1, "literals"], [], "patterns[1]: A pattern needs at least one literal"),
        (
            ["patterns", 2, "literals", 0, "low"],
            "x",
            "patterns[2].literals[0].low: expected a number, got 'x'",
        ),
        (
            ["patterns", 2, "literals", 0, "low"],
            True,
            "patterns[2].literals[0].low: expected a number, got True",
        ),
        (
            ["patterns", 2, "literals", 0, "low"],
            None,
            "patterns[2].literals[0]: The range of 'x' has neither",
        ),
        (
            ["patterns", 2, "literals", 0, "time"],
            1,
            "patterns[2].literals[0].time: expected true or false, got 1",
        ),
        (
            ["patterns", 2, "literals", 0, "kind"],
            "eval",
            "patterns[2].literals[0].kind: expected one of range, ",
        ),
        (["patterns", 2, "literals", 0, "kind"], [], "patterns[2].literals[0].kind: expected one of range, "),
        (
            ["patterns", 2, "literals", 0, "attribute"],
            None,
            "patterns[2].literals[0].attribute: expected a text",
        ),
        (
            ["patterns", 2, "literals", 0, "attribute"],
            "y",
            "patterns[2]: A pattern has one literal per attribute",
        ),
        (
            ["patterns", 2, "literals", 0, "extra"],
            1,
            "patterns[2].literals[0].extra: is unknown; expected only kind",
        ),
        (
            ["patterns", 2, "literals", 1, "values"],
            "ab",
            "patterns[2].literals[1].values: expected a list, got 'ab'",
        ),
        (
            ["patterns", 2, "literals", 1, "values", 1],
            None,
            "patterns[2].literals[1].values[1]: expected a text",
        ),
        (["patterns", 3, "literals", 0, "value"], [1], "patterns[3].literals[0].value: expected a text"),
        (
            ["patterns", 3, "literals", 0, "value"],
            float("nan"),
            "patterns[3].literals[0]: A literal on 'y': nan",
        ),
        (
            ["patterns", 0, "literals", 0, "high"],
            0.5,
            "patterns[0].literals[0]: The high bound of the time 't'",
        ),
        (["more"], 1, "more: is unknown"),
    ],
)
def test_what_is_wrong_is_named(path: list[Any], value: object, message: str) -> None:
    document = copy.deepcopy(RULES.to_dict())
    place: Any = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    with pytest.raises(FormatError) as caught:
        RuleSet.from_dict(document)
    assert str(caught.value).startswith(message)


def test_what_is_missing_is_named() -> None:
    places: dict[str, list[Any]] = {
        "target": ["target"],
        "patterns[2].literals[0].low": ["patterns", 2, "literals", 0, "low"],
    }
    for place, path in places.items():
        document = copy.deepcopy(RULES.to_dict())
        entry: Any = document
        for step in path[:-1]:
            entry = entry[step]
        del entry[path[-1]]
        with pytest.raises(FormatError) as caught:
            RuleSet.from_dict(document)
        assert str(caught.value) == f"{place}: is missing"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: "),
        ('{"format":\n oops}', "line 2, column 2: "),
        ("[]", "the document: expected an object, got []"),
        ("{}", "format: expected 'ooa.rules', got None"),
        ("[" * 100_000, "the document is nested too deeply"),
        ('{"format": "ooa.rules", "version": NaN}', "NaN is not a JSON number"),
        ('{"version": 1, "version": 1}', "the member 'version' occurs twice in one object"),
        ('{"version": ' + "1" * 5000 + "}", "the document holds a number that cannot be read"),
        (b"\xff\xfe\x00", "the document is not"),
        (None, "JSON is read from text, not from NoneType"),
    ],
)
def test_what_is_not_json_is_refused(text: Any, message: str) -> None:
    with pytest.raises(FormatError) as caught:
        RuleSet.from_json(text)
    assert str(caught.value).startswith(message)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["kind", "attribute", "low", "value", "literals", "x"]), inner, max_size=3
        )
    ),
    max_leaves=6,
)


@settings(max_examples=sweep(75, of=150))
@given(st.data(), json_values)
def test_any_change_is_read_or_refused(data: st.DataObject, value: object) -> None:
    document: Any = copy.deepcopy(RULES.to_dict())
    place, step = document, data.draw(st.sampled_from(sorted(document)))
    while isinstance(place[step], (dict, list)) and place[step] and data.draw(st.booleans()):
        place = place[step]
        step = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
    place[step] = value
    try:
        rules = RuleSet.from_dict(document)
    except FormatError:
        return  # any other exception fails the test
    assert RuleSet.from_dict(rules.to_dict()) == rules
