// Weighted dominance: which patterns a cheaper one can stand in for.
//
// z' dominates z if the positives that z covers and z' does not, plus the negatives that z' covers and z does
// not, weigh no more than z costs above z': then no rule set gets worse by putting z' in the place of z.
#pragma once

#include <algorithm>

#include "patterns.h"

namespace ooa {

class Dominance {
public:
    // The patterns must be sorted so that what dominates always precedes: by price, then by positives (most
    // first), then by negatives.
    Dominance(Patterns&& patterns, const Int* positive, const Int* negative)
        : patterns_(std::move(patterns)), positive_(positive), negative_(negative), kept_(kClasses) {
        for (Int z = 0; z < patterns_.count; ++z) largest_ = std::max(largest_, negative[z]);
    }

    // Go on with the next pattern until all are seen, or about so many were compared.
    Int advance(Int work) {
        for (; done_ < patterns_.count && work > 0; ++done_) {
            work -= 1 + compared(done_);
        }
        return done_;
    }

    // The patterns that none of those seen dominates, one after the other.
    void kept(Int* names) const {
        for (const auto& some : kept_) names = std::copy(some.begin(), some.end(), names);
    }
    Int count() const {
        Int total = 0;
        for (const auto& some : kept_) total += static_cast<Int>(some.size());
        return total;
    }

private:
    static constexpr Int kClasses = 256;  // by negatives, so that only those are compared that have few enough

    Int class_of(Int amount) const { return amount * (kClasses - 1) / largest_; }

    // Keep a pattern unless it is dominated; returns how many it was compared with.
    Int compared(Int i) {
        const Int most = std::min(negative_[i] + patterns_.price[i] - patterns_.price[0], largest_);
        Int many = 0;
        for (Int c = class_of(most); c >= 0; --c) {
            for (auto one = kept_[c].rbegin(); one != kept_[c].rend(); ++one) {
                ++many;
                if (dominates(*one, i)) return many;
            }
        }
        kept_[class_of(negative_[i])].push_back(i);
        return many;
    }

    bool dominates(Int j, Int i) const {
        Int excess = patterns_.price[i] - patterns_.price[j];
        if (positive_[i] - positive_[j] > excess || negative_[j] - negative_[i] > excess) return false;
        excess -= patterns_.right_factor.without(patterns_.right[i], patterns_.right[j]);
        if (excess < 0) return false;
        return excess >= patterns_.wrong_factor.without(patterns_.wrong[j], patterns_.wrong[i]);
    }

    const Patterns patterns_;
    const Int *positive_, *negative_;
    std::vector<std::vector<Int>> kept_;
    Int largest_ = 1, done_ = 0;
};

}  // namespace ooa
