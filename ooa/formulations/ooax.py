"""OOAx: select patterns from candidates by an integer program (section 3.3 of the paper)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ..bitsets import unpack
from ..candidates import Candidates, prices
from ..conditions import Literal as RuleLiteral
from ..conditions import Range
from ..errors import OptionError, RuleError
from ..expressions import Expression, FloatArray, Variables
from ..formulation import ConstraintLike, Formulation, unit_of
from ..model import Model
from ..objective import Objective
from ..patterns import Pattern
from ..rows import DistinctRows, Rows
from ..rules import RuleSet
from ..table import Table

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
    constraints, table, template : see `Formulation`

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
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        if form not in ("aggregated", "disaggregated"):
            raise OptionError(f"form must be 'aggregated' or 'disaggregated', not {form!r}")
        super().__init__(rows, objective, constraints=constraints, table=table, template=template)
        self.candidates = candidates
        self.max_patterns = max_patterns
        self.form = form
        self.unit = unit_of(np.concatenate([rows.positive, rows.negative]))
        self._fires: Variables | None = None
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

    def assemble(self, model: Model) -> None:
        """Add the ILP's variables and rows."""
        price = prices(self.candidates, self.objective, self.total / self.unit)
        used = self._used = model.add_binaries("used", len(self.candidates), cost=price)
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
        # Columns of each group's two errors; -1 where it has none
        self._missed_column = np.full(len(covered), -1, dtype=np.int64)
        self._missed_column[missed] = error_pos.index
        self._wrong_column = np.full(len(covered), -1, dtype=np.int64)
        self._wrong_column[wrong] = error_neg.index
        self._error_pos, self._error_neg = error_pos, error_neg

    def pin(self, model: Model, columns: NDArray[np.intp]) -> None:
        """Bound errors from above: a covered positive is not missed, an uncovered negative not wrong."""
        some = np.flatnonzero(np.isin(self._error_pos.index, columns))
        if len(some):
            pairs = self.W[self._missed[some]].tocoo()
            model.add_rows("cover exactly", self._error_pos[some[pairs.row]] + self._used[pairs.col] <= 1)
        some = np.flatnonzero(np.isin(self._error_neg.index, columns))
        if len(some):
            covering = self.W[self._wrong[some]] @ self._used
            model.add_rows("uncover exactly", self._error_neg[some] - covering <= 0)

    def point(self, rules: RuleSet) -> FloatArray:
        """The values of selections and errors for a rule set over the candidates."""
        positions = []
        for pattern in rules:
            k = self.candidates.find(pattern)
            if k is None:
                raise RuleError(f"pattern {pattern} is not among the candidates")
            positions.append(k)
        if self.max_patterns is not None and len(positions) > self.max_patterns:
            raise RuleError(f"{len(positions)} patterns where at most {self.max_patterns} are allowed")
        return self.selection(positions)

    def selection(self, positions: Iterable[int]) -> FloatArray:
        """The values of selections and errors for some candidates, by position."""
        self.milp  # noqa: B018  # lays out the errors
        used = np.zeros(len(self.candidates))
        used[list(positions)] = 1.0
        fires = np.asarray(self.W @ used) > 0
        return np.concatenate([used, 1.0 - fires[self._missed], fires[self._wrong]])

    def decode(self, x: FloatArray) -> RuleSet:
        """The rule set of the selected candidates."""
        return self.rule_set(np.flatnonzero(x[: len(self.candidates)] > 0.5).tolist())

    def rule_set(self, positions: Iterable[int]) -> RuleSet:
        """The rule set of some candidates, by position."""
        like = self.template
        patterns = [self.candidates.pattern(k) for k in positions]
        return RuleSet(patterns, target=like.target, positive=like.positive, negative=like.negative)

    # -- the words of constraints ----------------------------------------------------------------

    @property
    def used(self) -> Variables:
        """For every candidate, 1 if it is selected."""
        return self._used

    @property
    def length(self) -> Expression:
        """For every candidate, its length if it is selected."""
        return self._used * self.candidates.length.astype(float)

    def uses(self, attribute: str) -> Expression:
        """For every candidate, 1 if it is selected and has a literal on the attribute."""
        self.attribute_number(attribute)
        return self._if_literal(lambda literal: literal.attribute == attribute)

    def bounded(self, attribute: str, side: Literal["below", "above"]) -> Expression:
        """For every candidate, 1 if it is selected and bounds the attribute on that side."""
        self.numeric_attribute(attribute)

        def bounds(literal: RuleLiteral) -> bool:
            if literal.attribute != attribute or not isinstance(literal, Range):
                return False
            return (literal.low if side == "below" else literal.high) is not None

        return self._if_literal(bounds)

    def _if_literal(self, holds: Callable[[RuleLiteral], bool]) -> Expression:
        """For every candidate, 1 if it is selected and has such a literal."""
        such = np.array([holds(literal) for literal in self.candidates.literals] + [False])
        return self._used * such[self.candidates.items].any(axis=1).astype(float)

    @property
    def positive_support(self) -> Expression:
        """For every candidate, the weight of the positives it covers if it is selected."""
        return self._used * self.candidates.positive

    def has(self, pattern: Pattern) -> Expression:
        """1 if the pattern is selected; 0 for good if it is no candidate."""
        k = self.candidates.find(pattern)
        return self._used[[] if k is None else [k]].sum()

    def covers(self, rows: Any, pattern: int) -> Expression:
        """For some rows of the table, 1 if this candidate is selected and covers them."""
        row = (
            self._rows.row[rows]
            if isinstance(self._rows, DistinctRows)
            else np.arange(self._rows.n_rows)[rows]
        )
        holds = unpack(self.candidates.bits[pattern], self._rows.n_rows)[row]
        return self._used[pattern] * np.asarray(holds, dtype=float)

    def fires(self, row: NDArray[np.int64], label: NDArray[np.bool_]) -> Expression:
        """For some rows, 1 if any selected candidate covers them."""
        group = self.row_group[row]
        missed, wrong = self._missed_column[group], self._wrong_column[group]
        by_missed = (missed >= 0) & (label | (wrong < 0))
        by_wrong = (wrong >= 0) & ~by_missed
        without = ~by_missed & ~by_wrong & (np.diff(self.W.indptr)[group] > 0)  # rows without weight
        column = np.where(by_missed, missed, wrong)
        column[without] = self._unweighted().index[group[without]] if without.any() else -1
        have = column >= 0
        matrix = sp.csr_array(
            (
                np.where(by_missed, -1.0, 1.0)[have],
                column[have].astype(np.int32),
                np.append(0, np.cumsum(have)),
            ),
            shape=(len(row), self._model.n_columns),
        )
        return Expression(matrix, by_missed.astype(float), (len(row),))

    def _unweighted(self) -> Variables:
        """For every group, 1 if it is covered: a variable of its own, for rows that have no error's."""
        if self._fires is None:
            W = self.W
            fires = self._fires = self._model.add_continuous("fires", W.shape[0], upper=1.0)
            pairs = W.tocoo()
            self._model.add_rows("fires if covered", fires[pairs.row] - self._used[pairs.col] >= 0)
            self._model.add_rows("fires only if covered", fires - W @ self._used <= 0)
            n = len(self.candidates)
            self._auxiliary.append((fires, lambda x: np.asarray(W @ x[:n]) > 0))
        return self._fires
