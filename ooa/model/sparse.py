"""scipy's sparse matrices, imported at their first use: that takes long, and many a fit has no program."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["Deferred", "sp", "widened"]


class Deferred(ModuleType):
    """Stands for a module, and imports it when something of it is asked for.

    Examples
    --------
    >>> numbers = Deferred("fractions")
    >>> numbers.Fraction(1, 2)
    Fraction(1, 2)
    >>> numbers
    <module 'fractions', imported at its first use>
    """

    def __repr__(self) -> str:
        return f"<module {self.__name__!r}, imported at its first use>"

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module(self.__name__), name)


if TYPE_CHECKING:
    import scipy.sparse as sp
else:
    sp = Deferred("scipy.sparse")


def widened(matrix: sp.csr_array, width: int) -> sp.csr_array:
    """The same matrix with further, empty columns on the right."""
    if matrix.shape[1] == width:
        return matrix
    return sp.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], width))
