"""Right and wrong in four numbers, and the rates that people know them by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Confusion"]


@dataclass(frozen=True)
class Confusion:
    """How many rows there are, or what they weigh, by what they are and what is said of them.

    Attributes
    ----------
    found : positive, and predicted so
    missed : positive, but predicted negative
    alarms : negative, but predicted positive
    spared : negative, and predicted so

    Examples
    --------
    >>> fires, actual = np.array([True, True, False, False]), np.array([True, False, False, False])
    >>> all_ = Confusion.count(fires, actual)
    >>> all_
    Confusion(found=1.0, missed=0.0, alarms=1.0, spared=2.0)
    >>> all_.rates["ppv"], all_.rates["specificity"]
    ((1.0, 2.0), (2.0, 3.0))
    """

    found: float
    missed: float
    alarms: float
    spared: float

    @classmethod
    def count(
        cls, fires: NDArray[np.bool_], actual: NDArray[np.bool_], weight: NDArray[Any] | None = None
    ) -> Confusion:
        """Count rows.

        Parameters
        ----------
        fires : whether each row is predicted positive
        actual : whether it is
        weight : what it counts for, or whether it counts at all; 1 each by default
        """
        counts = np.ones(len(fires)) if weight is None else weight
        parts = (fires & actual, ~fires & actual, fires & ~actual, ~fires & ~actual)
        return cls(*(float(counts[part].sum()) for part in parts))

    @property
    def positives(self) -> float:
        """All that are positive."""
        return self.found + self.missed

    @property
    def negatives(self) -> float:
        """All that are negative."""
        return self.alarms + self.spared

    @property
    def total(self) -> float:
        """All rows."""
        return self.positives + self.negatives

    @property
    def covered(self) -> float:
        """All that are predicted positive."""
        return self.found + self.alarms

    @property
    def right(self) -> float:
        """All that are predicted as they are."""
        return self.found + self.spared

    @property
    def wrong(self) -> float:
        """All that are predicted otherwise."""
        return self.missed + self.alarms

    @property
    def rates(self) -> dict[str, tuple[float, float]]:
        """The usual rates by name, each as a part and the whole that it is a share of."""
        return {
            "accuracy": (self.right, self.total),
            "sensitivity": (self.found, self.positives),
            "specificity": (self.spared, self.negatives),
            "ppv": (self.found, self.covered),
            "npv": (self.spared, self.spared + self.missed),
        }
