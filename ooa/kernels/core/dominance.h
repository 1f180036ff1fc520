// Weighted dominance: which patterns a cheaper one can stand in for.
//
// z' dominates z if the positives that z covers and z' does not, plus the negatives that z' covers and z does
// not, weigh no more than z costs above z': then no rule set gets worse by putting z' in the place of z.
#pragma once

#include <algorithm>

#include "parallel.h"
#include "patterns.h"

namespace ooa {

class Dominance {
public:
    // The patterns must be sorted so that what dominates always precedes: by price, then by positives (most
    // first), then by negatives.
    Dominance(Patterns&& patterns, const Int* positive, const Int* negative, Int threads)
        : patterns_(std::move(patterns)), positive_(positive), negative_(negative), threads_(threads),
          kept_(kClasses) {
        for (Int z = 0; z < patterns_.count; ++z) largest_ = std::max(largest_, burden(z));
    }

    // Go on until all patterns are seen, or about so many were compared. Those of a batch are compared with
    // what was kept before it by several threads, and then with one another.
    Int advance(Int work) {
        while (done_ < patterns_.count && work > 0) {
            const Int end = std::min(patterns_.count, done_ + kTogether);
            std::vector<char> spare(end - done_);
            std::atomic<Int> compared{0};
            in_pieces(end - done_, kStep, threads_, [&](Int from, Int to) {
                Int many = 0;
                for (Int i = from; i < to; ++i) spare[i] = !dominated(done_ + i, many);
                compared += many;
            });
            work -= compared + end - done_;
            settle(spare);
            done_ = end;
        }
        return done_;
    }

    // The patterns that none of those seen dominates, one after the other.
    void kept(Int* names) const {
        for (const auto& some : kept_) {
            for (const Kept& one : some) *names++ = one.name;
        }
    }
    Int count() const {
        Int total = 0;
        for (const auto& some : kept_) total += static_cast<Int>(some.size());
        return total;
    }

private:
    static constexpr Int kTogether = 256;  // patterns of a batch
    static constexpr Int kStep = 16;       // that a thread takes at a time
    static constexpr Int kClasses = 256;   // by burden, so that only those are compared that have little enough

    // What dominates is worth no less, and no more of a burden: what it saves and what it costs, with its price.
    struct Kept {
        Int worth, name;
    };
    Int worth(Int i) const { return positive_[i] - patterns_.price[i]; }
    Int burden(Int i) const { return negative_[i] + patterns_.price[i]; }
    Int class_of(Int burden) const { return burden * (kClasses - 1) / largest_; }

    // Whether a kept pattern dominates; `many` grows by those it was compared with.
    bool dominated(Int i, Int& many) const {
        const Int least = worth(i);
        for (Int c = class_of(burden(i)); c >= 0; --c) {
            const auto& some = kept_[c];
            const auto enough = [&](const Kept& one) { return one.worth >= least; };
            auto one = std::partition_point(some.begin(), some.end(), enough);
            while (one != some.begin()) {  // those that are most like it first
                ++many;
                if (dominates((--one)->name, i)) return true;
            }
        }
        return false;
    }

    // Keep those of a batch that no other one of it dominates, of those that nothing before it does.
    void settle(const std::vector<char>& spare) {
        std::vector<Int> fresh;
        for (std::size_t k = 0; k < spare.size(); ++k) {
            const Int i = done_ + static_cast<Int>(k);
            const auto stands_in = [&](Int j) { return dominates(j, i); };
            if (spare[k] && std::none_of(fresh.begin(), fresh.end(), stands_in)) fresh.push_back(i);
        }
        for (const Int i : fresh) keep(i);
    }

    // In its class, by what it is worth: those that are worth enough come first.
    void keep(Int i) {
        const Kept one{worth(i), i};
        auto& some = kept_[class_of(burden(i))];
        const auto more = [](const Kept& a, const Kept& b) { return a.worth > b.worth; };
        some.insert(std::upper_bound(some.begin(), some.end(), one, more), one);
    }

    bool dominates(Int j, Int i) const {
        Int excess = patterns_.price[i] - patterns_.price[j];
        if (positive_[i] - positive_[j] > excess || negative_[j] - negative_[i] > excess) return false;
        return fits(patterns_.right_factor, patterns_.right[i], patterns_.right[j], excess) &&
               fits(patterns_.wrong_factor, patterns_.wrong[j], patterns_.wrong[i], excess);
    }

    // Whether the rows of a set that another one lacks weigh no more than `excess`, which gets less by them. Most
    // lack too much in their first words already, so that it pays to look after each.
    static bool fits(const Factors& factor, const Word* rows, const Word* cover, Int& excess) {
        const Int words = factor.words();
        for (Int w = 0; w < words && excess >= 0; ++w) excess -= factor[w] * popcount(rows[w] & ~cover[w]);
        return excess >= 0;
    }

    const Patterns patterns_;
    const Int *positive_, *negative_;
    Int threads_;
    std::vector<std::vector<Kept>> kept_;
    Int largest_ = 1, done_ = 0;
};

}  // namespace ooa
