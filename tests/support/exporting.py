"""What all exports are tried on."""

from __future__ import annotations

import ast
import random
from functools import cache
from typing import Any

from ooa.export import export
from ooa.rules.ruleset import RuleSet
from support.export_cases import Case, random_case


@cache
def cases(mixed: bool) -> list[Case]:
    """Draw what all engines are tried on: 1,600 rule sets that fit the types of their columns, or may not."""
    rng = random.Random(f"export {mixed}")
    return [random_case(rng, mixed=mixed) for _ in range(80)]


def given_types(case: Case, mixed: bool) -> Any:
    """Return the types where an export needs them: to settle a clash, or to tell text from NaN."""
    return (
        case.types
        if mixed or any("nan" in map(str.lower, filter(_is_text, c)) for c in case.columns.values())
        else None
    )


def _is_text(cell: Any) -> bool:
    return isinstance(cell, str)


def python_function(rules: RuleSet) -> Any:
    source = export(rules, "python")
    assert source.isascii()
    names = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    assert names <= {
        *("row", "name", "value", "kind", "epoch", "datetime", "float", "str", "bool", "type", "hasattr"),
        *("int", "abs", "number", "large"),
        *("isinstance", "TypeError", "ValueError", "ArithmeticError", "_value", "_number", "_time"),
    }
    namespace: dict[str, Any] = {}
    exec(source, namespace)
    return namespace["predict"]
