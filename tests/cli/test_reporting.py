"""`ooa fit --report` with rows to test on, rows that have names, and on one page."""

import re

import numpy as np
import pytest
from support import cli_running

from ooa.rules.ruleset import RuleSet

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

FIT = ("fit", "people.csv", "--target", "sick", "--positive", "ill", "--drop", "copies,seen", "--c1", "0.2")


def words(file):
    text = re.sub(r"<style>.*?</style>|<[^>]+>", " ", file.read_text(encoding="utf-8"), flags=re.S)
    return " ".join(text.split())


@pytest.mark.parametrize("test", [("--test-share", "0.3"), ("--test", "others.csv")])
def test_test_rows_stand_beside_those_learned_from(folder, ooa, people, test):
    people.tail(36).to_csv("others.csv", index=False)
    answer = ooa(*FIT, *test, "--ids", "id", "--report", "r.html", "--json")
    assert answer.code == 0, answer.err
    said = words(folder / "r.html")
    counted = [answer.document[name] for name in ("training", "test")]
    right = [(one["rows"] - one["errors"], one["rows"]) for one in counted]
    first, second = (rf"[\d.> ]+% {part} of {whole}" for part, whole in right)
    assert re.search(rf"Rate Training Test Right in all \(accuracy\) {first} {second}", said), said
    assert counted[1]["errors"]
    assert "Rows are named by id." in said
    assert re.search(r"It lacks|What it lacks p\d\d\d", said)
    assert "id" not in [column["name"] for column in answer.document["schema"]["columns"]]


@pytest.mark.parametrize("test", [("--test-share", "0.3"), ("--test", "others.csv")])
def test_test_rows_without_names_are_called_by_their_numbers_in_the_file(folder, ooa, people, test):
    people.tail(36).to_csv("others.csv", index=False)
    file = people if test[0] == "--test-share" else people.tail(36).reset_index(drop=True)
    answer = ooa(*FIT, *test, "--report", "r.html", "--json")
    said = words(folder / "r.html")
    assert "Rows are named by row_in_file." in said
    rules = RuleSet.from_dict(answer.document["rules"])
    wrong = np.flatnonzero(rules.predict(file) != file["sick"])
    listed = re.search(r"row_in_file Values the rules look at Nearest pattern What it lacks ([\d, ]+)", said)
    shown = {int(number) for number in re.findall(r"\d+", listed[1])}
    assert shown
    assert shown <= set(wrong.tolist())


def test_the_short_report(folder, ooa):
    assert ooa(*FIT, "--ids", "id", "--report", "r.html", "--short").code == 0
    said = words(folder / "r.html")
    assert "Right in all (accuracy)" in said
    assert "Rows that are predicted wrongly" not in said


def test_names_that_are_no_column(folder, ooa, people):
    answer = ooa(*FIT, "--ids", "idd", "--report", "r.html")
    assert answer.code == 1
    assert "--ids names 'idd', which is not a column; did you mean 'id'?" in answer.err
    people.drop(columns="id").to_csv("others.csv", index=False)
    answer = ooa(*FIT, "--ids", "id", "--test", "others.csv")
    assert answer.code == 1
    assert "--test others.csv: there is no column 'id', which --ids names" in answer.err
