"""More mutants: every bound, every reduction and what proofs are counted with; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

BOUNDS = ("tests/candidates/test_bounds.py",)
SCREEN = ("tests/candidates/test_screening.py", "tests/constraints/test_reductions.py")
FORBIDDEN = ("tests/learning/test_ooax.py", "-k", "screened_away")
RANKS = (
    "tests/formulations/test_rank_space.py",
    "tests/formulations/test_ooa.py",
    "-k",
    "not other_backends",
)
ROWS = ("tests/data/test_row_order.py", "tests/data/test_rows.py")
PAIRS = (
    "tests/search/test_pair_bound.py",
    "-k",
    "more_than_the_bound or multipliers_whatever or beyond_its_weight or with_pairs_finds",
)
GRID = ("tests/learning/test_grid.py", "-k", "grid or apart or millionth or support")
PROVE = ("tests/learning/test_gaps.py", "tests/learning/test_prove.py")
REDUNDANT = (
    "tests/explore/test_redundancy.py",
    "tests/explore/test_no_goods.py",
    "ooa/explore/redundancy.py",
)

CANDIDATES = [
    *changed(
        "ooa/candidates/bounds.py",
        BOUNDS,
        (
            "Theorem 2: price twice",
            "return round_down(total * objective.cost(length))",
            "return round_down(2 * total * objective.cost(length))",
        ),
        ("Theorem 2: rounded up", "return round_down(total * objective", "return round_up(total * objective"),
        (
            "Theorem 1: price twice",
            "(upper - objective.cost(length)))",
            "(upper - 2 * objective.cost(length)))",
        ),
        ("Theorem 1: rounded down", "return round_up(total * (upper", "return round_down(total * (upper"),
        (
            "Theorem 3: one pattern fewer",
            "math.floor(upper / least) if",
            "max(0, math.floor(upper / least) - 1) if",
        ),
        (
            "most literals: price twice",
            "(upper - objective.C2 * patterns)",
            "(upper - 2 * objective.C2 * patterns)",
        ),
        ("marginal support: both prices", "marginal <= price[k]", "marginal <= price[k] + price"),
        ("marginal support: not at equality", "marginal <= price[k]", "marginal < price[k]"),
    ),
    *changed(
        "ooa/candidates/screening.py",
        SCREEN,
        ("dominance: longer ones too", "(kept_length[:n] <= length[i]) & (kept_negative", "(kept_negative"),
        ("dominance: negatives forgotten", " | (kept_bad[word, rivals] & ~bad[word, i])", ""),
        ("dominance: positives forgotten", "(good[word, i] & ~kept_good[word, rivals]) | ", ""),
        (
            "equals: the first, however long",
            'np.argsort(candidates.length, kind="stable")',
            "np.arange(len(candidates))",
        ),
        ("equals: a fingerprint believed", "leader[own[same]] = other[same]", "leader[own] = other"),
        (
            "bounds: not at equality",
            "candidates.negative <= most_negative",
            "candidates.negative < most_negative",
        ),
        (
            "bounds: too much support",
            "candidates.positive > least_positive_support(objective, total, length)",
            "candidates.positive > least_positive_support(objective, total, length + 1)",
        ),
    ),
    *changed(
        "ooa/candidates/screening.py",
        SCREEN,
        ("removal: whatever the constraints", "        if removal:\n", "        if True:\n"),
    ),
    *changed(
        "ooa/learning/mine.py",
        ("tests/learning/test_mine.py",),
        ("supports: whatever the constraints", "if problem.allows_removal else ()", "if True else ()"),
    ),
    *changed(
        "ooa/learning/mine.py",
        ("tests/learning/test_mine.py", "-k", "pays_by_a_hair"),
        (
            "supports: of the next length",
            "least_positive_support(problem.objective, problem.total, length)",
            "least_positive_support(problem.objective, problem.total, length + 1)",
        ),
    ),
    *changed(
        "ooa/learning/ooax.py",
        FORBIDDEN,
        (
            "dominance: whatever the constraints",
            "dominance=problem.allows_dominance and",
            "dominance=True and",
        ),
        ("removal: whatever the constraints", "removal=problem.allows_removal", "removal=True"),
    ),
    *changed(
        "ooa/learning/proof_scope.py",
        ("tests/learning/test_proof_scope.py", "-k", "beside_constraints"),
        ("scope: removal whatever the constraints", "removal and problem.allows_removal", "removal"),
        ("scope: dominance whatever the constraints", "dominance=problem.allows_dominance", "dominance=True"),
    ),
    *changed(
        "ooa/explore/pool.py",
        ("tests/explore/test_enumerate.py", "-k", "screened_away"),
        ("pool: supports, whatever the constraints", "if problem.allows_removal and slack", "if slack"),
        (
            "pool: equal coverage, whatever the constraints",
            "if collapse and problem.allows_dominance",
            "if collapse",
        ),
    ),
    *changed(
        "ooa/learning/problem.py",
        ("tests/learning/test_problem.py",),
        (
            "most patterns: unavoidable errors twice",
            "upper - sure))",
            "upper - 2 * sure - self.objective.cost(1)))",
        ),
    ),
    *changed(
        "ooa/candidates/row_weights.py",
        ("tests/candidates/test_row_weights.py", "tests/candidates/test_mining.py"),
        ("weights by digits: rounded down", "np.ceil(weights / unit)", "np.floor(weights / unit)"),
        (
            "weights by digits: no margin",
            "margin = 1.0 if whole else 1 + 1e-9",
            "margin = 1.0",
        ),
    ),
    *changed(
        "ooa/formulations/needed_cuts.py",
        RANKS,
        ("needed cuts: good if some row is", "good = lowest >= 0", "good = highest >= 0"),
        ("needed cuts: bad if not good", "~good & (highest <= 0)", "~good"),
        ("needed cuts: forbidden move, below", "needed[:1] = ~self.bad[1:2]", "needed[:1] = needed[:1]"),
        ("needed cuts: forbidden move, above", "needed[-1:] = ~self.bad[-2:-1]", "needed[-1:] = needed[-1:]"),
        (
            "needed cuts: begins at good ranks only",
            "needed = ~self.good[:-1] & ~self.bad[1:]",
            "needed = ~self.good[:-1] & self.good[1:]",
        ),
        (
            "needed cuts: ends at good ranks only",
            "needed = ~self.bad[:-1] & ~self.good[1:]",
            "needed = self.good[:-1] & ~self.good[1:]",
        ),
    ),
    *changed(
        "ooa/formulations/rank_space.py",
        RANKS,
        ("merged ranks: weights of the wrong class", "weights=negative)", "weights=positive)"),
    ),
    *changed(
        "ooa/data/row_order.py",
        ROWS,
        (
            "merged rows: equal codes are equal rows",
            "        return _by_sorting(columns, n_rows)\n",
            "        pass\n",
        ),
        (
            "merged rows: missing differs from missing",
            "(one != other) & ~((one != one) & (other != other))",
            "one != other",
        ),
        ("merged rows: -0.0 is another number", "copy=False) + 0.0)", "copy=False).copy())"),
        (
            "merged rows: order forgotten",
            "return first[order], rank[which]",
            "return first, which.astype(np.int64)",
        ),
    ),
    *changed(
        "ooa/explore/redundancy.py",
        REDUNDANT,
        (
            "redundant: what makes others so, forgotten",
            "redundant |= ~(alone & ~self._bits).any(axis=1)",
            "redundant |= False",
        ),
        (
            "redundant: whatever is covered in part",
            "((self._bits & ~cover) == 0).all(axis=1)",
            "((self._bits & ~cover) == 0).any(axis=1)",
        ),
        ("redundant: beside itself", "others[list(part)] = False", "others[list(part)] |= False"),
    ),
    *changed(
        "ooa/explore/no_goods.py",
        REDUNDANT,
        ("n_patterns: dropped", 'self._model.add_rows("n_patterns"', '(lambda *_: None)("n_patterns"'),
        ("something differs: right-hand side", ">= 1.0 - size", ">= -size"),
        (
            "none beside: coefficient",
            "coefficients[i, list(patterns)] = many",
            "coefficients[i, list(patterns)] = 1.0",
        ),
        ("other predictions: right-hand side", "@ self.used >= 1.0", "@ self.used >= 0.0"),
    ),
]

PROOFS = [
    *changed(
        "ooa/search/pair_bound.py",
        PAIRS,
        ("pair cuts: negatives charged too often", " + (charged - self._negative).clip(0).sum()", ""),
        ("pair cuts: positives forgotten", "(self._positive - total).clip(0).sum() + ", ""),
        (
            "reduced costs: one pattern fewer",
            "top[: self._max_patterns - 1].sum() <= needed",
            "0 * top.sum() <= needed",
        ),
        ("reduced costs: rounding", "<= needed + 0.5)]", "<= needed + 1.5)]"),
        (
            "pair cuts: one pattern fewer",
            "top = value[best[: self._max_patterns]].clip(0)",
            "top = value[best[: self._max_patterns - 1]].clip(0)",
        ),
    ),
    *changed(
        "ooa/search/row_copies.py",
        ("tests/search/test_row_copies.py",),
        ("copies: nothing used up", "left[place] -= taken", "left[place] -= 0.0"),
        ("copies: in full", "needed = part * amount", "needed = amount"),
        (
            "rows alike: each has all",
            "[right.copies.row] * right.copies.weight",
            "[right.copies.row] * right.weight[right.copies.row]",
        ),
        (
            "rows alike: all of the uncovered",
            "packed = np.packbits(here, axis=0).T",
            "packed = np.packbits(here[:1], axis=0).T",
        ),
        ("rows alike: small ones left out", "most, small=0.0)", "most)"),
    ),
    *changed(
        "ooa/search/branch_and_bound.py",
        (
            "tests/search/test_branch_and_bound.py",
            "tests/search/test_pair_bound.py",
            "-k",
            "refused or with_pairs_finds or need_not_be_done or settled_at",
        ),
        ("settled: whatever the next target is", "or least < self._excluded:", "or least < 0:"),
        ("weights of any size", "> MOST_UNITS:", "> 1e99:"),
        (
            "pair cuts: bound rounded down",
            "int(np.floor(search.bound + 0.5))",
            "int(np.floor(search.bound - 0.5))",
        ),
    ),
    *changed(
        "ooa/search/replacement.py",
        ("tests/search/test_replacement.py",),
        (
            "replacement: rows that are covered count again",
            "self._patterns.run(~covered, known",
            "self._patterns.run(covered | ~covered, known",
        ),
        (
            "replacement: prices forgotten",
            "return worth - sum(map(self._patterns.price, patterns))",
            "return worth",
        ),
    ),
    *changed(
        "ooa/learning/gaps.py",
        PROVE,
        ("proof: of less than was excluded", "value = min(most, value)", "value = most"),
        (
            "proof: final at any gap",
            "self.final = self.final or value < most",
            "self.final = self.final or value <= most",
        ),
        (
            "proof: target one below",
            "return known - math.floor(Fraction(gap) * known)",
            "return known - math.floor(Fraction(gap) * known) - 1",
        ),
    ),
    *changed(
        "ooa/learning/certificate.py",
        ("tests/learning/test_certificate.py",),
        (
            "solver's bound: not relaxed",
            "Fraction(bound - TOLERANCE * max(1.0, abs(bound)))",
            "Fraction(bound)",
        ),
        (
            "solver's bound: lifted once more",
            "math.ceil(relaxed / grid) * grid",
            "math.ceil(relaxed / grid + 1) * grid",
        ),
        (
            "trivial bound: not the empty set",
            "return min(exact_sum(rows.positive) / total, unavoidable + objective.cost(1))",
            "return unavoidable + objective.cost(1)",
        ),
    ),
    *changed(
        "ooa/learning/grid.py",
        GRID,
        ("grid: what was raised, below", "* bound - self.raised) / self.total", "* bound) / self.total"),
        ("grid: what was raised, above", "* value + self.raised)", "* value)"),
        ("grid: prices rounded up", "math.floor(total * price / unit)", "math.ceil(total * price / unit)"),
        ("grid: tiny weights are none", "np.where(tiny, 1, units)", "np.where(tiny, 0, units)"),
        ("grid: supports as given", "(Fraction(least) - rounded) / self.unit", "Fraction(least) / self.unit"),
    ),
    *changed(
        "ooa/learning/barred.py",
        ("tests/learning/test_barred.py",),
        ("literals left: beside other constraints", "single = all(", "single = any("),
        ("literals left: all of them", "np.flatnonzero(counted.allowed)", "np.arange(len(literals))"),
        ("literals left: the user's own whatever they are", "only_allowed(fit, own)[1]", "own"),
    ),
    *changed(
        "ooa/objective.py",
        ("tests/test_objective.py", "ooa/objective.py"),
        ("grid: prices of patterns forgotten", "total * self.C1, total * self.C2):", "total * self.C1):"),
    ),
    *changed(
        "ooa/learning/solve.py",
        ("tests/learning/test_contradictions.py",),
        ("solver: a bound above what is known", "if upper is not None and bound > upper:", "if False:"),
        (
            "solver: an objective below its rule set's",
            "if abs(claimed - exactly) > SLACK and",
            "if False and",
        ),
    ),
]
