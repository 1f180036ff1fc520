"""Pictures of results for notebooks; they need matplotlib, which the extra `plot` installs."""

from __future__ import annotations

from .benchmark import plot_benchmark
from .canvas import PlotUnavailable
from .near_optimal import plot_ambiguity, plot_reliance
from .operating_curve import plot_operating_curve
from .price_choice import plot_cv
from .price_path import plot_path
from .progress import plot_progress
from .rules import plot_rules
from .trade_off import plot_trade_off

__all__ = [
    "PlotUnavailable",
    "plot_ambiguity",
    "plot_benchmark",
    "plot_cv",
    "plot_operating_curve",
    "plot_path",
    "plot_progress",
    "plot_reliance",
    "plot_rules",
    "plot_trade_off",
]
