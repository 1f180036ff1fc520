"""Rule sets by class: which one counts, how they read, and what makes no sense."""

from __future__ import annotations

import numpy as np
import pytest

from ooa.errors import RuleError
from ooa.rules.by_class import ClassRules
from ooa.rules.ruleset import RuleSet


def rules(text, label, target="fruit"):
    patterns = RuleSet.parse(text).patterns if text else ()
    return RuleSet(patterns, target, label, "other")


APPLE, PEAR, PLUM = rules("x < 2", "apple"), rules("x < 4 OR y = 1", "pear"), rules("", "plum")


def test_the_first_that_holds_counts():
    found = ClassRules([PEAR, APPLE, PLUM], default="plum")
    rows = [{"x": x, "y": y} for x in (1, 3, 5, None) for y in (0, 1)]
    assert found.predict(rows).tolist() == ["pear", "pear", "pear", "pear", "plum", "pear", "plum", "pear"]
    turned = ClassRules([APPLE, PEAR, PLUM], default="apple")
    assert turned.predict(rows).tolist() == [
        *("apple", "apple", "pear", "pear", "apple", "pear", "apple", "pear"),
    ]
    assert turned.decide(np.array([[0, 0, 0], [0, 1, 1], [1, 1, 0]], dtype=bool)).tolist() == [0, 1, 0]


def test_the_text_reads_from_top_to_bottom():
    text = str(ClassRules([APPLE, PLUM, PEAR], default="plum"))
    assert text.splitlines() == [
        "IF   (x < 2)",
        "THEN predict fruit = apple",
        "ELSE IF (x < 4)",
        "  OR (y = 1)",
        "THEN predict fruit = pear",
        "ELSE predict fruit = plum",
    ]
    assert str(ClassRules([PLUM], default="plum")) == "predict fruit = plum"


def test_a_mapping_of_rule_sets():
    found = ClassRules([PEAR, APPLE], default="apple")
    assert list(found) == ["pear", "apple"]
    assert found["apple"] is APPLE
    assert found.target == "fruit"
    assert "2 patterns" in repr(found)
    assert "x &lt; 2" in found._repr_html_()


def test_labels_keep_their_type():
    numbers = ClassRules([rules("x < 2", 3), rules("x < 4", 7)], default=7)
    assert numbers.predict([{"x": 1}, {"x": 9}]).tolist() == [3, 7]
    mixed = ClassRules([rules("x < 2", "three"), rules("x < 4", 7)], default=7)
    assert mixed.predict([{"x": 1}, {"x": 9}]).tolist() == ["three", 7]


@pytest.mark.parametrize(
    ("some", "default", "message"),
    [
        ([APPLE, APPLE], "apple", "two rule sets for the same class"),
        ([APPLE, rules("x < 4", "pear", "tree")], "apple", "one and the same target"),
        ([APPLE], "pear", "'pear' is none of the classes"),
    ],
)
def test_what_makes_no_sense_is_refused(some, default, message):
    with pytest.raises(RuleError, match=message):
        ClassRules(some, default)
