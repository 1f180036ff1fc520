"""Options and settings: the same defaults, and everything that is typed arrives."""

import argparse
import json
from dataclasses import fields
from types import SimpleNamespace

import numpy as np
import pytest
from support import cli_running
from support.cli_running import FIT

from ooa.cli.asked import settings_asked_for
from ooa.cli.parser import build_parser
from ooa.cli.wording import SPELLED
from ooa.kernels.availability import compiled
from ooa.learning.settings import INTERACTIVE_TIME_LIMIT, METHODS, OOAxSettings

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

NOTHING_SAID = SimpleNamespace(constraints=(), compressed=None)
COMMANDS = {"fit": (), "bench": (), "write": ("--to", "model.lp")}


def asked(command, *words, **more):
    arguments = build_parser().parse_args([command, "data.csv", *COMMANDS[command], *words])
    return settings_asked_for(arguments, NOTHING_SAID, **more)


def options_of(command):
    group = next(a for a in build_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return {action.dest: action for action in group.choices[command]._actions}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("method", METHODS)
def test_every_default_is_that_of_the_settings(command, method):
    kind = METHODS[method]
    # Prices are text, as if they had been typed.
    prices = {"C1": str(kind.C1), "C2": str(kind.C2)}
    assert asked(command, "--method", method) == kind(time_limit=INTERACTIVE_TIME_LIMIT, **prices)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_states_the_defaults(command):
    options = options_of(command)
    for field in fields(OOAxSettings):
        option = options.get(SPELLED.get(field.name, field.name))
        if option is None or isinstance(option.default, bool) or option.default in (None, []):
            continue
        number = isinstance(option.default, float)
        assert option.help.endswith(f"[{option.default:g}]" if number else f"[{option.default}]")
    assert options["min_support"].help.endswith("[none]")
    assert options["thresholds"].help.endswith("[ooax: auto, ooa: distinct]")


def test_everything_that_is_typed_arrives():
    words = (
        *("--c1=1/7", "--c2=0.5", "--max-patterns=none", "--max-length=2", "--min-support=0.25"),
        *("--max-candidates=70", "--sets=3", "--thresholds=tree", "--ranges", "--negations"),
        *("--selection=ilp", "--time-limit=none", "--gap=0.01", "--threads=2", "--seed=9", "--free-threads"),
        *("--backend=scip", "--start=file.json"),
    )
    assert asked("fit", *words, log=print) == OOAxSettings(
        C1="1/7",
        C2="0.5",
        max_patterns=None,
        max_length=2,
        min_support=0.25,
        max_candidates=70,
        sets=3,
        thresholds="tree",
        ranges=True,
        negations=True,
        selection="ilp",
        time_limit=None,
        relative_gap=0.01,
        threads=2,
        deterministic=False,
        seed=9,
        backend="scip",
        log=print,
    )
    assert asked("fit", "--method", "ooa", "--thresholds", "round").thresholds == "round"


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--min-support", "few", "neither a number of at least 0 nor none"),
        ("--min-support", "-1", "neither a number of at least 0 nor none"),
        ("--max-candidates", "0", "neither a whole number of at least 1 nor none"),
        ("--sets", "none", "not a whole number of at least 1"),
        ("--gap", "nan", "not a number of at least 0"),
        ("--c1", "dear", "not a number of at least 0"),
        ("--test-share", "1", "not between 0 and 1"),
        ("--sep", "::", "not one character, nor tab"),
        ("--encoding", "utf-99", "no encoding that is known"),
        ("--max-mined", "0", "not a whole number of at least 1"),
        ("--dates", "european", "neither day-first, month-first nor a format such as %d.%m.%Y"),
        ("--class-weight", "heavy", "neither balanced nor like yes=5,no=1"),
        ("--threads", "0.5", "not a whole number of at least 1"),
        ("--time-limit", "soon", "neither a number of seconds nor none"),
    ],
)
def test_other_values_are_refused_by_name(ooa, option, value, words):
    answer = ooa("fit", "x.csv", f"{option}={value}")
    assert answer.code == 2
    assert f"argument {option}: {value!r} is {words}" in answer.err


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            ["--ordered=g=a,b,c", "--ordered=g=c,b,a"],
            "argument --ordered: two different things are said of 'g'",
        ),
        (["--class-weight=yes=5", "--class-weight=yes=3"], "--class-weight: two different things"),
        (
            ["--class-weight=balanced", "--class-weight=yes=3"],
            "--class-weight: two different things",
        ),
        (["--class-weight=yes=5,yes=3"], "'yes=5,yes=3' says the weight of a label twice"),
    ],
)
def test_what_contradicts_itself_is_refused(ooa, said, words):
    answer = ooa("fit", "x.csv", *said)
    assert answer.code == 2
    assert words in answer.err


def test_weights_that_are_said_one_by_one_are_put_together():
    words = ["fit", "x.csv", "--target", "y", "--class-weight", "yes=5"]
    asked = build_parser().parse_args([*words, "--class-weight", "no=2"])
    assert asked.class_weight == {"yes": 5.0, "no": 2.0}
    assert build_parser().parse_args([*words, "--class-weight", "yes=5"]).class_weight == {"yes": 5.0}


def test_support_and_candidates_and_sets_on_a_table(folder, ooa):
    most = ooa(*FIT, "--json", "--min-support", "60").document
    assert "with positive support of at least 60" in most["certificate"]["statement"]
    assert all(pattern["positives"] >= 60 for pattern in most["patterns"])
    assert most["settings"]["min_support"] == 60
    noise = np.random.default_rng(0).integers(0, 3, (80, 5))
    rows = "".join(",".join(map(str, row)) + f",{int(sum(row) % 4 < 2)}\n" for row in noise.tolist())
    (folder / "noise.csv").write_text("a,b,c,d,e,y\n" + rows)
    words = ("fit", "noise.csv", "--target", "y", "--json", "--max-candidates", 2, "--selection", "ilp")
    few = ooa(*words).document
    assert few["certificate"]["standing"] == "best of candidates"
    assert few["certificate"]["headline"] == f"best of {few['certificate']['pool']} candidates"
    assert not few["certificate"]["proved"]
    (folder / "c.csv").write_text("colour,warm\n" + "red,1\nblue,0\norange,1\ngreen,0\n" * 5)
    words = ("fit", "c.csv", "--target", "warm", "--json", "--sets")
    patterns = [ooa(*words, n).document["certificate"]["patterns"] for n in (1, 2)]
    assert patterns == [2, 1]


def test_a_gap_ends_a_fit(folder, ooa):
    wide = ooa(*FIT, "--json", "--gap", "1", "--selection", "ilp", "--threads", "2").document
    assert wide["settings"]["gap"] == 1.0
    assert wide["certificate"]["bound"]["value"] <= wide["certificate"]["objective"]["value"]
    assert ooa("bench", *FIT[1:], "--backends", "highs", "--gap", "1", "--json").code == 0


def test_the_plan_is_printed_and_nothing_is_solved(folder, ooa, monkeypatch):
    monkeypatch.setattr("ooa.cli.fitting.learn", None)
    answer = ooa(*FIT, "--explain-plan", "--selection", "ilp")
    assert answer.code == 0
    about, empty, facts, *turns = answer.out.splitlines()
    assert about.startswith("people.csv: 120 rows")
    assert empty == ""
    assert "patterns mined" in facts
    assert turns[0].startswith("1. mining: at most 24 s, ")
    assert turns[-1].endswith("selection ILP: the way that was asked for")
    assert json.loads(ooa(*FIT, "--explain-plan", "--selection", "ilp", "--json").out) == {
        "plan": [facts, *turns]
    }
    formed = ooa(*FIT, "--explain-plan", "--method", "ooa").out
    left = "boxes leave" if compiled() else "OOAx leaves"
    assert formed.endswith(f"the MIP that forms patterns: for what {left} open\n")
