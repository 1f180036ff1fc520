// Multipliers fitted to a few patterns by subgradient steps.
//
// Over the active patterns a, with a matrix that says which of the open positives each covers, the bound is
// sum(w - y) + the sum of the `most` largest values (matrix y - price), a convex function of y. Steps follow
// a direction that remembers the former ones, as far as the bound is above the target. The matrix has a row
// for every positive, so that many patterns are weighed at a time.
#pragma once

#include <algorithm>

#include "words.h"

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
    // Start from multipliers of the open rows.
    void begin(const std::vector<Int>& open, const std::vector<double>& weight, const double* y) {
        rows_ = static_cast<Int>(open.size());
        width_ = (rows_ + kLanes - 1) / kLanes * kLanes;
        for (auto* one : {&y_, &best_, &load_, &direction_, &weight_}) one->assign(width_, 0.0f);
        matrix_.resize(kActive * rows_);
        for (Int r = 0; r < rows_; ++r) {
            y_[r] = static_cast<float>(y[open[r]]);
            weight_[r] = static_cast<float>(weight[open[r]]);
        }
    }

    void clear() { few_ = 0; }
    bool full() const { return few_ == kActive; }

    // One more pattern, with what it covers of each open row.
    void add(float price, const std::vector<float>& covers) {
        price_[few_] = price;
        for (Int r = 0; r < rows_; ++r) matrix_[kActive * r + few_] = covers[r];
        ++few_;
    }

    // Subgradient steps until the bound is at the target, or all are used up. Returns the lowest bound seen;
    // y is where it was.
    double run(Int most, double aim) {
        const float target = static_cast<float>(aim);
        float least = 3e38f, pace = 1.0f;
        int idle = 0;
        top_.resize(most);
        who_.resize(most);
        for (int step = 0; step < kSteps; ++step) {
            const float total = bound(most);
            ++idle;
            if (total < least) {
                if (total < least - kProgress * (least - target) || step == 0) idle = 0;
                least = total;
                best_ = y_;
            }
            if (least <= target) break;
            if (idle > kIdle) {
                pace *= kShorter;
                idle = 0;
            }
            move(pace * (total - target), step ? kMemory : 0.0f);
        }
        y_ = best_;
        return least;
    }

    // The multipliers found, back to their places; returns the weight that they give away.
    double put_back(const std::vector<Int>& open, const std::vector<double>& weight, double* y) const {
        double total = 0.0;
        for (Int r = 0; r < rows_; ++r) {
            y[open[r]] = std::min(static_cast<double>(y_[r]), weight[open[r]]);
            total += static_cast<double>(weight_[r]) - static_cast<double>(y_[r]);
        }
        return total;
    }

private:
    // The bound at y; who_ becomes the patterns that are worth most.
    float bound(Int most) {
        float total = sum([&](Int r) { return weight_[r] - y_[r]; });
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
            const float y = y_[r];
            for (Int a = 0; a < kAbreast; ++a) total[a] += covers[a] * y;
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

    void move(float length, float keep) {
        for (Int r = 0; r < rows_; ++r) {
            const float* covers = matrix_.data() + kActive * r;
            load_[r] = -1.0f;
            for (Int k = 0; k < used_; ++k) load_[r] += covers[who_[k]];
        }
        for (Int r = 0; r < width_; ++r) direction_[r] = keep * direction_[r] + (1.0f - keep) * load_[r];
        const float norm = 1e-9f + sum([&](Int r) {
            const bool moves = direction_[r] > 0.0f ? y_[r] > 0.0f : y_[r] < weight_[r];
            return moves ? direction_[r] * direction_[r] : 0.0f;
        });
        const float step = length / norm;
        for (Int r = 0; r < width_; ++r) {
            y_[r] = std::min(std::max(y_[r] - step * direction_[r], 0.0f), weight_[r]);
        }
    }

    template <class Term>
    float sum(Term term) const {
        float lane[kLanes] = {};
        for (Int r = 0; r < width_; r += kLanes) {
            for (Int k = 0; k < kLanes; ++k) lane[k] += term(r + k);
        }
        for (Int half = kLanes / 2; half > 0; half /= 2) {
            for (Int k = 0; k < half; ++k) lane[k] += lane[k + half];
        }
        return lane[0];
    }

    Int rows_ = 0, width_ = 0, few_ = 0, used_ = 0;
    Vector<float> y_, best_, load_, direction_, weight_, matrix_;
    float price_[kActive], worth_[kActive];
    std::vector<float> top_;
    std::vector<Int> who_;
};

}  // namespace ooa
