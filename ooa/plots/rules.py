"""What each pattern of a rule set does on some rows: whom it finds, whom it alarms, alone or with others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ooa.data.amounts import amount, percent
from ooa.data.frames import open_frame
from ooa.data.labels import row_weights
from ooa.errors import DataError
from ooa.rules.evaluation import is_positive
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet
from ooa.rules.text import name_text, pattern_text, value_text

from .canvas import BAD, BAD_PALE, GOOD, GOOD_PALE, INK, axes, below_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from .fitted import FittedClassifier

#: Characters of a pattern on one line beside its bar.
_WIDTH = 34


def plot_rules(
    found: RuleSet | FittedClassifier,
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    ax: Axes | None = None,
) -> Axes:
    """Plot what each pattern does: positives found to the right, false alarms to the left.

    What a pattern does alone is dark, what others do as well is pale. Beside each bar stand the precision of
    the pattern and how many more errors there would be without it; the last bar is the whole rule set.

    Parameters
    ----------
    found : a rule set, or a fitted estimator
    X, y : the rows and their labels; an estimator's training data by default
    sample_weight : what each row of `X` counts for; 1 by default
    ax : where to draw; a new figure by default

    Returns
    -------
    matplotlib.axes.Axes

    Examples
    --------
    >>> from ooa.datasets import monks
    >>> data = monks(1)
    >>> ax = plot_rules(data.rules, data.X, data.y)  # doctest: +SKIP
    >>> ax.figure.savefig("rules.png")  # doctest: +SKIP
    """
    rules, holds, positive, negative = _counted(found, X, y, sample_weight)
    if not len(rules):
        raise DataError("plot_rules was given a rule set without patterns: there is nothing to draw")
    once = holds.sum(axis=1) == 1
    bars = [(holds[:, k], holds[:, k] & once) for k in range(len(rules))]
    fires = np.asarray(holds.any(axis=1))
    bars.append((fires, fires))
    ax = axes(ax, 8, 1.5 + 0.62 * len(bars))
    found_, found_alone = _weights(positive, bars)
    alarms, alarms_alone = _weights(negative, bars)
    place = np.arange(len(bars), dtype=float)
    place[-1] += 0.35  # the whole stands apart from its parts
    yes = f"{name_text(rules.target)} = {value_text(rules.positive)}"
    for left, width, colour, words in (
        (0, found_alone, GOOD, f"{yes}, found by this pattern alone"),
        (found_alone, found_ - found_alone, GOOD_PALE, "found by others too"),
        (0, -alarms_alone, BAD, "false alarm by this pattern alone"),
        (-alarms_alone, alarms_alone - alarms, BAD_PALE, "false alarm by others too"),
    ):
        ax.barh(place, width, left=left, color=colour, height=0.62, label=words)
    for at, one in enumerate(_words(found_, alarms, found_alone - alarms_alone, float(positive.sum()))):
        ax.annotate(
            one,
            (found_[at], place[at]),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=INK,
        )
    ax.set_yticks(place, [*map(_name, rules), "all together"], fontsize=9)
    ax.invert_yaxis()
    plain(ax, f"What each pattern does: {yes}")
    ax.grid(visible=False, axis="y")
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.axvline(0, color=INK, linewidth=0.8)
    widest = max(float(found_.max()), float(alarms.max()), 1e-9)
    ax.set_xlim(-1.08 * float(alarms.max()) - 0.02 * widest, 1.38 * max(float(found_.max()), 0.3 * widest))
    ticks = ax.xaxis.get_major_locator().tick_values(*ax.get_xlim())
    ticks = [tick for tick in ticks if ax.get_xlim()[0] <= tick <= ax.get_xlim()[1]]
    ax.set_xticks(ticks, [amount(abs(tick)) for tick in ticks])
    unit = "rows" if set(np.unique(positive + negative)) <= {0.0, 1.0} else "weight of rows"
    ax.set_xlabel(f"false alarms  ←  {unit}  →  found")
    below_axes(ax, ncols=2)
    return ax


def _counted(
    found: RuleSet | FittedClassifier, X: Any, y: Any, sample_weight: Any
) -> tuple[RuleSet, NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
    """Return the rules, where each pattern holds, and the weights of positives and negatives."""
    if not isinstance(found, RuleSet):
        table = found._labelled_rows(X, y, sample_weight)
        return found.rules_, found.rules_.covers(table), table.positive, table.negative
    if X is None or y is None:
        raise DataError("plot_rules needs X and y with a rule set, which keeps no training data")
    frame = open_frame(X)
    positive, weight = is_positive(found, y, frame.n_rows), row_weights(sample_weight, frame.n_rows)
    return found, found.covers(frame), np.where(positive, weight, 0.0), np.where(positive, 0.0, weight)


def _weights(
    weight: NDArray[np.float64], bars: list[tuple[NDArray[np.bool_], NDArray[np.bool_]]]
) -> NDArray[np.float64]:
    """Return for each bar the weight of the rows covered, and of those covered by no other."""
    return np.array([[weight[rows].sum(), weight[alone].sum()] for rows, alone in bars]).T


def _words(
    found: NDArray[np.float64], alarms: NDArray[np.float64], saved: NDArray[np.float64], positives: float
) -> list[str]:
    """Return what stands beside each bar."""
    words = []
    for right, wrong, errors in zip(found[:-1].tolist(), alarms[:-1].tolist(), saved[:-1].tolist()):
        saves = f"saves {_errors(errors)}" if errors >= 0 else f"costs {_errors(-errors)}"
        words.append(f"precision {percent(right, right + wrong)}, {saves}")
    return [*words, f"finds {percent(found[-1], positives)} of all"]


def _errors(number: float) -> str:
    return f"{amount(number)} error{'s' * (number != 1)}"


def _name(pattern: Pattern) -> str:
    """Return a pattern as text whose lines end between literals."""
    lines: list[str] = []
    for literal in pattern:
        text = pattern_text(Pattern([literal]))
        if lines and len(lines[-1]) + len(text) + 5 <= _WIDTH:
            lines[-1] += f" AND {text}"
        else:
            lines.append(f"AND {text}" if lines else text)
    return "\n".join(lines)
