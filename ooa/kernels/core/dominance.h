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
        for (Int z = 0; z < patterns_.count; ++z) largest_ = std::max(largest_, negative[z]);
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
        for (const auto& some : kept_) names = std::copy(some.begin(), some.end(), names);
    }
    Int count() const {
        Int total = 0;
        for (const auto& some : kept_) total += static_cast<Int>(some.size());
        return total;
    }

private:
    static constexpr Int kTogether = 256;  // patterns of a batch
    static constexpr Int kStep = 16;       // that a thread takes at a time
    static constexpr Int kClasses = 256;  // by negatives, so that only those are compared that have few enough

    Int class_of(Int amount) const { return amount * (kClasses - 1) / largest_; }

    // Whether a kept pattern dominates; `many` grows by those it was compared with.
    bool dominated(Int i, Int& many) const {
        const Int most = std::min(negative_[i] + patterns_.price[i] - patterns_.price[0], largest_);
        for (Int c = class_of(most); c >= 0; --c) {
            for (auto one = kept_[c].rbegin(); one != kept_[c].rend(); ++one) {
                ++many;
                if (dominates(*one, i)) return true;
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
        for (const Int i : fresh) kept_[class_of(negative_[i])].push_back(i);
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
    Int threads_;
    std::vector<std::vector<Int>> kept_;
    Int largest_ = 1, done_ = 0;
};

}  // namespace ooa
