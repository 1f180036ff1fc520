"""What texts look like: numbers, dates, and several spellings of one thing."""

from __future__ import annotations

import pytest

from ooa.data.text_forms import TextForm, date_form, number_form, sign_form, spellings


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["1,5", "2,25", "3"], TextForm("1,5", (",",))),
        (["1.234,5", "12,0"], TextForm("1.234,5", (",",))),
        (["1,234.5", "99"], TextForm("1,234.5", (".",))),
        (["1,234", "99"], TextForm("1,234", (".", ","))),
        (["1,234", "0,125"], TextForm("1,234", (",",))),
        (["1,234", "1,5"], TextForm("1,234", (",",))),
        (["1,234", "1,234.5"], TextForm("1,234", (".",))),
        (["950", "1,234", "1,234,567"], TextForm("1,234", (".",))),
        (["1,234,567", "1,23,4", "99"], TextForm("1,234,567", (".",), ("1,23,4",))),
        (["1.5", "2", "-.5e3"], TextForm("1.5")),
        (["1.5", "2", "?"], TextForm("1.5", (), ("?",))),
        (["1,5", "k.A.", "n/a"], None),  # most are none
        (["a", "b", "1"], None),
        (["1,a", "b"], None),
        (["red, green", "blue"], None),
    ],
)
def test_numbers(texts: list[str], form: TextForm | None) -> None:
    assert number_form(dict.fromkeys(texts, 1)) == form


@pytest.mark.parametrize(
    ("texts", "form"),
    [
        (["18.2%", "9 %", "-0.5%"], TextForm("18.2%")),
        (["$ 1,200", "-$950.50", "?"], TextForm("$ 1,200", (), ("?",))),
        (["1.200,50 €", "80€"], TextForm("1.200,50 €")),
        (["12%", "a", "b", "c"], None),  # most are none
        (["12", "13"], None),  # no sign
        (["d12", "12B", "3rd", "%", "$"], None),  # codes, and no number
    ],
)
def test_numbers_with_signs(texts: list[str], form: TextForm | None) -> None:
    assert sign_form(dict.fromkeys(texts, 1)) == form


def test_rows_decide_and_not_texts() -> None:
    assert number_form({"1.5": 90, "?": 5, "-": 4}) == TextForm("1.5", (), ("?", "-"))
    assert number_form({"1.5": 3, "?": 5}) is None


@pytest.mark.parametrize(
    ("texts", "how"),
    [
        (["31.12.2023", "1.2.2024"], ("day-first",)),
        (["12/31/2023", "1/2/2024"], ("month-first",)),
        (["3/4/2024", "5/6/2024"], ("day-first", "month-first")),
        (["31.12.2023 14:30", "1.2.2024 9:05:10"], ("day-first",)),
        (["31.12.23", "01.02.24"], ("%d.%m.%y",)),
        (["12/31/23", "01/02/24"], ("%m/%d/%y",)),
        (["2024/12/31", "2024/1/2"], ("%Y/%m/%d",)),
        (["31.12.2023", "12/31/2023"], ()),  # neither order reads both
        (["31.31.2023"], ()),
        (["2024-12-31"], ()),  # known anyway
        (["1.2.3", "a"], ()),
    ],
)
def test_dates(texts: list[str], how: tuple[str, ...]) -> None:
    form = date_form(dict.fromkeys(texts, 1))
    assert (form.how if form is not None else ()) == how


def test_dates_with_a_few_other_texts() -> None:
    assert date_form({"31.12.2023": 50, "unknown": 2, "?": 3}) == TextForm(
        "31.12.2023", ("day-first",), ("?", "unknown")
    )
    assert date_form({"31.12.2023": 5, "unknown": 2}) is None


@pytest.mark.parametrize(
    ("texts", "groups"),
    [
        ({"cook": 9, "Cook": 2, " cook": 1}, [("cook", "Cook", " cook")]),
        ({"light  blue": 1, "light blue": 4}, [("light blue", "light  blue")]),
        ({"surgery": 50, "surgry": 1, "surgary": 2}, [("surgery", "surgry"), ("surgery", "surgary")]),
        ({"typical": 30, "atypical": 25}, []),  # both frequent: they mean different things
        ({"type 1": 50, "type 2": 1}, []),  # a digit is not a slip
        ({"left": 50, "lift": 1}, []),  # too short to tell
        ({"A10": 1, "A11": 50}, []),
    ],
)
def test_spellings(texts: dict[str, int], groups: list[tuple[str, ...]]) -> None:
    assert sorted(spellings(texts)) == sorted(groups)


def test_many_texts_are_compared_quickly_and_rightly() -> None:
    words = {f"{a}{b}street{c}": 100 for a in "abcdefghij" for b in "klmnopqrst" for c in "uvwxyz"}
    words["akstretu"] = 1  # two letters off from any
    words["akstreetua"] = 1
    found = spellings(words)
    slow = [
        (often, rare)
        for often in words
        for rare in words
        if words[rare] == 1 and words[often] == 100 and _one_letter(often, rare)
    ]
    assert sorted(found) == sorted(slow)


def _one_letter(one: str, other: str) -> bool:
    """The slow way: try every letter left out, and every letter changed."""
    if len(one) == len(other):
        return sum(a != b for a, b in zip(one, other)) == 1
    shorter, longer = sorted((one, other), key=len)
    return any(longer[:i] + longer[i + 1 :] == shorter for i in range(len(longer)))
