// What the local search and the pair bound ask of all patterns at once.
#pragma once

#include <limits>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "words.h"

namespace ooa {

// The weight of the rows that `set(w)` has in word w, for weights that need not be whole.
template <class Set>
double weigh(const double* factor, Int words, Set set) {
    double lane[4] = {};
    const Int whole = words / 4 * 4;
    for (Int w = 0; w < whole; w += 4) {
        for (Int k = 0; k < 4; ++k) lane[k] += factor[w + k] * static_cast<double>(popcount(set(w + k)));
    }
    for (Int w = whole; w < words; ++w) lane[0] += factor[w] * static_cast<double>(popcount(set(w)));
    return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

constexpr Int kTogether = 4096;  // sets that a thread takes at a time

// One row of words per set.
struct WeightedSets {
    const Word* rows;
    const double* factor;
    Int words;
    const Word* operator[](Int z) const { return rows + z * words; }
    double without(Int z, const Word* cover) const {
        const Word* set = (*this)[z];
        return weigh(factor, words, [=](Int w) { return set[w] & ~cover[w]; });
    }
};

// result[z] = weight of the positives that z adds, less `harshness` times its negatives, less its price;
// `covered` and `hit` are the positives and the negatives that the selection covers already.
inline void gains(const WeightedSets& right, const WeightedSets& wrong, const Word* covered, const Word* hit,
                  const double* price, double harshness, Int from, Int to, double* result) {
    for (Int z = from; z < to; ++z) {
        result[z] = right.without(z, covered) - harshness * wrong.without(z, hit) - price[z];
    }
}

// Multipliers of positives, and of pairs of a positive and a negative; those of p are first[p] to
// first[p + 1] - 1, and `second` has their negatives.
struct PairMultipliers {
    const double* cover;
    const Int* first;
    const Int* second;
    const double* amount;
};

// What patterns are worth: `cover` of each positive that they cover, the amount of each pair whose positive
// they cover and whose negative they do not, less the price. leader[p] is the i of the most valuable that
// covers p.
inline void worth(const bool* right, Int positives, const bool* wrong, Int negatives, const Int* price,
                  const Int* names, Int count, const PairMultipliers& by, double* value, Int* leader) {
    std::vector<double> most(positives, -std::numeric_limits<double>::infinity());
    for (Int i = 0; i < count; ++i) {
        const bool *covers = right + names[i] * positives, *harms = wrong + names[i] * negatives;
        double total = -static_cast<double>(price[names[i]]);
        for (Int p = 0; p < positives; ++p) {
            if (!covers[p]) continue;
            total += by.cover[p];
            for (Int m = by.first[p]; m < by.first[p + 1]; ++m) {
                if (!harms[by.second[m]]) total += by.amount[m];
            }
        }
        value[i] = total;
        for (Int p = 0; p < positives; ++p) {
            if (covers[p] && total > most[p]) {
                most[p] = total;
                leader[p] = i;
            }
        }
    }
}

}  // namespace ooa
