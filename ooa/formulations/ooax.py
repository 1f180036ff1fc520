"""OOAx: select patterns from candidates by an integer program (section 3.3 of the paper)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..bitsets import unpack
from ..candidates import Candidates, prices
from ..errors import OptionError, RuleError
from ..expressions import FloatArray
from ..formulation import Formulation
from ..milp import Milp
from ..model import Model
from ..objective import Objective, exact_sum
from ..rows import Rows
from ..rules import RuleSet

Form = Literal["aggregated", "disaggregated"]


class OOAxFormulation(Formulation):
    """The paper's selection ILP over given candidates.

    Rows covered by exactly the same candidates share one error variable per class, weighted by all
    of them. With `used[k]` (zeta in the paper) and `error` (xi), it reads::

        min   sum w error + N sum (C1 length[k] + C2) used[k]
        positives   error + sum of used[k] that cover the row >= 1
        negatives   K_n error >= sum of used[k] that cover the row          (aggregated, as in the paper)
                    error >= used[k]  for every k that covers the row       (disaggregated)

    In the aggregated form K_n is the number of candidates that cover the row, or `max_patterns` if
    that is smaller (the paper's K is undefined without a limit), and the error of a negative has to
    be binary; in the disaggregated form it need not be.

    Parameters
    ----------
    candidates : patterns to select from
    rows : the (distinct) rows they cover
    objective : the prices
    max_patterns : most patterns to select, or None
    form : "aggregated" or "disaggregated"
    template : an empty rule set that carries target and labels

    Examples
    --------
    >>> from ooa.rules import Pattern
    >>> from ooa.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    >>> formulation = OOAxFormulation(own, table, Objective.of("1/8", "1/8"))
    >>> formulation.milp
    Milp('ooax': 4 columns (2 integer), 2 rows, 5 nonzeros)
    >>> rules = RuleSet([Pattern.parse("x >= 2")])
    >>> formulation.milp.objective(formulation.encode(rules))
    2.0
    """

    name = "ooax"

    def __init__(
        self,
        candidates: Candidates,
        rows: Rows,
        objective: Objective,
        *,
        max_patterns: int | None = None,
        form: Form = "disaggregated",
        template: RuleSet | None = None,
    ) -> None:
        if form not in ("aggregated", "disaggregated"):
            raise OptionError(f"form must be 'aggregated' or 'disaggregated', not {form!r}")
        self.candidates = candidates
        self.objective = objective
        self.max_patterns = max_patterns
        self.form = form
        self.template = template if template is not None else RuleSet([])
        self.total = exact_sum(rows.positive) + exact_sum(rows.negative)
        self.unit = _unit(np.concatenate([rows.positive, rows.negative]))
        self._group(rows)

    def _group(self, rows: Rows) -> None:
        """Merge rows that the same candidates cover; W has one line per group."""
        covers = unpack(self.candidates.bits, rows.n_rows).T  # rows x candidates
        packed = np.ascontiguousarray(np.packbits(covers, axis=1))
        keys = packed.view(np.dtype((np.void, max(1, packed.shape[1])))).ravel() if packed.shape[1] else None
        if keys is None:
            first, group = np.zeros(1, dtype=np.intp), np.zeros(rows.n_rows, dtype=np.intp)
        else:
            _, first, group = np.unique(keys, return_index=True, return_inverse=True)
        self.W = sp.csr_array(covers[first]).astype(np.float64)
        self.row_group: NDArray[np.intp] = group
        self._positive = np.bincount(group, weights=rows.positive / float(self.unit), minlength=len(first))
        self._negative = np.bincount(group, weights=rows.negative / float(self.unit), minlength=len(first))

    def build(self) -> Milp:
        """Build the ILP."""
        model = Model(self.name)
        used = model.add_binaries(
            "used", len(self.candidates), cost=prices(self.candidates, self.objective, self.total / self.unit)
        )
        # A group that no candidate covers is predicted negative: its positives are errors for good.
        covered = np.diff(self.W.indptr) > 0
        model.offset = float(self._positive[~covered].sum())
        missed = np.flatnonzero(covered & (self._positive > 0))
        wrong = np.flatnonzero(covered & (self._negative > 0))
        self._missed, self._wrong = missed, wrong
        error_pos = model.add_continuous("missed", len(missed), upper=1.0, cost=self._positive[missed])
        model.add_rows("cover", self.W[missed] @ used + error_pos >= 1)
        W = self.W[wrong]
        if self.form == "aggregated":
            error_neg = model.add_binaries("wrong", len(wrong), cost=self._negative[wrong])
            most = np.diff(W.indptr).astype(np.float64)
            if self.max_patterns is not None:
                most = np.minimum(most, self.max_patterns)
            model.add_rows("uncover", most * error_neg - W @ used >= 0)
        else:
            error_neg = model.add_continuous("wrong", len(wrong), upper=1.0, cost=self._negative[wrong])
            pairs = W.tocoo()
            model.add_rows("uncover", error_neg[pairs.row] - used[pairs.col] >= 0)
        if self.max_patterns is not None:
            model.add_rows("size", used.sum() <= self.max_patterns)
        return model.freeze()

    def encode(self, rules: RuleSet) -> FloatArray:
        """The point of a rule set over the candidates."""
        positions = []
        for pattern in rules:
            k = self.candidates.find(pattern)
            if k is None:
                raise RuleError(f"pattern {pattern} is not among the candidates")
            positions.append(k)
        if self.max_patterns is not None and len(positions) > self.max_patterns:
            raise RuleError(f"{len(positions)} patterns where at most {self.max_patterns} are allowed")
        return self.encode_selection(positions)

    def encode_selection(self, positions: list[int]) -> FloatArray:
        """The point of a selection of candidates, by position."""
        milp = self.milp
        used = np.zeros(len(self.candidates))
        used[positions] = 1.0
        fires = np.asarray(self.W @ used) > 0
        x = np.concatenate([used, 1.0 - fires[self._missed], fires[self._wrong]])
        assert x.shape == (milp.n_columns,)
        return x

    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set of the selected candidates."""
        chosen = np.flatnonzero(x[: len(self.candidates)] > 0.5).tolist()
        return self.rule_set(chosen)

    def rule_set(self, positions: list[int]) -> RuleSet:
        """The rule set of a selection, by position."""
        patterns = [self.candidates.pattern(k) for k in positions]
        labels = self.template
        return RuleSet(patterns, target=labels.target, positive=labels.positive, negative=labels.negative)


def _unit(weights: FloatArray) -> Fraction:
    """A power of two that brings the largest weight to between 1 and 2**40; 1 if it is there already."""
    power = math.frexp(weights.max())[1] - 1
    return Fraction(2) ** (power - min(max(power, 0), 40))
