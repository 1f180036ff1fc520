"""Sensitivity against specificity along weights of the positive rows: a ROC curve of rule sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .canvas import GOOD, INK, axes, check_frame, plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_NEEDED = ("weight", "sensitivity", "specificity", "literals", "proved")


def plot_operating_curve(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot sensitivity against specificity along weights of the positive rows.

    Every point is a rule set, the best known for a weight: filled if that is proved, hollow if not; the label
    is the weight. The line joins those that no other one beats. The dashed line, if rows were held out, is
    what rule sets of the same weights do on those; with several prices it joins those that no other one beats
    there. Up is sensitive, left is specific, and the diagonal is what a coin does.

    Parameters
    ----------
    frame : what `ooa.operating_curve` returned
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> from ooa.datasets import monks
    >>> from ooa.explore.operating_curve import operating_curve
    >>> data = monks(1)
    >>> frame = operating_curve(Table.from_any(data.X, data.y), [0.5, 1, 2])
    >>> ax = plot_operating_curve(frame)  # doctest: +SKIP
    >>> ax.figure.savefig("curve.png")  # doctest: +SKIP
    """
    check_frame(frame, "plot_operating_curve", _NEEDED)
    ax = axes(ax, 5.6, 5.4)
    ax.plot([0, 100], [0, 100], color=INK, alpha=0.3, linewidth=1, zorder=0)
    across, up = 100 * (1 - frame["specificity"]), 100 * frame["sensitivity"]
    line = _line(frame, "")
    ax.plot(across[line], up[line], color=GOOD, linewidth=1.2, alpha=0.5, zorder=1)
    proved = frame["proved"].astype(bool)
    for settled, face, words in ((True, GOOD, "proved optimal"), (False, "white", "best known")):
        some = proved == settled
        if some.any():
            ax.scatter(across[some], up[some], s=46, facecolors=face, edgecolors=GOOD, zorder=3, label=words)
    if {"cv_sensitivity", "cv_specificity"} <= set(frame.columns):
        line = _line(frame, "cv_")
        held_out = 100 * (1 - frame["cv_specificity"][line]), 100 * frame["cv_sensitivity"][line]
        ax.plot(*held_out, color=INK, linewidth=1.2, linestyle="--", marker=".", label="rows held out")
    _label(ax, frame[frame["envelope"]] if several_prices(frame) else frame)
    ax.set(xlabel="false alarms (% of the negatives)", ylabel="found (% of the positives)")
    ax.set(xlim=(-3, 103), ylim=(-3, 103), aspect="equal")
    plain(ax, "Sensitivity against specificity")
    ax.legend(frameon=False, loc="lower right", title="weight of a positive row:")
    return ax


def several_prices(frame: pd.DataFrame) -> bool:
    """Whether a curve is over several prices, and says which of its rule sets no other one beats."""
    known = {"C1", "C2", "envelope"} <= set(frame.columns)
    return known and len(frame[["C1", "C2"]].drop_duplicates()) > 1


def _line(frame: pd.DataFrame, rows: str) -> pd.Index:
    """The rows that a line joins, in its order: at one price as they come, else those that none beats."""
    if not several_prices(frame):
        return frame.index
    order = [f"{rows}specificity", f"{rows}sensitivity"]
    return frame[frame[f"{rows}envelope"]].sort_values(order, ascending=[False, True]).index


def _label(ax: Axes, frame: pd.DataFrame) -> None:
    """For which weights each rule set is the best."""
    for _, some in frame.groupby(["specificity", "sensitivity"], sort=False):
        low, high = some["weight"].min(), some["weight"].max()
        left = some["specificity"].iloc[0] > 0.9  # there is no room on that side
        ax.annotate(
            f"{low:g}" if low == high else f"{low:g} to {high:g}",
            (100 * (1 - some["specificity"].iloc[0]), 100 * some["sensitivity"].iloc[0]),
            xytext=(8, -2) if left else (-6, 5),
            ha="left" if left else "right",
            textcoords="offset points",
            fontsize=8,
            color=INK,
        )
