"""`--table`: files are merged and scored by DuckDB, with the answers of rows in memory."""

import subprocess
import sys

import pandas as pd
import pytest
from support.cli_running import FIT, folder, model, ooa, people, rules_of  # noqa: F401

pytest.importorskip("duckdb")


def test_fit_says_what_a_fit_in_memory_says(folder, ooa):  # noqa: F811
    plain = ooa(*FIT, "--json")
    table = ooa(*FIT, "--json", "--table")
    assert rules_of(table) == rules_of(plain)
    for key in ("training", "patterns", "explanation"):
        assert table.document[key] == plain.document[key]
    assert table.document["certificate"]["objective"] == plain.document["certificate"]["objective"]
    assert table.document["schema"]["rows"] == 120
    assert "duckdb merged 120 rows into" in table.document["certificate"]["message"]
    assert table.document["settings"]["table"] is True


def test_a_glob_and_a_folder_are_tables(folder, ooa, people):  # noqa: F811
    (folder / "parts").mkdir()
    people[:50].to_parquet("parts/a.parquet")
    people[50:].to_parquet("parts/b.parquet")
    plain = rules_of(ooa(*FIT, "--json"))
    for place in ("parts", "parts/*.parquet"):
        found = ooa("fit", place, *FIT[2:], "--save", "m.json", "--report", "r.html", "--weight", "copies")
        assert found.code == 0, found.err
        assert "120 rows" in found.out
        assert "next: ooa predict" in found.out
    assert "learned from 120 rows" in (folder / "r.html").read_text(encoding="utf-8")
    assert plain.target == "sick"
    none = ooa("fit", "parts/*.csv", *FIT[2:])
    assert none.code != 0
    assert "There is no file 'parts/*.csv'" in none.err


def test_evaluate_and_predict(folder, ooa, people, model):  # noqa: F811
    plain = ooa("evaluate", "model.json", "people.csv", "--json").document
    table = ooa("evaluate", "model.json", "people.csv", "--table", "--json").document
    assert table == plain
    assert (
        ooa("evaluate", "model.json", "people.csv", "--table").out
        == ooa("evaluate", "model.json", "people.csv").out
    )
    for name in ("out.csv", "out.tsv", "out.parquet"):
        done = ooa("predict", "model.json", "--table", "people.csv", "-o", name)
        assert done.code == 0, done.err
        assert "120 rows have a label" in done.err
    written = pd.read_parquet("out.parquet")
    assert written["predicted_sick"].tolist() == model.predict(people).tolist()
    assert pd.read_csv("out.csv")["predicted_sick"].tolist() == written["predicted_sick"].tolist()
    counts = ooa("predict", "model.json", "--table", "people.csv", "-o", "o.csv", "--json").document
    assert counts["labelled"] == ooa("predict", "model.json", "people.csv", "--json").document["labelled"]


def test_one_label_against_the_rest(folder, ooa):  # noqa: F811
    # Short patterns are proved at once: which of several optima is found must not depend on who is busy.
    short = ("--max-length", "2", "--max-patterns", "2")
    words = (
        "fit",
        "people.csv",
        "--target",
        "copies",
        "--positive",
        "2",
        "--drop",
        "id,seen",
        *short,
        "--json",
    )
    plain, table = ooa(*words), ooa(*words, "--table")
    assert plain.document["certificate"]["proved"]
    assert rules_of(table) == rules_of(plain)
    assert table.document["training"] == plain.document["training"]


def test_what_cannot_be(folder, ooa, model):  # noqa: F811
    for words, said in (
        ((*FIT, "--table", "--test-share", "0.3"), "--test-share is about rows in memory"),
        ((*FIT, "--table", "--drop", "nothing"), "--drop names 'nothing'"),
        ((*FIT[:2], "--table"), "--target is missing"),
        ((*FIT, "--table", "--positive", "dead"), "--positive dead is not a value of column 'sick'"),
        (("predict", "model.json", "--table", "people.csv"), "--table needs --output"),
        (("predict", "model.json", "--table", "people.csv", "--why", "-o", "o.csv"), "--why is about rows"),
    ):
        found = ooa(*words)
        assert found.code not in (0, None)
        assert said in found.err
    (folder / "torn.parquet").write_bytes(b"PAR1 and no more")
    torn = ooa("predict", "model.json", "--table", "torn.parquet", "-o", "o.csv")
    assert "duckdb could not open" in torn.err
    assert not (folder / "o.csv").exists()
    assert not list(folder.glob(".*part"))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((*FIT, "--table", "--drop", "nothing"), "ooa: --drop names 'nothing', which is not a column"),
        ((*FIT[:2], "--table", "--target", "gone"), "ooa: --target names 'gone', which is not a column"),
        (("predict", "model.json", "--table", "other.csv", "-o", "o.csv"), "ooa: The data lack the column"),
        (("evaluate", "model.json", "--table", "other.csv"), "ooa: other.csv: there is no column 'sick'"),
    ],
)
def test_a_process_of_its_own_says_one_sentence(words, said, folder, model):  # noqa: F811
    """Nothing that an engine says at the end of the process comes after it."""
    (folder / "other.csv").write_text("x,z\n1,2\n3,4\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "ooa", *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_test_rows_from_a_file(folder, ooa, people):  # noqa: F811
    people[:40].to_csv("others.csv", index=False)
    found = ooa(*FIT, "--table", "--test", "others.csv", "--json")
    assert found.document["test"]["rows"] == 40
