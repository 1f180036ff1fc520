"""What all pictures share: matplotlib where it is installed, colours, and the look of the axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ooa.checks import instance
from ooa.errors import DataError, OOAError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: The colours of the report: right in blues, wrong in oranges; the pale ones for what others do too.
GOOD, GOOD_PALE, BAD, BAD_PALE, INK = "#1c6fb0", "#93c1e6", "#b94e06", "#efb380", "0.25"
#: Colours that differ for those who see red and green alike.
CYCLE = ("#1c6fb0", "#b94e06", "#2a7f5f", "#8a4fa3", "#6b6b6b", "#c79200")


class PlotUnavailable(OOAError, ImportError):
    """Matplotlib is not installed."""


def axes(ax: Axes | None, width: float, height: float) -> Axes:
    """Return the axes to draw on: those given, or those of a new figure of this size in inches."""
    if ax is not None:
        from matplotlib.axes import Axes

        instance(ax, "ax", Axes, "None or axes of matplotlib")
        return ax
    new: Axes = pyplot().subplots(figsize=(width, height), layout="constrained")[1]
    return new


def pyplot() -> Any:
    """Return matplotlib.pyplot, or say how to get it."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise PlotUnavailable("plots need matplotlib: pip install matplotlib") from None
    return plt


def check_frame(frame: pd.DataFrame, plot: str, needed: Sequence[str]) -> None:
    """Raise if a frame lacks a column that a plot needs, or has no rows."""
    import pandas as pd

    instance(frame, f"the frame of {plot}", pd.DataFrame, "a pandas DataFrame")
    absent = [name for name in needed if name not in frame.columns]
    if absent:
        raise DataError(f"{plot} needs the columns {', '.join(needed)}; there is no column {absent[0]!r}")
    if not len(frame):
        raise DataError(f"{plot} was given a frame without rows")


def plain(ax: Axes, title: str) -> None:
    """Give axes their title on the left, a pale grid, and no frame where there is no scale."""
    ax.set_title(title, loc="left")
    ax.grid(alpha=0.25)
    ax.set_axisbelow(True)
    ax.spines[["top", "right"]].set_visible(False)


def below_axes(ax: Axes, ncols: int) -> None:
    """Put the legend below the axes and the words of their scale, whatever size they have."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.figure
    down = ScaledTranslation(0, -38 / 72, figure.dpi_scale_trans)
    ax.legend(
        frameon=False,
        fontsize=8,
        ncols=ncols,
        loc="upper left",
        bbox_to_anchor=(0, 0),
        bbox_transform=ax.transAxes + down,
        borderaxespad=0,
    )
