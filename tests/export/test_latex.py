"""LaTeX: everything is escaped."""

from __future__ import annotations

from support.export_cases import TEXTS

from ooa.export import export
from ooa.rules.literal import Equal
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet


def test_latex_escapes_everything() -> None:
    for text in TEXTS:
        rules = RuleSet([Pattern([Equal(text, text)])], target=text, positive=text, negative=f"{text}.")
        lines = export(rules, "latex").splitlines()
        assert len(lines) == 5
        for line in lines[1:-1]:
            row = line.removesuffix(r" \\").replace(" & ", " ", 1)
            plain = row.replace(r"\{", "").replace(r"\}", "")
            assert plain.count("{") == plain.count("}")
            for sign in "&%#_$":
                assert row.count(sign) == row.count("\\" + sign) + (
                    row.count(r"$\geq$") + row.count(r"$\leq$")
                ) * 2 * (sign == "$")
            assert not any(sign in row for sign in "~^\"'`<>|")
