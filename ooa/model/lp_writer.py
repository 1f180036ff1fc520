"""The LP format: a model as a person would write it down, for reading and for other solvers."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import IO

import numpy as np
import numpy.typing as npt

from ooa.keeping import write_text

from .expressions import BoolArray, FloatArray
from .file_names import Texts, escape, number, numbers, texts
from .milp import Milp

#: Words with a meaning of their own; a column or row of such a name is escaped.
_RESERVED = (
    "obj min max minimize maximize minimise maximise minimum maximum subject such st s.t. st. to that bound "
    "bounds free inf infinity general generals gen integer integers int binary binaries bin end semi semis "
    "sec sin semi-continuous sos sos1 sos2 nan e lazy user"
)
_SAFE = "!\"#$&,;?@'`{}"
#: Brackets mean a quadratic form in this format, so indices are written in parentheses.
_BRACKETS = str.maketrans("[]()", "()[]")
#: The column that carries the offset; no escaped name can be equal to it.
_OFFSET = "%offset"
#: Terms per line: old readers stop at 255 characters.
_PER_LINE = 5


def write_lp(milp: Milp, target: str | os.PathLike[str] | IO[str]) -> None:
    """Write a model in the LP format.

    Names are percent-encoded where the format could not carry them, and `zeta[3]` is written
    `zeta(3)`. Where readers disagree, the plainest form is taken: a row with two different sides
    becomes two rows, a row without any side a comment, and the objective's offset the cost of a
    column fixed at 1.

    Parameters
    ----------
    milp : the model
    target : a path, or a text stream

    Examples
    --------
    >>> import sys
    >>> from ooa.model import Model
    >>> m = Model("tiny")
    >>> x = m.add_binaries("x", 2, cost=[1, 2])
    >>> y = m.add_continuous("y", lower=-1, upper=4)
    >>> m.add_rows("cover", x.sum() - 0.5 * y >= 1)
    >>> write_lp(m.freeze(), sys.stdout)
    \\ tiny
    Minimize
     obj: + 1 x(0) + 2 x(1)
    Subject To
     cover: + 1 x(0) + 1 x(1) - 0.5 y >= 1
    Bounds
     -1 <= y <= 4
    Binaries
     x(0)
     x(1)
    End
    """
    if isinstance(target, (str, os.PathLike)):
        write_text(target, _pieces(milp), encoding="ascii")
    else:
        target.writelines(_pieces(milp))


def _pieces(milp: Milp) -> Iterator[str]:
    columns, rows = _tokens(milp.columns), _tokens(milp.rows)
    yield f"\\ {_tokens([milp.name])[0]}\nMinimize\n obj:"
    costed = np.flatnonzero(milp.c)
    yield from _terms(milp.c[costed], columns[costed], np.arange(len(costed)))
    if milp.offset:
        yield f" {'-' if milp.offset < 0 else '+'} {number(abs(milp.offset))} {_OFFSET}"
    elif not len(costed) and milp.n_columns:
        yield f" 0 {columns[0]}"
    yield "\nSubject To\n"
    yield from _rows(milp, columns, rows)
    yield "Bounds\n"
    yield from _bounds(milp, columns)
    if milp.offset:
        yield f" {_OFFSET} = 1\n"
    binary = _binary(milp)
    for title, chosen in (("Binaries", binary), ("Generals", milp.integer & ~binary)):
        if chosen.any():
            yield title + "\n"
            yield from " " + columns[chosen] + "\n"
    yield "End\n"


def _rows(milp: Milp, columns: Texts, rows: Texts) -> Iterator[str]:
    counts = np.diff(milp.A.indptr)
    place = np.arange(milp.A.nnz) - np.repeat(milp.A.indptr[:-1], counts)
    terms = _terms(milp.A.data, columns[milp.A.indices], place).tolist()
    ends = milp.A.indptr.tolist()
    for i, (low, high) in enumerate(zip(milp.row_lower.tolist(), milp.row_upper.tolist())):
        body = "".join(terms[ends[i] : ends[i + 1]])
        if not body:
            if not milp.n_columns:
                continue
            body = f" 0 {columns[0]}"
        if low == high:
            yield f" {rows[i]}:{body} = {number(low)}\n"
        elif low == -np.inf and high == np.inf:
            yield f"\\ free row {rows[i]}:{body}\n".replace("\n ", "\n\\ ")
        elif high == np.inf:
            yield f" {rows[i]}:{body} >= {number(low)}\n"
        elif low == -np.inf:
            yield f" {rows[i]}:{body} <= {number(high)}\n"
        else:
            yield f" {rows[i]}:{body} >= {number(low)}\n {rows[i]}%upper:{body} <= {number(high)}\n"


def _bounds(milp: Milp, columns: Texts) -> Iterator[str]:
    """Bounds that differ from [0, inf); of integers all of them, for readers differ on the default."""
    lower, upper = milp.lower, milp.upper
    plain = _binary(milp) | (~milp.integer & (lower == 0.0) & (upper == np.inf))
    for j in np.flatnonzero(~plain).tolist():
        low, high = float(lower[j]), float(upper[j])
        if low == high:
            yield f" {columns[j]} = {number(low)}\n"
        elif low == -np.inf and high == np.inf:
            yield f" {columns[j]} free\n"
        elif high == np.inf:
            yield f" {columns[j]} >= {number(low)}\n"
        else:
            yield f" {'-inf' if low == -np.inf else number(low)} <= {columns[j]} <= {number(high)}\n"


def _binary(milp: Milp) -> BoolArray:
    binary: BoolArray = milp.integer & (milp.lower == 0.0) & (milp.upper == 1.0)
    return binary


def _terms(values: FloatArray, names: Texts, place: npt.NDArray[np.intp]) -> Texts:
    """` + 3 x` for every coefficient, with a line break before every few terms of a row."""
    breaks = np.where((place % _PER_LINE == 0) & (place > 0), "\n  ", "").astype(object)
    signs = np.where(values < 0, " - ", " + ").astype(object)
    terms: Texts = breaks + signs + numbers(np.abs(values), "%s ") + names
    return terms


def _tokens(names: Iterable[str]) -> Texts:
    """Names this format can carry: no `-`, no brackets, none that looks like the exponent of a number."""
    swapped = (name.translate(_BRACKETS) for name in names)
    return texts(_plain(token) for token in escape(swapped, _SAFE + "()", _RESERVED))


def _plain(token: str) -> str:
    token = token.replace("-", "%2D")
    return f"%{ord(token[0]):02X}{token[1:]}" if token[0] in "eE" and token[1:2].isdigit() else token
