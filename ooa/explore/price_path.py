"""The optimal rule sets along prices, from simple to accurate, each fit started from the others.

Between two prices at which the optimum is known, L is nowhere below the chord (see `known_path`): a fine
grid is settled by a few fits. Without a grid the prices are found on the way. Where the lines of two rule
sets that follow one another cross, and only there, something else can be better than both: the crossing is
solved, and what is better there makes two new crossings. When no crossing is left, no rule set is missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np

from ooa.checks import instance, listed_items
from ooa.clock import Deadline
from ooa.data.table import Table
from ooa.errors import OptionError
from ooa.learning.by_settings import learn
from ooa.learning.settings import FitSettings, OOASettings, OOAxSettings, takes
from ooa.live_line import LiveLine
from ooa.objective import Objective, exact, exact_sum
from ooa.solving.solution import Termination

from .breakpoints import Piece, Ray, roundest
from .known_path import KnownPath
from .path_frame import PathFrame
from .settings_of_all import settings_of_all

__all__ = ["from_the_ends", "path", "path_found", "refuse_prices"]

_T = TypeVar("_T")

#: What the grid says, if there is one, and nobody else.
_PRICES = ("C1", "C2")


@takes(OOAxSettings, OOASettings)
def path(
    table: Table,
    C_grid: Iterable[Any] | None = None,
    *,
    method: str | None = None,
    settings: FitSettings | None = None,
    **options: Any,
) -> PathFrame:
    """Learn the optimal rule sets along prices, from simple to accurate.

    Without a grid these are all that there are: from the price at which a first pattern pays down to C1 and
    C2, in their proportion, every rule set that is the best at some price has one row. With a grid there is
    one row for every price of it.

    Parameters
    ----------
    table : the training data
    C_grid : prices, each a number for C1 = C2 or a pair (C1, C2), taken as the decimals they look like; by
        default they are found
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : what every fit is told; by default `OOAxSettings()` or `OOASettings()`
    **options : fields of `OOAxSettings` or `OOASettings`, in the place of what the settings say. C1 and C2
        are where a path without a grid ends, `time_limit` is for the whole path, and the patterns of `start`
        are candidates everywhere

    Returns
    -------
    PathFrame
        A pandas frame: C1, C2, errors, error_rate, literals, patterns, objective, bound, gap, proved, scope
        (among which patterns bound and proof hold), and the rules as text, which `RuleSet.parse` reads. The
        rule sets themselves are its attribute `rule_sets`, their certificates `certificates`. With a grid
        the rows are in its order; without, each price is a round one among those at which its rule set is
        the best, but for the last, which is that of the settings. Where a certificate's proof is
        "concavity", its bound is the chord between the bounds of two other prices.

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> table = Table.from_any(data.X, data.y)
    >>> frame = path(table)
    >>> frame[["C1", "errors", "literals", "patterns", "proved"]]
          C1  errors  literals  patterns  proved
    0  0.060   108.0         1         1    True
    1  0.002     0.0         7         4    True
    >>> frame.complete
    True
    >>> print(frame.rule_sets[0].to_text(compact=True, unicode=False))
    (jacket_color = red) -> monk = 1 ELSE 0
    >>> path(table, [0.1, 0.05, 0.01])["errors"].tolist()
    [108.0, 108.0, 0.0]
    """
    if C_grid is not None:
        refuse_prices(options)
    wanted = settings_of_all("path", method, settings, options)
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    with LiveLine(wanted.progress, clock=wanted.clock):  # one line for all fits
        return path_found(table, wanted) if C_grid is None else _path_on(table, _read_grid(C_grid), wanted)


def refuse_prices(options: Iterable[str]) -> None:
    """Raise if options name a price: those of a grid are on it."""
    for name in options:
        if name in _PRICES:
            raise OptionError(f"path takes {name} from C_grid: give a list of numbers or pairs there")


def path_found(table: Table, wanted: FitSettings, choosing: bool = False) -> PathFrame:
    """Every rule set that is the best at some price.

    To choose from them, the empty one counts as well, and the last price is in the midst of those of its rule
    set too; otherwise it is that of the settings, and the empty one is there only if it is alone.
    """
    route = KnownPath(table, wanted.start)
    ray = _ray(table, wanted)
    _find_all(table, ray, route, wanted)
    found = _prices_of(route, ray, choosing)
    return PathFrame.of(found, map(route.answer, found), _complete(route, ray))


# -- with a grid -----------------------------------------------------------------------------------


def _path_on(table: Table, grid: list[Objective], wanted: FitSettings) -> PathFrame:
    """The best rule set at every point of a grid; what others settle is not solved."""
    route = KnownPath(table, wanted.start)
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    low = Objective(min(point.C1 for point in grid), min(point.C2 for point in grid))
    waiting = from_the_ends(sorted(set(grid), key=lambda point: (-point.C1 - point.C2, -point.C1)))
    for done, point in enumerate(waiting if _filled(table, low, route, wanted) else ()):
        if done and route.settled(point):
            continue
        left = deadline.left()
        limit = None if left is None else left / (len(waiting) - done)
        if not _solve(table, point, route, wanted.within(limit)):
            break
    return PathFrame.of(grid, map(route.answer, grid))


def _filled(table: Table, low: Objective, route: KnownPath, wanted: FitSettings) -> bool:
    """Mine once for all fits of OOAx, none of which is at lower prices; return whether to go on."""
    if not isinstance(wanted, OOAxSettings):
        return True
    return route.stock.fill(table, replace(wanted, C1=low.C1, C2=low.C2, start=None))


def _solve(table: Table, point: Objective, route: KnownPath, wanted: FitSettings) -> bool:
    """Learn at a point, from the best that is known there; return whether to go on."""
    here = replace(wanted, C1=point.C1, C2=point.C2, start=route.best(point))
    learned = learn(table, here, route.stock)
    route.add(point, learned)
    return learned.certificate.termination is not Termination.INTERRUPTED


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


def _read_grid(C_grid: Iterable[Any]) -> list[Objective]:
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


# -- without a grid --------------------------------------------------------------------------------


def _ray(table: Table, wanted: FitSettings) -> Ray:
    positives = exact_sum(table.positive)
    return Ray.down_to(
        Objective.of(wanted.C1, wanted.C2), positives / (positives + exact_sum(table.negative))
    )


def _find_all(table: Table, ray: Ray, route: KnownPath, wanted: FitSettings) -> None:
    """Solve the ends, then breakpoint after breakpoint, until no more is left, or no time, or it is too many.

    Where breakpoints are left without a proof, what will be a row may still have one. A fit gets an equal
    share of the time with those that wait, and two more that it may bring about.
    """
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    ends = [ray.at(ray.low)]
    if not wanted.constraints:
        route.add_empty(ray.at(ray.high))
    elif ray.high > ray.low:
        ends.append(ray.at(ray.high))
    for done in range(wanted.policy.path_points if _filled(table, ends[0], route, wanted) else 0):
        waiting = ends[done:] or route.waiting(ray) or route.unproved(_prices_of(route, ray))
        left = deadline.left()
        limit = None if left is None else left / (len(waiting) + 2)
        if not waiting or (done and deadline.passed()):
            break
        if not _solve(table, waiting[0], route, wanted.within(limit)):
            break


def _prices_of(route: KnownPath, ray: Ray, choosing: bool = False) -> list[Objective]:
    """A price for every rule set that is the best known somewhere; see `path_found`."""
    pieces = route.pieces(ray)[::-1]
    some = [piece for piece in pieces if choosing or len(piece.rules)] or pieces[-1:]

    def place(piece: Piece) -> Fraction:
        last = piece.low == ray.low and not choosing
        return piece.low if last or piece.low == piece.high else roundest(piece.low, piece.high)

    return [ray.at(place(piece)) for piece in some] or [ray.at(ray.low)]


def _complete(route: KnownPath, ray: Ray) -> bool:
    """Whether the best rule sets known are proved to be so everywhere along a ray."""
    pieces = route.pieces(ray)
    ends = {place for piece in pieces for place in (piece.low, piece.high)}
    return bool(pieces) and all(route.proved(ray.at(place)) for place in ends)
