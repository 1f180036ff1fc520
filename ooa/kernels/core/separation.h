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
        charged_.assign(n, 0.0f);
        for (const OpenPair& one : at.pairs) {
            charged_[one.wrong] = std::max(charged_[one.wrong], both_[one.right * n + one.wrong]);
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
        both_.assign(m * n, 0.0f);
        beyond_.assign(m, -1.0f);
        part_.resize(n);
        for (Int a = 0; a < by.few(); ++a) {
            const float much = by.mean(a);
            if (much < kSome) continue;
            for (Int j = 0; j < n; ++j) part_[j] = much * static_cast<float>(harms(a, j));
            for (Int i = 0; i < m; ++i) {
                if (!covers(a, i)) continue;
                beyond_[i] += much;
                float* both = both_.data() + i * n;
                for (Int j = 0; j < n; ++j) both[j] += part_[j];
            }
        }
        for (Int i = 0; i < m; ++i) {
            if (beyond_[i] <= 0.0f) continue;
            for (Int j = 0; j < n; ++j) both_[i * n + j] -= beyond_[i];
        }
    }

    void collect(Int m, Int n, std::vector<OpenPair>& pairs) {
        worst_.assign(n, kViolated);
        whose_.assign(n, -1);
        for (Int i = 0; i < m; ++i) {
            const float* both = both_.data() + i * n;
            float most = kViolated;
            Int where = -1;
            for (Int j = 0; j < n; ++j) {
                const float excess = both[j] - charged_[j];
                if (excess > most) {
                    most = excess;
                    where = j;
                }
                if (excess > worst_[j]) {
                    worst_[j] = excess;
                    whose_[j] = i;
                }
            }
            if (where >= 0) pairs.push_back({i, where, 0.0f});
        }
        for (Int j = 0; j < n; ++j) {
            if (whose_[j] >= 0) pairs.push_back({whose_[j], j, 0.0f});
        }
    }

    std::vector<float> both_, beyond_, part_, charged_, worst_;
    std::vector<Int> whose_;
};

}  // namespace ooa
