"""Compiles the core: the sources in core/ become a library for each instruction set.

It is done when the package is installed (see `packaging`), and by ``python -m ooa.kernels.core_build`` where
the package is installed in editable form. The compiler is what the variable CXX names, else the system's, else
that of the package ziglang, a C++ compiler that pip can install. Options in CXXFLAGS are added to ours. Nothing
here needs more than Python, and nothing fails: where no library can be built, there is a sentence instead.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .core_files import FOLDER, LEVELS, SOURCES, WITHOUT, digest, is_current, library_file

__all__ = ["MACOS", "Compiler", "build", "compiler", "sentence", "system_compiler"]

#: The oldest macOS that the libraries run on: the first one on ARM.
MACOS = "11.0"

#: Floating-point sums are contracted nowhere, so that every level gets the same ones.
_OPTIONS = (
    "-std=c++17", "-O3", "-Wall", "-Wextra", "-shared", "-fvisibility=hidden", "-ffp-contract=off",
    "-fno-math-errno",
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
    zig : whether it is that of the package ziglang, which compiles for the machine it runs on unless told
    """

    command: tuple[str, ...]
    zig: bool = False

    def options(self, level: str) -> list[str]:
        """Everything about the machine that the code is to run on."""
        features = _X86[level] if _is_x86() else ()
        if self.zig:
            options = ["-mcpu=" + "+".join(("baseline", *features))]
        else:
            options = [f"-m{feature}" for feature in features]
        if level == "avx512":
            options.append("-mprefer-vector-width=512")
        if sys.platform == "darwin":
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


def build(folder: Path = FOLDER, say: Callable[[str], None] = print) -> tuple[str, ...]:
    """Build the libraries that are not there yet, or are of other sources; return the levels that are there.

    Parameters
    ----------
    folder : where they go
    say : gets what was done, and a sentence about what is missing
    """
    levels = LEVELS if _is_x86() else LEVELS[:1]
    wanted = [level for level in levels if not is_current(library_file(level, folder))]
    for level in wanted:  # so that nothing of other sources is left, whatever happens
        library_file(level, folder).unlink(missing_ok=True)
    how = compiler() if wanted and SOURCES.is_dir() else None
    problems = _compiled(how, wanted, folder) if how else dict.fromkeys(wanted, "there is no C++ compiler")
    for level in wanted:
        if level in problems:
            say(f"{level}: not built: {problems[level]}")
        else:
            say(f"{level}: built with {' '.join(how.command) if how else ''}")
    there = tuple(level for level in levels if library_file(level, folder).is_file())
    if "baseline" not in there:
        say(sentence(problems["baseline"].splitlines()[0]))
        return ()
    return there


def sentence(reason: str) -> str:
    """What is slower where nothing could be built."""
    return f"ooa works without its compiled core ({reason}): {WITHOUT}."


def _compiled(how: Compiler, levels: list[str], folder: Path) -> dict[str, str]:
    """Compile for these levels, all at once; return what went wrong, by level."""
    folder.mkdir(parents=True, exist_ok=True)
    sources = [str(SOURCES / name) for name in ("interface.cpp", "library.cpp")]
    added = shlex.split(os.environ.get("CXXFLAGS", ""))
    # Where it is used already, a library may not be written into; a new file can take its name.
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        running = {}
        for level in levels:
            to = library_file(level, Path(scratch))
            defined = f'-DOOA_SOURCES="{digest()}"'
            command = [*how.command, *_OPTIONS, *how.options(level), defined, *sources, *added, "-o", str(to)]
            running[level] = to, _started(command)
        problems = {}
        for level, (to, process) in running.items():
            problem = process if isinstance(process, str) else _ended(process)
            if problem is None and not is_current(to):
                problem = "the compiler left no library"
            if problem is None:
                to.replace(library_file(level, folder))
            else:
                problems[level] = problem
    return problems


def _run(command: list[str]) -> str | None:
    """None if a command succeeds, else what went wrong."""
    process = _started(command)
    return process if isinstance(process, str) else _ended(process)


def _started(command: list[str]) -> subprocess.Popen[str] | str:
    try:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
    except OSError as problem:
        return f"{command[0]} does not run: {problem.strerror or problem}"


def _ended(process: subprocess.Popen[str]) -> str | None:
    output, _ = process.communicate()
    if process.returncode == 0:
        return None
    return f"the C++ compiler ended with {process.returncode}\n{output.strip()}"


def _is_x86() -> bool:
    return platform.machine().lower() in ("x86_64", "amd64") and sys.maxsize > 1 << 32


if __name__ == "__main__":
    print("compiled core:", ", ".join(build()) or "none")
