"""What the options of a fit are called by those who type them."""

from __future__ import annotations

import shlex

from ooa.data.columns import Category
from ooa.learning.wording import Wording

__all__ = ["Typed"]


class Typed(Wording):
    """As on the command line.

    Parameters
    ----------
    against_rest : whether the negative label stands for several values, so that it cannot be typed
    """

    def __init__(self, against_rest: bool = False) -> None:
        self._against_rest = against_rest

    def option(self, name: str, value: object) -> str:
        """An option with a value, as it is typed."""
        return f"--{name.replace('_', '-')} {value}"

    def prices(self, C1: str, C2: str) -> str:
        """The prices as two options."""
        return f"--c1 {C1} --c2 {C2}"

    def cheaper(self, price: str) -> str:
        """Both options below some number."""
        return f"--c1 and --c2 below {price}"

    def predict(self, label: Category) -> str | None:
        """The option that names the class, as a shell reads it."""
        return None if self._against_rest else f"--positive {shlex.quote(str(label))}"

    def heavier(self, label: Category) -> str:
        """The option that weighs rows."""
        return f"--weight with a column of weights can give the rows labelled {label!r} more weight"
