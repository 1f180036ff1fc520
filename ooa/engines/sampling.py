"""Rows drawn at random from a table that stays where it is, the same ones each time if its engine allows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .source import collected, engine_errors, engine_name

__all__ = ["at_most", "rows_of", "sample_of"]

_ROW = "_ooa_row"
#: Rows are drawn by a mixture of their number modulo this prime: scattered, and yet the same each time.
_SIZE, _FACTOR = 2_147_483_629, 48_271


def rows_of(frame: Any) -> int:
    """How many rows a lazy frame has."""
    import narwhals as nw

    doing = "count the rows"
    with engine_errors(engine_name(frame), doing):
        asked = frame.select(nw.len().alias("n"))
    return int(collected(asked, doing).item())


def sample_of(frame: Any, n_rows: int, wanted: int, seed: int = 1) -> Any:
    """Return about so many rows of a lazy frame, or all if there are no more, as an eager frame of narwhals.

    Parameters
    ----------
    frame : lazy frame of narwhals
    n_rows : how many it has
    wanted : how many rows to draw
    seed : another one draws others

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"x": range(10_000)}))
    >>> 800 < len(sample_of(frame, 10_000, 1000)) < 1200
    True
    """
    doing = "draw a sample of rows"
    if n_rows <= wanted:
        return collected(frame, "hand over the rows")
    with engine_errors(engine_name(frame), doing):
        drawn = _drawn(frame, wanted / n_rows, seed)
    return collected(drawn, doing)


def at_most(frame: Any, n_rows: int, most: int, seed: int = 1) -> Any:
    """Return no more than so many rows, drawn at random, as an eager frame of narwhals; see `sample_of`.

    A little fewer are asked for, as many as chance may add; if it adds more, some are left out at random.

    Examples
    --------
    >>> import narwhals as nw, polars as pl
    >>> frame = nw.from_native(pl.LazyFrame({"x": range(10_000)}))
    >>> 800 < len(at_most(frame, 10_000, 1000)) <= 1000
    True
    """
    drawn = sample_of(frame, n_rows, most if n_rows <= most else max(1, most - 3 * math.isqrt(most)), seed)
    if len(drawn) <= most:
        return drawn
    kept = np.random.default_rng(seed).choice(len(drawn), most, replace=False)
    return drawn[np.sort(kept).tolist()]


def _drawn(frame: Any, share: float, seed: int) -> Any:
    """A share of the rows, in the words of the engine."""
    import narwhals as nw

    native, engine = frame.to_native(), frame.implementation
    if engine.is_duckdb():
        return _by_number(nw.from_native(native.project(f"*, row_number() over () as {_ROW}")), share, seed)
    if engine.is_polars():
        return _by_number(nw.from_native(native.with_row_index(_ROW)), share, seed)
    if engine.is_dask():
        return nw.from_native(native.map_partitions(_some, share, seed, meta=native._meta))
    if engine.is_ibis():
        try:
            drawn = native.sample(share, seed=seed)
            native.get_backend().compile(drawn)
        except Exception:  # of a database that has no such seed: others each time
            drawn = native.sample(share)
        return nw.from_native(drawn)
    if engine.is_pyspark() or engine.is_pyspark_connect():
        return nw.from_native(native.sample(fraction=share, seed=seed))
    if engine_name(frame) == "daft":
        return nw.from_native(native.sample(fraction=share, seed=seed))
    raise NotImplementedError("it has more rows than sample_rows of ooa.Source, and no way to draw some")


def _some(part: Any, share: float, seed: int, partition_info: Any = None) -> Any:
    """Rows of a partition of Dask, each by itself: its own way rounds to none of a small partition."""
    number = partition_info["number"] if partition_info else 0
    return part[np.random.default_rng([seed, number]).random(len(part)) < share]


def _by_number(frame: Any, share: float, seed: int) -> Any:
    import narwhals as nw

    row = nw.col(_ROW).cast(nw.Int64) % _SIZE
    scattered = (row * _FACTOR + seed) % _SIZE
    for _ in range(2):
        scattered = (scattered * scattered + row + seed) % _SIZE
    return frame.filter(scattered < int(share * _SIZE)).drop(_ROW)
