"""What patterns are worth under multipliers on positives and on pairs of rows, compiled by numba."""

from __future__ import annotations

import numpy as np

from .compiling import compiled_once


@compiled_once
def worth(right, wrong, price, names, cover, first, second, amount, value, leader):
    """value[i] = what pattern names[i] is worth.

    Its row of `right` and of `wrong` says which positives and negatives it covers. It gets `cover` of each
    of its positives, `amount` of each pair whose positive it covers and whose negative it does not, and pays
    its price. The pairs are sorted by their positives: those of p are `first[p]` to `first[p + 1]`, and
    `second` has their negatives. leader[p] is the i of the most valuable that covers p.
    """
    most = np.full(len(cover), -np.inf)
    for i in range(len(names)):
        z = names[i]
        total = -float(price[z])
        for p in range(len(cover)):
            if right[z, p]:
                total += cover[p]
                for m in range(first[p], first[p + 1]):
                    if not wrong[z, second[m]]:
                        total += amount[m]
        value[i] = total
        for p in range(len(cover)):
            if right[z, p] and total > most[p]:
                most[p] = total
                leader[p] = i
