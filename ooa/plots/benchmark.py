"""Solvers compared: the share of instances that each proves within a multiple of the best time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from ooa.errors import DataError

from .canvas import CYCLE, axes, check_frame, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_NEEDED = ("solver", "instance", "seconds", "proved")
_STYLES = ("-", "--", "-.", ":")
#: Times below this many seconds are equal: nobody waits for the difference.
LEAST = 0.01


def plot_benchmark(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot a performance profile of solvers.

    A curve tells for what share of the instances its solver had a proof within so many times the seconds of
    the fastest solver there. At 1 it is the share on which the solver is the fastest, at the right end the
    share that it proves at all. Higher is better.

    Parameters
    ----------
    frame : one row per solver and instance, with the columns solver, instance, seconds and proved
        Times below a hundredth of a second count as that. Instances that no solver proved count as unsolved.
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> frame = pd.DataFrame({"solver": ["highs", "scip"], "instance": ["heart", "heart"],
    ...                       "seconds": [2.0, 3.5], "proved": [True, True]})
    >>> ax = plot_benchmark(frame)  # doctest: +SKIP
    """
    ratios = _ratios(frame)
    ax = axes(ax, 7, 4.5)
    finite = ratios.to_numpy()[np.isfinite(ratios.to_numpy())]
    end = max(2.0, 1.25 * float(finite.max(initial=1.0)))
    for k, solver in enumerate(ratios.columns):
        factors = np.sort(ratios[solver].to_numpy())
        factors = factors[np.isfinite(factors)]
        share = 100 * np.arange(len(factors) + 1) / len(ratios)
        ax.step(
            [1, *factors, end],
            [*share, share[-1]],
            where="post",
            color=CYCLE[k % len(CYCLE)],
            linestyle=_STYLES[k % len(_STYLES)],
            linewidth=2,
            label=f"{solver} ({len(factors)} of {len(ratios)} proved)",
            clip_on=False,
        )
    ax.set_xscale("log", base=2 if end < 64 else 10)
    ax.set_xlim(1, end)
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}×")
    ax.set_ylim(0, 103)
    ax.set(xlabel="time, as a multiple of the fastest solver's", ylabel="instances proved (%)")
    plain(ax, f"Performance profile over {len(ratios)} instance{'s' * (len(ratios) != 1)}")
    ax.legend(frameon=False, loc="lower right")
    return ax


def _ratios(frame: pd.DataFrame) -> pd.DataFrame:
    """Return for each instance and solver its seconds over the least there; infinite without a proof."""
    check_frame(frame, "plot_benchmark", _NEEDED)
    twice = frame.duplicated(["solver", "instance"])
    if twice.any():
        again = frame[twice].iloc[0]
        raise DataError(f"plot_benchmark was given {again['solver']!r} on {again['instance']!r} twice")
    seconds = frame["seconds"].clip(lower=LEAST).where(frame["proved"].astype(bool), np.inf)
    wide = frame.assign(seconds=seconds).pivot(index="instance", columns="solver", values="seconds")
    wide = wide[list(dict.fromkeys(frame["solver"]))].fillna(np.inf)
    best = wide.min(axis=1)
    return wide.div(best.where(np.isfinite(best), 1.0), axis=0)
