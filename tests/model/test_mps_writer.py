"""MPS files that are written come back exactly."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from support.model_files import AWKWARD, blocks, names, parse

from ooa.model import Milp, Model, read_mps, write_mps


def text_of(milp: Milp, **options: bool) -> str:
    stream = io.StringIO()
    write_mps(milp, stream, **options)
    return stream.getvalue()


numbers = st.one_of(
    st.integers(-9, 9).map(float),
    st.floats(-1e9, 1e9).filter(lambda v: v == 0 or abs(v) > 1e-9),
    st.sampled_from([0.1, 1 / 3, 1e-9, 123456789.123, -1e15, 2.0**-20]),
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


AWKWARD += ["end", "bounds", "General", "BINARY", "max", "a:b", "a<=b", "a+b", "a*b", "a^2", "€", "%", "#"]
AWKWARD += ["x[0]", "x(0)", "x%5B0%5D", "subject to", "sos1", "a/b", "a>b", "~", "'q'", '"q"', "$", "!", ";"]
AWKWARD += ["RANGES", "ENDATA", "MARKER", "objsense", "name", "N", "E2E", "e+5", ".5", "5", "nan", "x,y", ""]
AWKWARD += ["\\c", "(0)", "Semi-Continuous"]
