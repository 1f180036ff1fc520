"""Files that a command writes: none that it reads, and no other one twice."""

from pathlib import Path

import pytest
from support import cli_running

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa
model = cli_running.model
FIT = cli_running.FIT


@pytest.mark.parametrize(
    "words",
    [
        (*FIT, "--save", "people.csv"),
        (*FIT, "--report", "people.csv"),
        (*FIT, "--start", "model.json", "--save", "model.json"),
        (*FIT, "--test", "other.csv", "--save", "../{here}/other.csv"),
        ("predict", "model.json", "people.csv", "-o", "people.csv"),
        ("predict", "model.json", "people.csv", "-o", "link.json"),
        ("export", "model.json", "--to", "python", "-o", "model.json"),
        ("write", *FIT[1:], "--to", "people.csv"),
    ],
)
def test_what_is_read_is_not_written(folder, ooa, model, words):
    (folder / "other.csv").write_bytes((folder / "people.csv").read_bytes())
    (folder / "link.json").symlink_to(folder / "model.json")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    answer = ooa(*(word.replace("{here}", folder.name) for word in words))
    assert answer.code == 1
    assert answer.err.endswith(" is a file that this command reads: choose another name\n")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_two_outputs_are_two_files(folder, ooa):
    answer = ooa(*FIT, "--save", "out", "--report", "./out")
    assert answer.err == "ooa: --report ./out is written by another option, too: choose another name\n"
    assert not Path("out").exists()


def test_a_format_is_no_file(folder, ooa, model):
    (folder / "text").write_bytes((folder / "model.json").read_bytes())
    assert ooa("export", "text", "--to", "text").code == 0
