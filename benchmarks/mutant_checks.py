"""Mutants of the checks around a solver, made by going through their code: see `mutant_list`.

Every condition of the modules is broken: a comparison by size is taken for true, and for false; any other
condition is turned round. Every call that is made for its effect is left out, and every tolerance and span of
time is changed.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from mutant_list import Mutant

ROOT = Path(__file__).parent.parent
_TESTS = "tests/solving/test_{}.py"
_SESSION = (_TESTS.format("checks"), _TESTS.format("session"))
#: Not the suites for adapters: hundreds of solves each.
_BUT_SUITES = ("-k", "not passes_what_it_claims and not suite")
#: Nor those that wait until a solver that does not listen is ended.
_IN_TIME = (_BUT_SUITES[0], f"{_BUT_SUITES[1]} and not does_not_listen")
#: The tests of each module, the quick ones first.
TESTS: dict[str, tuple[str, ...]] = {
    "verify": (_TESTS.format("verify"), _TESTS.format("answers"), *_SESSION, *_BUT_SUITES),
    "answers": (_TESTS.format("answers"), _TESTS.format("verify"), *_SESSION, *_BUT_SUITES),
    "confirm": (_TESTS.format("confirm"),),
    "starts": (_TESTS.format("answers"), *_SESSION, *_BUT_SUITES),
    "prepare": (_TESTS.format("prepare"), _TESTS.format("answers"), *_SESSION, *_BUT_SUITES),
    "job": (_TESTS.format("answers"), *_SESSION, *_BUT_SUITES),
    "solution": (_TESTS.format("checks"), _TESTS.format("contract"), "ooa/solving/solution.py", *_BUT_SUITES),
    "session": (
        *(_TESTS.format(one) for one in ("checks", "contract", "session", "changes", "answers", "liars")),
        *_IN_TIME,
    ),
    "runners": (_TESTS.format("runners"),),
    "follow": (_TESTS.format("follow"),),
}
#: Values at the top of a module that are no mere names: another value each.
NUMBERS = {
    "verify": {"OPTIMALITY": ("1e-6", "1e-2")},
    "prepare": {"FEASIBILITY": ("1e-6", "1e-2")},
    "confirm": {"OPEN": ("0.9", "9.0"), "FINE": ("1e-5", "1.0")},
    "answers": {"REPAIR_SECONDS": ("1.0", "0.0")},
    "starts": {"COMPLETION_SHARE": ("0.2", "2.0")},
    "follow": {
        "GRACE": ("0.4", "1e9"),
        "GRACE_SHARE": ("0.08", "1e9"),
        "STUBBORN": ("5.0", "1e9"),
        "AGAIN": ("0.2", "1e9"),
    },
    "job": {"LOG_KEPT": ("1_000_000", "10")},
}
_TURNED = {
    ast.Is: "is not",
    ast.IsNot: "is",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
}


def _of_module(module: str) -> Iterator[Mutant]:
    file = f"ooa/solving/{module}.py"
    text = (ROOT / file).read_text(encoding="utf-8")
    for name, (old, new) in NUMBERS.get(module, {}).items():
        yield Mutant(f"{name} = {new}", file, f"{name} = {old}", f"{name} = {new}", TESTS[module])
    seen: Counter[str] = Counter()
    for owner, function in _functions(ast.parse(text)):
        for node, new in _changes(function, text):
            old = ast.get_source_segment(text, node) or ""
            name = f"{owner}{function.name}: {' '.join(old.split())} -> {' '.join(new.split())}"
            seen[name] += 1
            label = name if seen[name] == 1 else f"{name} ({seen[name]})"
            yield Mutant(label, file, *_in_place(text, node, new), TESTS[module])


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Functions of a module and methods with their classes; those within functions belong to them."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield "", node
        elif isinstance(node, ast.ClassDef):
            yield from ((f"{node.name}.", part) for part in node.body if isinstance(part, ast.FunctionDef))


def _changes(function: ast.FunctionDef, text: str) -> Iterator[tuple[ast.AST, str]]:
    """Pieces of a function and what takes their places."""
    conditions: dict[ast.AST, None] = {}
    for node in _without_assertions(function):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            conditions |= dict.fromkeys(_leaves(node.test))
        elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):  # "or" may choose among values
            conditions |= dict.fromkeys(_leaves(node))
        elif isinstance(node, ast.Compare):
            conditions[node] = None
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            yield node, "pass"
    for node in conditions:
        if isinstance(node, ast.Constant):
            continue  # "while True"
        words = ast.get_source_segment(text, node) or ""
        if not isinstance(node, ast.Compare):
            yield node, f"(not {words})"
        elif type(node.ops[0]) in _TURNED:
            left, right = (ast.get_source_segment(text, part) for part in (node.left, node.comparators[0]))
            yield node, f"({left}) {_TURNED[type(node.ops[0])]} ({right})"
        else:
            yield from ((node, word) for word in ("True", "False"))


def _without_assertions(node: ast.AST) -> Iterator[ast.AST]:
    """All nodes but those within "assert", which tells readers and mypy what is known anyway."""
    yield node
    for part in ast.iter_child_nodes(node):
        if not isinstance(part, ast.Assert):
            yield from _without_assertions(part)


def _leaves(test: ast.expr) -> Iterator[ast.expr]:
    """The conditions that "and", "or" and "not" are made of."""
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from _leaves(part)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _leaves(test.operand)
    else:
        yield test


def _in_place(text: str, node: ast.AST, new: str) -> tuple[str, str]:
    """What to look for and what to put there: whole lines, as many as it takes to be found but once."""
    begins = [0]
    for line in text.splitlines(keepends=True):
        begins.append(begins[-1] + len(line))
    assert isinstance(node, (ast.expr, ast.stmt))
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    start = begins[node.lineno - 1] + node.col_offset
    end = begins[node.end_lineno - 1] + node.end_col_offset
    first, last = node.lineno - 1, begins[node.end_lineno]
    while text.count(text[begins[first] : last]) > 1:
        first -= 1
    return text[begins[first] : last], text[begins[first] : start] + new + text[end:last]


CHECKS = [mutant for module in TESTS for mutant in _of_module(module)]
