"""Exports by name: every format and its options."""

from __future__ import annotations

from importlib.util import find_spec

import pandas as pd
import pytest
from support.exporting import cases, python_function

from ooa.errors import OptionError
from ooa.export import FORMATS, export
from ooa.rules.ruleset import RuleSet


def test_text_and_json_are_those_of_the_rule_set() -> None:
    for case in cases(True)[:20]:
        for rules in case.rules:
            assert RuleSet.parse(export(rules, "text")) == rules
            assert RuleSet.from_json(export(rules, "json", indent=2)) == rules


def test_every_format_writes_the_empty_rule_set() -> None:
    rules = RuleSet()
    for to in FORMATS:
        if to != "sql" or find_spec("sqlglot"):
            assert export(rules, to)
    frame = pd.DataFrame({"x": [1, 2]})
    assert frame.query(export(rules, "pandas"), engine="python").empty
    assert python_function(rules)({}) == 0


def test_unknown_formats_and_options_are_named() -> None:
    with pytest.raises(OptionError, match=r"'cobol'.*pmml, python, sql"):
        export(RuleSet(), "cobol")
    with pytest.raises(OptionError, match="no option 'dialekt'; did you mean 'dialect'"):
        export(RuleSet(), "sql", dialekt="duckdb")
    with pytest.raises(OptionError, match="no option 'colour'; known: table, dialect, what, types"):
        export(RuleSet(), "sql", colour="red")
    with pytest.raises(OptionError, match="latex has no option 'x'; it has none"):
        export(RuleSet(), "latex", x=1)
