// Rows in rank space for the search of boxes: what each is worth, and which rows have which ranks.
//
// A row is worth a whole number: positives what they weigh, negatives as much less than nothing. Positives come
// first, then, from a word of their own on, negatives; in each class rows are in the order of their worth, so
// that most words hold rows of one worth only.
//
// A negative may also stand for a pair of rows, which a box has if it has both: on an attribute with ranges it
// spans the ranks from one row's to the other's, and a range holds for it if it has all of them.
#pragma once

#include <algorithm>
#include <numeric>

#include "words.h"

namespace ooa {

using Rank = std::int32_t;

// What a literal on an attribute is: a range of ranks, one rank, or any set of ranks. Any of them may also be
// "is missing".
enum class Kind : Int { range, category, set };

// What an attribute is like, apart from its rows.
struct Scale {
    Kind kind;
    Int ranks;             // a missing value has the rank `ranks` here, a pair for which no literal holds the next
    bool lacks;            // whether rows of the table lack a value, so that "has a value" tells rows apart
    bool missing_literal;  // whether "is missing" is a literal
};

// What sets of rows are worth.
class Worth {
public:
    Worth() = default;
    // `value` by place, 0 where there is no row; rows before the word `border` are positives.
    Worth(std::vector<Int>&& value, Int border) : value_(std::move(value)), border_(border) {
        factor_.assign(value_.size() / 64, 0);
        for (Int w = 0; w < words(); ++w) {
            for (Int i = 64 * w; i < 64 * (w + 1); ++i) {
                if (value_[i] == 0 || value_[i] == factor_[w]) continue;
                factor_[w] = factor_[w] == 0 ? value_[i] : kMixed;
            }
        }
    }

    Int words() const { return static_cast<Int>(factor_.size()); }
    Int border() const { return border_; }
    Int operator[](Int place) const { return value_[place]; }

    // What the positives weigh, and the negatives, among the rows that `set(w)` has in word w.
    template <class Set>
    Int positives(Set set) const { return weigh(0, border_, set); }
    template <class Set>
    Int negatives(Set set) const { return weigh(border_, words(), set); }

private:
    static constexpr Int kMixed = -1;

    template <class Set>
    Int weigh(Int from, Int to, Set set) const {
        Int total = 0;
        for (Int w = from; w < to; ++w) {
            const Word rows = set(w);
            if (factor_[w] != kMixed) {
                total += factor_[w] * popcount(rows);
            } else {
                for (Word left = rows; left; left &= left - 1) total += value_[64 * w + __builtin_ctzll(left)];
            }
        }
        return total;
    }

    std::vector<Int> value_;
    std::vector<Int> factor_;
    Int border_ = 0;
};

// The rows of one attribute by rank. Sets of rows from a rank on are kept for every `stride`-th rank.
class RankSets {
public:
    RankSets(std::vector<Rank>&& rank, const Scale& scale, Int words, Int most_words)
        : rank_(std::move(rank)), words_(words), ranks_(scale.ranks) {
        sort_places();
        if (scale.kind == Kind::range) {
            stride_ = std::max<Int>(1, (ranks_ + 1) * words / std::max<Int>(1, most_words));
            keep_from_ranks();
        } else {
            keep_ranks();
        }
    }

    const Rank* rank() const { return rank_.data(); }
    const Word* present() const { return present_.data(); }

    // The rows from a rank on (0 to `ranks`), in memory of ours or in the buffer.
    const Word* from(Int r, Word* buffer) const {
        const Int kept = r / stride_;
        const Word* near = from_.data() + kept * words_;
        if (kept * stride_ == r) return near;
        std::copy(near, near + words_, buffer);
        for (Int i = start_[kept * stride_]; i < start_[r]; ++i) buffer[order_[i] / 64] &= ~(Word(1) << (order_[i] % 64));
        return buffer;
    }

    // Add the rows of a rank to a set.
    void add(Int r, Word* to) const {
        if (dense_[r] >= 0) {
            const Word* rows = rows_.data() + dense_[r] * words_;
            for (Int w = 0; w < words_; ++w) to[w] |= rows[w];
        } else {
            for (Int i = start_[r]; i < start_[r + 1]; ++i) to[order_[i] / 64] |= Word(1) << (order_[i] % 64);
        }
    }

private:
    // Places in the order of their ranks; those without a row, which have no rank, are left out.
    void sort_places() {
        start_.assign(ranks_ + 3, 0);
        present_.assign(words_, 0);
        for (std::size_t i = 0; i < rank_.size(); ++i) {
            if (rank_[i] < 0) continue;
            ++start_[rank_[i] + 1];
            if (rank_[i] != ranks_) present_[i / 64] |= Word(1) << (i % 64);
        }
        std::partial_sum(start_.begin(), start_.end(), start_.begin());
        order_.resize(start_.back());
        std::vector<Int> next(start_.begin(), start_.end() - 1);
        for (std::size_t i = 0; i < rank_.size(); ++i) {
            if (rank_[i] >= 0) order_[next[rank_[i]]++] = static_cast<std::int32_t>(i);
            else rank_[i] = static_cast<Rank>(ranks_);
        }
    }

    void keep_from_ranks() {
        const Int kept = ranks_ / stride_ + 1;
        from_.assign(kept * words_, 0);
        Vector<Word> now(words_, 0);
        for (Int r = ranks_ - 1; r >= 0; --r) {
            for (Int i = start_[r]; i < start_[r + 1]; ++i) now[order_[i] / 64] |= Word(1) << (order_[i] % 64);
            if (r % stride_ == 0) std::copy(now.begin(), now.end(), from_.begin() + r / stride_ * words_);
        }
    }

    // A rank of many rows gets a set of them; the places of the others are faster one by one.
    void keep_ranks() {
        dense_.assign(ranks_, -1);
        Int many = 0;
        for (Int r = 0; r < ranks_; ++r) {
            if (start_[r + 1] - start_[r] >= words_) dense_[r] = many++;
        }
        rows_.assign(many * words_, 0);
        for (Int r = 0; r < ranks_; ++r) {
            for (Int i = start_[r]; dense_[r] >= 0 && i < start_[r + 1]; ++i) {
                rows_[dense_[r] * words_ + order_[i] / 64] |= Word(1) << (order_[i] % 64);
            }
        }
    }

    std::vector<Rank> rank_;  // by place; `ranks` where missing, or where there is no row
    std::vector<std::int32_t> order_;
    std::vector<Int> start_, dense_;
    Vector<Word> present_, from_, rows_;
    Int words_, ranks_, stride_ = 1;
};

constexpr Int kKeptWords = 1 << 24;  // of sets of rows from a rank on, of all attributes together: 128 MB

// All rows that are worth anything.
class BoxRows {
public:
    // `rank`: of each row one rank per attribute, -1 where missing, -2 where no literal holds for it. `value`: what
    // each row is worth. `high`: the last rank that it spans, if there are such rows, else null.
    BoxRows(const Rank* rank, const Rank* high, const Int* value, Int rows, std::vector<Scale>&& scales)
        : scales_(std::move(scales)) {
        const std::vector<Int> source = layout(value, rows);
        const Int places = static_cast<Int>(source.size());
        std::vector<Int> weight(places, 0);
        all_.assign(places / 64, 0);
        for (Int i = 0; i < places; ++i) {
            if (source[i] < 0) continue;
            weight[i] = std::abs(value[source[i]]);
            all_[i / 64] |= Word(1) << (i % 64);
        }
        worth_ = Worth(std::move(weight), border_);
        const Int count = attributes();
        for (Int j = 0; j < count; ++j) {
            sets_.push_back(sets_of(rank, source, j));
            if (high && scales_[j].kind == Kind::range) highs_.push_back(sets_of(high, source, j));
            else if (high) highs_.push_back(sets_.back());
        }
    }

    Int words() const { return worth_.words(); }
    Int attributes() const { return static_cast<Int>(scales_.size()); }
    const Scale& scale(Int j) const { return scales_[j]; }
    const RankSets& sets(Int j) const { return sets_[j]; }
    const RankSets& highs(Int j) const { return highs_.empty() ? sets_[j] : highs_[j]; }  // by the last rank
    bool spans() const { return !highs_.empty(); }
    const Worth& worth() const { return worth_; }
    const Word* all() const { return all_.data(); }

private:
    RankSets sets_of(const Rank* rank, const std::vector<Int>& source, Int j) const {
        std::vector<Rank> of(source.size(), -1);
        const Rank ranks = static_cast<Rank>(scales_[j].ranks);
        for (std::size_t i = 0; i < source.size(); ++i) {
            if (source[i] < 0) continue;
            const Rank r = rank[source[i] * attributes() + j];
            of[i] = r < 0 ? ranks - 1 - r : r;
        }
        return RankSets(std::move(of), scales_[j], words(), kKeptWords / std::max<Int>(1, attributes()));
    }

    // Which row is at each place, or -1.
    std::vector<Int> layout(const Int* value, Int rows) {
        std::vector<Int> positive, negative;
        for (Int i = 0; i < rows; ++i) {
            if (value[i] > 0) positive.push_back(i);
            if (value[i] < 0) negative.push_back(i);
        }
        const auto lighter = [=](Int a, Int b) { return std::abs(value[a]) < std::abs(value[b]); };
        std::stable_sort(positive.begin(), positive.end(), lighter);
        std::stable_sort(negative.begin(), negative.end(), lighter);
        positive.resize((positive.size() + 63) / 64 * 64, -1);
        border_ = static_cast<Int>(positive.size()) / 64;
        positive.insert(positive.end(), negative.begin(), negative.end());
        positive.resize((positive.size() + 63) / 64 * 64, -1);
        return positive;
    }

    std::vector<Scale> scales_;
    Worth worth_;
    Vector<Word> all_;
    std::vector<RankSets> sets_, highs_;
    Int border_ = 0;
};

}  // namespace ooa
