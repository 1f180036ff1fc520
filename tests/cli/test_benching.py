"""`ooa bench` and `ooa write`: one model for every solver."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from support import cli_running
from support.cli_running import FIT

from ooa.cli import formulating
from ooa.learning.compare_solvers import Run, agree
from ooa.model import read_mps
from ooa.solving import Termination, available_backends, get_backend

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa


def test_bench(folder, ooa):
    installed = [name for name, found in available_backends().items() if found.ok]
    answer = ooa("bench", *FIT[1:], "--json", "--quiet")
    document = answer.document
    assert (answer.code, document["agree"]) == (0, True)
    assert [(run["backend"], run["start"]) for run in document["runs"]] == [
        (name, start) for name in installed for start in ("cold", "warm")
    ]
    fitted = ooa(*FIT, "--json").document["certificate"]["objective"]
    assert all(run["objective"] == fitted for run in document["runs"] if run["status"] == "optimal")
    shown = ooa("bench", *FIT[1:], "--backends", "highs")
    head = next(line for line in shown.out.splitlines() if line.startswith("backend  version"))
    assert head.split()[-3:] == ["seconds", "nodes", "exactly"]
    assert head.index("nodes") + len("nodes") <= 80  # what a terminal cuts off is the fraction
    assert shown.out.count("optimal") == 2


def test_bench_says_what_a_licence_does_not_admit(ooa):
    if not (available_backends()["gurobi"].ok and available_backends()["gurobi"].max_rows):
        pytest.skip("no size-limited Gurobi")
    words = ("bench", "dataset:tic-tac-toe", "--backends", "gurobi", "--c1", "0.002", "--c2", "0.002")
    answer = ooa(*words)
    assert answer.code == 0
    assert "licence limit" in answer.out
    assert "note: gurobi: the model has" in answer.err


def test_contradictions_between_solvers_are_found():
    half, third = Fraction(1, 2), Fraction(1, 3)
    fine = [
        Run("a", "", "cold", Termination.OPTIMAL, half, 0.5),
        Run("b", "", "cold", Termination.TIME_LIMIT, Fraction(2, 3), 0.4),
    ]
    assert agree(fine) == ""
    assert "disagree" in agree([*fine, Run("c", "", "cold", Termination.OPTIMAL, third, 1 / 3)])
    assert "but 1/2 is known" in agree([*fine, Run("c", "", "cold", Termination.TIME_LIMIT, None, 0.6)])


@pytest.mark.parametrize("method", ["ooax", "ooa"])
def test_the_written_model_has_the_same_optimum(folder, ooa, method):
    words = (*FIT[1:], "--method", method, "--max-patterns", 2)
    written = ooa("write", *words, "--to", "model.mps", "--json").document
    assert written["file"] == "model.mps"
    if method == "ooax":
        milp = read_mps(folder / "model.mps")
        assert (milp.n_rows, milp.n_columns) == (written["rows"], written["columns"])
        solved = get_backend("highs").solve(milp, time_limit=20).objective / written["scale"]
        fitted = ooa("fit", *words, "--json").document["certificate"]["objective"]["value"]
        assert solved == pytest.approx(fitted, abs=1e-9)
    assert "its objective is 120 L" in ooa("write", *words, "--to", "model.lp").out
    assert (folder / "model.lp").read_text().startswith("\\")


def test_the_written_model_has_the_cuts_that_were_asked_for(folder, ooa):
    sizes = {}
    for way in ("distinct", "round"):
        words = ("write", *FIT[1:], "--method", "ooa", "--max-patterns", 1, "--thresholds", way)
        words = (*words, "--to", f"{way}.mps")
        assert ooa(*words).code == 0
        sizes[way] = read_mps(folder / f"{way}.mps").n_columns
    assert sizes["round"] < sizes["distinct"]


def test_write_refuses_what_it_cannot_do(folder, ooa):
    assert "must end in .mps or .lp" in ooa("write", *FIT[1:], "--to", "model.txt").err
    answer = ooa("write", *FIT[1:], "--to", "model.lp", "--c1", "0.9")
    assert "there is no model to solve" in answer.err


@pytest.mark.parametrize("command", [("bench",), ("write", "--to", "model.lp")])
def test_ctrl_c_before_there_is_a_model_is_no_word_about_prices(folder, ooa, monkeypatch, command):
    plain = formulating.prepare

    def prepare(*told):
        ready = plain(*told)
        ended = replace(ready.certificate, termination=Termination.INTERRUPTED)
        return replace(ready, certificate=ended, candidates=ready.candidates.take(np.zeros(0, np.intp)))

    monkeypatch.setattr(formulating, "prepare", prepare)
    answer = ooa(*command, *FIT[1:])
    assert answer.code == 130
    assert "interrupted" in answer.err
    assert "price" not in answer.err
    assert not (folder / "model.lp").exists()
