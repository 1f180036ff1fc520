"""Which patterns an optimal rule set can contain: Theorems 1 to 3 of the paper, and sharper forms.

N is the total weight, c(z) = C1 * length(z) + C2 the price of a pattern, supp+ and supp- the weight
of the positives and negatives it covers, UB the value L of any known rule set (N+/N for the empty
one). Everything here relies on the plain objective; a limit on the number of patterns is harmless
(no step adds a pattern), but a constraint of the user's may need a pattern that is excluded here.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ooa.data import bitsets
from ooa.objective import Objective, round_down, round_up

Words = npt.NDArray[np.uint64]
FloatArray = npt.NDArray[np.float64]


def least_positive_support(objective: Objective, total: Fraction, length: int) -> float:
    """Positive support that a pattern must **exceed** (Theorem 2, by length).

    Proof. Taking z out of A un-errs every negative that only z covers and errs at most the supp+(z)
    positives it covers, so L changes by at most supp+(z)/N - c(z). If supp+(z) <= N c(z), A without
    z is no worse. Repeating this ends, and ends at an optimum, with no such pattern left. The paper
    states it with C1 + C2, the price of one literal, for all lengths.

    Examples
    --------
    >>> least_positive_support(Objective.of(0.01, 0.01), Fraction(100), length=3)
    4.0
    """
    return round_down(total * objective.cost(length))


def most_negative_support(objective: Objective, total: Fraction, length: int, upper: Fraction) -> float:
    """Negative support that a pattern may not exceed (Theorem 1, by length and for any known UB).

    Proof. If z is in A and L(A) <= UB, then UB >= L(A) >= supp-(z)/N + c(z), because every covered
    negative is an error and z's price is paid. The paper states it with UB = N+/N and C1 + C2.

    Examples
    --------
    >>> most_negative_support(Objective.of(0.01, 0.01), Fraction(100), length=1, upper=Fraction(3, 10))
    28.0
    """
    return round_up(total * (upper - objective.cost(length)))


def most_patterns(objective: Objective, upper: Fraction) -> int | None:
    """Number of patterns that an optimal rule set cannot exceed (Theorem 3); None if C1 = C2 = 0.

    Proof. Every pattern has at least one literal, so UB >= L(A) >= |A| (C1 + C2).

    Examples
    --------
    >>> most_patterns(Objective.of(0.01, 0.02), upper=Fraction(1, 4))
    8
    """
    least = objective.cost(1)
    return math.floor(upper / least) if least > 0 else None


def most_literals(objective: Objective, upper: Fraction, patterns: int = 1) -> int | None:
    """Number of literals that a rule set of so many patterns cannot exceed; None if C1 = 0.

    Proof. UB >= L(A) >= C1 * literals + C2 * patterns.

    Examples
    --------
    >>> most_literals(Objective.of(0.01, 0.02), upper=Fraction(1, 4))
    23
    """
    if objective.C1 == 0:
        return None
    return max(0, math.floor((upper - objective.C2 * patterns) / objective.C1))


def conflicts(bits: Words, positive: FloatArray, price: FloatArray) -> npt.NDArray[np.bool_]:
    """Pairs of patterns that need not occur together (marginal support).

    Parameters
    ----------
    bits : coverage of K patterns, packed, shape (K, W)
    positive : weight of the positives in each row
    price : N c(z) of each pattern, rounded down

    Returns
    -------
    A symmetric boolean K x K matrix, False on the diagonal.

    Proof. If z1 and z2 are both in A and supp+(z1 and not z2) <= N c(z1), then taking z1 out errs at
    most the positives that z1 covers and z2 does not, and saves N c(z1): A without z1 is no worse.
    Each such step removes a pattern, so some optimal A contains no such pair.

    Examples
    --------
    >>> from ooa.data.bitsets import pack
    >>> bits = pack([[1, 1, 1, 0], [1, 1, 0, 0], [0, 0, 0, 1]])
    >>> conflicts(bits, np.ones(4), np.full(3, 0.5)).astype(int).tolist()
    [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    """
    own = bitsets.weighted_count(bits, positive)
    pair = np.zeros((len(bits), len(bits)), dtype=bool)
    for k in range(len(bits)):
        shared = bitsets.weighted_count(bits & bits[k], positive)
        marginal = own[k] - shared
        pair[k] = marginal <= price[k]
    pair |= pair.T
    np.fill_diagonal(pair, False)
    return pair
