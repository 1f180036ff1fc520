"""More mutants: the bounds of the exact search, in the compiled core; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed
from mutant_searches import SEARCHES

CORE = "ooa/kernels/core/"
BRANCH = ("tests/search/test_branch_and_bound.py",)
PAIRS = (
    "tests/search/test_pair_bound.py",
    "-k",
    "more_than_the_bound or of_their_own or multipliers or with_pairs",
)
BITS = ("tests/kernels/test_bits.py",)
MINING = ("tests/kernels/test_mining.py",)

KERNELS = [
    *changed(
        f"{CORE}words.h",
        BRANCH,
        ("rows: what is covered", "rows[w] & ~cover[w]", "rows[w] & cover[w]"),
        ("rows: all weigh like the first", "uniform_ = uniform_ && one == factor_[0]", "(void)one"),
    ),
    *changed(
        f"{CORE}counting.h",
        BRANCH,
        (
            "counting: least of a bucket",
            "return (bucket * largest + kBuckets - 2) / (kBuckets - 1);",
            "return (bucket * largest + kBuckets - 2) / (kBuckets - 1) + 1;",
        ),
        ("counting: own bucket only", "        top_.cumulate();\n", ""),
        (
            "top values: merged rank by rank",
            "for (Int k = 0, i = 0, j = 0; k < ranks_; ++k) {\n"
            "                top[k] = here_[i] >= below[j] ? here_[i++] : below[j++];",
            "for (Int k = 0; k < ranks_; ++k) {\n                top[k] = std::max(here_[k], below[k]);",
        ),
        (
            "top values: the one before is lost",
            "if (value > top[k]) std::swap(value, top[k]);",
            "if (value > top[k]) {\n                top[k] = value;\n                break;\n            }",
        ),
        ("counting: one pattern fewer", "others - ranks + 1 : 1", "others - ranks : 1"),
        (
            "counting: later buckets forgotten",
            "                if (b < kBuckets - 1) best_[b][k] = std::max(best_[b][k], best_[b + 1][k]);\n",
            "",
        ),
        ("counting: prices twice", "free - price - one.negative", "free - 2 * price - one.negative"),
        (
            "counting: dearest for cheapest",
            "if (price < cheap_[k]) std::swap(price, cheap_[k]);",
            "if (cheap_[k] == kHuge || price > cheap_[k]) std::swap(price, cheap_[k]);",
        ),
        ("counting: alone", "if (saved - one.negative > needed)", "if (saved - one.negative > needed + 1)"),
        (
            "counting: equal to its price",
            "if ((saved > 0 || !pays) && hopeful",
            "if ((saved > 1 || !pays) && hopeful",
        ),
        (
            "counting: others at a loss",
            "one.negative) > needed) return true;",
            "one.negative) > needed + 1) return true;",
        ),
    ),
    *changed(
        f"{CORE}multipliers.h",
        BRANCH,
        (
            "multipliers: classes that are just enough",
            "if (best_if_worst_[b] > needed) {",
            "if (best_if_worst_[b] > needed + at_.lowered(1)) {",
        ),
        (
            "multipliers: patterns that are just enough",
            "value_[i] + beside_[bucket_[i]] > needed) continue;",
            "value_[i] + beside_[bucket_[i]] > needed + at_.lowered(1)) continue;",
        ),
        (
            "multipliers: one pattern fewer",
            "for (Int k = 0; k < most - 1; ++k) {",
            "for (Int k = 0; k < most - 2; ++k) {",
        ),
        (
            "multipliers: later classes forgotten",
            "beside_[b] = std::max(later, same);",
            "beside_[b] = same;",
        ),
        ("multipliers: the next class alone", "later = std::max(later, two);", "later = two;"),
        ("multipliers: beside none of its class", "beside_[b] = later;", "beside_[b] = -kHuge;"),
        (
            "multipliers: the worst member is worth nothing, beside another",
            "two += k < most - 2 ? top[k] : std::min(inside_[b], top[k]);",
            "two += k < most - 2 ? top[k] : std::min<Int>(inside_[b], 0);",
        ),
        (
            "multipliers: the worst member is worth nothing",
            "same + std::min(inside_[b], top[most - 1])",
            "same + std::min<Int>(inside_[b], 0)",
        ),
        (
            "multipliers: bound one less",
            "std::max(needed, at_.in_weight(found.highest))",
            "std::max(needed, at_.in_weight(found.highest) - 1)",
        ),
        (
            "multipliers: bounds of another node",
            "best_if_worst_.assign(kBuckets, kHuge);",
            "best_if_worst_.resize(kBuckets, kHuge);",
        ),
        ("multipliers: class of the pattern before", "            bucket_[kept] = bucket_[i];\n", ""),
        ("multipliers: prices raised", "at_.lowered(list[who_[i]].price)", "at_.raised(list[who_[i]].price)"),
        (
            "multipliers: no pairs are added",
            "        separation_.add_pairs(",
            "        if (false) separation_.add_pairs(",
        ),
    ),
    *changed(
        f"{CORE}multiplied.h",
        BRANCH,
        (
            "multipliers: positives lowered",
            "weight[i] = raised(patterns_.right_factor",
            "weight[i] = lowered(patterns_.right_factor",
        ),
        (
            "multipliers: negatives raised",
            "harm[j] = lowered(patterns_.wrong_factor",
            "harm[j] = raised(patterns_.wrong_factor",
        ),
        (
            "multipliers: pairs of more than a negative weighs",
            "cap[j] = std::min(harm[j], static_cast<Int>(likely));",
            "cap[j] = static_cast<Int>(likely) + harm[j];",
        ),
        (
            "multipliers: rows that are covered count again",
            "if (has(taken, r) || factor[r / 64] == 0) continue;",
            "if (taken == nullptr || factor[r / 64] == 0) continue;",
        ),
    ),
    *changed(
        f"{CORE}subgradient.h",
        BRANCH,
        (
            "multipliers: no step is made",
            "            move(pace * (total - target), step ? kMemory : 0.0f);\n",
            "",
        ),
        (
            "multipliers: steps that go up",
            "x_[r] - step * direction_[r], 0.0f",
            "x_[r] + step * direction_[r], 0.0f",
        ),
    ),
    *changed(
        f"{CORE}separation.h",
        BRANCH,
        (
            "pairs: those that are kept to",
            "const float excess = both[j + k] - charged[j + k];",
            "const float excess = charged[j + k] - both[j + k];",
        ),
        ("pairs: what covers a positive twice is forgotten", "                beyond_[i] += much;\n", ""),
    ),
    *changed(
        f"{CORE}multiplied.h",
        PAIRS,
        (
            "multipliers: nothing given",
            "for (const Int left : left_) given += left;",
            "for (const Int left : left_) given += 0 * left;",
        ),
        ("multipliers: overspent for nothing", "given += std::max<Int>(0, spent_[j] - cap[j]);", "(void)j;"),
        (
            "pairs: of patterns that cover neither",
            "right[pairs[k].right] & ~wrong[pairs[k].wrong], whole_pair[k]",
            "~right[pairs[k].right] & ~wrong[pairs[k].wrong], whole_pair[k]",
        ),
        (
            "pairs: of patterns that cover both",
            "right[pairs[k].right] & ~wrong[pairs[k].wrong], whole_pair[k]",
            "right[pairs[k].right] & wrong[pairs[k].wrong], whole_pair[k]",
        ),
        (
            "pairs: charged in full",
            "static_cast<std::int32_t>(harm[j] - cap[j]);",
            "static_cast<std::int32_t>(harm[j]);",
        ),
    ),
    *changed(
        f"{CORE}planes.h",
        BRANCH,
        ("planes: a block is not turned", "            transpose(block);\n", ""),
        ("planes: the rows of another word", "const Int w = rows[k] / 64;", "const Int w = 0 * rows[k];"),
        (
            "planes: the last part forgotten",
            "for (int k = 0; k < kParts; ++k) {\n        const Sums has",
            "for (int k = 0; k < kParts - 1; ++k) {\n        const Sums has",
        ),
    ),
    *changed(
        f"{CORE}gains.h",
        BITS,
        ("worth: pairs of both rows", "if (!harms[by.second[m]])", "if (harms[by.second[m]])"),
        (
            "worth: price twice",
            "double total = -static_cast<double>(price[names[i]]);",
            "double total = -2.0 * static_cast<double>(price[names[i]]);",
        ),
        ("worth: the last pair of a positive forgotten", "m < by.first[p + 1]", "m < by.first[p + 1] - 1"),
        ("worth: the last that covers", "if (covers[p] && total > most[p]) {", "if (covers[p]) {"),
        (
            "gains: the last words forgotten",
            "for (Int w = whole; w < words; ++w) lane[0] +=",
            "for (Int w = whole; w < whole; ++w) lane[0] +=",
        ),
        ("gains: negatives as they are", "- harshness * wrong", "- wrong"),
        ("gains: what is covered", "return set[w] & ~cover[w];", "return set[w] & cover[w];"),
    ),
    *changed(
        f"{CORE}layout.h",
        BITS,
        ("rows in order: from the lowest place on", "<< one.shift;", ";"),
        ("rows in order: whatever the order was", "if (next && bit > one.mask) {", "if (next) {"),
        ("rows in order: over gaps", "&& one.last == place - 1;", ";"),
        ("shared rows: of any set", "rows[w] &= other[w];", "rows[w] |= other[w];"),
        ("chains: of sets that are not within one another", "return w == words;", "return w > 0;"),
        ("chains: the last set is the first", "last[c] = named[i];", "last[c] += 0;"),
        (
            "shared rows: without the last set",
            "for (Int k = 1; k < longest; ++k)",
            "for (Int k = 1; k < longest - 1; ++k)",
        ),
    ),
    *changed(
        f"{CORE}mining.h",
        MINING,
        (
            "mining: one attribute twice",
            "if (attribute_[last] == attribute_[added]) continue;",
            "(void)last;",
        ),
        (
            "mining: above the threshold only",
            "if (positive < least) continue;",
            "if (positive <= least) continue;",
        ),
        (
            "mining: no pattern below its own threshold has children",
            "alive_[l] = std::min(alive_[l], alive_[l + 1]);",
            "(void)l;",
        ),
        (
            "mining: the last sibling forgotten",
            "j < block.family_end[i]; ++j",
            "j < block.family_end[i] - 1; ++j",
        ),
        (
            "mining: families run together",
            "size, children.size() + size);",
            "size, children.size() + size + 1);",
        ),
        (
            "mining: literals as they were joined",
            "std::sort(found.items.end() - length - 1, found.items.end());",
            "",
        ),
        (
            "mining: negatives of the parent",
            "negative_.weigh(harm, wrongs));",
            "negative_.weigh(harm, harm));",
        ),
        ("mining: all weigh like the first section", "total += factor[k] *", "total += factor[0] *"),
        ("mining: a floor that is too high", "< floor_ - kAbout) {", "< floor_ + 0.001) {"),
        (
            "merit: longer patterns for nothing",
            "- gamma_ * static_cast<double>(length);",
            "+ 0 * gamma_ * static_cast<double>(length);",
        ),
    ),
    *changed(
        f"{CORE}parallel.h",
        BITS,
        (
            "pieces: without their last",
            "piece(from, from + step < count ? from + step : count)",
            "piece(from, from + step < count ? from + step - 1 : count)",
        ),
    ),
    *SEARCHES,
]
