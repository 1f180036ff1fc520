"""What many rule sets predict on the same rows: every pattern is looked at once, and equal rows are one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import pack, unpack
from ooa.data.rows import WeightedRows, merge_equal
from ooa.rules.evaluation import covers
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

__all__ = ["Predictions"]

#: Patterns that are looked at together.
_TOGETHER = 64


class Predictions:
    """The predictions of some rule sets.

    Parameters
    ----------
    rules : the rule sets
    rows : what they predict

    Attributes
    ----------
    distinct : DistinctRows
        The rows, equal ones merged.

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 3]}, [0, 0, 1, 1])
    >>> made = Predictions([RuleSet.parse("x >= 3"), RuleSet.parse("x >= 3 OR x <= 1")], table)
    >>> [fires.tolist() for fires in made]
    [[False, False, True], [True, False, True]]
    """

    def __init__(self, rules: Sequence[RuleSet], rows: WeightedRows) -> None:
        self.distinct = merge_equal(rows)
        patterns = list(dict.fromkeys(pattern for one in rules for pattern in one))
        self._place = {pattern: k for k, pattern in enumerate(patterns)}
        self._bits = _covered(patterns, self.distinct)
        self._rules = rules

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[NDArray[np.bool_]]:
        """For every rule set, whether it predicts the positive label, distinct row by distinct row."""
        return map(self.of, self._rules)

    def of(self, rules: RuleSet) -> NDArray[np.bool_]:
        """The same of one of the rule sets."""
        own = self._bits[[self._place[pattern] for pattern in rules]]
        return unpack(np.bitwise_or.reduce(own, axis=0, initial=np.uint64(0)), self.distinct.n_rows)


def _covered(patterns: Sequence[Pattern], rows: WeightedRows) -> NDArray[np.uint64]:
    """The rows that each pattern covers, packed."""
    frame = rows.as_frame()
    some = (patterns[begin : begin + _TOGETHER] for begin in range(0, len(patterns), _TOGETHER))
    none = pack(np.zeros((0, rows.n_rows), dtype=bool))
    return np.concatenate([none, *(pack(covers(these, frame).T) for these in some)])
