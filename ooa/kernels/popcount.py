"""The number of bits set in a word, compiled by numba."""

from __future__ import annotations

from typing import Any

import numpy as np

from .compiling import compiled_once


@compiled_once
def popcount(x: Any) -> Any:
    """Count the bits of a uint64; LLVM makes one instruction of this."""
    x = x - ((x >> np.uint64(1)) & np.uint64(0x5555555555555555))
    x = (x & np.uint64(0x3333333333333333)) + ((x >> np.uint64(2)) & np.uint64(0x3333333333333333))
    x = (x + (x >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((x * np.uint64(0x0101010101010101)) >> np.uint64(56))
