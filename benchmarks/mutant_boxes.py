"""More mutants: families of boxes, from their rows to the fit that uses them; see `mutant_list`."""

from __future__ import annotations

from mutant_box_bounds import BOX_BOUNDS, CORE, KERNEL
from mutant_box_filters import BOX_FILTERS
from mutant_list import changed

SEARCH = ("tests/search/test_boxes.py",)
PRICED = ("tests/learning/test_priced_boxes.py",)
FIT = ("tests/learning/test_boxes.py",)

BOXES = [
    *changed(
        f"{CORE}boxes_rows.h",
        KERNEL,
        (
            "rows: of one worth, whatever they are worth",
            "factor_[w] == 0 ? value_[i] : kMixed;",
            "factor_[w] == 0 ? value_[i] : factor_[w];",
        ),
        ("rows: missing values are present", "if (rank_[i] != ranks_) present_", "present_"),
        (
            "rows from a rank on: one too many",
            "for (Int i = start_[kept * stride_]; i < start_[r]; ++i)",
            "for (Int i = start_[kept * stride_]; i < start_[r] - 1; ++i)",
        ),
        (
            "rows of a rank: the last forgotten",
            "for (Int i = start_[r]; i < start_[r + 1]; ++i) to[",
            "for (Int i = start_[r]; i < start_[r + 1] - 1; ++i) to[",
        ),
        (
            "rows of a rank: none where there are many",
            "for (Int w = 0; w < words_; ++w) to[w] |= rows[w];",
            "for (Int w = 1; w < words_; ++w) to[w] |= rows[w];",
        ),
    ),
    *changed(
        f"{CORE}boxes_family.h",
        KERNEL,
        (
            'family: "is missing" forgotten',
            "if (scale.missing_literal) options |= kMissing;",
            "if (scale.missing_literal) options |= 0;",
        ),
        (
            'family: "has a value" forgotten',
            "scale.ranks > (scale.lacks ? 0 : 1)",
            "scale.ranks > 1",
        ),
        (
            "family: any category decides",
            "case Kind::category: return possible(k, j) == 1;",
            "case Kind::category: return possible(k, j) >= 1;",
        ),
        (
            "family: an end decides",
            "return one.la == one.lb && one.ua == one.ub;",
            "return one.la == one.lb || one.ua == one.ub;",
        ),
        (
            "widest member: without its last rank",
            "highs(j).from(one.ub + 1, second)",
            "highs(j).from(one.ub, second)",
        ),
        (
            'widest member: "is missing" forgotten',
            "const Word missing = one.may(kMissing) ? ~Word(0) : 0;",
            "const Word missing = 0;",
        ),
        (
            'narrowest member: "is missing" for sure',
            "outer[w] & (present[w] | with_ranks)",
            "outer[w] & (present[w] | (with_ranks & 0))",
        ),
        (
            "narrowest member: as wide as the widest, below",
            "sets.from(one.lb, buffer)",
            "sets.from(one.la, buffer)",
        ),
        (
            "narrowest member: as wide as the widest, above",
            "highs(j).from(one.ua + 1, buffer + words)",
            "highs(j).from(one.ub + 1, buffer + words)",
        ),
        (
            "narrowest member: all categories of a set",
            "sets_of ? must(k, j) : may(k, j), buffer",
            "may(k, j), buffer",
        ),
        (
            "gain: patterns for nothing",
            "gain -= prices.pattern + literals * prices.literal;",
            "gain -= literals * prices.literal;",
        ),
        (
            "gain: patterns of any length",
            "if (literals == 0 || literals > prices.longest) return",
            "if (literals == 0) return",
        ),
        (
            "gain: a literal that holds always costs",
            "if (!one.only(kRanks) || scale.lacks) return false;",
            "return false;",
        ),
        (
            'gain: "has a value" is no literal',
            "if (!one.only(kRanks) || scale.lacks) return false;",
            "if (!one.only(kRanks)) return false;",
        ),
    ),
    *BOX_BOUNDS,
    *BOX_FILTERS,
    *changed(
        f"{CORE}boxes_walk.h",
        KERNEL,
        ("walk: found, and one more", "if (gain > target_) {", "if (gain > target_ + 1) {"),
        ("walk: families cut short", "by.bound() <= target_) {", "by.bound() <= target_ + 1) {"),
        (
            "walk: bound one less",
            "stack.bound(top) = std::min(stack.bound(top), by.bound());",
            "stack.bound(top) = std::min(stack.bound(top), by.bound() - 1);",
        ),
        (
            'branching: "is missing" goes with no literal',
            "static_cast<std::uint8_t>(~option);",
            "static_cast<std::uint8_t>(~option & ~kMissing);",
        ),
        ('branching: "is missing" forgotten', "option : {kMissing, kNone}) {", "option : {kNone}) {"),
        ("branching: a lower end forgotten", "second.la = r + 1;", "second.la = r + 2;"),
        ("branching: an upper end forgotten", "second.ub = r - 1;", "second.ub = r - 2;"),
        ("branching: sets of one category more", "} else if (!sets) {", "} else {"),
        (
            "branching: half of the categories",
            "stack[top + 1].may(k, j)[w] &= ~bit;",
            "stack[top + 1].may(k, j)[w] &= 0;",
        ),
        (
            "tasks: the lowest twice",
            "domain_.erase(domain_.begin(), domain_.begin() + domains_);",
            "domain_.resize(domain_.size() - domains_);",
        ),
    ),
    *changed(
        f"{CORE}boxes_search.h",
        KERNEL,
        (
            "bound: what is searched next forgotten",
            "for (Int i = 0; i < one->stack.size(); ++i) most",
            "for (Int i = 0; i < one->stack.size() - 1; ++i) most",
        ),
        (
            "merged: the value without the boxes",
            "                best_ = one->best;\n",
            "",
        ),
        (
            "tasks: the uppermost for the lowest",
            "push_copy(from[0], from.share(0)",
            "push_copy(from[from.size() - 1], from.share(0)",
        ),
        ("tasks: done is what is merged", "share_ += one->done;", "share_ = one->done;"),
        (
            "first families: bound",
            "tasks_[0]->stack.push(1.0, rows_.worth().positives([&](Int w) { return rows_.all()[w]; }));",
            "tasks_[0]->stack.push(1.0, target);",
        ),
    ),
    *changed(
        "ooa/search/boxes.py",
        SEARCH,
        ("best box: too little is left", "value > 0].sum()) <= known:", "value > 0].sum()) <= known + 1:"),
        ("best box: cuts below alone", "needed.lower | needed.upper", "needed.lower"),
        ("best box: cuts above alone", "needed.lower | needed.upper", "needed.upper"),
        ("best box: upper ends of merged ranks", "int(cuts[j][high + 1]) - 1", "int(cuts[j][high])"),
        (
            "best box: missing is the first rank",
            "np.where(rank[:, j] < 0, -1, inside)",
            "np.where(rank[:, j] < 0, 0, inside)",
        ),
        (
            "caps: of positives and negatives",
            "np.maximum(self._positive - self._negative, 0).sum()",
            "(self._positive - self._negative).sum()",
        ),
        ("caps: fewer boxes forgotten", "max(bound, int(self.caps[boxes - 1]))", "bound"),
        (
            "caps: fewer boxes gain less",
            "min(self.caps[k], self.caps[k + 1])",
            "min(self.caps[k], self.caps[k + 1] - 1)",
        ),
        ("caps: nothing known", "self._everything))", "0))"),
        ("gain: patterns for nothing", "return self._prices.pattern + len(items)", "return len(items)"),
    ),
    *changed(
        "ooa/learning/boxes.py",
        FIT,
        ("turn: whatever the weights", " and not fine", ""),
        ("turn: whatever was asked for", "return settings.decompose and compiled()", "return compiled()"),
        ("turn: without the core", "settings.decompose and compiled() and", "settings.decompose and"),
        ("bound: one better", "int(self._search.caps[-1])", "(int(self._search.caps[-1]) - 1)"),
        (
            "bound: of fewer boxes",
            "int(self._search.caps[-1])",
            "int(self._search.caps[-2])",
        ),
        (
            "known: the last, not the best",
            "max(gain, self._gain.get(boxes, 0))",
            "gain",
        ),
        (
            "known: one step is enough",
            "if search.caps[boxes] <= max(target, search.caps[boxes - 1]):",
            "if search.caps[boxes] <= max(target + 1, search.caps[boxes - 1]):",
        ),
        ("found: not told", "        if found:\n            self._offer(found)\n", ""),
        (
            "start: its gain unknown",
            "            self._known(len(start), self._search.gain(start))\n",
            "            pass\n",
        ),
    ),
    *changed(
        "ooa/learning/box_values.py",
        PRICED,
        ("prices: of a literal too many", "pattern=one - (two - one))", "pattern=one)"),
        (
            "prices: the limits forgotten",
            "scale * free.everything - int(whole @ limits.limit)",
            "scale * free.everything",
        ),
        ("prices: rows are charged nothing", "scale * worth - whole @ limits.on_rows", "scale * worth"),
        (
            "prices: rows are paid",
            "scale * worth - whole @ limits.on_rows",
            "scale * worth + whole @ limits.on_rows",
        ),
        ("prices: below nothing", "np.rint(np.maximum(penalty, 0.0) * scale)", "np.rint(-penalty * scale)"),
        (
            "prices: literals at half the price",
            "BoxPrices(scale * free.prices.literal,",
            "BoxPrices(scale * free.prices.literal // 2,",
        ),
        (
            "cost: one better",
            "return -((gain - self.everything) // self.scale)",
            "return 1 - ((gain - self.everything) // self.scale)",
        ),
        (
            "cost: rounded the other way",
            "return -((gain - self.everything) // self.scale)",
            "return (self.everything - gain) // self.scale",
        ),
        ("aim: one step less", "self.scale * (int(cost) - 1) - 1", "self.scale * (int(cost) - 2) - 1"),
        ("aim: what gains as much", "self.scale * (int(cost) - 1) - 1", "self.scale * (int(cost) - 1)"),
    ),
    *changed(
        "ooa/learning/priced_boxes.py",
        PRICED,
        ("seen: patterns for nothing", "patterns * (2 * one - two)", "0"),
        (
            "seen: no longer looked at",
            "room = self._limits.limit - self._limits.amounts(covered)",
            "room = self._limits.limit",
        ),
        (
            "prices: of the first turn",
            "penalty, least = self._dual(penalty)",
            "penalty, least = penalty, 0.0",
        ),
    ),
    *changed(
        "ooa/formulations/row_limits.py",
        ("tests/formulations/test_row_limits.py",),
        ("rows: nothing is too much", 'return _unsaid("used")', "return self._used"),
        (
            "rows: bounds of patterns are read",
            'return _unsaid("literals")',
            "return self._used.as_expression()",
        ),
        ("rows: limits of another sum", "limit.append(one.limit)", "limit.append(one.limit - 1)"),
    ),
]
