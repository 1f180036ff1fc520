"""More mutants: the bounds of families of boxes, in the compiled core; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

CORE = "ooa/kernels/core/"
KERNEL = ("tests/kernels/test_boxes.py",)
SEARCH = ("tests/search/test_boxes.py", *KERNEL)

BOX_BOUNDS = [
    *changed(
        f"{CORE}boxes_line.h",
        KERNEL,
        (
            "line: price twice",
            "if (found.literal > kNothing) found.literal -= literal_price;",
            "if (found.literal > kNothing) found.literal -= 2 * literal_price;",
        ),
        (
            'line: "is missing" forgotten',
            "if (domain().may(kMissing) && worth[",
            "if (false && worth[",
        ),
        (
            "line: without a literal, the last rows forgotten",
            "for (Int r = first(); r <= last(); ++r) all += worth[r];",
            "for (Int r = first(); r + 1 < last(); ++r) all += worth[r];",
        ),
        ("line: the last lower end", "if (r <= one.lb && sum < least) {", "if (r < one.lb && sum < least) {"),
        (
            "line: the first upper end",
            "if (r >= one.ua && sum - least > best) {",
            "if (r > one.ua && sum - least > best) {",
        ),
        (
            "line: the first category",
            "[&](Int r) {\n            if (worth[r] > best) {",
            "[&](Int r) {\n            if (best == kNothing) {",
        ),
        (
            "line: sets of what is sure alone",
            "if (has(must, r) || worth[r] > 0) {",
            "if (has(must, r)) {",
        ),
        ("probing: no literal", "(worth, spans) <= target)", "(worth, spans) <= target + 1)"),
        (
            'probing: "is missing"',
            "worth[scale_.ranks] <= needed) one",
            "worth[scale_.ranks] <= needed + 1) one",
        ),
        (
            "probing: price twice",
            "const Int needed = target + literal_price - base;",
            "const Int needed = target + 2 * literal_price - base;",
        ),
        (
            "probing: lower ends",
            "if (most[r] - sum[r] <= needed) continue;",
            "if (most[r] - sum[r] <= needed + 1) continue;",
        ),
        (
            "probing: upper ends",
            "sum[r + 1] - least <= needed) continue;",
            "sum[r + 1] - least <= needed + 1) continue;",
        ),
        (
            "probing: upper ends in reach of the first lower end alone",
            "if (r <= one.lb) least = std::min(least, sum[r]);",
            "if (r <= one.la) least = std::min(least, sum[r]);",
        ),
        ("probing: categories", "if (worth[r] > needed) {", "if (worth[r] > needed + 1) {"),
        (
            "probing: what a set cannot have",
            "std::min<Int>(0, worth[r]) > needed;",
            "std::min<Int>(0, worth[r]) > needed + 1;",
        ),
        (
            "probing: what a set cannot do without",
            "std::max<Int>(0, worth[r]) > needed;",
            "std::max<Int>(0, worth[r]) > needed + 1;",
        ),
        ("probing: sets", "return !dead && most > needed &&", "return !dead && most > needed + 1 &&"),
    ),
    *changed(
        f"{CORE}boxes_bound.h",
        KERNEL,
        ("length: one literal fewer", "if (sure > prices_.longest)", "if (sure >= prices_.longest)"),
        (
            "length: full too early",
            "if (sure == prices_.longest && one.may(kNone))",
            "if (sure + 1 >= prices_.longest && one.may(kNone))",
        ),
        (
            "prices: of a literal that is not there",
            "cost_[k] = prices_.pattern + sure * prices_.literal;",
            "cost_[k] = prices_.pattern + (sure + 1) * prices_.literal;",
        ),
        (
            "ends: none where one is left",
            "if (one.la > one.lb || one.ua > one.ub)",
            "if (one.la >= one.lb || one.ua > one.ub)",
        ),
        ("split: all is sure", "inner[w] = outer[w] & ~one[w];", "inner[w] = outer[w];"),
        ("split: what hangs on several hangs on each", "one[w] &= ~more[w];", "one[w] &= ~Word(0);"),
        ("split: shared by none", "twice_[w] |= once_[w] & outer[w];", "twice_[w] |= 0;"),
        (
            "counts: of all boxes",
            "return once_[w]; }) - price_ - harm_ <= target)",
            "return once_[w]; }) - price_ - harm_ <= target + 1)",
        ),
        ("order: of what the first have", "+ (K_ - k) * most <= target)", "+ (K_ - k - 1) * most <= target)"),
        (
            "order: no two alike",
            "if (least > previous) return false;",
            "if (least >= previous) return false;",
        ),
        (
            "order: one box more is paid",
            "earlier - (K_ - k) * cost_[k];",
            "earlier - (K_ - k + 1) * cost_[k];",
        ),
        (
            "order: positives of later boxes forgotten",
            "total_ += times * worth_.positives",
            "total_ += worth_.positives",
        ),
        (
            "order: what a box may still cost is sure",
            "- cost_[k] - may_cost(f, k);",
            "- cost_[k];",
        ),
        (
            "order: negatives that boxes before may have are added",
            "return inner[w] & ~before_out_[w]; });",
            "return inner[w]; });",
        ),
        (
            "order: a first literal where one is sure",
            "if (!literals_[k].empty()) first = 0;",
            "",
        ),
        (
            "order: positives that boxes before may have count for none",
            "(times - static_cast<Int>(has(before_out_.data(), place))) * worth_[place];",
            "(has(before_out_.data(), place) ? 0 : times) * worth_[place];",
        ),
        (
            "order: negatives that are sure are charged again",
            "for (Int w = border; w < W_; ++w) own_[w] = one[w] & ~sure_[w];\n        Int slack",
            "for (Int w = border; w < W_; ++w) own_[w] = one[w];\n        Int slack",
        ),
        (
            "order: literals cost one time more",
            "line.best(sum, times * price_of(f.at(k, j)), nullptr);",
            "line.best(sum, (times + 1) * price_of(f.at(k, j)), nullptr);",
        ),
        (
            "order: probed as if it stood for one box more",
            "if (!probe_box(f, k, K_ - k, target, changed)) return false;",
            "if (!probe_box(f, k, K_ - k + 1, target, changed)) return false;",
        ),
        (
            "fewer boxes: enough",
            "cap[popcount(static_cast<Word>(chosen))] + more <= target",
            "cap[popcount(static_cast<Word>(chosen))] + more <= target + 1",
        ),
        (
            "fewer boxes: one fewer still",
            "cap[popcount(static_cast<Word>(chosen))] + more",
            "cap[popcount(static_cast<Word>(chosen)) - 1] + more",
        ),
        ("fewer boxes: prices of all", "if (!first) price += cost_[k];", "price += cost_[k];"),
        (
            "fewer boxes: what they may have is theirs",
            "*right = first ? inner : outer, *wrong",
            "*right = outer, *wrong",
        ),
        (
            "fewer boxes: what others may have is charged",
            "*wrong = first ? outer : inner;",
            "*wrong = first ? inner : inner;",
        ),
        (
            "literals pay: one more",
            "return left[w]; }) <= prices_.literal) return false;",
            "return left[w]; }) <= prices_.literal + 1) return false;",
        ),
        (
            "literals pay: what others may have",
            "left[w] = rows_.all()[w] & ~others_in_[w];",
            "left[w] = rows_.all()[w] & ~others_out_[w];",
        ),
        ("literals pay: beside themselves", "if (other != j) f.keep_outer", "f.keep_outer"),
        ("literals pay: an only one too", "if (literals_[k].size() < 2) continue;", ""),
        ("lines: shared positives forgotten", "+ shared - harm_ - price_;", "- harm_ - price_;"),
        ("lines: just enough", "return bound_ > target;", "return bound_ > target + 1;"),
        ("lines: bound one less", "bound_ = total_ - forced;", "bound_ = total_ - forced - 1;"),
        (
            "lines: positives that hang on several forgotten",
            "several_[w] = more[w] & ~others_out_[w];",
            "several_[w] = 0;",
        ),
        ("lines: negatives charged to each box", "& ~sure_[w] & ~taken_[w];", "& ~sure_[w];"),
        (
            "lines: negatives charged that are sure",
            "own_[w] = one[w] & ~sure_[w] & ~taken_[w];",
            "own_[w] = one[w] & ~taken_[w];",
        ),
        ("lines: a first literal where one is sure", "if (!literals_[k].empty()) return 0;", ""),
        (
            "lines: price of what is sure",
            "return one.may(kNone) ? prices_.literal : 0;",
            "return prices_.literal + 0 * one.options;",
        ),
        (
            "probing: positives that hang on several forgotten",
            "more[r] += one[r];",
            "more[r] = one[r];",
        ),
        (
            "probing: base",
            "const Int base = total_ - best_[k * J_ + j].best",
            "const Int base = total_ - 1 - best_[k * J_ + j].best",
        ),
    ),
    *changed(
        f"{CORE}boxes_spans.h",
        SEARCH,
        (
            "spans: the end of a pair forgotten",
            "suffixes_.add(spans_[next].low - one.la, -spans_[next].amount);",
            "suffixes_.add(spans_[next].low - one.la, -2 * spans_[next].amount);",
        ),
        (
            "spans: the best suffix without what follows",
            "best_[2 * node] + sum_[2 * node + 1]);",
            "best_[2 * node]);",
        ),
        (
            "spans: ranks above the last lower end forgotten",
            "r, suffixes_.best() + later);\n        }\n    }\n\n    // The same",
            "r, suffixes_.best());\n        }\n    }\n\n    // The same",
        ),
    ),
    *changed(
        f"{CORE}boxes_bound.h",
        SEARCH,
        (
            "spans: a pair at the wrong end",
            "worth[a >= one.lb ? b : a] -= amount;",
            "worth[a >= one.lb ? a : b] -= amount;",
        ),
    ),
    *changed(
        f"{CORE}boxes_reduced.h",
        SEARCH,
        ("worth: one too much is asked for", "scale * (target + 1) -", "scale * (target + 2) -"),
        ("worth: what is given forgotten", "(target + 1) - worth_.given,", "(target + 1),"),
        ("worth: a literal must pay", "none_, kSettled, false)", "none_, kSettled, true)"),
    ),
]
