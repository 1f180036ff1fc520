"""The page to explore rule sets in a real browser: what a person does on it, and figures against Python's."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from support.devtools import Page, browsing

from ooa.cli import main
from ooa.constraints import (
    at_most_one_of,
    budget,
    demographic_parity,
    equal_opportunity,
    forbid_together,
    max_false_negatives,
    max_total_literals,
    max_uses,
    min_precision,
    min_sensitivity,
    min_specificity,
    min_support_per_pattern,
    monotone,
    require_attribute,
    require_pattern,
)
from ooa.data.table import Table
from ooa.explore.enumerate import enumerate_optimal
from ooa.explore.reliance import group_gaps, groups_of
from ooa.formulations.base import describe
from ooa.learning.settings import OOAxSettings
from ooa.learning.state import Fit
from ooa.report.explorer import write_explorer
from ooa.rules.confusion import Confusion
from ooa.rules.ruleset import RuleSet

GRADES = ("low", "medium", "high")
C1, C2 = 0.01, 0.02
GROUPS = "it's a <b>name</b>"


def few_young_alarms(f):
    """A constraint of one's own."""
    return f.error[~f.label & (np.arange(len(f.label)) % 2 == 0)].sum() <= 9


LIMITS = (
    *(min_sensitivity(0.7), min_specificity(0.8), min_precision(0.7), max_false_negatives(30.5)),
    *(demographic_parity("snores", 0.3), equal_opportunity("grade", 0.4), few_young_alarms),
    *(max_uses("age", 1), max_total_literals(5), at_most_one_of(["day", "grade"]), require_attribute("age")),
    *(budget({"age": 0.1, "snores": 0.2, "grade": 0.7}, 0.9), forbid_together(["age", "snores"])),
    *(monotone("age", "increasing"), monotone("grade", "decreasing")),
    *(min_support_per_pattern(3), require_pattern("age >= 30")),
)


def frame(seed: int, n: int) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": np.where(rng.random(n) < 0.1, np.nan, rng.integers(20, 40, n)),
            "it's a <b>name</b>": pd.Series(rng.choice(["f", "m & n", None], n), dtype=object),
            "grade": pd.Categorical(rng.choice(GRADES, n), GRADES, ordered=True),
            "day": pd.to_datetime("2024-01-01") + pd.to_timedelta(rng.integers(0, 9, n), unit="D"),
            "snores": rng.random(n) < 0.5,
        }
    )
    ill = (X["age"] >= 31) & X["snores"] | (X["grade"] == "high") & (rng.random(n) < 0.7)
    return X, np.where(ill ^ (rng.random(n) < 0.1), "ill", "well")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> SimpleNamespace:
    folder = tmp_path_factory.mktemp("explorer")
    X, y = frame(1, 300)
    table = Table.from_any(X, y, positive="ill", sample_weight=np.arange(300) % 3 + 0.5)
    test = Table.from_any(*frame(2, 150), positive="ill")
    near = enumerate_optimal(table, 150, "30%", C1=C1, C2=C2, max_length=2, max_patterns=3)
    assert len(near) > 20
    write_explorer(near, folder / "page.html", test=test, groups=GROUPS, constraints=["a limit"])
    write_explorer(near, folder / "limits.html", constraints=LIMITS)
    write_explorer(near, folder / "bare.html", rows=False)
    return SimpleNamespace(folder=folder, near=near, tables={"training": table, "test": test})


@pytest.fixture(scope="module")
def browser(made: SimpleNamespace) -> Iterator[Page]:
    with browsing(made.folder / "profile") as page:
        page.call(
            "Emulation.setDeviceMetricsOverride", width=1300, height=1000, deviceScaleFactor=1, mobile=False
        )
        yield page


@pytest.fixture
def page(made: SimpleNamespace, browser: Page) -> Iterator[Page]:
    browser.open(made.folder / "page.html")
    yield browser
    assert browser.said == []


def text(page: Page, place: str) -> str:
    found: str = page.run(f"document.querySelector({json.dumps(place)}).textContent")
    return found


def shown(page: Page) -> list[int]:
    found: list[int] = page.run("ooa.state.shown")
    return found


def check_figures(found: dict, rules: RuleSet, tables: dict[str, Table]) -> None:
    """What the page counted of a rule set against what Python counts."""
    for name, table in tables.items():
        fires = np.asarray(rules.covers(table.as_frame()).any(axis=1))
        counted = Confusion.of(fires, table.y, table.weight)
        assert found[name]["errors"] == pytest.approx(counted.errors, abs=1e-9)
        for rate in ("sensitivity", "specificity", "ppv"):
            rated = getattr(counted, rate)
            assert found[name][rate] == (None if rated is None else pytest.approx(rated, abs=1e-12))
        for gap, far in group_gaps(fires, table, groups_of(table, GROUPS)).items():
            assert found[name][gap] == pytest.approx(far, abs=1e-12)
    table = tables["training"]
    fires = np.asarray(rules.covers(table.as_frame()).any(axis=1))
    errors = Confusion.of(fires, table.y, table.weight).errors / table.weight.sum()
    assert found["L"] == pytest.approx(errors + C1 * rules.n_literals + C2 * len(rules), abs=1e-12)


def random_literal(rng: random.Random, a: int, of: dict) -> list:
    if of["kind"] in ("numeric", "time"):
        low, high = rng.choice([-1, *of["lows"]]), rng.choice([-1, *of["highs"]])
        return ["range", a, low, high] if (low, high) != (-1, -1) else ["range", a, of["lows"][0], -1]
    places = range(len(of["names"]))
    if of["kind"] == "ordered" and rng.random() < 0.6:
        low, high = rng.choice([-1, *places]), rng.choice([-1, *places])
        return ["levels", a, low, high] if (low, high) != (-1, -1) else ["levels", a, 1, -1]
    kind = rng.choice(["equal", "not", "in", "missing"])
    if kind == "missing":
        return ["missing", a]
    many = rng.randint(1, len(places)) if kind == "in" else 1
    return [kind, a, *sorted(rng.sample(places, many))]


def test_figures_of_listed_sets_are_pythons(made, page):
    many = len(made.near)
    found = page.run(f"Array.from({{length: {many}}}, (_, k) => ooa.figuresOf(ooa.setOf(k), k))")
    again = page.run(f"Array.from({{length: {many}}}, (_, k) => ooa.figuresOf(ooa.setOf(k)))")
    texts = page.run(f"Array.from({{length: {many}}}, (_, k) => ooa.rulesText(ooa.setOf(k)))")
    for k, rules in enumerate(made.near.rules):
        assert RuleSet.parse(texts[k]) == rules
        check_figures(found[k], rules, made.tables)
        check_figures(again[k], rules, made.tables)
        assert again[k]["excess"] == pytest.approx(float(made.near.excess[k]), abs=1e-12)


def random_edits(rng: random.Random, attributes: list[dict], many: int) -> list[list]:
    edits: list[list] = [[]]
    for _ in range(many):
        patterns = []
        for _ in range(rng.randint(1, 4)):
            chosen = sorted(rng.sample(range(len(attributes)), rng.randint(1, 3)))
            patterns.append([random_literal(rng, a, attributes[a]) for a in chosen])
        edits.append([*patterns, *patterns[: rng.randint(0, 1)]])  # one may be there twice
    return edits


def test_figures_follow_random_edits(made, page):
    edits = random_edits(random.Random(5), page.run("ooa.data.attributes"), 60)
    found = page.run(
        f"{json.dumps(edits)}.map((patterns) => {{ ooa.edit(patterns);"
        " return [ooa.state.figures, ooa.rulesText(patterns), ooa.rulesJson(patterns)]; })"
    )
    for figures, words, document in found:
        rules = RuleSet.parse(words)
        assert RuleSet.from_json(document) == rules
        assert (figures["patterns"], figures["literals"]) == (len(rules), rules.n_literals)
        check_figures(figures, rules, made.tables)
    assert len({words for _, words, _ in found}) > 50


def test_limits_of_edited_sets_are_checked_as_python_does(made, browser):
    browser.open(made.folder / "limits.html")
    edits = random_edits(random.Random(8), browser.run("ooa.data.attributes"), 150)
    found = browser.run(
        f"{json.dumps(edits)}.map((patterns) => [ooa.limitsOf(patterns), ooa.rulesText(patterns)])"
    )
    table = made.tables["training"]
    problem = Fit.of(table, OOAxSettings(C1=C1, C2=C2, constraints=LIMITS)).problem
    not_checked = [describe(one) for one in LIMITS[-2:]]
    broken: list[str] = []
    for said, words in found:
        assert said["unknown"] == not_checked
        wrong = [name for name in problem.violated(RuleSet.parse(words)) if name not in not_checked]
        assert said["broken"] == wrong
        broken += wrong
    for one in LIMITS[:-2]:  # each is broken by some and met by others
        assert 0 < broken.count(describe(one)) < len(found)
    listed = browser.run("ooa.limitsOf(ooa.setOf(3), 3)")
    assert listed == {"broken": [], "unknown": []}
    browser.run("ooa.choose(0)")
    assert text(browser, "#limits-met") == f"Meets all {len(LIMITS)} limits."
    browser.run("ooa.edit([])")
    assert text(browser, "#limits-met").startswith("Does not meet: sensitivity at least 70 %, ")
    assert "Not checked on this page: min_support_per_pattern(" in text(browser, "#limits-met")
    assert browser.said == []


def test_filters(made, page):
    every = len(made.near)
    assert text(page, "#count") == f"{every} sets"
    name = json.dumps('#attributes [aria-label="Only sets without snores"]')
    page.run(f"document.querySelector({name}).click()")
    without = [k for k, rules in enumerate(made.near.rules) if "snores" not in rules.attributes]
    assert sorted(shown(page)) == without
    pressed = (
        """[...document.querySelectorAll('#attributes [aria-pressed="true"]')].map((one) => one.ariaLabel)"""
    )
    assert page.run(pressed) == ["Only sets without snores"]
    assert text(page, "#count") == f"{len(without)} of {every} sets"
    page.run("document.getElementById('clear').click()")
    assert len(shown(page)) == every
    assert page.run(pressed) == []
    rows = made.tables["training"].as_frame()
    fires = [rules.covers(rows).any(axis=1).tobytes() for rules in made.near.rules]
    page.run("document.getElementById('one-of-each').click()")
    assert sorted(shown(page)) == sorted(map(fires.index, set(fires)))
    page.run("document.getElementById('clear').click()")
    assert len(shown(page)) == every
    # sliders, moved to the left by a key
    for name, size in (
        ("literals", lambda rules: rules.n_literals),
        ("attributes", lambda rules: len(rules.attributes)),
    ):
        page.run(f"document.getElementById('limit-{name}').focus()")
        page.press("ArrowLeft")
        most = sorted({size(rules) for rules in made.near.rules})[-2]
        fewer = [k for k, rules in enumerate(made.near.rules) if size(rules) <= most]
        assert sorted(shown(page)) == fewer
        page.run("document.getElementById('clear').click()")
    slider = 'document.getElementById("limit-training.sensitivity")'
    page.run(f"{slider}.value = 5; {slider}.dispatchEvent(new Event('input'))")
    rates = page.run("ooa.data.sets.map((_, k) => ooa.figuresOf(ooa.setOf(k), k).training.sensitivity)")
    least = sorted(set(rates))[5]
    assert sorted(shown(page)) == [k for k, rate in enumerate(rates) if rate >= least - 1e-12]


def test_the_list_shows_what_the_optimum_does_not_have(made, page):
    bold = page.run(
        "[...document.querySelectorAll('#list li')].map((li) => "
        "[...li.querySelectorAll('.rules b')].map((one) => one.textContent))"
    )
    words = page.run("[...document.querySelectorAll('#list .rules')].map((one) => one.textContent)")
    best = {*made.near.rules[0]}
    assert len(bold) == min(100, len(made.near))
    for rules, some, whole in zip(made.near.rules, bold, words):
        assert len(some) == len([pattern for pattern in rules if pattern not in best])
        order = " WITH grade: low < medium < high"
        read = {one: {*RuleSet.parse(one + order * ("grade" in one))} for one in (*some, whole)}
        assert all(not read[one] & best for one in some)
        assert read[whole] == {*rules}
    assert any(some for some in bold)


def test_sorting_and_choosing_by_key(page):
    page.run(
        "const s = document.getElementById('sort'); s.value = 'training.sensitivity';"
        "s.dispatchEvent(new Event('change'))"
    )
    rates = page.run("ooa.state.shown.map((k) => ooa.figuresOf(ooa.setOf(k), k).training.sensitivity)")
    assert rates == sorted(rates, reverse=True)
    page.run("document.getElementById('list').focus()")
    page.press("Home")
    page.press("ArrowDown")
    order = shown(page)
    assert page.run("ooa.state.chosen") == order[1]
    assert page.run("document.activeElement.getAttribute('aria-activedescendant')") == f"set-{order[1]}"
    page.press("End")
    assert page.run("ooa.state.chosen") == order[-1]


def test_a_point_is_chosen_by_a_click(made, page):
    page.run("window.scrollTo(0, 0)")
    x, y = page.run(
        "(() => { const box = document.getElementById('plot').getBoundingClientRect();"
        " return [box.left + ooa.plot.places[10][0], box.top + ooa.plot.places[10][1]]; })()"
    )
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
    assert page.run("ooa.plot.places[ooa.state.chosen]") == page.run("ooa.plot.places[10]")
    assert page.run("ooa.state.chosen") > 0


def test_the_editor(made, page):
    before = page.run("ooa.state.patterns")
    page.run("document.querySelector('[data-drop=\"0,0\"]').click()")
    after = page.run("ooa.state.patterns")
    assert sum(map(len, after)) == sum(map(len, before)) - 1
    assert page.run("document.getElementById('edited').hidden") is False
    assert "above the proved optimum" in text(page, "#distance")
    check_figures(page.run("ooa.state.figures"), RuleSet.parse(text(page, "#text")), made.tables)
    page.run("document.getElementById('undo').click()")
    assert page.run("ooa.state.patterns") == before
    page.run("document.querySelector('[data-drop-pattern=\"0\"]').click()")
    assert page.run("ooa.state.patterns") == before[1:]
    page.run(
        "const add = document.getElementById('new-pattern'); add.value = '0';"
        "add.dispatchEvent(new Event('change'))"
    )
    assert len(page.run("ooa.state.patterns")) == len(before)
    page.run(
        "const more = document.getElementById('add-pattern'); more.selectedIndex = 1;"
        "more.dispatchEvent(new Event('change'))"
    )
    assert len(page.run("ooa.state.patterns")) == len(before) + 1
    check_figures(page.run("ooa.state.figures"), RuleSet.parse(text(page, "#text")), made.tables)
    page.run("document.getElementById('reset').click()")
    assert page.run("document.getElementById('edited').hidden") is True


def test_a_threshold_is_moved_by_its_slider(made, page):
    lows = page.run("ooa.data.attributes[0].lows")
    page.run(f"ooa.edit([[['range', 0, {lows[2]}, -1]]])")
    page.run("document.querySelector('#editor input[type=range]').focus()")
    page.press("ArrowRight")
    assert page.run("ooa.state.patterns") == [[["range", 0, lows[3], -1]]]
    assert page.run("document.activeElement.type") == "range"  # the slider stays where it is
    said = text(page, "#editor .says")
    assert RuleSet.parse(said).patterns == RuleSet.parse(text(page, "#text")).patterns
    check_figures(page.run("ooa.state.figures"), RuleSet.parse(text(page, "#text")), made.tables)
    page.run("document.getElementById('undo').click()")
    assert page.run("ooa.state.patterns") == [[["range", 0, lows[2], -1]]]


def test_a_condition_is_bounded_from_the_other_side(made, page):
    lows, highs = (page.run(f"ooa.data.attributes[0].{name}") for name in ("lows", "highs"))
    page.run(f"ooa.edit([[['range', 0, {lows[2]}, -1]]])")
    for sides, words in (("high", "≤"), ("both", "≤ age ≤"), ("low", "age ≥")):
        page.run(
            f"var s = document.querySelector('#editor .sides'); s.focus(); s.value = '{sides}';"
            "s.dispatchEvent(new Event('change'))"
        )
        ((kind, on, low, high),) = page.run("ooa.state.patterns")[0]
        assert (kind, on, low in lows, high in highs) == ("range", 0, sides != "high", sides != "low")
        assert words in text(page, "#editor .says")
        assert page.run("document.activeElement.value") == sides  # the keys stay where they are
        check_figures(page.run("ooa.state.figures"), RuleSet.parse(text(page, "#text")), made.tables)
    page.run("document.querySelector('[data-drop-pattern=\"0\"]').focus()")
    page.run("document.activeElement.click()")
    assert page.run("document.activeElement.id") == "editor"


def test_rows_that_change_sides_are_counted(made, page):
    page.run("ooa.choose(9)")
    page.run("new Promise((resolve) => setTimeout(resolve, 200))")
    table, (first, ninth) = made.tables["training"], (made.near.rules[0], made.near.rules[9])
    fires = [np.asarray(rules.covers(table.as_frame()).any(axis=1)) for rules in (first, ninth)]
    weight = float(table.weight[fires[0] != fires[1]].sum())
    assert text(page, "#changed").startswith(f"{weight:g} of ")
    cells = page.run(
        "[...document.querySelectorAll('#changes tbody tr')].map((tr) => "
        "Number(tr.children[1].textContent) + Number(tr.children[2].textContent))"
    )
    assert sum(cells) == pytest.approx(weight)


def test_two_sets_side_by_side(page):
    assert "compared with" not in text(page, "#key")
    page.run("ooa.choose(4); document.getElementById('pin').click(); ooa.choose(7)")
    assert "compared with" in text(page, "#key")
    head = page.run("[...document.querySelectorAll('#figures thead th')].map((th) => th.textContent)")
    assert head == ["", "This set", "Rule set 5", "Difference"]
    assert len(page.run("[...document.querySelectorAll('#beside .pairs > div')].map((one) => 1)")) == 2
    page.run(
        "const a = document.getElementById('against'); a.value = 'optimum';"
        "a.dispatchEvent(new Event('change'))"
    )
    assert text(page, "#figures thead th:nth-child(3)") == "The optimum"


def test_copy_gives_what_parse_reads(made, page):
    page.run("ooa.choose(6)")
    page.run("navigator.clipboard.writeText = async (words) => { window.copied = words; }")
    page.run("document.getElementById('copy').click()")
    assert RuleSet.parse(page.run("window.copied")) == made.near.rules[6]
    assert "RuleSet.parse reads it" in text(page, "#said")


def test_the_download_is_a_model(made, page, tmp_path, capsys):
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path), eventsEnabled=True)
    page.run("ooa.choose(2); document.getElementById('download').click()")
    page.wait_for("Browser.downloadProgress", state="completed")
    place = tmp_path / "model.json"
    frame(3, 40)[0].to_csv(tmp_path / "new.csv", index=False)
    assert main(["predict", str(place), str(tmp_path / "new.csv"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    expected = made.near.rules[2].predict(pd.read_csv(tmp_path / "new.csv", parse_dates=["day"]))
    assert said["predictions"] == expected.tolist()
    assert json.loads(place.read_text(encoding="utf-8"))["explored"]["listed"] == 3


def test_it_says_what_is_in_it_and_what_is_not_checked(page):
    said = text(page, "#about")
    assert "distinct coded rows of the training data" in said
    assert (
        "All listed rule sets meet: a limit. Those that are changed here are counted again, but for a limit."
        in said
    )
    assert "there are no names or numbers of rows" in said


def test_it_says_up_to_where_the_list_is_complete(made, browser):
    assert "none is missing" not in text(browser, "#lead")
    least, place = made.near.certificates[0].objective, made.folder / "cut.html"
    for rest, words in (
        (least + Fraction(3, 100), "none is missing that is less than 0.0300 above the best"),
        (least + Fraction(299, 1000000), "none is missing that is less than 0.000299 above the best"),
        (least + Fraction(199, 100000), "none is missing that is less than 0.0019 above the best"),
        (None, "There may be others that are as good."),
    ):
        write_explorer(replace(made.near, complete=False, rest=rest), place)
        browser.open(place)
        assert words in text(browser, "#lead")
        assert "not all were looked at: " in text(browser, "#about")
        assert "there may be others" in text(browser, "#about")
    assert browser.said == []


def test_without_rows_the_editor_is_off(made, browser):
    browser.open(made.folder / "bare.html")
    browser.run("ooa.choose(5)")
    browser.run("new Promise((resolve) => setTimeout(resolve, 200))")
    assert "The editor is off" in text(browser, "#editor")
    assert (
        browser.run("document.querySelectorAll('#editor input, #editor select, #editor button').length") == 0
    )
    assert "No row is in it" in text(browser, "#about")
    assert "training rows are predicted otherwise" in text(browser, "#changed")
    assert RuleSet.parse(text(browser, "#text")) == made.near.rules[5]
    assert browser.said == []


def test_a_notebook_shows_it_in_a_frame(made, browser):
    page = write_explorer(made.near)
    place = made.folder / "notebook.html"
    place.write_text(f"<!doctype html><title>cell</title>{page._repr_html_()}", encoding="utf-8")
    browser.open(place)
    count = "document.getElementById('count')?.textContent"
    counts = [browser.run_in(frame, count) for frame in browser.frames]
    assert f"{len(made.near)} sets" in counts
    assert browser.said == []


def test_every_control_has_a_name(page):
    nameless = page.run(
        """[...document.querySelectorAll("button, input, select, canvas, [role=listbox]")].filter((one) =>
        !(one.getAttribute("aria-label") || one.getAttribute("aria-labelledby") || one.textContent.trim()
          || (one.labels && one.labels.length))).map((one) => one.outerHTML)"""
    )
    assert nameless == []
    unlabelled = page.run(
        """[...document.querySelectorAll("select")].filter((one) =>
        !(one.getAttribute("aria-label") || one.labels.length)).map((one) => one.outerHTML)"""
    )
    assert unlabelled == []


def test_phone_dark_and_paper(page, tmp_path: Path):
    page.resize(360, 800, mobile=True)
    assert page.run("document.documentElement.scrollWidth") <= 360
    colours = []
    for scheme in ("light", "dark"):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        page.call("Emulation.setEmulatedMedia", features=features)
        colours.append(page.run("getComputedStyle(document.body).backgroundColor"))
    assert colours[0] != colours[1]
    page.call("Emulation.setEmulatedMedia", media="print", features=[])
    assert page.run("getComputedStyle(document.querySelector('.choose')).display") == "none"
    assert page.run("document.querySelector('#figures').getBoundingClientRect().height") > 100
    page.call("Emulation.setEmulatedMedia", media="", features=[])
    page.call(
        "Emulation.setDeviceMetricsOverride", width=1300, height=1000, deviceScaleFactor=1, mobile=False
    )
