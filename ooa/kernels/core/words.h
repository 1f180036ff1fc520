// Row sets as words of 64 bits, and what they weigh.
//
// All rows of a word weigh the same: `factor[w]`. Row sets are padded with empty words to whole blocks, so
// that a block is one vector register where the machine has registers of 512 bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace ooa {

using Word = std::uint64_t;
using Int = std::int64_t;

constexpr Int kBlock = 8;  // words

inline Int popcount(Word x) { return __builtin_popcountll(x); }

inline Int whole_blocks(Int words) { return (words + kBlock - 1) / kBlock * kBlock; }

inline bool has(const Word* set, Int row) { return (set[row / 64] >> (row % 64)) & 1; }

// Memory that begins where a vector register can be loaded from.
template <class T>
struct Aligned {
    using value_type = T;
    Aligned() = default;
    template <class U>
    Aligned(const Aligned<U>&) {}
    T* allocate(std::size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64)));
    }
    void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
    template <class U>
    bool operator==(const Aligned<U>&) const { return true; }
    template <class U>
    bool operator!=(const Aligned<U>&) const { return false; }
};

template <class T>
using Vector = std::vector<T, Aligned<T>>;

// The weights of the words of a row set, whole numbers.
class Factors {
public:
    Factors(const Int* factor, Int words) : words_(whole_blocks(words)), factor_(words_, 0), uniform_(true) {
        for (Int w = 0; w < words; ++w) {
            factor_[w] = factor[w];
            uniform_ = uniform_ && factor[w] == factor[0];
        }
        common_ = words ? factor[0] : 0;
    }

    Int words() const { return words_; }
    Int operator[](Int w) const { return factor_[w]; }

    // What the rows that `set(w)` has in word w weigh.
    template <class Set>
    Int weigh(Set set) const {
        return uniform_ ? common_ * sum<true>(set) : sum<false>(set);
    }

    // What the rows of a set weigh that another one lacks.
    Int without(const Word* rows, const Word* cover) const {
        return weigh([=](Int w) { return rows[w] & ~cover[w]; });
    }

    // What the rows weigh that two sets share.
    Int within(const Word* rows, const Word* other) const {
        return weigh([=](Int w) { return rows[w] & other[w]; });
    }

private:
    template <bool Alike, class Set>
    Int sum(Set set) const {
        const Int* factor = factor_.data();
        Int lane[kBlock] = {};
        for (Int w = 0; w < words_; w += kBlock) {
            for (Int k = 0; k < kBlock; ++k) {
                const Int rows = popcount(set(w + k));
                lane[k] += Alike ? rows : factor[w + k] * rows;
            }
        }
        Int total = 0;
        for (Int k = 0; k < kBlock; ++k) total += lane[k];
        return total;
    }

    Int words_;
    Vector<Int> factor_;
    bool uniform_;
    Int common_;
};

// Many row sets of the same width, one after the other.
class RowSets {
public:
    // `sets` has so many words each, without padding.
    RowSets(const Word* sets, Int count, Int words)
        : words_(whole_blocks(words)), data_(static_cast<std::size_t>(count) * words_, 0) {
        for (Int z = 0; z < count; ++z) {
            for (Int w = 0; w < words; ++w) data_[z * words_ + w] = sets[z * words + w];
        }
    }
    const Word* operator[](Int z) const { return data_.data() + z * words_; }
    Int words() const { return words_; }

private:
    Int words_;
    Vector<Word> data_;
};

}  // namespace ooa
