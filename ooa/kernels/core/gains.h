// What the local search, the layout of rows and the pair bound ask of all patterns at once.
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

// The bits of a word that a mask has, moved together at its low end.
inline Word extract(Word word, Word mask) {
#ifdef __BMI2__
    return _pext_u64(word, mask);
#else
    Word result = 0;
    for (Int place = 0; mask; mask &= mask - 1, ++place) {
        result |= ((word >> __builtin_ctzll(mask)) & 1) << place;
    }
    return result;
#endif
}

// Rows of one word that go to places one after the other, in ascending order; places without a row, if the
// mask is empty.
struct Run {
    Int word;
    Word mask;
    Int places;
};

// What places are filled with, run by run: rows of one class, in the order of the table, make few of them.
inline std::vector<Run> runs_of(const Int* sources, Int places, Int absent) {
    std::vector<Run> runs;
    for (Int i = 0; i < places; ++i) {
        const Int row = sources[i];
        const bool there = row != absent;
        const Int word = there ? row / 64 : 0;
        const Word bit = there ? Word(1) << (row % 64) : 0;
        Run* last = runs.empty() || runs.back().places == 64 ? nullptr : &runs.back();
        const bool follows = last && last->word == word && (there ? last->mask && last->mask < bit : !last->mask);
        if (!follows) {
            runs.push_back({word, 0, 0});
            last = &runs.back();
        }
        last->mask |= bit;
        ++last->places;
    }
    return runs;
}

// result[z]: the row set z with row sources[i] at place i; `absent` stands for a row in no set.
inline void reorder(const Word* sets, Int count, Int words, const Int* sources, Int places, Int absent,
                    Word* result) {
    const std::vector<Run> runs = runs_of(sources, places, absent);
    for (Int z = 0; z < count; ++z) {
        const Word* set = sets + z * words;
        Word filling = 0;
        Int filled = 0;
        for (const Run& run : runs) {
            const Word bits = run.mask ? extract(set[run.word], run.mask) : 0;
            filling |= bits << filled;
            filled += run.places;
            if (filled < 64) continue;
            *result++ = filling;
            filled -= 64;
            filling = filled ? bits >> (run.places - filled) : 0;
        }
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
