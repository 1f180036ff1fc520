"""Nothing in the data becomes markup."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from support.report_pages import NASTY, check_safe, learned, nasty_page, small
from support.strategies import texts

from ooa.report.page import write_report


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
