"""PMML: by the standard's own rules, and in another program, the same is predicted."""

from __future__ import annotations

from typing import Any

import pytest
from support.exporting import cases, given_types
from support.pmml_scoring import needs_pypmml, read_by_pypmml, score, spelt

from ooa.errors import RuleError
from ooa.export import export
from ooa.rules.literal import Equal
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


@pytest.mark.parametrize("mixed", [True, False])
def test_pmml_predicts_the_same(mixed: bool) -> None:
    for case in cases(mixed):
        for rules, expected in zip(case.rules, case.expected):
            text = export(rules, "pmml", types=given_types(case, mixed))
            assert score(text, case.rows()) == list(map(spelt, expected))


@needs_pypmml
def test_a_pmml_reader_predicts_the_same(tmp_path: Any) -> None:
    jobs, wanted = [], []
    for case in cases(True):
        if "time" in case.kinds.values():  # the reader does not compare times
            continue
        for rules, expected in zip(case.rules[:2], case.expected):
            jobs.append((export(rules, "pmml", types=case.types), case.rows()))
            wanted.append(expected)
    assert len(jobs) > 50
    assert read_by_pypmml(jobs, tmp_path / "jobs") == wanted


def test_pmml_says_what_it_cannot_do() -> None:
    for rules, message in [
        (RuleSet([Pattern([Equal("x", "\x01")])]), "XML"),
        (RuleSet([Pattern([Equal("\x01", 1)])]), "XML"),
        (RuleSet([Pattern([Equal("target", 1)])]), "also an attribute"),
        (RuleSet.parse("x = 9007199254740993 OR x = 1"), "as doubles, which do not tell 9007199254740993"),
        (RuleSet([], positive=True, negative=0.5), "differ in type"),
    ]:
        with pytest.raises(RuleError, match=message):
            export(rules, "pmml")
