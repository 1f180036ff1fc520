"""Around one of our fits: what is imported before, and when each better rule set was found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ooa.branching import compiled
from ooa.fitting import Fit
from ooa.ooax import learn_ooax
from ooa.table import Table

Course = list[tuple[float, float]]


@contextmanager
def watched() -> Iterator[Course]:
    """Within the block, every improvement of a fit is noted as (seconds since the block began, L)."""
    course: Course = []
    began = time.monotonic()
    original = Fit.offer

    def offer(fit: Fit, *arguments: Any, **more: Any) -> Any:
        before = fit.upper
        result = original(fit, *arguments, **more)
        if fit.upper is not None and (before is None or fit.upper < before):
            course.append((time.monotonic() - began, float(fit.upper)))
        return result

    Fit.offer = offer  # type: ignore[method-assign]
    try:
        yield course
    finally:
        Fit.offer = original  # type: ignore[method-assign]


def warm_up(backend: str = "highs") -> None:
    """Fit four rows, so that no import, and no loading of compiled code, is timed."""
    table = Table.from_any({"x": [1, 2, 3, 4], "y": [1, 2, 1, 2]}, [0, 1, 1, 0])
    for selection in ("ilp", "search") if compiled() else ("ilp",):
        learn_ooax(table, C1=0, C2=0, backend=backend, selection=selection, time_limit=60)
