"""Training error against complexity along a path of prices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from .canvas import GOOD as COLOUR
from .canvas import INK, axes, check_frame, plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_NEEDED = ("C1", "C2", "error_rate", "literals", "patterns", "proved")


def plot_path(frame: pd.DataFrame, ax: Axes | None = None) -> Axes:
    """Plot training error against complexity along a path of prices.

    Every point is a rule set, and its label says for which prices of the grid it is the best known. It is
    filled if that is proved for some of them, hollow if for none. Left is simple, low is accurate. If rows
    were held out, the dashed line says how often rule sets of the same prices are wrong on those, with one
    standard error to either side.

    Parameters
    ----------
    frame : what `ooa.path` returned
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> from ooa.explore.price_path import path
    >>> from ooa.data.table import Table
    >>> data = monks(1)
    >>> ax = plot_path(path(Table.from_any(data.X, data.y), [0.05, 0.01]))  # doctest: +SKIP
    >>> ax.figure.savefig("path.png")  # doctest: +SKIP
    """
    check_frame(frame, "plot_path", _NEEDED)
    ax = axes(ax, 7, 4.5)
    models = _models(frame)
    ax.plot(
        [m.literals for m in models],
        [m.error for m in models],
        color=COLOUR,
        linewidth=1.2,
        alpha=0.5,
        zorder=1,
    )
    for proved, face, words in ((True, COLOUR, "proved optimal"), (False, "white", "not proved")):
        some = [m for m in models if m.proved == proved]
        if some:
            place = [m.literals for m in some], [m.error for m in some]
            ax.scatter(*place, s=46, facecolors=face, edgecolors=COLOUR, zorder=2, label=words)
    held_out = _draw_held_out(ax, frame)
    widest, highest = max(1, *(m.literals for m in models)), max(1.0, held_out, *(m.error for m in models))
    for m in models:
        ax.annotate(
            m.label,
            (m.literals, m.error),
            xytext=(-4, -7) if held_out else (7, 5),  # above the curve, which falls, or below both
            ha="right" if held_out else "left",
            va="top" if held_out else "baseline",
            textcoords="offset points",
            fontsize=8,
            color=INK,
            linespacing=1.2,
        )
    ax.set(xlabel="literals", ylabel="error (%)" if held_out else "training error (%)")
    ax.set_xlim(-0.05 * widest, 1.3 * widest)
    ax.set_ylim(-0.03 * highest, 1.2 * highest)
    ax.locator_params(axis="x", integer=True)
    plain(ax, "Error against complexity" if held_out else "Training error against complexity")
    ax.legend(frameon=False, loc="upper right")
    return ax


def _draw_held_out(ax: Axes, frame: pd.DataFrame) -> float:
    """Draw the errors on rows held out, above the size of the rule sets over all rows; return the highest."""
    if not {"cv_accuracy", "cv_accuracy_se"} <= set(frame.columns):
        return 0.0
    some = frame.sort_values(["literals", "error_rate"], ascending=[True, False], kind="stable")
    some = some.drop_duplicates(["literals", "error_rate"])
    error, spread = 100 * (1 - some["cv_accuracy"]), 100 * some["cv_accuracy_se"]
    ax.errorbar(
        some["literals"].to_numpy(),
        error.to_numpy(),
        spread.to_numpy(),
        fmt=".--",
        color=INK,
        linewidth=1.2,
        capsize=3,
        alpha=0.8,
        zorder=1.5,
        label="rows held out",
    )
    return float((error + spread).max())


class _Model(NamedTuple):
    literals: int
    error: float
    proved: bool
    label: str


def _models(frame: pd.DataFrame) -> list[_Model]:
    """The points of the picture: where they are, whether they are proved, and what to call them."""
    groups: dict[tuple[int, float], list[dict[Any, Any]]] = {}
    for line in frame.to_dict("records"):
        groups.setdefault((int(line["literals"]), float(line["error_rate"])), []).append(line)
    models = []
    for (literals, rate), same in sorted(groups.items()):
        patterns = "/".join(map(str, sorted({line["patterns"] for line in same})))
        prices = _prices_text(sorted({(line["C1"], line["C2"]) for line in same}))
        label = f"{patterns} pattern{'' if patterns == '1' else 's'}\n{prices}"
        models.append(_Model(literals, 100 * rate, any(line["proved"] for line in same), label))
    return models


def _prices_text(prices: list[tuple[float, float]]) -> str:
    """The prices of a point: one, or the ends of a range."""
    if any(one != other for one, other in prices):
        ends = [f"({one:.3g}, {other:.3g})" for one, other in prices]
        return f"(C1, C2) = {ends[0]}" + (f" to {ends[-1]}" if len(ends) > 1 else "")
    return f"C = {prices[0][0]:.3g}" + (f" to {prices[-1][0]:.3g}" if len(prices) > 1 else "")
