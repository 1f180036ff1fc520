"""What the command says can be typed: every option that a message names is one that the parser knows."""

from __future__ import annotations

import ast
import contextlib
import inspect
import json
import re
from dataclasses import fields, replace
from functools import cache
from pathlib import Path

import pytest

import ooa.cli
from ooa.cli import main
from ooa.cli.parser import build_parser
from ooa.cli.wording import Typed, TypedAdvice
from ooa.data.suspicions import Doubt, Suspicion
from ooa.data.table import Table
from ooa.export.pandas import to_pandas
from ooa.export.pmml import to_pmml
from ooa.export.sql import to_sql
from ooa.learning import mine
from ooa.learning.empty_result import TrivialResult
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import METHODS
from ooa.learning.wording import Wording
from ooa.objective import Objective

SOURCES = sorted(Path(ooa.cli.__file__).parent.glob("*.py"))
#: A word that is an option; what follows the dashes is spelled out, and no f-string fills it in.
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z0-9-]*")


def docstrings(tree: ast.Module) -> set[int]:
    """The nodes of a module that are docstrings."""
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        and isinstance(node.body[0], ast.Expr)
    }


def spoken(source: Path) -> set[str]:
    """The options named in the texts of a module, which the docstrings are not."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    documented = docstrings(tree)
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented
    )
    return {option for text in texts for option in OPTION.findall(text)}


@cache
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


def library_sources() -> list[Path]:
    """Every module but those of the command line."""
    root = Path(ooa.cli.__file__).parent.parent
    return sorted(path for path in root.rglob("*.py") if path.parent.name != "cli")


def raised(source: Path) -> list[str]:
    """The texts that a module raises or warns with; what is filled in stands as {}."""
    found = []
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and re.search(r"(Error|Unavailable|warn)$", ast.unparse(node.func)):
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    found.append(argument.value)
                elif isinstance(argument, ast.JoinedStr):
                    parts = (p.value if isinstance(p, ast.Constant) else "{}" for p in argument.values)
                    found.append("".join(map(str, parts)))
    return found


@cache
def parameters() -> set[str]:
    """What can be given by name in Python: of everything public, of every setting and of pandas' readers."""
    homes = [ooa, *(getattr(ooa, name) for name in ooa._PUBLIC_MODULES)]
    public = [getattr(home, name) for home in homes for name in home.__all__ if name[0] != "_"]
    methods = [
        value for one in public if inspect.isclass(one) for _, value in inspect.getmembers(one, callable)
    ]
    fits = [f.name for kind in METHODS.values() for f in fields(kind)]
    known = {"decimal", "na_values", "dayfirst", "format", "OOA_KERNELS", *fits}
    for one in (*public, *methods, to_pandas, to_pmml, to_sql):
        with contextlib.suppress(TypeError, ValueError):
            known |= set(inspect.signature(one).parameters)
    return known


@pytest.mark.parametrize(
    "source", library_sources(), ids=lambda source: f"{source.parent.name}.{source.stem}"
)
def test_messages_of_the_library_name_parameters_and_no_options(source):
    known = parameters()
    for text in raised(source):
        assert not OPTION.findall(text), text
        for name in re.findall(r"(?<![\w.({])([a-z_][a-z_0-9]*)=", text, re.IGNORECASE):
            assert name in known, f"{text!r} names {name}, which nobody can give"


@pytest.mark.parametrize(
    "source", library_sources(), ids=lambda source: f"{source.parent.name}.{source.stem}"
)
def test_an_option_and_its_value_are_facts_that_any_interface_can_word(source):
    """Else the command would say sets=3, where --sets 3 was typed."""
    for node in ast.walk(ast.parse(source.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "OptionError" and node.args:
            words = node.args[0]
            first = words.values[0] if isinstance(words, ast.JoinedStr) else words
            named = re.match(r"(\w+)=", str(first.value)) if isinstance(first, ast.Constant) else None
            assert named is None or f"--{named[1].replace('_', '-')}" not in known(), ast.unparse(node)


def noted(source: Path) -> list[str]:
    """The texts with blanks in a module of the learning room, which its certificate may say."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    documented = docstrings(tree)
    texts = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return [text.value for text in texts if " " in text.value and id(text) not in documented]


LEARNING = [source for source in library_sources() if source.parent.name in ("learning", "solving")]


@pytest.mark.parametrize("source", LEARNING, ids=lambda source: source.stem)
def test_notes_of_a_fit_name_settings_that_can_be_typed(source):
    """Not only what is raised is read: a certificate's message comes to the command line, too."""
    for text in noted(source):
        assert set(OPTION.findall(Typed().note(text))) <= known(), text


def test_notes_of_a_fit_are_worded_as_options_are_typed():
    table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    found = replace(learn_ooax(table).certificate, message="raise max_mined or min_support")
    assert str(found).endswith("\nraise max_mined or min_support")
    assert found.text(Typed()).endswith("\nraise --max-mined or --min-support")
    assert [text for text in noted(Path(mine.__file__)) if "max_length" in text]


def test_options_are_worded_as_they_are_typed(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"c{i % 60},{i % 7},{'yes' if i % 3 else 'no'}\n" for i in range(600))
    Path("t.csv").write_text("a,b,y\n" + rows)
    for words, said in (
        (["--sets", "6"], "ooa: --sets 6 makes more than 10000 literals of column 'a'"),
        (
            ["--selection", "search", "--max-patterns", "none", "--c1", "0", "--c2", "0"],
            "ooa: --selection search cannot be had here: rule sets of more than 200 patterns",
        ),
        (["--weight", "w"], "ooa: --weight names 'w', which is not a column"),
        (["--missing", "z"], "ooa: --missing names 'z', which is not a column"),
        (["--ordered", "z=1,2"], "ooa: --ordered names 'z', which is not a column"),
        (["--categorical", "B"], "ooa: --categorical names 'B', which is not a column; did you mean 'b'?"),
        (["--positive", "Yes"], "ooa: --positive Yes is not a value of column 'y': did you mean yes?"),
    ):
        assert main(["fit", "t.csv", "--target", "y", "--quiet", *words]) == 1
        assert capsys.readouterr().err.startswith(said)


REQUIRED = re.compile(r"pip install '?([a-z]+)", re.IGNORECASE)


def test_what_messages_say_to_install_is_what_the_project_asks_for():
    """By the names of the packages: an extra works from an index only, and a clone has none."""
    root = Path(ooa.cli.__file__).parent.parent.parent
    asked = (root / "pyproject.toml").read_text(encoding="utf-8").lower()
    said = set()
    for source in [*library_sources(), *SOURCES, *(root / "backends").glob("*.py")]:
        texts = [
            n.value
            for n in ast.walk(ast.parse(source.read_text(encoding="utf-8")))
            if isinstance(n, ast.Constant)
        ]
        for text in filter(lambda text: isinstance(text, str), texts):
            assert "ooa[" not in text, f"{source.name}: {text}"
            said |= set(REQUIRED.findall(text))
    assert {"openpyxl", "pyarrow", "sqlglot", "matplotlib", "pyscipopt"} <= said
    assert not [name for name in said if f'"{name.lower()}' not in asked]


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


REFERENCE = Path(ooa.cli.__file__).parent.parent.parent / "docs" / "reference" / "cli.md"


def test_the_reference_has_every_option_and_no_other():
    named = set(OPTION.findall(REFERENCE.read_text(encoding="utf-8")))
    assert named == {option for option in known() if option.startswith("--")}


def test_the_keys_of_the_json_are_documented(capsys, tmp_path, monkeypatch):
    """In the reference, and in the help of the command itself."""
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i % 7},{i % 3 + 1},{'yes' if i % 7 > 3 else 'no'}\n" for i in range(70))
    Path("t.csv").write_text("a,w,y\n" + rows)
    fit = ["t.csv", "--target", "y", "--weight", "w", "--quiet"]
    assert main(["fit", *fit, "--save", "m.json"]) == 0
    reference = REFERENCE.read_text(encoding="utf-8")
    for words in (
        ["fit", *fit],
        ["path", *fit, "--prices", "0.1"],
        ["trade-off", *fit, "--of", "min_sensitivity=LIMIT", "--limits", "0.5"],
        ["curve", *fit, "--weights", "1", "--folds", "2"],
        ["explore", *fit, "--output", "page.html"],
        ["predict", "m.json", "t.csv", "--why"],
        ["evaluate", "m.json", "t.csv"],
        ["compare", "m.json", "m.json", "t.csv"],
        ["explain", "m.json", "t.csv", "--row", "0"],
    ):
        capsys.readouterr()
        assert main([*words, "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        with pytest.raises(SystemExit):
            main([words[0], "--help"])
        about = capsys.readouterr().out
        for key in document:
            assert f"`{key}`" in reference, (words[0], key)
            assert re.search(rf"\b{key}\b", about), (words[0], key)
        for key in (key for pattern in document.get("patterns", []) for key in pattern):
            assert f"`{key}`" in reference, key


@pytest.mark.parametrize(
    ("alike", "said"),
    [
        ([("yes", "yes ")], "--strip"),
        ([("yes", "Yes")], "spell them so in the file"),
        ([("yes", "yes ", "Yes")], "spell them so in the file (--strip does away with blanks)"),
    ],
)
def test_blanks_that_make_a_difference_have_an_option(alike, said):
    found = Suspicion("c", Doubt.SPELLINGS, alike=tuple(alike))
    assert TypedAdvice().sentence(found).endswith(f"; if they are the same, {said}")
    assert str(found).endswith("; if they are the same, spell them so")
