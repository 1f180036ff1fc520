"""The integer program of Theorem 4: the most patterns that each cover a row which no other of them covers.

A pattern and the row that only it covers make a pair. Two pairs go together if neither pattern covers the
other's row, so an efficient set is an induced matching in the graph of patterns and rows. One variable per
pair, and for every pattern k that covers a row n one row of the program,

    (row n is in a pair) + (pattern k is in a pair) - (they are the pair) <= 1,

whose pairs all exclude one another: it is as strong as a row of that kind can be. Only the patterns, or only
the rows if they are fewer, need variables that are whole: where two chosen patterns cover row n, the rows
above leave no part of a pair to n, so that all parts of a chosen pattern's pairs are with rows of its own.
Circuits of patterns that exclude one another are added, which the relaxation does not see.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ooa.data.bitsets import pack, unpack
from ooa.model.builder import Model
from ooa.model.expressions import BoolArray, FloatArray, Variables
from ooa.model.milp import Milp
from ooa.model.sparse import sp

from .circuits import short_circuits

__all__ = ["EfficientFormulation", "useful_pairs"]

WitnessPairs = list[tuple[int, int]]

#: Word operations that may be spent on finding out which pairs are needed.
_EFFORT = 500_000_000


@dataclass(frozen=True, eq=False)
class EfficientModel:
    """The program, and its variables: one for every pair, for every row and for every pattern of any pair."""

    milp: Milp
    pair: Variables
    witness: Variables
    member: Variables


class EfficientFormulation:
    """Builds the program, and translates between its points and pairs of a row and a pattern.

    Parameters
    ----------
    covers : ndarray of bool, shape (rows, patterns)
        No two rows and no two columns equal, and none empty.

    Examples
    --------
    >>> formulation = EfficientFormulation(np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=bool))
    >>> formulation.milp
    Milp('efficient': 12 columns (3 integer), 13 rows, 39 nonzeros)
    >>> from ooa.solving.registry import get_backend
    >>> len(formulation.decode(get_backend("highs").solve(formulation.milp).x))
    2
    """

    name = "efficient"

    def __init__(self, covers: BoolArray) -> None:
        useful = useful_pairs(covers)
        self.row, self.pattern = np.nonzero(useful)
        #: The rows and patterns of any pair.
        self._rows, self._row_of = np.unique(self.row, return_inverse=True)
        self._patterns, self._pattern_of = np.unique(self.pattern, return_inverse=True)
        self._covers = covers[np.ix_(self._rows, self._patterns)]
        self._full = covers

    @cached_property
    def built(self) -> EfficientModel:
        """The program and its variables; built once."""
        model = Model(self.name)
        n_pairs, (n_rows, n_patterns) = len(self.row), self._covers.shape
        # Only the fewer of rows and patterns need variables that are whole.
        whole, other = model.add_integers, model.add_continuous
        pair = model.add_continuous("pair", n_pairs, upper=1.0)
        witness = (other if self._by_pattern else whole)("witness", n_rows, upper=1.0)
        member = (whole if self._by_pattern else other)("member", n_patterns, upper=1.0, cost=-1.0)
        columns, ones = np.arange(n_pairs), np.ones(n_pairs)
        of_row = sp.csr_array((ones, (self._row_of, columns)), shape=(n_rows, n_pairs))
        of_pattern = sp.csr_array((ones, (self._pattern_of, columns)), shape=(n_patterns, n_pairs))
        model.add_rows("witnesses", of_row @ pair - witness == 0)
        model.add_rows("members", of_pattern @ pair - member == 0)
        rows, patterns = np.nonzero(self._covers)
        own = self._own_pairs(rows, patterns)
        model.add_rows("induced", witness[rows] + member[patterns] - own @ pair <= 1)
        within, sizes = self._circuits()
        model.add_rows("circuits", within @ member <= sizes - 1.0)
        return EfficientModel(model.freeze(), pair, witness, member)

    @property
    def milp(self) -> Milp:
        """The model, a minimisation of minus the number of pairs."""
        return self.built.milp

    @property
    def _by_pattern(self) -> bool:
        """Whether it is the variables of the patterns that are whole."""
        n_rows, n_patterns = self._covers.shape
        return bool(n_patterns <= n_rows)

    def _own_pairs(self, rows: NDArray[np.intp], patterns: NDArray[np.intp]) -> sp.csr_array:
        """For some rows and patterns that cover them, a 1 in the column of the pair that they are, if any."""
        number = np.full(self._covers.shape, -1)
        number[self._row_of, self._pattern_of] = np.arange(len(self.row))
        theirs = number[rows, patterns]
        have = np.flatnonzero(theirs >= 0)
        return sp.csr_array((np.ones(len(have)), (have, theirs[have])), shape=(len(rows), len(self.row)))

    def _circuits(self) -> tuple[sp.csr_array, NDArray[np.int64]]:
        """Some circuits, one line each with a 1 for its patterns, and their sizes."""
        circuits = short_circuits(self._covers)
        sizes = np.array([len(circuit) for circuit in circuits], dtype=np.int64)
        places = (
            np.repeat(np.arange(len(sizes)), sizes),
            np.array([k for c in circuits for k in c], dtype=int),
        )
        shape = (len(sizes), self._covers.shape[1])
        return sp.csr_array((np.ones(sizes.sum()), places), shape=shape), sizes

    def encode(self, pairs: WitnessPairs) -> FloatArray:
        """The point that stands for some pairs that go together; pairs without a variable are left out."""
        chosen = set(pairs)
        on = np.array(
            [place in chosen for place in zip(self.row.tolist(), self.pattern.tolist())], dtype=bool
        )
        built, x = self.built, np.zeros(self.milp.n_columns)
        x[built.pair.index] = on
        x[built.witness.index] = np.isin(self._rows, self.row[on])
        x[built.member.index] = np.isin(self._patterns, self.pattern[on])
        return x

    def decode(self, x: FloatArray) -> WitnessPairs:
        """The pairs of a feasible point, by coverage from the variables that are whole."""
        if self._by_pattern:
            return self.pairs_of(self._patterns[x[self.built.member.index] > 0.5])
        witnesses = np.flatnonzero(x[self.built.witness.index] > 0.5)
        covers = self._covers[witnesses]
        once = covers[:, covers.sum(axis=0) == 1]
        alone = self._patterns[covers.sum(axis=0) == 1]
        return [(int(self._rows[n]), int(alone[np.argmax(line)])) for n, line in zip(witnesses, once)]

    def pairs_of(self, members: NDArray[np.intp]) -> WitnessPairs:
        """Each member of an efficient set with a row that only it covers."""
        if not len(members):
            return []
        among = self._full[:, members]
        alone = among & (among.sum(axis=1) == 1)[:, None]
        return [(int(n), int(k)) for n, k in zip(np.argmax(alone, axis=0), members)]


def useful_pairs(covers: BoolArray) -> BoolArray:
    """Return which pairs of a row and a pattern that covers it a largest efficient set needs.

    Proof. Let n and n' be rows that pattern k covers, and let every pattern that covers n cover n' as well,
    but not the reverse. Wherever n' is the row that only k covers, n serves as well, so the pair (n', k) is
    not needed. The same holds of patterns k and k' that cover row n, where k' covers more rows. Each
    exchange makes the sum of the sizes smaller, so that it comes to an end.
    """
    return covers & ~_replaceable(covers) & ~_replaceable(covers.T).T


def _replaceable(covers: BoolArray) -> BoolArray:
    """For each row and each column that it has, whether a smaller row has that column too."""
    bits = pack(covers)
    if len(bits) ** 2 * bits.shape[1] > _EFFORT:  # too many to compare: all pairs stay
        return np.zeros_like(covers)
    found = np.zeros_like(bits)
    for n, mine in enumerate(bits):
        smaller = ((bits & ~mine) == 0).all(axis=1)
        smaller[n] = False
        found[n] = np.bitwise_or.reduce(bits[smaller], axis=0, initial=np.uint64(0))
    return unpack(found, covers.shape[1])
