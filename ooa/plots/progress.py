"""The best value found and the proven bound over the seconds of a solve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..errors import DataError
from ..history import course
from ..solution import Solution, relative_gap
from .canvas import BAD, GOOD, INK, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..base_estimator import RuleSetClassifier
    from ..ooax import Learned


def plot_progress(found: Solution | Learned | RuleSetClassifier, ax: Axes | None = None) -> Axes:
    """Plot how a solve went: the best value known and the proven bound close in on the optimum.

    Parameters
    ----------
    found : what a solver returned, or a fit that called one
        For a fitted estimator values are those of the objective L; for a `Solution` or `Learned`, of the
        model that was solved, which counts errors: L times the weight of all rows.
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    DataError
        If no solver was called, or it reported nothing on its way.

    Examples
    --------
    >>> import ooa
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> model = ooa.OOAClassifier().fit(data.X, data.y)  # doctest: +SKIP
    >>> ax = plot_progress(model)  # doctest: +SKIP
    """
    solution, scale, unit = _solution(found)
    if solution is None:
        raise DataError("plot_progress has nothing to draw: this fit was proved without a solver")
    went = course(solution, scale)
    if went is None or not (went.incumbent or went.bound):
        raise DataError(f"plot_progress has nothing to draw: {solution.backend} ended without a report")
    ax = axes(ax, 7, 4.5)
    curves = (("best found", went.incumbent, BAD, "-"), ("proven bound", went.bound, GOOD, "--"))
    for words, points, colour, style in curves:
        if points:
            seconds, values = zip(*points)
            ax.step(seconds, values, where="post", color=colour, linestyle=style, linewidth=2, label=words)
            ax.plot(seconds[-1], values[-1], "o", color=colour, markersize=6, clip_on=False)
    if went.incumbent and went.bound:
        _shade(ax, went.incumbent, went.bound)
    ax.set(xlabel="seconds", ylabel=unit)
    ax.set_xlim(left=0)
    if min(value for _, value in (*went.incumbent, *went.bound)) >= 0:
        ax.set_ylim(bottom=0)
    gap = relative_gap(solution.objective, solution.bound)
    ended = solution.termination.value.replace("_", " ")
    said = "gap 0" if gap == 0 else f"gap {100 * gap:.1f} %" if gap < float("inf") else "no gap known"
    plain(ax, f"{solution.backend}: {ended} after {solution.seconds:.3g} s, {said}")
    ax.legend(frameon=False, loc="best")
    return ax


def _solution(found: Any) -> tuple[Solution | None, float, str]:
    """Return the solution, the factor from what is shown to its objective, and what is shown."""
    if isinstance(found, Solution):
        return found, 1.0, "objective of the model"
    if hasattr(found, "solution"):
        return found.solution, 1.0, "objective of the model"
    return found.solution_, found._scale, "objective L"


def _shade(
    ax: Axes, incumbent: tuple[tuple[float, float], ...], bound: tuple[tuple[float, float], ...]
) -> None:
    """Tint what is not known yet: between the two curves, from where both are there."""
    moments = sorted({seconds for seconds, _ in (*incumbent, *bound)})
    moments = [s for s in moments if s >= max(incumbent[0][0], bound[0][0])]

    def at(points: tuple[tuple[float, float], ...], second: float) -> float:
        return [value for when, value in points if when <= second][-1]

    high, low = [at(incumbent, s) for s in moments], [at(bound, s) for s in moments]
    ax.fill_between(
        moments, low, high, step="post", color=INK, alpha=0.08, linewidth=0, label="not known yet"
    )
