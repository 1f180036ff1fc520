"""More mutants: the kernels of the exact search and of the best single pattern; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

BRANCH = ("tests/search/test_branch_and_bound.py",)
PAIRS = (
    "tests/search/test_pair_bound.py",
    "-k",
    "more_than_the_bound or multipliers_whatever or with_pairs_finds",
)
PATTERN = ("tests/search/test_best_pattern.py",)

KERNELS = [
    *changed(
        "ooa/kernels/bounds.py",
        BRANCH,
        (
            "counting: least of a bucket",
            "(bucket * largest + BUCKETS - 2) // (BUCKETS - 1)",
            "(bucket * largest + BUCKETS - 2) // (BUCKETS - 1) + 1",
        ),
        (
            "counting: own bucket only",
            "    cumulate(top)\n    for b in range(BUCKETS - 1",
            "    for b in range(BUCKETS - 1",
        ),
        ("counting: one pattern fewer", "others - ranks + 1 if", "others - ranks if"),
        ("counting: later buckets forgotten", "best[b, k] = best[b + 1, k]", "best[b, k] = best[b, k]"),
        ("counting: prices twice", "free - cost - negative[i]", "free - 2 * cost - negative[i]"),
        ("counting: alone", "hope = saved - negative[i] > needed", "hope = saved - negative[i] > needed + 1"),
        ("counting: what is covered", "rows[w] & ~cover[w]", "rows[w] & cover[w]"),
        (
            "counting: equal to its price",
            "hope and positive[i] > price[i]",
            "hope and positive[i] > price[i] + 1",
        ),
        plain=True,
    ),
    *changed(
        "ooa/kernels/multipliers.py",
        BRANCH,
        ("multipliers: rounding of classes", "if least[b] > needed + 0.5:", "if least[b] > needed + 1.5:"),
        (
            "multipliers: rounding of patterns",
            "value[i] + best[bucket[i]] > needed + 0.5:",
            "value[i] + best[bucket[i]] > needed + 1.5:",
        ),
        ("multipliers: nothing given", "given += weight[r] - y[r] if weight[r] > 0 else 0.0", "given += 0.0"),
        (
            "multipliers: one pattern fewer",
            "for k in range(max_patterns - 1):\n            same",
            "for k in range(max_patterns - 2):\n            same",
        ),
        ("multipliers: later classes forgotten", "best[b] = max(later, same)", "best[b] = same"),
        ("multipliers: bound", "np.int64(np.floor(most + 0.5))", "np.int64(np.floor(most - 0.5))"),
        plain=True,
    ),
    *changed(
        "ooa/kernels/multipliers.py",
        PAIRS,
        ("multipliers: pairs lost twice", "total -= loss[which[k]]", "total -= 2 * loss[which[k]]"),
        plain=True,
    ),
    *changed(
        "ooa/kernels/pairs.py",
        PAIRS,
        ("pairs: charged in full", "charge[i] -= np.int64(total)", "charge[i] -= 0"),
        (
            "pairs: of either row",
            "if has(right[z], right_of[k]) and has(",
            "if has(right[z], right_of[k]) or has(",
        ),
        (
            "pairs: of negatives that are wrong already",
            "is_open[k] = not (has(cover, pairs.right[k]) or has(bad, pairs.wrong[k]))",
            "is_open[k] = not has(cover, pairs.right[k])",
        ),
        plain=True,
    ),
    *changed(
        "ooa/kernels/pair_values.py",
        PAIRS,
        ("worth: pairs of both rows", "if not wrong[z, second[m]]:", "if wrong[z, second[m]]:"),
        ("worth: price twice", "total = -float(price[z])", "total = -2.0 * float(price[z])"),
        plain=True,
    ),
    *changed(
        "ooa/kernels/dominance.py",
        (*BRANCH, "-k", "dominance"),
        (
            "dominance by weight: negatives forgotten",
            "excess -= wrong_factor[w] * popcount(wrong[j, w] & ~wrong[i, w])",
            "excess -= 0",
        ),
        (
            "dominance by weight: positives forgotten",
            "excess -= right_factor[w] * popcount(right[i, w] & ~right[j, w])",
            "excess -= 0",
        ),
        (
            "dominance by weight: at a loss",
            "excess = price[i] - price[j]",
            "excess = price[i] - price[j] + 1",
        ),
        plain=True,
    ),
    *changed(
        "ooa/kernels/walk.py",
        BRANCH,
        (
            "walk: redundant too early",
            "if own + slack < price[chosen[a]]:",
            "if own + slack < price[chosen[a]] + 2:",
        ),
        ("walk: replaced at a loss", "if ahead[level, j] > short:", "if ahead[level, j] > short + 1:"),
        (
            "walk: replaced, negatives forgotten",
            "saves + lost + cost[level, i] - fee",
            "saves + cost[level, i] - fee",
        ),
        ("walk: followed by one at most", "(saves if left == 2 else rest) - fee", "saves - fee"),
        (
            "walk: target too high",
            "state[TARGET] = max(state[TARGET], value)",
            "state[TARGET] = max(state[TARGET], value + 1)",
        ),
        (
            "walk: what was seen is forgotten",
            "bound = max(seen[level + 1], state[TARGET] - slack[level + 1])",
            "bound = state[TARGET] - slack[level + 1]",
        ),
        ("walk: subtrees cut short", "if bound > aim:\n", "if bound > aim + 1:\n"),
        plain=True,
    ),
    *changed(
        "ooa/kernels/best_pattern.py",
        PATTERN,
        (
            "best pattern: any of a chain",
            "if chained and levels.negative[level, kept - 1] == negative:",
            "if chained:",
        ),
        ("best pattern: narrower, whatever the support", "if chained and narrower and", "if chained and"),
        (
            "best pattern: hope",
            "levels.positive[level, i] - price[level + 2] <= state[BEST]",
            "levels.positive[level, i] - price[level + 2] <= state[BEST] + 1",
        ),
        ("best pattern: support", "return total >= problem.least", "return total > problem.least"),
        plain=True,
    ),
]
