"""Runs the tests of the kernels and of the searches with a core that watches itself: ``make sanitize``.

AddressSanitizer and UndefinedBehaviorSanitizer in one run, ThreadSanitizer in another; the first report ends
a run, and is a failure. The libraries go into a folder of their own, which OOA_KERNELS names. As Python was
not built that way, the sanitizer is loaded before it; leaks are not looked for, as Python leaves its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from ooa.kernels.core_build import build, compiler
from ooa.kernels.core_files import library_file

ROOT = Path(__file__).parent.parent.parent
TESTS = ("tests/kernels/test_library.py", "tests/search")
COMMON = "-O1 -g -fno-omit-frame-pointer"
#: By name: options of the compiler, the libraries that must be loaded first, and what the sanitizer is told.
RUNS = {
    "address, undefined": (
        "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
        ("libasan.so", "libstdc++.so"),
        {"ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1", "UBSAN_OPTIONS": "print_stacktrace=1"},
    ),
    "thread": (
        "-fsanitize=thread",
        ("libtsan.so",),
        # Threads of libraries that were not built that way cannot be followed.
        {"TSAN_OPTIONS": "halt_on_error=1:ignore_noninstrumented_modules=1", "OPENBLAS_NUM_THREADS": "1"},
    ),
}


def run(name: str, folder: Path, tests: list[str]) -> bool:
    """Whether everything is well under one of `RUNS`."""
    flags, first, told = RUNS[name]
    os.environ["CXXFLAGS"] = f"{COMMON} {flags}"
    how = compiler()
    if how is None or not build(folder, ["baseline"]):
        return False
    found = [
        subprocess.run([*how.command, f"-print-file-name={one}"], capture_output=True, text=True, check=True)
        for one in first
    ]
    environment = {
        **os.environ,
        **told,
        "LD_PRELOAD": " ".join(one.stdout.strip() for one in found),
        "OOA_KERNELS": str(library_file("baseline", folder)),
    }
    print(f"{name} ...", flush=True)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


def main(tests: list[str]) -> int:
    """All runs, of these tests or of `TESTS`."""
    with tempfile.TemporaryDirectory() as scratch:
        wrong = [name for name in RUNS if not run(name, Path(scratch, name.split(",")[0]), tests or [*TESTS])]
    print(f"failed: {'; '.join(wrong)}" if wrong else "no sanitizer had anything to report")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
