"""More mutants: all sets near the best, listed; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

CORE = "ooa/kernels/core/"
LISTED = ("tests/search/test_listing.py",)
EXCHANGED = ("tests/search/test_exchanges.py",)
GROUPED = ("tests/explore/test_coverages.py",)
RANGES = ("tests/explore/test_extremes.py",)
FOUND = ("tests/explore/test_enumerate.py", "-k", "epsilon or n_best or distinct_predictions")

LISTING = [
    *changed(
        f"{CORE}walk.h",
        LISTED,
        ("listing: every pattern has to pay", "saves + aims_.below >= one.price", "saves > one.price"),
        ("listing: redundant as in a search", "aims_.slack(depth) + aims_.below <", "aims_.slack(depth) <"),
        (
            "listing: one better",
            "if (value > incumbent.target) listed",
            "if (value > incumbent.target + 1) listed",
        ),
        ("listing: what adds nothing is lean", "(saves > 0 || harm > 0 || !patterns_.lean)", "true"),
    ),
    *changed(
        f"{CORE}listed.h",
        LISTED,
        (
            "listing: redundant ones too",
            "patterns.lean && !all_needed",
            "patterns.lean && false && !all_needed",
        ),
        ("listing: negatives alone are no need", "&& !needed(patterns.wrong, chosen, many, a)", ""),
    ),
    *changed(
        f"{CORE}set_search.h",
        LISTED,
        ("listing: of one batch", "listed_.append(one.listed);", "listed_ = one.listed;"),
    ),
    *changed(
        "ooa/search/exchanges.py",
        EXCHANGED,
        ("exchanges: once only", "waiting.append(after)", "pass"),
        ("exchanges: the first alone", "for out in choice:", "for out in choice[:1]:"),
        ("exchanges: at the target", "more > target - self", "more > 1 + target - self"),
    ),
    *changed(
        "ooa/explore/coverages.py",
        GROUPED,
        ("coverages: only the cheapest", "for k in range(last, len(members)):", "for k in range(0):"),
        (
            "coverages: the same one twice",
            "for k in range(last, len(members)):",
            "for k in range(len(members)):",
        ),
        ("coverages: counted without limit", "[np.arange(len(sets)), spare]", "[:, -1]"),
    ),
    *changed(
        "ooa/explore/listing_rounds.py",
        ("tests/explore/test_enumerate_limits.py", "-k", "steps"),
        ("list: steps of one size", "(2 if soon else 1)", "1"),
        ("list: large steps without a distance", "wanted.within is not None and took", "took"),
    ),
    *changed(
        "ooa/explore/extremes.py",
        RANGES,
        (
            "ranges: excluded by value",
            "if learned.certificate.bound > self.upper",
            "if learned.certificate.objective > self.upper",
        ),
        ("ranges: a stride excludes all", "if not stride:", "if True:"),
        ("ranges: redundant ones count", "if self.redundant:", "if True:"),
        ("ranges: worse than asked", "if learned.certificate.objective > self.upper or", "if False or"),
    ),
    *changed(
        "ooa/explore/figures.py",
        RANGES,
        ("ranges: as much is more", "TINY = Fraction(1, 10**30)", "TINY = Fraction(0)"),
        ("ranges: gaps one way", "permutations(rates, 2)", "list(permutations(rates, 2))[:1]"),
        ("ranges: positives of groups", "rows & table.y for rows in groups", "rows for rows in groups"),
    ),
    *changed(
        "ooa/explore/listing.py",
        FOUND,
        ("list: no empty set", "if target < 0:", "if target < -(1 << 60):"),
        ("list: dominated ones dropped in any case", "dear = int(valued", "dear = True or int(valued"),
        ("list: dominated ones lost", "return not dear or self", "return True or self"),
        ("list: others as good forgotten", "min([self._most + 1, *beyond])", "(self._most + 1)"),
    ),
]
