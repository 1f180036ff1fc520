// Row sets as words of 64 bits, and what they weigh.
//
// All rows of a word weigh the same: `factor[w]`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <vector>

namespace ooa {

using Word = std::uint64_t;
using Int = std::int64_t;

inline Int popcount(Word x) { return __builtin_popcountll(x); }

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
    Factors(const Int* factor, Int words) : factor_(factor, factor + words), uniform_(true) {
        for (const Int one : factor_) uniform_ = uniform_ && one == factor_[0];
    }

    Int words() const { return static_cast<Int>(factor_.size()); }
    Int operator[](Int w) const { return factor_[w]; }

    // What the rows that `set(w)` has in word w weigh.
    template <class Set>
    Int weigh(Set set) const {
        const Int words = this->words();
        const Int* factor = factor_.data();
        Int total = 0;
        if (uniform_) {
            for (Int w = 0; w < words; ++w) total += popcount(set(w));
            return words ? total * factor[0] : 0;
        }
        for (Int w = 0; w < words; ++w) total += factor[w] * popcount(set(w));
        return total;
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
    std::vector<Int> factor_;
    bool uniform_;
};

// Many row sets of the same width, one after the other; they belong to the caller.
class RowSets {
public:
    RowSets(const Word* sets, Int words) : sets_(sets), words_(words) {}
    const Word* operator[](Int z) const { return sets_ + z * words_; }
    Int words() const { return words_; }

private:
    const Word* sets_;
    Int words_;
};

}  // namespace ooa
