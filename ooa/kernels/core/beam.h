// Good single patterns over literals by growth: many at a time, a literal longer each time. It proves nothing.
//
// Each pattern that is kept is looked at with every literal more, and of the longer ones some are kept again:
// those that are best if a negative counts as much as a positive, or half, a quarter, ... as much, as literals
// to come can still exclude negatives, and bring back no positive. Of each set of attributes one is kept for
// each of these. At the end each literal of the best pattern is dropped or replaced as long as that pays.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "literals.h"

namespace ooa {

class Beam {
public:
    Beam(const Literals& literals, Notes& notes)
        : literals_(literals), notes_(notes), good_(literals.right.words()), bad_(literals.wrong.words()) {}

    // Grow from the pattern without literals, which has all negatives; of each kind keep so many.
    void begin(Int width, Int negatives) {
        width_ = width;
        mending_ = false;
        mended_.clear();
        patterns_.assign(1, Grown{{}, negatives});
        clear();
    }

    // Go on until growth ends (true), or so many words were looked at.
    bool advance(Int work) {
        while (work > 0) {
            if (place_ < patterns_.size()) {
                work -= extend(place_++);
                continue;
            }
            if (!mending_) select();
            clear();
            if (!patterns_.empty() && !mending_) continue;
            mending_ = true;
            if (notes_.items == mended_) return true;
            mended_ = notes_.items;
            without_one();
        }
        return false;
    }

private:
    // How much less a negative counts from one kind to the next, and how many kinds there are.
    static constexpr int kKinds = 5;
    static constexpr double kMilder = 0.5;

    struct Grown {
        std::vector<Int> items;
        Int negative;  // that it covers
    };

    // A literal more for one of the patterns.
    struct Step {
        double score;
        std::size_t from;
        Int literal, negative;
    };

    Int price(std::size_t length) const { return literals_.price[length]; }

    void clear() {
        place_ = 0;
        for (auto& steps : steps_) steps.clear();
    }

    // The patterns that lack one literal of the best one.
    void without_one() {
        patterns_.clear();
        for (std::size_t d = 0; d < mended_.size(); ++d) {
            patterns_.push_back(Grown{mended_, 0});
            patterns_.back().items.erase(patterns_.back().items.begin() + d);
        }
    }

    // Note the patterns of one literal more, and of each attribute the best steps. Returns the words looked at.
    Int extend(std::size_t from) {
        const Grown& here = patterns_[from];
        const Int count = literals_.count(), length = static_cast<Int>(here.items.size()) + 1;
        const bool last = mending_ || length == literals_.longest();
        const Int fee = length > 1 ? price(length) - price(length - 1) : -1;
        cover(here.items);
        if (mending_ && length > 1) notes_.note(literals_, here.items.data(), length - 1, covered() - price(length - 1));
        chosen_ = here.items;
        chosen_.push_back(-1);
        Int work = 0, dead = -1;
        bool used = false;
        for (Int z = 0; z < count; ++z) {
            const Int attribute = literals_.attribute[z];
            if (z == 0 || literals_.attribute[z - 1] != attribute) {
                used = uses(here.items, attribute);
                best_.fill(Step{-HUGE_VAL, from, -1, 0});
            }
            if (!used && literals_.chain[z] != dead) {
                work += literals_.right.words();
                const Int saves = literals_.right_factor.within(literals_.right[z], good_.data());
                if (saves - price(length) <= notes_.best) {
                    dead = literals_.chain[z];
                } else {
                    work += literals_.wrong.words();
                    const Int harm = literals_.wrong_factor.within(literals_.wrong[z], bad_.data());
                    chosen_.back() = z;
                    notes_.note(literals_, chosen_.data(), length, saves - harm - price(length));
                    if (!last && saves - price(length + 1) > notes_.best && here.negative - harm > fee) {
                        compare(Step{0, from, z, harm}, saves);
                    }
                }
            }
            if (z + 1 == count || literals_.attribute[z + 1] != attribute) keep_best();
        }
        return work;
    }

    // The patterns to go on with: of each kind the best ones, no two over the same attributes.
    void select() {
        std::vector<Grown> next;
        std::set<std::vector<Int>> there;
        for (auto& steps : steps_) {
            std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.score > b.score; });
            std::set<std::vector<Int>> groups;
            for (const Step& step : steps) {
                if (static_cast<Int>(groups.size()) >= width_) break;
                std::vector<Int> items = patterns_[step.from].items;
                items.push_back(step.literal);
                std::sort(items.begin(), items.end());
                std::vector<Int> group;
                for (const Int item : items) group.push_back(literals_.attribute[item]);
                if (groups.insert(group).second && there.insert(items).second) {
                    next.push_back(Grown{items, step.negative});
                }
            }
        }
        patterns_ = std::move(next);
    }

    // The rows that a pattern holds for.
    void cover(const std::vector<Int>& items) {
        std::fill(good_.begin(), good_.end(), ~Word(0));
        std::fill(bad_.begin(), bad_.end(), ~Word(0));
        for (const Int item : items) {
            for (std::size_t w = 0; w < good_.size(); ++w) good_[w] &= literals_.right[item][w];
            for (std::size_t w = 0; w < bad_.size(); ++w) bad_[w] &= literals_.wrong[item][w];
        }
    }

    // What they are worth.
    Int covered() const {
        return literals_.right_factor.weigh([&](Int w) { return good_[w]; }) -
               literals_.wrong_factor.weigh([&](Int w) { return bad_[w]; });
    }

    bool uses(const std::vector<Int>& items, Int attribute) const {
        return std::any_of(items.begin(), items.end(),
                           [&](Int item) { return literals_.attribute[item] == attribute; });
    }

    // The better ones of a step, which leaves so many positives, and the best of its attribute.
    void compare(Step step, Int positive) {
        double weight = 1;
        for (Step& one : best_) {
            step.score = positive - weight * step.negative;
            if (step.score > one.score) one = step;
            weight *= kMilder;
        }
    }

    void keep_best() {
        for (int k = 0; k < kKinds; ++k) {
            if (best_[k].literal >= 0) steps_[k].push_back(best_[k]);
        }
    }

    const Literals& literals_;
    Notes& notes_;
    Vector<Word> good_, bad_;
    std::vector<Grown> patterns_;
    std::array<std::vector<Step>, kKinds> steps_;  // from all patterns
    std::array<Step, kKinds> best_;                // from one, over one attribute
    std::vector<Int> chosen_, mended_;
    std::size_t place_ = 0;
    Int width_ = 0;
    bool mending_ = false;
};

}  // namespace ooa
