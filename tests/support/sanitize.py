"""Runs the tests of the kernels and of the searches with a core that watches itself: ``make sanitize``.

AddressSanitizer and UndefinedBehaviorSanitizer in one run, ThreadSanitizer in another; the first report ends
a run, and is a failure. ThreadSanitizer makes a search take many times as long, and has nothing to say where
one thread works alone: it gets the tests in which several work together. The libraries go into a folder of
their own, which OOA_KERNELS names. As Python was not built that way, the sanitizer is loaded before it; leaks
are not looked for, as Python leaves its own.
Each run begins with libraries that have a fault: if these are not reported, nothing is believed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from ooa.kernels.core_build import Compiler, build, compiler
from ooa.kernels.core_files import library_file

ROOT = Path(__file__).parent.parent.parent
KERNELS, SEARCH = "tests/kernels/test_", "tests/search/test_"
TESTS = (*(f"{KERNELS}{name}.py" for name in ("library", "bits", "mining", "sets", "boxes")), "tests/search")
#: Those with several threads: of what is counted for all sets at once, mining, dominance, the search for sets
#: (in a fixed order, and sharing at once), within limits, listing, boxes, and the best box.
THREADED = (
    f"{KERNELS}bits.py",
    f"{SEARCH}branch_and_bound.py::test_dominance_among_more_patterns_than_are_compared_at_a_time",
    f"{SEARCH}branch_and_bound.py::test_threads_that_share_at_once_find_the_same_gain",
    f"{KERNELS}sets.py::test_several_of_a_batch_are_better_than_all_before",
    f"{KERNELS}sets.py::test_small_pieces_of_work_give_the_same_answer",
    f"{SEARCH}listing.py::test_small_pieces_of_work_and_threads_list_the_same_in_the_same_order",
    f"{KERNELS}mining.py::test_the_same_in_many_batches_with_a_floor",
    f"{KERNELS}boxes.py::test_the_answer_does_not_depend_on_threads",
    f"{KERNELS}boxes.py::test_as_by_brute_force",
    f"{SEARCH}limited.py::test_the_best_set_within_limits",
    f"{SEARCH}boxes.py::test_caps_hold_and_are_reached",
    f"{KERNELS}sets.py::test_patterns_that_are_nearly_alike",
    f"{KERNELS}mining.py::test_the_same_as_in_numpy",
    f"{SEARCH}branch_and_bound.py::test_the_answer_does_not_depend_on_the_number_of_threads",
    f"{KERNELS}library.py::test_all_levels_give_the_same_to_the_last_bit",
)
COMMON = "-O1 -g -fno-omit-frame-pointer"


@dataclass(frozen=True)
class Run:
    """One kind of watching.

    Attributes
    ----------
    flags : options of the compiler
    first : libraries that must be loaded before Python's
    told : what the sanitizer is told, by variables
    faults : the body of a function in C++ that must be reported, by what the report says
    tests : what is run
    """

    flags: str
    first: tuple[str, ...]
    told: dict[str, str]
    faults: dict[str, str]
    tests: tuple[str, ...] = TESTS


RUNS = {
    "address, undefined": Run(
        "-fsanitize=address,undefined -fno-sanitize-recover=undefined",
        ("libasan.so", "libstdc++.so"),
        {"ASAN_OPTIONS": "detect_leaks=0:halt_on_error=1", "UBSAN_OPTIONS": "print_stacktrace=1"},
        {
            "heap-buffer-overflow": "std::vector<int> a(n); return a.data()[n];",
            "signed integer overflow": "return 2147483647 + n;",
        },
    ),
    "thread": Run(
        "-fsanitize=thread",
        ("libtsan.so",),
        # Threads of libraries that were not built that way cannot be followed.
        {"TSAN_OPTIONS": "halt_on_error=1:ignore_noninstrumented_modules=1", "OPENBLAS_NUM_THREADS": "1"},
        {"data race": "int a = 0; std::thread other([&] { a += n; }); a += n; other.join(); return a;"},
        THREADED,
    ),
}


def environment(run: Run, how: Compiler) -> dict[str, str]:
    """The variables of a process that is watched."""
    found = [
        subprocess.run([*how.command, f"-print-file-name={one}"], capture_output=True, text=True, check=True)
        for one in run.first
    ]
    return {**os.environ, **run.told, "LD_PRELOAD": " ".join(one.stdout.strip() for one in found)}


def missed_faults(run: Run, how: Compiler, folder: Path) -> list[str]:
    """The faults that are not reported."""
    folder.mkdir()
    missed = []
    for number, (report, body) in enumerate(run.faults.items()):
        source, library = folder / f"fault{number}.cpp", folder / f"fault{number}.so"
        source.write_text(f'#include <thread>\n#include <vector>\nextern "C" int fault(int n) {{ {body} }}\n')
        options = [*COMMON.split(), *run.flags.split(), "-shared", "-fPIC", "-pthread"]
        subprocess.run([*how.command, *options, str(source), "-o", str(library)], check=True)
        code = f"import ctypes; ctypes.CDLL({str(library)!r}).fault(1)"
        command, watched = [sys.executable, "-c", code], environment(run, how)
        done = subprocess.run(command, env=watched, capture_output=True, text=True, check=False)
        if done.returncode == 0 or report not in done.stderr:
            missed.append(report)
    return missed


def is_well(name: str, folder: Path, tests: list[str]) -> bool:
    """Whether faults are reported in one of `RUNS`, and the core has none."""
    run, how = RUNS[name], compiler()
    if how is None:
        print("there is no C++ compiler")
        return False
    if missed := missed_faults(run, how, folder):
        print(f"{name}: not reported: {', '.join(missed)}")
        return False
    os.environ["CXXFLAGS"] = f"{COMMON} {run.flags}"
    if not build(folder, ["baseline"]):
        return False
    print(f"{name} ...", flush=True)
    watched = environment(run, how) | {"OOA_KERNELS": str(library_file("baseline", folder))}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    return subprocess.run(command, cwd=ROOT, env=watched, check=False).returncode == 0


def main(tests: list[str]) -> int:
    """All runs, of these tests or of those of each."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: Path(scratch, name.split(",")[0]) for name in RUNS}
        wrong = [name for name in RUNS if not is_well(name, folders[name], tests or [*RUNS[name].tests])]
    print(f"failed: {'; '.join(wrong)}" if wrong else "no sanitizer had anything to report")
    return bool(wrong)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
