"""OOAx: select patterns from candidates by an integer program (section 3.3 of the paper)."""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from ooa.candidates.candidates import Candidates, prices
from ooa.data.bitsets import unpack
from ooa.data.rows import WeightedRows
from ooa.data.table import Table
from ooa.errors import OptionError, RuleError
from ooa.model.builder import Model
from ooa.model.expressions import Expression, FloatArray, Rows, Variables
from ooa.objective import Objective
from ooa.rules.literal import IsMissing, Literal, Range
from ooa.rules.pattern import Pattern
from ooa.rules.ruleset import RuleSet

from .base import ConstraintLike, Formulation, columns_of, tempted, unit_of
from .vocabulary import Side

Form = typing.Literal["auto", "aggregated", "disaggregated"]


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
    form : "aggregated", "disaggregated", or "auto": the former, which solvers mostly end sooner with
    constraints, table, template : see `Formulation`

    Examples
    --------
    >>> from ooa import Pattern
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2, 3, 4]}, [0, 0, 1, 1])
    >>> own = Candidates.of_patterns(table, [Pattern.parse("x >= 3"), Pattern.parse("x >= 2")])
    >>> formulation = OOAxFormulation(own, table, Objective.of("1/8", "1/8"))
    >>> formulation.milp
    Milp('ooax': 4 columns (3 integer), 2 rows, 5 nonzeros)
    >>> rules = RuleSet([Pattern.parse("x >= 2")])
    >>> formulation.milp.objective(formulation.encode(rules))
    2.0
    """

    name = "ooax"

    def __init__(
        self,
        candidates: Candidates,
        rows: WeightedRows,
        objective: Objective,
        *,
        max_patterns: int | None = None,
        form: Form = "auto",
        constraints: Iterable[ConstraintLike] = (),
        table: Table | None = None,
        template: RuleSet | None = None,
    ) -> None:
        if form not in typing.get_args(Form):
            raise OptionError(f"form must be 'auto', 'aggregated' or 'disaggregated', not {form!r}")
        super().__init__(rows, objective, constraints=constraints, table=table, template=template)
        self.candidates = candidates
        self.max_patterns = max_patterns
        self.form = form
        self.unit = unit_of(np.concatenate([rows.positive, rows.negative]))
        self._numbers: dict[bytes, int] = {}
        self._group(rows)

    def _group(self, rows: WeightedRows) -> None:
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
        if self.form != "disaggregated":
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

    def pin(self, constraints: Sequence[Rows]) -> None:
        """Bound errors from above: a covered positive is not missed, an uncovered negative not wrong."""
        raised = columns_of(tempted(rows)[0] for rows in constraints)
        some = np.flatnonzero(np.isin(self._error_pos.index, raised))
        if len(some):
            pairs = self.W[self._missed[some]].tocoo()
            self._model.add_rows(
                "cover exactly", self._error_pos[some[pairs.row]] + self._used[pairs.col] <= 1
            )
        some = np.flatnonzero(np.isin(self._error_neg.index, raised))
        if len(some):
            covering = self.W[self._wrong[some]] @ self._used
            self._model.add_rows("uncover exactly", self._error_neg[some] - covering <= 0)

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

    def bounded(self, attribute: str, side: Side) -> Expression:
        """For every candidate, 1 if it is selected and bounds the attribute from that side."""
        self.numeric_attribute(attribute)

        def bounds(literal: Literal) -> bool:
            if literal.attribute != attribute or isinstance(literal, IsMissing):
                return False
            if not isinstance(literal, Range):  # values one by one, or all but one
                return True
            return (literal.low if side == "below" else literal.high) is not None

        return self._if_literal(bounds)

    def _if_literal(self, holds: Callable[[Literal], bool]) -> Expression:
        """For every candidate, 1 if it is selected and has such a literal."""
        such = np.array([holds(literal) for literal in self.candidates.literals] + [False])
        return self._used * such[self.candidates.items].any(axis=1).astype(float)

    @property
    def positive_support(self) -> Expression:
        """For every candidate, the weight of the positives it covers if it is selected."""
        return self._used * self.candidates.positive

    def _has(self, pattern: Pattern) -> Expression:
        same = np.flatnonzero((self._said == self._saying(pattern)).all(axis=1))
        if len(same) <= 1:  # without any, 0 for good
            return self._used[same].sum()
        return self._any(f"has {pattern}", self._used[same])

    @cached_property
    def _said(self) -> NDArray[np.int64]:
        """For every candidate and attribute, the number of what its literal says there; 0 for nothing."""
        literals = self.candidates.literals
        number = np.array([self._number_of(literal) for literal in literals] + [0], dtype=np.int64)
        attribute = np.array([self.attribute_number(literal.attribute) for literal in literals] + [-1])
        said = np.zeros((len(self.candidates), len(self._rows.attributes) + 1), dtype=np.int64)
        items = self.candidates.items
        said[np.arange(len(items))[:, None], attribute[items]] = number[items]
        return said[:, :-1]  # the last is for where there is no literal

    def _saying(self, pattern: Pattern) -> NDArray[np.int64]:
        """The same for one pattern; -1 where no candidate says that."""
        said = np.zeros(len(self._rows.attributes), dtype=np.int64)
        self._said  # noqa: B018  # numbers what the candidates say
        for literal in pattern:
            said[self.attribute_number(literal.attribute)] = self._number_of(literal)
        return said

    def _number_of(self, literal: Literal) -> int:
        """A number for the rows that a literal selects; 0 if that is every row."""
        mask = literal.mask(self._rows.columns[self.attribute_number(literal.attribute)])
        return 0 if mask.all() else self._numbers.setdefault(mask.tobytes(), len(self._numbers) + 1)

    def _coverage(self, row: NDArray[np.int64], pattern: NDArray[np.int64]) -> Expression:
        holds = unpack(self.candidates.bits[pattern], self._rows.n_rows).T[row]
        return self._used[pattern] * holds.astype(float)

    def _error_columns(self, row: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        group = self.row_group[row]
        return self._missed_column[group], self._wrong_column[group]

    def _firing_columns(self, row: NDArray[np.int64]) -> NDArray[np.int64]:
        return self._once("fires", self._add_firing)[self.row_group[row]]

    def _add_firing(self) -> NDArray[np.int64]:
        """Add a variable for every group of rows without weight that can be covered; return all columns."""
        some = np.flatnonzero((np.diff(self.W.indptr) > 0) & (self._positive == 0) & (self._negative == 0))
        W, n = self.W[some], len(self.candidates)
        pairs = W.tocoo()
        fires = self._model.add_continuous("fires", len(some), upper=1.0)
        self._model.add_rows("fires if covered", fires[pairs.row] - self._used[pairs.col] >= 0)
        self._model.add_rows("fires only if covered", fires - W @ self._used <= 0)
        self._auxiliary.append((fires, lambda x: np.asarray(W @ x[:n]) > 0))
        column = np.full(self.W.shape[0], -1, dtype=np.int64)
        column[some] = fires.index
        return column
