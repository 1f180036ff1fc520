"""A formulation: how rule sets are written as the points of a mixed-integer program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction
from functools import cached_property

from .expressions import FloatArray
from .milp import Milp
from .rules import RuleSet


class Formulation(ABC):
    """Builds a model whose feasible points are rule sets, and translates between the two.

    The model's objective is `total * L(A) / unit`, where `total` is the weight of all rows. Counting
    errors in whole numbers keeps the coefficients near 1 and the solver's tolerances far below one
    error.
    """

    #: A short name for messages and tables.
    name: str
    #: The weight that counts as 1 in the model; other than 1 only where weights are tiny or huge.
    unit: Fraction = Fraction(1)

    @cached_property
    def milp(self) -> Milp:
        """The model; built once."""
        return self.build()

    @abstractmethod
    def build(self) -> Milp:
        """Build the model."""

    @abstractmethod
    def encode(self, rules: RuleSet) -> FloatArray:
        """The complete, feasible point that stands for a rule set; its objective is `total * L / unit`."""

    @abstractmethod
    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set that a feasible point stands for."""
