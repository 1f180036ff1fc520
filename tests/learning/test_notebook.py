"""Certificates in notebooks."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import Any

import pytest

from ooa.data.table import Table
from ooa.learning.certificate import Standing
from ooa.learning.notebook import COLOURS
from ooa.learning.ooax import learn_ooax

FOUND = learn_ooax(Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1]), C1=0.1, C2=0.1).certificate


def test_there_is_a_colour_for_every_standing_and_green_is_for_proofs() -> None:
    assert set(COLOURS) == set(Standing)
    green = COLOURS[Standing.PROVED]
    assert {one for one in Standing if COLOURS[one] == green} == {Standing.PROVED, Standing.PROVED_WITHIN}


@pytest.mark.parametrize(
    ("changes", "standing"),
    [
        ({}, Standing.PROVED),
        ({"bound": Fraction(1, 9), "rounding": Fraction(1)}, Standing.PROVED_WITHIN),
        ({"bound": Fraction(1, 9), "claimed_by": "cbc"}, Standing.CLAIMED),
        ({"bound": Fraction(1, 9), "pool": 26, "message": "<b>odd</b>"}, Standing.POOL),
        ({"bound": Fraction(1, 9)}, Standing.OPEN),
        ({"feasible": False}, Standing.INFEASIBLE),
    ],
)
def test_a_certificate_is_its_headline_and_its_text(changes: dict[str, Any], standing: Standing) -> None:
    found = replace(FOUND, **changes)
    assert found.standing is standing
    page = found._repr_html_()
    assert f"solid {COLOURS[standing]}" in page
    assert f"<b>{found.headline[0].upper()}{found.headline[1:]}</b>" in page
    said = [unescape(re.sub("<[^>]+>", "", line)).lower() for line in page.split("</div>")]
    for line in str(found).lower().splitlines():
        assert line in said
    assert "<b>odd" not in page
