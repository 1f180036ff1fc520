"""Free-format MPS: the file every solver can read, written fast and read back exactly.

Names are percent-encoded where MPS could not carry them. The objective's offset is minus the
objective row's right-hand side, as all solvers have it. Free rows are kept as further `N` rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import IO

import numpy as np

from ooa.keeping import write_text

from .expressions import FloatArray
from .file_names import Texts, escape, number, numbers, texts
from .milp import Milp
from .mps_reader import RANGE_NOTE
from .sparse import sp

__all__ = ["write_mps"]

#: Section names and our own objective row; a column or row of such a name is escaped.
RESERVED = (
    "name rows columns rhs ranges bounds endata objsense objname max min maximize minimize sos sos1 sos2 "
    "obj marker free quadobj qsection qmatrix qcmatrix indicators lazycons usercuts refrow"
)
SAFE = "!#&()*+,/:;<=>?@[\\]^`{|}"


def write_mps(milp: Milp, target: str | os.PathLike[str] | IO[str], *, names: bool = True) -> None:
    """Write a model as free-format MPS.

    Parameters
    ----------
    milp : the model
    target : a path, or a text stream
    names : False writes the short names `x0, x1, ...` and `r0, r1, ...` instead of the model's own

    Examples
    --------
    >>> import io
    >>> from ooa.model import Model
    >>> m = Model("tiny")
    >>> x = m.add_binaries("x", 2, cost=[1, 2])
    >>> m.add_rows("cover", x.sum() >= 1)
    >>> text = io.StringIO()
    >>> write_mps(m.freeze(), text)
    >>> print(text.getvalue())
    NAME tiny FREE
    ROWS
     N obj
     G cover
    COLUMNS
     M 'MARKER' 'INTORG'
     x[0] obj 1
     x[0] cover 1
     x[1] obj 2
     x[1] cover 1
     M 'MARKER' 'INTEND'
    RHS
     RHS cover 1
    BOUNDS
     BV BND x[0]
     BV BND x[1]
    ENDATA
    <BLANKLINE>
    """
    if isinstance(target, (str, os.PathLike)):
        write_text(target, _pieces(milp, names), encoding="ascii")
    else:
        target.writelines(_pieces(milp, names))


def _pieces(milp: Milp, names: bool) -> Iterator[str]:
    if names:
        columns = texts(escape(milp.columns, SAFE, RESERVED))
        rows = texts(escape(milp.rows, SAFE, RESERVED))
    else:
        columns = texts(f"x{j}" for j in range(milp.n_columns))
        rows = texts(f"r{i}" for i in range(milp.n_rows))
    kinds, rhs, ranges, notes = _row_forms(milp)
    # Without FREE in the header, CBC 2.10 reads bounds without a value as fixed-format and fails.
    yield f"NAME {escape([milp.name], SAFE, RESERVED)[0]} FREE\n"
    for i in notes:
        yield f"{RANGE_NOTE} {rows[i]} {number(milp.row_lower[i])} {number(milp.row_upper[i])}\n"
    yield "ROWS\n N obj\n"
    yield from " " + kinds + " " + rows + "\n"
    yield "COLUMNS\n"
    yield _matrix(milp, columns, rows)
    yield "RHS\n"
    if milp.offset:
        yield f" RHS obj {number(-milp.offset)}\n"
    some = np.flatnonzero(rhs)
    yield from " RHS " + rows[some] + numbers(rhs[some], " %s\n")
    if ranges.any():
        yield "RANGES\n"
        some = np.flatnonzero(ranges)
        yield from " RNG " + rows[some] + numbers(ranges[some], " %s\n")
    yield "BOUNDS\n"
    yield from _bounds(milp, columns)
    yield "ENDATA\n"


def _row_forms(milp: Milp) -> tuple[Texts, FloatArray, FloatArray, list[int]]:
    """Kind, right-hand side and range (0 = none) of each row, and the rows that need a note."""
    lower, upper = milp.row_lower, milp.row_upper
    below, above = np.isfinite(lower), np.isfinite(upper)
    kinds = np.select([lower == upper, below, above], ["E", "G", "L"], "N").astype(object)
    rhs = np.where(below, lower, np.where(above, upper, 0.0))
    ranges = np.zeros(milp.n_rows)
    notes = []
    for i in np.flatnonzero(below & above & (lower < upper)).tolist():
        low, high = float(lower[i]), float(upper[i])
        width = high - low
        ranges[i] = width
        if low + width != high:
            if high - width == low:
                kinds[i], rhs[i] = "L", high
            else:
                notes.append(i)
    return kinds, rhs, ranges, notes


def _matrix(milp: Milp, columns: Texts, rows: Texts) -> str:
    """The COLUMNS section; a column without any entry gets a zero cost so that it is listed."""
    if not milp.n_columns:
        return ""
    listed = np.flatnonzero((milp.c != 0.0) | (np.bincount(milp.A.indices, minlength=milp.n_columns) == 0))
    costs = (milp.c[listed], listed, np.array([0, len(listed)]))
    top = sp.csr_array(costs, shape=(1, milp.n_columns))
    matrix = sp.vstack([top, milp.A], format="csr").tocsc()
    row_texts = texts([" obj", *(" " + rows)])
    lines = row_texts[matrix.indices] + numbers(matrix.data, " %s\n")
    lines = np.repeat(" " + columns, np.diff(matrix.indptr)) + lines
    whole = np.concatenate([[False], milp.integer])
    for j in np.flatnonzero(whole[1:] != whole[:-1]).tolist():
        marker = "INTORG" if milp.integer[j] else "INTEND"
        first = int(matrix.indptr[j])
        lines[first] = f" M 'MARKER' '{marker}'\n{lines[first]}"
    if milp.integer[-1]:
        lines[-1] += " M 'MARKER' 'INTEND'\n"
    return "".join(lines.tolist())


def _bounds(milp: Milp, columns: Texts) -> Iterator[str]:
    """Bounds that differ from [0, inf); of integers all of them, for readers differ on the default.

    Lower bounds all come first: a negative upper bound alone would open the lower side.
    """
    lower, upper, whole = milp.lower, milp.upper, milp.integer
    below, above = np.isfinite(lower), np.isfinite(upper)
    binary = whole & (lower == 0.0) & (upper == 1.0)
    fixed = lower == upper
    rest = ~binary & ~fixed
    for kind, chosen in (("BV", binary), ("FR", ~below & ~above), ("MI", ~below & above)):
        yield from f" {kind} BND " + columns[chosen] + "\n"
    for kind, chosen, values in (
        ("FX", fixed, lower),
        ("LO", rest & below & ((lower != 0.0) | whole), lower),
        ("UP", rest & above, upper),
    ):
        yield from f" {kind} BND " + columns[chosen] + numbers(values[chosen], " %s\n")
    yield from " PL BND " + columns[whole & below & ~above] + "\n"
