"""Random models and names, and MPS files as texts."""

from __future__ import annotations

import io

import numpy as np
from hypothesis import strategies as st

from ooa.model import Milp, Model, Names, read_mps


def parse(text: str) -> Milp:
    return read_mps(io.StringIO(text))


names = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        ["RHS", "obj", "free", "st", "e5", "x[0]", "x[1]", "50%", "%41", "'MARKER'", "-1", "a b"]
    ),
)


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


AWKWARD = ["x", "e", "E", "e1", "1e5", "inf", "Infinity", "st", "s.t.", "free", "-y", "a-b", "a b", "[0]"]
