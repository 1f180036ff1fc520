"""The best value found and the proven bound over the seconds of a fit or of a solve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ooa.errors import DataError
from ooa.learning.course import Course, course, fit_course
from ooa.solving.solution import Solution, Termination, relative_gap

from .canvas import BAD, GOOD, INK, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ooa.learning.certificate import Certificate
    from ooa.learning.verdict import Learned

    from .fitted import FittedClassifier


def plot_progress(found: Solution | Learned | FittedClassifier, ax: Axes | None = None) -> Axes:
    """Plot how a fit or a solve went: the best value known and the proven bound close in on the optimum.

    Parameters
    ----------
    found : a fitted estimator, what `learn_ooax` or `learn_ooa` returned, or what a solver returned
        Values of fits are those of the objective L, whether a solver, the exact search or counting proved
        them. Those of a `Solution` are of the model that was solved, which counts errors: L times the weight
        of all rows.
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    DataError
        If a solver reported nothing on its way.

    Examples
    --------
    >>> import ooa
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> model = ooa.OOAxClassifier().fit(data.X, data.y)  # doctest: +SKIP
    >>> ax = plot_progress(model)  # doctest: +SKIP
    """
    went, unit, title = _of_solve(found) if isinstance(found, Solution) else _of_fit(found)
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
    plain(ax, title)
    ax.legend(frameon=False, loc="best")
    return ax


def _of_solve(solution: Solution) -> tuple[Course, str, str]:
    """Return the curves of a solve, what they show, and how it ended."""
    went = course(solution)
    if went is None or not (went.incumbent or went.bound):
        raise DataError(f"plot_progress has nothing to draw: {solution.backend} ended without a report")
    gap = relative_gap(solution.objective, solution.bound)
    title = f"{solution.backend}: {_ending(solution.termination, solution.seconds, gap)}"
    return went, "objective of the model", title


def _of_fit(found: Any) -> tuple[Course, str, str]:
    """Return the curves of a fit, what they show, and how it ended."""
    estimator = hasattr(found, "certificate_")
    if not estimator and not hasattr(found, "certificate"):
        words = "found: plot_progress needs a fitted estimator, or what `learn_ooax` or a solver returned"
        raise DataError(f"{words}, not {found!r:.200}")
    certificate: Certificate = found.certificate_ if estimator else found.certificate
    went = fit_course(found.trace_ if estimator else found.trace, certificate)
    title = f"Fit: {_ending(certificate.termination, went.bound[-1][0], certificate.gap)}"
    return went, "objective L", title


def _ending(why: Termination, seconds: float, gap: float) -> str:
    said = "gap 0" if gap == 0 else f"gap {100 * gap:.1f} %" if gap < float("inf") else "no gap known"
    return f"{why.words} after {seconds:.3g} s, {said}"


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
