// The best set of patterns within limits: depth first through all sets that can gain enough and keep them.
//
// Gains are those of a valuation with prices for what the limits bound (docs/formulation.md): a set within
// the limits that is worth `worth` (in units of `scale`) gains at least worth - constant. A set is worth what
// it gains, with what the prices take back: gain + sum of price_m amount_m. The bounds of counting.h and
// multipliers.h hold for all sets, so whatever they leave out gains too little. That a pattern can stand in for
// another is no reason to leave anything out here: the set with it may break a limit. Nor is it one that a
// pattern does not pay, but where the caller knows that the set without it breaks none.
#pragma once

#include <memory>

#include "multipliers.h"
#include "sums.h"
#include "walk.h"

namespace ooa {

class LimitedSearch {
public:
    // `price` of each sum; a set is worth a multiple of `scale`, and has to be worth more than `known`.
    LimitedSearch(Patterns&& patterns, const Int* positive, const Int* negative, Int most, Int many)
        : patterns_(std::move(patterns)), most_(most), many_(many), multipliers_(patterns_), levels_(most + 1),
          multiplied_(most), chosen_(most) {
        Level& root = levels_[0];
        root.list.resize(patterns_.count);
        for (Int z = 0; z < patterns_.count; ++z) {
            root.list[z] = Follower{z, positive[z], negative[z], patterns_.price[z]};
        }
        for (Level& level : levels_) {
            level.good.assign(patterns_.right.words(), 0);
            level.bad.assign(patterns_.wrong.words(), 0);
        }
        for (Int w = 0; w < patterns_.right.words(); ++w) {
            Word covered = 0;
            for (Int z = 0; z < patterns_.count; ++z) covered |= patterns_.right[z][w];
            root.free += patterns_.right_factor[w] * popcount(covered);
        }
    }

    // A pattern that adds no more positives than `pay` has for it can be taken out of any set.
    void begin(const Int* right, const Int* wrong, const Int* own, const Int* limit, const Int* price, Int count,
               const Int* pay, Int scale, Int constant, Int known) {
        sums_ = std::make_unique<LimitedSums>(patterns_, right, wrong, own, limit, count);
        keeping_ = std::make_unique<Keeping>(*sums_);
        price_.assign(price, price + count);
        pay_ = pay;
        auto& first = levels_[0].list;
        first.erase(std::remove_if(first.begin(), first.end(),
                                   [&](const Follower& one) { return one.positive <= pay[one.name]; }),
                    first.end());
        scale_ = scale;
        constant_ = constant;
        amounts_.assign(most_ + 1, std::vector<Int>(count, 0));
        worth_ = known;
        std::vector<double> start(patterns_.right.words() * 64);
        for (std::size_t r = 0; r < start.size(); ++r) {
            start[r] = 0.7 * static_cast<double>(patterns_.right_factor[static_cast<Int>(r) / 64]);
        }
        multiplied_[0] = Multiplied{start, {}};
        enter(0);
    }

    // Go on until all is searched (true), or so much work is done.
    bool advance(Int work) {
        work_ = work;
        while (depth_ >= 0 && work_ > 0) step();
        return depth_ < 0;
    }

    Int worth() const { return worth_; }
    const std::vector<Int>& choice() const { return choice_; }
    double share_done() const {
        const double size = std::max<double>(1.0, static_cast<double>(levels_[0].list.size()));
        return depth_ < 0 ? 1.0 : static_cast<double>(levels_[0].place) / size;
    }
    Int nodes() const { return nodes_; }

private:
    // What a set has to gain more than: it is worth at least a unit more than the best known.
    Int target() const { return worth_ + scale_ - constant_ - 1; }

    // Begin with the sets that go on from those chosen up to a depth.
    void enter(Int depth) {
        Level& level = levels_[depth];
        level.place = 0;
        ++nodes_;
        if (depth > 0) multiplied_[depth] = multiplied_[depth - 1];
        narrow(depth, 0);
        sort_by_promise(level.list, 0);
        depth_ = depth;
    }

    // Keep what can follow from one place on: nothing if no set can.
    void narrow(Int depth, Int from) {
        Level& level = levels_[depth];
        const Int left = most_ - depth, needed = target() - level.gain;
        std::vector<Follower> rest(level.list.begin() + from, level.list.end());
        work_ -= static_cast<Int>(rest.size());
        Int count = counting_.keep(rest.data(), static_cast<Int>(rest.size()), left, needed, level.free, false);
        rest.resize(count);
        const Word *good = level.good.data(), *bad = level.bad.data();
        if (count > 0 && !keeping_->narrow(rest, left, amounts_[depth], good, bad)) rest.clear();
        if (static_cast<Int>(rest.size()) >= many_) {
            work_ -= kDear + 10 * static_cast<Int>(rest.size());
            count = multipliers_.keep(rest.data(), static_cast<Int>(rest.size()), left, needed, good, bad,
                                      multiplied_[depth]).size;
            rest.resize(count);
        }
        level.list.resize(from);
        level.list.insert(level.list.end(), rest.begin(), rest.end());
    }

    void step() {
        Level& level = levels_[depth_];
        if (level.place >= static_cast<Int>(level.list.size())) {
            --depth_;
            return;
        }
        if (level.place > 0 && level.place % kAgain == 0) {
            narrow(depth_, level.place);
            if (level.place >= static_cast<Int>(level.list.size())) return;
        }
        const Int i = level.place++;
        try_pattern(level, i, level.list[i]);
    }

    void try_pattern(const Level& at, Int i, const Follower& one) {
        const Int depth = depth_;
        chosen_[depth] = one.name;
        Level& next = levels_[depth + 1];
        next.gain = at.gain + one.positive - one.negative - one.price;
        next.free = at.free - one.positive;
        cover(at.good, patterns_.right[one.name], next.good);
        cover(at.bad, patterns_.wrong[one.name], next.bad);
        for (Int m = 0; m < sums_->count(); ++m) {
            const Change change = sums_->change(m, one.name, at.good.data(), at.bad.data());
            amounts_[depth + 1][m] = amounts_[depth][m] + change.plus - change.minus;
        }
        note(depth + 1, next.gain);
        if (depth + 1 < most_) {
            follow(at, i, next);
            if (!next.list.empty()) enter(depth + 1);
        }
    }

    static void cover(const Vector<Word>& before, const Word* rows, Vector<Word>& after) {
        for (std::size_t w = 0; w < after.size(); ++w) after[w] = before[w] | rows[w];
    }

    // What later patterns of a level still add after one of them.
    void follow(const Level& at, Int i, Level& next) {
        const Int size = static_cast<Int>(at.list.size()), needed = target() - next.gain;
        next.list.clear();
        work_ -= size - i;
        for (Int j = i + 1; j < size; ++j) {
            const Follower& other = at.list[j];
            const Int harm = patterns_.wrong_factor.without(patterns_.wrong[other.name], next.bad.data());
            if (next.free - other.price - harm <= needed) continue;
            const Int saves = patterns_.right_factor.without(patterns_.right[other.name], next.good.data());
            if (saves <= pay_[other.name]) continue;
            next.list.push_back(Follower{other.name, saves, harm, other.price});
        }
    }

    // Keep a set of so many patterns if it is within the limits, and the best.
    void note(Int size, Int gain) {
        const std::vector<Int>& amount = amounts_[size];
        Int worth = gain;
        for (Int m = 0; m < sums_->count(); ++m) {
            if (amount[m] > sums_->limit[m]) return;
            worth += price_[m] * amount[m];
        }
        if (worth <= worth_) return;
        worth_ = worth;
        choice_.assign(chosen_.begin(), chosen_.begin() + size);
    }

    const Patterns patterns_;
    const Int most_, many_;
    Counting counting_;
    Multipliers multipliers_;
    std::unique_ptr<LimitedSums> sums_;
    std::unique_ptr<Keeping> keeping_;
    std::vector<Level> levels_;
    std::vector<std::vector<Int>> amounts_;
    std::vector<Multiplied> multiplied_;
    std::vector<Int> price_, chosen_, choice_;
    const Int* pay_ = nullptr;
    Int scale_ = 1, constant_ = 0, worth_ = 0, work_ = 0, depth_ = -1, nodes_ = 0;
};

}  // namespace ooa
