"""The core is compiled where that can be done; where not, nothing fails, and there is a sentence about it."""

from __future__ import annotations

import importlib
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from ooa.kernels import core_build, core_files
from ooa.kernels.core_build import build, compiler, system_compiler
from ooa.kernels.core_files import SOURCES, WITHOUT, is_current, library_file

ROOT = Path(__file__).parent.parent.parent
pytestmark = pytest.mark.skipif(not SOURCES.is_dir(), reason="needs the source tree")

# Writes what it was told about the sources where the library should be.
COMPILER = """
import sys
from pathlib import Path
words = sys.argv[1:]
about = [word for word in words if word.startswith("-DOOA_SOURCES=")]
Path(words[words.index("-o") + 1]).write_text(" ".join(about))
"""


@pytest.fixture
def nothing(monkeypatch):
    """A machine without any compiler."""
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(core_build, "find_spec", lambda name: None)


@pytest.fixture
def simple(tmp_path, monkeypatch):
    """A machine with a compiler that looks at nothing."""
    script = tmp_path / "compiler.py"
    script.write_text(COMPILER)
    monkeypatch.setenv("CXX", f"'{Path(sys.executable).as_posix()}' '{script.as_posix()}'")


def test_without_a_compiler_there_is_a_sentence(nothing, tmp_path):
    said = []
    assert build(tmp_path, say=said.append) == ()
    assert said[-1] == f"ooa works without its compiled core (there is no C++ compiler): {WITHOUT}."
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (f"'{Path(sys.executable).as_posix()}' -c 'raise SystemExit(7)'", "the C++ compiler ended with 7"),
        ("no-such-compiler -v", "no-such-compiler does not run: No such file or directory"),
        (f"'{Path(sys.executable).as_posix()}' -c pass", "the compiler left no library"),
    ],
)
def test_a_compiler_that_fails_is_no_error(command, reason, tmp_path, monkeypatch):
    monkeypatch.setenv("CXX", command)
    said = []
    assert build(tmp_path, say=said.append) == ()
    assert said[-1] == f"ooa works without its compiled core ({reason}): {WITHOUT}."
    assert not [*tmp_path.iterdir()]


def test_only_what_is_not_up_to_date_is_compiled(simple, tmp_path, monkeypatch):
    folder, said = tmp_path / "there", []
    levels = build(folder, say=said.append)
    assert levels[0] == "baseline"
    assert said == [f"{level}: built" for level in levels]
    assert all(is_current(library_file(level, folder)) for level in levels)
    said.clear()
    assert build(folder, say=said.append) == levels
    assert said == []
    library_file("baseline", folder).write_text("of other sources")
    assert build(folder, say=said.append) == levels
    assert said == ["baseline: built"]
    monkeypatch.setattr(core_files, "digest", lambda: "ooa sources of tomorrow")
    assert not is_current(library_file("baseline", folder))


def test_nothing_of_other_sources_is_left(nothing, tmp_path):
    library_file("baseline", tmp_path).write_text("of other sources")
    build(tmp_path, say=lambda text: None)
    assert not library_file("baseline", tmp_path).exists()


def test_every_source_counts(tmp_path, monkeypatch):
    core = tmp_path / "core"
    core.mkdir()
    (core / "a.h").write_text("1")
    (core / "b.cpp").write_text("2")
    (tmp_path / "core_build.py").write_text("3")
    monkeypatch.setattr(core_files, "FOLDER", tmp_path)
    monkeypatch.setattr(core_files, "SOURCES", core)
    seen = {core_files.digest.__wrapped__()}
    for path in (core / "a.h", core / "b.cpp", tmp_path / "core_build.py", core / "c.h"):
        path.write_text("4")
        seen.add(core_files.digest.__wrapped__())
    assert len(seen) == 5
    monkeypatch.setattr(core_files, "SOURCES", tmp_path / "none")
    assert core_files.digest.__wrapped__() == ""


def test_ziglang_is_asked_for_where_there_is_no_other_compiler(nothing, monkeypatch):
    packaging = importlib.import_module("ooa.kernels.packaging")
    monkeypatch.setattr(packaging.sys, "platform", "linux")
    monkeypatch.setattr(packaging.platform, "machine", lambda: "aarch64")
    assert compiler() is None
    assert packaging._compilers() == ["ziglang"]
    monkeypatch.setattr(packaging.platform, "machine", lambda: "mips")  # no wheel of it
    assert packaging._compilers() == []
    monkeypatch.setattr(core_build, "find_spec", lambda name: name)
    assert compiler() == core_build.Compiler((sys.executable, "-m", "ziglang", "c++"), zig=True)


def test_the_named_compiler_comes_first(simple):
    packaging = importlib.import_module("ooa.kernels.packaging")
    assert compiler() == system_compiler() != None  # noqa: E711
    assert packaging._compilers() == []


def test_nothing_is_asked_for_where_the_compiler_is_said_to_be_none(nothing, tmp_path, monkeypatch):
    packaging = importlib.import_module("ooa.kernels.packaging")
    monkeypatch.setattr(packaging.sys, "platform", "linux")
    monkeypatch.setattr(packaging.platform, "machine", lambda: "x86_64")
    monkeypatch.setenv("CXX", "none")
    assert packaging._compilers() == []
    said = []
    assert build(tmp_path, say=said.append) == ()
    assert said[-1].startswith("ooa works without its compiled core (none does not run: ")


def test_ziglang_is_told_not_to_compile_for_this_very_machine():
    for level in ("baseline", "avx2", "avx512"):
        options = core_build.Compiler(("zig",), zig=True).options(level)
        assert [one for one in options if one.startswith("-mcpu=baseline")], options


@pytest.fixture
def source(tmp_path):
    """The source tree, out of which nothing is written."""
    copy = tmp_path / "source"
    copy.mkdir()
    for name in ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "ooa", "backends"):
        (copy / name).symlink_to(ROOT / name)
    return copy


def hook(source: Path, name: str, to: Path) -> str:
    code = f"from ooa.kernels import packaging; packaging.{name}({str(to)!r})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_the_sdist_has_the_sources(source, tmp_path):
    hook(source, "build_sdist", tmp_path)
    with tarfile.open(next(tmp_path.glob("ooa-*.tar.gz"))) as archive:
        names = {Path(*Path(name).parts[1:]).as_posix() for name in archive.getnames()}
    wanted = {path.relative_to(ROOT).as_posix() for path in SOURCES.iterdir()}
    assert len(wanted) > 10
    assert wanted <= names
    assert not [name for name in names if "/_core_" in name]


def test_a_wheel_without_libraries_is_for_any_platform(source, tmp_path, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler")
    said = hook(source, "build_wheel", tmp_path)
    assert next(tmp_path.glob("*.whl")).name.endswith("-py3-none-any.whl")
    reason = "no-such-compiler does not run: No such file or directory"
    assert f"ooa works without its compiled core ({reason}): {WITHOUT}." in said
