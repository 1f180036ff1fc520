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
from ooa.rules.tally import Tally
from ooa.rules.text import name_text, pattern_text, value_text

from .canvas import BAD, BAD_PALE, GOOD, GOOD_PALE, INK, axes, below_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
    the pattern and how many more errors there would be without it; the last bar is the whole rule set. Bars
    are counts of rows; where rows are weighted, the words say what it is by weight as well.

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
    rules, rows, weighed = _counted(found, X, y, sample_weight)
    if not len(rules):
        raise DataError("plot_rules was given a rule set without patterns: there is nothing to draw")
    ax = axes(ax, 8, 1.5 + 0.62 * (len(rules) + 1))
    bars = [(one.confusion, one.only_found, one.only_alarms) for one in rows.patterns]
    bars.append((rows.confusion, rows.confusion.found, rows.confusion.alarms))
    found_, alarms, found_alone, alarms_alone = np.array(
        [(all_.found, all_.alarms, right, wrong) for all_, right, wrong in bars]
    ).T
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
    for at, one in enumerate(_words(rows, weighed)):
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
    ax.set_xlabel("false alarms  ←  rows  →  found")
    below_axes(ax, ncols=2)
    return ax


def _counted(
    found: RuleSet | FittedClassifier, X: Any, y: Any, sample_weight: Any
) -> tuple[RuleSet, Tally, Tally | None]:
    """Return the rules, what they do on the rows, and the same by weight where weights are in play."""
    if not isinstance(found, RuleSet) and not hasattr(found, "rules_"):
        raise DataError(f"found: plot_rules needs a rule set or a fitted estimator, not {found!r:.200}")
    if not isinstance(found, RuleSet):
        table = found._labelled_rows(X, y, sample_weight)
        rules, frame, positive, weight = found.rules_, table.as_frame(), table.y, table.weight
    elif X is None or y is None:
        raise DataError("plot_rules needs X and y with a rule set, which keeps no training data")
    else:
        rules, frame = found, open_frame(X)
        positive, weight = is_positive(rules, y, frame.n_rows), row_weights(sample_weight, frame.n_rows)
    holds = rules.covers(frame)
    rows = Tally.of(rules, holds, positive, weight > 0)
    plainly = np.isin(weight, (0.0, 1.0)).all()
    return rules, rows, None if plainly else Tally.of(rules, holds, positive, weight)


def _words(rows: Tally, weighed: Tally | None) -> list[str]:
    """Return what stands beside each bar: of the rows, and then by weight."""
    words = []
    for k, one in enumerate(rows.patterns):
        errors = f"error{'s' * (abs(one.saves) != 1)}"
        words.append(f"precision {percent(one.confusion.found, one.support)}, {_worth(one.saves)} {errors}")
        if weighed is not None:
            its = weighed.patterns[k]
            precision = percent(its.confusion.found, its.support)
            words[-1] += f"\n(by weight {precision}, {_worth(its.saves)})"
    words.append(f"finds {percent(*rows.confusion.rates['sensitivity'])} of all")
    if weighed is not None:
        words[-1] += f" (by weight {percent(*weighed.confusion.rates['sensitivity'])})"
    return words


def _worth(saves: float) -> str:
    """Return what a pattern saves or costs."""
    return f"saves {amount(saves)}" if saves >= 0 else f"costs {amount(-saves)}"


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
