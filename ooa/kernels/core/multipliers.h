// Bounds of the set search by multipliers on the positives.
//
// For any 0 <= y <= w the positives that a choice B covers weigh at most sum(w - y) + sum over z in B of
// y(z): a covered row counts w - y once and y at least once. With y = w a row counts once per pattern that
// covers it, with y = 0 it is given away; the best y lie between. They differ with the negatives of the
// choice's worst member, which are what it is charged with: patterns with few negatives cover few positives.
// So the choices are put into classes (buckets) by this amount, and y is fitted to the class whose bound is
// the largest until there is none above what is needed, or no progress. Negatives are charged to more than
// the worst member by pairs: see pairs.h.
//
// To fit y takes few patterns, those that are worth most: subgradient.h looks at these alone, and patterns
// join them as they become worth more. Every y gives valid bounds, so nothing rests on how well it was
// fitted; only the bounds themselves take all patterns.
//
// Sums of floating-point numbers are added up in an order that is written down here, so that every machine
// gets the same ones, whatever its vector registers.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "counting.h"
#include "pairs.h"
#include "subgradient.h"

namespace ooa {

constexpr int kTurns = 40;          // times that all patterns are looked at
constexpr int kInner = 4;           // times that the near ones are, in between
constexpr Int kNear = 256;          // patterns that are worth most of a class, about
constexpr double kStalled = 0.95;   // what may be left, at most, of the excess after a turn on the same class
constexpr double kClose = 0.05;     // share of the excess by which near and active patterns may differ
constexpr double kRounding = 0.5;   // an improvement is at least 1; half of it covers rounding

class Multipliers {
public:
    Multipliers(const Patterns& patterns, const Pairs& pairs)
        : patterns_(patterns), pairs_(pairs), words_(patterns.right.words()) {}

    struct Kept {
        Int size;   // patterns kept
        Int bound;  // no choice gains more (`needed` at least)
    };

    // Keep the patterns that can be part of a choice of at most `most` that gains more than `needed`.
    // `cover` and `bad` are the positives and the negatives that are covered already; `y` has one multiplier
    // per place of a row set, and is improved in place, for the next node to start from.
    Kept keep(Follower* list, Int size, Int most, Int needed, const Word* cover, const Word* bad, double* y) {
        prepare(list, size, cover, bad);
        double before = kInfinite, excess = kInfinite;
        Int formerly = -1, where = -1;
        double highest = 0.0;
        for (int turn = 0; turn < kTurns; ++turn) {
            highest = evaluate(list, size, most, needed, y, where);
            if (where < 0 || size == 0) return {0, needed};
            excess = highest - static_cast<double>(needed);
            if (turn == kTurns - 1 || (where == formerly && excess > kStalled * before)) break;
            before = excess;
            formerly = where;
            select_near(size, where);
            fit(list, most, static_cast<double>(needed + least_in(where, largest_)), y);
        }
        return {size, std::max(needed, static_cast<Int>(std::floor(highest + kRounding)))};
    }

    // The same with these very multipliers: then the pairs of a negative need not keep to its weight for any
    // others (docs/formulation.md).
    Kept keep_as_given(Follower* list, Int size, Int most, Int needed, const Word* cover, const Word* bad,
                       const double* y) {
        prepare(list, size, cover, bad);
        Int where = -1;
        const double highest = evaluate(list, size, most, needed, y, where);
        if (where < 0 || size == 0) return {0, needed};
        return {size, std::max(needed, static_cast<Int>(std::floor(highest + kRounding)))};
    }

private:
    // Bounds by some multipliers, and what they leave of the patterns. Returns the highest bound of a class.
    double evaluate(Follower* list, Int& size, Int most, Int needed, const double* y, Int& where) {
        weigh(list, everything(size), y);
        most_valuable(size, most);
        const double highest = best_by_bucket(given(y), most, needed, where);
        size = sift(list, size, needed);
        return highest;
    }

    static constexpr double kInfinite = std::numeric_limits<double>::infinity();

    void prepare(const Follower* list, Int size, const Word* cover, const Word* bad) {
        open_rows(cover);
        open_pairs(list, size, cover, bad);
        charge(list, size, bad);
        octets_.resize(size * width());
        for (Int i = 0; i < size; ++i) {
            const Word* right = patterns_.right[list[i].name];
            for (Int k = 0; k < width(); ++k) {
                octets_[i * width() + k] = static_cast<std::uint8_t>(byte_of(right, bytes_[k]) & ~byte_of(cover, bytes_[k]));
            }
        }
        value_.resize(size);
        active_.assign(size, 0);
        best_if_worst_.assign(kBuckets, kInfinite);
    }

    // The positives that no pattern covers yet: their weights, their places, and the bytes these are in.
    void open_rows(const Word* cover) {
        weight_.assign(words_ * 64, 0.0);
        place_.assign(words_ * 64, 0);
        open_.clear();
        octet_.clear();
        bytes_.clear();
        for (Int r = 0; r < words_ * 64; ++r) {
            if (has(cover, r) || patterns_.right_factor[r / 64] == 0) continue;
            weight_[r] = static_cast<double>(patterns_.right_factor[r / 64]);
            place_[r] = static_cast<Int>(open_.size());
            open_.push_back(r);
            if (bytes_.empty() || bytes_.back() != r / 8) bytes_.push_back(r / 8);
            octet_.push_back(static_cast<Int>(bytes_.size()) - 1);
        }
        table_.resize(256 * bytes_.size());
        covers_.resize(open_.size());
    }

    Int width() const { return static_cast<Int>(bytes_.size()); }

    // The pairs both rows of which a pattern covers and no pattern chosen so far does.
    void open_pairs(const Follower* list, Int size, const Word* cover, const Word* bad) {
        const Int count = pairs_.count();
        loss_.resize(count);
        is_open_.resize(count);
        for (Int k = 0; k < count; ++k) is_open_[k] = !has(cover, pairs_.right[k]) && !has(bad, pairs_.wrong[k]);
        which_.clear();
        begin_.resize(size);
        end_.resize(size);
        for (Int i = 0; i < size; ++i) {
            begin_[i] = static_cast<Int>(which_.size());
            for (Int k = pairs_.first[list[i].name]; k < pairs_.first[list[i].name + 1]; ++k) {
                if (is_open_[pairs_.which[k]]) which_.push_back(pairs_.which[k]);
            }
            end_[i] = static_cast<Int>(which_.size());
        }
    }

    // The bucket of each pattern, by its negatives less what its pairs use up of them.
    void charge(const Follower* list, Int size, const Word* bad) {
        bucket_.resize(size);
        charge_.resize(size);
        for (Int i = 0; i < size; ++i) charge_[i] = list[i].negative;
        if (pairs_.count()) discount(list, size, bad);
        largest_ = 1;
        for (Int i = 0; i < size; ++i) largest_ = std::max(largest_, charge_[i]);
        for (Int i = 0; i < size; ++i) bucket_[i] = bucket_of(charge_[i], largest_);
    }

    void discount(const Follower* list, Int size, const Word* bad) {
        const Int places = static_cast<Int>(pairs_.spent.size());
        left_.resize(places);
        all_bytes_.resize(places / 8);
        for (Int r = 0; r < places; ++r) left_[r] = has(bad, r) ? 0.0 : static_cast<double>(pairs_.spent[r]);
        for (Int k = 0; k < places / 8; ++k) all_bytes_[k] = k;
        spent_table_.resize(256 * all_bytes_.size());
        tabulate(left_.data(), all_bytes_, spent_table_.data());
        for (Int i = 0; i < size; ++i) {
            const Word* wrong = patterns_.wrong[list[i].name];
            double total = 0.0;
            for (Int k = 0; k < places / 8; ++k) total += spent_table_[256 * k + byte_of(wrong, k)];
            charge_[i] -= static_cast<Int>(total);
        }
    }

    // The multipliers of the open positives of a pattern.
    double sum_of(const std::uint8_t* rows) const {
        const double* table = table_.data();
        const Int whole = width() / 4 * 4;
        double lane[4] = {};
        for (Int k = 0; k < whole; k += 4) {
            for (Int j = 0; j < 4; ++j) lane[j] += table[256 * (k + j) + rows[k + j]];
        }
        for (Int k = whole; k < width(); ++k) lane[0] += table[256 * k + rows[k]];
        return (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }

    // value[i] = y(z) - price of some patterns, less what they lose to pairs of rows they cover.
    void weigh(const Follower* list, const std::vector<Int>& some, const double* y) {
        tabulate(y, bytes_, table_.data());
        for (Int k = 0; k < pairs_.count(); ++k) loss_[k] = pairs_.share[k] * y[pairs_.right[k]];
        for (const Int i : some) {
            double total = sum_of(octets_.data() + i * width());
            for (Int k = begin_[i]; k < end_[i]; ++k) total -= loss_[which_[k]];
            value_[i] = total - static_cast<double>(list[i].price);
        }
    }

    double given(const double* y) const {
        double total = 0.0;
        for (const Int r : open_) total += weight_[r] - y[r];
        return total;
    }

    // The largest values among the patterns up to each bucket, in order, and the largest inside of it.
    void most_valuable(Int size, Int most) {
        top_.reset(most);
        std::fill(inside_, inside_ + kBuckets, -kInfinite);
        for (Int i = 0; i < size; ++i) {
            inside_[bucket_[i]] = std::max(inside_[bucket_[i]], value_[i]);
            top_.add(bucket_[i], value_[i]);
        }
        top_.cumulate();
    }

    // What a choice gains at most by the bucket of its worst member (`best_if_worst_`, which only falls), and
    // what the others of a choice add at most beside a pattern from each bucket (`beside_`). Returns the most
    // of the former, and the bucket it is in; -1 if no choice gains more than needed.
    double best_by_bucket(double given, Int most, Int needed, Int& where) {
        double later = -kInfinite, highest = -kInfinite;
        where = -1;
        for (Int b = kBuckets - 1; b >= 0; --b) {
            // The worst member is in this bucket. `same`: the others of a choice beside a member from it,
            // `two`: beside a member from a lower bucket.
            const double* top = top_[b];
            double same = given - static_cast<double>(least_in(b, largest_)), two = same;
            for (Int k = 0; k < most - 1; ++k) {
                same += top[k];
                two += k < most - 2 ? top[k] : std::min(inside_[b], top[k]);
            }
            best_if_worst_[b] = std::min(best_if_worst_[b], same + std::min(inside_[b], top[most - 1]));
            beside_[b] = later;
            if (best_if_worst_[b] > static_cast<double>(needed) + kRounding) {
                beside_[b] = std::max(later, same);
                later = std::max(later, two);
                if (best_if_worst_[b] > highest) {
                    highest = best_if_worst_[b];
                    where = b;
                }
            }
        }
        return highest;
    }

    Int sift(Follower* list, Int size, Int needed) {
        const double least = static_cast<double>(needed) + kRounding;
        Int kept = 0;
        for (Int i = 0; i < size; ++i) {
            if (!(value_[i] + beside_[bucket_[i]] > least)) continue;
            if (kept < i) {
                list[kept] = list[i];
                value_[kept] = value_[i];
                bucket_[kept] = bucket_[i];
                active_[kept] = active_[i];
                begin_[kept] = begin_[i];
                end_[kept] = end_[i];
                std::copy_n(octets_.data() + i * width(), width(), octets_.data() + kept * width());
            }
            ++kept;
        }
        return kept;
    }

    // The patterns up to a class that are worth most, or most of these.
    void select_near(Int size, Int where) {
        double low = kInfinite, high = -kInfinite;
        Int many = 0;
        for (Int i = 0; i < size; ++i) {
            if (bucket_[i] > where) continue;
            low = std::min(low, value_[i]);
            high = std::max(high, value_[i]);
            ++many;
        }
        const double cut = many > kNear ? worth_of_near(size, where, low, high) : low;
        near_.clear();
        for (Int i = 0; i < size && static_cast<Int>(near_.size()) < kNear; ++i) {
            if (bucket_[i] <= where && value_[i] >= cut) near_.push_back(i);
        }
    }

    double worth_of_near(Int size, Int where, double low, double high) const {
        Int histogram[66] = {};
        const double step = (high - low) / 64 + 1e-9;
        for (Int i = 0; i < size; ++i) {
            if (bucket_[i] <= where) ++histogram[static_cast<Int>((high - value_[i]) / step)];
        }
        Int bins = 0;
        for (Int count = 0; count + histogram[bins] <= kNear; ++bins) count += histogram[bins];
        return high - static_cast<double>(bins) * step;
    }

    // Fit y to the near patterns.
    void fit(const Follower* list, Int most, double target, double* y) {
        descent_.begin(open_, weight_, y);
        for (int inner = 0; inner < kInner; ++inner) {
            activate();
            load(list);
            const double least = descent_.run(most, target);
            double total = descent_.put_back(open_, weight_, y);
            weigh(list, near_, y);
            total += largest_values(std::min<Int>(most, kFront));
            if (total <= target || total - least < kClose * (total - target)) break;
        }
    }

    void activate() {
        front_.clear();
        for (const Int i : near_) front_.insert(value_[i], i);
        for (Int k = 0; k < front_.used; ++k) active_[front_.who[k]] = 1;
    }

    double largest_values(Int many) {
        front_.clear();
        for (const Int i : near_) front_.insert(value_[i], i);
        double total = 0.0;
        for (Int k = 0; k < many; ++k) total += front_.merit[k];
        return total;
    }

    // The active patterns as rows of a matrix over the open positives.
    void load(const Follower* list) {
        descent_.clear();
        for (const Int i : near_) {
            if (!active_[i] || descent_.full()) continue;
            const std::uint8_t* rows = octets_.data() + i * width();
            for (std::size_t r = 0; r < open_.size(); ++r) {
                covers_[r] = static_cast<float>((rows[octet_[r]] >> (open_[r] % 8)) & 1);
            }
            for (Int k = begin_[i]; k < end_[i]; ++k) {
                covers_[place_[pairs_.right[which_[k]]]] -= static_cast<float>(pairs_.share[which_[k]]);
            }
            descent_.add(static_cast<float>(list[i].price), covers_);
        }
    }

    const std::vector<Int>& everything(Int size) {
        all_.resize(size);
        for (Int i = 0; i < size; ++i) all_[i] = i;
        return all_;
    }

    const Patterns& patterns_;
    const Pairs& pairs_;
    const Int words_;

    Int largest_ = 1;
    std::vector<Int> open_, octet_, place_;      // the open positives, the byte of each, and the other way
    std::vector<Int> bytes_;                     // that open positives are in
    std::vector<std::uint8_t> octets_;           // open positives of each pattern, byte by byte
    std::vector<float> covers_;
    std::vector<double> weight_, table_, value_;
    std::vector<Int> charge_, bucket_, begin_, end_, near_, all_, all_bytes_;
    std::vector<std::int32_t> which_;
    std::vector<char> active_, is_open_;
    std::vector<double> loss_, left_, spent_table_;
    TopValues<double> top_;
    double inside_[kBuckets], beside_[kBuckets];
    std::vector<double> best_if_worst_;
    Front front_;
    Descent descent_;
};

}  // namespace ooa
