"""More mutants: the searches of the compiled core, and dominance; see `mutant_list`."""

from __future__ import annotations

from mutant_list import changed

CORE = "ooa/kernels/core/"
BRANCH = ("tests/search/test_branch_and_bound.py", "tests/kernels/test_sets.py")
PATTERN = ("tests/search/test_best_pattern.py",)
FILTER = ("tests/search/test_pair_bound.py", "-k", "any_multipliers or of_their_own")

SEARCHES = [
    *changed(
        f"{CORE}dominance.h",
        ("tests/search/test_branch_and_bound.py", "-k", "dominance"),
        (
            "dominance by weight: negatives forgotten",
            "fits(patterns_.wrong_factor, patterns_.wrong[j], patterns_.wrong[i], excess)",
            "true",
        ),
        (
            "dominance by weight: positives forgotten",
            "fits(patterns_.right_factor, patterns_.right[i], patterns_.right[j], excess)",
            "true",
        ),
        (
            "dominance by weight: what is lacking is a gain",
            "excess -= factor[w] * popcount(rows[w] & ~cover[w]);",
            "excess += factor[w] * popcount(rows[w] & ~cover[w]);",
        ),
        (
            "dominance by weight: the last word is not looked at",
            "w < words && excess >= 0; ++w",
            "w < words - 1 && excess >= 0; ++w",
        ),
        (
            "dominance by weight: at a loss",
            "Int excess = patterns_.price[i] - patterns_.price[j];",
            "Int excess = patterns_.price[i] - patterns_.price[j] + 1;",
        ),
        (
            "dominance: equals of a batch drop each other",
            "if (spare[k] && std::none_of(fresh.begin(), fresh.end(), stands_in)) fresh.push_back(i);",
            "bool alone = spare[k];\n"
            "            for (std::size_t j = 0; j < spare.size(); ++j) {\n"
            "                if (j != k && stands_in(done_ + static_cast<Int>(j))) alone = false;\n"
            "            }\n"
            "            if (alone) fresh.push_back(i);",
        ),
        (
            "dominance: another batch is looked at",
            "spare[i] = !dominated(done_ + i, many);",
            "spare[i] = !dominated(i, many);",
        ),
    ),
    *changed(
        f"{CORE}walk.h",
        BRANCH,
        (
            "walk: redundant too early",
            "if (own + aims_.slack(depth) + aims_.below < patterns_.price[chosen_[a]])",
            "if (own + aims_.slack(depth) + aims_.below < patterns_.price[chosen_[a]] + 2)",
        ),
        (
            "walk: redundant, whatever is searched for",
            "if (own + aims_.slack(depth) + aims_.below < patterns_.price[chosen_[a]])",
            "if (own < patterns_.price[chosen_[a]])",
        ),
        ("walk: redundant, so nothing near", "bound = aim;  //", "bound = value;  //"),
        (
            "walk: replaced at a loss",
            "if (level.ahead[j] > short_by) level",
            "if (level.ahead[j] > short_by + 1) level",
        ),
        (
            "walk: replaced, whatever was searched for",
            "const Int short_by = incumbent.target - aims_.slack(level_) - bound;",
            "const Int short_by = incumbent.target - bound;",
        ),
        (
            "walk: replaced, negatives forgotten",
            "ahead_here[j] = saves + lost + one.price - other.price;",
            "ahead_here[j] = saves + 0 * lost + one.price - other.price;",
        ),
        (
            "walk: replaced, prices forgotten",
            "ahead_here[j] = saves + lost + one.price - other.price;",
            "ahead_here[j] = saves + lost;",
        ),
        ("walk: followed by one at most", "(left == 2 ? saves : rest) - other", "saves - other"),
        (
            "walk: followed at a loss",
            "if (pays(other, saves, harm) && ",
            "if (saves > other.price + 1 && pays(other, saves, harm) && ",
        ),
        (
            "walk: not followed by the next",
            "for (Int j = i + 1; j < here; ++j)",
            "for (Int j = i + 2; j < here; ++j)",
        ),
        (
            "walk: target too high",
            "incumbent.target = std::max(incumbent.target, aims_.target(worth));",
            "incumbent.target = std::max(incumbent.target, aims_.target(worth) + 1);",
        ),
        (
            "walk: what was seen is forgotten",
            "return std::max(level.seen, incumbent.target - aims_.slack(depth + 1));",
            "return 0 * level.seen + incumbent.target - aims_.slack(depth + 1);",
        ),
        (
            "walk: less was searched for than is said",
            "return std::max(level.seen, incumbent.target - aims_.slack(depth + 1));",
            "return std::max(level.seen, incumbent.target - aims_.slack(depth + 1) - aims_.margin);",
        ),
        (
            "walk: what the first pattern's sets gain is forgotten",
            "if (depth > 0) root_.seen = std::max(root_.seen, value);",
            "(void)root_;",
        ),
        (
            "walk: what was seen at levels below is forgotten",
            "for (Int d = 1; d < depth; ++d) levels_[d].seen",
            "for (Int d = depth; d < depth; ++d) levels_[d].seen",
        ),
        ("walk: subtrees cut short", "        if (bound > aim) {\n", "        if (bound > aim + 1) {\n"),
        (
            "walk: subtrees cut short, whatever is searched for",
            "const Int aim = incumbent.target - aims_.slack(depth);",
            "const Int aim = incumbent.target;",
        ),
        (
            "walk: a pattern alone forgotten",
            "Int bound = value + std::max<Int>(narrow(depth + 1, aim - reach - value, rest), 0);",
            "Int bound = value + narrow(depth + 1, aim - reach - value, rest);",
        ),
        ("walk: a single pattern has a bound", "bound_ = kHuge;  //", "bound_ = value;  //"),
        (
            "walk: prices twice",
            "const Int rest = at.free - one.positive;",
            "const Int rest = at.free - one.positive - one.price;",
        ),
        (
            "walk: looked at again for too much",
            "incumbent.target - aims_.slack(level_) - level.gain);",
            "incumbent.target - aims_.slack(level_) - level.gain + 1);",
        ),
        (
            "walk: looked at again, whatever is searched for",
            "incumbent.target - aims_.slack(level_) - level.gain);",
            "incumbent.target - level.gain);",
        ),
        (
            "walk: narrowed for too much",
            "narrow(depth + 1, incumbent.target - aims_.slack(depth + 1) - value, rest);",
            "narrow(depth + 1, incumbent.target - aims_.slack(depth + 1) - value + 1, rest);",
        ),
        (
            "walk: narrowed, whatever is searched for",
            "narrow(depth + 1, incumbent.target - aims_.slack(depth + 1) - value, rest);",
            "narrow(depth + 1, incumbent.target - value, rest);",
        ),
        (
            "walk: one pattern fewer",
            "aims_.most - depth;\n        Int count = counting_.keep(level",
            "std::max<Int>(1, aims_.most - depth - 1);\n        Int count = counting_.keep(level",
        ),
        (
            "walk: what was covered before is forgotten",
            "after[w] = before[w] | rows[w];",
            "after[w] = (void(before), rows[w]);",
        ),
        (
            "walk: the last pattern is not told",
            "chosen_.begin(), chosen_.begin() + depth + 1)",
            "chosen_.begin(), chosen_.begin() + depth)",
        ),
    ),
    *changed(
        f"{CORE}set_search.h",
        BRANCH,
        (
            "settled: first patterns that are not done",
            "std::size_t j = batch_begin_; j < root_.list.size(); ++j) names",
            "std::size_t j = root_.place; j < root_.list.size(); ++j) names",
        ),
        (
            "first patterns: replaced at a loss",
            "const Int short_by = incumbent_.target - one.bound;",
            "const Int short_by = incumbent_.target - one.bound + 1;",
        ),
        (
            "first patterns: replaced by what others add",
            "if (one.ahead[origin_[j]] <= short_by) continue;",
            "if (one.ahead[j] <= short_by) continue;",
        ),
        (
            "first patterns: places are not kept",
            "            origin_[kept++] = origin_[j];\n",
            "            ++kept;\n",
        ),
        (
            "first patterns: what is dropped is dropped from the batch",
            "return;\n        std::size_t kept = root_.place;\n        for (std::size_t j = root_.place;",
            "return;\n        std::size_t kept = batch_begin_;\n        for (std::size_t j = batch_begin_;",
        ),
        ("first patterns: one is passed over", "root_.place += many;", "root_.place += many + (many > 1);"),
        (
            "first patterns: the first of a batch again",
            "walk.begin(root_, batch_begin_ + k, incumbent_, warmth_);",
            "walk.begin(root_, batch_begin_, incumbent_, warmth_);",
        ),
        (
            "first patterns: looked at again for too much",
            "walk.look_again(root_, 0, root_.place, incumbent_.target));",
            "walk.look_again(root_, 0, root_.place, incumbent_.target + 1));",
        ),
        (
            "first patterns: bound one less",
            "result.bound = walk.bound();",
            "result.bound = walk.bound() - 1;",
        ),
        (
            "batches: as many as there are threads",
            "std::min(kBatch, std::max<Int>(1, root_.place / 4));",
            "std::min<Int>(walks_.size(), std::max<Int>(1, root_.place / 4));",
        ),
        (
            "batches: what is not finished counts",
            "if (walk.advance(work)) free_ ?",
            "walk.advance(work), free_ ?",
        ),
        (
            "merged: a set that is as good, or none",
            "if (found.best > incumbent_.best) {",
            "if (found.best >= incumbent_.best) {",
        ),
        (
            "merged: any set that was found",
            "if (found.best > incumbent_.best) {",
            "if (!found.choice.empty()) {",
        ),
        (
            "merged: the value without the set",
            "                incumbent_.choice = found.choice;\n",
            "",
        ),
        (
            "target: one higher",
            "std::max(target, aims_.target(known)), {}}",
            "std::max(target + 1, aims_.target(known)), {}}",
        ),
        (
            "rows of the first pattern are out of it",
            "root_.bad.assign(patterns_.wrong.words(), ~Word(0));\n        for (Int z = 0;",
            "root_.bad.assign(patterns_.wrong.words(), ~Word(0));\n        for (Int z = 1;",
        ),
    ),
    *changed(
        f"{CORE}set_search.h",
        FILTER,
        (
            "root: one pattern fewer",
            "by.keep(root_.list.data(), size, aims_.most,",
            "by.keep(root_.list.data(), size, aims_.most - 1,",
        ),
        (
            "root: filtered for too much",
            "incumbent_.target, root_.good.data(),",
            "incumbent_.target + 1, root_.good.data(),",
        ),
    ),
    *changed(
        f"{CORE}literals.h",
        PATTERN,
        ("best pattern: support", "return total >= least_support;", "return total > least_support;"),
    ),
    *changed(
        f"{CORE}beam.h",
        PATTERN,
        (
            "grown patterns: two literals of an attribute",
            "if (!used && literals_.chain[z]",
            "if (literals_.chain[z]",
        ),
        (
            "grown patterns: a literal that costs nothing",
            "notes_.note(literals_, chosen_.data(), length, saves - harm - price(length));",
            "notes_.note(literals_, chosen_.data(), length, saves - harm - price(length - 1));",
        ),
        (
            "grown patterns: dropping a literal pays twice",
            "length - 1, covered() - price(length - 1)",
            "length - 1, covered() - price(length - 2)",
        ),
        ("grown patterns: no literals that pay together only", "kKinds = 5;", "kKinds = 1;"),
    ),
    *changed(
        f"{CORE}best_pattern.h",
        PATTERN,
        ("best pattern: any of a chain", "if (into.list.back().negative == negative) return;", "return;"),
        (
            "best pattern: narrower, whatever the support",
            "if (!literals_.asks_support() && into.list.back().positive == positive)",
            "if (into.list.back().positive == positive)",
        ),
        (
            "best pattern: hope",
            "if (option.positive - price(level_ + 2) <= notes.best ||",
            "if (option.positive - price(level_ + 2) <= notes.best + 1 ||",
        ),
        (
            "best pattern: hope of a chain",
            "if (saves - price(length) <= notes.best) {",
            "if (saves - price(length) <= notes.best + 1) {",
        ),
        (
            "best pattern: hope of one literal",
            "saves - price(2) > notes.best &&",
            "saves - price(2) > notes.best + 1 &&",
        ),
        (
            "best pattern: hope of more",
            "saves - price(length + 1) > notes.best) keep",
            "saves - price(length + 1) > notes.best + 1) keep",
        ),
        (
            "best pattern: a literal that excludes too little",
            "if (here.list[i].negative - harm <= fee) continue;",
            "if (here.list[i].negative - harm <= fee + 1) continue;",
        ),
        (
            "best pattern: a first literal that excludes too little",
            "negatives_ - harm > price(2) - price(1)",
            "negatives_ - harm > price(2) - price(1) + 1",
        ),
        (
            "best pattern: what more literals exclude is forgotten",
            "std::max<Int>(0, harm - top_[m])",
            "std::max<Int>(0, harm)",
        ),
        (
            "best pattern: two exclude no more than one",
            "        for (Int m = 1; m < more; ++m) top_[m] += top_[m - 1];\n",
            "",
        ),
        (
            "best pattern: two literals of an attribute",
            "        while (first < size && attribute(here, first) == attribute(here, i)) ++first;\n",
            "",
        ),
    ),
]
