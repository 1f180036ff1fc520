"""What the options of a fit are called by those who type them."""

from __future__ import annotations

import shlex

from ooa.data.columns import Category
from ooa.learning.empty_result import Wording

__all__ = ["OPTIONS"]


class _Options(Wording):
    """As on the command line."""

    def prices(self, C1: str, C2: str) -> str:
        return f"--c1 {C1} --c2 {C2}"

    def cheaper(self, price: str) -> str:
        return f"--c1 and --c2 below {price}"

    def predict(self, label: Category) -> str:
        return f"--positive {shlex.quote(str(label))}"

    def heavier(self, label: Category) -> str:
        return f"--weight with a column of weights can give the rows labelled {label!r} more weight"


OPTIONS = _Options()
