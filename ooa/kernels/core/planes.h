// Patterns side by side: for every row that is left, which of some patterns cover it.
//
// Patterns are taken in groups of 64. A group has one word per row, with a bit for each of its patterns, so
// that what a row counts is added for all of them at once, and what a pair of rows counts too: the patterns
// that cover the one and not the other are one operation away.
#pragma once

#include <algorithm>
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "patterns.h"

namespace ooa {

constexpr Int kSide = 64;   // patterns of a group
constexpr int kParts = 4;   // vectors that their sums are in

using Sums = std::int32_t __attribute__((vector_size(64)));

template <int J>
inline void swap_blocks(Word* x, Word mask) {
    for (int k = 0; k < 64; k += 2 * J) {
        for (int i = 0; i < J; ++i) {
            const Word t = ((x[k + i] >> J) ^ x[k + i + J]) & mask;
            x[k + i] ^= t << J;
            x[k + i + J] ^= t;
        }
    }
}

// Bit c of x[r] becomes bit r of x[c].
inline void transpose(Word* x) {
    swap_blocks<32>(x, 0x00000000FFFFFFFFull);
    swap_blocks<16>(x, 0x0000FFFF0000FFFFull);
    swap_blocks<8>(x, 0x00FF00FF00FF00FFull);
    swap_blocks<4>(x, 0x0F0F0F0F0F0F0F0Full);
    swap_blocks<2>(x, 0x3333333333333333ull);
    swap_blocks<1>(x, 0x5555555555555555ull);
}

// Add a weight to the sums of the patterns that a word has.
inline void add_where(Sums* sums, Word word, std::int32_t weight) {
#if defined(__AVX512F__)  // no compiler takes the word for the mask by itself
    const __m512i amount = _mm512_set1_epi32(weight);
    for (int k = 0; k < kParts; ++k) {
        const __m512i sum = reinterpret_cast<__m512i>(sums[k]);
        const __mmask16 mask = static_cast<__mmask16>(word >> (16 * k));
        sums[k] = reinterpret_cast<Sums>(_mm512_mask_add_epi32(sum, mask, sum, amount));
    }
#else
    const Sums bit = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
    for (int k = 0; k < kParts; ++k) {
        const Sums has = bit & static_cast<std::int32_t>((word >> (16 * k)) & 0xFFFF);
        sums[k] += (has != 0) & weight;
    }
#endif
}

class Planes {
public:
    // The patterns name(0), ..., name(size - 1), and the rows that are looked at, ascending.
    template <class Name>
    void build(const Patterns& patterns, Int size, Name name, const std::vector<Int>& right,
               const std::vector<Int>& wrong) {
        positives_ = static_cast<Int>(right.size());
        rows_ = positives_ + static_cast<Int>(wrong.size());
        groups_ = (size + kSide - 1) / kSide;
        bits_.resize(groups_ * rows_);
        for (Int g = 0; g < groups_; ++g) {
            fill(patterns.right, size, g, name, right, 0);
            fill(patterns.wrong, size, g, name, wrong, positives_);
        }
    }

    Int groups() const { return groups_; }
    // The words of a group: by positive, and by negative.
    const Word* right(Int g) const { return bits_.data() + g * rows_; }
    const Word* wrong(Int g) const { return right(g) + positives_; }

private:
    template <class Name>
    void fill(const RowSets& sets, Int size, Int g, Name name, const std::vector<Int>& rows, Int from) {
        Word* words = bits_.data() + g * rows_ + from;
        const Int many = std::min(kSide, size - g * kSide);
        alignas(64) Word block[kSide];
        for (std::size_t k = 0; k < rows.size();) {
            const Int w = rows[k] / 64;
            for (Int z = 0; z < many; ++z) block[z] = sets[name(g * kSide + z)][w];
            std::fill(block + many, block + kSide, 0);
            transpose(block);
            for (; k < rows.size() && rows[k] / 64 == w; ++k) words[k] = block[rows[k] % 64];
        }
    }

    Int positives_ = 0, rows_ = 0, groups_ = 0;
    Vector<Word> bits_;
};

}  // namespace ooa
