// The best single pattern over literals, up to a length: depth-first search.
//
// A pattern gains (positives it covers) - (negatives it covers) - (its price by length). A pattern has at
// most one literal per attribute. Literals come in an order: those of an attribute together, and among them
// in *chains*, each holding on no row that the one before it in its chain does not. With P and N the
// positives and negatives that a pattern z covers, and E(l) the negatives of z that literal l excludes, four
// facts spare nearly all of the work:
//
// - what z and more literals cover, z covers, so they gain at most P less the price of one more literal;
// - literals exclude no more from fewer rows, so z with l and l' covers at least N - E(l) - E(l') negatives,
//   and no more positives than either of z with l and z with l';
// - a literal that excludes no more of z's negatives than it costs excludes no more of any longer pattern's,
//   which is no worse without it (prices must not grow by less from one length to the next);
// - of two literals of a chain that leave the same negatives of z, the wider one can stand in for the other;
//   of two that leave the same positives, the narrower one, unless a least support is asked for.
//
// An optimal pattern of the fewest literals keeps all of these properties, and stays one when such a
// stand-in takes a literal's place. As lists are only ever shortened on the way down, it, or one as good, is
// reached.
#pragma once

#include <algorithm>

#include "beam.h"

namespace ooa {

class BestPattern {
public:
    // `negatives` is what all negatives weigh.
    BestPattern(Literals&& literals, Int known, Int negatives)
        : literals_(std::move(literals)), depths_(literals_.longest() + 1), negatives_(negatives) {
        notes.best = known;
        notes.value.assign(literals_.slots, 0);
        notes.patterns.resize(literals_.slots);
        for (Depth& one : depths_) {
            one.good.assign(literals_.right.words(), ~Word(0));
            one.bad.assign(literals_.wrong.words(), ~Word(0));
        }
    }

    // Search patterns of at most so many literals from the beginning.
    void begin(Int longest) {
        longest_ = longest;
        Depth& first = depths_[0];
        first.list.clear();
        first.place = 0;
        first.harm = negatives_;
        chosen_.resize(longest);
        for (Int z = 0; z < literals_.count(); ++z) {
            const Int saves = literals_.right_factor.within(literals_.right[z], first.good.data());
            const Int harm = literals_.wrong_factor.within(literals_.wrong[z], first.bad.data());
            chosen_[0] = z;
            note(1, saves - harm - price(1));
            if (longest > 1 && saves - price(2) > notes.best && negatives_ - harm > price(2) - price(1)) {
                keep(first, z, saves, harm);
            }
        }
        level_ = 0;
    }

    // Go on until the search ends (true), or so many words were looked at.
    bool advance(Int work) {
        while (level_ >= 0 && work > 0) {
            Depth& here = depths_[level_];
            if (here.place >= static_cast<Int>(here.list.size())) {
                --level_;
                continue;
            }
            const Int i = here.place++;
            const Option option = here.list[i];
            chosen_[level_] = option.literal;
            if (option.positive - price(level_ + 2) <= notes.best || !supported(level_ + 1)) continue;
            intersect(here.good, literals_.right[option.literal], depths_[level_ + 1].good);
            intersect(here.bad, literals_.wrong[option.literal], depths_[level_ + 1].bad);
            work -= extend(i) + static_cast<Int>(here.list.size()) - i;
            if (!depths_[level_ + 1].list.empty()) {
                depths_[level_ + 1].harm = option.negative;
                depths_[level_ + 1].place = 0;
                ++level_;
            }
        }
        return level_ < 0;
    }

    // No pattern gains more than this, as far as is known: longer ones than those at the options that are left
    // gain less than their positives. Before a search for longer ones all first options are left, `anew`.
    Int bound(bool anew) const {
        Int most = notes.best;
        for (Int d = 0; d <= (anew ? 0 : level_); ++d) {
            const Depth& here = depths_[d];
            for (std::size_t j = anew ? 0 : here.place; j < here.list.size(); ++j) {
                most = std::max(most, here.list[j].positive - price(d + 2));
            }
        }
        return most;
    }

    // Beside the search: grow patterns from the empty one, so many at a time of each kind; see beam.h.
    void begin_beam(Int width) { beam_.begin(width, negatives_); }
    bool advance_beam(Int work) { return beam_.advance(work); }

    Notes notes;

private:
    // A literal that may follow, with what the pattern covers with it.
    struct Option {
        Int literal, positive, negative;
    };

    struct Depth {
        std::vector<Option> list;
        Int place = 0;
        Int harm = 0;  // negatives that the pattern covers
        Vector<Word> good, bad;
    };

    Int price(Int length) const { return literals_.price[length]; }

    static void intersect(const Vector<Word>& before, const Word* rows, Vector<Word>& after) {
        for (std::size_t w = 0; w < after.size(); ++w) after[w] = before[w] & rows[w];
    }

    bool supported(Int length) const { return literals_.supported(chosen_.data(), length); }

    void note(Int length, Int value) { notes.note(literals_, chosen_.data(), length, value); }

    // Put a literal into a list unless its chain's last there can stand in.
    void keep(Depth& into, Int literal, Int positive, Int negative) const {
        if (!into.list.empty() && literals_.chain[into.list.back().literal] == literals_.chain[literal]) {
            if (into.list.back().negative == negative) return;
            if (!literals_.asks_support() && into.list.back().positive == positive) into.list.pop_back();
        }
        into.list.push_back(Option{literal, positive, negative});
    }

    // top_[m]: the most negatives that m of the options from one on exclude, on different attributes.
    void most_excluded(const Depth& here, Int first, Int more) {
        top_.assign(more, 0);
        const Int size = static_cast<Int>(here.list.size());
        Int most = 0;
        for (Int j = first; j < size; ++j) {
            most = std::max(most, here.harm - here.list[j].negative);
            if (j + 1 < size && attribute(here, j + 1) == attribute(here, j)) continue;
            for (Int m = 1; m < more; ++m) {
                if (most > top_[m]) std::swap(most, top_[m]);
            }
            most = 0;
        }
        for (Int m = 1; m < more; ++m) top_[m] += top_[m - 1];
    }

    Int attribute(const Depth& here, Int j) const { return literals_.attribute[here.list[j].literal]; }

    // The later options that may lead above the best beside the i-th, by counting alone, so that most of them
    // cost no look at any row: with option j and m more, there are no more positives than with i or with j,
    // and as many negatives as those m cannot exclude.
    void find_hopeful(const Depth& here, Int i) {
        const Int size = static_cast<Int>(here.list.size()), length = level_ + 2, more = longest_ + 1 - length;
        Int first = i + 1;
        while (first < size && attribute(here, first) == attribute(here, i)) ++first;
        most_excluded(here, first, more);
        const Int most = here.list[i].positive, lost = here.list[i].negative - here.harm;
        hopeful_.clear();
        for (Int j = first; j < size; ++j) {
            const Int saves = std::min(most, here.list[j].positive), harm = lost + here.list[j].negative;
            for (Int m = 0; m < more; ++m) {
                if (saves - std::max<Int>(0, harm - top_[m]) - price(length + m) > notes.best) {
                    hopeful_.push_back(j);
                    break;
                }
            }
        }
    }

    // Note every pattern that has one literal more than those chosen, and fill the next level with those worth
    // going on with. Returns the words looked at.
    Int extend(Int i) {
        const Depth& here = depths_[level_];
        Depth& next = depths_[level_ + 1];
        next.list.clear();
        const Int length = level_ + 2, fee = price(length) - price(length - 1);
        Int dead = -1, work = 0;
        find_hopeful(here, i);
        for (const Int j : hopeful_) {
            const Int other = here.list[j].literal;
            if (literals_.chain[other] == dead) continue;
            work += literals_.right.words();
            const Int saves = literals_.right_factor.within(literals_.right[other], next.good.data());
            if (saves - price(length) <= notes.best) {
                dead = literals_.chain[other];
                continue;
            }
            work += literals_.wrong.words();
            const Int harm = literals_.wrong_factor.within(literals_.wrong[other], next.bad.data());
            if (here.list[i].negative - harm <= fee) continue;
            chosen_[level_ + 1] = other;
            note(length, saves - harm - price(length));
            if (length < longest_ && saves - price(length + 1) > notes.best) keep(next, other, saves, harm);
        }
        return work;
    }

    const Literals literals_;
    std::vector<Depth> depths_;
    std::vector<Int> chosen_, top_, hopeful_;
    Int negatives_, longest_ = 1, level_ = -1;
    Beam beam_{literals_, notes};
};

}  // namespace ooa
