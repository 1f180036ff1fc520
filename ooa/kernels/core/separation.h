// Pairs of rows that a solution of the relaxation does not keep to.
//
// Where u_i is how far positive i is covered, at most 1, and v_j how far negative j is charged, whole numbers
// obey u_i - v_j <= the sum of the patterns that cover i and not j. What is found to be violated gets a
// multiplier; any multiplier is valid, so that nothing rests on how good the solution is.
#pragma once

#include "subgradient.h"

namespace ooa {

constexpr float kViolated = 0.1f;    // violations from here on count,
constexpr float kSome = 0.02f;       // by patterns of which there is so much;
constexpr std::size_t kPairs = 400;  // pairs of a node at most, about,
constexpr Int kMostBoth = 1 << 21;   // and none are looked for where there are more than these in all

class Separation {
public:
    // Add the pair that is violated most of each positive, and of each negative. `covers(a, r)` and
    // `harms(a, r)` tell about the active patterns.
    template <class Covers, class Harms>
    void add_pairs(NodeMultipliers& at, const Descent& by, Covers covers, Harms harms) {
        const Int m = static_cast<Int>(at.weight.size()), n = static_cast<Int>(at.harm.size());
        if (m == 0 || n == 0 || m > kMostBoth / n || at.pairs.size() >= kPairs) return;
        cover_both(m, n, by, covers, harms);
        charged_.assign(width_, 0.0f);
        for (const OpenPair& one : at.pairs) {
            charged_[one.wrong] = std::max(charged_[one.wrong], both_[one.right * width_ + one.wrong]);
        }
        collect(m, n, at.pairs);
        at.sort_pairs();
        const auto same = [](const OpenPair& a, const OpenPair& b) { return a.right == b.right && a.wrong == b.wrong; };
        at.pairs.erase(std::unique(at.pairs.begin(), at.pairs.end(), same), at.pairs.end());
        at.make_whole();
    }

private:
    // both_[i, j]: the patterns that cover both, less those that cover i beyond the first.
    template <class Covers, class Harms>
    void cover_both(Int m, Int n, const Descent& by, Covers covers, Harms harms) {
        width_ = (n + kLanes - 1) / kLanes * kLanes;
        both_.assign(m * width_, 0.0f);
        beyond_.assign(m, -1.0f);
        part_.assign(width_, 0.0f);
        for (Int a = 0; a < by.few(); ++a) {
            const float much = by.mean(a);
            if (much < kSome) continue;
            for (Int j = 0; j < n; ++j) part_[j] = much * static_cast<float>(harms(a, j));
            for (Int i = 0; i < m; ++i) {
                if (!covers(a, i)) continue;
                beyond_[i] += much;
                add_to(both_.data() + i * width_, part_.data());
            }
        }
        for (Int i = 0; i < m; ++i) {
            if (beyond_[i] <= 0.0f) continue;
            for (Int j = 0; j < n; ++j) both_[i * width_ + j] -= beyond_[i];
        }
    }

    void add_to(float* both, const float* part) const {
        for (Int j = 0; j < width_; j += kLanes) {
            for (Int k = 0; k < kLanes; ++k) both[j + k] += part[j + k];
        }
    }

    // The most violated of each row and of each column, the first of them where there are several.
    void collect(Int m, Int n, std::vector<OpenPair>& pairs) {
        worst_.assign(width_, kViolated);
        whose_.assign(width_, -1);
        for (Int i = 0; i < m; ++i) {
            const float* both = both_.data() + i * width_;
            const float most = look_at(both, static_cast<std::int32_t>(i));
            if (most <= kViolated) continue;
            Int where = 0;
            while (both[where] - charged_[where] != most) ++where;
            pairs.push_back({i, where, 0.0f});
        }
        for (Int j = 0; j < n; ++j) {
            if (whose_[j] >= 0) pairs.push_back({whose_[j], j, 0.0f});
        }
    }

    // The largest excess in a row; what is the largest in its column so far is noted.
    float look_at(const float* both, std::int32_t i) {
        const float* charged = charged_.data();
        float* worst = worst_.data();
        std::int32_t* whose = whose_.data();
        float lane[kLanes] = {};
        for (Int j = 0; j < width_; j += kLanes) {
            for (Int k = 0; k < kLanes; ++k) {
                const float excess = both[j + k] - charged[j + k];
                whose[j + k] = excess > worst[j + k] ? i : whose[j + k];
                worst[j + k] = std::max(worst[j + k], excess);
                lane[k] = std::max(lane[k], excess);
            }
        }
        return *std::max_element(lane, lane + kLanes);
    }

    Int width_ = 0;  // of a row of both_
    Vector<float> both_, part_, charged_, worst_;
    Vector<std::int32_t> whose_;
    std::vector<float> beyond_;
};

}  // namespace ooa
