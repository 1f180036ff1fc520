"""What a proof covers: "all patterns" is said only where every literal there is was a candidate."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.brute_ooa import Literals, all_literals, as_bits
from support.tiny_tables import tiny_table

from ooa.candidates.generate import candidate_literals
from ooa.data.rows import DistinctRows
from ooa.learning.certificate import Scope
from ooa.learning.ooax import learn_ooax
from ooa.rules.literal import IsMissing


def in_full(rows: DistinctRows, language: dict[str, Any]) -> bool:
    """Whether the literals of every attribute are all there are, with single categories or with all sets."""
    found: list[set[int]] = [set() for _ in rows.columns]
    literals = candidate_literals(rows, **language)
    for literal, j in zip(literals.literals, literals.attribute):
        if not isinstance(literal, IsMissing):  # by option, in a language with it and in one without
            found[j].add(as_bits(literal.mask(rows.columns[j])))

    def said(every: Literals, j: int) -> bool:
        return found[j] == {bits for literal, bits in every[j] if not isinstance(literal, IsMissing)}

    single, several = (all_literals(rows, single_category=choice) for choice in (True, False))
    return all(said(single, j) or said(several, j) for j in range(len(rows.columns)))


@pytest.mark.parametrize("chunk", range(4))
def test_all_patterns_means_all_literals(chunk: int) -> None:
    claimed = 0
    for seed in range(60 * chunk, 60 * (chunk + 1)):
        rng = np.random.default_rng([18, seed])
        table = tiny_table(rng)
        language = {
            "thresholds": str(rng.choice(["distinct", "auto", "quantiles"])),
            "max_thresholds": int(rng.integers(1, 5)),
            "ranges": bool(rng.random() < 0.8),
            "negations": bool(rng.random() < 0.3),
            "sets": int(rng.integers(1, 5)),
            "missing": bool(rng.random() < 0.4),
        }
        learned = learn_ooax(table, C1="1/50", C2="1/50", max_length=None, **language)
        if learned.certificate.proof != "counting":  # which holds for all patterns in any case
            everything = in_full(table.distinct(), language)
            assert (learned.certificate.scope is Scope.ALL) == everything, seed
            claimed += everything
    assert claimed > 5
