"""Dominated patterns come back by exchange: against going through all sets."""

from __future__ import annotations

import numpy as np
import pytest
from support.branching_cases import always, best_gain, nearly_alike
from support.listing_cases import by_brute_force, listed

from ooa.data.bitsets import pack
from ooa.kernels.availability import compiled, what_is_missing
from ooa.search.branch_and_bound import Branching
from ooa.search.exchanges import Exchanges

pytestmark = pytest.mark.skipif(not compiled(), reason=what_is_missing())


@pytest.mark.parametrize("seed", range(60))
def test_what_was_dominated_comes_back(seed):
    rng = np.random.default_rng(seed)
    covers, positive, negative, price = nearly_alike(rng)
    covers = np.vstack(
        [covers, covers[: len(covers) // 2] & (rng.random((len(covers) // 2, covers.shape[1])) < 0.95)]
    )
    price = np.concatenate(
        [price, price[: len(covers) - len(price)] + rng.integers(0, 3, len(covers) - len(price))]
    )
    price = price + int(rng.integers(1, 60))
    case, most = (covers, positive, negative, price), 2
    target = best_gain(*case, most) - int(rng.integers(1, int(price.min()) + 1))
    search = Branching(pack(covers), positive, negative, price, most)
    search.drop_dominated(always)
    found = listed(search, target, target + int(price.min()), lean=False)
    exchanges = Exchanges(pack(covers), positive, negative, price)
    expected = by_brute_force(*case, most, target, lean=False)
    assert dict(exchanges.reached(found, target)) == expected
    assert expected == by_brute_force(*case, most, target, lean=True)  # none of them has a redundant pattern
