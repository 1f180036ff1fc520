"""What the command says can be typed: every option that a message names is one that the parser knows."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

import ooa.cli
from ooa.cli.parser import build_parser
from ooa.cli.wording import Typed
from ooa.learning.empty_result import TrivialResult
from ooa.learning.wording import Wording
from ooa.objective import Objective

SOURCES = sorted(Path(ooa.cli.__file__).parent.glob("*.py"))
#: A word that is an option; what follows the dashes is spelled out, and no f-string fills it in.
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def spoken(source: Path) -> set[str]:
    """The options named in the texts of a module, which the docstrings are not."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    documented = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and isinstance(node.body[0], ast.Expr)
    }
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    )
    return {option for text in texts for option in OPTION.findall(text)}


def known() -> set[str]:
    """The options of all commands."""
    parser = build_parser()
    commands = [choice for action in parser._actions for choice in (action.choices or {}).values()]
    return {
        option
        for command in (parser, *commands)
        for action in command._actions
        for option in action.option_strings
    }


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.stem)
def test_every_option_that_is_named_can_be_typed(source):
    assert spoken(source) <= known()


def test_options_are_found_in_messages():
    here = Path(ooa.cli.__file__).parent
    assert {"--c1", "--c2", "--positive", "--class-weight"} <= spoken(here / "wording.py")
    assert "--encoding" in spoken(here / "reading.py")


def test_everything_that_python_words_the_command_words_too():
    words = {name for name in vars(Wording) if not name.startswith("_")}
    assert words == {name for name in vars(Typed) if not name.startswith("_")}


def test_labels_are_quoted_as_a_shell_needs_them_and_those_that_cannot_be_typed_are_not_proposed():
    assert Typed().predict("light blue") == "--positive 'light blue'"
    why = TrivialResult(("not a", "a"), (4.0, 6.0), Objective.of(0.1, 0.1))
    assert why.sentence(Typed()).endswith("; --positive 'not a' would learn patterns of the other class.")
    assert why.sentence(Typed(against_rest=True)).endswith("no pattern covers more 'a' than 'not a'.")
    every = replace(why, every_row=True).sentence(Typed(against_rest=True))
    assert every.endswith("prices below --c1 0.1 --c2 0.1 would admit finer patterns.")
