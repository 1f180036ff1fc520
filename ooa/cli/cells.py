"""From the cells of a file to typed columns: what is a number, a date, true or false, a code, or missing.

Cells come as text, and we decide what they are, column by column, so that nothing is lost before it is
known: 007 and 7 are one number but two codes.
"""

from __future__ import annotations

import datetime
import decimal
import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import numpy as np

from ooa.data.exact import EXACT
from ooa.errors import DataError, OptionError

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["ORDERS", "PLAIN", "CellType", "Reading", "typed_column"]

#: Dates whose order has a name.
ORDERS = ("day-first", "month-first")
CellType: TypeAlias = Literal["number", "time", "text", "bool"]
_BOOLS = {"true": True, "false": False}
_CODE = re.compile(r"0\d+")  # 007: a number is not written so
_CLOCK = r"(?:[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?"
_ISO = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_DAY_AND_MONTH = re.compile(rf"(\d{{1,2}})[./-](\d{{1,2}})[./-](\d{{4}}){_CLOCK}")
_MANY_DIGITS = 400  # more than any float has
_WRITTEN = {"number": "a number", "time": "a date", "bool": "true or false"}


@dataclass(frozen=True)
class Reading:
    """What was said about how a table is written; None where nothing was said.

    Attributes
    ----------
    na : texts that mean missing, besides the empty cell
    decimal : the decimal mark, "." or ","; where it is named, the other one may group thousands
    dates : "day-first", "month-first" or a format such as %d.%m.%y; dates such as 2024-05-31 are known anyway
    sep : what separates cells; by default whatever is most frequent in the head line
    encoding : of the text; by default UTF-8
    strip : whether blanks at the ends of texts do not count
    """

    na: tuple[str, ...] = ()
    decimal: str | None = None
    dates: str | None = None
    sep: str | None = None
    encoding: str | None = None
    strip: bool = False

    @classmethod
    def typed(cls, arguments: Any) -> Reading:
        """What was typed."""
        said = {one.name: getattr(arguments, one.name) for one in fields(cls)}
        return cls(**said | {"na": tuple(said["na"])})

    def for_model(self, learned: Reading) -> Reading:
        """How to read a table for a model: as the model was taught to, but for what is said of this table.

        A new file may be written with other separators, in another encoding, and with another decimal mark:
        cells with the wrong one are no numbers, which is an error. Another order of dates than in training is
        one at once, as most dates can be read either way. Texts that mean missing add up.

        Examples
        --------
        >>> Reading(na=("-",)).for_model(Reading(na=("?",), decimal=","))
        Reading(na=('?', '-'), decimal=',', dates=None, sep=None, encoding=None, strip=False)
        """
        if None not in (self.dates, learned.dates) and self.dates != learned.dates:
            raise OptionError(
                f"--dates {self.dates} contradicts the model, which was learned with --dates {learned.dates}"
            )
        both = {one: getattr(self, one) or getattr(learned, one) for one in asdict(self)}
        return Reading(**both | {"na": tuple(dict.fromkeys((*learned.na, *self.na)))})


#: Nothing was said.
PLAIN = Reading()


def typed_column(
    name: object, cells: NDArray[Any], reading: Reading, wanted: CellType | None = None
) -> NDArray[Any]:
    """A column with the type of what is in it, or of what is wanted.

    Arrays, not series: of a wide table pandas takes longer to make these than what is in them takes to read.

    Parameters
    ----------
    name : what the column is called
    cells : texts, with None or NaN where there is no cell; or whatever a spreadsheet holds
    reading : how the table is written
    wanted : what the column has to be; by default what all of its cells can be read as

    Raises
    ------
    DataError
        If a cell is not of the type wanted; it names the row, counted from 0, and the cell.

    Examples
    --------
    >>> comma = Reading(na=("?",), decimal=",")
    >>> typed_column("x", np.array(["1,5", "?", "2"], dtype=object), comma).tolist()
    [1.5, nan, 2.0]
    >>> typed_column("code", np.array(["007", "7"], dtype=object), Reading()).tolist()
    ['007', '7']
    """
    codes, distinct = _distinct(cells)
    native = [value for value in distinct if not isinstance(value, str)]
    texts = [_as_text(value, reading) for value in distinct]
    missing = _marks(reading.na)
    present = [j for j, text in enumerate(texts) if text.strip() not in missing]
    if native and all(not isinstance(distinct[j], str) for j in present) and wanted != "text":
        # As they are: pandas would make floats of whole numbers where one is missing.
        kept = cells.copy()
        kept[~np.isin(codes, present)] = None
        return kept
    shown = [texts[j].strip() if reading.strip else texts[j] for j in present]
    try:
        values = _read(shown, reading, wanted)
    except OverflowError:  # of its time zone
        raise DataError(f"column {name!r}: a date is not within the years 1 to 9999 in UTC") from None
    if values is None:
        _refuse(name, codes, dict(zip(present, shown)), reading, wanted)
    looked_up = np.full(len(distinct) + 1, None, dtype=object)  # the code -1 picks the None at the end
    looked_up[present] = values
    return _compact(looked_up[codes], values)


def _distinct(values: NDArray[Any]) -> tuple[Any, list[Any]]:
    """The place of every cell among the distinct ones, -1 where there is none; true is not 1 here."""
    import pandas as pd

    if all(issubclass(kind, str) for kind in set(map(type, values))):
        codes, distinct = pd.factorize(values)
        return codes, list(distinct)
    places: dict[Any, int] = {}
    nowhere = pd.isna(values)
    found = [-1 if no else places.setdefault((type(v), v), len(places)) for v, no in zip(values, nowhere)]
    return np.array(found, dtype=np.int64), [value for _, value in places]


def _read(texts: list[str], reading: Reading, wanted: CellType | None) -> list[Any] | None:
    """The texts as values, None if they are not what is wanted."""
    readers: dict[CellType, Callable[[list[str]], list[Any] | None]] = {
        "bool": _bools,
        "number": lambda texts: _numbers(texts, reading.decimal),
        "time": lambda texts: _times(texts, reading.dates),
    }
    if wanted == "text" or not texts:
        return list(texts)
    if wanted == "number":  # true and false count as 1 and 0 where numbers are asked for
        return readers["number"](texts) or _bools(texts)
    if wanted is not None:
        return readers[wanted](texts)
    if any(_CODE.fullmatch(text.strip()) for text in texts):
        return list(texts)
    for read in readers.values():
        values = read(texts)
        if values is not None:
            return values
    return list(texts)


def _bools(texts: list[str]) -> list[bool] | None:
    values = [_BOOLS.get(text.strip().lower()) for text in texts]
    return None if None in values else [value is True for value in values]


def _numbers(texts: list[str], decimal_mark: str | None) -> list[Any] | None:
    """Whole numbers stay whole: a float would not keep the large ones."""
    mark, grouping = decimal_mark or ".", {None: "", ".": ",", ",": "."}[decimal_mark]
    shape = _shape_of_numbers(mark, grouping)
    plain = [text.strip() for text in texts]
    if not all(map(shape.fullmatch, plain)):
        return None
    plain = [(text.replace(grouping, "") if grouping else text).replace(mark, ".") for text in plain]
    return [_number(text) for text in plain]


@cache
def _shape_of_numbers(mark: str, grouping: str) -> re.Pattern[str]:
    """What numbers look like, with this decimal mark and this between thousands; made once."""
    point, group = re.escape(mark), re.escape(grouping)
    shape = rf"[+-]?(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?"
    if grouping:
        shape += rf"|[+-]?[1-9]\d{{0,2}}(?:{group}\d{{3}})+(?:{point}\d*)?"  # 0.125 is no group
    return re.compile(shape, re.ASCII)


def _number(text: str) -> Any:
    """A number that loses nothing of what is written; one with an exponent is as exact as a float is."""
    digits = text.lstrip("+-")
    if digits.isdigit() and len(digits) < _MANY_DIGITS:
        return int(text)
    number = float(text)
    written_out = EXACT <= abs(number) < math.inf and "e" not in text.lower()
    return decimal.Decimal(text) if written_out else number


def _times(texts: list[str], dates: str | None) -> list[datetime.datetime] | None:
    """Moments in UTC; those without a time zone are taken as such."""
    try:
        return [_utc(_moment(text.strip(), dates)) for text in texts]
    except ValueError:
        return None


def _moment(text: str, dates: str | None) -> datetime.datetime:
    if _ISO.fullmatch(text):
        return _iso(text)
    if dates is None:
        raise ValueError(text)
    return _day_and_month(text, dates) if dates in ORDERS else datetime.datetime.strptime(text, dates)


def _iso(text: str) -> datetime.datetime:
    """As Python 3.11 reads it; older ones know neither Z nor other than three or six digits of a second."""
    text = re.sub(r"Z$", "+00:00", text.replace(" ", "T"))
    text = re.sub(r"\.(\d+)", lambda found: "." + found[1][:6].ljust(6, "0"), text)
    return datetime.datetime.fromisoformat(re.sub(r"([+-]\d\d)(\d\d)$", r"\1:\2", text))


def _day_and_month(text: str, order: str) -> datetime.datetime:
    found = _DAY_AND_MONTH.fullmatch(text)
    if found is None:
        raise ValueError(text)
    first, second, year, hour, minute, seconds = (int(part or 0) for part in found.groups()[:6])
    fraction = int((found[7] or "0").ljust(6, "0"))
    day, month = (first, second) if order == "day-first" else (second, first)
    return datetime.datetime(year, month, day, hour, minute, seconds, fraction)


def _utc(moment: datetime.datetime) -> datetime.datetime:
    zoned = moment if moment.tzinfo is None else moment.astimezone(datetime.timezone.utc)
    return zoned.replace(tzinfo=None)


def _compact(column: NDArray[Any], values: Collection[Any]) -> NDArray[Any]:
    """An array of objects as one of numbers or times, where these lose nothing."""
    if not values or not all(type(value) in (int, float, datetime.datetime) for value in values):
        return column
    if isinstance(next(iter(values)), datetime.datetime):
        return column.astype("datetime64[us]")
    if all(isinstance(value, int) for value in values) and max(map(abs, values)) >= EXACT:
        return column
    return column.astype(np.float64)


def _marks(na: Collection[str]) -> set[str]:
    return {"", *(mark.strip() for mark in na)}


def _as_text(value: object, reading: Reading) -> str:
    """What a cell of a spreadsheet says; text as it is."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (datetime.datetime, datetime.date)):
        return value.isoformat()
    if isinstance(value, float):
        number = str(int(value)) if value.is_integer() else repr(value)
        return number.replace(".", reading.decimal or ".")
    return str(value)


def _refuse(
    name: object,
    codes: Any,
    present: Mapping[int, str],
    reading: Reading,
    wanted: CellType | None,
) -> NoReturn:
    """Raise at the first cell that is not what is wanted."""
    wrong = {j for j, text in present.items() if _read([text], reading, wanted) is None}
    row = next(i for i, code in enumerate(codes) if code in (wrong or present))
    text = present[codes[row]]
    said = f"column {name!r}, row {row}: {text!r} is not {_WRITTEN[str(wanted)]}"
    other = "." if reading.decimal == "," else ","
    if wanted == "number" and _numbers([text], other) is not None:
        mark = reading.decimal or "."
        raise DataError(
            f"{said} with the decimal mark {mark!r}; if that is {other!r} here: --decimal {other}"
        )
    raise DataError(f"{said}; if it means missing: --na {text.strip()}")
