"""The best rule sets at given prices, each fit started from the best that is known there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ooa.checks import listed_items
from ooa.clock import Deadline
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.by_settings import learn
from ooa.learning.settings import FitSettings, OOAxSettings
from ooa.objective import Objective, exact
from ooa.solving.solution import Termination

from .known_path import KnownPath
from .path_frame import PathFrame

__all__ = ["filled", "from_the_ends", "path_on", "read_grid", "refuse_prices", "solve"]

_T = TypeVar("_T")

#: What the grid says, if there is one, and nobody else.
_PRICES = ("C1", "C2")


def refuse_prices(caller: str, options: Iterable[str]) -> None:
    """Raise if options name a price: those of a grid are on it."""
    for name in options:
        if name in _PRICES:
            raise OptionError(f"{caller} takes {name} from C_grid: give a list of numbers or pairs there")


def path_on(table: Table, grid: list[Objective], wanted: FitSettings) -> PathFrame:
    """The best rule set at every point of a grid; what others settle is not solved."""
    route = KnownPath(table, wanted.start)
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    low = Objective(min(point.C1 for point in grid), min(point.C2 for point in grid))
    waiting = from_the_ends(sorted(set(grid), key=lambda point: (-point.C1 - point.C2, -point.C1)))
    for done, point in enumerate(waiting if filled(table, low, route, wanted) else ()):
        if done and route.settled(point):
            continue
        left = deadline.left()
        limit = None if left is None else left / (len(waiting) - done)
        if not solve(table, point, route, wanted.within(limit)):
            break
    return PathFrame.of(grid, map(route.answer, grid), table, interrupted=route.interrupted)


def filled(table: Table, low: Objective, route: KnownPath, wanted: FitSettings) -> bool:
    """Mine once for all fits of OOAx, none of which is at lower prices; return whether to go on."""
    if not isinstance(wanted, OOAxSettings):
        return True
    try:
        route.interrupted = not route.stock.fill(table, replace(wanted, C1=low.C1, C2=low.C2, start=None))
    except KeyboardInterrupt:
        route.interrupted = True
    return not route.interrupted


def solve(table: Table, point: Objective, route: KnownPath, wanted: FitSettings) -> bool:
    """Learn at a point, from the best that is known there; return whether to go on."""
    here = replace(wanted, C1=point.C1, C2=point.C2, start=route.best(point))
    try:
        learned = learn(table, here, route.stock)
    except KeyboardInterrupt:  # before anything was known: what others found is not lost by that
        route.interrupted = True
        return False
    route.add(point, learned)
    route.interrupted = learned.certificate.termination is Termination.INTERRUPTED
    return not route.interrupted


def from_the_ends(points: Sequence[_T]) -> list[_T]:
    """Both ends first, then the middles: so that every other point is between two that are solved.

    Examples
    --------
    >>> from_the_ends("abcde")
    ['a', 'e', 'c', 'b', 'd']
    """
    if len(points) <= 2:
        return list(points)
    order, spans = [points[0], points[-1]], [(0, len(points) - 1)]
    while spans:
        low, high = spans.pop(0)
        if high - low > 1:
            middle = (low + high) // 2
            order.append(points[middle])
            spans += [(low, middle), (middle, high)]
    return order


def read_grid(C_grid: Iterable[Any]) -> list[Objective]:
    """The prices as the user typed them: numbers or pairs."""
    grid = []
    given = (C_grid,) if isinstance(C_grid, str) else listed_items(C_grid, "C_grid", object, "prices")
    for prices in given:
        pair = prices if isinstance(prices, (tuple, list, np.ndarray)) else (prices, prices)
        if np.shape(pair) != (2,):
            raise OptionError(f"C_grid must hold numbers or pairs (C1, C2), not {prices!r:.200}")
        grid.append(Objective(*(exact(price, "a price of C_grid") for price in pair)))
    if not grid:
        raise OptionError("C_grid has no prices: give at least one, or None for the default")
    return grid
