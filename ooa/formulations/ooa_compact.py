"""OOA in a compact form: ordered threshold variables, and none for every row, box and attribute.

Whether a box leaves out a row because of one attribute is a sum of at most three variables of the box, so the
form needs no variable for it. With ranks 0, ..., m - 1 of a numeric attribute, for box k,

- ``lower[k, t]`` says that the range begins at rank t or above, ``upper[k, t]`` that it ends below rank t;
  both are ordered in t, and not both 1, so that the range is not empty;
- rank r is left out if ``lower[k, r + 1] + upper[k, r] = 1`` (below the range or above it, never both).

A category v is left out if ``literal[k, j] - category[k, v] = 1``, a missing value if
``literal[k, j] - missing[k, j] = 1``. Positives need ``covers`` from above only, and negatives from below only,
so negatives need no such variable at all; ``covers`` and the errors are whole numbers by themselves.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from ..expressions import FloatArray, Variables
from ..milp import Milp
from ..model import Model
from ..objective import Objective
from ..ranks import Box
from ..rows import Rows
from ..scales import NumericScale
from .boxes import BoolArray, BoxFormulation, per_box


class CompactFormulation(BoxFormulation):
    """The compact MIP over K boxes; it has the same rule sets and the same optimum as `OOAFormulation`.

    In the words of `BoxFormulation`, with `left_out` as in this module's first lines::

        min   sum w missed + sum w wrong + N (C1 sum literal + C2 sum used)
        positives   missed[n] + sum_k covers[n, k] >= 1
                    covers[n, k] <= used[k],  covers[n, k] <= 1 - left_out[n, k, j]
        negatives   wrong[n] >= used[k] - sum_j left_out[n, k, j]

    Examples
    --------
    >>> from ooa.objective import Objective
    >>> from ooa.rules import RuleSet
    >>> from ooa.table import Table
    >>> table = Table.from_any({"x": [1.5, 2, 3, 4], "colour": ["red", "red", "red", "blue"]}, [0, 1, 1, 0])
    >>> formulation = CompactFormulation(table, Objective.of("1/16", "1/16"), K=2)
    >>> formulation.milp
    Milp('ooa-compact': 30 columns (22 integer), 52 rows, 134 nonzeros)
    >>> point = formulation.encode(RuleSet.parse("1.7 < x < 10 AND colour = red"))
    >>> formulation.milp.objective(point), formulation.milp.violation(point)
    (0.75, 0.0)
    >>> print(formulation.decode(point).to_text(compact=True))
    (colour = red ∧ x ≥ 2) → target = 1 ELSE 0
    """

    name = "ooa-compact"

    def __init__(self, rows: Rows, objective: Objective, K: int, **options: Any) -> None:
        super().__init__(rows, objective, K, **options)
        # One box's variables, attribute by attribute: (attribute, threshold or category) of each
        self._lower: list[tuple[int, int]] = []
        self._upper: list[tuple[int, int]] = []
        self._category: list[tuple[int, int]] = []
        self._missing: list[int] = []
        for j, scale in enumerate(self.space.scales):
            if isinstance(scale, NumericScale):
                self._lower += [(j, t + 1) for t in np.flatnonzero(scale.lower).tolist()]
                self._upper += [(j, t + 1) for t in np.flatnonzero(scale.upper).tolist()]
            else:
                self._category += [(j, v) for v in range(scale.size)]
            if scale.missing_literal:
                self._missing.append(j)
        J = len(self.space.scales)
        names = (
            [("lower", *key) for key in self._lower]
            + [("upper", *key) for key in self._upper]
            + [("category", *key) for key in self._category]
            + [("missing", j, 0) for j in self._missing]
            + [("literal", j, 0) for j in range(J)]
        )
        self._column = {name: c for c, name in enumerate(names)}

    def build(self) -> Milp:
        """Build the MIP."""
        space, K = self.space, self.K
        model = Model(self.name)
        v = self._blocks
        v["used"] = model.add_binaries("used", K, cost=self.pattern_price)
        v["literal"] = model.add_binaries("literal", (K, len(space.scales)), cost=self.literal_price)
        v["lower"] = model.add_binaries("lower", (K, len(self._lower)))
        v["upper"] = model.add_binaries("upper", (K, len(self._upper)))
        v["category"] = model.add_binaries("category", (K, len(self._category)))
        v["missing"] = model.add_binaries("missing", (K, len(self._missing)))
        v["covers"] = model.add_continuous("covers", (len(self.missed), K), upper=1.0)
        v["missed"] = model.add_continuous(
            "missed", len(self.missed), upper=1.0, cost=space.positive[self.missed]
        )
        v["wrong"] = model.add_continuous("wrong", len(self.wrong), upper=1.0, cost=space.negative[self.wrong])
        parts = ("lower", "upper", "category", "missing", "literal")
        own = Variables(np.concatenate([v[name].index for name in parts], axis=1), model.n_columns)
        self._add_literal_rows(model, own)
        self._add_cover_rows(model, own)
        used, literal = v["used"], v["literal"]
        model.add_rows("used_by_literal", used[:, None] - literal >= 0)
        model.add_rows("used_needs_literal", used - literal.sum(axis=1) <= 0)
        self.add_order(model, used, literal)
        return model.freeze()
