// Sums over what a set of patterns covers and has, each with a limit: constraints, as a search counts them.
//
// All rows of a word count alike in every sum, as they weigh alike.
#pragma once

#include <algorithm>
#include <numeric>

#include "counting.h"

namespace ooa {

// What a pattern adds to a sum at least: `plus` for rows and by itself that stay whatever follows, `minus`
// that what follows can have as well.
struct Change {
    Int plus = 0, minus = 0;
};

class LimitedSums {
public:
    // Coefficients by sum and word of the positives and of the negatives, by sum and pattern; limits by sum.
    LimitedSums(const Patterns& patterns, const Int* right, const Int* wrong, const Int* own, const Int* limit, Int count)
        : limit(limit, limit + count), patterns_(patterns),
          right_(right, right + count * patterns.right.words()),
          wrong_(wrong, wrong + count * patterns.wrong.words()),
          own_(own, own + count * patterns.count) {}

    Int count() const { return static_cast<Int>(limit.size()); }

    // What a pattern changes of sum m where these rows are covered already.
    Change change(Int m, Int z, const Word* good, const Word* bad) const {
        Change result;
        add(own_[m * patterns_.count + z], 1, result);
        const Int right_words = patterns_.right.words(), wrong_words = patterns_.wrong.words();
        add_rows(patterns_.right[z], good, right_.data() + m * right_words, right_words, result);
        add_rows(patterns_.wrong[z], bad, wrong_.data() + m * wrong_words, wrong_words, result);
        return result;
    }

    // What sum m is for some patterns together.
    Int amount(Int m, const std::vector<Int>& chosen, Int many) const {
        const Int right_words = patterns_.right.words(), wrong_words = patterns_.wrong.words();
        Int total = on_rows(patterns_.right, chosen, many, right_.data() + m * right_words, right_words) +
                    on_rows(patterns_.wrong, chosen, many, wrong_.data() + m * wrong_words, wrong_words);
        for (Int i = 0; i < many; ++i) total += own_[m * patterns_.count + chosen[i]];
        return total;
    }

    const std::vector<Int> limit;

private:
    static Int on_rows(const RowSets& rows, const std::vector<Int>& chosen, Int many, const Int* coefficient,
                       Int words) {
        Int total = 0;
        for (Int w = 0; w < words; ++w) {
            if (coefficient[w] == 0) continue;
            Word covered = 0;
            for (Int i = 0; i < many; ++i) covered |= rows[chosen[i]][w];
            total += coefficient[w] * popcount(covered);
        }
        return total;
    }

    static void add(Int coefficient, Int times, Change& to) {
        if (coefficient > 0) {
            to.plus += coefficient * times;
        } else {
            to.minus -= coefficient * times;
        }
    }

    static void add_rows(const Word* rows, const Word* covered, const Int* coefficient, Int words, Change& to) {
        for (Int w = 0; w < words; ++w) {
            if (coefficient[w] != 0) add(coefficient[w], popcount(rows[w] & ~covered[w]), to);
        }
    }

    const Patterns& patterns_;
    std::vector<Int> right_, wrong_, own_;
};

// What sets within the limits are worth, where gains are those of a valuation with prices for the sums: a set is
// worth its gain and what the prices take back, a multiple of `scale`, and at most its gain and `constant`.
struct Within {
    const LimitedSums sums;
    const std::vector<Int> price;
    const Int scale, constant;

    // What a set is worth that gains so much; -kHuge if it breaks a limit.
    Int worth(const std::vector<Int>& chosen, Int many, Int gain) const {
        Int result = gain;
        for (Int m = 0; m < sums.count(); ++m) {
            const Int amount = sums.amount(m, chosen, many);
            if (amount > sums.limit[m]) return -kHuge;
            result += price[m] * amount;
        }
        return result;
    }

    // What a set has to gain more than to be worth more than this.
    Int target(Int worth) const { return worth + scale - constant - 1; }
};

// Which patterns can follow so that all limits are kept.
class Keeping {
public:
    explicit Keeping(const LimitedSums& sums) : sums_(sums) {}

    // Keep the patterns of a list that are in a set within the limits, of those chosen, which have come to
    // `amount`, and at most `left` of the list. Returns whether there is any such set at all, the chosen alone
    // included.
    //
    // Of what the set adds to a sum, the part that is positive is at least that of any member, and the part
    // that is negative at most the sum of those of its members.
    bool narrow(std::vector<Follower>& list, Int left, const std::vector<Int>& amount, const Word* good,
                const Word* bad) {
        const std::size_t size = list.size();
        fits_.assign(size, 1);
        changes_.resize(size);
        for (Int m = 0; m < sums_.count(); ++m) {
            for (std::size_t i = 0; i < size; ++i) changes_[i] = sums_.change(m, list[i].name, good, bad);
            const Int beside = largest(left - 1), room = sums_.limit[m] - amount[m];
            if (-largest(left) > room) return false;
            for (std::size_t i = 0; i < size; ++i) {
                if (changes_[i].plus - changes_[i].minus - beside > room) fits_[i] = 0;
            }
        }
        std::size_t kept = 0;
        for (std::size_t i = 0; i < size; ++i) {
            if (fits_[i]) list[kept++] = list[i];
        }
        list.resize(kept);
        return true;
    }

private:
    // What the `many` patterns take off that take off most, of those that fit so far.
    Int largest(Int many) {
        if (many <= 0) return 0;
        minus_.clear();
        for (std::size_t i = 0; i < changes_.size(); ++i) {
            if (fits_[i] && changes_[i].minus > 0) minus_.push_back(changes_[i].minus);
        }
        const std::size_t some = std::min(minus_.size(), static_cast<std::size_t>(many));
        std::partial_sort(minus_.begin(), minus_.begin() + some, minus_.end(), std::greater<Int>());
        return std::accumulate(minus_.begin(), minus_.begin() + some, Int(0));
    }

    const LimitedSums& sums_;
    std::vector<Change> changes_;
    std::vector<char> fits_;
    std::vector<Int> minus_;
};

}  // namespace ooa
