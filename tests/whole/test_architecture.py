"""The page on architecture against the code: the rooms, their order, who imports whom, the kernels' files."""

from __future__ import annotations

import re

import pytest
from support.house import FLOORS, GROUND, PAGE, PICTURE, PUBLIC, between_rooms, picture, room_of, rooms

pytestmark = pytest.mark.skipif(not PAGE.is_file(), reason="needs the source tree")


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def floors(page: str) -> tuple[tuple[str, ...], ...]:
    """The rooms as the first picture has them, floor by floor."""
    block = re.search(r"## The rooms.*?```text\n(.*?)```", page, re.DOTALL)
    assert block is not None
    lines = [re.split(r" {4,}", line)[0] for line in block[1].splitlines()]
    return tuple(tuple(line.split()) for line in lines)


def test_the_rooms_are_those_of_the_code(page: str) -> None:
    assert floors(page) == FLOORS
    assert sorted(room for floor in floors(page) for room in floor) == rooms()


def test_real_imports_go_down_in_the_order_of_the_page(page: str) -> None:
    place = {room: n for n, floor in enumerate(floors(page)) for room in floor}
    pairs = {(room_of(one.by), room_of(one.what)) for one in between_rooms()}
    between = [(one, other) for one, other in pairs if one in place and other in place]
    assert len(between) > 50
    assert all(place[one] < place[other] for one, other in between)


def test_the_picture_of_the_imports_is_up_to_date(page: str) -> None:
    drawn = PICTURE.search(page)
    assert drawn is not None
    assert drawn[0] == picture(), "python tests/support/house.py draws it anew"


def test_the_ground_floor_is_named(page: str) -> None:
    sentence = re.search(r"the ground floor, single files: (.*?)\.\n", page, re.DOTALL)
    assert sentence is not None
    assert tuple(re.findall(r"`(\w+)`", sentence[1])) == GROUND


def test_the_public_rooms_are_named(page: str) -> None:
    section = page.split("## What is public", 1)[1].split("\n## ", 1)[0]
    named = re.search(r"`__all__` of (.*?):", section, re.DOTALL)
    assert named is not None
    assert tuple(re.findall(r"`ooa\.(\w+)`", named[1])) == PUBLIC


def test_the_glossary_has_the_words_of_the_field(page: str) -> None:
    glossary = page.split("## Glossary", 1)[1]
    words = set(re.findall(r"\*([\w ]+)\*", glossary))
    wanted = (
        "literal, pattern, candidate, dominance, separation, pair cuts, greedy start, incumbent, bound, scope"
    )
    assert set(wanted.split(", ")) <= words
    assert {"Gap", "rank space", "needed cut", "grid"} <= words
