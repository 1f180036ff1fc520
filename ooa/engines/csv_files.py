"""CSV files in DuckDB by the rules that hold in memory: every cell is read as text, and we say what it is.

DuckDB would guess otherwise, and silently: "nan" and "inf" are numbers to it, yes and no are true and
false, of 02/01/2020 it tells by the other lines which is the day, and columns that differ only by case get
new names.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ooa.data.exact import EXACT
from ooa.errors import DataError

__all__ = ["check_names", "open_csv"]

#: Lines that say of which kind a column is.
HEAD = 20_480
_DELIMITERS = ",;\t|"
#: What Python strips, as far as it is written in files.
_BLANKS = "' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13) || chr(160)"
_CODE = r"0\d+"  # 007: a number is not written so
_HOUR = r"(?:[01]\d|2[0-3])"
_DATE = r"\d{4}-\d\d-\d\d"
_TIME = rf"{_DATE}(?:[T ]{_HOUR}:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?"
_CALLED = {
    "BIGINT": "whole numbers",
    "DOUBLE": "numbers",
    "BOOLEAN": "true and false",
    "DATE": "dates",
    "TIMESTAMP": "times",
}


@dataclass(frozen=True)
class _Cells:
    """How cells are written: what means missing beside the empty cell, and the decimal mark if it is said."""

    na: Collection[str]
    decimal: str | None

    @property
    def missing(self) -> list[str]:
        """SQL of all texts that mean missing."""
        return [*map(_text, dict.fromkeys(["", *(mark.strip() for mark in self.na)]))]

    @property
    def marks(self) -> tuple[str, str]:
        """The decimal mark, and what may stand between thousands."""
        return self.decimal or ".", {None: "", ".": ",", ",": "."}[self.decimal]

    @property
    def number(self) -> str:
        """What numbers look like."""
        point, group = (re.escape(mark) for mark in self.marks)
        shape = rf"[+-]?(?:\d+(?:{point}\d*)?|{point}\d+)(?:[eE][+-]?\d+)?"
        return f"{shape}|[+-]?[1-9]\\d{{0,2}}(?:{group}\\d{{3}})+(?:{point}\\d*)?" if group else shape

    def digits(self, cell: str) -> str:
        """SQL of a number as DuckDB writes it."""
        point, group = self.marks
        plain = f"replace({cell}, {_text(group)}, '')" if group else cell
        return plain if point == "." else f"replace({plain}, {_text(point)}, '.')"


def open_csv(connection: Any, path: str, options: Mapping[str, Any], types: Mapping[str, str]) -> Any:
    """Open CSV files as a relation of DuckDB.

    Parameters
    ----------
    connection : of DuckDB, for this relation alone
    path : a file or a glob; columns of several files are matched by name
    options : `sep`, `decimal`, `encoding` and `na_values`, as far as they are said
    types : the SQL types of columns that are said: BIGINT, DOUBLE, BOOLEAN, DATE, TIMESTAMP or VARCHAR
    """
    connection.execute("set timezone = 'UTC'")
    encoded = {name: value for name, value in options.items() if name == "encoding"}
    lines = connection.read_csv(
        path, header=False, sep="\x01", quotechar="", escapechar="", comment="", all_varchar=True, **encoded
    )
    ((line, *_),) = lines.limit(1).fetchall() or [("",)]
    if not line:
        raise DataError(f"{path}: there is no head line with the names of the columns")
    sep = options.get("sep") or _delimiter(path, line)
    raw = connection.read_csv(
        path,
        header=True,
        sep=sep,
        quotechar='"',
        escapechar='"',
        comment="",
        all_varchar=True,
        union_by_name=True,
        **encoded,
    )
    head = next(csv.reader([line], delimiter=sep))
    check_names(head)
    cells = _Cells(options.get("na_values", ()), options.get("decimal"))
    told = {name: types.get(shown) for name, shown in zip(raw.columns, _names(head, raw.columns))}
    guessed = [name for name, kind in told.items() if kind is None]
    kinds = _kinds(raw, guessed, cells) | {name: kind for name, kind in told.items() if kind is not None}
    chosen = [
        f"{_read(name, shown, kinds[name], cells, name in guessed)} as {_name(shown)}"
        for name, shown in zip(raw.columns, _names(head, raw.columns))
    ]
    return raw.project(", ".join(chosen))


def _delimiter(path: str, head: str) -> str:
    """What separates cells: by the file's name, or the most frequent in the head line, as in memory."""
    if re.search(r"\.tsv(\.gz|\.zst)?$", path.lower()):
        return "\t"
    return max(_DELIMITERS, key=re.sub('"[^"]*"', "", head).count)


def _names(head: list[str], found: list[str]) -> list[str]:
    """The names of columns as they are written: DuckDB leaves out blanks at their ends."""
    return [*(a if a.strip() == b else b for a, b in zip(head, found)), *found[len(head) :]]


def check_names(head: Iterable[str]) -> None:
    """Raise if DuckDB would give columns other names, as it does not tell them apart."""
    seen: dict[str, str] = {}
    for name in filter(None, head):
        known = name.strip().lower()
        if seen.get(known) == name:
            raise DataError(f"Two columns are called {name!r}; column names must differ")
        if known in seen:
            raise DataError(
                f"The columns {seen[known]!r} and {name!r} differ only by case or blanks, which DuckDB does "
                "not tell apart: rename one"
            )
        seen[known] = name


def _kinds(raw: Any, names: list[str], cells: _Cells) -> dict[str, str]:
    """The SQL type of each column, by all of its cells in the first lines."""
    if not names:
        return {}
    asked = []
    for name in names:
        cell = _stripped(name)
        tests = [
            f"not {_matches(cell, _CODE)}",
            f"lower({cell}) in ('true', 'false')",
            _matches(cell, cells.number),
            f"{_matches(cell, r'[+-]?[0-9]+')} and try_cast({cell} as bigint) is not null",
            _is_time(cell, _TIME),
            _is_time(cell, _DATE),
        ]
        present = f"filter (where {cell} not in ({', '.join(cells.missing)}))"
        asked += [f"bool_and(coalesce({test}, false)) {present}" for test in tests]
    (answer,) = raw.limit(HEAD).aggregate(", ".join(asked)).fetchall()
    found = {}
    for number, name in enumerate(names):
        plain, flags, numbers, whole, times, days = answer[6 * number : 6 * number + 6]
        if not plain:  # or there is no value at all
            found[name] = "VARCHAR"
        elif flags:
            found[name] = "BOOLEAN"
        elif numbers:
            found[name] = "BIGINT" if whole else "DOUBLE"
        elif times:
            found[name] = "DATE" if days else "TIMESTAMP"
        else:
            found[name] = "VARCHAR"
    return found


def _read(name: str, shown: str, kind: str, cells: _Cells, guessed: bool) -> str:
    """SQL of the values of a column; a cell of another kind is an error, which names it."""
    raw, cell = _name(name), _stripped(name)
    gone = f"{cell} in ({', '.join(cells.missing)})"
    if kind == "VARCHAR":
        odd = " or ".join(
            [
                f"{raw} < '!'",
                f"{raw} >= chr(160)",
                *(f"starts_with({raw}, {one})" for one in cells.missing[1:]),
            ]
        )
        return f"case when {odd} then case when not {gone} then {raw} end else {raw} end"
    what = f"Column {shown!r} holds {_CALLED[kind]} in its first {HEAD:,} lines"
    if not guessed:
        what = f"Column {shown!r} was said to hold {_CALLED[kind]}"
    wrong = f"error({_text(what + ', and elsewhere ')} || chr(39) || {raw} || chr(39))"
    if kind == "BOOLEAN":
        plain = f"when {raw} = 'true' then true when {raw} = 'false' then false"
        other = f"when lower({cell}) = 'true' then true when lower({cell}) = 'false' then false"
        return f"case when {raw} is null then null {plain} {other} when not {gone} then {wrong} end"
    if kind in ("DATE", "TIMESTAMP"):
        shape = _DATE if kind == "DATE" else _TIME
        value = f"try_cast({cell} as date)" if kind == "DATE" else _moment(cell)
        return f"case when {_is_time(cell, shape)} then {value} when not {gone} then {wrong} end"
    return _read_number(raw, cell, kind, cells, shown, wrong, guessed)


def _read_number(raw: str, cell: str, kind: str, cells: _Cells, shown: str, wrong: str, guessed: bool) -> str:
    """SQL of numbers.

    What is odd at first sight is looked at twice: looking at all letters of every cell takes longer than
    reading it.
    """
    gone = f"{cell} in ({', '.join(cells.missing)})"
    digits = cells.digits(raw)
    value = f"try_cast({digits} as double)"
    odd = [f"not isfinite({value})", f"abs({value}) >= {EXACT}", f"contains({raw}, '_')", f"{raw} like ' %'"]
    odd += [f"{raw} like '0_%' and {raw} not like '0{cells.marks[0]}%'"] if guessed else []
    odd += [f"contains({raw}, {_text(cells.marks[1])})"] if cells.marks[1] else []
    odd += [f"{value} <> trunc({value})"] if kind == "BIGINT" else []
    fine = _matches(cell, cells.number) + (f" and not {_matches(cell, _CODE)}" if guessed else "")
    exact = value
    if kind == "BIGINT":
        fine, exact = f"{fine} and {value} = trunc({value})", f"try_cast({digits} as bigint)"
    else:
        large = f"abs({value}) >= {EXACT} and isfinite({value}) and not contains(lower({cell}), 'e')"
        long = _text(f"Column {shown!r} has numbers beyond 2**53, which a float does not keep: ")
        exact = f"case when {large} then error({long} || {raw}) else {value} end"
    twice = f"case when {gone} then null when {fine} then {exact} else {wrong} end"
    plain = f"{value}::bigint" if kind == "BIGINT" else value
    return (
        f"case when {raw} is null then null when {value} is null or {' or '.join(odd)} then {twice} "
        f"else {plain} end"
    )


def _is_time(cell: str, shape: str) -> str:
    """SQL of whether a cell is a date, or a moment, that the calendar knows."""
    return f"({_matches(cell, shape)} and not starts_with({cell}, '0000') and {_moment(cell)} is not null)"


def _moment(cell: str) -> str:
    """SQL of a moment in UTC, which one without a zone is taken as."""
    return f"make_timestamp(epoch_us(try_cast({cell} as timestamptz)))"


def _matches(cell: str, shape: str) -> str:
    return f"regexp_full_match({cell}, {_text(shape)})"


def _stripped(name: str) -> str:
    return f"trim({_name(name)}, {_BLANKS})"


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
