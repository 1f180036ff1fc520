"""What is said of rows against what they are: a confusion matrix, and the rates that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Confusion"]


@dataclass(frozen=True)
class Confusion:
    """Rows, or their weight, by what they are and what is said of them.

    A rate whose denominator is 0 is None: of no positives nobody can say how many were found.

    Attributes
    ----------
    found : positive, and predicted so
    missed : positive, but predicted negative
    alarms : negative, but predicted positive
    spared : negative, and predicted so

    Examples
    --------
    >>> fires, positive = np.array([1, 1, 0, 0, 0], bool), np.array([1, 0, 1, 0, 0], bool)
    >>> counted = Confusion.of(fires, positive)
    >>> counted
    Confusion(found=1, missed=1, alarms=1, spared=2)
    >>> counted.sensitivity, counted.ppv, counted.errors
    (0.5, 0.5, 2)
    >>> Confusion.of(fires, positive, np.array([3, 1, 1, 1, 1])).sensitivity
    0.75
    """

    found: float
    missed: float
    alarms: float
    spared: float

    @classmethod
    def of(
        cls,
        fires: NDArray[np.bool_],
        positive: NDArray[np.bool_],
        weight: NDArray[np.float64] | None = None,
    ) -> Confusion:
        """Count rows, or with weights what they weigh.

        Parameters
        ----------
        fires : whether a row is predicted positive
        positive : whether it is
        weight : what each row counts for; without it rows are counted, and the counts are whole numbers
        """
        parts = (fires & positive, ~fires & positive, fires & ~positive, ~fires & ~positive)
        if weight is None:
            return cls(*(int(part.sum()) for part in parts))
        return cls(*(float(weight[part].sum()) for part in parts))

    @property
    def positives(self) -> float:
        """All that are positive."""
        return self.found + self.missed

    @property
    def negatives(self) -> float:
        """All that are negative."""
        return self.alarms + self.spared

    @property
    def flagged(self) -> float:
        """All that are predicted positive."""
        return self.found + self.alarms

    @property
    def total(self) -> float:
        """All rows."""
        return self.positives + self.negatives

    @property
    def errors(self) -> float:
        """Those of which the wrong thing is said."""
        return self.missed + self.alarms

    @property
    def rates(self) -> dict[str, tuple[float, float]]:
        """The rates below by name, each as a part and the whole that it is a share of."""
        return {
            "accuracy": (self.found + self.spared, self.total),
            "sensitivity": (self.found, self.positives),
            "specificity": (self.spared, self.negatives),
            "ppv": (self.found, self.flagged),
            "npv": (self.spared, self.missed + self.spared),
        }

    @property
    def accuracy(self) -> float | None:
        """The share of the rows of which the right thing is said."""
        return _share(*self.rates["accuracy"])

    @property
    def sensitivity(self) -> float | None:
        """The share of the positives that are found (recall)."""
        return _share(*self.rates["sensitivity"])

    @property
    def specificity(self) -> float | None:
        """The share of the negatives that are spared."""
        return _share(*self.rates["specificity"])

    @property
    def ppv(self) -> float | None:
        """The share of the rows predicted positive that are (positive predictive value, precision)."""
        return _share(*self.rates["ppv"])

    @property
    def npv(self) -> float | None:
        """The share of the rows predicted negative that are (negative predictive value)."""
        return _share(*self.rates["npv"])


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole > 0 else None
