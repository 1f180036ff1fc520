"""What a limit costs: the best rule set at every limit of a constraint, each fit started from the others.

A limit that is tightened leaves fewer rule sets, so L can only rise: a bound at one limit holds at all that
are tighter, and a rule set at one is feasible at all that are looser (see `known_frontier`). The ends come
first, then the middles, and what lies between two limits that have the same optimum is settled without a fit.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from ooa.checks import instance, listed_items
from ooa.clock import Deadline
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints, LicenseLimit, OptionError, SolverError
from ooa.formulations.base import ConstraintLike, describe, required_patterns
from ooa.learning.by_settings import learn
from ooa.learning.settings import FitSettings, OOASettings, OOAxSettings, takes
from ooa.learning.stock import Stock
from ooa.live_line import LiveLine
from ooa.logs import user_warn
from ooa.solving.solution import Termination

from .known_frontier import FREE, KnownFrontier
from .price_grid import from_the_ends
from .settings_of_all import settings_of_all
from .trade_off_frame import TradeOffFrame

__all__ = ["trade_off"]


@takes(OOAxSettings, OOASettings)
def trade_off(
    table: Table,
    constraint: Callable[[Any], ConstraintLike | Sequence[ConstraintLike]],
    grid: Iterable[Any],
    *,
    method: str | None = None,
    settings: FitSettings | None = None,
    **options: Any,
) -> TradeOffFrame:
    """Learn the best rule set at every limit of a constraint: what the limit costs.

    Parameters
    ----------
    table : the training data
    constraint : makes the constraint of a limit: a ready-made one that takes nothing else
        (`min_sensitivity`), or a function (`lambda gap: demographic_parity("sex", gap)`) that returns one, or
        several of them
    grid : the limits
    method : "ooax" or "ooa"; by default the one that the settings are for, and without settings "ooax"
    settings : what every fit is told; by default `OOAxSettings()` or `OOASettings()`
    **options : fields of `OOAxSettings` or `OOASettings`, in place of what the settings say. Their
        `constraints` hold at every limit, `time_limit` is for all fits together

    Returns
    -------
    TradeOffFrame
        A pandas frame with a row for every limit, in the order of the grid: limit, errors, false_negatives,
        false_positives, literals, patterns, objective, price (by how much the objective is above that of the
        rule set without the constraint), bound, gap, proved (whether nothing is left open: the rule set is
        proved to be the best, or that there is none), known (the same in words), scope (among which patterns
        that holds) and the rules as text. The rule sets are its attribute `rule_sets`, their certificates
        `certificates`; `free` is the rule set without the constraint. Where a certificate's proof is "looser
        limit", its bound is that of another limit, which whatever meets this one meets as well.

    Examples
    --------
    >>> from ooa.constraints import min_sensitivity
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> table = Table.from_any(data.X, data.y)
    >>> frame = trade_off(table, min_sensitivity, [0.4, 0.6, 0.8, 1.0], C1=0.04, C2=0.04)
    >>> frame[["limit", "errors", "literals", "proved"]]
       limit  errors  literals  proved
    0    0.4   108.0         1    True
    1    0.6    72.0         3    True
    2    0.8    36.0         5    True
    3    1.0     0.0         7    True
    """
    wanted = settings_of_all("trade_off", method, settings, options)
    instance(table, "table", Table, "an ooa.Table, as Table.from_any makes it")
    limits = _read_grid(grid)
    made: dict[Any, tuple[ConstraintLike, ...]] = {FREE: ()}
    made |= {limit: _made(constraint, limit) for limit in limits}
    if isinstance(wanted, OOAxSettings):  # one family of rule sets for all limits
        required = required_patterns(one for some in made.values() for one in some)
        wanted = replace(wanted, patterns=(*wanted.patterns, *required))
    with LiveLine(wanted.progress, clock=wanted.clock):  # one line for all fits
        known = KnownFrontier(table, wanted, made)
        if wanted.start is not None:
            known.offer(wanted.start)
        with suppress(KeyboardInterrupt):  # between two fits: what they found is not lost by that
            _solve_all(table, wanted, made, known)
        name = _name(constraint, made[limits[0]])
        return TradeOffFrame.of(name, table, limits, map(known.answer, limits), known.answer(FREE))


def _solve_all(
    table: Table, wanted: FitSettings, made: dict[Any, tuple[ConstraintLike, ...]], known: KnownFrontier
) -> None:
    """One fit after the other, without the constraint first; what others settle is not solved."""
    deadline, stock = Deadline.after(wanted.seconds, wanted.clock), Stock()
    limits = [limit for limit in made if limit is not FREE]
    waiting = [FREE, *from_the_ends(known.ordered(limits))]
    if isinstance(wanted, OOAxSettings):
        # What all fits need: patterns that one of the constraints asks for, whatever they cover.
        every = tuple(one for some in made.values() for one in some)
        both = replace(wanted, constraints=(*wanted.constraints, *every), start=None)
        try:
            if not stock.fill(table, both):
                return
        except MemoryError:  # then every fit sees to itself
            user_warn("There was not enough memory to mine once for all limits")
    for done, limit in enumerate(waiting):
        if known.settled(limit):
            continue
        left = deadline.left()
        share = None if left is None else left / (len(waiting) - done)
        here = replace(wanted, constraints=(*wanted.constraints, *made[limit]), start=known.best(limit))
        try:
            learned = learn(table, here.within(share), stock)
        except InfeasibleConstraints as error:
            if limit is FREE:
                raise  # not the constraint at hand
            known.refuse(limit, str(error))
            continue
        except (SolverError, LicenseLimit, MemoryError) as error:  # what others found is not lost by that
            where = "Without the constraint" if limit is FREE else f"At the limit {limit!r:.200}"
            user_warn(f"{where} nothing was found: {str(error) or 'not enough memory'}")
            continue
        known.add(limit, learned)
        if learned.certificate.termination is Termination.INTERRUPTED:
            return


def _read_grid(grid: Iterable[Any]) -> list[Any]:
    """The limits, each once."""
    given = list(listed_items(grid, "grid", object, "limits"))
    odd = next((one for one in given if not isinstance(one, Hashable)), None)
    if odd is not None:
        raise OptionError(f"grid has a limit that cannot be one, {odd!r:.200}: a list or the like is none")
    limits = list(dict.fromkeys(given))
    if not limits:
        raise OptionError("grid has no limits: give at least one")
    return limits


def _made(constraint: Any, limit: Any) -> tuple[ConstraintLike, ...]:
    """The constraint at a limit, as one or several."""
    if not callable(constraint):
        raise OptionError(f"constraint must be a function of the limit, not {constraint!r:.200}")
    try:
        made = constraint(limit)
    except OptionError as error:
        raise OptionError(f"grid has a limit that cannot be one, {limit!r:.200}: {error}") from error
    except TypeError as error:
        raise OptionError(
            f"constraint must be a function of the limit alone, and for {limit!r:.200} it says: {error}"
        ) from error
    found = tuple(made) if isinstance(made, (list, tuple)) else (made,)
    if not found or not all(callable(one) for one in found):
        raise OptionError(f"constraint must return a constraint or a list of them, not {made!r:.200}")
    return found


def _name(constraint: Any, made: tuple[ConstraintLike, ...]) -> str:
    """What is limited: the ready-made constraint that is made, or the function's own name."""
    kinds = dict.fromkeys(describe(one).partition("(")[0] for one in made)
    name = getattr(constraint, "__name__", "<lambda>")
    return " and ".join(kinds) if name == "<lambda>" else name
