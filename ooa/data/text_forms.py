"""What the texts of a column look like: numbers, dates, or several spellings of one thing."""

from __future__ import annotations

import datetime
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

__all__ = ["TextForm", "date_form", "number_form", "sign_form", "spellings"]

#: The share of the rows that must be of a form for the others to be odd ones, of dates and of numbers.
DATES, NUMBERS = 0.9, 0.5
#: How rare one of two texts that differ in a letter must be, against the other, to be a slip of the pen; and
#: from how many letters on.
RARE, LONG = 0.1, 5

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
#: Numbers that are none with a decimal point alone, by the decimal mark with which they are.
#: With three digits after it, as in 10,072, the comma may be either.
_MARKED = {
    ".": re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?", re.ASCII),
    ",": re.compile(r"[+-]?(?:\d+,\d+|\d{1,3}(?:\.\d{3})+,\d+)", re.ASCII),
}
#: Amounts and shares: a number with one of these signs before or behind it.
_SIGNS, _AMOUNT = "$€£¥₹", r"\d+(?:[.,]\d+)*"
_SIGNED = re.compile(rf"[+-]?[{_SIGNS}] ?[+-]?{_AMOUNT}|[+-]?{_AMOUNT} ?[%‰°{_SIGNS}]", re.ASCII)
_DAY_AND_MONTH = re.compile(
    r"(\d{1,2})(?P<mark>[./-])(\d{1,2})(?P=mark)(\d{4}|\d\d)(?P<clock>[T ]\d{1,2}:\d\d(?::\d\d)?)?", re.ASCII
)
_YEAR_FIRST = re.compile(r"(\d{4})(?P<mark>[./])(\d{1,2})(?P=mark)(\d{1,2})", re.ASCII)


@dataclass(frozen=True)
class TextForm:
    """What most texts of a column are.

    Attributes
    ----------
    example : one that is
    how : how to read them: a decimal mark; or "day-first", "month-first" or a format of `strptime`; several
        if all of these are possible
    others : the texts that are not, the most frequent first
    """

    example: str
    how: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


def number_form(texts: Mapping[str, int]) -> TextForm | None:
    """Whether most rows hold numbers, and with which decimal mark; `how` is empty if that is the point.

    Parameters
    ----------
    texts : in how many rows each text stands

    Examples
    --------
    >>> number_form({"1,5": 7, "2": 3, "?": 1})
    TextForm(example='1,5', how=(',',), others=('?',))
    >>> number_form({"1.5": 7, "<0.1": 1}).how
    ()
    >>> number_form({"950": 2, "10,072": 1}).how
    ('.', ',')
    """
    marked = {mark: [one for one in texts if shape.fullmatch(one.strip())] for mark, shape in _MARKED.items()}
    rows = {mark: sum(texts[one] for one in some) for mark, some in marked.items()}
    how = tuple(mark for mark in rows if rows[mark] == max(rows.values()) > 0)
    if how:
        found = set(marked[how[0]])
        others = _others(texts, lambda text: text in found or _is_number(text), NUMBERS)
        return None if others is None else TextForm(marked[how[0]][0], how, others)
    others = _others(texts, _is_number, NUMBERS)
    return None if others is None else TextForm(next(filter(_is_number, texts)), (), others)


def sign_form(texts: Mapping[str, int]) -> TextForm | None:
    """Whether most rows hold numbers with a sign of money, of a share or of degrees.

    Parameters
    ----------
    texts : in how many rows each text stands

    Examples
    --------
    >>> sign_form({"18.2%": 7, "9%": 3, "?": 1})
    TextForm(example='18.2%', how=(), others=('?',))
    >>> sign_form({"$ 1,200": 7, "$950": 3}).example
    '$ 1,200'
    """
    signed = [text for text in texts if _SIGNED.fullmatch(text.strip())]
    others = _others(texts, set(signed).__contains__, NUMBERS)
    return None if others is None else TextForm(signed[0], (), others)


def date_form(texts: Mapping[str, int]) -> TextForm | None:
    """Whether most rows hold dates that are not written as 2024-05-31, and how they can be read.

    Parameters
    ----------
    texts : in how many rows each text stands

    Examples
    --------
    >>> date_form({"31.12.2023": 4, "1.2.2024": 3})
    TextForm(example='31.12.2023', how=('day-first',), others=())
    >>> date_form({"3/4/2024": 1, "5/6/2024": 1}).how
    ('day-first', 'month-first')
    >>> date_form({"31.12.23": 4}).how
    ('%d.%m.%y',)
    >>> date_form({"31.12.2023": 40, "31.02.2023": 1, "00.00.0000": 2}).others
    ('00.00.0000', '31.02.2023')
    """
    for shape, formats in ((_DAY_AND_MONTH, _orders), (_YEAR_FIRST, _year_first)):
        found = {text: match for text in texts if (match := shape.fullmatch(text.strip()))}
        if not found:
            continue
        ways = formats(next(iter(found.values())))
        reads = {how: [text for text, match in found.items() if _reads(match, form)] for how, form in ways}
        rows = {how: sum(texts[text] for text in some) for how, some in reads.items()}
        best = [how for how in rows if rows[how] == max(rows.values())]
        others = _others(texts, set(reads[best[0]]).__contains__, DATES)  # days that do not exist among them
        if others is not None:
            return TextForm(reads[best[0]][0], tuple(best), others)
    return None


def spellings(texts: Mapping[str, int]) -> list[tuple[str, ...]]:
    """Texts that may be one and the same: but for case and blanks, or but for one letter of a rare one.

    Parameters
    ----------
    texts : in how many rows each text stands

    Returns
    -------
    list of tuples of texts, in each the most frequent first

    Examples
    --------
    >>> spellings({"cook": 40, "Cook ": 3, "driver": 30, "drivr": 1, "type 1": 9, "type 2": 9})
    [('cook', 'Cook '), ('driver', 'drivr')]
    """
    same: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        same[" ".join(text.split()).casefold()].append(text)
    groups = [
        tuple(sorted(group, key=lambda text: -texts[text])) for group in same.values() if len(group) > 1
    ]
    return groups + list(_slips({plain: group[0] for plain, group in same.items()}, texts))


def _slips(plain: Mapping[str, str], texts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Pairs that differ in one letter, of which one is rare; the other one first."""
    without: dict[str, list[str]] = defaultdict(list)
    for word in plain:
        if len(word) >= LONG:
            for shorter in {word, *(word[:i] + word[i + 1 :] for i in range(len(word)))}:
                without[shorter].append(word)
    seen = set()
    for alike in without.values():
        for i, one in enumerate(alike):
            for other in alike[i + 1 :]:
                often, rare = sorted((plain[one], plain[other]), key=lambda text: -texts[text])
                if (often, rare) not in seen and _differ_in_a_letter(one, other):
                    seen.add((often, rare))
                    if texts[rare] <= RARE * texts[often]:
                        yield often, rare


def _differ_in_a_letter(one: str, other: str) -> bool:
    """Whether one letter was left out or mistaken, and not a digit or a sign: type 1 is not type 2."""
    at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
    if len(one) == len(other):
        return one[at + 1 :] == other[at + 1 :] and one[at].isalpha() and other[at].isalpha()
    shorter, longer = sorted((one, other), key=len)
    return longer[:at] + longer[at + 1 :] == shorter and longer[at].isalpha()


def _others(texts: Mapping[str, int], fits: Callable[[str], bool], least: float) -> tuple[str, ...] | None:
    """The texts that do not fit, the most frequent first; None if those that do are too few."""
    others = {text: n for text, n in texts.items() if not fits(text)}
    if sum(others.values()) > (1 - least) * sum(texts.values()) or len(others) == len(texts):
        return None
    return tuple(sorted(others, key=lambda text: -others[text]))


def _is_number(text: str) -> bool:
    return _NUMBER.fullmatch(text.strip()) is not None


def _orders(match: re.Match[str]) -> list[tuple[str, str]]:
    """Ways to read two numbers and a year: what to call them, and where year, month and day stand."""
    if len(match[4]) == 4:
        return [("day-first", "dmy"), ("month-first", "mdy")]
    mark = match["mark"]
    return [(f"%d{mark}%m{mark}%y", "dmy"), (f"%m{mark}%d{mark}%y", "mdy")]


def _year_first(match: re.Match[str]) -> list[tuple[str, str]]:
    mark = match["mark"]
    return [(f"%Y{mark}%m{mark}%d", "ymd")]


def _reads(match: re.Match[str], places: str) -> bool:
    """Whether there is such a day."""
    numbers = [int(part) for part in match.groups() if part and part.isdigit()]
    of = dict(zip(places, numbers))
    try:
        datetime.date(of["y"] or 2000, of["m"], of["d"])
    except ValueError:
        return False
    return True
