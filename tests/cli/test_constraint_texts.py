"""`ooa fit --constraint`: how constraints are typed, what cannot be read, and that they hold."""

import pytest
from support import cli_running
from support.cli_running import FIT, rules_of

from ooa.cli.constraint_texts import NAMES, constraint_help, parse_constraint, usage
from ooa.constraints import max_uses, monotone, require_pattern, unchanged_when
from ooa.errors import OptionError

# Fixtures: assigned, as the tests ask for them by name.
people, folder, ooa = cli_running.people, cli_running.folder, cli_running.ooa

SPELLED = {
    "at_most_one_of": "age,bmi",
    "budget": "age:1,a:b:2.5,most:3",
    "category_only_with": "sex,f,age",
    "demographic_parity": "sex,0.1",
    "equal_opportunity": "sex,0.1",
    "equalized_odds": "sex,0.1",
    "forbid_pattern": "age >= 30 AND job = 'a, b'",
    "forbid_together": 'age,"a, b"',
    "max_cost": "30,5",
    "max_false_negatives": "3",
    "max_false_positives": "3",
    "max_overlap": "1",
    "max_total_literals": "4",
    "max_uses": "age,1",
    "min_coverage": "sex,0.1",
    "min_group_sensitivity": "sex,0.8",
    "min_precision": "0.9",
    "min_sensitivity": "0.95",
    "min_specificity": "1",
    "min_support_per_pattern": "5",
    "monotone": "age,increasing",
    "no_category": "sex,f",
    "no_cut": "age,above,60",
    "not_lowered_when": "age,-5",
    "not_raised_when": "sex,f,0.1",
    "only_with": "age,bmi",
    "predictive_equality": "sex,0.1",
    "require_attribute": "age",
    "require_pattern": "age >= 30",
    "unchanged_when": "age,5,0.01",
}


@pytest.mark.parametrize("name", NAMES)
def test_every_ready_made_constraint_can_be_typed(name):
    made = parse_constraint(f"{name}={SPELLED[name]}")
    assert type(made).__name__ == name
    assert usage(name) in constraint_help()


def test_constraints_mean_what_they_say():
    assert parse_constraint("max_uses = age, 1") == max_uses("age", 1)
    assert parse_constraint("monotone=body mass,decreasing") == monotone("body mass", "decreasing")
    assert parse_constraint("require_pattern=age >= 30") == require_pattern("age >= 30")
    assert parse_constraint("unchanged_when=age,-5") == unchanged_when("age", -5, 0)
    assert parse_constraint("unchanged_when=sex, f, 0.01") == unchanged_when("sex", "f", 0.01)
    assert parse_constraint("budget=a:b:2.5,most:3").costs == {"a:b": 2.5}
    assert list(parse_constraint('forbid_together=age,"a, b"').attributes) == ["age", "a, b"]
    assert parse_constraint("demographic_parity=sex,0.1", {"sex": (1, 0)}).group == (1, 0)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("max_uses=age", "--constraint max_uses=age: expected max_uses=ATTRIBUTE,MOST"),
        ("max_uses", "--constraint max_uses: expected max_uses=ATTRIBUTE,MOST"),
        ("min_sensitivity=high", "--constraint min_sensitivity=high: 'high' is not a number"),
        ("min_sensitivity=1.5", "--constraint min_sensitivity=1.5: "),
        (
            "budget=age:1,bmi:2",
            "--constraint budget=age:1,bmi:2: expected budget=A:COST,B:COST,...,most:MOST",
        ),
        (
            "unchanged_when=age",
            "--constraint unchanged_when=age: expected unchanged_when=ATTRIBUTE,CHANGE[,MOST]",
        ),
        ("no_cut=age,up,3", "--constraint no_cut=age,up,3: no_cut: side must be 'above' or 'below'"),
        ("budget=age", "--constraint budget=age: expected budget="),
        ("monotone=age,up", "--constraint monotone=age,up: "),
        ("forbid_together=age", "--constraint forbid_together=age: "),
        ("forbid_pattern=age >=", "--constraint forbid_pattern=age >=: "),
        ("quixotry=1", "there is no constraint 'quixotry'; `ooa fit --help` lists them"),
        ("Constraint=1", "there is no constraint 'Constraint'"),
    ],
)
def test_constraints_that_cannot_be_read(text, sentence):
    with pytest.raises(OptionError) as error:
        parse_constraint(text)
    assert str(error.value).startswith(sentence)


def test_constraints_hold(folder, ooa):
    free = rules_of(ooa(*FIT, "--json"))
    assert "age" in free.attributes
    bound = rules_of(
        ooa(*FIT, "--json", "--constraint", "max_uses=age,0", "--constraint", "max_total_literals=2")
    )
    assert "age" not in bound.attributes
    assert bound.n_literals <= 2
    fair = ooa(*FIT[:-1], "id,copies,seen,sex", "--json", "--constraint", "demographic_parity=sex,0.02")
    assert "sex" not in rules_of(fair).attributes


def test_constraints_that_cannot_hold_together_are_named(folder, ooa):
    answer = ooa(*FIT, "--constraint", "require_attribute=age", "--constraint", "max_uses=age,0")
    assert answer.code == 1
    assert "no rule set meets these constraints together" in answer.err
    # without the time to find any rule set that meets the constraint, the best known is returned, and says so
    hard = "--constraint", "min_sensitivity=0.9", "--constraint", "min_precision=1"
    none = ooa(*FIT, *hard, "--time-limit", "0", "--json")
    assert none.code == 3
    assert none.document["certificate"]["feasible"] is False
    assert none.document["certificate"]["gap"] is None
    assert "note: no rule set that meets the constraints was found" in none.err
