"""MPS and LP files: exact round trips, other programs' dialects, and the same optimum in every solver."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ooa.errors import FormatError, OOAWarning
from ooa.model import Milp, Model, Names, read_mps, write_lp, write_mps
from ooa.model.file_names import escape, regroup, unescape
from ooa.solving import available_backends, get_backend


def text_of(milp: Milp, **options: bool) -> str:
    stream = io.StringIO()
    write_mps(milp, stream, **options)
    return stream.getvalue()


def parse(text: str) -> Milp:
    return read_mps(io.StringIO(text))


# -- round trips -----------------------------------------------------------------------------------------

numbers = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(-1e9, 1e9).filter(lambda v: v == 0 or abs(v) > 1e-9),
    st.sampled_from([0.1, 1 / 3, 1e-9, 123456789.123, -1e15, 2.0**-20]),
)
names = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["RHS", "obj", "free", "st", "e5", "x[0]", "x[1]", "50%", "%41", "'MARKER'", "-1", "a b"]
    ),
)


@st.composite
def sides(draw: st.DrawFn, size: int) -> tuple[list[float], list[float]]:
    lower, upper = [], []
    for _ in range(size):
        low, high = sorted([draw(numbers), draw(numbers)])
        kind = draw(st.sampled_from(["both", "low", "high", "free", "equal"]))
        lower.append(-np.inf if kind in ("high", "free") else low)
        upper.append(np.inf if kind in ("low", "free") else low if kind == "equal" else high)
    return lower, upper


@st.composite
def blocks(draw: st.DrawFn, size: int) -> Names:
    """Names of exactly `size` things, some in blocks of one or two dimensions."""
    found: list[tuple[str, tuple[int, ...]]] = []
    left = size
    while left:
        shapes = [(), (left,), (1,)] + ([(2, left // 2)] if left > 1 else [])
        shape = draw(st.sampled_from(shapes))
        found.append((draw(names), shape))
        left -= int(np.prod(shape))
    return Names(found)


@st.composite
def milps(draw: st.DrawFn) -> Milp:
    m, n = draw(st.integers(0, 4)), draw(st.integers(0, 5))
    entry = st.one_of(st.just(0.0), numbers)
    matrix = np.array([[draw(entry) for _ in range(n)] for _ in range(m)]).reshape(m, n)
    return Milp(
        [draw(entry) for _ in range(n)],
        matrix,
        *draw(sides(m)),
        *draw(sides(n)),
        [draw(st.booleans()) for _ in range(n)],
        draw(entry),
        columns=draw(blocks(n)),
        rows=draw(blocks(m)),
        name=draw(names),
    )


@settings(max_examples=300, deadline=None)
@given(milps())
def test_a_model_comes_back_exactly(milp: Milp) -> None:
    text = text_of(milp)
    assert text.isascii()
    again = parse(text)
    assert again == milp
    assert again.name == milp.name
    assert text_of(again) == text


@settings(max_examples=100, deadline=None)
@given(milps())
def test_short_names_change_names_only(milp: Milp) -> None:
    again = parse(text_of(milp, names=False))
    assert again.replace(columns=milp.columns, rows=milp.rows) == milp
    assert list(again.columns) == [f"x{j}" for j in range(milp.n_columns)]
    assert list(again.rows) == [f"r{i}" for i in range(milp.n_rows)]


@settings(max_examples=200, deadline=None)
@given(st.lists(names, max_size=6))
def test_escaped_names_are_unique_tokens_and_come_back(given_names: list[str]) -> None:
    tokens = escape(given_names, "[],", "rhs obj")
    assert len(set(tokens)) == len(tokens)
    assert all(len(token.split()) == 1 and token.isascii() for token in tokens)
    assert not {token.lower() for token in tokens} & {"rhs", "obj"}
    assert [unescape(token) for token in tokens] == given_names


@settings(max_examples=100, deadline=None)
@given(st.integers(0, 8).flatmap(blocks))
def test_regrouping_keeps_every_name(given_names: Names) -> None:
    assert list(regroup(list(given_names))) == list(given_names)


def test_regrouping_finds_blocks_again() -> None:
    given_names = Names([("zeta", (3,)), ("omega", (2, 5)), ("total", ()), ("odd[1]", ())])
    assert regroup(list(given_names)).blocks == given_names.blocks


def test_regrouping_does_not_believe_huge_indices() -> None:
    assert len(regroup(["x[0]", "x[999999999999]"])) == 2


def test_ranges_that_no_width_reproduces_come_back() -> None:
    rng = np.random.default_rng(0)
    pairs = rng.normal(size=(2, 3000)) * 10.0 ** rng.integers(-3, 3, (2, 3000))
    lower, upper = pairs.min(axis=0), pairs.max(axis=0)
    milp = Milp([1.0], np.ones((3000, 1)), lower, upper, [0], [1], [False])
    text = text_of(milp)
    assert "*ooa-range" in text
    assert " L " in text
    assert parse(text) == milp


def test_own_dimensions_of_a_written_file(tmp_path: Path) -> None:
    m = Model("fit")
    used = m.add_binaries("zeta", 3, cost=1)
    covers = m.add_continuous("omega", (2, 3), upper=1)
    m.add_rows("link", covers[0] - used <= 0)
    m.offset = 2.5
    write_mps(m.freeze(), tmp_path / "fit.mps")
    text = (tmp_path / "fit.mps").read_text()
    assert " RHS obj -2.5\n" in text
    assert " omega[0,1] link[1] 1\n" in text
    assert read_mps(tmp_path / "fit.mps") == m.freeze()
    assert read_mps(str(tmp_path / "fit.mps")).columns.blocks == (("zeta", (3,)), ("omega", (2, 3)))


# -- other programs' files -------------------------------------------------------------------------------

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


# -- the same optimum in every solver --------------------------------------------------------------------


def with_highs(path: Path) -> float:
    highspy = pytest.importorskip("highspy")
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    highs.run()
    assert highs.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(highs.getInfo().objective_function_value)


def with_scip(path: Path) -> float:
    pyscipopt = pytest.importorskip("pyscipopt")
    model = pyscipopt.Model()
    model.hideOutput()
    model.readProblem(str(path))
    model.optimize()
    assert model.getStatus() == "optimal"
    return float(model.getObjVal())


def with_gurobi(path: Path) -> float:
    gurobipy = pytest.importorskip("gurobipy")
    with gurobipy.Env(empty=True) as environment:
        environment.setParam("OutputFlag", 0)
        environment.start()
        with gurobipy.read(str(path), env=environment) as model:
            model.optimize()
            assert model.Status == gurobipy.GRB.OPTIMAL
            return float(model.ObjVal)


def with_cbc(path: Path) -> float:
    if not available_backends()["cbc"].ok:
        pytest.skip("no CBC executable is installed")
    binary = sys.modules[type(get_backend("cbc")).__module__].binary
    command = [binary.find().path, path.name, "-preprocess", "off", "-solve", "-solution", "out.sol"]
    log = subprocess.run(command, cwd=path.parent, capture_output=True, check=False).stdout.decode()
    assert (path.parent / "out.sol").exists(), log
    first = (path.parent / "out.sol").read_text().splitlines()[0]
    assert first.startswith("Optimal - objective value"), log
    return float(first.split()[-1])


READERS = {"highs": with_highs, "scip": with_scip, "gurobi": with_gurobi, "cbc": with_cbc}


def everything() -> Milp:
    """Ranges, equalities, an empty, a free row; every kind of bound; awkward names; an offset."""
    m = Model("a model, really")
    error = m.add_binaries("error", 3, cost=[-1, 2, 3])
    omega = m.add_continuous("omega", (2, 2), lower=-5, upper=[[np.inf, -2], [3, 3]], cost=1)
    free = m.add_continuous("free", lower=-np.inf, cost=0.5)
    age = m.add_integers("age >= 50", 2, lower=[-3, 0], upper=[np.inf, 7], cost=[1, -2])
    m.add_continuous("RHS", lower=-np.inf, upper=-1, cost=-1)
    m.add_integers("e5", lower=2, upper=2, cost=1)
    m.add_integers("größe-1%", cost=0.1, lower=-2, upper=-1)
    m.add_continuous("1st", cost=1)
    m.add_rows("obj", error.sum() + omega.sum() >= 1)
    m.add_rows("st", (error.sum() * 3 - omega.sum()).between(-1, 4))
    m.add_rows("inf", free + age.sum() == 0.5)
    m.offset = -10.25
    built = m.freeze()
    matrix = np.vstack([built.A.toarray(), built.A.toarray()[0], np.zeros(built.n_columns)])
    return built.replace(
        A=matrix,
        row_lower=[*built.row_lower, -np.inf, -1],
        row_upper=[*built.row_upper, np.inf, np.inf],
        rows=Names([*built.rows.blocks, ("free row", ()), ("empty", ())]),
    )


@pytest.fixture(scope="module")
def models() -> list[tuple[Milp, float]]:
    """Models and their optima."""
    highs = get_backend("highs")
    milps = [everything()]
    for seed in range(4):
        rng = np.random.default_rng(seed)
        n, m = 7, 5
        matrix = rng.integers(-6, 7, (m, n)) * (rng.random((m, n)) < 0.7) + rng.integers(0, 2, (m, n)) / 8
        lower = rng.integers(-5, 1, n).astype(float)
        upper = lower + rng.integers(0, 8, n)
        activity = matrix @ rng.integers(lower, upper + 1)
        rows = activity - rng.integers(0, 4, m), activity + rng.integers(0, 4, m)
        cost = rng.integers(-5, 6, n)
        milps.append(Milp(cost, matrix, *rows, lower, upper, rng.random(n) < 0.6, float(seed)))
    solved = [(milp, highs.solve(milp)) for milp in milps]
    assert all(solution.is_optimal for _, solution in solved)
    return [(milp, float(solution.objective or 0.0)) for milp, solution in solved]


@pytest.mark.parametrize("extension", ["mps", "short.mps", "lp"])
@pytest.mark.parametrize("reader", READERS)
def test_every_solver_reads_the_same_model(
    reader: str, extension: str, models: list[tuple[Milp, float]], tmp_path: Path
) -> None:
    for k, (milp, optimum) in enumerate(models):
        path = tmp_path / f"model{k}.{extension}"
        if extension == "lp":
            write_lp(milp, path)
        else:
            write_mps(milp, path, names=extension == "mps")
        assert READERS[reader](path) == pytest.approx(optimum, abs=1e-6)


AWKWARD = ["x", "e", "E", "e1", "1e5", "inf", "Infinity", "st", "s.t.", "free", "-y", "a-b", "a b", "[0]"]
AWKWARD += ["end", "bounds", "General", "BINARY", "max", "a:b", "a<=b", "a+b", "a*b", "a^2", "€", "%", "#"]
AWKWARD += ["x[0]", "x(0)", "x%5B0%5D", "subject to", "sos1", "a/b", "a>b", "~", "'q'", '"q"', "$", "!", ";"]
AWKWARD += ["RANGES", "ENDATA", "MARKER", "objsense", "name", "N", "E2E", "e+5", ".5", "5", "nan", "x,y", ""]
AWKWARD += ["\\c", "(0)", "Semi-Continuous"]


@pytest.mark.parametrize("extension", ["mps", "lp"])
@pytest.mark.parametrize("reader", READERS)
def test_every_solver_takes_awkward_names(reader: str, extension: str, tmp_path: Path) -> None:
    n = len(AWKWARD)
    names = Names([(name, ()) for name in AWKWARD])
    eye = np.eye(n)[::-1] + np.eye(n)
    bounds = np.full(n, -1.0), np.full(n, 5.0)
    whole = np.arange(n) % 3 == 0
    sides = np.full(n, 1.5), np.full(n, np.inf)
    milp = Milp(np.arange(n) + 1.0, eye, *sides, *bounds, whole, 7.0, columns=names, rows=names)
    expected = get_backend("highs").solve(milp).objective
    path = tmp_path / f"awkward.{extension}"
    (write_lp if extension == "lp" else write_mps)(milp, path)
    assert READERS[reader](path) == pytest.approx(expected)


def test_lp_text_of_ranges_offsets_and_free_rows() -> None:
    stream = io.StringIO()
    write_lp(everything(), stream)
    text = stream.getvalue()
    assert text.isascii()
    assert " %73t%upper:" in text
    assert "- 10.25 %offset\n" in text
    assert " %offset = 1\n" in text
    assert "\\ free row free%20row:" in text
    assert max(map(len, text.splitlines())) < 255


def test_lp_of_an_empty_model_is_written() -> None:
    stream = io.StringIO()
    write_lp(Milp([], np.zeros((0, 0)), [], [], [], [], []), stream)
    assert stream.getvalue().endswith("End\n")
