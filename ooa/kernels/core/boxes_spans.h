// Rows of one attribute that span several ranks: pairs of rows, which a range has if it has both.
//
// The best range is no longer found by one scan, as what such a row costs belongs to no rank. But among the ranges
// that end at u, those that begin at l <= a have the pairs from a to u: so charge the pair to a once u is reached,
// and a range is worth what its ranks are worth from l on, a sum over a suffix. A tree over the ranks has the best
// suffix of each of its parts, and one more rank or pair changes a path of it.
#pragma once

#include <algorithm>
#include <vector>

#include "boxes_family.h"

namespace ooa {

struct Span {
    Rank low, high;
    Int amount;
};

// The best suffix of a row of numbers that change, among those that begin where that is allowed.
class Suffixes {
public:
    void begin(Int count) {
        for (size_ = 1; size_ < count; size_ *= 2) {}
        sum_.assign(2 * size_, 0);
        best_.assign(2 * size_, kNothing);
    }

    // Add to a number, and allow suffixes to begin there.
    void add(Int i, Int amount) {
        Int node = size_ + i;
        sum_[node] += amount;
        best_[node] = sum_[node];
        for (node /= 2; node > 0; node /= 2) {
            sum_[node] = sum_[2 * node] + sum_[2 * node + 1];
            best_[node] = std::max(best_[2 * node + 1], best_[2 * node] + sum_[2 * node + 1]);
        }
    }

    Int best() const { return best_[1]; }
    // Where the best one begins.
    Int place() const {
        Int node = 1;
        while (node < size_) {
            node *= 2;
            if (best_[node + 1] >= best_[node] + sum_[node + 1]) ++node;
        }
        return node - size_;
    }

private:
    Int size_ = 1;
    std::vector<Int> sum_, best_;
};

class Spans {
public:
    void clear() {
        spans_.clear();
        total_ = 0;
        order_ = Order::none;
    }
    void add(Rank low, Rank high, Int amount) {
        spans_.push_back({low, high, amount});
        total_ += amount;
    }
    bool any() const { return !spans_.empty(); }
    Int total() const { return total_; }
    Int count() const { return static_cast<Int>(spans_.size()); }

    // For every upper end from where ranges may begin, upwards, the best range of those allowed to begin where it
    // does: what(low, high, worth). All spans begin below one.lb.
    template <class What>
    void up(const Int* worth, const Domain& one, What what) {
        sort(Order::by_high);
        suffixes_.begin(one.lb - one.la + 1);
        Int later = 0;
        std::size_t next = 0;
        for (Rank r = one.la; r <= one.ub; ++r) {
            if (r <= one.lb) suffixes_.add(r - one.la, worth[r]);
            else later += worth[r];
            for (; next < spans_.size() && spans_[next].high == r; ++next) {
                suffixes_.add(spans_[next].low - one.la, -spans_[next].amount);
            }
            if (r >= one.ua) what(static_cast<Rank>(one.la + suffixes_.place()), r, suffixes_.best() + later);
        }
    }

    // The same for every lower end, downwards. All spans end above one.ua.
    template <class What>
    void down(const Int* worth, const Domain& one, What what) {
        sort(Order::by_low);
        suffixes_.begin(one.ub - one.ua + 1);
        Int later = 0;
        std::size_t next = 0;
        for (Rank r = one.ub; r >= one.la; --r) {
            if (r >= one.ua) suffixes_.add(one.ub - r, worth[r]);
            else later += worth[r];
            for (; next < spans_.size() && spans_[next].low == r; ++next) {
                suffixes_.add(one.ub - spans_[next].high, -spans_[next].amount);
            }
            if (r <= one.lb) what(r, static_cast<Rank>(one.ub - suffixes_.place()), suffixes_.best() + later);
        }
    }

private:
    enum class Order { none, by_high, by_low };

    void sort(Order order) {
        if (order_ == order) return;
        order_ = order;
        if (order == Order::by_high) {
            std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) { return a.high < b.high; });
        } else {
            std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) { return a.low > b.low; });
        }
    }

    std::vector<Span> spans_;
    Suffixes suffixes_;
    Int total_ = 0;
    Order order_ = Order::none;
};

}  // namespace ooa
