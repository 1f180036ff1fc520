"""The best rule set without an attribute."""

from __future__ import annotations

from dataclasses import replace

from ooa.constraints.structure import budget
from ooa.data.table import Table
from ooa.errors import InfeasibleConstraints
from ooa.formulations.base import ConstraintLike
from ooa.learning.certificate import Certificate
from ooa.learning.ooax import learn_ooax
from ooa.learning.settings import OOAxSettings

__all__ = ["best_without"]


def best_without(table: Table, settings: OOAxSettings, name: str) -> Certificate | None:
    """What is proved of the best rule set that does not use an attribute; None if there provably is none.

    Examples
    --------
    >>> table = Table.from_any({"x": [1, 2, 3, 4], "y": [1, 3, 2, 4]}, [0, 0, 1, 1])
    >>> best_without(table, OOAxSettings(C1=0.01, C2=0.01), "x").headline
    'proved optimal'
    """
    unused: list[ConstraintLike] = [*settings.constraints, budget({name: 1}, 0)]
    told = replace(settings, constraints=unused, start=None, progress=False)
    try:
        return learn_ooax(table, settings=told).certificate
    except InfeasibleConstraints:
        return None
