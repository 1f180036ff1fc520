"""The HTML report: what it says, that nothing in the data becomes markup, and that a browser shows it."""

from __future__ import annotations

import os
import re
import shutil
import struct
import subprocess
import xml.etree.ElementTree as ET
import zlib
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from support.strategies import texts

from ooa.candidates.candidates import Candidates
from ooa.data.amounts import amount, percent
from ooa.data.table import Table
from ooa.datasets import apnea_survey, monks, tic_tac_toe
from ooa.errors import DataError, OptionError
from ooa.estimators import OOAxClassifier
from ooa.kernels.availability import compiled
from ooa.learning.certificate import Certificate, Scope, count
from ooa.learning.ooax import learn_ooax
from ooa.learning.verdict import Learned
from ooa.objective import Objective
from ooa.report.figures import take_stock
from ooa.report.misses import wrong_rows
from ooa.report.page import write_report
from ooa.rules.literal import Equal, IsMissing, NotEqual, OneOf, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.solving import Progress, Termination

VOID = {"meta", "link", "br"}
ELEMENTS = {
    *("html", "head", "meta", "link", "title", "style", "body", "header", "nav", "main", "section", "footer"),
    *(
        "h1",
        "h2",
        "h3",
        "p",
        "ul",
        "ol",
        "li",
        "dl",
        "dt",
        "dd",
        "div",
        "span",
        "a",
        "b",
        "small",
        "pre",
        "code",
    ),
    *("table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("figure", "svg", "rect", "line", "circle", "text"),
}
SECTIONS = ["rules", "proof", "patterns", "outcome", "missed", "search", "data", "reproduce"]


class Page(HTMLParser):
    """Reads a page and checks that every element is closed in turn."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    @property
    def words(self) -> str:
        return " ".join("".join(self.text).split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def learned(rules: RuleSet, table: Table, **changes: Any) -> Learned:
    """What a fit would have returned: these rules, with a certificate that says what it is told to."""
    rules = RuleSet(rules, target=table.target, positive=table.labels[1], negative=table.labels[0])
    counted = count(rules, table, Objective.of(0.01, 0.01))
    about: dict[str, Any] = {
        "bound": counted.objective,
        "scope": Scope.ALL,
        "statement": "all patterns",
        "termination": Termination.OPTIMAL,
        "proof": "decomposition",
    }
    trace = changes.pop("trace", ())
    certificate = Certificate(
        counted.errors,
        counted.total,
        counted.literals,
        counted.patterns,
        counted.objective,
        **about | changes,
    )
    return Learned(rules, certificate, Candidates.of_patterns(table, ()), None, trace)


def small() -> tuple[RuleSet, Table]:
    X = pd.DataFrame(
        {
            "age": [25.0, 61.0, 44.0, 70.0, np.nan, 33.0, 58.0, 20.0],
            "job": ["cook", "nurse", None, "cook", "nurse", "driver", "nurse", "cook"],
            "seen": pd.Timestamp("2020-01-01") + pd.to_timedelta(range(8), unit="D"),
        }
    )
    y = pd.Series(["well", "ill", "well", "ill", "ill", "ill", "well", "well"], name="state")
    rules = RuleSet([Pattern([Range("age", low=60)]), Range("age", low=40) & Equal("job", "nurse")])
    return rules, Table.from_any(X, y, positive="ill")


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
        "Proved best",
        "No other rule set with at most 2 patterns",
        "Of 8 rows, 4 are state = ill: 2 found, 2 missed.",
        "The other 4 are state = well: 3 recognised as such; false alarms: 1.",
        "age yesnumeric12.5 %720 to 70, median 44",
        "2020-01-01 to 2020-01-08",
        "seed7",
    ):
        assert words in page.words or words.replace(" ", "") in page.words.replace(" ", ""), words


def test_wrong_rows_are_named_with_what_they_lack() -> None:
    rules, table = small()
    wrong = wrong_rows(take_stock(*_parts(learned(rules, table)), table))
    assert (wrong.n_missed, wrong.n_alarms, wrong.by_lack, wrong.by_pattern) == (2, 1, {1: 2}, (0, 1))
    assert [(one.rows, one.pattern, one.as_near, one.lacks) for one in wrong.missed] == [
        ((4,), 1, (2,), ("age is missing",)),
        ((5,), 1, (), ("age is 33, 27 too low",)),
    ]
    assert [(one.rows, one.values, one.patterns) for one in wrong.alarms] == [
        ((6,), {"age": "58", "job": "nurse"}, (2,))
    ]


def _parts(one: Learned) -> tuple[RuleSet, Certificate]:
    return one.rules, one.certificate


def test_rows_alike_for_the_rules_are_one_entry_and_the_list_is_bounded() -> None:
    n = 400
    X = pd.DataFrame({"a": ["u", "v"] * (n // 2), "x": np.arange(n) % 40, "other": np.arange(n)})
    table = Table.from_any(X, np.arange(n) % 2)
    one = learned(RuleSet([Pattern([Equal("a", "u")])]), table)
    wrong = wrong_rows(take_stock(*_parts(one), table))
    assert [(len(group.rows), group.lacks) for group in wrong.missed] == [(200, ("a is v, not u",))]
    assert [len(group.rows) for group in wrong.alarms] == [200]
    many = wrong_rows(take_stock(*_parts(learned(RuleSet([Pattern([Range("x", low=100)])]), table)), table))
    assert (len(many.missed), many.missed_groups, many.n_missed) == (12, 20, 200)
    assert "1, 3, 5, 7, 9, 11 and 194 more" in write_report(one, table)


def test_figures_agree_with_the_statistics_of_the_rules() -> None:
    data = apnea_survey(300)
    table = Table.from_any(data.X, data.y, sample_weight=np.arange(300) % 3 + 0.5)
    assert data.rules is not None
    one = learned(data.rules, table)
    figures = take_stock(*_parts(one), table)
    expected = one.rules.statistics(data.X, data.y, np.arange(300) % 3 + 0.5)
    for name, mine in {
        "support": [p.support for p in figures.patterns],
        "positives": [p.confusion.found for p in figures.patterns],
        "marginal_coverage": [p.only_found + p.only_alarms for p in figures.patterns],
    }.items():
        assert np.allclose(expected[name], mine), name
    for k, pattern in enumerate(figures.patterns):
        rest = RuleSet([p for p in one.rules if p != one.rules[k]])
        without = count(rest, table, Objective.of(0, 0)).errors
        assert float(without - one.certificate.errors) == pytest.approx(pattern.saves)
    assert figures.confusion.missed + figures.confusion.alarms == pytest.approx(float(one.certificate.errors))
    assert "rows are weighted" in write_report(one, table)


@pytest.mark.parametrize(
    ("changes", "kind", "words"),
    [
        ({}, "proved", "Proved best among all rule sets there are"),
        ({"bound": Fraction(1, 5)}, "open", "no rule set within the limits that were set, within the scope"),
        ({"scope": Scope.SCREENED, "statement": "the 9 screened candidates"}, "proved", "was not picked"),
        ({"feasible": False}, "broken", "does not meet the constraints"),
        ({"termination": Termination.TIME_LIMIT, "message": "odd"}, "proved", "Odd."),
        ({"proof": "counting"}, "proved", "by counting alone"),
    ],
)
def test_certificate_in_words(changes: dict[str, Any], kind: str, words: str) -> None:
    rules, table = small()
    page = Page(write_report(learned(rules, table, **changes), table))
    assert words.replace(" ", "") in page.words.replace(" ", "")
    assert kind in [a.get("class") for a in page.all("div")]


def test_every_kind_of_condition_has_words() -> None:
    table = Table.from_any({"x": [1, 2], "c": ["a", "b"]}, [0, 1])
    some = [
        Pattern([Range("x", 1, 2, low_closed=False, high_closed=False)]),
        Pattern([NotEqual("c", "a")]),
        Pattern([OneOf("c", ["a", "b"])]),
        Pattern([IsMissing("x")]),
    ]
    words = Page(write_report(learned(RuleSet(some), table), table)).words
    for said in ("x is above 1 and below 2", "c is known and not a", "c is one of a, b", "x is missing"):
        assert said in words


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


def test_search_over_time_is_in_units_of_the_objective() -> None:
    rules, table = small()
    trace = (Progress(0.5, 0.75, 0.125), Progress(1.0, 0.5, 0.375))
    about = {"bound": Fraction(1, 4), "seconds": {"mining": 2.0}, "trace": trace}
    page = Page(write_report(learned(rules, table, **about, backend="highs", version="1"), table))
    score = float(learned(rules, table).certificate.objective)
    labels = [a["aria-label"] for a in page.all("svg") if a.get("class") == "chart"]
    assert labels == [
        f"Score over the seconds of the search: best score found {score:.4f} at the end, "
        "proven bound 0.2500 at the end."
    ]
    dots = [a["cx"] for a in page.all("circle")]
    assert dots == ["100%", "100%"]  # both curves end after two seconds
    # The second bound noted is above that of the certificate, so one step is left: across and up.
    assert [a["class"] for a in page.all("line")].count("curve bound") == 2
    assert "No solver was called" not in page.words
    assert "No solver was called" in Page(write_report(learned(rules, table, **about), table)).words
    lost = Page(write_report(learned(rules, table, **about, feasible=False), table))
    labels = [a["aria-label"] for a in lost.all("svg") if a.get("class") == "chart"]
    assert labels == ["Score over the seconds of the search: proven bound 0.2500 at the end."]


def test_path_of_rule_sets() -> None:
    rules, table = small()
    frame = pd.DataFrame({"errors": [4, 3, 1], "literals": [0, 3, 5], "patterns": [0, 2, 3]})
    page = Page(write_report(learned(rules, table), table, path_frame=frame))
    assert "path" in [a["id"] for a in page.all("section")]
    assert "5 conditions: 12.5 % wrong" in page.words
    with pytest.raises(OptionError, match="path_frame has no column 'literals'"):
        write_report(learned(rules, table), table, path_frame=frame.drop(columns="literals"))


def test_other_rows_are_refused() -> None:
    rules, table = small()
    other = Table.from_any({"age": [1, 80], "job": ["a", "b"]}, [0, 1])
    with pytest.raises(DataError, match="not the one learned from"):
        write_report(learned(rules, table), other)


def test_same_input_same_page_and_file(tmp_path: Path) -> None:
    rules, table = small()
    settings_ = {"keep": small, "score": object(), "C1": 0.01}
    one = write_report(learned(rules, table), table, tmp_path / "a.html", parameters=settings_)
    other = write_report(learned(rules, table), table, parameters=settings_ | {"score": object()})
    assert one == other == (tmp_path / "a.html").read_text(encoding="utf-8")


def check_safe(text: str) -> Page:
    """Nothing runs, nothing is loaded, every picture is well-formed and has words."""
    page = Page(text)
    names = {name for name, _ in page.elements}
    assert names <= ELEMENTS
    for name, attributes in page.elements:
        assert not any(key.startswith("on") or key in ("src", "srcset", "action") for key in attributes)
        if "href" in attributes:
            assert (attributes["href"] or "").startswith("#") or (
                name == "link" and attributes["href"] == "data:,"
            )
    assert not re.search(r"url\(|@import|https?:|//", text)
    for drawing in re.findall(r"<svg.*?</svg>", text, re.DOTALL):
        root = ET.fromstring(drawing)
        assert root.get("aria-hidden") == "true" or (root.get("role") == "img" and root.get("aria-label"))
    identities = [a["id"] for _, a in page.elements if "id" in a]
    assert len(identities) == len(set(identities))
    return page


NASTY = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror='alert(1)'>",
    "</style><script>",
    "]]>&amp;<!--",
    "\x00\u202eevil\ud800",
]


def nasty_page(name: str, value: str, target: str) -> str:
    clean = name.encode("utf-8", "ignore").decode()
    X = {clean: [value, "plain", value, None], "other" + clean: [1.0, 2.0, 3.0, 4.0]}
    y = pd.Series([value + "1", "no", value + "1", "no"], name=target or "t")
    table = Table.from_any(X, y, positive=value + "1")
    rules = RuleSet([Pattern([Equal(clean, value)]), Pattern([Range("other" + clean, low=4)])])
    return write_report(learned(rules, table), table, title=value, parameters={name: value})


@pytest.mark.parametrize("text", [t.replace("\ud800", "") for t in NASTY])
def test_nothing_in_the_data_becomes_markup(text: str) -> None:
    page = check_safe(nasty_page(text, text, text))
    assert text.split("\x00")[0] in "".join(page.text)


@settings(max_examples=25)
@given(texts, texts, texts)
def test_nothing_in_any_data_becomes_markup(name: str, value: str, target: str) -> None:
    check = nasty_page(name, value, target)
    check_safe(re.sub(r"https?:|//|url\(|@import", "", check))
    assert "\x00" not in check
    check.encode("utf-8")


def test_title_and_parameters_of_half_characters_can_be_written(tmp_path: Path) -> None:
    rules, table = small()
    write_report(
        learned(rules, table), table, tmp_path / "r.html", title=NASTY[-1], parameters={NASTY[-1]: NASTY}
    )
    assert b"\\ud800" in (tmp_path / "r.html").read_bytes()


def test_light_dark_print_and_tables() -> None:
    rules, table = small()
    text = write_report(learned(rules, table), table)
    for part in (
        "prefers-color-scheme: dark",
        "@media print",
        "screen and (max-width",
        "color-scheme: light dark",
    ):
        assert part in text
    page = check_safe(text)
    assert page.all("html") == [{"lang": "en"}]
    assert all("scope" in a for a in page.all("th"))
    headings = [int(name[1]) for name, _ in page.elements if re.fullmatch(r"h\d", name)]
    assert headings[0] == 1
    assert all(b - a <= 1 for a, b in pairwise(headings))


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def test_text_can_be_told_from_its_ground() -> None:
    rules, table = small()
    text = write_report(learned(rules, table), table)
    palettes = [dict(re.findall(r"--([a-z-]+): (#\w{6})", block)) for block in text.split(":root {")[1:4]]
    assert len(palettes) == 3
    pairs = "ink/page ink/card soft/page soft/card accent/page accent/card ok/ok-back warn/warn-back "
    pairs += "broken/broken-back ink/good-soft ink/bad-soft ink/ok-back ink/warn-back ink/broken-back"
    for colours in palettes:
        for pair in pairs.split():
            front, back = pair.split("/")
            assert contrast(colours[front], colours[back]) >= 4.5, pair


def test_counts_and_shares_never_lie() -> None:
    assert [amount(n) for n in (0.0, 1234.0, 0.5, 1e20)] == ["0", "1,234", "0.5", "1e+20"]
    assert percent(1999, 2000) == "> 99.9 %"
    assert percent(1, 2001) == "< 0.1 %"


def test_report_of_a_real_fit() -> None:
    data = monks(1)
    table = Table.from_any(data.X, data.y)
    found = learn_ooax(table, C1=0.001, C2=0.001)
    page = check_safe(write_report(found, table))
    assert "Every row is predicted right" in page.words
    assert f"solver {found.certificate.backend}" in page.words


@pytest.mark.skipif(not compiled(), reason="numba is not installed")
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


def chromium() -> str:
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    found = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), None)
    if not found:
        pytest.skip("no Chromium or Chrome is installed")
    return found


def browse(place: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    """Open the report in a headless browser, with a profile of its own."""
    common = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    )
    common += "--disable-component-update --disable-sync --hide-scrollbars --disable-dev-shm-usage "
    common += "--enable-logging=stderr --v=0"
    command = [chromium(), *common.split(), f"--user-data-dir={place.parent / 'profile'}", *flags]
    return subprocess.run([*command, place.as_uri()], capture_output=True, text=True, timeout=120, check=True)


def pixels(file: Path) -> tuple[int, int, int]:
    """Return width, height, and how many different rows of pixels a PNG has."""
    data, at, packed = file.read_bytes(), 8, b""
    width, height = struct.unpack(">II", data[16:24])
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        packed += data[at + 8 : at + 8 + size] if data[at + 4 : at + 8] == b"IDAT" else b""
        at += 12 + size
    raw = zlib.decompress(packed)
    stride = len(raw) // height
    return width, height, len({raw[y * stride : (y + 1) * stride] for y in range(height)})


def test_in_a_real_browser(tmp_path: Path) -> None:
    place = tmp_path / "control.html"
    place.write_text("<script>console.error('heard')</script>", encoding="utf-8")
    assert "heard" in browse(place, "--dump-dom").stderr  # so that silence means something
    place = tmp_path / "report.html"
    place.write_text(nasty_page(NASTY[0], NASTY[1], NASTY[2]), encoding="utf-8")
    shots = {}
    for scheme, name in ((1, "light"), (0, "dark")):
        file = tmp_path / f"{name}.png"
        colours = f"--blink-settings=preferredColorScheme={scheme}"
        ran = browse(place, colours, "--window-size=900,1600", f"--screenshot={file}")
        assert "CONSOLE" not in ran.stderr, ran.stderr
        shots[name] = file.read_bytes()
        width, height, different = pixels(file)
        assert (width, height) == (900, 1600)
        assert different > 300  # a blank page has one
    assert shots["light"] != shots["dark"]
