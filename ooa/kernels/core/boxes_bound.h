// What families of boxes can gain at most, and which of their members cannot lead above a target.
//
// For one family, `outer` are the rows of its widest member, `inner` those that every member has; of the others,
// rows in `one` hang on the literal of one attribute alone, rows in `more` on those of several. docs/formulation.md,
// "Families of boxes", proves the bounds:
//
// - a row in `one` is in the box just if its one attribute's literal admits it. So the gain is at most what is
//   sure, plus all positives in `more`, plus for every box and attribute the best literal for its rows in `one`:
//   a sum of problems with one attribute each. Positives in several outer boxes count as covered; a negative is
//   charged to the first box that has it in `one`.
// - cap[i] bounds the gain of at most i boxes, so that the others must add enough to it.
// - boxes come in the order of their positives less their prices, so none of those from box k on has more than it:
//   a bound on box k by itself, by counts and as a sum of lines.
// - a literal must exclude negatives that are worth more than its price.
#pragma once

#include "boxes_filters.h"
#include "boxes_line.h"

namespace ooa {

constexpr Int kRounds = 30;          // of narrowing, at most
constexpr double kSettled = 0.1;     // share of all positives: with less undecided, later boxes come first; ...
constexpr double kNarrowed = 0.03;   // ... where families are narrowed by what each box is worth, too
constexpr double kShared = 0.5;      // what a positive in several boxes counts where to branch is decided, ...
constexpr double kCategories = 4.0;  // ... and categories, which a branching decides at once

class FamilyBound {
public:
    // `settled`: see kSettled. `pays`: whether a literal must, which holds for the best boxes alone, and where what is
    // left passes without it.
    FamilyBound(const BoxRows& rows, const Masks& masks, const BoxPrices& prices, Int boxes,
                const BoxFilters& filters, double settled = kSettled, bool pays = true)
        : rows_(rows), worth_(rows.worth()), prices_(prices), K_(boxes), J_(rows.attributes()), W_(rows.words()),
          filters_(filters), choice_(rows, masks, boxes) {
        for (Int j = 0; j < J_; ++j) pays_.push_back(pays && filters.removable(j));
        bins_.push_back(0);
        for (Int j = 0; j < J_; ++j) bins_.push_back(bins_.back() + rows.scale(j).ranks + 2);
        for (auto* sets : {&outer_, &inner_, &one_, &more_}) sets->assign(K_ * W_, 0);
        for (auto* set : {&sure_, &once_, &twice_, &taken_, &others_in_, &others_out_, &before_out_,
                          &own_, &several_, &free_}) {
            set->assign(W_, 0);
        }
        uncertain_.assign(K_ * J_ * W_, 0);
        buffer_.assign(3 * W_, 0);
        worth_one_.assign(K_ * bins_.back(), 0);
        worth_more_.assign(K_ * bins_.back(), 0);
        best_.assign(K_ * J_, {});
        loose_.assign(K_ * J_, 0);
        measure_.assign(K_ * J_, 0);
        if (rows.spans()) spans_.resize(J_);
        open_.resize(K_);
        literals_.resize(K_);
        cost_.resize(K_);
        settled_ = settled * static_cast<double>(worth_.positives([&](Int w) { return rows.all()[w]; }));
    }

    // Narrow the families to what may gain more than the target; false if nothing of them can.
    // cap[i]: what at most i boxes gain at most.
    bool narrow(const Families& f, Int target, const Int* cap) {
        bool changed = true;
        for (Int round = 0; changed && round < kRounds; ++round) {
            if (!settle(f)) return false;
            split(f);
            if (!counts_suffice(f, target, cap) || !subsets_suffice(target, cap)) return false;
            if (!literals_pay(f)) return false;
            changed = false;
            if (!orders_suffice(f, target, changed)) return false;
            if (!sum_of_lines(f, target)) return false;
            if (!probe(f, target, changed)) return false;
        }
        choose(f);
        return true;
    }

    Int bound() const { return bound_; }                   // of what `narrow` left
    bool exact() const { return exact_; }                  // whether the choice gains the bound
    Families choice() { return choice_.view(); }           // the best literals of each attribute by itself
    Int box() const { return branch_box_; }                // where to branch; -1 if all is decided
    Int attribute() const { return branch_attribute_; }
    const Word* uncertain(Int k, Int j) const { return uncertain_.data() + (k * J_ + j) * W_; }
    Int take_work() {
        const Int done = work_;
        work_ = 0;
        return done;
    }

private:
    Word* of(Vector<Word>& sets, Int k) { return sets.data() + k * W_; }
    Word* uncertain_of(Int k, Int j) { return uncertain_.data() + (k * J_ + j) * W_; }
    Int* ones(Int k, Int j) { return worth_one_.data() + k * bins_.back() + bins_[j]; }
    Int* mores(Int k, Int j) { return worth_more_.data() + k * bins_.back() + bins_[j]; }

    // Ends that can still meet, what passes, lengths that are allowed; then which attributes are open and what is
    // sure to be paid.
    bool settle(const Families& f) {
        if (!filters_.narrow(f)) return false;
        price_ = 0;
        for (Int k = 0; k < K_; ++k) {
            open_[k].clear();
            literals_[k].clear();
            for (Int j = 0; j < J_; ++j) {
                if (!possible(f, k, j)) return false;
                if (f.at(k, j).has_literal()) literals_[k].push_back(j);
            }
            const Int sure = static_cast<Int>(literals_[k].size());
            if (sure > prices_.longest) return false;
            bool any = sure > 0;
            for (Int j = 0; j < J_; ++j) {
                Domain& one = f.at(k, j);
                if (sure == prices_.longest && one.may(kNone)) one.options = kNone;
                if (one.only(kNone)) continue;
                any = true;
                if (!f.decided(k, j)) open_[k].push_back(j);
            }
            if (!any) return false;
            cost_[k] = prices_.pattern + sure * prices_.literal;
            price_ += cost_[k];
        }
        return true;
    }

    bool possible(const Families& f, Int k, Int j) const {
        Domain& one = f.at(k, j);
        if (one.may(kRanks) && rows_.scale(j).kind == Kind::range) {
            one.lb = std::min(one.lb, one.ub);
            one.ua = std::max(one.ua, one.la);
            if (one.la > one.lb || one.ua > one.ub) one.options &= ~kRanks;
        } else if (one.may(kRanks) && f.possible(k, j) == 0) {
            one.options &= ~kRanks;
        }
        return one.options != 0;
    }

    // The rows of every family by how much is certain.
    void split(const Families& f) {
        std::fill(sure_.begin(), sure_.end(), Word(0));
        std::fill(once_.begin(), once_.end(), Word(0));
        std::fill(twice_.begin(), twice_.end(), Word(0));
        for (Int k = 0; k < K_; ++k) {
            Word *outer = of(outer_, k), *inner = of(inner_, k), *one = of(one_, k), *more = of(more_, k);
            std::copy(rows_.all(), rows_.all() + W_, outer);
            for (const Int j : literals_[k]) f.keep_outer(k, j, outer, buffer_.data());
            std::fill(one, one + W_, Word(0));
            std::fill(more, more + W_, Word(0));
            for (const Int j : open_[k]) {
                Word* unsure = uncertain_of(k, j);
                f.uncertain(k, j, outer, unsure, buffer_.data());
                for (Int w = 0; w < W_; ++w) {
                    more[w] |= one[w] & unsure[w];
                    one[w] |= unsure[w];
                }
            }
            for (Int w = 0; w < W_; ++w) {
                inner[w] = outer[w] & ~one[w];
                one[w] &= ~more[w];
                sure_[w] |= inner[w];
                twice_[w] |= once_[w] & outer[w];
                once_[w] |= outer[w];
            }
            work_ += W_ * static_cast<Int>(2 * literals_[k].size() + 4 * open_[k].size() + 4);
        }
        harm_ = worth_.negatives([&](Int w) { return sure_[w]; });
    }

    // All positives that may be covered, and the order of the boxes: those from k on have no more positives, less
    // prices, than box k each. They are added to what is before them, or to what that gains at most.
    bool counts_suffice(const Families& f, Int target, const Int* cap) {
        if (worth_.positives([&](Int w) { return once_[w]; }) - price_ - harm_ <= target) return false;
        if (K_ == 1) return true;
        std::fill(before_out_.begin(), before_out_.end(), Word(0));
        Int paid = 0, previous = -kNothing;
        for (Int k = 0; k < K_; ++k) {
            const Word *outer = of(outer_, k), *inner = of(inner_, k);
            const Int most = worth_.positives([=](Int w) { return outer[w]; }) - cost_[k];
            const Int least = worth_.positives([=](Int w) { return inner[w]; }) - cost_[k] - may_cost(f, k);
            if (least > previous) return false;
            const Int earlier = worth_.positives([&](Int w) { return before_out_[w]; }) - paid - harm_;
            const Int added = worth_.negatives([&](Int w) { return inner[w] & ~before_out_[w]; });
            if (std::min(earlier, cap[k] - added) + (K_ - k) * most <= target) return false;
            for (Int w = 0; w < W_; ++w) before_out_[w] |= outer[w];
            paid += cost_[k];
            previous = most;
        }
        return true;
    }

    // What literals of a box that are not sure cost at most.
    Int may_cost(const Families& f, Int k) const {
        Int total = 0;
        for (const Int j : open_[k]) total += price_of(f.at(k, j));
        return total;
    }

    // The same bound as a sum of lines, and the literals that it leaves.
    bool orders_suffice(const Families& f, Int target, bool& changed) {
        if (K_ == 1) return true;
        std::fill(before_out_.begin(), before_out_.end(), Word(0));
        Int paid = 0;
        for (Int k = 0; k + 1 < K_; ++k) {  // of the last one, the sum of all lines says more
            const Word* outer = of(outer_, k);
            if (!open_[k].empty()) {
                const Int earlier = worth_.positives([&](Int w) { return before_out_[w]; }) - paid - harm_;
                total_ = earlier - (K_ - k) * cost_[k];
                Int first = order_lines(f, k);
                if (!literals_[k].empty()) first = 0;
                if (total_ - first <= target) return false;
                if (!probe_box(f, k, K_ - k, target, changed)) return false;
            }
            for (Int w = 0; w < W_; ++w) before_out_[w] |= outer[w];
            paid += cost_[k];
        }
        return true;
    }

    // Add the lines of box k where it stands for those after it, too: a positive counts for each of them, but
    // not for box k itself if it is counted before it. Returns what its first literal costs at least.
    Int order_lines(const Families& f, Int k) {
        const Word *inner = of(inner_, k), *one = of(one_, k), *more = of(more_, k);
        const Int border = worth_.border(), times = K_ - k;
        total_ += times * worth_.positives([&](Int w) { return inner[w] | more[w]; }) -
                  worth_.positives([&](Int w) { return (inner[w] | more[w]) & before_out_[w]; });
        for (Int w = border; w < W_; ++w) own_[w] = one[w] & ~sure_[w];
        Int slack = -kNothing;
        for (const Int j : open_[k]) {
            const Line line(f, k, j);
            const Word* unsure = uncertain_of(k, j);
            Int *sum = ones(k, j), *loose = mores(k, j);
            std::fill(sum + line.first(), sum + line.last() + 1, Int(0));
            std::fill(loose + line.first(), loose + line.last() + 1, Int(0));
            add_times(one, unsure, j, times, sum);
            loose_[k * J_ + j] = add_times(more, unsure, j, times, loose);
            add(own_.data(), unsure, j, border, W_, -1, sum);
            const LineBest found = line.best(sum, times * price_of(f.at(k, j)), nullptr);
            best_[k * J_ + j] = found;
            total_ += found.best;
            slack = std::min(slack, found.best - found.literal);
            work_ += 3 * (line.last() - line.first()) + 3 * W_;
        }
        return slack;
    }

    // What some boxes gain at most, and what the others may add to that.
    bool subsets_suffice(Int target, const Int* cap) {
        if (K_ < 3) return true;
        for (Int chosen = 1; chosen + 1 < (Int(1) << K_); ++chosen) {
            Word *added = others_out_.data(), *there = others_in_.data();
            std::fill(added, added + W_, Word(0));
            std::fill(there, there + W_, Word(0));
            Int price = 0;
            for (Int k = 0; k < K_; ++k) {
                const Word *outer = of(outer_, k), *inner = of(inner_, k);
                const bool first = chosen >> k & 1;
                if (!first) price += cost_[k];
                Word* to = first ? there : added;
                const Word *right = first ? inner : outer, *wrong = first ? outer : inner;
                for (Int w = 0; w < worth_.border(); ++w) to[w] |= right[w];
                for (Int w = worth_.border(); w < W_; ++w) to[w] |= wrong[w];
            }
            const auto set = [=](Int w) { return added[w] & ~there[w]; };
            const Int more = worth_.positives(set) - worth_.negatives(set) - price;
            if (cap[popcount(static_cast<Word>(chosen))] + more <= target) return false;
        }
        return true;
    }

    // The rows that boxes other than k may have, and surely have.
    void other_boxes(Int k) {
        std::fill(others_in_.begin(), others_in_.end(), Word(0));
        std::fill(others_out_.begin(), others_out_.end(), Word(0));
        for (Int q = 0; q < K_; ++q) {
            if (q == k) continue;
            const Word *outer = of(outer_, q), *inner = of(inner_, q);
            for (Int w = 0; w < W_; ++w) {
                others_in_[w] |= inner[w];
                others_out_[w] |= outer[w];
            }
        }
    }

    // A literal excludes negatives that the other literals of its box leave, that no other box surely has, and
    // that are worth more than it costs; a box of fewer literals would gain as much otherwise.
    bool literals_pay(const Families& f) {
        for (Int k = 0; k < K_; ++k) {
            if (literals_[k].size() < 2) continue;
            other_boxes(k);
            for (const Int j : literals_[k]) {
                if (!pays_[j]) continue;
                Word* left = own_.data();
                for (Int w = 0; w < W_; ++w) left[w] = rows_.all()[w] & ~others_in_[w];
                for (const Int other : literals_[k]) {
                    if (other != j) f.keep_outer(k, other, left, buffer_.data());
                }
                f.uncertain(k, j, left, left, buffer_.data());
                work_ += W_ * static_cast<Int>(literals_[k].size());
                if (worth_.negatives([=](Int w) { return left[w]; }) <= prices_.literal) return false;
            }
        }
        return true;
    }

    // The bound as a sum of problems with one attribute each; false if it is not above the target.
    bool sum_of_lines(const Families& f, Int target) {
        const Int shared = worth_.positives([&](Int w) { return twice_[w] & ~sure_[w]; });
        total_ = worth_.positives([&](Int w) { return sure_[w]; }) + shared - harm_ - price_;
        exact_ = shared == 0;
        Int forced = 0;
        std::fill(taken_.begin(), taken_.end(), Word(0));
        choice_.copy(f);
        for (Int k = 0; k < K_; ++k) {
            other_boxes(k);
            divide(k);
            forced += own_lines(f, k);
        }
        bound_ = total_ - forced;
        return bound_ > target;
    }

    // The rows of box k that its lines are about: those that it alone decides.
    void divide(Int k) {
        const Word *outer = of(outer_, k), *one = of(one_, k), *more = of(more_, k);
        const Int border = worth_.border();
        for (Int w = 0; w < border; ++w) {
            own_[w] = one[w] & ~others_out_[w];
            several_[w] = more[w] & ~others_out_[w];
            free_[w] = twice_[w] & ~sure_[w] & outer[w];
        }
        for (Int w = border; w < W_; ++w) {
            own_[w] = one[w] & ~sure_[w] & ~taken_[w];
            taken_[w] |= own_[w];
            several_[w] = 0;
            free_[w] = outer[w] & ~sure_[w] & ~own_[w];
        }
        work_ += 4 * W_;
    }

    // Add the lines of a box to the bound; returns what its first literal costs at least, where none is sure.
    Int own_lines(const Families& f, Int k) {
        const Int several = worth_.positives([&](Int w) { return several_[w]; });
        total_ += several;
        exact_ = exact_ && several == 0 && worth_.negatives([&](Int w) { return free_[w]; }) == 0;
        Int slack = -kNothing, cheapest = 0;
        for (const Int j : open_[k]) {
            const LineBest found = own_line(f, k, j);
            if (found.best - found.literal >= slack) continue;
            slack = found.best - found.literal;
            cheapest = j;
        }
        if (!literals_[k].empty()) return 0;
        const Families choice = choice_.view();  // it has a literal: that which costs least
        if (slack > 0) {
            Line(f, k, cheapest).best(ones(k, cheapest), prices_.literal, &choice, true, spans(cheapest));
        }
        return slack;
    }

    Int price_of(const Domain& one) const { return one.may(kNone) ? prices_.literal : 0; }

    // The line of an attribute for rows that nothing else decides, and how much of it is undecided.
    LineBest own_line(const Families& f, Int k, Int j) {
        const Line line(f, k, j);
        const Word* unsure = uncertain_of(k, j);
        Int *one = ones(k, j), *more = mores(k, j);
        std::fill(one + line.first(), one + line.last() + 1, Int(0));
        std::fill(more + line.first(), more + line.last() + 1, Int(0));
        add(own_.data(), unsure, j, 0, worth_.border(), 1, one);
        if (spans(j)) add_spans(f, k, j);
        else add(own_.data(), unsure, j, worth_.border(), W_, -1, one);
        loose_[k * J_ + j] = add(several_.data(), unsure, j, 0, worth_.border(), 1, more);
        const auto free = [&](Int w) { return free_[w] & unsure[w]; };
        measure_[k * J_ + j] = static_cast<double>(loose_[k * J_ + j]) +
                               kShared * static_cast<double>(worth_.positives(free)) +
                               static_cast<double>(worth_.negatives(free));
        const LineBest found = best_line(f, k, j);
        best_[k * J_ + j] = found;
        total_ += found.best;
        work_ += 3 * (line.last() - line.first()) + 3 * W_;
        return found;
    }

    LineBest best_line(const Families& f, Int k, Int j) {
        const Families choice = choice_.view();
        const Int price = price_of(f.at(k, j));
        if (!f.at(k, j).may(kNone) || meet(own_.data(), uncertain_of(k, j))) {
            return Line(f, k, j).best(ones(k, j), price, &choice, false, spans(j));
        }
        choice.at(k, j).options = kNone;  // no row hangs on it alone
        return LineBest{0, -price};
    }

    // Rows that span several ranks, where there are any; then there is one box.
    Spans* spans(Int j) { return spans_.empty() ? nullptr : &spans_[j]; }

    // The negatives that one line decides: at a rank if only one end can leave them out, else with all they span.
    void add_spans(const Families& f, Int k, Int j) {
        const Domain& one = f.at(k, j);
        const Rank *low = rows_.sets(j).rank(), *high = rows_.highs(j).rank();
        const Word* unsure = uncertain_of(k, j);
        const bool range = rows_.scale(j).kind == Kind::range;
        const Rank ranks = static_cast<Rank>(rows_.scale(j).ranks), never = ranks + 1;
        Int* worth = ones(k, j);
        spans_[j].clear();
        for (Int w = worth_.border(); w < W_; ++w) {
            for (Word left = own_[w] & unsure[w]; left; left &= left - 1) {
                const Int place = 64 * w + __builtin_ctzll(left), amount = worth_[place];
                const Rank a = low[place], b = high[place];
                ++work_;
                if (!range || a == b) {
                    worth[a] -= amount;
                } else if (a < one.la || b > one.ub || !one.may(kRanks)) {
                    worth[never] -= amount;
                } else if (a >= one.lb || b <= one.ua) {
                    worth[a >= one.lb ? b : a] -= amount;
                } else {
                    spans_[j].add(a, b, amount);
                    work_ += 8;
                }
            }
        }
    }

    bool meet(const Word* a, const Word* b) const {
        Word both = 0;
        for (Int w = 0; w < W_; ++w) both |= a[w] & b[w];
        return both != 0;
    }

    // Add the rows that two sets share to their ranks; returns what they weigh.
    Int add(const Word* rows, const Word* unsure, Int j, Int from, Int to, Int sign, Int* worth) {
        const Rank* rank = rows_.sets(j).rank();
        Int total = 0;
        for (Int w = from; w < to; ++w) {
            for (Word left = rows[w] & unsure[w]; left; left &= left - 1) {
                const Int place = 64 * w + __builtin_ctzll(left);
                worth[rank[place]] += sign * worth_[place];
                total += worth_[place];
                ++work_;
            }
        }
        return total;
    }

    // The same for positives that count so often, and once less where boxes before this one may have them.
    Int add_times(const Word* rows, const Word* unsure, Int j, Int times, Int* worth) {
        const Rank* rank = rows_.sets(j).rank();
        Int total = 0;
        for (Int w = 0; w < worth_.border(); ++w) {
            for (Word left = rows[w] & unsure[w]; left; left &= left - 1) {
                const Int place = 64 * w + __builtin_ctzll(left);
                const Int value = (times - static_cast<Int>(has(before_out_.data(), place))) * worth_[place];
                worth[rank[place]] += value;
                total += value;
                ++work_;
            }
        }
        return total;
    }

    bool probe(const Families& f, Int target, bool& changed) {
        for (Int k = 0; k < K_; ++k) {
            if (!probe_box(f, k, 1, target, changed)) return false;
        }
        return true;
    }

    // Drop the literals of a box with which the lines do not add up to more than the target.
    bool probe_box(const Families& f, Int k, Int times, Int target, bool& changed) {
        for (const Int j : open_[k]) {
            const Line line(f, k, j);
            const Int base = total_ - best_[k * J_ + j].best - loose_[k * J_ + j];
            Int *one = ones(k, j), *more = mores(k, j);
            for (Int r = line.first(); r <= line.last(); ++r) more[r] += one[r];
            const Int price = times * price_of(f.at(k, j));
            if (!line.probe(more, base, price, target, probe_scratch_, changed, spans(j))) return false;
            work_ += 5 * (line.last() - line.first());
        }
        return true;
    }

    // Where most rows are undecided: the first boxes before the others, up to a few rows.
    void choose(const Families& f) {
        branch_box_ = -1;
        double most = -1;
        for (Int k = 0; k < K_; ++k) {
            for (const Int j : open_[k]) {
                if (f.decided(k, j)) continue;
                double much = measure_[k * J_ + j];
                if (rows_.scale(j).kind == Kind::category) much *= kCategories;
                if (much > settled_) much += 1e15 * static_cast<double>(K_ - k);
                if (much <= most) continue;
                most = much;
                branch_box_ = k;
                branch_attribute_ = j;
            }
        }
    }

    const BoxRows& rows_;
    const Worth& worth_;
    const BoxPrices prices_;
    const Int K_, J_, W_;
    const BoxFilters& filters_;
    std::vector<char> pays_;                            // by attribute
    OwnFamilies choice_;
    std::vector<Int> bins_;
    Vector<Word> outer_, inner_, one_, more_;           // by box
    Vector<Word> sure_, once_, twice_, taken_;          // of all boxes
    Vector<Word> others_in_, others_out_, before_out_, own_, several_, free_;
    Vector<Word> uncertain_, buffer_;
    std::vector<Int> worth_one_, worth_more_, probe_scratch_;
    std::vector<Spans> spans_;                          // by attribute
    std::vector<LineBest> best_;
    std::vector<Int> loose_;
    std::vector<double> measure_;
    std::vector<std::vector<Int>> open_, literals_;     // attributes by box
    std::vector<Int> cost_;                             // of each pattern and its sure literals
    Int price_ = 0, harm_ = 0, total_ = 0, bound_ = 0, work_ = 0;
    Int branch_box_ = -1, branch_attribute_ = 0;
    bool exact_ = false;
    double settled_ = 0;
};

}  // namespace ooa
