"""The look of the page: light, dark, printed, and legible."""

from __future__ import annotations

import re
from itertools import pairwise

from support.report_pages import check_safe, learned, small

from ooa.report.page import write_report


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
