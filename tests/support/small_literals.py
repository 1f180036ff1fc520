"""Literals on a small domain, and what they say of every value in it."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from ooa.rules.literal import Range
from support.strategies import grid, literals_on

DOMAIN: list[Any] = [None, True, False, "a", "1", *(k / 4 for k in range(-8, 24))]
small_values = grid | st.booleans() | st.sampled_from(["a", "1"])
small_literals = literals_on("x", small_values, time=False) | st.builds(
    Range, st.just("x"), grid, st.none() | grid, st.booleans(), st.booleans()
)
