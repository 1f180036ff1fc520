"""What the limit of a constraint costs: L against the limit, with what is proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .canvas import BAD, GOOD, GOOD_PALE, INK, axes, check_frame, plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_NEEDED = ("limit", "objective", "price", "bound", "proved")


def plot_trade_off(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot what the limit of a constraint costs: L against the limit.

    Every point is the best rule set known at a limit: filled if that is proved, hollow if not, and then the
    line below it reaches down to what is proved. The dashed line is L without the constraint. Limits that no
    rule set meets are marked at the bottom.

    Parameters
    ----------
    frame : what `ooa.trade_off` returned
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from ooa.constraints import min_sensitivity
    >>> from ooa.data.table import Table
    >>> from ooa.datasets import monks
    >>> from ooa.explore.trade_off import trade_off
    >>> data = monks(1)
    >>> frame = trade_off(Table.from_any(data.X, data.y), min_sensitivity, [0.5, 0.75, 1.0])
    >>> ax = plot_trade_off(frame)  # doctest: +SKIP
    >>> ax.figure.savefig("trade-off.png")  # doctest: +SKIP
    """
    check_frame(frame, "plot_trade_off", _NEEDED)
    ax = axes(ax, 7, 4.5)
    place = _places(ax, frame["limit"].tolist())
    value, bound, proved = (frame[name].to_numpy() for name in ("objective", "bound", "proved"))
    some = np.isfinite(value.astype(float))
    order = np.argsort(place)
    ax.plot(place[order][some[order]], value[order][some[order]], color=GOOD, linewidth=1.2, alpha=0.5)
    open_ones = some & ~proved.astype(bool)
    ax.vlines(place[open_ones], bound[open_ones], value[open_ones], color=GOOD_PALE, linewidth=3, zorder=1)
    for settled, face, words in ((True, GOOD, "proved optimal"), (False, "white", "best known, and its gap")):
        these = some & (proved.astype(bool) == settled)
        if these.any():
            ax.scatter(
                place[these], value[these], s=46, facecolors=face, edgecolors=GOOD, zorder=2, label=words
            )
    _mark_none(ax, place[~some], proved[~some].astype(bool))
    if some.any():
        free = float((value - frame["price"].to_numpy())[some][0])
        ax.axhline(free, color=INK, linewidth=1, linestyle="--", zorder=0, label="without the constraint")
        low, high = min(float(bound[some].min()), free), float(value[some].max())
        room = 0.1 * (high - low or high or 1.0)
        ax.set_ylim(low - room, high + room)  # what is marked at the bottom is below all values
    ax.set(xlabel=f"limit of {getattr(frame, 'constraint', 'the constraint')}", ylabel="L")
    plain(ax, "What the limit costs")
    ax.legend(frameon=False)
    return ax


def _places(ax: Axes, limits: Sequence[Any]) -> np.ndarray[Any, Any]:
    """Where limits stand on the axis: numbers at their values, anything else one after the other."""
    if all(isinstance(limit, (int, float)) for limit in limits):
        return np.array(limits, dtype=float)
    ax.set_xticks(range(len(limits)), [str(limit) for limit in limits])
    return np.arange(len(limits), dtype=float)


def _mark_none(ax: Axes, place: np.ndarray[Any, Any], proved: np.ndarray[Any, Any]) -> None:
    """Mark the limits that no rule set meets, and those for which none was found, at the bottom."""
    for settled, marker, words in ((True, "x", "no rule set meets it"), (False, "|", "none was found")):
        these = place[proved == settled]
        if len(these):
            at_bottom = ax.get_xaxis_transform()
            ax.scatter(
                these, np.full(len(these), 0.02), marker=marker, color=BAD, transform=at_bottom, label=words
            )
