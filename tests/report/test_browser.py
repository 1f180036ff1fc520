"""The report in a real browser."""

from __future__ import annotations

import re
import struct
import zlib
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from support.browser import browse, widths
from support.report_pages import NASTY, learned, nasty_page

from ooa.data.table import Table
from ooa.datasets import apnea_survey
from ooa.learning.ooax import Learned
from ooa.report.page import write_report, write_short_report
from ooa.rules.ruleset import Equal, OneOf, Pattern, Range, RuleSet


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


def fits(place: Path, window: int) -> bool:
    """Whether nothing on a page is wider than the window."""
    return widths(place.parent, [place.name], window, place.parent / "profile")[place.name] <= window


def long_texts() -> tuple[Learned, Table]:
    """Rules whose names, values and sets of values are long."""
    name, value = "the_name_of_the_ward_in_which_the_patient_stayed_longest", "long " * 40
    X = pd.DataFrame({name: [value, "b"] * 30, "town": [f"town {k}" for k in range(60)], "x": range(60)})
    table = Table.from_any(X, pd.Series([1, 0, 0] * 20, name="t" * 90), sample_weight=[3.0, 0.25] * 30)
    towns = OneOf("town", [f"town {k}" for k in range(50)])
    rules = RuleSet([Equal(name, value) & towns, Pattern([Range("x", 11.123456789012345, 40)])])
    return learned(rules, table, bound=Fraction(1, 10)), table


def test_nothing_is_wider_than_a_phone(tmp_path: Path) -> None:
    one, table = long_texts()
    place = tmp_path / "report.html"
    write_report(one, table, place, test=table, ids=["i" * 70] * 60, title="T" * 100)
    assert [fits(place, window) for window in (360, 1000)] == [True, True]
    write_short_report(one, table, place, test=table, title="T" * 100)
    assert [fits(place, window) for window in (360, 1000)] == [True, True]


def test_the_short_report_is_printed_on_one_page(tmp_path: Path) -> None:
    data = apnea_survey(600)
    weight = np.arange(600) % 3 + 0.5
    known, others = (
        Table.from_any(data.X.iloc[part], data.y.iloc[part], sample_weight=weight[part])
        for part in (slice(0, 400), slice(400, 600))
    )
    five = RuleSet([Equal(one, True) & Equal(other, False) for one, other in pairwise(list(data.X)[:6])])
    pages = []
    for write in (write_short_report, write_report):
        place, printed = tmp_path / "report.html", tmp_path / "report.pdf"
        write(learned(five, known, pool=99), known, place, test=others)
        browse(place, "--no-pdf-header-footer", f"--print-to-pdf={printed}", profile=tmp_path / "profile")
        pages.append(len(re.findall(rb"/Type /Page\b", printed.read_bytes())))
    assert pages[0] == 1
    assert pages[1] > 3


def test_in_a_real_browser(tmp_path: Path) -> None:
    place = tmp_path / "control.html"
    place.write_text("<script>console.error('heard')</script>", encoding="utf-8")
    assert (
        "heard" in browse(place, "--dump-dom", profile=tmp_path / "profile").stderr
    )  # so that silence means something
    place = tmp_path / "report.html"
    place.write_text(nasty_page(NASTY[0], NASTY[1], NASTY[2]), encoding="utf-8")
    shots = {}
    for scheme, name in ((1, "light"), (0, "dark")):
        file = tmp_path / f"{name}.png"
        colours = f"--blink-settings=preferredColorScheme={scheme}"
        ran = browse(
            place, colours, "--window-size=900,1600", f"--screenshot={file}", profile=tmp_path / "profile"
        )
        assert "CONSOLE" not in ran.stderr, ran.stderr
        shots[name] = file.read_bytes()
        width, height, different = pixels(file)
        assert (width, height) == (900, 1600)
        assert different > 300  # a blank page has one
    assert shots["light"] != shots["dark"]
