"""The command line as a program: usage errors, help, progress, pipes, Ctrl-C and completion."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pandas as pd
import pytest
from support import cli_running
from support.cli_running import FIT
from support.clocks import HandClock

from ooa.cli import main
from ooa.cli.output import PlainLines, following, text_table

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa


COMMANDS = (
    "fit path trade-off curve explore bench write predict evaluate compare explain export backends datasets "
    "demo completion"
)


@pytest.mark.parametrize(
    "words",
    [
        ["fti"],
        ["fit"],
        ["fit", "x.csv", "--no-such-option"],
        ["fit", "x.csv", "--time", "3"],
        ["fit", "x.csv", "--time-limit", "soon"],
        ["fit", "x.csv", "--max-patterns", "0"],
        ["fit", "x.csv", "--method", "magic"],
        ["explain", "m.json", "x.csv"],
    ],
)
def test_usage_errors_end_with_2(ooa, words):
    answer = ooa(*words)
    assert answer.code == 2
    assert answer.err.startswith("ooa: ")
    assert answer.err.count("\n") == 1


def test_help_has_examples_codes_and_constraints(ooa):
    general = ooa().out
    assert ooa("--help").out == general
    assert "exit codes:" in general
    for command in ("fit", "predict", "explain", "export", "bench", "write"):
        text = ooa(command, "--help").out
        assert f"  ooa {command} " in text or f"| ooa {command} " in text
        assert "JSON" in text
    assert "min_sensitivity=LEAST" in ooa("fit", "--help").out


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS.split())])
def test_help_fits_a_terminal(ooa, monkeypatch, command):
    """Only commands to be copied are longer than a terminal is wide."""
    monkeypatch.setenv("COLUMNS", "80")
    long = [line for line in ooa(*command, "--help").out.splitlines() if len(line) > 80]
    assert [line for line in long if not line.startswith("  ooa ")] == []


def test_an_unexpected_error_is_a_sentence_and_debug_shows_more(capsys, monkeypatch):
    def broken(arguments):
        raise ZeroDivisionError("by nothing")

    monkeypatch.setattr("ooa.cli.showing.backends", broken)
    assert main(["backends"]) == 1
    err = capsys.readouterr().err
    assert err == "ooa: unexpected ZeroDivisionError: by nothing (a fault of ooa; --debug shows where)\n"
    assert main(["backends", "--debug"]) == 1
    assert "Traceback" in capsys.readouterr().err


def test_progress_in_a_pipe_is_plain_lines():
    stream, clock = io.StringIO(), HandClock()
    lines = PlainLines(stream, clock)
    clock.move(4.9)
    lines.write("\r   1.0 s  too early")
    clock.move(0.2)
    lines.write("\r   1.1 s  mining   ")
    lines.write("\r   1.2 s  too soon after the last")
    lines.write("\r          \r")
    lines.write("a message\n")
    lines.flush()
    assert stream.getvalue() == "1.1 s  mining\na message\n"
    with following(quiet=True) as progress:
        assert not progress


def test_tables_are_aligned():
    assert text_table(["a", "bb"], [["x", 1], ["yyy", 1000]]) == "a      bb\nx       1\nyyy  1000"


def test_columns_that_a_terminal_has_no_room_for_follow_below(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("NO_COLOR", "1")
    head, rows = (
        ["at", "errors", "found", "proof"],
        [["1", "20", "7 %", "gap 3 %"], ["2", "4", "9 %", "proved"]],
    )
    wide = "at  errors  found  proof  \n1       20    7 %  gap 3 %\n2        4    9 %  proved"
    assert text_table(head, rows, left=(0, 3), again=1) == wide.replace("  \n", "\n", 1)  # into a file
    monkeypatch.setattr(sys, "stdout", Terminal())
    below = "at  errors  found\n1       20    7 %\n2        4    9 %\n\nat  proof\n1   gap 3 %\n2   proved"
    assert text_table(head, rows, left=(0, 3), again=1) == below
    assert text_table(head, rows, left=(0, 3)).splitlines()[1] == "1       20    7 %..."
    monkeypatch.setenv("COLUMNS", "80")
    assert text_table(head, rows, left=(0, 3), again=1) == wide.replace("  \n", "\n", 1)


class Terminal(io.StringIO):
    """What is written to a terminal."""

    def isatty(self):
        return True


# -- in a process of its own -----------------------------------------------------------------------


def process(*words, **options):
    environment = os.environ | {"PYTHONIOENCODING": "utf-8"} | options.pop("env", {})
    return subprocess.Popen(
        [sys.executable, "-m", "ooa", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        encoding="utf-8",
        **options,
    )


def test_a_process_from_standard_input_to_ascii_output(folder, people):
    words = ("fit", "-", *FIT[2:], "--quiet")
    run = process(*words, stdin=subprocess.PIPE, env={"PYTHONIOENCODING": "ascii"})
    out, err = run.communicate(people.to_csv(index=False), timeout=60)
    assert (run.returncode, err) == (0, "")
    assert out.startswith("IF   (age >= 5")


@pytest.mark.parametrize("words", [[], ["--help"], ["bench", "--help"]])
def test_help_needs_no_heavy_import(words):
    code = (
        "import atexit, sys; from ooa.cli import main; "
        "heavy = {'numpy', 'pandas', 'scipy', 'sklearn', 'narwhals', 'highspy'}; "
        "atexit.register(lambda: print(heavy & set(sys.modules))); "
        f"main({words})"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", timeout=60)
    assert done.stdout.startswith("usage: ooa")
    assert done.stdout.endswith("set()\n")


@pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")
def test_a_reader_that_goes_away_is_no_error_to_talk_about(folder, people):
    pd.concat([people] * 400).to_csv("long.csv", index=False)
    (folder / "rules.txt").write_text("age >= 51")
    run = process("predict", "rules.txt", "long.csv")
    assert run.stdout.readline().startswith("id,age")
    run.stdout.close()
    assert run.stderr.read() == ""
    assert run.wait(timeout=60) == 141


@pytest.mark.skipif(os.name == "nt", reason="signals and pipes of POSIX")
def test_ctrl_c_prints_and_saves_the_best_so_far(folder):
    hard = ("--max-length", "4", "--max-patterns", "none", "--c1", "0.0005", "--c2", "0.0005")
    run = process("fit", "dataset:monks2", *hard, "--time-limit", "100", "--save", "m.json", "--verbose")
    for line in run.stderr:  # the solver's own log: it is at work
        if "HiGHS" in line:
            break
    time.sleep(0.5)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130, err
    assert "THEN predict monk = 1" in out
    assert "interrupted after" in out
    saved = json.loads((folder / "m.json").read_text())
    assert saved["certificate"]["termination"] == "interrupted"
    assert len(saved["rules"]["patterns"]) > 0


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_completion_in_bash(folder, ooa):
    (folder / "c.bash").write_text(ooa("completion", "bash").out)

    def completed(*words):
        line = " ".join(f'"{word}"' for word in words)
        script = (
            f'source c.bash; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _ooa; echo "${{COMPREPLY[@]}}"'
        )
        done = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8", timeout=20)
        assert done.stderr == ""
        return done.stdout.split()

    assert completed("ooa", "ex") == ["explore", "explain", "export"]
    assert completed("ooa", "fit", "--max") == [
        "--max-unpacked",
        "--max-distinct",
        "--max-patterns",
        "--max-length",
        "--max-candidates",
        "--max-mined",
        "--max-memory",
    ]
    assert completed("ooa", "fit", "data.csv", "--backend", "") == ["highs", "scip", "cbc", "gurobi"]
    assert completed("ooa", "export", "m.json", "--to", "p") == ["pandas", "pmml", "python"]
    assert completed("ooa", "fit", "da") == []  # the shell's own completion of files follows
    assert "complete -c ooa" in ooa("completion", "fish").out
    assert ooa("completion", "zsh").out.startswith("autoload")
