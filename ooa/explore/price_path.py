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
from typing import Any

from ooa.checks import instance
from ooa.clock import Deadline
from ooa.data.table import Table
from ooa.learning.settings import FitSettings, OOASettings, OOAxSettings, takes
from ooa.live_line import LiveLine
from ooa.logs import user_warn
from ooa.objective import Objective, exact_sum

from .breakpoints import Piece, Ray, roundest
from .cross_validation import cross_validate
from .held_out import INTERRUPTED, Split, read_splits
from .known_path import KnownPath
from .path_frame import PathFrame
from .price_grid import filled, path_on, read_grid, refuse_prices, solve
from .rates import held_out_columns
from .settings_of_all import settings_of_all

__all__ = ["path", "path_found"]


@takes(OOAxSettings, OOASettings)
def path(
    table: Table,
    C_grid: Iterable[Any] | None = None,
    *,
    splits: Sequence[Split] = (),
    jobs: int | None = None,
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
    splits : folds, each the numbers of the rows to learn from and of those held out; with them the rule sets
        of the same prices are learned in every fold, and tried on the rows held out
    jobs : folds at a time, as joblib counts them
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : what every fit is told; by default `OOAxSettings()` or `OOASettings()`
    **options : fields of `OOAxSettings` or `OOASettings`, in place of what the settings say. C1 and C2
        are where a path without a grid ends, `time_limit` is for the whole path, folds among it, and the
        patterns of `start` are candidates everywhere

    Returns
    -------
    PathFrame
        A pandas frame: C1, C2, errors, error_rate, sensitivity, specificity, literals, patterns, objective,
        bound, gap, proved, scope (among which patterns bound and proof hold), and the rules as text, which
        `RuleSet.parse` reads. With folds also cv_accuracy, cv_sensitivity and cv_specificity, the means over
        the folds of what is right on the rows held out, and their standard errors (cv_accuracy_se, ...). The
        rule sets themselves are its attribute `rule_sets`, their certificates `certificates`. With a grid
        the rows are in its order; without, each price is a round one among those at which its rule set is
        the best, but for the last, which is that of the settings. Where a certificate's proof is
        "concavity", its bound is the chord between the bounds of two other prices.

    Examples
    --------
    >>> import numpy as np
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
    >>> even = np.arange(table.n_rows) % 2 == 0
    >>> folds = [(np.flatnonzero(~held), np.flatnonzero(held)) for held in (even, ~even)]
    >>> path(table, splits=folds)[["C1", "cv_accuracy", "cv_sensitivity", "cv_specificity"]].round(3)
          C1  cv_accuracy  cv_sensitivity  cv_specificity
    0  0.060         0.75             0.5             1.0
    1  0.002         1.00             1.0             1.0
    """
    if C_grid is not None:
        refuse_prices("path", options)
    wanted = settings_of_all("path", method, settings, options)
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    grid = None if C_grid is None else read_grid(C_grid)
    folds = read_splits(splits, table.n_rows)
    deadline = Deadline.after(wanted.seconds, wanted.clock)
    with LiveLine(wanted.progress, clock=wanted.clock) as line:  # one line for all fits
        whole, told = table, wanted
        if folds:  # whose rows are numbered as they were given
            whole = table if wanted.constraints else table.ordered()
            told = wanted.within(deadline.share_of_rest(wanted.policy.whole_path_share).left())
        frame = path_found(whole, told) if grid is None else path_on(whole, grid, told)
        whole_folds = not frame.interrupted
        if folds and whole_folds:
            inner = replace(wanted, progress=False, threads=1).within(deadline.left())
            found = cross_validate(table, folds, frame.prices, inner, jobs=jobs, tell=line.update)
            whole_folds = found.whole
            if whole_folds:
                frame.put(held_out_columns(found.rates))
    if folds and not whole_folds:
        user_warn(INTERRUPTED)
    return frame


def path_found(table: Table, wanted: FitSettings, choosing: bool = False) -> PathFrame:
    """Every rule set that is the best at some price.

    To choose from them, the empty one counts as well, and the last price is in the midst of those of its rule
    set too; otherwise it is that of the settings, and the empty one is there only if it is alone.
    """
    route = KnownPath(table, wanted.start)
    ray = _ray(table, wanted)
    _find_all(table, ray, route, wanted)
    found = _prices_of(route, ray, choosing)
    return PathFrame.of(found, map(route.answer, found), table, _complete(route, ray), route.interrupted)


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
    for done in range(wanted.policy.path_points if filled(table, ends[0], route, wanted) else 0):
        waiting = ends[done:] or route.waiting(ray) or route.unproved(_prices_of(route, ray))
        left = deadline.left()
        limit = None if left is None else left / (len(waiting) + 2)
        if not waiting or (done and deadline.passed()):
            break
        if not solve(table, waiting[0], route, wanted.within(limit)):
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
