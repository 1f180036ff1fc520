"""Thresholds in single precision: numbers go left exactly as in scikit-learn."""

import math

import hypothesis.strategies as st
import numpy as np
from hypothesis import given, settings
from support.sweeps import sweep
from support.tree_rows import BEYOND, LARGEST, around

from ooa.rules.trees.cells import highest_left

single_floats = st.floats(width=32, allow_nan=False, allow_infinity=False)


@given(single_floats | st.floats(-LARGEST, LARGEST) | st.floats(-1e-40, 1e-40), st.data())
@settings(max_examples=sweep(125, of=250))
def test_numbers_go_left_exactly_as_in_float32(threshold, data):
    end, closed = highest_left(threshold)
    more = data.draw(st.lists(st.floats(-LARGEST, LARGEST), max_size=5))
    for x in [*around(threshold), *([end, *around(end)] if math.isfinite(end) else []), *more]:
        if abs(x) < BEYOND:
            with np.errstate(all="ignore"):
                left = float(np.float32(x)) <= threshold
            assert (x <= end if closed else x < end) == left, (threshold, x)


def test_thresholds_beyond_float32():
    assert highest_left(math.inf) == highest_left(LARGEST) == (math.inf, True)
    assert highest_left(-math.inf) == highest_left(-1e39) == (-math.inf, False)
    assert highest_left(0.0) == (2.0**-150, True)
    assert highest_left(-0.0) == (2.0**-150, True)
    odd = float(np.nextafter(np.float32(1), np.float32(2)))
    assert highest_left(odd) == (1 + 1.5 * 2.0**-23, False)
