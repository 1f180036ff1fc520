"""More mutants: what families of boxes keep to of what constraints say of patterns; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

FILTERS = "ooa/kernels/core/boxes_filters.h"
KERNEL = ("tests/kernels/test_box_filters.py",)
READ = ("tests/formulations/test_box_filters.py",)
FIT = ("tests/learning/test_box_constraints.py",)

BOX_FILTERS = [
    *changed(
        FILTERS,
        KERNEL,
        (
            "filters: a literal must pay, whatever needs it",
            "term.attribute == j && term.amount < 0) return false;",
            "term.attribute == j && term.amount < -9) return false;",
        ),
        (
            "filters: a literal must pay, though a forbidden box is left",
            "if (one.domain[j].only(kNone)) return false;",
            "if (one.domain[j].only(0)) return false;",
        ),
        ("filters: a literal must pay, though more is covered", "if (grows_) return false;", ""),
        (
            "filters: no room",
            "if (least > limit.most) return false;\n        for (Int k = first",
            "if (least >= limit.most) return false;\n        for (Int k = first",
        ),
        (
            "filters: cleared where there is room",
            "std::abs(term.amount) <= limit.most - least) continue;",
            "std::abs(term.amount) < limit.most - least) continue;",
        ),
        (
            "filters: what is possible is sure",
            "if (term.amount > 0 ? now.sure : now.possible) least",
            "if (now.sure) least",
        ),
        (
            "filters: any of them is each",
            "if (state(f, k, term).sure) return true;",
            "if (k == 0 && state(f, k, term).possible) return true;",
        ),
        ("filters: ends below", "sure && one.ub < term.rank, ranks", "sure && one.ub <= term.rank, ranks"),
        ("filters: begins at", "ranks && one.lb >= term.rank};", "ranks && one.lb > term.rank};"),
        ("filters: any category is named", ": f.possible(k, j) == 1;", ": true;"),
        (
            "filters: too little support is enough",
            "scratch[w]; }) < one.least) return false;",
            "scratch[w]; }) < one.least - 1) return false;",
        ),
        (
            "filters: more support than is needed",
            "scratch[w]; }) < one.least) return false;",
            "scratch[w]; }) <= one.least) return false;",
        ),
        (
            "filters: like a forbidden box",
            "if (one.la != other.la || one.ub != other.ub) return false;",
            "if (one.la != other.la) return false;",
        ),
        ("filters: all that may be covered is", "sure[w] |= inner[w];", "sure[w] |= outer[w];"),
        (
            "filters: one more may be covered",
            "if (least > one.most) return false;",
            "if (least > one.most + 1) return false;",
        ),
    ),
    *changed(
        "ooa/kernels/core/boxes_walk.h",
        KERNEL,
        ("filters: found, and not asked", "        if (!filters_.pass(found)) return;\n", ""),
    ),
    *changed(
        "ooa/formulations/box_filters.py",
        READ,
        (
            "read: of some boxes",
            "complete &= len(of) == self._words.K and self._each(",
            "complete &= self._each(",
        ),
        ("read: sums that fall", "or min(lines.values()) < 0:", "or False:"),
        (
            "read: boxes that are not there",
            "        if limit < 0:\n            return False\n        if support",
            "        if support",
        ),
        ("read: rounded is exact", "            complete &= one.exact\n", ""),
        ("read: a support of one step less", "math.ceil(least / step)", "math.ceil(least / step) - 1"),
        (
            "read: positives of the other class",
            "np.where(task.table.y, task.table.weight",
            "np.where(~task.table.y, task.table.weight",
        ),
        ("together: of any as of all", "min(count, 1) if limit.among is Among.ANY else count", "count"),
    ),
    *changed(
        "ooa/formulations/box_filters.py",
        READ,
        ("cuts: of forbidden boxes", "return bool(ends or self.forbidden)", "return bool(ends)"),
        ("cuts: of ends", "return bool(ends or self.forbidden)", "return bool(self.forbidden)"),
        ("cuts: of supports", "return self.of_ends or leave or enter", "return self.of_ends or enter"),
        (
            "cuts: of limits on what is covered",
            "return self.of_ends or leave or enter",
            "return self.of_ends or leave",
        ),
    ),
    *changed(
        "ooa/learning/boxes.py",
        FIT,
        (
            "known: what does not keep to it together",
            "if self._filters.together([self._search.box(items) for items in boxes], self._space):",
            "if True:",
        ),
    ),
    *changed(
        "ooa/learning/priced_boxes.py",
        FIT,
        (
            "limits: those that may fall, too",
            "for weight, most in sums if (weight >= 0).all())",
            "for weight, most in sums)",
        ),
    ),
]
