"""Names of columns and rows, kept per block: a million of them are never spelt out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .expressions import Shape

__all__ = ["Names"]


class Names(Sequence[str]):
    """Names of columns or rows, kept per block and spelt out only when somebody reads one.

    Examples
    --------
    >>> names = Names([("zeta", (3,)), ("omega", (2, 2)), ("total", ())])
    >>> names[1], names[5], names[-1], len(names)
    ('zeta[1]', 'omega[1,0]', 'total', 8)
    """

    def __init__(self, blocks: Iterable[tuple[str, Shape]] = ()) -> None:
        self.blocks = tuple(blocks)
        sizes = [int(np.prod(shape)) for _, shape in self.blocks]
        self._ends = np.cumsum(sizes, dtype=np.int64)

    def __len__(self) -> int:
        return int(self._ends[-1]) if len(self._ends) else 0

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[j] for j in range(*i.indices(len(self)))]
        position = int(i) + (len(self) if i < 0 else 0)
        if not 0 <= position < len(self):
            raise IndexError(i)
        b = int(np.searchsorted(self._ends, position, side="right"))
        name, shape = self.blocks[b]
        if not shape:
            return name
        local = position - (int(self._ends[b - 1]) if b else 0)
        return f"{name}[{','.join(str(k) for k in np.unravel_index(local, shape))}]"

    def __iter__(self) -> Iterator[str]:
        for name, shape in self.blocks:
            if not shape:
                yield name
            elif len(shape) == 1:
                yield from (f"{name}[{k}]" for k in range(shape[0]))
            else:
                yield from (f"{name}[{','.join(map(str, index))}]" for index in np.ndindex(*shape))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Names) and (self.blocks == other.blocks or list(self) == list(other))
