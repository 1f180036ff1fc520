// Families that are still to be searched, depth first: one task of the search.
#pragma once

#include "boxes_reduced.h"

namespace ooa {

constexpr Int kAtOnce = 8;       // up to so many categories are branched on at once
constexpr Int kFirstNodes = 64;  // the choice is tried at each of the first nodes, ...
constexpr Int kEvery = 8;        // ... then at every so many

// What is known when a task goes on, the same for all tasks of a round.
struct BoxAims {
    Int target = 0;                // only what gains more is looked for
    const Int* cap = nullptr;      // cap[i]: what at most i boxes gain at most
    const std::vector<FoundBoxes>* noted = nullptr;  // good boxes by slot
};

// Families one above the other; the uppermost is searched next.
class FamilyStack {
public:
    FamilyStack(const BoxRows& rows, const Masks& masks, Int boxes)
        : rows_(&rows), masks_(&masks), boxes_(boxes), domains_(boxes * rows.attributes()),
          words_(boxes * masks.total()) {}

    Int size() const { return static_cast<Int>(share_.size()); }
    double& share(Int i) { return share_[i]; }
    Int& bound(Int i) { return bound_[i]; }  // what it gains at most
    Families operator[](Int i) {
        return Families{domain_.data() + i * domains_, mask_.data() + i * words_, rows_, masks_, boxes_};
    }

    // One more, of a share of all that is to be searched; what it holds is up to the caller.
    void push(double share, Int bound) {
        share_.push_back(share);
        bound_.push_back(bound);
        domain_.resize(share_.size() * domains_);
        mask_.resize(share_.size() * words_);
    }
    void push_copy(const Families& from, double share, Int bound) {
        const std::vector<Domain> domain(from.domain, from.domain + domains_);
        const std::vector<Word> mask(from.mask, from.mask + words_);
        push(share, bound);
        std::copy(domain.begin(), domain.end(), domain_.end() - domains_);
        std::copy(mask.begin(), mask.end(), mask_.end() - words_);
    }
    void pop() {
        share_.pop_back();
        bound_.pop_back();
        domain_.resize(share_.size() * domains_);
        mask_.resize(share_.size() * words_);
    }
    // Take the lowest one out: it holds the most.
    void pop_lowest() {
        share_.erase(share_.begin());
        bound_.erase(bound_.begin());
        domain_.erase(domain_.begin(), domain_.begin() + domains_);
        mask_.erase(mask_.begin(), mask_.begin() + words_);
    }

private:
    const BoxRows* rows_;
    const Masks* masks_;
    Int boxes_, domains_, words_;
    std::vector<double> share_;
    std::vector<Int> bound_;
    std::vector<Domain> domain_;
    std::vector<Word> mask_;
};

class BoxTask {
public:
    BoxTask(const BoxRows& rows, const Masks& masks, const BoxPrices& prices, Int boxes, const BoxFilters& filters)
        : stack(rows, masks, boxes), trial_(rows, masks, boxes), rows_(rows), prices_(prices), filters_(filters),
          boxes_(boxes) {}

    FamilyStack stack;
    FoundBoxes best;                 // gains more than the target, if there is any
    std::vector<FoundBoxes> noted;   // single boxes that are better than what was noted in their slot
    double done = 0;                 // share of all that was searched since the round began
    Int nodes = 0;

    // Go on until nothing is left, or so much work was done; returns the work.
    // `reduced`, if it is there, narrows families as well.
    Int advance(FamilyBound& by, ReducedBound* reduced, const BoxAims& aims, Int work) {
        Int spent = 0;
        target_ = aims.target;
        while (stack.size() > 0 && spent < work) {
            search_uppermost(by, reduced, aims);
            spent += by.take_work() + rows_.words();
            if (reduced) spent += reduced->take_work();
        }
        return spent;
    }

private:
    void search_uppermost(FamilyBound& by, ReducedBound* reduced, const BoxAims& aims) {
        const Int top = stack.size() - 1;
        ++nodes;
        if ((reduced && !reduced->narrow(stack[top], target_)) || !by.narrow(stack[top], target_, aims.cap)) {
            done += stack.share(top);
            stack.pop();
            return;
        }
        const bool decided = by.box() < 0;
        if (decided || by.exact() || nodes < kFirstNodes || nodes % kEvery == 0) {
            trial_.copy(decided ? stack[top] : by.choice());
            offer(trial_.view(), aims);
        }
        if (decided || by.bound() <= target_) {
            done += stack.share(top);
            stack.pop();
            return;
        }
        stack.bound(top) = std::min(stack.bound(top), by.bound());
        if (reduced) stack.bound(top) = std::min(stack.bound(top), reduced->bound());
        branch(by, by.box(), by.attribute());
    }

    // Note boxes that pass if they are the best so far, or one is the best in its slot.
    void offer(const Families& found, const BoxAims& aims) {
        const Int gain = gain_of(found, prices_, scratch_);
        if (gain <= target_ && (boxes_ > 1 || aims.noted->empty() || gain <= 0)) return;
        if (!filters_.pass(found)) return;
        if (gain > target_) {
            target_ = gain;
            best.take(found, gain);
        }
        if (boxes_ > 1 || aims.noted->empty() || gain <= 0) return;
        if (gain <= (*aims.noted)[slot_of(found, static_cast<Int>(aims.noted->size()))].gain) return;
        noted.emplace_back();
        noted.back().take(found, gain);
    }

    // Divide the uppermost family at an attribute of a box.
    void branch(FamilyBound& by, Int k, Int j) {
        const Domain one = stack[stack.size() - 1].at(k, j);
        const Kind kind = rows_.scale(j).kind;
        if (kind == Kind::category && one.may(kRanks) && stack[stack.size() - 1].possible(k, j) <= kAtOnce) {
            return at_once(k, j);
        }
        if (one.may(kNone)) return by_option(k, j, kNone);
        if (one.may(kMissing)) return by_option(k, j, kMissing);
        if (kind == Kind::range) return by_end(by, k, j);
        by_categories(by, k, j, kind == Kind::set);
    }

    // Two halves: the second stays where it is, the first is put above.
    Int divide() {
        const Int top = stack.size() - 1;
        stack.share(top) /= 2;
        stack.push_copy(stack[top], stack.share(top), stack.bound(top));
        return top;
    }

    void by_option(Int k, Int j, std::uint8_t option) {
        const Int top = divide();
        stack[top].at(k, j).options &= static_cast<std::uint8_t>(~option);
        stack[top + 1].at(k, j).options = option;
    }

    // Every category by itself, and no literal.
    void at_once(Int k, Int j) {
        OwnFamilies& all = trial_;
        const Int top = stack.size() - 1;
        all.copy(stack[top]);
        const Families from = all.view();
        const Int others = from.at(k, j).may(kMissing) + from.at(k, j).may(kNone);
        const double share = stack.share(top) / static_cast<double>(from.possible(k, j) + others);
        const Int bound = stack.bound(top);
        stack.pop();
        for (const std::uint8_t option : {kMissing, kNone}) {
            if (!from.at(k, j).may(option)) continue;
            stack.push_copy(from, share, bound);
            stack[stack.size() - 1].at(k, j).options = option;
        }
        from.each(j, from.may(k, j), [&](Int r) {
            stack.push_copy(from, share, bound);
            const Families f = stack[stack.size() - 1];
            f.at(k, j).options = kRanks;
            std::fill(f.may(k, j), f.may(k, j) + f.masks->words(j), Word(0));
            f.may(k, j)[r / 64] = Word(1) << (r % 64);
        });
    }

    // What the rows that hang on a literal weigh, by rank, or by the last one that they span.
    void weigh_uncertain(const FamilyBound& by, Int k, Int j, bool last = false) {
        weight_.assign(rows_.scale(j).ranks + 2, 0);
        const Word* unsure = by.uncertain(k, j);
        const Rank* rank = last ? rows_.highs(j).rank() : rows_.sets(j).rank();
        for (Int w = 0; w < rows_.words(); ++w) {
            for (Word left = unsure[w]; left; left &= left - 1) {
                const Int place = 64 * w + __builtin_ctzll(left);
                weight_[rank[place]] += rows_.worth()[place];
            }
        }
    }

    // The end that more rows hang on, in the middle of them.
    void by_end(const FamilyBound& by, Int k, Int j) {
        weigh_uncertain(by, k, j);
        const Domain one = stack[stack.size() - 1].at(k, j);
        Int below = 0, above = 0;
        for (Rank r = one.la; r < one.lb; ++r) below += weight_[r];
        if (rows_.spans()) weigh_uncertain(by, k, j, true);
        for (Rank r = one.ua + 1; r <= one.ub; ++r) above += weight_[r];
        const Int top = divide();
        Domain &first = stack[top + 1].at(k, j), &second = stack[top].at(k, j);
        Int sum = 0;
        if (one.ua == one.ub || (one.la != one.lb && below >= above)) {
            if (rows_.spans()) weigh_uncertain(by, k, j);
            Rank r = one.la;
            for (sum = weight_[r]; 2 * sum < below && r + 1 < one.lb; sum += weight_[r]) ++r;
            first.lb = r;
            second.la = r + 1;
        } else {
            Rank r = one.ub;
            for (sum = weight_[r]; 2 * sum < above && r - 1 > one.ua; sum += weight_[r]) --r;
            first.ua = r;
            second.ub = r - 1;
        }
    }

    // A set with and without the category that most rows hang on; or the heavier half of the single categories.
    void by_categories(const FamilyBound& by, Int k, Int j, bool sets) {
        weigh_uncertain(by, k, j);
        const Families now = stack[stack.size() - 1];
        std::vector<Int> open;
        now.each(j, now.may(k, j), [&](Int r) {
            if (!sets || !has(now.must(k, j), r)) open.push_back(r);
        });
        const auto heavier = [&](Int a, Int b) { return weight_[a] != weight_[b] ? weight_[a] > weight_[b] : a < b; };
        std::sort(open.begin(), open.end(), heavier);
        const Int top = divide(), cut = sets ? 1 : static_cast<Int>(open.size()) / 2;
        for (Int i = 0; i < static_cast<Int>(open.size()); ++i) {
            const Word bit = Word(1) << (open[i] % 64);
            const Int w = open[i] / 64;
            if (i < cut) {
                stack[top].may(k, j)[w] &= ~bit;
                if (sets) stack[top + 1].must(k, j)[w] |= bit;
            } else if (!sets) {
                stack[top + 1].may(k, j)[w] &= ~bit;
            }
        }
    }

public:
    // Single boxes on the same attributes share a slot.
    static Int slot_of(const Families& box, Int slots) {
        Int sum = 0;
        for (Int j = 0; j < box.rows->attributes(); ++j) {
            if (!box.at(0, j).only(kNone)) sum += (j + 1) * 2654435761 % 4294967291;
        }
        return sum % slots;
    }

private:
    OwnFamilies trial_;
    const BoxRows& rows_;
    const BoxPrices& prices_;
    const BoxFilters& filters_;
    Int boxes_, target_ = 0;
    Vector<Word> scratch_;
    std::vector<Int> weight_;
};

}  // namespace ooa
