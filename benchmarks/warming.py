"""What has to happen before one of our fits is timed, and a clock for busy machines."""

from __future__ import annotations

import time

from ooa.clock import Clock
from ooa.data.table import Table
from ooa.kernels.availability import compiled
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import Selection


class ProcessorClock(Clock):
    """Seconds that this process has had the processor for."""

    def now(self) -> float:
        """The present instant."""
        return time.process_time()


def warm_up(backend: str = "highs") -> None:
    """Fit four rows, so that no import, and no loading of compiled code, is timed."""
    table = Table.from_any({"x": [1, 2, 3, 4], "y": [1, 2, 1, 2]}, [0, 1, 1, 0])
    ways: tuple[Selection, ...] = ("ilp", "search") if compiled() else ("ilp",)
    for selection in ways:
        learn_ooax(table, C1=0, C2=0, backend=backend, selection=selection, time_limit=60)
