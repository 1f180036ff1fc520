"""The score on rows held out against the price of complexity, and which price cross-validation chose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from ooa.errors import DataError

from .canvas import BAD, GOOD, INK, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["plot_cv"]


class CrossValidatedClassifier(Protocol):
    """A classifier that chose its price; `ooa.OOAxClassifierCV` after `fit`."""

    @property
    def C_(self) -> float:
        """The price chosen."""

    @property
    def cv_results_(self) -> dict[str, Any]:
        """The scores of every price."""


def plot_cv(found: CrossValidatedClassifier, ax: Axes | None = None) -> Axes:
    """Plot how good the rule sets of each price are on rows held out.

    A point is the mean over the folds, its bar one standard error to either side; below each price stands how
    many literals its rule sets have on average. Left is simple. The price chosen is filled, and a dashed line
    shows what is one standard error below the best.

    Parameters
    ----------
    found : a fitted `ooa.OOAxClassifierCV`
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> import ooa
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> ax = plot_cv(ooa.fit(data.X, data.y, C="cv"))  # doctest: +SKIP
    >>> ax.figure.savefig("prices.png")  # doctest: +SKIP
    """
    results = getattr(found, "cv_results_", None)
    if results is None:
        raise DataError("found: plot_cv needs a fitted OOAxClassifierCV; ooa.fit(X, y, C='cv') returns one")
    prices = np.asarray(results["param_C"])
    mean, error = 100 * results["mean_test_score"], 100 * results["se_test_score"]
    place, best = np.arange(len(prices)), int(np.argmax(mean))
    chosen = prices == found.C_
    ax = axes(ax, max(5.0, 1.6 + 0.75 * len(prices)), 4.5)
    ax.plot(place, mean, color=GOOD, linewidth=1.2, alpha=0.5, zorder=1)
    ax.errorbar(place, mean, error, fmt="none", ecolor=GOOD, capsize=3, zorder=2)
    for some, face, words in ((chosen, GOOD, f"chosen: C = {found.C_:g}"), (~chosen, "white", None)):
        ax.scatter(place[some], mean[some], s=46, facecolors=face, edgecolors=GOOD, zorder=3, label=words)
    words = "one standard error below the best"
    ax.axhline(mean[best] - error[best], color=BAD, linestyle="--", linewidth=1, label=words)
    literals = [f"{price:g}\n{size:.3g}" for price, size in zip(prices, results["mean_literals"])]
    ax.set_xticks(place, literals, color=INK)
    ax.set(xlabel="price C, and literals on average", ylabel="right on rows held out (%)")
    ax.set_xlim(-0.5, len(prices) - 0.5)
    plain(ax, "Cross-validation: how much complexity pays")
    ax.legend(frameon=False, loc="lower right")
    return ax
