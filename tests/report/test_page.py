"""The HTML report: what is on the page, and that a browser shows it."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest
from support.report_pages import Page, check_safe, learned, small

from ooa.data.table import Table
from ooa.datasets import monks, tic_tac_toe
from ooa.errors import DataError, OptionError
from ooa.estimators import OOAxClassifier
from ooa.kernels.availability import compiled
from ooa.learning.binding import BindingLimit
from ooa.learning.ooax import learn_ooax
from ooa.report.others import Others
from ooa.report.page import write_report, write_short_report
from ooa.rules.ruleset import OneOf, Pattern, RuleSet

SECTIONS = ["rules", "proof", "patterns", "outcome", "missed", "search", "data", "reproduce"]


def test_everything_asked_for_is_on_the_page() -> None:
    rules, table = small()
    text = write_report(learned(rules, table), table, parameters={"C1": 0.01, "max_patterns": 2, "seed": 7})
    page = Page(text)
    assert [a["id"] for a in page.all("section")] == SECTIONS
    assert {a["href"] for a in page.all("a")} == {"#main", *(f"#{name}" for name in SECTIONS)}
    assert [len(page.all(tag)) for tag in ("header", "nav", "main", "footer", "h1")] == [1, 1, 1, 1, 1]
    for words in (
        "Rules for state = ill",
        "Predict state = ill if at least one of these holds: 1age is at least 60"
        "2age is at least 40 and job is nurse",
        "Otherwise predict state = well",
        "Proved optimal",
        "No other rule set with at most 2 patterns",
        "Of 8 rows, 4 are state = ill: 2 found, 2 missed.",
        "The other 4 are state = well: 3 recognised as such; false alarms: 1.",
        "age yesnumeric12.5 %720 to 70, median 44",
        "2020-01-01 to 2020-01-08",
        "seed7",
    ):
        assert words in page.words or words.replace(" ", "") in page.words.replace(" ", ""), words


def test_empty_and_perfect_rule_sets() -> None:
    table = small()[1]
    nothing = Page(write_report(learned(RuleSet(), table), table)).words
    assert "There is no rule: every row is predicted state = well" in nothing
    assert "All 4 positive rows, as there is no pattern" in nothing
    data = tic_tac_toe()
    assert data.rules is not None
    board = Table.from_any(data.X, data.y)
    perfect = Page(write_report(learned(data.rules, board), board)).words
    assert "Every row is predicted right" in perfect
    assert "100 %" in perfect


def test_other_rows_are_refused() -> None:
    rules, table = small()
    other = Table.from_any({"age": [1, 80], "job": ["a", "b"]}, [0, 1])
    with pytest.raises(DataError, match="not the one learned from"):
        write_report(learned(rules, table), other)


def test_rows_learned_from_need_not_be_at_hand() -> None:
    rules, table = small()
    alone = Page(write_report(learned(rules, table), None, test=table))
    assert "tried on 8 test rows" in alone.words
    assert "search" not in [a["id"] for a in alone.all("section")]
    with pytest.raises(OptionError, match="path_frame is about the rows learned from"):
        write_report(learned(rules, table), None, test=table, others=Others(path_frame=pd.DataFrame()))
    with pytest.raises(DataError, match="needs rows"):
        write_report(learned(rules, table), None)


def test_the_short_report_has_the_same_figures_and_less_around_them() -> None:
    rules, table = small()
    about = {"limits": (BindingLimit("max_patterns", 6, Fraction(1, 8)),), "bound": Fraction(1, 9)}
    one = learned(rules, table, **about)
    short, long = (Page(write(one, table, test=table)) for write in (write_short_report, write_report))
    assert [a["id"] for a in short.all("section")] == ["rules", "figures", "proof"]
    assert not short.all("nav")
    for page in (short, long):
        for words in (
            "age is at least 40 and job is nurse",
            "Right in all (accuracy)62.5 %5 of 862.5 %5 of 8",
            f"Gap {100 * one.certificate.gap:.1f} %",
            "A limit binds: with max_patterns=6, L would fall by at least 0.125.",
        ):
            assert words in page.words, words
    check_safe(write_short_report(one, table))


def test_a_condition_with_many_values_is_listed_in_full_once() -> None:
    values = [f"v{k:03d}" for k in range(200)]
    table = Table.from_any({"c": values * 2}, [1, 0] * 200)
    one = learned(RuleSet([Pattern([OneOf("c", values[:150])])]), table)
    long, short = (Page(write(one, table)).words for write in (write_report, write_short_report))
    assert f"c is one of {', '.join(values[:150])}" in long
    assert f"c is one of {', '.join(values[:12])} and 138 more" in long
    assert f"c is one of {', '.join(values[:12])} and 138 more" in short
    assert "v100" not in short


def test_same_input_same_page_and_file(tmp_path: Path) -> None:
    rules, table = small()
    settings_ = {"keep": small, "score": object(), "C1": 0.01}
    one = write_report(learned(rules, table), table, tmp_path / "a.html", parameters=settings_)
    other = write_report(learned(rules, table), table, parameters=settings_ | {"score": object()})
    assert one == other == (tmp_path / "a.html").read_text(encoding="utf-8")


def test_report_of_a_real_fit() -> None:
    data = monks(1)
    table = Table.from_any(data.X, data.y)
    found = learn_ooax(table, C1=0.001, C2=0.001)
    page = check_safe(write_report(found, table))
    assert "Every row is predicted right" in page.words
    assert f"solver {found.certificate.backend}" in page.words


@pytest.mark.skipif(not compiled(), reason="the core is not compiled")
def test_report_of_a_fit_that_no_solver_proved(tmp_path: Path) -> None:
    data = monks(1)
    model = OOAxClassifier(C1=0.001, C2=0.001, selection="search").fit(data.X, data.y)
    page = check_safe(model.report(tmp_path / "report.html").read_text(encoding="utf-8"))
    assert "No solver was called" in page.words
    labels = [a["aria-label"] for a in page.all("svg") if a.get("class") == "chart"]
    assert labels == [
        "Score over the seconds of the search: best score found 0.0110 at the end, "
        "proven bound 0.0110 at the end."
    ]
    for name in ("incumbent", "bound"):
        assert len([a for a in page.all("line") if a["class"] == f"curve {name}"]) >= 2
