"""What the pictures need of a fitted estimator; they stand below the estimators and do not import them."""

from __future__ import annotations

from typing import Any, Protocol

from ooa.data.table import Table
from ooa.learning.certificate import Certificate
from ooa.rules.ruleset import RuleSet
from ooa.solving.solution import Progress

__all__ = ["FittedClassifier"]


class FittedClassifier(Protocol):
    """A classifier after `fit`; `ooa.OOAxClassifier` and `ooa.OOAClassifier` are."""

    @property
    def rules_(self) -> RuleSet:
        """What was learned."""

    @property
    def certificate_(self) -> Certificate:
        """What it is worth, and what is proved about it."""

    @property
    def trace_(self) -> tuple[Progress, ...]:
        """When better rule sets and bounds became known."""

    def _labelled_rows(self, X: Any = None, y: Any = None, sample_weight: Any = None) -> Table:
        """Labelled rows as the model reads them; without any, those it was learned from."""
