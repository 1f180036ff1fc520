// Row sets laid out anew: rows in another order, the rows that several sets share, sets in chains.
#pragma once

#if defined(__BMI2__)
#include <immintrin.h>
#endif

#include "parallel.h"

namespace ooa {

// The bits of a word that a mask names, side by side from the lowest on.
inline Word gathered(Word word, Word mask) {
#if defined(__BMI2__)
    return _pext_u64(word, mask);
#else
    Word result = 0;
    for (Int place = 0; mask; mask &= mask - 1, ++place) {
        result |= Word((word & mask & -mask) != 0) << place;
    }
    return result;
#endif
}

// Row sets with row sources[i] at place i; `absent` stands for a row in no set. Rows that are neighbours
// before and after are moved at once.
class Reordering {
public:
    Reordering(const Int* sources, Int places, Int absent) : words_(places / 64) {
        for (Int i = 0; i < places; ++i) {
            if (sources[i] != absent) add(sources[i], i);
        }
    }

    Int words() const { return words_; }

    void operator()(const Word* set, Word* result) const {
        std::fill(result, result + words_, 0);
        for (const Move& one : moves_) result[one.to] |= gathered(set[one.from], one.mask) << one.shift;
    }

private:
    // Bits of one word go, in their order, to one word from place `shift` on.
    struct Move {
        Int from, to, shift;
        Word mask;
        Int last;  // the place of the highest of them so far
    };

    void add(Int row, Int place) {
        const Word bit = Word(1) << (row % 64);
        if (!moves_.empty()) {
            Move& one = moves_.back();
            const bool next = one.from == row / 64 && one.to == place / 64 && one.last == place - 1;
            if (next && bit > one.mask) {
                one.mask |= bit;
                one.last = place;
                return;
            }
        }
        moves_.push_back({row / 64, place / 64, place % 64, bit, place});
    }

    Int words_;
    std::vector<Move> moves_;
};

// result[z]: the rows of all sets that the z-th line of `items` names; below 0 is no set, and never first.
inline void intersections(const RowSets& sets, const std::int32_t* items, Int longest, Int from, Int to,
                          Word* result) {
    const Int words = sets.words();
    for (Int z = from; z < to; ++z) {
        const std::int32_t* named = items + z * longest;
        Word* rows = result + z * words;
        std::copy(sets[named[0]], sets[named[0]] + words, rows);
        for (Int k = 1; k < longest; ++k) {
            if (named[k] < 0) continue;
            const Word* other = sets[named[k]];
            for (Int w = 0; w < words; ++w) rows[w] &= other[w];
        }
    }
}

// Whether all rows of one set are in another one.
inline bool within(const Word* inner, const Word* outer, Int words) {
    Int w = 0;
    while (w < words && !(inner[w] & ~outer[w])) ++w;
    return w == words;
}

// chain[i]: the first chain whose last set so far has all rows of the i-th set that is named, or a new one.
inline void chains(const RowSets& sets, const Int* named, Int count, Int* chain) {
    std::vector<Int> last;
    for (Int i = 0; i < count; ++i) {
        const Word* own = sets[named[i]];
        std::size_t c = 0;
        while (c < last.size() && !within(own, sets[last[c]], sets.words())) ++c;
        if (c == last.size()) last.push_back(named[i]);
        last[c] = named[i];
        chain[i] = Int(c);
    }
}

}  // namespace ooa
