// The multipliers of a node: of the positives that are left, and of pairs of a positive and a negative.
//
// For any e_i >= 0 of the positives and a_ij >= 0 of pairs, a choice B gains at most
//
//   sum_i (w_i - t_i)+  +  sum_j (s_j - b_j)+  +  sum over z in B of v(z)  -  sum over j covered of (w_j - b_j),
//
// where t_i = e_i + sum_j a_ij, s_j = sum_i a_ij, b_j <= w_j is anything, and v(z) is the e_i of the i that z
// covers, the a_ij of those that it covers without j, less its price. The proof is in docs/formulation.md.
//
// Here they are whole numbers of a fine unit, so that the bounds by them are exact, and everything is about
// the rows that are left, numbered from 0.
#pragma once

#include <cmath>

#include "planes.h"

namespace ooa {

// As they are kept from node to node: by the places of rows, in units of weight.
struct Multiplied {
    struct Pair {
        std::int32_t right, wrong;
        float amount;
    };
    std::vector<double> own;
    std::vector<Pair> pairs;
};

// A pair of rows that are left.
struct OpenPair {
    Int right, wrong;
    float amount;
};

constexpr Int kLargest = Int(1) << 30;   // no sum of multipliers may exceed this
constexpr double kSpare = 0.05;          // share of a negative that pairs may use up beyond ...
constexpr double kMore = 1.1;            // ... so many times what they did at the parent's
constexpr float kNegligible = 0.002f;    // share of a positive below which a pair is forgotten

class NodeMultipliers {
public:
    explicit NodeMultipliers(const Patterns& patterns) : patterns_(patterns) {
        Int right = 1, wrong = 1;
        for (Int w = 0; w < patterns.right.words(); ++w) right += 64 * patterns.right_factor[w];
        for (Int w = 0; w < patterns.wrong.words(); ++w) wrong += 64 * patterns.wrong_factor[w];
        Int total = std::max(right, wrong);
        for (; 2 * total < kLargest; total *= 2) ++shift_;
        for (; total >= kLargest; total /= 2) --shift_;
    }

    // Of a node where these rows are covered, starting from others.
    void begin(const Word* cover, const Word* bad, const Multiplied& from) {
        open_rows(patterns_.right_factor, cover, right_rows, right_place_);
        open_rows(patterns_.wrong_factor, bad, wrong_rows, wrong_place_);
        weight.resize(right_rows.size());
        for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = raised(patterns_.right_factor[right_rows[i] / 64]);
        harm.resize(wrong_rows.size());
        for (std::size_t j = 0; j < harm.size(); ++j) harm[j] = lowered(patterns_.wrong_factor[wrong_rows[j] / 64]);
        take_over(from);
        cap = harm;
        make_whole();
        for (std::size_t j = 0; j < harm.size(); ++j) {
            const double likely = kMore * static_cast<double>(spent_[j]) + kSpare * static_cast<double>(harm[j]);
            cap[j] = std::min(harm[j], static_cast<Int>(likely));
        }
        make_whole();
    }

    // Whole numbers not above `own` and the pairs' amounts, such that t_i <= w_i: more would be in vain.
    void make_whole() {
        scale_.assign(own.begin(), own.end());
        for (const OpenPair& one : pairs) scale_[one.right] += one.amount;
        for (std::size_t i = 0; i < scale_.size(); ++i) {
            const float most = static_cast<float>(weight[i]);
            scale_[i] = scale_[i] > most ? most / scale_[i] : 1.0f;
        }
        left_ = weight;
        whole_own.resize(own.size());
        for (std::size_t i = 0; i < own.size(); ++i) whole_own[i] = take(own[i] * scale_[i], left_[i]);
        spent_.assign(harm.size(), 0);
        whole_pair.resize(pairs.size());
        for (std::size_t k = 0; k < pairs.size(); ++k) {
            const OpenPair& one = pairs[k];
            whole_pair[k] = take(one.amount * scale_[one.right], left_[one.right]);
            spent_[one.wrong] += whole_pair[k];
        }
        given = 0;
        for (const Int left : left_) given += left;
        for (std::size_t j = 0; j < harm.size(); ++j) given += std::max<Int>(0, spent_[j] - cap[j]);
    }

    // value[z] = v(z), where the prices are given.
    void weigh(const Planes& planes, const std::vector<std::int32_t>& price, std::vector<std::int32_t>& value) const {
        for (Int g = 0; g < planes.groups(); ++g) {
            Sums sums[kParts] = {};
            const Word *right = planes.right(g), *wrong = planes.wrong(g);
            for (std::size_t i = 0; i < whole_own.size(); ++i) {
                if (whole_own[i]) add_where(sums, right[i], whole_own[i]);
            }
            for (std::size_t k = 0; k < whole_pair.size(); ++k) {
                if (whole_pair[k]) add_where(sums, right[pairs[k].right] & ~wrong[pairs[k].wrong], whole_pair[k]);
            }
            for (Int z = 0; z < kSide; ++z) {
                value[g * kSide + z] = sums[z / 16][z % 16] - price[g * kSide + z];
            }
        }
    }

    // charge[z]: the w_j - b_j of the negatives of z.
    void charge(const Planes& planes, std::vector<std::int32_t>& charge) const {
        for (Int g = 0; g < planes.groups(); ++g) {
            Sums sums[kParts] = {};
            for (std::size_t j = 0; j < harm.size(); ++j) {
                const std::int32_t rest = static_cast<std::int32_t>(harm[j] - cap[j]);
                if (rest) add_where(sums, planes.wrong(g)[j], rest);
            }
            for (Int z = 0; z < kSide; ++z) charge[g * kSide + z] = sums[z / 16][z % 16];
        }
    }

    // For the nodes below, and for the next time.
    void put_back(Multiplied& to) const {
        const double unit = std::ldexp(1.0, -shift_);
        for (std::size_t i = 0; i < own.size(); ++i) to.own[right_rows[i]] = own[i] * unit;
        std::size_t kept = 0;
        for (const auto& one : to.pairs) {  // what is closed here stays as it is
            if (right_place_[one.right] < 0 || wrong_place_[one.wrong] < 0) to.pairs[kept++] = one;
        }
        to.pairs.resize(kept);
        for (const OpenPair& one : pairs) {
            if (one.amount <= kNegligible * static_cast<float>(weight[one.right])) continue;
            to.pairs.push_back({static_cast<std::int32_t>(right_rows[one.right]),
                                static_cast<std::int32_t>(wrong_rows[one.wrong]),
                                static_cast<float>(one.amount * unit)});
        }
    }

    void sort_pairs() {
        std::stable_sort(pairs.begin(), pairs.end(), [](const OpenPair& a, const OpenPair& b) {
            return a.right != b.right ? a.right < b.right : a.wrong < b.wrong;
        });
    }

    // Amounts in the fine unit: never less than they are, or never more.
    Int raised(Int amount) const { return shift_ >= 0 ? amount * (Int(1) << shift_) : -(-amount >> -shift_); }
    Int lowered(Int amount) const { return shift_ >= 0 ? amount * (Int(1) << shift_) : amount >> -shift_; }
    // And back: what is whole and not above this many fine units.
    Int in_weight(Int amount) const { return shift_ >= 0 ? amount >> shift_ : amount * (Int(1) << -shift_); }

    std::vector<Int> right_rows, wrong_rows;  // the places of the rows that are left
    std::vector<Int> weight, harm, cap;       // w_i, w_j, b_j
    std::vector<float> own;                   // e_i, before they are whole
    std::vector<OpenPair> pairs;              // a_ij likewise, in the order of their positives
    std::vector<std::int32_t> whole_own, whole_pair;
    Int given = 0;                            // the first two sums of the bound

private:
    static void open_rows(const Factors& factor, const Word* taken, std::vector<Int>& rows, std::vector<Int>& place) {
        rows.clear();
        place.assign(factor.words() * 64, -1);
        for (Int r = 0; r < factor.words() * 64; ++r) {
            if (has(taken, r) || factor[r / 64] == 0) continue;
            place[r] = static_cast<Int>(rows.size());
            rows.push_back(r);
        }
    }

    void take_over(const Multiplied& from) {
        const double unit = std::ldexp(1.0, shift_);
        own.resize(right_rows.size());
        for (std::size_t i = 0; i < own.size(); ++i) own[i] = static_cast<float>(from.own[right_rows[i]] * unit);
        pairs.clear();
        for (const auto& one : from.pairs) {
            const Int i = right_place_[one.right], j = wrong_place_[one.wrong];
            if (i >= 0 && j >= 0) pairs.push_back({i, j, static_cast<float>(one.amount * unit)});
        }
        sort_pairs();
    }

    static std::int32_t take(float wanted, Int& left) {
        const Int taken = std::min(left, static_cast<Int>(wanted));
        left -= taken;
        return static_cast<std::int32_t>(taken);
    }

    const Patterns& patterns_;
    int shift_ = 0;
    std::vector<Int> right_place_, wrong_place_, left_, spent_;
    std::vector<float> scale_;
};

}  // namespace ooa
