// One attribute of one box by itself: the best literal for rows that nothing else decides, and which literals
// cannot lead above a target.
//
// `worth[r]` is what the rows of rank r are worth in all; the last entries are those of rows without a value, and of
// rows for which no literal holds. Rows that span several ranks come beside it.
#pragma once

#include "boxes_family.h"
#include "boxes_spans.h"

namespace ooa {

// The best choice on an attribute: what its rows are worth, less the price of a literal if there is one.
struct LineBest {
    Int best = kNothing;     // with a literal or without
    Int literal = kNothing;  // with one
};

class Line {
public:
    Line(const Families& families, Int k, Int j) : f_(families), scale_(families.rows->scale(j)), k_(k), j_(j) {}

    // The entries of `worth` that its rows can be in.
    Int first() const { return whole() ? 0 : domain().la; }
    Int last() const { return whole() ? scale_.ranks + 1 : domain().ub; }

    // `literal_price` is 0 where that is paid already. The choice is written to the same place of `choice`, and
    // the best literal there if `forced`.
    LineBest best(const Int* worth, Int literal_price, const Families* choice, bool forced = false,
                  Spans* spans = nullptr) const {
        LineBest found;
        Domain picked = domain();
        if (domain().may(kRanks)) found.literal = best_ranks(worth, picked, choice, spans);
        if (found.literal > kNothing) found.literal -= literal_price;
        picked.options = kRanks;
        if (domain().may(kMissing) && worth[scale_.ranks] - literal_price > found.literal) {
            found.literal = worth[scale_.ranks] - literal_price;
            picked.options = kMissing;
        }
        found.best = found.literal;
        if (domain().may(kNone)) {
            const Int all = everything(worth, spans);
            if (all >= found.literal) {
                found.best = all;
                if (!forced || found.literal == kNothing) picked.options = kNone;
            }
        }
        if (choice) choice->at(k_, j_) = picked;
        return found;
    }

    // Drop the literals with which `base` and the worth of their rows do not exceed the target. Returns whether
    // any is left; `changed` is set if some were dropped.
    bool probe(const Int* worth, Int base, Int literal_price, Int target, std::vector<Int>& scratch,
               bool& changed, Spans* spans = nullptr) const {
        Domain& one = domain();
        const std::uint8_t before = one.options;
        if (one.may(kNone) && base + everything(worth, spans) <= target) one.options &= ~kNone;
        const Int needed = target + literal_price - base;  // a literal's rows must be worth more
        if (one.may(kMissing) && worth[scale_.ranks] <= needed) one.options &= ~kMissing;
        if (before & kRanks) {
            bool left;
            switch (scale_.kind) {
                case Kind::range: left = probe_range(worth, needed, scratch, changed, spans); break;
                case Kind::category: left = probe_category(worth, needed, changed); break;
                default: left = probe_set(worth, needed, changed);
            }
            if (!left) one.options &= ~kRanks;
        }
        changed = changed || one.options != before;
        return one.options != 0;
    }

private:
    Domain& domain() const { return f_.at(k_, j_); }
    bool whole() const { return scale_.kind != Kind::range || !domain().only(kRanks); }

    Int everything(const Int* worth, const Spans* spans) const {
        Int all = spans ? -spans->total() : 0;
        for (Int r = first(); r <= last(); ++r) all += worth[r];
        return all;
    }

    Int best_ranks(const Int* worth, Domain& picked, const Families* choice, Spans* spans) const {
        switch (scale_.kind) {
            case Kind::range: return spans && spans->any() ? best_span(worth, picked, *spans) : best_range(worth, picked);
            case Kind::category: return best_category(worth, choice);
            default: return best_set(worth, choice);
        }
    }

    // Kadane's scan, with the ends where they may be.
    Int best_range(const Int* worth, Domain& picked) const {
        const Domain& one = domain();
        Int sum = 0, least = -kNothing, best = kNothing;
        Rank low = one.la;
        for (Rank r = one.la; r <= one.ub; ++r) {
            if (r <= one.lb && sum < least) {
                least = sum;
                low = r;
            }
            sum += worth[r];
            if (r >= one.ua && sum - least > best) {
                best = sum - least;
                picked.la = picked.lb = low;
                picked.ua = picked.ub = r;
            }
        }
        return best;
    }

    // The same beside rows that span several ranks.
    Int best_span(const Int* worth, Domain& picked, Spans& spans) const {
        const Domain one = domain();
        Int best = kNothing;
        spans.up(worth, one, [&](Rank low, Rank high, Int value) {
            if (high < one.ua || value <= best) return;
            best = value;
            picked.la = picked.lb = low;
            picked.ua = picked.ub = high;
        });
        return best;
    }

    Int best_category(const Int* worth, const Families* choice) const {
        Int best = kNothing, which = 0;
        f_.each(j_, f_.may(k_, j_), [&](Int r) {
            if (worth[r] > best) {
                best = worth[r];
                which = r;
            }
        });
        if (choice) {
            std::fill(choice->may(k_, j_), choice->may(k_, j_) + f_.masks->words(j_), Word(0));
            choice->may(k_, j_)[which / 64] |= Word(1) << (which % 64);
        }
        return best;
    }

    Int best_set(const Int* worth, const Families* choice) const {
        Int sum = 0, some = 0, best = kNothing, which = 0;
        const Word *may = f_.may(k_, j_), *must = f_.must(k_, j_);
        Word* into = choice ? choice->may(k_, j_) : nullptr;
        if (choice) std::copy(must, must + f_.masks->words(j_), into);
        f_.each(j_, may, [&](Int r) {
            if (has(must, r) || worth[r] > 0) {
                sum += worth[r];
                ++some;
                if (choice) into[r / 64] |= Word(1) << (r % 64);
            } else if (worth[r] > best) {
                best = worth[r];
                which = r;
            }
        });
        if (some == 0 && choice && best > kNothing) into[which / 64] |= Word(1) << (which % 64);
        if (choice) std::copy(into, into + f_.masks->words(j_), choice->must(k_, j_));
        return some ? sum : best;
    }

    bool probe_range(const Int* worth, Int needed, std::vector<Int>& scratch, bool& changed, Spans* spans) const {
        Domain& one = domain();
        if (spans && spans->any()) return probe_spans(worth, needed, changed, *spans);
        scratch.resize(2 * (scale_.ranks + 2));
        Int *sum = scratch.data(), *most = sum + scale_.ranks + 2;  // before a rank; after it or a later one
        sum[one.la] = 0;
        for (Rank r = one.la; r <= one.ub; ++r) sum[r + 1] = sum[r] + worth[r];
        most[one.ub + 1] = kNothing;
        for (Rank r = one.ub; r >= one.la; --r) most[r] = r >= one.ua ? std::max(most[r + 1], sum[r + 1]) : most[r + 1];
        Domain left{-1, -1, -1, -1, one.options};
        for (Rank r = one.la; r <= one.lb; ++r) {
            if (most[r] - sum[r] <= needed) continue;
            if (left.la < 0) left.la = r;
            left.lb = r;
        }
        if (left.la < 0) return false;
        Int least = -kNothing;
        for (Rank r = one.la; r <= one.ub; ++r) {
            if (r <= one.lb) least = std::min(least, sum[r]);
            if (r < one.ua || sum[r + 1] - least <= needed) continue;
            if (left.ua < 0) left.ua = r;
            left.ub = r;
        }
        changed = changed || left.la != one.la || left.lb != one.lb || left.ua != one.ua || left.ub != one.ub;
        one = left;
        return true;
    }

    bool probe_spans(const Int* worth, Int needed, bool& changed, Spans& spans) const {
        Domain& one = domain();
        Domain left{-1, -1, -1, -1, one.options};
        spans.up(worth, one, [&](Rank, Rank high, Int value) {
            if (high < one.ua || value <= needed) return;
            if (left.ua < 0) left.ua = high;
            left.ub = high;
        });
        if (left.ua < 0) return false;
        spans.down(worth, one, [&](Rank low, Rank, Int value) {
            if (low > one.lb || value <= needed) return;
            if (left.lb < 0) left.lb = low;
            left.la = low;
        });
        if (left.la < 0) return false;
        changed = changed || left.la != one.la || left.lb != one.lb || left.ua != one.ua || left.ub != one.ub;
        one = left;
        return true;
    }

    bool probe_category(const Int* worth, Int needed, bool& changed) const {
        bool any = false;
        f_.each(j_, f_.may(k_, j_), [&](Int r) {
            if (worth[r] > needed) {
                any = true;
            } else {
                f_.may(k_, j_)[r / 64] &= ~(Word(1) << (r % 64));
                changed = true;
            }
        });
        return any;
    }

    // A category that a set above the target cannot have, or cannot do without.
    bool probe_set(const Int* worth, Int needed, bool& changed) const {
        Word *may = f_.may(k_, j_), *must = f_.must(k_, j_);
        Int most = 0;
        bool any = false;
        f_.each(j_, may, [&](Int r) {
            any = true;
            if (has(must, r) || worth[r] > 0) most += worth[r];
        });
        if (!any) return false;
        bool dead = false;
        f_.each(j_, may, [&](Int r) {
            if (has(must, r)) return;
            const bool in = most + std::min<Int>(0, worth[r]) > needed;
            const bool out = most - std::max<Int>(0, worth[r]) > needed;
            if (!in) may[r / 64] &= ~(Word(1) << (r % 64));
            if (!out) must[r / 64] |= Word(1) << (r % 64);
            dead = dead || (!in && !out);
            changed = changed || !in || !out;
        });
        return !dead && most > needed && f_.possible(k_, j_) > 0;
    }

    const Families& f_;
    const Scale& scale_;
    const Int k_, j_;
};

}  // namespace ooa
