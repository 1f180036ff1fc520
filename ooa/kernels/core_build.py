"""Compiles the core: the sources in core/ become a library for each instruction set.

It is done when the package is installed (see `packaging`), and by ``python -m ooa.kernels.core_build`` where
the package is installed in editable form; a folder for the libraries, and instruction sets, may follow. The
compiler is what the variable CXX names, else the system's, else that of the package ziglang, a C++ compiler
that pip can install. Options in CXXFLAGS are added to ours. Nothing here needs more than Python, and nothing
fails: where no library can be built, there is a sentence instead.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .core_files import FOLDER, LEVELS, SOURCES, WITHOUT, digest, is_current, library_file

__all__ = ["MACOS", "Compiler", "build", "compiler", "sentence", "system_compiler"]

#: The oldest macOS that the libraries run on: the first one on ARM.
MACOS = "11.0"

#: Floating-point sums are contracted nowhere, so that every level gets the same ones.
_OPTIONS = (
    "-std=c++17", "-O3", "-Wall", "-Wextra", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno",
)  # fmt: skip
_X86 = {
    "baseline": ("popcnt",),
    "avx2": ("popcnt", "avx2", "bmi2"),
    "avx512": ("popcnt", "avx2", "bmi2", "avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512vpopcntdq"),
}


class Compiler(NamedTuple):
    """How a C++ compiler is called.

    Attributes
    ----------
    command : what its options are added to
    zig : whether it is that of the package ziglang, which compiles for the machine it runs on, and for a
        debugger, unless it is told
    """

    command: tuple[str, ...]
    zig: bool = False

    def options(self, level: str) -> list[str]:
        """How to compile for an instruction set."""
        features = _X86[level] if _is_x86() else ()
        if self.zig:
            options = [*_OPTIONS, "-s", "-mcpu=" + "+".join(("baseline", *features))]
        else:
            options = [*_OPTIONS, *(f"-m{feature}" for feature in features)]
        if level == "avx512":
            options.append("-mprefer-vector-width=512")
        if sys.platform == "darwin" and not self.zig:
            options.append(f"-mmacosx-version-min={MACOS}")
        return options if sys.platform == "win32" else [*options, "-fPIC", "-pthread"]


def system_compiler() -> Compiler | None:
    """What CXX names, or the compiler of the system; None if there is none that runs.

    On Windows only CXX counts: the core takes builtins of GCC and Clang, and what GCC builds there needs
    libraries of its own, which a wheel would not have.
    """
    if named := os.environ.get("CXX", "").strip():
        return Compiler(tuple(shlex.split(named)))
    names = () if sys.platform == "win32" else ("c++", "g++", "clang++")
    found = (Compiler((path,)) for name in names if (path := shutil.which(name)))
    return next((one for one in found if _run([*one.command, "--version"]) is None), None)


def compiler() -> Compiler | None:
    """The system's compiler, else that of ziglang, else None."""
    found = system_compiler()
    if found is None and find_spec("ziglang") is not None:
        return Compiler((sys.executable, "-m", "ziglang", "c++"), zig=True)
    return found


def build(
    folder: Path = FOLDER, levels: Sequence[str] | None = None, say: Callable[[str], None] = print
) -> tuple[str, ...]:
    """Build the libraries that are not there yet, or are of other sources; return the levels that are there.

    Parameters
    ----------
    folder : where they go
    levels : instruction sets; all that processors of this kind may have, unless named
    say : gets what was done, and a sentence about what is missing
    """
    levels = levels or (LEVELS if _is_x86() else LEVELS[:1])
    wanted = [level for level in levels if not is_current(library_file(level, folder))]
    for level in wanted:  # so that nothing of other sources is left, whatever happens
        library_file(level, folder).unlink(missing_ok=True)
    how = compiler() if wanted else None
    problems = _compiled(how, wanted, folder) if how else dict.fromkeys(wanted, "there is no C++ compiler")
    for level in wanted:
        say(f"{level}: {'not built: ' + problems[level] if level in problems else 'built'}")
    there = tuple(level for level in levels if library_file(level, folder).is_file())
    if not there:
        say(sentence(problems[levels[0]].splitlines()[0]))
    return there


def sentence(reason: str) -> str:
    """What is slower where nothing could be built."""
    return f"ooa works without its compiled core ({reason}): {WITHOUT}."


def _compiled(how: Compiler, levels: Sequence[str], folder: Path) -> dict[str, str]:
    """Compile for these levels, all at once; return what went wrong, by level."""
    folder.mkdir(parents=True, exist_ok=True)
    added = shlex.split(os.environ.get("CXXFLAGS", ""))
    problems = {}
    # Where it is used already, a library may not be written into; a new file can take its name.
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        code = {level: Path(scratch, f"{level}.o") for level in levels}
        searches, rest = str(SOURCES / "interface.cpp"), str(SOURCES / "library.cpp")
        running = {
            level: _started([*how.command, *how.options(level), *added, "-c", searches, "-o", str(to)])
            for level, to in code.items()
        }
        ended = {level: _ended(process) for level, process in running.items()}
        # All are linked as for the lowest level: ziglang compiles its C++ library for each that it links for.
        about = f'-DOOA_SOURCES="{digest()}"'
        link = [*how.command, *how.options("baseline"), *added, about, rest, "-shared"]
        for level, problem in ended.items():
            library = library_file(level, Path(scratch))
            problem = problem or _run([*link, str(code[level]), "-o", str(library)])
            if problem is None and not is_current(library):
                problem = "the compiler left no library"
            if problem is None:
                library.replace(library_file(level, folder))
            else:
                problems[level] = problem
    return problems


def _run(command: list[str]) -> str | None:
    """None if a command succeeds, else what went wrong."""
    return _ended(_started(command))


def _started(command: list[str]) -> subprocess.Popen[str] | str:
    """A command that runs, or why it does not."""
    try:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
    except OSError as problem:
        return f"{command[0]} does not run: {problem.strerror or problem}"


def _ended(process: subprocess.Popen[str] | str) -> str | None:
    if isinstance(process, str):
        return process
    output, _ = process.communicate()
    if process.returncode == 0:
        return None
    return f"the C++ compiler ended with {process.returncode}\n{output.strip()}"


def _is_x86() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64") and sys.maxsize > 1 << 32


if __name__ == "__main__":
    build(Path(sys.argv[1]) if sys.argv[1:] else FOLDER, sys.argv[2:])
