// What constraints say of the patterns themselves, and which families have no members that meet them.
//
// A flag says 1 of a box that is there, has a literal on an attribute, "is missing" there, a range that begins at a
// rank or above or ends below one, a literal that names a category. Constraints limit sums of flags: of each box, of
// all boxes together, or of the attributes that any of them has a literal on. Beside these each box may need positives
// of some weight, single boxes may be forbidden, and what the rows count that are covered may be limited. docs/formulation.md, "Boxes and what constraints say of them",
// has the proofs.
#pragma once

#include "boxes_family.h"

namespace ooa {

enum class Flag : Int { used, literal, missing, begins, ends, named };
enum class Among : Int { each, all, any };  // of each box; of all together; attributes that any box has a literal on

struct FlagTerm {
    Flag flag;
    Int attribute, rank, amount;
};

// The sum of the terms may be `most` at most.
struct FlagLimit {
    Among among;
    Int most;
    std::vector<FlagTerm> terms;
};

// Every box covers rows of at least this weight.
struct Support {
    BoxRows rows;
    Int least;
};

// What the rows count that boxes cover together may be `most` at most.
struct Covered {
    BoxRows rows;
    Int most;
};

class BoxFilters {
public:
    void limit(FlagLimit&& one) { limits_.push_back(std::move(one)); }
    void support(BoxRows&& rows, Int least) { supports_.push_back(Support{std::move(rows), least}); }
    void cover(BoxRows&& rows, Int most) {
        const auto all = [&](Int w) { return rows.all()[w]; };
        grows_ = grows_ || rows.worth().positives(all) > 0;
        covered_.push_back(Covered{std::move(rows), most});
    }
    void forbid(FoundBoxes&& box) { forbidden_.push_back(std::move(box)); }

    // Narrow the families to members that may pass; false if there are none.
    bool narrow(const Families& f) const {
        for (bool changed = true; changed;) {
            changed = false;
            for (const FlagLimit& one : limits_) {
                if (one.among == Among::any) {
                    if (!keep_any(one, f, changed)) return false;
                } else if (one.among == Among::all) {
                    if (!keep(one, f, 0, f.boxes, changed)) return false;
                } else {
                    for (Int k = 0; k < f.boxes; ++k) {
                        if (!keep(one, f, k, k + 1, changed)) return false;
                    }
                }
            }
        }
        for (Int k = 0; k < f.boxes; ++k) {
            if (!supported(f, k)) return false;
            for (const FoundBoxes& one : forbidden_) {
                if (is(f, k, one)) return false;
            }
        }
        return within(f);
    }

    // Whether boxes that are all decided, without literals that hold always, pass.
    bool pass(const Families& f) const {
        if (limits_.empty() && supports_.empty() && covered_.empty() && forbidden_.empty()) return true;
        OwnFamilies copy(*f.rows, *f.masks, f.boxes);
        copy.copy(f);
        return narrow(copy.view());
    }

    // Whether whatever passes does so without its literal on an attribute.
    bool removable(Int j) const {
        if (grows_) return false;
        for (const FlagLimit& one : limits_) {
            for (const FlagTerm& term : one.terms) {
                if (term.flag != Flag::used && term.attribute == j && term.amount < 0) return false;
            }
        }
        for (const FoundBoxes& one : forbidden_) {
            if (one.domain[j].only(kNone)) return false;
        }
        return true;
    }

private:
    // Whether a flag is sure, and whether it is possible.
    struct State {
        bool sure, possible;
    };

    static State state(const Families& f, Int k, const FlagTerm& term) {
        if (term.flag == Flag::used) return {true, true};
        const Int j = term.attribute;
        const Domain& one = f.at(k, j);
        const bool ranks = one.may(kRanks), sure = one.only(kRanks);
        switch (term.flag) {
            case Flag::literal: return {!one.may(kNone), !one.only(kNone)};
            case Flag::missing: return {one.only(kMissing), one.may(kMissing)};
            case Flag::begins: return {sure && one.la >= term.rank, ranks && one.lb >= term.rank};
            case Flag::ends: return {sure && one.ub < term.rank, ranks && one.ua < term.rank};
            default: {
                const bool may = ranks && has(f.may(k, j), term.rank);
                const bool must = f.rows->scale(j).kind == Kind::set ? has(f.must(k, j), term.rank)
                                                                     : f.possible(k, j) == 1;
                return {may && sure && must, may};
            }
        }
    }

    static void set(const Families& f, Int k, const FlagTerm& term) {
        const Int j = term.attribute;
        Domain& one = f.at(k, j);
        const Rank rank = static_cast<Rank>(term.rank);
        if (term.flag == Flag::literal) {
            one.options &= static_cast<std::uint8_t>(~kNone);
            return;
        }
        one.options &= term.flag == Flag::missing ? kMissing : kRanks;
        if (term.flag == Flag::begins) one.la = std::max(one.la, rank);
        if (term.flag == Flag::ends) one.ub = std::min(one.ub, rank - 1);
        if (term.flag != Flag::named) return;
        const Word bit = Word(1) << (rank % 64);
        if (f.rows->scale(j).kind == Kind::set) {
            f.must(k, j)[rank / 64] |= bit;
        } else {
            std::fill(f.may(k, j), f.may(k, j) + f.masks->words(j), Word(0));
            f.may(k, j)[rank / 64] = bit;
        }
    }

    static void clear(const Families& f, Int k, const FlagTerm& term) {
        Domain& one = f.at(k, term.attribute);
        const Rank rank = static_cast<Rank>(term.rank);
        switch (term.flag) {
            case Flag::literal: one.options &= kNone; break;
            case Flag::missing: one.options &= static_cast<std::uint8_t>(~kMissing); break;
            case Flag::begins: one.lb = std::min(one.lb, rank - 1); break;
            case Flag::ends: one.ua = std::max(one.ua, rank); break;
            case Flag::named: f.may(k, term.attribute)[rank / 64] &= ~(Word(1) << (rank % 64)); break;
            default: break;
        }
    }

    // The least that the sum can be for some boxes; flags that it has no room for are set or cleared.
    static bool keep(const FlagLimit& limit, const Families& f, Int first, Int last, bool& changed) {
        Int least = 0;
        for (Int k = first; k < last; ++k) {
            for (const FlagTerm& term : limit.terms) {
                const State now = state(f, k, term);
                if (term.amount > 0 ? now.sure : now.possible) least += term.amount;
            }
        }
        if (least > limit.most) return false;
        for (Int k = first; k < last; ++k) {
            for (const FlagTerm& term : limit.terms) {
                const State now = state(f, k, term);
                if (now.sure || !now.possible || std::abs(term.amount) <= limit.most - least) continue;
                if (term.amount > 0) clear(f, k, term);
                else set(f, k, term);
                changed = true;
            }
        }
        return true;
    }

    // The same of attributes that any box has a literal on; no amount is below 0.
    static bool keep_any(const FlagLimit& limit, const Families& f, bool& changed) {
        const auto occurs = [&](const FlagTerm& term) {
            for (Int k = 0; k < f.boxes; ++k) {
                if (state(f, k, term).sure) return true;
            }
            return false;
        };
        Int least = 0;
        for (const FlagTerm& term : limit.terms) least += occurs(term) ? term.amount : 0;
        if (least > limit.most) return false;
        for (const FlagTerm& term : limit.terms) {
            if (term.amount <= limit.most - least || occurs(term)) continue;
            for (Int k = 0; k < f.boxes; ++k) {
                if (!state(f, k, term).possible) continue;
                clear(f, k, term);
                changed = true;
            }
        }
        return true;
    }

    bool supported(const Families& f, Int k) const {
        for (const Support& one : supports_) {
            const Families own{f.domain, f.mask, &one.rows, f.masks, f.boxes};
            const Int words = one.rows.words();
            Vector<Word> scratch(4 * words, 0);
            std::copy(one.rows.all(), one.rows.all() + words, scratch.data());
            for (Int j = 0; j < one.rows.attributes(); ++j) {
                if (own.at(k, j).options) own.keep_outer(k, j, scratch.data(), scratch.data() + words);
            }
            if (one.rows.worth().positives([&](Int w) { return scratch[w]; }) < one.least) return false;
        }
        return true;
    }

    // Whether what is surely covered keeps to the limits, with the best that may be covered.
    bool within(const Families& f) const {
        for (const Covered& one : covered_) {
            const Families own{f.domain, f.mask, &one.rows, f.masks, f.boxes};
            const Int words = one.rows.words();
            Vector<Word> scratch(7 * words, 0);
            Word *may = scratch.data(), *sure = may + words, *outer = sure + words, *inner = outer + words;
            Word *unsure = inner + words, *buffer = unsure + words;
            for (Int k = 0; k < f.boxes; ++k) {
                std::copy(one.rows.all(), one.rows.all() + words, outer);
                for (Int j = 0; j < one.rows.attributes(); ++j) own.keep_outer(k, j, outer, buffer);
                std::copy(outer, outer + words, inner);
                for (Int j = 0; j < one.rows.attributes(); ++j) {
                    if (own.at(k, j).only(kNone)) continue;
                    own.uncertain(k, j, outer, unsure, buffer);
                    for (Int w = 0; w < words; ++w) inner[w] &= ~unsure[w];
                }
                for (Int w = 0; w < words; ++w) {
                    may[w] |= outer[w];
                    sure[w] |= inner[w];
                }
            }
            const Worth& worth = one.rows.worth();
            const Int least = worth.positives([=](Int w) { return sure[w]; }) -
                              worth.negatives([=](Int w) { return may[w]; });
            if (least > one.most) return false;
        }
        return true;
    }

    // Whether a family is nothing but this box.
    static bool is(const Families& f, Int k, const FoundBoxes& box) {
        for (Int j = 0; j < f.rows->attributes(); ++j) {
            const Domain &one = f.at(k, j), &other = box.domain[j];
            if (!f.decided(k, j)) return false;
            const std::uint8_t option = f.holds_always(k, j) ? kNone : one.options;
            if (option != other.options) return false;
            if (option != kRanks) continue;
            if (f.rows->scale(j).kind == Kind::range) {
                if (one.la != other.la || one.ub != other.ub) return false;
            } else if (!std::equal(f.may(k, j), f.may(k, j) + f.masks->words(j), box.mask.data() + f.masks->may(j))) {
                return false;
            }
        }
        return true;
    }

    std::vector<FlagLimit> limits_;
    std::vector<Support> supports_;
    std::vector<Covered> covered_;
    std::vector<FoundBoxes> forbidden_;
    bool grows_ = false;  // whether more rows may be too many
};

}  // namespace ooa
