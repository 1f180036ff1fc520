"""The benchmark framework: its arithmetic, its store, and every study once in small."""

from __future__ import annotations

import doctest
import html
import json
import math
import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"
pytestmark = pytest.mark.skipif(not BENCHMARKS.is_dir(), reason="the benchmarks are not in the package")
LIMIT = "0.5"


@pytest.fixture(autouse=True)
def on_the_path(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    monkeypatch.delenv("OOA_DATA", raising=False)
    monkeypatch.delenv("OOA_PEER_PYTHON", raising=False)


# -- arithmetic ------------------------------------------------------------------------------------


def test_shifted_geometric_mean():
    mean = import_module("summary").shifted_geometric_mean
    assert mean([1.0, 7.0], shift=1.0) == pytest.approx(3.0)
    assert mean([0.0, 0.0]) == pytest.approx(0.0)
    assert mean([5.0]) == pytest.approx(5.0)
    assert math.isnan(mean([]))
    # A shift keeps one tiny time from deciding everything.
    assert mean([1e-6, 100.0], shift=10.0) > mean([1e-6, 100.0], shift=1e-3)


def test_examples():
    found = doctest.testmod(import_module("summary"))
    assert found.attempted > 4
    assert found.failed == 0


def test_performance_profile():
    profile = import_module("summary").performance_profile
    found = profile({"a": [1.0, 10.0, None], "b": [2.0, 5.0, None], "c": [None, None, None]})
    assert found["a"] == [(1.0, pytest.approx(1 / 3)), (2.0, pytest.approx(2 / 3))]
    assert found["b"] == [(1.0, pytest.approx(1 / 3)), (2.0, pytest.approx(2 / 3))]
    assert found["c"] == [(1.0, 0.0)]
    assert profile({}) == {}


def test_values_over_time():
    summary = import_module("summary")
    steps = [(0.0, 9.0), (1.0, 4.0), (5.0, 2.0)]
    assert summary.value_at(steps, 0.5) == 9.0
    assert summary.value_at(steps, 99) == 2.0
    assert summary.value_at([], 1) is None
    assert summary.reached(steps, 4.0) == 1.0
    assert summary.reached(steps, 1.0) is None
    assert summary.relative_gap(2.0, 1.5) == 0.25
    assert summary.relative_gap(2.0, None) == 1.0
    assert summary.mean_sd([0.8, 0.9]) == ".85(.07)"


def test_the_simplest_of_the_most_accurate_settings_is_taken():
    choose = import_module("tuning").simplest_of_best
    rough = ({"C1": "0.1"}, [0.5, 0.6, 0.7], 1.0)
    short = ({"C1": "0.01"}, [0.7, 0.8, 0.88], 4.0)
    long = ({"C1": "0.001"}, [0.7, 0.8, 0.9], 9.0)
    assert choose([rough, short, long]) == {"C1": "0.01"}
    assert choose([rough, long]) == {"C1": "0.001"}


# -- store and cells -------------------------------------------------------------------------------


def test_store_goes_on_where_it_stopped(tmp_path):
    Store = import_module("store").Store
    path = tmp_path / "study.csv"
    store = Store(path, ("set", "C"))
    store.add({"set": "heart", "C": "0.01", "seconds": 1.5, "proved": True})
    store.add({"set": "heart", "C": "0.005", "seconds": 2})
    store.add({"set": "votes", "C": "0.01", "seconds": 3, "error": 'a, "b"\nc'})  # a new column
    again = Store(path, ("set", "C"))
    assert again.find({"set": "heart", "C": "0.01"})["proved"] is True
    assert again.find({"set": "votes", "C": 0.01})["error"] == 'a, "b"\nc'
    assert again.find({"set": "votes", "C": "0.005"}) is None
    again.forget([{"set": "heart", "C": "0.01"}])
    assert [row["seconds"] for row in Store(path, ("set", "C")).rows] == [2, 3]
    assert json.loads(path.with_suffix(".machine.json").read_text())["python"]


def test_timings_of_gurobi_are_not_saved(tmp_path):
    Store = import_module("store").Store
    path = tmp_path / "study.csv"
    store = Store(path, ("set", "backend"))
    store.add({"set": "heart", "backend": "gurobi", "seconds": 0.123})
    assert not path.exists()
    store.add({"set": "heart", "backend": "highs", "seconds": 1.0})
    store.add({"set": "votes", "backend": "gurobi", "seconds": 0.456, "more": 1})
    store.forget([])
    assert store.find({"set": "votes", "backend": "gurobi"})["seconds"] == 0.456  # shown to whoever ran it
    assert "gurobi" not in path.read_text()
    # Neither does the page show a row that somebody wrote into a file by hand.
    (tmp_path / "scaling.csv").write_text("set,backend,status,seconds\nheart,gurobi,proved,0.789\n")
    assert import_module("page").write_page(tmp_path, tmp_path / "page.html") == []


def test_the_page_keeps_what_is_not_measured_again(tmp_path):
    write_page = import_module("page").write_page
    head = "set,C,K,method,backend,limit,ooa,status\n"
    for folder, study, words in (("a", "scaling", "ours,highs,5.0,1"), ("b", "proofs", "ours,highs,5.0,1")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{study}.csv").write_text(f"{head}planted-10x4,0.01,5,{words},killed\n")
    to = tmp_path / "page.html"
    assert write_page(tmp_path / "a", to) == ["scaling"]
    alone = to.read_text(encoding="utf-8")
    assert write_page(tmp_path / "b", to) == ["proofs"]
    both = to.read_text(encoding="utf-8")
    section = alone[alone.index('<section id="scaling"') : alone.rindex("</section>")]
    assert section in both
    assert both.count("<section") == 4  # words, data sets, and the two studies
    assert write_page(tmp_path / "b", to) == ["proofs"]
    assert to.read_text(encoding="utf-8") == both


def test_the_published_page_says_what_was_measured(tmp_path):
    measured, published = BENCHMARKS / "measured", BENCHMARKS.parent / "docs" / "results.html"
    to = tmp_path / "page.html"
    to.write_text(published.read_text(encoding="utf-8"), encoding="utf-8")
    studies = import_module("page").write_page(measured, to)
    assert studies == sorted(studies, key=import_module("page").STUDIES.index)
    assert {"paper", "peers", "solvers"} <= set(studies)
    assert to.read_text(encoding="utf-8") == published.read_text(encoding="utf-8")
    for file in measured.iterdir():
        assert "gurobi" not in file.read_text(encoding="utf-8").lower(), file.name


def test_the_published_page_explains_itself():
    published = html.unescape((BENCHMARKS.parent / "docs" / "results.html").read_text(encoding="utf-8"))
    note, studies = import_module("words").note, import_module("page").STUDIES
    parts = re.findall(r'(<section id="(\w+)".*?</section>)', published, re.DOTALL)
    shown = {study: part for part, study in parts if study in studies}
    assert len(shown) > 5
    for study, part in shown.items():
        titles = re.findall(r"<h3>(.*?)</h3>|<figcaption><b>(.*?)</b>", part)
        assert titles, study
        for title in map("".join, titles):
            assert note(study, title), f"nothing says how to read {title!r}"
            assert note(study, title) in part
        # What is not prose is folded away: no docstring stands there as it is in the code.
        seen = re.sub(r"<details>.*?</details>", "", part, flags=re.DOTALL)
        assert "<pre" not in seen
        assert "`" not in seen
    for method in import_module("proofs").SHOWN.values():
        assert f'"{method}"' in published, "a method that is not introduced"


def test_a_cell_that_fails_costs_itself_only(tmp_path):
    run_cell = import_module("cells").run_cell
    script = tmp_path / "cell.py"
    script.write_text(
        "import json, os, sys, time\n"
        "cell = json.loads(sys.argv[2])\n"
        "if cell['does'] == 'hang': time.sleep(60)\n"
        "if cell['does'] == 'crash': os.abort()\n"
        "if cell['does'] == 'raise': raise MemoryError\n"
        "print('talk'); print(json.dumps({'status': 'done'}))\n"
    )
    assert run_cell(str(script), {"does": "work"}, 30)["status"] == "done"
    assert run_cell(str(script), {"does": "hang"}, 0.5)["status"] == "killed"
    assert run_cell(str(script), {"does": "crash"}, 30)["status"] == "crashed"
    found = run_cell(str(script), {"does": "raise"}, 30)
    assert found["status"] == "memory"
    assert found["peak MB"] > 1


def test_sets_that_are_not_there_are_left_out_with_a_sentence(capsys, monkeypatch, tmp_path):
    available = import_module("instances").available
    assert available(["tic-tac-toe", "heart", "planted-10x4"]) == ["tic-tac-toe", "planted-10x4"]
    assert "heart: left out, as OOA_DATA is not set" in capsys.readouterr().err
    monkeypatch.setenv("OOA_DATA", str(tmp_path))
    assert available(["heart"]) == []
    assert "has no heart.csv" in capsys.readouterr().err


def test_planted_sets_have_the_size_of_their_name():
    instances = import_module("instances")
    data = instances.load("planted-300x20")
    assert data.X.shape == (300, 10)
    assert (data.rules.predict(data.X) != data.y).mean() == pytest.approx(0.05)


def test_designs_cut_where_they_say():
    from ooa.candidates.thresholds import numeric_cuts
    from ooa.data.table import Table

    cutting = import_module("cutting")
    table = Table.from_any({"few": [i % 10 for i in range(200)], "many": range(200)}, [0, 1] * 100)
    found = cutting.deciles(table)
    assert found == {"few": list(range(1, 10)), "many": list(range(20, 200, 20))}
    every = cutting.cuts_of(table, lambda positive, negative: list(range(len(positive) - 1)))
    assert [len(cuts) for cuts in every.values()] == [9, 199]
    assert every["many"] == [cut.above for cut in numeric_cuts(table, "distinct", 9)["many"]]


def test_rare_positives_are_eight_percent():
    data = import_module("instances").load("rare-4000")
    assert round(100 * data.y.mean()) == 8


def test_rules_of_peers_say_the_same():
    peering = import_module("peering")
    import numpy as np

    from ooa.candidates.generate import candidate_literals
    from ooa.data.table import Table

    X = {"age": np.arange(20.0), "hue": ["red", "blue", "grey", "red"] * 5}
    table = Table.from_any(X, [0, 1] * 10)
    literals = candidate_literals(table, thresholds="distinct", negations=True).literals
    young = next(i for i, one in enumerate(literals) if str(one) == "age ≤ 9")
    red = next(i for i, one in enumerate(literals) if str(one) == "hue = red")
    blue = next(i for i, one in enumerate(literals) if str(one) == "hue = blue")
    rules = peering.rule_set(
        [
            [[young, False], ["age", "<=", 15.0], [red, False], [blue, False]],
            [["age", ">", 3.0], ["age", "<=", 2.0]],  # never
            [["hue", "!=", "grey"], ["age", "==", 4.0]],
        ],
        literals,
        table,
    )
    age, hue = X["age"], np.array(X["hue"])
    wanted = ((age > 9) & (age <= 15) & (hue == "grey")) | ((hue != "grey") & (age == 4))
    assert (rules.predict(X) == wanted).all()
    assert (len(rules), rules.n_literals) == (2, 4)
    assert peering.rule_set([[]], literals, table).predict(X).all()


def test_rules_on_coded_columns_say_the_same():
    import numpy as np
    import pandas as pd

    from ooa.data.table import Table

    peering, Skope = import_module("peering"), import_module("peer_models").Skope
    X = pd.DataFrame({"age": np.arange(20.0), "hue": ["red", "blue", "grey", "red"] * 5})
    codes = peering._codes(X)
    assert codes == [("age", None), ("hue", "blue"), ("hue", "grey"), ("hue", "red")]
    numbers = peering._numbers(X, X)
    assert numbers.sum(axis=0).tolist() == [190, 5, 5, 10]
    skope = object.__new__(Skope)
    found = [{("X0", "<="): "9.5", ("X3", ">"): "0.5"}, {("X0", ">"): "15", ("X1", "<="): "0.5"}]
    skope.model = SimpleNamespace(rules_=[SimpleNamespace(agg_dict=terms) for terms in found])
    skope.columns = codes
    wanted = (X.age <= 9.5) & (X.hue == "red") | (X.age > 15) & (X.hue != "blue")
    assert (skope.predict(SimpleNamespace(numbers=numbers)) == wanted).all()
    rules = peering.rule_set(skope.rules(), [], Table.from_any(X, [0, 1] * 10))
    assert (rules.predict(X) == wanted).all()
    assert (len(rules), rules.n_literals) == (2, 4)


def test_baselines_get_every_pattern_that_the_theorems_leave():
    proofs = import_module("proof_runs")
    instances = import_module("instances")
    from ooa.objective import Objective

    rows = instances.table_of("planted-60x20").distinct()
    objective = Objective.of("0.02", "0.02")
    found, complete = proofs.theorem_candidates(rows, objective, 2, None)
    assert complete
    N, positives = 60, rows.positive.sum()
    price = 0.02 * (found.length + 1) * N
    assert (found.positive > price).all()
    assert (found.negative <= positives - price + 1e-9).all()
    some, complete = proofs.theorem_candidates(rows, objective, 2, 5)
    assert len(some) == 5
    assert not complete


def test_one_run_tells_what_was_known_at_every_instant():
    values = [(0.0, 0.5), (5.0, 0.4), (20.0, 0.3), (60.2, 0.3)]
    bounds = [(0.0, 0.1), (30.0, 0.2), (60.2, 0.24)]
    make = import_module("proof_runs")._row
    row = make({"limit": 60.0}, "time limit", 60.2, 0.3, "3/10", 0.24, values, bounds)
    assert (row["first s"], row["final s"], row["at 1 s"]) == (5.0, 20.0, 0.5)
    assert (row["value at 10 s"], row["gap at 10 s"]) == (0.4, pytest.approx(0.75))
    assert (row["value at 60 s"], row["gap at 60 s"]) == (0.3, pytest.approx(0.2))  # that of its end
    assert "gap at 300 s" not in row
    row = make({"limit": 60.0}, "proved", 8.0, 0.4, "2/5", 0.4, values[:2], bounds[:1])
    assert (row["value at 10 s"], row["gap at 10 s"]) == (0.4, 0.0)


def test_where_ours_is_behind_a_baseline():
    proofs = import_module("proofs")
    about = {"set": "heart", "C": "0.01", "K": 5, "backend": "highs", "limit": 60.0}
    at = [
        {"value at 10 s": v, "gap at 10 s": g, "objective": v, "gap": g} for v, g in ((0.3, 0.2), (0.2, 0.0))
    ]
    ours = about | {"method": "ours", "status": "time limit", "seconds": 60.0} | at[0]
    theirs = about | {"method": "A", "status": "proved", "seconds": 9.0} | at[1]
    tables = proofs._summary([ours, theirs]).tables
    found = [(row["what"], row["at s"]) for row in tables["Where ooa is behind"]]
    assert found == [("objective", "10"), ("gap", "10"), ("time to proof", "")]
    assert not proofs._summary([ours | at[1] | {"status": "proved", "seconds": 8.0}, theirs]).tables[
        "Where ooa is behind"
    ]
    # Of two limits the longer counts.
    short = ours | {"limit": 10.0, "objective": 0.9}
    assert proofs._summary([ours, short]).tables["Per instance"][0]["L, ooa"] == "0.3"
    killed = about | {"method": "ours", "status": "killed", "seconds": 200.0}
    found = proofs._summary([killed, theirs]).tables["Where ooa is behind"]
    assert [row["what"] for row in found] == ["killed", "time to proof"]


# -- every study, once -----------------------------------------------------------------------------


@pytest.fixture
def here(monkeypatch):
    """Cells are measured in this process, but those of `peers` and `layers`: others take long to start."""
    study = import_module("study")
    begin = study.run_cell

    def run_cell(script: str, cell: dict[str, object], limit: float) -> dict[str, object]:
        if Path(script).stem == "peers":
            return begin(script, cell, limit)
        measure = import_module(Path(script).stem).STUDY.measure
        return json.loads(json.dumps({"peak MB": 1.0} | measure(json.loads(json.dumps(cell)))))

    monkeypatch.setattr(study, "run_cell", run_cell)


def test_every_study_answers_for_its_cells_as_a_script():
    ends = [text for path in BENCHMARKS.glob("*.py") if "\nSTUDY = " in (text := path.read_text("utf-8"))]
    assert len(ends) > 15
    assert all(text.endswith('\nif __name__ == "__main__":\n    STUDY.main()\n') for text in ends)


def run(name: str, folder: Path, *words: str) -> None:
    import_module(name).STUDY.main(["--quick", "--time-limit", LIMIT, "--results", str(folder), *words])


@pytest.mark.parametrize(
    ("name", "words", "cells"),
    [
        ("proofs", ("--sets", "planted-60x20"), 3),
        ("paper", ("--sets", "planted-60x20", "--methods", "OOAx", "CART", "--time-limit", "0.1"), 2),
        ("peers", ("--sets", "planted-60x20", "--peers", "none"), 1),
        ("solvers", ("--sets", "planted-60x20", "--models", "OOAx", "--backends", "highs"), 2),
        ("scaling", ("--sets", "planted-60x20", "planted-90x20"), 2),
        ("cuts", ("--sets", "rare-60", "--designs", "deciles", "auto", "--time-limit", "0.1"), 2),
        (
            "choosing",
            ("--sets", "planted-60x20", "--methods", "found", "grid search", "--time-limit", "0.1"),
            2,
        ),
        (
            "paper",
            ("--sets", "rare-60", "--methods", "OOAx", "--cuts", "deciles", "--time-limit", "0.1"),
            1,
        ),
        ("waiting", ("--sets", "rare-60"), 2),
        ("listing", ("--sets", "planted-60x20"), 3),
        ("languages", ("--sets", "endgame-60", "--languages", "default", "length 5"), 2),
    ],
)
def test_study(name, words, cells, here, tmp_path, capsys):
    run(name, tmp_path, *words)
    shown = capsys.readouterr()
    assert f"{cells} cells" in shown.out
    assert "crashed" not in shown.err, shown.err
    read = import_module("store").read
    rows = read(tmp_path / f"{name}-quick.csv")
    assert len(rows) == cells
    assert not any(row.get("error") for row in rows)
    # A rerun measures nothing and shows the same.
    before = (tmp_path / f"{name}-quick.csv").read_text()
    assert sys.executable not in before
    run(name, tmp_path, *words)
    again = capsys.readouterr()
    assert f"{cells} of {cells} cells are there already" in again.err
    assert again.out == shown.out
    assert (tmp_path / f"{name}-quick.csv").read_text() == before
    # The page is made of the files alone.
    (tmp_path / f"{name}-quick.csv").rename(tmp_path / f"{name}.csv")
    assert import_module("page").write_page(tmp_path, tmp_path / "page.html") == [name]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert import_module(name).STUDY.title in page
    assert "<script" not in page
    assert "http" not in page


def test_layers(tmp_path, capsys, monkeypatch):
    layers = import_module("layers")
    monkeypatch.setattr(layers, "METHODS", {"highs": dict.fromkeys(("raw arrays", "ooa", "scipy.milp"))})
    monkeypatch.setattr(layers.STUDY, "measure", None)  # in another process: this one need not have it
    run("layers", tmp_path, "--sets", "cover")
    rows = import_module("store").read(tmp_path / "layers-quick.csv")
    assert [row["method"] for row in rows] == ["raw arrays", "ooa", "scipy.milp"]
    assert all(row["milliseconds"] > 0 for row in rows)
    assert "time ratio" in capsys.readouterr().out


def test_soak(here, tmp_path, capsys):
    words = ("--sets", "fuzz", "faults", "lists", "--many", "8")
    run("soak", tmp_path, *words)
    rows = import_module("store").read(tmp_path / "soak-quick.csv")
    assert [(row["part"], row["done"], row["wrong"]) for row in rows] == [
        (part, 8, 0) for part in ("fuzz", "faults", "lists")
    ]
    assert rows[0]["ways"] >= 16
    assert rows[1]["met"] >= 1
    assert rows[2]["ways"] >= 16
    assert rows[2]["constrained"] >= 1
    shown = capsys.readouterr().out
    run("soak", tmp_path, *words)
    assert capsys.readouterr().out == shown
    with pytest.raises(SystemExit, match="no part"):
        run("soak", tmp_path, "--sets", "fuss")


def test_planted_rules_are_found_where_rows_live(tmp_path):
    engines = import_module("engines")
    path = tmp_path / "rows.parquet"
    engines.write(path, 20_000, 10)
    found = engines.run("ooa", str(path))
    assert found["proved"]
    assert "category4 = a AND flag0 = true" in found["rules"]
    assert "count7 ≥ 4 AND flag1 = true" in found["rules"]
