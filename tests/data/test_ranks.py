"""Ordered categories as ranks, from the frame to the rules and back."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ooa import OOAClassifier, OOAxClassifier, learn_ooax
from ooa.candidates.generate import candidate_literals
from ooa.data.frames import open_frame
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.rules.ruleset import RuleSet

GRADES = ["low", "medium", "high", "severe"]


def graded(n: int = 240) -> tuple[pd.DataFrame, Any]:
    """A table whose label follows a bound on levels, which sorted texts would not give."""
    rng = np.random.default_rng(3)
    grade = pd.Series(pd.Categorical(rng.choice(GRADES, n), GRADES, ordered=True))
    grade[::19] = None
    X = pd.DataFrame({"grade": grade, "x": rng.integers(0, 9, n)})
    return X, ((X["grade"] >= "high") & (X["x"] > 3)).to_numpy()


def test_ordered_categories_are_ranks_with_names() -> None:
    column = open_frame(graded()[0]).column("grade")
    assert (column.kind, column.levels) == ("numeric", tuple(GRADES))
    assert column.missing[::19].all()
    plain = open_frame(graded()[0]).column("grade", "categorical")
    assert (plain.kind, plain.categories) == ("categorical", tuple(sorted(GRADES)))
    numbers = pd.DataFrame({"n": pd.Categorical([3, 1], [1, 2, 3], ordered=True)})
    assert open_frame(numbers).column("n").values.tolist() == [3.0, 1.0]
    assert open_frame(numbers).column("n").levels == ()
    turned = pd.DataFrame({"n": pd.Categorical([3, 1], [3, 2, 1], ordered=True)})
    assert open_frame(turned).column("n").levels == (3, 2, 1)


def test_what_is_not_said_to_be_ordered_is_not() -> None:
    frames: list[Any] = [
        pd.DataFrame({"g": pd.Categorical(["a", "b"], ["b", "a"])}),
        pl.DataFrame({"g": pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))}),
        pl.DataFrame({"g": pl.Series(["a", "b"], dtype=pl.Enum(["b", "a"]))}).to_arrow(),
    ]
    for frame in frames:
        assert open_frame(frame).column("g").kind == "categorical"


@pytest.mark.parametrize("thresholds", ["auto", "distinct", "quantiles", "mdl", "tree", "round"])
def test_literals_are_bounds_on_levels_that_hold_as_pandas_says(thresholds: str) -> None:
    X, y = graded()
    table = Table.from_any(X, y)
    found = candidate_literals(table, thresholds=thresholds, ranges=True)
    on_grade = [literal for literal in found.literals if literal.attribute == "grade"]
    assert on_grade
    values = X["grade"]
    for literal in on_grade:
        low, high = getattr(literal, "low", None), getattr(literal, "high", None)
        value = getattr(literal, "value", None)
        wanted = pd.Series(values.notna().to_numpy(), index=X.index)
        wanted &= True if low is None else values >= low
        wanted &= True if high is None else values <= high
        wanted &= True if value is None else values == value
        assert literal.mask(table.columns[0]).tolist() == wanted.tolist(), literal


@pytest.mark.parametrize("kind", [OOAxClassifier, OOAClassifier])
def test_estimators_learn_bounds_and_read_levels_of_any_origin(kind: Any) -> None:
    X, y = graded()
    model = kind(time_limit=20).fit(X, y)
    text = model.rules_.to_text(compact=True)
    assert text == (
        "(grade ≥ high ∧ x ≥ 4) → target = true ELSE false WITH grade: low < medium < high < severe"
    )
    assert "numbers and ordered categories" in model.certificate_.statement
    as_text = X.assign(grade=X["grade"].astype(object))
    turned = X.assign(grade=X["grade"].cat.set_categories(GRADES[::-1], ordered=True))
    for frame in (X, as_text, turned, pl.from_pandas(as_text)):
        assert (model.predict(frame) == y).all()
    as_text.loc[0, "grade"] = "unheard of"
    assert not model.predict(as_text)[0]
    assert (RuleSet.parse(str(model.rules_)).predict(X) == y).all()


def test_a_level_that_was_never_seen_is_not_missing() -> None:
    X, _ = graded()
    y = X["grade"].isna().to_numpy()
    model = OOAxClassifier(missing="literal").fit(X, y)
    assert model.rules_.to_text(compact=True).startswith("(grade IS MISSING)")
    new = X.assign(grade=X["grade"].astype(object))
    new.loc[1, "grade"] = "unheard of"
    assert (model.predict(new) == y).all()
    assert (OOAxClassifier(missing="category").fit(X, y).predict(new) == y).all()


def test_cuts_by_hand_are_levels() -> None:
    X, y = graded()
    rules = learn_ooax(Table.from_any(X, y), thresholds={"grade": ["high"]}).rules
    assert "grade ≥ high" in str(rules)
    with pytest.raises(OptionError, match="'huge' of 'grade' is not one of its levels"):
        learn_ooax(Table.from_any(X, y), thresholds={"grade": ["huge"]})


def test_reports_name_levels(tmp_path: Any) -> None:
    X, y = graded()
    y = y ^ (np.arange(len(y)) % 40 == 0)
    model = OOAxClassifier(C1=0.01, C2=0.01).fit(X, y)
    page = model.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert "is at least high" in page
    assert "low to severe, median" in page
    assert ">ordered<" in page
    held_out = model.report(tmp_path / "h.html", X.assign(grade=X["grade"].astype(str)), y)
    assert "is at least high" in held_out.read_text(encoding="utf-8")


def test_monotone_constraints_speak_of_levels() -> None:
    from ooa.constraints import monotone

    X, y = graded()
    for kind in (OOAxClassifier, OOAClassifier):
        down = kind(constraints=[monotone("grade", "decreasing")], time_limit=3).fit(X, y).rules_
        assert all(
            getattr(literal, "low", None) is None
            for p in down
            for literal in p
            if literal.attribute == "grade"
        )
        up = kind(constraints=[monotone("grade", "increasing")], time_limit=20).fit(X, y).rules_
        assert "grade ≥ high" in str(up)
