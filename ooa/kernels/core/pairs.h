// Pairs of a positive and a negative in the bounds by multipliers.
//
// A pair sets a share f_pr of a positive p off against a negative r: a pattern that covers both gets f_pr
// less of the multiplier of p. For shares with sum_r f_pr <= 1 and sum_p f_pr w_p <= b_r <= w_r the bound of
// multipliers.h holds, with w_r - b_r in the place of w_r in the charge of the worst member: what several
// patterns lose by pairs is, once, b_r, and beyond that what p was counted too often.
// `ooa.search.pair_bound` finds the pairs.
#pragma once

#include <algorithm>

#include "patterns.h"

namespace ooa {

struct Pairs {
    // `spent` has an entry for every place in the words of the negatives.
    Pairs(const Int* right, const Int* wrong, const double* share, Int count, const Int* spent,
          const Patterns& patterns)
        : right(right, right + count),
          wrong(wrong, wrong + count),
          share(share, share + count),
          spent(spent, spent + patterns.wrong.words() * 64),
          first(patterns.count + 1, 0) {
        for (Int z = 0; z < patterns.count; ++z) {
            for (Int k = 0; k < count; ++k) {
                if (has(patterns.right[z], right[k]) && has(patterns.wrong[z], wrong[k])) {
                    which.push_back(static_cast<std::int32_t>(k));
                }
            }
            first[z + 1] = static_cast<Int>(which.size());
        }
    }

    Int count() const { return static_cast<Int>(right.size()); }

    std::vector<Int> right, wrong;     // the positive of each pair, and its negative
    std::vector<double> share;         // how much of the positive is lost to a pattern that covers both
    std::vector<Int> spent;            // weight of each negative that is used up by its pairs
    std::vector<Int> first;            // the pairs both rows of which pattern z covers:
    std::vector<std::int32_t> which;   // which[first[z]] to which[first[z + 1] - 1]
};

// table[256 k + x]: the sum of the amounts of the rows of the k-th byte that x has.
inline void tabulate(const double* amounts, const std::vector<Int>& bytes, double* table) {
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        double* sums = table + 256 * k;
        const double* eight = amounts + 8 * bytes[k];
        sums[0] = 0.0;
        for (int bit = 0; bit < 8; ++bit) {
            for (int x = 0; x < 1 << bit; ++x) sums[x + (1 << bit)] = sums[x] + eight[bit];
        }
    }
}

inline unsigned byte_of(const Word* set, Int byte) {
    return static_cast<unsigned>(set[byte / 8] >> (8 * (byte % 8))) & 255u;
}

}  // namespace ooa
