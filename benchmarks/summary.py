"""What many measurements come to: shifted geometric means, performance profiles, values over time."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import mean, stdev

Steps = Sequence[tuple[float, float]]


def shifted_geometric_mean(values: Sequence[float], shift: float = 1.0) -> float:
    """Geometric mean of values + shift, less the shift: no single tiny or huge value decides it.

    >>> round(shifted_geometric_mean([1.0, 7.0], shift=1.0), 6)
    3.0
    """
    if not values:
        return math.nan
    return math.exp(sum(math.log(value + shift) for value in values) / len(values)) - shift


def performance_profile(times: Mapping[str, Sequence[float | None]]) -> dict[str, list[tuple[float, float]]]:
    """For every method, the share of instances that it solves within a factor of the fastest method.

    Parameters
    ----------
    times : per method, one time per instance in the same order; None where it failed

    Returns
    -------
    Per method the steps (factor, share), ascending; the first factor is 1.

    >>> performance_profile({"a": [1.0, 2.0], "b": [4.0, None]})
    {'a': [(1.0, 1.0)], 'b': [(1.0, 0.0), (4.0, 0.5)]}
    """
    n = len(next(iter(times.values()), ()))
    best = [min((t[i] for t in times.values() if t[i] is not None), default=None) for i in range(n)]
    profile = {}
    for method, own in times.items():
        ratios = sorted(
            max(1.0, t / b if b else 1.0) for t, b in zip(own, best) if t is not None and b is not None
        )
        steps = [(1.0, 0.0)] if not ratios or ratios[0] > 1 else []
        for count, ratio in enumerate(ratios, start=1):
            if steps and steps[-1][0] == ratio:
                steps.pop()
            steps.append((ratio, count / n))
        profile[method] = steps
    return profile


def value_at(steps: Steps, instant: float) -> float | None:
    """The value that held at an instant: the last step not after it.

    >>> value_at([(0.1, 5.0), (2.0, 3.0)], 1.0)
    5.0
    """
    held = [value for moment, value in steps if moment <= instant]
    return held[-1] if held else None


def reached(steps: Steps, value: float) -> float | None:
    """The first instant at which a falling value was at most this.

    >>> reached([(0.1, 5.0), (2.0, 3.0)], 4.0)
    2.0
    """
    return next((moment for moment, held in steps if held <= value), None)


def relative_gap(objective: float | None, bound: float | None) -> float | None:
    """Distance between objective and bound, relative to the objective; 1 if there is no bound."""
    if objective is None:
        return None
    return 0.0 if not objective else max(0.0, min(1.0, (objective - (bound or 0.0)) / objective))


def mean_sd(values: Sequence[float], digits: int = 2) -> str:
    """Mean and standard deviation as the paper prints them.

    >>> mean_sd([0.8, 0.9]), mean_sd([1.0, 1.0]), mean_sd([-0.5, -0.5], digits=1)
    ('.85(.07)', '1.00(.00)', '-.5(.0)')
    """
    spread = stdev(values) if len(values) > 1 else 0.0
    return f"{_short(mean(values), digits)}({_short(spread, digits)})"


def _short(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".") if text.lstrip("-").startswith("0.") else text
