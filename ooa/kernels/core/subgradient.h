// Multipliers fitted to a few patterns by subgradient steps.
//
// Over the active patterns, with a matrix that says which positives each covers and which pairs it separates,
// the bound of multiplied.h without its last sum is a convex function of the multipliers. Steps follow a
// direction that remembers the former ones, as far as the bound is above the target. The matrix has a row for
// every positive and every pair, so that many patterns are weighed at a time, and is kept by columns too, as
// directions are sums of these. How often a pattern was among
// the best on the way tells about how much of it a solution of the linear relaxation has (`mean`).
#pragma once

#include <algorithm>

#include "multiplied.h"

namespace ooa {

constexpr Int kLanes = 16;         // sums are added up in so many parts
constexpr Int kFront = 16;         // patterns that join the active ones at a time
constexpr Int kActive = 96;
constexpr Int kAbreast = 48;       // active patterns that are weighed at a time
constexpr int kSteps = 40;
constexpr float kMemory = 0.7f;    // share of the former direction in the next
constexpr int kIdle = 8;           // steps without progress before they get shorter
constexpr float kShorter = 0.6f;
constexpr float kProgress = 0.01f; // share of the excess that is progress
constexpr float kFading = 0.05f;   // share of the last step in the mean

// The largest of some values, in order, and whose they are.
struct Front {
    double merit[kFront];
    Int who[kFront];
    Int used = 0;

    void clear() {
        std::fill(merit, merit + kFront, 0.0);
        used = 0;
    }
    void insert(double worth, Int place) {
        if (worth <= merit[kFront - 1]) return;
        used = std::min(used + 1, kFront);
        for (Int k = 0; k < used; ++k) {
            if (worth > merit[k]) {
                std::swap(worth, merit[k]);
                std::swap(place, who[k]);
            }
        }
    }
};

class Descent {
public:
    // Start from the multipliers of a node.
    void begin(const NodeMultipliers& at) {
        positives_ = static_cast<Int>(at.own.size());
        rows_ = positives_ + static_cast<Int>(at.pairs.size());
        width_ = wide(rows_);
        for (auto* one : {&x_, &best_, &load_, &direction_}) one->assign(width_, 0.0f);
        matrix_.resize(kActive * rows_);
        column_.resize(kActive * width_);
        copy(at.weight, weight_);
        copy(at.cap, cap_);
        taken_.resize(weight_.size());
        spent_.resize(cap_.size());
        std::copy(at.own.begin(), at.own.end(), x_.begin());
        right_.clear();
        wrong_.clear();
        for (const OpenPair& one : at.pairs) {
            x_[positives_ + static_cast<Int>(right_.size())] = one.amount;
            right_.push_back(one.right);
            wrong_.push_back(one.wrong);
        }
        few_ = 0;
        whole_ = 0.0f;
        std::fill(mean_, mean_ + kActive, 0.0f);
    }

    bool full() const { return few_ == kActive; }

    // One more pattern: `has(r)` of each row of the matrix.
    template <class Has>
    void add(float price, Has has) {
        price_[few_] = price;
        float* column = column_.data() + few_ * width_;
        for (Int r = 0; r < rows_; ++r) column[r] = matrix_[kActive * r + few_] = static_cast<float>(has(r));
        std::fill(column + rows_, column + width_, 0.0f);
        ++few_;
    }

    // Subgradient steps until the bound is at the target, or all are used up. Returns the lowest bound seen;
    // the multipliers are where it was.
    double run(Int most, double aim) {
        const float target = static_cast<float>(aim);
        float least = 3e38f, pace = 1.0f;
        int idle = 0;
        top_.resize(most);
        who_.resize(most);
        for (int step = 0; step < kSteps; ++step) {
            const float total = bound(most);
            remember();
            ++idle;
            if (total < least) {
                if (total < least - kProgress * (least - target) || step == 0) idle = 0;
                least = total;
                best_ = x_;
            }
            if (least <= target) break;
            if (idle > kIdle) {
                pace *= kShorter;
                idle = 0;
            }
            move(pace * (total - target), step ? kMemory : 0.0f);
        }
        x_ = best_;
        return least;
    }

    // The multipliers found, back to their node.
    void put_back(NodeMultipliers& at) const {
        std::copy_n(x_.begin(), positives_, at.own.begin());
        for (std::size_t k = 0; k < at.pairs.size(); ++k) at.pairs[k].amount = x_[positives_ + static_cast<Int>(k)];
    }

    // How much of an active pattern there is in a solution of the relaxation, about.
    float mean(Int a) const { return mean_[a] / whole_; }
    Int few() const { return few_; }

private:
    static Int wide(Int rows) { return (rows + kLanes - 1) / kLanes * kLanes; }
    static void copy(const std::vector<Int>& from, Vector<float>& to) {
        to.assign(wide(static_cast<Int>(from.size())), 0.0f);
        std::copy(from.begin(), from.end(), to.begin());
    }

    // The bound where it stands; who_ becomes the patterns that are worth most.
    float bound(Int most) {
        std::copy_n(x_.begin(), positives_, taken_.begin());
        std::fill(spent_.begin(), spent_.end(), 0.0f);
        for (std::size_t k = 0; k < right_.size(); ++k) {
            taken_[right_[k]] += x_[positives_ + k];
            spent_[wrong_[k]] += x_[positives_ + k];
        }
        float total = sum(weight_.size(), [&](Int r) { return std::max(0.0f, weight_[r] - taken_[r]); }) +
                      sum(cap_.size(), [&](Int r) { return std::max(0.0f, spent_[r] - cap_[r]); });
        used_ = 0;
        std::fill(top_.begin(), top_.end(), 0.0f);
        for (Int a = 0; a < few_; a += kAbreast) weigh(a);
        for (Int a = 0; a < few_; ++a) insert(worth_[a] - price_[a], a, most);
        for (Int k = 0; k < used_; ++k) total += top_[k];
        return total;
    }

    void weigh(Int from) {
        float total[kAbreast] = {};
        for (Int r = 0; r < rows_; ++r) {
            const float* covers = matrix_.data() + kActive * r + from;
            const float x = x_[r];
            for (Int a = 0; a < kAbreast; ++a) total[a] += covers[a] * x;
        }
        std::copy(total, total + kAbreast, worth_ + from);
    }

    void insert(float worth, Int place, Int most) {
        if (worth <= top_[most - 1]) return;
        used_ = std::min(used_ + 1, most);
        for (Int k = 0; k < used_; ++k) {
            if (worth > top_[k]) {
                std::swap(worth, top_[k]);
                std::swap(place, who_[k]);
            }
        }
    }

    void remember() {
        for (Int a = 0; a < few_; ++a) mean_[a] *= 1.0f - kFading;
        for (Int k = 0; k < used_; ++k) mean_[who_[k]] += kFading;
        whole_ = (1.0f - kFading) * whole_ + kFading;
    }

    void move(float length, float keep) {
        float* load = load_.data();
        for (Int i = 0; i < positives_; ++i) load[i] = taken_[i] < weight_[i] ? -1.0f : 0.0f;
        for (std::size_t k = 0; k < wrong_.size(); ++k) {
            const float spared = taken_[right_[k]] < weight_[right_[k]] ? -1.0f : 0.0f;
            load[positives_ + k] = spared + (spent_[wrong_[k]] > cap_[wrong_[k]] ? 1.0f : 0.0f);
        }
        for (Int k = 0; k < used_; ++k) {
            const float* has = column_.data() + who_[k] * width_;
            for (Int r = 0; r < width_; ++r) load[r] += has[r];
        }
        for (Int r = 0; r < width_; ++r) direction_[r] = keep * direction_[r] + (1.0f - keep) * load_[r];
        const float norm = 1e-9f + sum(width_, [&](Int r) {
            return direction_[r] < 0.0f || x_[r] > 0.0f ? direction_[r] * direction_[r] : 0.0f;
        });
        const float step = length / norm;
        for (Int r = 0; r < width_; ++r) x_[r] = std::max(x_[r] - step * direction_[r], 0.0f);
    }

    template <class Term>
    static float sum(Int width, Term term) {
        float lane[kLanes] = {};
        for (Int r = 0; r < width; r += kLanes) {
            for (Int k = 0; k < kLanes; ++k) lane[k] += term(r + k);
        }
        for (Int half = kLanes / 2; half > 0; half /= 2) {
            for (Int k = 0; k < half; ++k) lane[k] += lane[k + half];
        }
        return lane[0];
    }

    Int positives_ = 0, rows_ = 0, width_ = 0, few_ = 0, used_ = 0;
    Vector<float> x_, best_, load_, direction_, matrix_;  // positives first, then pairs
    Vector<float> column_;                                // the matrix by patterns
    Vector<float> weight_, cap_, taken_, spent_;
    std::vector<Int> right_, wrong_;                      // of the pairs
    float price_[kActive], worth_[kActive], mean_[kActive], whole_ = 0.0f;
    std::vector<float> top_;
    std::vector<Int> who_;
};

}  // namespace ooa
