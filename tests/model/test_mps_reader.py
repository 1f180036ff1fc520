"""MPS files of other programs, with all their conventions and faults."""

from __future__ import annotations

import numpy as np
import pytest
from support.model_files import AWKWARD, parse

from ooa.errors import FormatError, OOAWarning

FIXED = """\
* a comment
NAME          CLASSIC
ROWS
 N  COST
 L  LIM1
 G  LIM2
 E  EQ1
 E  EQ2
 N  SPARE
COLUMNS
    X         COST         1.0   LIM1         1.0
    X         LIM2         1.0
    MARKER                 'MARKER'                 'INTORG'
    Y         COST         2.0   LIM1         1.0
    Y         EQ1         -1.0   SPARE        4.0
    MARKER                 'MARKER'                 'INTEND'
    Z         COST        -1.0   EQ1          1.0
    Z         EQ2          1.0
RHS
    RHS       LIM1         4.0   LIM2         1.0
    RHS       EQ1          7.0   EQ2          2.0
    RHS       COST        -9.0
RANGES
    RNG       LIM1         2.5   LIM2         3.0
    RNG       EQ1          4.0   EQ2         -3.0
BOUNDS
 UP BND       X           -4.0
 MI BND       Z
ENDATA
"""


def test_fixed_format_with_all_the_conventions() -> None:
    milp = parse(FIXED)
    assert milp.name == "CLASSIC"
    assert list(milp.columns) == ["X", "Y", "Z"]
    assert list(milp.rows) == ["LIM1", "LIM2", "EQ1", "EQ2", "SPARE"]
    assert milp.offset == 9.0
    assert milp.row_lower.tolist() == [1.5, 1, 7, -1, -np.inf]
    assert milp.row_upper.tolist() == [4, 4, 11, 2, np.inf]
    assert milp.lower.tolist() == [-np.inf, 0, -np.inf]  # a negative upper bound alone opens the lower
    assert milp.upper.tolist() == [-4, 1, np.inf]  # an integer without bounds is binary
    assert milp.integer.tolist() == [False, True, False]


def small(bounds: str = "", head: str = "", rhs: str = " r 1\n") -> str:
    return f"{head}NAME\nROWS\n N c\n G r\nCOLUMNS\n x c 1 r 1\n y r 2\nRHS\n{rhs}BOUNDS\n{bounds}ENDATA\n"


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        (" FR BND x\n", (-np.inf, np.inf, False)),
        (" FR x\n", (-np.inf, np.inf, False)),
        (" FR BND x 0\n", (-np.inf, np.inf, False)),
        (" MI BND x\n UP BND x 5\n", (-np.inf, 5, False)),
        (" PL BND x\n", (0, np.inf, False)),
        (" FX BND x 3\n", (3, 3, False)),
        (" FX x 3\n", (3, 3, False)),
        (" BV BND x\n", (0, 1, True)),
        (" LI BND x 2\n UI BND x 8\n", (2, 8, True)),
        (" LI BND x -2\n", (-2, np.inf, True)),
        (" LO BND x -3\n UP BND x -1\n", (-3, -1, False)),
        (" UP BND x 1e30\n", (0, np.inf, False)),
    ],
)
def test_every_type_of_bound(bounds: str, expected: tuple[float, float, bool]) -> None:
    milp = parse(small(bounds))
    assert (milp.lower[0], milp.upper[0], milp.integer[0]) == expected
    assert (milp.lower[1], milp.upper[1], milp.integer[1]) == (0, np.inf, False)


def test_right_hand_sides_without_a_set_name() -> None:
    assert parse(small(rhs=" r 5 c -2\n")) == parse(small(rhs=" RHS r 5 c -2\n"))
    assert parse(small(rhs=" r 5\n")).row_lower.tolist() == [5]


@pytest.mark.parametrize("head", ["OBJSENSE\n    MAX\n", "OBJSENSE MAXIMIZE\n"])
def test_a_maximisation_is_negated_with_a_warning(head: str) -> None:
    with pytest.warns(OOAWarning, match="maximises"):
        milp = parse(small(head=head, rhs=" c 7\n"))
    assert (milp.c.tolist(), milp.offset) == ([-1, 0], 7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (small(" UP BND x five\n"), "line 11: 'five' is no number"),
        (small(" UP BND x nan\n"), "line 11: .*NaN"),
        (small(" UP BND q 5\n"), "line 11: unknown column 'q'"),
        (small(" SC BND x 5\n"), "line 11: bound type 'SC' is not supported"),
        (small(" UP BND\n"), "line 11: bound UP needs a column and a value"),
        (small(" FR\n"), "line 11: unknown column 'FR'"),
        (small(rhs=" RHS q 1\n"), "line 9: unknown row 'q'"),
        (small(rhs=" RHS\n"), "line 9: a row and a value are missing"),
        (small(head="OBJSENSE\n UP\n"), "line 2: objective sense 'UP' is neither"),
        (small(" LO BND x 3\n UP BND x 2\n"), "column x has lower side 3.0 and upper side 2.0"),
        (small().replace(" G r", " Q r"), "line 4: a row needs one of N, L, G, E"),
        (small().replace(" G r", " G r\n L r"), "line 5: row 'r' is there twice"),
        (small().replace("y r 2", "y q 2"), "line 7: unknown row 'q'"),
        (small().replace("y r 2", "y r"), "line 7: column 'y' needs one or two pairs"),
        (small().replace("y r 2", "y r 2\n x r 3"), "line 8: column 'x' is there in two places"),
        (small().replace("y r 2", "y r 2 r 3"), "column 'y' names row 'r' twice"),
        (small().replace("y r 2", "y c 2 c 3"), "line 7: the cost of column 'y' is there twice"),
        (small().replace("y r 2", "s 'MARKER' 'SOSORG'"), "line 7: marker 'SOSORG' is not supported"),
        (small().replace("RHS\n", "QUADOBJ\n"), "line 8: section 'QUADOBJ' is not supported"),
        (small().replace("ENDATA\n", ""), "line 10: the file ends without ENDATA"),
        (" x y\n" + small(), "line 1: 'x' stands in no section"),
    ],
)
def test_a_bad_file_is_one_error_that_names_the_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        parse(text)


AWKWARD += ["end", "bounds", "General", "BINARY", "max", "a:b", "a<=b", "a+b", "a*b", "a^2", "€", "%", "#"]
AWKWARD += ["x[0]", "x(0)", "x%5B0%5D", "subject to", "sos1", "a/b", "a>b", "~", "'q'", '"q"', "$", "!", ";"]
AWKWARD += ["RANGES", "ENDATA", "MARKER", "objsense", "name", "N", "E2E", "e+5", ".5", "5", "nan", "x,y", ""]
AWKWARD += ["\\c", "(0)", "Semi-Continuous"]
COMMENTED = """\
NAME c
ROWS
 N  COST $ what it costs
 G  R0
 G  $1 *Comment
COLUMNS
    A         R0            1.0        COST       -1.0 $ the second field
    A         $1           -1.0 *Comment
    B         R0            1.0        $1         -2.0
RHS
    DEMANDS   R0            1.0        $1         -2.0 $Comment
BOUNDS
 UP SERVINGS  A            1.0 $Comment
 FR SERVINGS  B  $ none at all
ENDATA
"""


def test_comments_at_the_end_of_a_line() -> None:
    milp = parse(COMMENTED)
    assert milp.A.toarray().tolist() == [[1, 1], [-1, -2]]  # a row may be called $1
    assert milp.row_lower.tolist() == [1, -2]
    assert (milp.upper.tolist(), milp.lower.tolist()) == ([1, np.inf], [0, -np.inf])


@pytest.mark.parametrize("text", ["1.0D3", "1.0d3", "1D+3", ".1d4", "10000.D-1"])
def test_exponents_as_fortran_prints_them(text: str) -> None:
    assert parse(small(f" UP BND x {text}\n")).upper[0] == 1000.0


@pytest.mark.parametrize("text", ["D3", "1.0DD3", "0x1D3", "1.0D", "1.0D3.5"])
def test_what_only_looks_like_an_exponent_is_no_number(text: str) -> None:
    with pytest.raises(FormatError, match=r"line 11: .* is no number"):
        parse(small(f" UP BND x {text}\n"))
