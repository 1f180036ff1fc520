"""Every example on every page is run: Python and commands, page by page, in a folder of their own.

A block called ``pycon``, or ``python`` with ``>>>`` in it, is a doctest; other ``python`` is executed. In one
called ``console`` what follows ``$`` is run, by the shell or, if it is `ooa` alone, as the shell would (that
with which the README opens by the shell, too), and must succeed; the lines until the next ``$`` are
what it must print, as results or as notes; one that must print ``ooa: ...`` must fail with that sentence.
``...`` stands for anything. A comment ``<!-- needs: package -->`` before a block names packages without which
it is left out; ``core`` is the compiled core.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from support.site import code_blocks

import ooa
from ooa.cli import main
from ooa.kernels.availability import compiled

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "examples/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
#: The package under test: the source tree's, or the one that is installed.
HOME = Path(ooa.__file__).parent.parent
_BLOCK = re.compile(
    r"(?:^<!-- needs: (?P<needs>[\w, ]+) -->\s*)?"
    r"^(?P<indent> *)```(?P<kind>\w*)[^\n]*\n(?P<text>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_FILE = re.compile(r"`((?:ooa|backends|tests|benchmarks|docs|examples)/[\w./-]*\.\w+)`")
_FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_SHELL = re.compile(r"[|<>&;$`*?]")
_KINDS = {"", "pycon", "python", "console", "sh", "text", "sql", "toml", "make"}

pytestmark = pytest.mark.skipif(not (ROOT / "docs").is_dir(), reason="needs the source tree")


@dataclass
class Block:
    """A fenced block of a page."""

    kind: str
    text: str
    line: int
    needs: tuple[str, ...]

    @property
    def lacking(self) -> list[str]:
        return [name for name in self.needs if not _is_there(name)]


def _is_there(name: str) -> bool:
    return compiled() if name == "core" else importlib.util.find_spec(name) is not None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        needs = tuple(name.strip() for name in (match["needs"] or "").split(",") if name.strip())
        line = text.count("\n", 0, match.start("text"))
        kind = "pycon" if match["kind"] == "python" and ">>>" in match["text"] else match["kind"]
        found.append(Block(kind, textwrap.dedent(match["text"]), line, needs))
    return found


def run_code(block: Block, names: dict[str, Any], page: Path) -> str:
    """Execute a block."""
    exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
    return ""


def run_examples(block: Block, names: dict[str, Any], page: Path) -> str:
    """Run a block with prompts; return what went wrong."""
    test = doctest.DocTestParser().get_doctest(block.text, names, page.name, str(page), block.line)
    test.globs = names  # so that later blocks see what this one defines
    said: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=_FLAGS)
    runner.run(test, out=said.append, clear_globs=False)
    return "".join(said) if runner.failures else ""


def run_console(block: Block, names: dict[str, Any], page: Path) -> str:
    """Run the commands of a block; return what went wrong."""
    for command, wanted in code_blocks().commands(block.text):
        plain = command.startswith("ooa ") and _SHELL.search(command) is None
        opens = page == PAGES[0] and block == blocks(page)[0]
        code, out, err = (run_ooa if plain and not opens else run_shell)(command)
        fails = wanted.startswith("ooa: ")
        printed = (err,) if fails else (out, err)
        check = doctest.OutputChecker().check_output
        right = not wanted.strip() or any(check(wanted, text, _FLAGS) for text in printed)
        if bool(code) != fails or not right:
            return f"{page.name}, line {block.line}: {command}exit code {code}\n{out}\n{err}"
    return ""


def run_shell(command: str) -> tuple[int, str, str]:
    """Run a command by the shell; return its exit code and what it printed."""
    own = f'ooa() {{ {shlex.quote(sys.executable)} -m ooa "$@"; }}\n'
    path = os.pathsep.join([str(HOME), *filter(None, [os.environ.get("PYTHONPATH")])])
    ran = subprocess.run(
        ["bash", "-c", own + command],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=os.environ | {"PYTHONPATH": path, "COLUMNS": "110", "PYTHONIOENCODING": "utf-8"},
        timeout=300,
        check=False,
    )
    return ran.returncode, ran.stdout, ran.stderr


def run_ooa(command: str) -> tuple[int, str, str]:
    """The same for a command that asks nothing of a shell, in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    words = shlex.split(command.replace("\\\n", " "), comments=True)[1:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "110")
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        try:
            code = main(words)
        except SystemExit as end:
            code = int(end.code or 0)
    return code, *(one.buffer.getvalue().decode() for one in (out, err))


_RUNNERS = {"pycon": run_examples, "python": run_code, "console": run_console}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_examples(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    some = [block for block in blocks(page) if block.kind in _RUNNERS]
    if any(block.kind == "console" for block in some) and not shutil.which("bash"):
        pytest.skip("needs bash")
    names: dict[str, Any] = {"__name__": "__main__"}
    lacking = sorted({name for block in some for name in block.lacking})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        failures = [_RUNNERS[block.kind](block, names, page) for block in some if not block.lacking]
    assert not any(failures), "".join(failures)
    if lacking:
        pytest.skip(f"the examples that need {', '.join(lacking)} were left out; the others passed")


def test_the_readme_opens_with_what_one_line_prints() -> None:
    opening = blocks(ROOT / "README.md")[0]
    assert opening.kind == "console"
    [(command, printed)] = code_blocks().commands(opening.text)
    assert command.startswith("ooa fit dataset:")
    assert re.search(r"^IF .*^THEN .*^ELSE .*^proved optimal", printed, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_blocks_say_what_they_are(page: Path) -> None:
    for block in blocks(page):
        assert block.kind in _KINDS, f"{page.name}, line {block.line}: nothing runs a block of {block.kind!r}"
        assert (block.kind == "pycon") == (">>>" in block.text), f"{page.name}, line {block.line}"
        if block.kind != "console":
            assert not re.search(r"^\$ ", block.text, re.MULTILINE), f"{page.name}, line {block.line}"


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if not re.match(r"[a-z]+:|#", target):
                assert (page.parent / target.partition("#")[0]).exists(), f"{page.name}: {target}"


def test_names_on_pages_are_those_of_the_code() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace('"ooa.backends"', "").replace("`ooa.backends`", "")
        for name in set(re.findall(r"\booa(?:\.[A-Za-z_]\w*)+", text)):
            assert is_there(name), f"{page.name}: {name}"
        for path in set(_FILE.findall(text)):
            assert (ROOT / path).exists(), f"{page.name}: {path}"


def is_there(name: str) -> bool:
    """Whether a dotted name leads to a module, or to what is in one."""
    parts, found = name.split("."), None
    for n, part in enumerate(parts):
        with contextlib.suppress(ImportError):
            found = importlib.import_module(".".join(parts[: n + 1]))
            continue
        if not hasattr(found, part):
            return False
        found = getattr(found, part)
    return True
