// How much more patterns can add, at most, by counting alone.
//
// A *choice* of at most `most` further patterns gains (positives it covers) - (negatives it covers) - (its
// prices), counted on the rows that no pattern chosen so far covers. A choice covers at least the negatives
// of its worst member. Its positives are counted once per pattern that covers them here, less coarsely in
// multipliers.h. The proofs stand in docs/formulation.md.
#pragma once

#include <algorithm>
#include <limits>

#include "patterns.h"

namespace ooa {

constexpr Int kBuckets = 64;  // classes of the worst member's negatives
constexpr Int kCounted = 6;   // so many further patterns are counted one by one, the rest like the last
constexpr Int kHuge = Int(1) << 60;

// The bucket that an amount falls into when the largest is in the last, and the least amount in a bucket.
inline Int bucket_of(Int amount, Int largest) { return amount * (kBuckets - 1) / largest; }
inline Int least_in(Int bucket, Int largest) {
    return (bucket * largest + kBuckets - 2) / (kBuckets - 1);
}

// The largest values of each bucket, in order; `ranks` of them.
template <class T>
class TopValues {
public:
    void reset(Int ranks) {
        ranks_ = ranks;
        top_.assign(kBuckets * ranks, T(0));
        here_.resize(ranks);
    }
    T* operator[](Int bucket) { return top_.data() + bucket * ranks_; }
    const T* operator[](Int bucket) const { return top_.data() + bucket * ranks_; }
    Int ranks() const { return ranks_; }

    void add(Int bucket, T value) {
        T* top = (*this)[bucket];
        if (ranks_ == 0 || value <= top[ranks_ - 1]) return;
        for (Int k = 0; k < ranks_; ++k) {
            if (value > top[k]) std::swap(value, top[k]);
        }
    }

    // Make the values of each bucket those of this bucket and all below.
    void cumulate() {
        for (Int b = 1; b < kBuckets; ++b) {
            T* top = (*this)[b];
            const T* below = (*this)[b - 1];
            std::copy(top, top + ranks_, here_.begin());
            for (Int k = 0, i = 0, j = 0; k < ranks_; ++k) {
                top[k] = here_[i] >= below[j] ? here_[i++] : below[j++];
            }
        }
    }

private:
    Int ranks_ = 0;
    std::vector<T> top_, here_;
};

class Counting {
public:
    // Keep the patterns that can be part of a choice of at most `most` that gains more than `needed`.
    // They are moved to the front; their number is returned. `free` is the weight of the positives left. Where
    // only choices count in which every pattern `pays`, the others are left out.
    Int keep(Follower* list, Int size, Int most, Int needed, Int free, bool pays = true) {
        const Int ranks = std::min(most - 1, kCounted);
        while (size > 0) {
            const Int before = size;
            survey(list, size, ranks);
            best_of_others(ranks, most - 1);
            size = sift(list, size, ranks, needed, free, pays);
            if (size * 20 > before * 19) break;  // not worth another round
        }
        return size;
    }

private:
    void survey(const Follower* list, Int size, Int ranks) {
        largest_ = 1;
        for (Int i = 0; i < size; ++i) largest_ = std::max(largest_, list[i].negative);
        top_.reset(ranks);
        std::fill(cheap_, cheap_ + kCounted, kHuge);
        for (Int i = 0; i < size; ++i) {
            top_.add(bucket_of(list[i].negative, largest_), list[i].positive - list[i].price);
            Int price = list[i].price;
            for (Int k = 0; k < ranks; ++k) {
                if (price < cheap_[k]) std::swap(price, cheap_[k]);
            }
        }
    }

    // best_[b][k]: the most that k + 1 others add whose worst member, or this one, is in bucket b or later.
    void best_of_others(Int ranks, Int others) {
        top_.cumulate();
        for (Int b = kBuckets - 1; b >= 0; --b) {
            Int total = 0;
            for (Int k = 0; k < ranks; ++k) {
                total += top_[b][k] * (k == ranks - 1 ? others - ranks + 1 : 1);
                best_[b][k] = total - least_in(b, largest_);
                if (b < kBuckets - 1) best_[b][k] = std::max(best_[b][k], best_[b + 1][k]);
            }
        }
    }

    Int sift(Follower* list, Int size, Int ranks, Int needed, Int free, bool pays) const {
        Int kept = 0;
        for (Int i = 0; i < size; ++i) {
            const Follower& one = list[i];
            const Int saved = one.positive - one.price;
            if ((saved > 0 || !pays) && hopeful(one, saved, ranks, needed, free)) list[kept++] = one;
        }
        return kept;
    }

    bool hopeful(const Follower& one, Int saved, Int ranks, Int needed, Int free) const {
        if (saved - one.negative > needed) return true;
        const Int* best = best_[bucket_of(one.negative, largest_)];
        Int price = one.price;
        for (Int k = 0; k < ranks && cheap_[k] <= free; ++k) {
            price += cheap_[k];
            if (std::min(saved + best[k], free - price - one.negative) > needed) return true;
        }
        return false;
    }

    Int largest_ = 1;
    TopValues<Int> top_;
    Int best_[kBuckets][kCounted];
    Int cheap_[kCounted];
};

}  // namespace ooa
