// Bounds of the set search by multipliers on the positives, and on pairs of a positive and a negative.
//
// multiplied.h has the bound. Of the negatives that a choice covers, those of its worst member are what it is
// charged with beside the pairs. So the choices are put into classes (buckets) by this amount, and multipliers
// are fitted to the class whose bound is the largest until there is none above what is needed, or no progress.
//
// To fit them takes few patterns, those that are worth most: subgradient.h looks at these alone, and patterns
// join them as they become worth more; so do pairs (separation.h). Any multipliers give valid bounds, so
// nothing rests on how well they were fitted; only the bounds themselves take all patterns, and count in whole
// numbers.
#pragma once

#include "counting.h"
#include "separation.h"

namespace ooa {

// How much is done to fit multipliers: times that all patterns are looked at, at most; turns without progress
// before it ends; the share of the excess that a turn tries to take off (to aim at all of it where that is out
// of reach makes steps too long); and whether pairs are looked for. Without them, bounds are weaker and take half the
// time: enough for a quick attempt.
struct Effort {
    int turns, patience;
    double share;
    bool pairs;
};
constexpr Effort kQuick{40, 1, 1.0, false};
constexpr Effort kAtNode{40, 1, 0.4, true};
constexpr Effort kAtRoot{300, 40, 0.1, true};
constexpr int kInner = 4;           // times that the near ones are, in between
constexpr Int kNear = 256;          // patterns that are worth most of a class
constexpr double kStalled = 0.95;   // what may be left, at most, of the excess after a turn on the same class
constexpr double kClose = 0.05;     // share of the excess by which near and active patterns may differ
constexpr double kShrunk = 0.7;     // share of the patterns from which on the others are put together
constexpr std::int32_t kGone = 1 << 30;  // the price of a pattern that is not in question any more

class Multipliers {
public:
    explicit Multipliers(const Patterns& patterns, Effort effort = kAtNode)
        : patterns_(patterns), at_(patterns), effort_(effort) {}

    struct Kept {
        Int size;   // patterns kept
        Int bound;  // no choice gains more (`needed` at least)
    };

    // Keep the patterns that can be part of a choice of at most `most` that gains more than `needed`.
    // `cover` and `bad` are the positives and the negatives that are covered already. `from` are multipliers
    // to start from; the best that are found, by what they say of all patterns, take their place.
    Kept keep(Follower* list, Int size, Int most, Int needed, const Word* cover, const Word* bad, Multiplied& from) {
        begin(list, size, cover, bad, from);
        const Int least = at_.lowered(needed);
        Int before = kHuge, lowest = kHuge, formerly = -1;
        Bound found{};
        int stalls = 0;
        for (int turn = 0; turn < effort_.turns; ++turn) {
            found = evaluate(most, least);
            if (found.where < 0 || alive_ == 0) return {0, needed};
            if (found.now < lowest) {
                lowest = found.now;
                at_.put_back(from);
            }
            const Int excess = found.highest - least;
            if (found.where == formerly) {
                stalls = static_cast<double>(excess) > kStalled * static_cast<double>(before) ? stalls + 1 : 0;
            }
            if (turn == effort_.turns - 1 || stalls == effort_.patience) break;
            before = excess;
            formerly = found.where;
            if (turn > 0 && effort_.pairs) add_pairs();  // of the last turn's patterns: what it settled needs none
            if (static_cast<double>(alive_) < kShrunk * static_cast<double>(who_.size())) close_up(list);
            select_near(list, found.where);
            const Int part = static_cast<Int>(effort_.share * static_cast<double>(excess));
            fit(most, found.highest - part + least_in(found.where, largest_));
        }
        return {take_alive(list), std::max(needed, at_.in_weight(found.highest))};
    }

private:
    // What no choice gains more than, by all multipliers so far and by the present ones, and the class of the
    // former; -1 if no choice gains more than needed.
    struct Bound {
        Int highest, now, where;
    };

    void begin(const Follower* list, Int size, const Word* cover, const Word* bad, const Multiplied& from) {
        at_.begin(cover, bad, from);
        who_.resize(size);
        for (Int i = 0; i < size; ++i) who_[i] = i;
        alive_ = size;
        put_together(list);
        charge_.resize(planes_.groups() * kSide);
        at_.charge(planes_, charge_);
        largest_ = 1;
        for (Int i = 0; i < size; ++i) largest_ = std::max<Int>(largest_, charge_[i]);
        bucket_.resize(size);
        for (Int i = 0; i < size; ++i) bucket_[i] = bucket_of(charge_[i], largest_);
        best_if_worst_.assign(kBuckets, kHuge);
    }

    void put_together(const Follower* list) {
        const Int size = static_cast<Int>(who_.size());
        planes_.build(patterns_, size, [&](Int i) { return list[who_[i]].name; }, at_.right_rows, at_.wrong_rows);
        price_.assign(planes_.groups() * kSide, kGone);
        value_.resize(price_.size());
        for (Int i = 0; i < size; ++i) {
            price_[i] = static_cast<std::int32_t>(std::min<Int>(at_.lowered(list[who_[i]].price), kGone - 1));
        }
    }

    bool gone(std::size_t i) const { return price_[i] == kGone; }

    // Leave the places of what is gone.
    void close_up(const Follower* list) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < who_.size(); ++i) {
            if (gone(i)) continue;
            who_[kept] = who_[i];
            bucket_[kept] = bucket_[i];
            value_[kept++] = value_[i];
        }
        who_.resize(kept);
        put_together(list);
    }

    Int take_alive(Follower* list) const {
        Int kept = 0;
        for (std::size_t i = 0; i < who_.size(); ++i) {
            if (!gone(i)) list[kept++] = list[who_[i]];
        }
        return kept;
    }

    // Bounds by the present multipliers, and what they leave of the patterns.
    Bound evaluate(Int most, Int needed) {
        at_.weigh(planes_, price_, value_);
        most_valuable(most);
        const Bound found = best_by_bucket(most, needed);
        for (std::size_t i = 0; i < who_.size(); ++i) {
            if (gone(i) || value_[i] + beside_[bucket_[i]] > needed) continue;
            price_[i] = kGone;
            --alive_;
        }
        return found;
    }

    // The largest values among the patterns up to each bucket, in order, and the largest inside of it.
    void most_valuable(Int most) {
        top_.reset(most);
        std::fill(inside_, inside_ + kBuckets, -kHuge);
        for (std::size_t i = 0; i < who_.size(); ++i) {
            if (gone(i)) continue;
            const Int value = value_[i];
            inside_[bucket_[i]] = std::max(inside_[bucket_[i]], value);
            top_.add(bucket_[i], value);
        }
        top_.cumulate();
    }

    // What a choice gains at most by the bucket of its worst member (`best_if_worst_`, which only falls), and
    // what the others of a choice add at most beside a pattern from each bucket (`beside_`).
    Bound best_by_bucket(Int most, Int needed) {
        Int later = -kHuge;
        Bound found{-kHuge, -kHuge, -1};
        for (Int b = kBuckets - 1; b >= 0; --b) {
            // The worst member is in this bucket. `same`: the others of a choice beside a member from it,
            // `two`: beside a member from a lower bucket.
            const Int* top = top_[b];
            Int same = at_.given - least_in(b, largest_), two = same;
            for (Int k = 0; k < most - 1; ++k) {
                same += top[k];
                two += k < most - 2 ? top[k] : std::min(inside_[b], top[k]);
            }
            const Int here = same + std::min(inside_[b], top[most - 1]);
            found.now = std::max(found.now, here);
            best_if_worst_[b] = std::min(best_if_worst_[b], here);
            beside_[b] = later;
            if (best_if_worst_[b] > needed) {
                beside_[b] = std::max(later, same);
                later = std::max(later, two);
                if (best_if_worst_[b] > found.highest) {
                    found.highest = best_if_worst_[b];
                    found.where = b;
                }
            }
        }
        return found;
    }

    // The patterns up to a class that are worth most.
    void select_near(const Follower* list, Int where) {
        near_.clear();
        for (std::size_t i = 0; i < who_.size(); ++i) {
            if (!gone(i) && bucket_[i] <= where) near_.push_back(static_cast<Int>(i));
        }
        if (static_cast<Int>(near_.size()) > kNear) {
            std::nth_element(near_.begin(), near_.begin() + kNear, near_.end(), [&](Int a, Int b) {
                return value_[a] != value_[b] ? value_[a] > value_[b] : a < b;
            });
            near_.resize(kNear);
            std::sort(near_.begin(), near_.end());
        }
        const Int size = static_cast<Int>(near_.size());
        near_planes_.build(patterns_, size, [&](Int i) { return list[who_[near_[i]]].name; }, at_.right_rows,
                           at_.wrong_rows);
        near_price_.assign(near_planes_.groups() * kSide, kGone);
        near_value_.resize(near_price_.size());
        for (Int i = 0; i < size; ++i) {
            near_price_[i] = price_[near_[i]];
            near_value_[i] = value_[near_[i]];
        }
    }

    // Fit the multipliers to the near patterns.
    void fit(Int most, Int target) {
        const double aim = static_cast<double>(target);
        active_.assign(near_.size(), 0);
        columns_.clear();
        descent_.begin(at_);
        for (int inner = 0; inner < kInner; ++inner) {
            find_front();
            activate();
            const double least = descent_.run(most, aim);
            descent_.put_back(at_);
            at_.make_whole();
            at_.weigh(near_planes_, near_price_, near_value_);
            find_front();
            double total = static_cast<double>(at_.given);
            for (Int k = 0; k < std::min<Int>(most, kFront); ++k) total += front_.merit[k];
            if (total <= aim || total - least < kClose * (total - aim)) break;
        }
    }

    // Pairs that the patterns of the last fit do not keep to.
    void add_pairs() {
        separation_.add_pairs(
            at_, descent_, [&](Int a, Int i) { return covers(columns_[a], i); },
            [&](Int a, Int j) { return harms(columns_[a], j); });
    }

    void find_front() {
        front_.clear();
        for (std::size_t i = 0; i < near_.size(); ++i) front_.insert(near_value_[i], static_cast<Int>(i));
    }

    bool covers(Int i, Int row) const { return (near_planes_.right(i / kSide)[row] >> (i % kSide)) & 1; }
    bool harms(Int i, Int row) const { return (near_planes_.wrong(i / kSide)[row] >> (i % kSide)) & 1; }

    void activate() {
        const Int positives = static_cast<Int>(at_.own.size());
        for (Int k = 0; k < front_.used; ++k) {
            const Int i = front_.who[k];
            if (active_[i] || descent_.full()) continue;
            active_[i] = 1;
            columns_.push_back(i);
            descent_.add(static_cast<float>(near_price_[i]), [&](Int r) {
                if (r < positives) return covers(i, r);
                const OpenPair& pair = at_.pairs[r - positives];
                return covers(i, pair.right) && !harms(i, pair.wrong);
            });
        }
    }

    const Patterns& patterns_;
    NodeMultipliers at_;
    const Effort effort_;
    Planes planes_, near_planes_;
    Int largest_ = 1, alive_ = 0;
    std::vector<Int> who_;     // the pattern of the list at each place of the planes
    std::vector<Int> bucket_, near_, columns_;
    std::vector<std::int32_t> price_, value_, charge_, near_price_, near_value_;
    std::vector<char> active_;
    TopValues<Int> top_;
    Int inside_[kBuckets], beside_[kBuckets];
    std::vector<Int> best_if_worst_;
    Front front_;
    Descent descent_;
    Separation separation_;
};

}  // namespace ooa
