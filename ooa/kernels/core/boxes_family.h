// Families of boxes: for every attribute of a box, which literals it may still have.
//
// A box has on each attribute no literal, "is missing", or a literal on its ranks: a range whose lower end is
// within [la, lb] and whose upper end is within [ua, ub], one of the categories of a mask, or a set of
// categories between two masks.
#pragma once

#include "boxes_rows.h"

namespace ooa {

// The options that are left, as bits.
constexpr std::uint8_t kNone = 1, kMissing = 2, kRanks = 4;

struct Domain {
    Rank la, lb, ua, ub;
    std::uint8_t options;

    bool may(std::uint8_t option) const { return options & option; }
    bool only(std::uint8_t option) const { return options == option; }
    bool has_literal() const { return !may(kNone); }
};

// Where the masks of each attribute lie among those of a box: categories that may be in it, and for sets also
// those that must.
class Masks {
public:
    explicit Masks(const std::vector<Scale>& scales) {
        for (const Scale& one : scales) {
            begin_.push_back(total_);
            words_.push_back(one.kind == Kind::range ? 0 : (one.ranks + 63) / 64);
            total_ += words_.back() * (one.kind == Kind::set ? 2 : 1);
        }
    }
    Int may(Int j) const { return begin_[j]; }
    Int must(Int j) const { return begin_[j] + words_[j]; }
    Int words(Int j) const { return words_[j]; }
    Int total() const { return total_; }

private:
    std::vector<Int> begin_, words_;
    Int total_ = 0;
};

// Some boxes' families, in memory of others.
struct Families {
    Domain* domain;
    Word* mask;
    const BoxRows* rows;
    const Masks* masks;
    Int boxes;

    Domain& at(Int k, Int j) const { return domain[k * rows->attributes() + j]; }
    Word* may(Int k, Int j) const { return mask + k * masks->total() + masks->may(j); }
    Word* must(Int k, Int j) const { return mask + k * masks->total() + masks->must(j); }

    // All boxes there are.
    void fill() const {
        std::fill(mask, mask + boxes * masks->total(), Word(0));
        for (Int k = 0; k < boxes; ++k) {
            for (Int j = 0; j < rows->attributes(); ++j) {
                const Scale& scale = rows->scale(j);
                const Rank last = static_cast<Rank>(scale.ranks) - 1;
                std::uint8_t options = kNone;
                if (scale.missing_literal) options |= kMissing;
                if (scale.ranks > (scale.lacks ? 0 : 1)) options |= kRanks;
                at(k, j) = Domain{0, last, 0, last, options};
                if (scale.kind == Kind::range) continue;
                for (Int r = 0; r < scale.ranks; ++r) may(k, j)[r / 64] |= Word(1) << (r % 64);
            }
        }
    }

    Int possible(Int k, Int j) const {
        Int total = 0;
        for (Int w = 0; w < masks->words(j); ++w) total += popcount(may(k, j)[w]);
        return total;
    }

    // Whether one literal, or none, is all that is left.
    bool decided(Int k, Int j) const {
        const Domain& one = at(k, j);
        if (one.only(kNone) || one.only(kMissing)) return true;
        if (!one.only(kRanks)) return false;
        switch (rows->scale(j).kind) {
            case Kind::range: return one.la == one.lb && one.ua == one.ub;
            case Kind::category: return possible(k, j) == 1;
            default: return std::equal(may(k, j), may(k, j) + masks->words(j), must(k, j));
        }
    }

    // Whether what is decided holds for every row, so that it is no literal. A box without one covers all rows.
    bool holds_always(Int k, Int j) const {
        const Domain& one = at(k, j);
        const Scale& scale = rows->scale(j);
        if (!one.only(kRanks) || scale.lacks) return false;
        if (scale.kind == Kind::range) return one.la == 0 && one.ub == scale.ranks - 1;
        return possible(k, j) == scale.ranks;
    }

    // Leave the rows that the widest member of an attribute's literals has.
    void keep_outer(Int k, Int j, Word* set, Word* buffer) const {
        const Domain& one = at(k, j);
        if (one.may(kNone)) return;
        const Int words = rows->words();
        const RankSets& sets = rows->sets(j);
        const Word* present = sets.present();
        if (!one.may(kRanks)) {
            for (Int w = 0; w < words; ++w) set[w] &= ~present[w];
            return;
        }
        Word* second = buffer + words;
        const Word missing = one.may(kMissing) ? ~Word(0) : 0;
        if (rows->scale(j).kind == Kind::range) {
            const Word* low = sets.from(one.la, buffer);
            const Word* high = rows->highs(j).from(one.ub + 1, second);
            for (Int w = 0; w < words; ++w) set[w] &= (low[w] & ~high[w]) | (missing & ~present[w]);
            return;
        }
        union_of(j, may(k, j), buffer);
        for (Int w = 0; w < words; ++w) set[w] &= buffer[w] | (missing & ~present[w]);
    }

    // The rows of `outer` that some members of an attribute's literals have and others have not.
    void uncertain(Int k, Int j, const Word* outer, Word* result, Word* buffer) const {
        const Domain& one = at(k, j);
        const Int words = rows->words();
        const RankSets& sets = rows->sets(j);
        const Word* present = sets.present();
        if (one.may(kMissing)) {  // "is missing" or not: none is sure but the missing, if no ranks are left
            const Word with_ranks = one.may(kRanks) ? ~Word(0) : 0;
            for (Int w = 0; w < words; ++w) result[w] = outer[w] & (present[w] | with_ranks);
            return;
        }
        if (rows->scale(j).kind == Kind::range && one.lb <= one.ua) {
            const Word* low = sets.from(one.lb, buffer);
            const Word* high = rows->highs(j).from(one.ua + 1, buffer + words);
            for (Int w = 0; w < words; ++w) result[w] = outer[w] & ~(low[w] & ~high[w]);
            return;
        }
        const bool sets_of = rows->scale(j).kind == Kind::set, single = rows->scale(j).kind == Kind::category;
        if (sets_of || (single && possible(k, j) == 1)) {
            union_of(j, sets_of ? must(k, j) : may(k, j), buffer);
            for (Int w = 0; w < words; ++w) result[w] = outer[w] & ~buffer[w];
            return;
        }
        std::copy(outer, outer + words, result);
    }

    // Call `what(rank)` for the categories of a mask.
    template <class What>
    void each(Int j, const Word* mask_of, What what) const {
        for (Int w = 0; w < masks->words(j); ++w) {
            for (Word left = mask_of[w]; left; left &= left - 1) what(64 * w + __builtin_ctzll(left));
        }
    }

private:
    void union_of(Int j, const Word* mask_of, Word* result) const {
        std::fill(result, result + rows->words(), Word(0));
        each(j, mask_of, [&](Int r) { rows->sets(j).add(r, result); });
    }
};

// Families in memory of their own.
class OwnFamilies {
public:
    OwnFamilies(const BoxRows& rows, const Masks& masks, Int boxes)
        : domain_(boxes * rows.attributes()), mask_(boxes * masks.total()), rows_(&rows), masks_(&masks),
          boxes_(boxes) {}
    Families view() { return Families{domain_.data(), mask_.data(), rows_, masks_, boxes_}; }
    void copy(const Families& from) {
        std::copy(from.domain, from.domain + domain_.size(), domain_.begin());
        std::copy(from.mask, from.mask + mask_.size(), mask_.begin());
    }

private:
    std::vector<Domain> domain_;
    std::vector<Word> mask_;
    const BoxRows* rows_;
    const Masks* masks_;
    Int boxes_;
};

// Boxes that were found, and what they gain.
struct FoundBoxes {
    Int gain = 0;
    std::vector<Domain> domain;
    std::vector<Word> mask;

    void take(const Families& f, Int value) {
        gain = value;
        domain.assign(f.domain, f.domain + f.boxes * f.rows->attributes());
        mask.assign(f.mask, f.mask + f.boxes * f.masks->total());
    }
    bool any() const { return !domain.empty(); }
};

// What boxes that are all decided gain, or `kNothing` if one of them has no literal.
constexpr Int kNothing = -(Int(1) << 60);

struct BoxPrices {
    Int literal, pattern, longest;  // of a literal, of a pattern; the most literals in one
};

inline Int gain_of(const Families& boxes, const BoxPrices& prices, Vector<Word>& scratch) {
    const BoxRows& rows = *boxes.rows;
    const Int words = rows.words();
    scratch.assign(4 * words, 0);
    Word *covered = scratch.data(), *own = covered + words, *buffer = own + words;
    Int gain = 0;
    for (Int k = 0; k < boxes.boxes; ++k) {
        Int literals = 0;
        std::copy(rows.all(), rows.all() + words, own);
        for (Int j = 0; j < rows.attributes(); ++j) {
            if (boxes.at(k, j).only(kNone)) continue;
            if (boxes.holds_always(k, j)) {
                boxes.at(k, j).options = kNone;
                continue;
            }
            ++literals;
            boxes.keep_outer(k, j, own, buffer);
        }
        if (literals == 0 || literals > prices.longest) return kNothing;
        gain -= prices.pattern + literals * prices.literal;
        for (Int w = 0; w < words; ++w) covered[w] |= own[w];
    }
    const auto set = [=](Int w) { return covered[w]; };
    return gain + rows.worth().positives(set) - rows.worth().negatives(set);
}

}  // namespace ooa
