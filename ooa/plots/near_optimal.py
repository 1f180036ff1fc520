"""What near-optimal rule sets say together: which attributes they use, and on which rows they disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ooa.checks import instance
from ooa.errors import DataError
from ooa.explore.rashomon import RashomonSet

from .canvas import BAD, GOOD, GOOD_PALE, INK, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Attributes that are drawn at most.
MOST = 25


def plot_reliance(near: RashomonSet, ax: Axes | None = None) -> Axes:
    """Plot which attributes near-optimal rule sets use, and what is lost without them.

    Parameters
    ----------
    near : what `ooa.enumerate_optimal` or `model.near_optimal` returned
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from ooa import OOAxClassifier
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> near = OOAxClassifier(max_length=2).fit(data.X, data.y).near_optimal(within=0.02)
    >>> ax = plot_reliance(near)  # doctest: +SKIP
    >>> ax.figure.savefig("reliance.png")  # doctest: +SKIP
    """
    _check(near, "plot_reliance")
    frame = near.attributes()
    frame = frame[frame["sets"] > 0].head(MOST).iloc[::-1]
    if not len(frame):
        raise DataError("plot_reliance was given rule sets that use no attribute")
    ax = axes(ax, 7, 1.2 + 0.34 * len(frame))
    place = np.arange(len(frame))
    ax.barh(place, np.full(len(frame), 100.0), color="0.94", zorder=1)
    ax.barh(place, 100 * frame["share"], color=GOOD, zorder=2)
    for at, without, sure in zip(place.tolist(), frame["without"], frame["without_at_least"]):
        lost = f"over {sure:.4f}" if np.isnan(without) else f"{without:.4f}"
        ax.text(103, at, lost, va="center", color=INK, fontsize=9)
    ax.text(103, len(frame) - 0.35, "loss without", va="bottom", color=INK, fontsize=8)
    ax.set_yticks(place, frame["attribute"].tolist())
    ax.set(xlim=(0, 122), xlabel=f"used by so many percent of {_several(near)}")
    ax.set_xticks([0, 25, 50, 75, 100])
    plain(ax, "What near-optimal rule sets rely on")
    ax.grid(visible=False, axis="y")
    return ax


def plot_ambiguity(near: RashomonSet, ax: Axes | None = None) -> Axes:
    """Plot on how many rows near-optimal rule sets agree: rows by the share that predicts the positive label.

    Parameters
    ----------
    near : what `ooa.enumerate_optimal` or `model.near_optimal` returned
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from ooa import OOAxClassifier
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> near = OOAxClassifier(max_length=2).fit(data.X, data.y).near_optimal(within=0.02)
    >>> ax = plot_ambiguity(near)  # doctest: +SKIP
    >>> ax.figure.savefig("ambiguity.png")  # doctest: +SKIP
    """
    _check(near, "plot_ambiguity")
    frame = near.rows()
    ax = axes(ax, 7, 4)
    edges = np.linspace(0, 100, 21)
    kinds = [frame[~frame["ambiguous"]], frame[frame["ambiguous"]]]
    ax.hist(
        [100 * rows["share"] for rows in kinds],
        bins=edges.tolist(),
        weights=[rows["weight"] for rows in kinds],
        color=[GOOD_PALE, BAD],
        label=["all agree with the best", "some do not"],
        stacked=True,
    )
    weight = frame["weight"].to_numpy()
    share = weight[frame["ambiguous"].to_numpy()].sum() / weight.sum()
    ax.set(xlabel=f"predicted positive by so many percent of {_several(near)}", ylabel="rows, by weight")
    plain(ax, f"{100 * share:.0f} % of the rows depend on which rule set is chosen")
    ax.legend(frameon=False)
    return ax


def _several(near: RashomonSet) -> str:
    return "1 rule set" if len(near) == 1 else f"{len(near):,} rule sets"


def _check(near: RashomonSet, plot: str) -> None:
    instance(near, f"near, the list of {plot},", RashomonSet, "a RashomonSet, as near_optimal returns it")
    if not len(near):
        raise DataError(f"{plot} was given a list without rule sets")
