"""What a proof over mined and screened candidates covers, as a category and in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ooa.candidates.candidates import Candidates
from ooa.candidates.generate import LiteralSet
from ooa.data.bitsets import pack
from ooa.data.rows import DistinctRows, WeightedRows
from ooa.objective import exact, exact_sum, round_down
from ooa.rules.literal import IsMissing

from .certificate import Scope
from .verdict import Reach

if TYPE_CHECKING:
    from .mine import Mining
    from .problem import FitProblem
    from .settings import OOAxSettings


def reach_of(
    problem: FitProblem,
    mined: Mining,
    settings: OOAxSettings,
    own: Candidates,
    n_candidates: int,
    *,
    safe: bool,
    removal: bool = True,
) -> Reach:
    """What a proof over these candidates, and the user's own patterns among them, covers.

    Patterns that cover no positive are never mined. Without constraints, or beside constraints that
    allow removal, no optimal rule set needs one; otherwise the statement has to say so.

    Parameters
    ----------
    problem, mined, settings : what was mined for what, and how
    own : the user's own patterns
    n_candidates : how many are left
    safe : whether screening dropped nothing that can matter
    removal : False where more than optimal rule sets are wanted
    """
    pool = None if mined.complete and safe else n_candidates
    literals, rows = mined.literals, problem.rows
    removal = removal and problem.allows_removal
    limit, least, filtered = settings.max_length, settings.min_support, settings.keep is not None
    bounded = limit is not None and limit < len(rows.attributes) and mined.longest >= limit
    strange = foreign(own, literals, rows)
    plain = removal and not bounded and not filtered and not strange and least is None
    words = language_words(rows, settings.ranges, settings.negations, settings.sets, settings.missing)
    if plain and _exhaustive(literals, rows, dominance=problem.allows_dominance):
        return Reach(Scope.ALL, f"{sets_of(problem.max_patterns)} ({words})", pool)
    statement = sets_of(problem.max_patterns) + (f" up to length {limit}" if bounded else "")
    statement += f" over these {len(literals):,} literals ({words})"
    if least is not None:
        statement += f" with positive support of at least {least_support(least, problem.grid.distinct):g}"
    elif not removal:
        statement += " that cover a positive"
    if filtered:
        statement += " that the filter lets pass"
    if strange:
        statement += " and the patterns given"
    return Reach(Scope.LENGTH, statement, pool)


def sets_of(max_patterns: int | None) -> str:
    """How many patterns a rule set may have, as a statement begins.

    Examples
    --------
    >>> sets_of(5), sets_of(1), sets_of(None)
    ('sets of at most 5 patterns', 'sets of at most 1 pattern', 'all patterns')
    """
    if max_patterns is None:
        return "all patterns"
    return f"sets of at most {max_patterns:,} pattern{'s' if max_patterns != 1 else ''}"


def language_words(rows: WeightedRows, ranges: bool, negations: bool, sets: int | None, missing: bool) -> str:
    """Name the conditions that patterns are made of, as far as the table has columns for them.

    Parameters
    ----------
    rows : the table
    ranges : whether numbers may be bounded on both sides
    negations : whether a category may be excluded
    sets : the most categories in a condition, None for any number
    missing : whether "is missing" is a condition

    Examples
    --------
    >>> from ooa.data.table import Table
    >>> table = Table.from_any({"x": [1, 2], "y": ["a", "b"]}, [0, 1])
    >>> language_words(table, ranges=False, negations=False, sets=1, missing=False)
    'bounds on numbers, single categories; one condition per column'
    >>> language_words(table, ranges=True, negations=False, sets=None, missing=True)
    'ranges of numbers, sets of categories, missing or not; one condition per column'
    """
    kinds = {column.kind for column in rows.columns}
    named = []
    if "numeric" in kinds:
        ordered = any(column.levels for column in rows.columns)
        what = "numbers and ordered categories" if ordered else "numbers"
        named.append(f"ranges of {what}" if ranges else f"bounds on {what}")
    if "categorical" in kinds:
        some = "single categories" if sets == 1 else "sets of categories"
        some = f"sets of up to {sets} categories" if sets is not None and sets > 1 else some
        named.append(f"{some} and negations" if negations else some)
    if missing or any(described.missing_category for described in rows.attributes):
        named.append("missing or not")
    return f"{', '.join(named)}; one condition per column"


def foreign(own: Candidates, literals: LiteralSet, rows: DistinctRows) -> bool:
    """Whether the user's patterns have literals that select rows as none of the candidates' does."""
    if not own.literals:
        return False
    known = {(int(j), bits.tobytes()) for j, bits in zip(literals.attribute, literals.bits)}
    place = {attribute.name: j for j, attribute in enumerate(rows.attributes)}
    for literal in own.literals:
        j = place[literal.attribute]
        holds = literal.mask(rows.columns[j])
        if holds.any() and (j, pack(holds).tobytes()) not in known:
            return True
    return False


def _exhaustive(literals: LiteralSet, rows: DistinctRows, *, dominance: bool) -> bool:
    """Whether every range between observed values and every category is among the literals.

    As no two of them on one attribute hold for the same rows, it is enough to count. Where values are
    missing, "has a value" is one of the ranges. It can be written with a bound on either side, and a
    constraint may tell the two apart, so it counts only beside constraints that allow dominance.
    """
    have = np.bincount(literals.attribute, minlength=len(rows.attributes))
    for literal, j in zip(literals.literals, literals.attribute):
        have[j] -= isinstance(literal, IsMissing)
    for j, column in enumerate(rows.columns):
        lacks = bool(column.missing.any())
        values = len(np.unique(column.values[~column.missing]))
        if column.kind == "numeric":
            complete: tuple[int, ...] = (values * (values + 1) // 2 - (not lacks),)
            if lacks and not dominance:
                return False
        else:  # sets of categories count as patterns where some of them are candidates
            complete = (values if lacks or values > 1 else 0, 2**values - 1 - (not lacks))
        if values and have[j] not in complete:
            return False
    return True


def least_support(min_support: float, rows: DistinctRows) -> float:
    """The user's least positive support as a weight: below 1 it is a share of all positives."""
    value = exact(min_support, "min_support")
    return round_down(value * exact_sum(rows.positive) if value < 1 else value)
