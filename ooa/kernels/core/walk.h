// The walk through the sets of patterns that begin with one first pattern, depth first.
//
// counting.h and multipliers.h have the bounds. Beside them one more fact spares most of the work, for
// candidates are alike. In any set, putting z' in the place of z adds at most the positives of z' that z
// lacks, the negatives of z that z' lacks, and the difference of the prices (`ahead`). If no set with z comes
// nearer to the target than by so much, z' need not be tried at all.
//
// Level d holds the patterns that may follow the d chosen so far, with what they add, sorted by positives
// less price; a pattern is followed only by later ones. The subtree below a pattern is searched for sets
// above target - slack, so that afterwards also the patterns are known to be in vain that add at most the
// slack when they replace it. Where the multipliers alone end a subtree, their bound gives a larger slack:
// they go for `goal`.
#pragma once

#include <algorithm>

#include "counting.h"
#include "listed.h"
#include "multipliers.h"
#include "sums.h"

namespace ooa {

constexpr Int kMargins = 2;     // levels whose subtrees are searched with a margin
constexpr Int kMargin = 400;    // the margin is the weight of all positives by this
constexpr Int kAgain = 64;      // candidates tried before the others are looked at again
constexpr Int kDear = 20000;    // work that multipliers take in any case

// What a search is after, and what stays the same all the time.
struct Aims {
    Int most;        // patterns in a set
    Int many;        // lists shorter than this do without multipliers
    Int margin;      // of a level: target - slack is what is searched for
    bool quick = false;  // whether multipliers do without pairs that they would have to look for
    bool all = false;  // whether all sets above the target are listed, not only the best found
    Int below = 0;     // then: by how much the target is exceeded at most
    const Within* within = nullptr;  // or whether of these the best within limits is wanted
    Int slack(Int level) const { return std::min(level, kMargins) * margin; }
    // What has to be exceeded where the best is this.
    Int target(Int best) const { return within ? within->target(best) : best; }
};

// What subtrees start from: the multipliers of the root, and, level by level, what was learned from others.
struct Warmth {
    Multiplied root;
    std::vector<Int> goal;
};

// The best set known, and what has to be exceeded.
struct Incumbent {
    Int best;
    Int target;
    std::vector<Int> choice;  // names; empty as long as nothing above what was known is found
};

struct Level {
    std::vector<Follower> list;
    std::vector<Int> ahead;  // what each pattern adds at most in the place of the last one tried
    Int place = 0;           // the next of them to try
    Int gain = 0;            // of the patterns chosen so far
    Int free = 0;            // weight of the positives that are left
    Vector<Word> good, bad;  // positives and negatives covered
    bool fresh = false;      // not looked at since it was filled
    bool searched = false;   // whether the subtree of the last pattern tried has been searched
    Int seen = 0;            // the best value in this subtree so far
};

inline void sort_by_promise(std::vector<Follower>& list, Int from) {
    std::stable_sort(list.begin() + from, list.end(), [](const Follower& a, const Follower& b) {
        return a.positive - a.price > b.positive - b.price;
    });
}

class Walk {
public:
    Walk(const Patterns& patterns, const Aims& aims)
        : nodes(aims.most, 0), patterns_(patterns), aims_(aims),
          multipliers_(patterns, aims.quick ? kQuick : kAtNode),
          levels_(aims.most), chosen_(aims.most), start_(aims.most) {
        for (Level& level : levels_) {
            level.good.assign(patterns.right.words(), 0);
            level.bad.assign(patterns.wrong.words(), 0);
        }
    }

    // Begin with the i-th pattern of the root's list.
    void begin(const Level& root, Int i, const Incumbent& known, const Warmth& warmth) {
        incumbent = Incumbent{known.best, known.target, {}};
        listed.clear();
        warm = warmth;
        start_[0] = warmth.root;
        level_ = 0;
        bound_ = -kHuge;
        const Follower& first = root.list[i];
        ahead.resize(root.list.size());
        work_ = 0;
        try_pattern(root, i, first, 0, ahead);
    }

    // Go on until the subtree is searched (true), or so much work is done; what is left of it is told.
    bool advance(Int& work) {
        work -= work_;
        work_ = 0;
        while (level_ > 0) {
            if (work <= 0) return false;
            step();
            work -= work_;
            work_ = 0;
        }
        return true;
    }

    // Once done: no set with the first pattern gains more.
    Int bound() const { return bound_; }

    Incumbent incumbent;
    Listed listed;           // if all are asked for
    Warmth warm;
    std::vector<Int> ahead;  // of the root's list
    std::vector<Int> nodes;  // how many sets of so many patterns were looked into

    // Keep what can be of use of a list from one place on, as seen from a level. Returns what sets of it gain at
    // most, as far as the multipliers of the root were asked (`needed` at least).
    Int look_again(Level& level, Int depth, Int from, Int needed) {
        const Int left = aims_.most - depth;
        Follower* rest = level.list.data() + from;
        Int count = counting_.keep(rest, static_cast<Int>(level.list.size()) - from, left, needed, level.free,
                                   !aims_.all);
        Int bound = count == 0 ? needed : kHuge;
        if (count >= aims_.many && depth == 0) {
            work_ += kDear + 10 * count;
            const auto kept =
                multipliers_.keep(rest, count, left, needed, level.good.data(), level.bad.data(), warm.root);
            count = kept.size;
            bound = kept.bound;
        }
        level.list.resize(from + count);
        if (level.fresh) sort_by_promise(level.list, from);
        level.fresh = false;
        ++nodes[depth];
        return bound;
    }

    // One of the two bounds alone on the patterns of a root: how many are left, and what no choice exceeds.
    Multipliers::Kept bound_alone(Level& root, Int needed, bool by_multipliers) {
        Follower* list = root.list.data();
        const Int size = static_cast<Int>(root.list.size());
        if (by_multipliers) {
            return multipliers_.keep(list, size, aims_.most, needed, root.good.data(), root.bad.data(), warm.root);
        }
        return {counting_.keep(list, size, aims_.most, needed, root.free, !aims_.all), kHuge};
    }

    Int take_work() {
        const Int done = work_;
        work_ = 0;
        return done;
    }

private:
    // One pattern of the present level, or the end of one.
    void step() {
        Level& level = levels_[level_];
        if (level.searched) {
            level.searched = false;
            drop_replaceable(level, subtree_bound(level, level_));
            return;
        }
        if (level.place >= static_cast<Int>(level.list.size())) return leave();
        if (level.fresh || level.place % kAgain == 0) {
            look_again(level, level_, level.place, incumbent.target - aims_.slack(level_) - level.gain);
            if (level.place >= static_cast<Int>(level.list.size())) return;
        }
        const Int i = level.place++;
        try_pattern(level, i, level.list[i], level_, level.ahead);
    }

    // Go back to the level before; its subtree is searched.
    void leave() {
        --level_;
        if (level_ == 0) bound_ = subtree_bound(root_, 0);
    }

    Int subtree_bound(const Level& level, Int depth) const {
        return std::max(level.seen, incumbent.target - aims_.slack(depth + 1));
    }

    // Note a pattern after those chosen, and go down to what may follow it.
    void try_pattern(const Level& at, Int i, const Follower& one, Int depth, std::vector<Int>& ahead_here) {
        const Int left = aims_.most - depth, here = static_cast<Int>(at.list.size());
        const Int value = at.gain + one.positive - one.price - one.negative;
        chosen_[depth] = one.name;
        note(depth, value);
        Level& own = depth == 0 ? root_ : levels_[depth];
        own.searched = false;
        if (left == 1) {
            bound_ = kHuge;  // nothing is known of what might replace it
            return;
        }
        const Int aim = incumbent.target - aims_.slack(depth);
        const Int reach = std::max(warm.goal[depth], aims_.slack(depth + 1) - aims_.slack(depth));
        const Int rest = at.free - one.positive;
        follow(at, i, one, left, aim - reach - value, rest, depth, ahead_here);
        work_ += here - i;
        start_[depth + 1] = start_[depth];
        Int bound = value + std::max<Int>(narrow(depth + 1, aim - reach - value, rest), 0);
        adjust_goal(warm.goal[depth], bound, aim, reach);
        if (bound > aim) {
            if (!redundant(depth)) return descend(own, depth, value, rest);
            bound = aim;  // what has the redundant pattern is worth less than without it
        }
        if (depth == 0) {
            bound_ = bound;
        } else {
            drop_replaceable(levels_[depth], bound);
        }
    }

    void descend(Level& own, Int depth, Int value, Int rest) {
        narrow(depth + 1, incumbent.target - aims_.slack(depth + 1) - value, rest);
        own.searched = true;
        own.seen = value;
        Level& next = levels_[depth + 1];
        if (next.list.empty()) {
            if (depth == 0) bound_ = subtree_bound(own, 0);
            return;
        }
        next.place = 0;
        next.gain = value;
        next.free = rest;
        next.fresh = true;
        next.searched = false;
        level_ = depth + 1;
    }

    // Fill the next level with what may follow; `ahead_here` becomes what each later pattern adds at most in
    // the place of this one.
    void follow(const Level& at, Int i, const Follower& one, Int left, Int needed, Int rest, Int depth,
                std::vector<Int>& ahead_here) {
        Level& next = levels_[depth + 1];
        cover(at.good, patterns_.right[one.name], next.good);
        cover(at.bad, patterns_.wrong[one.name], next.bad);
        const Int here = static_cast<Int>(at.list.size());
        ahead_here.resize(here);
        next.list.resize(here);
        const Word *good = next.good.data(), *bad = next.bad.data();
        Int kept = 0;
        for (Int j = i + 1; j < here; ++j) {
            const Follower& other = at.list[j];
            const Int saves = patterns_.right_factor.without(patterns_.right[other.name], good);
            const Int harm = patterns_.wrong_factor.without(patterns_.wrong[other.name], bad);
            const Int lost = one.negative - (other.negative - harm);
            ahead_here[j] = saves + lost + one.price - other.price;
            if (pays(other, saves, harm) && (left == 2 ? saves : rest) - other.price - harm > needed) {
                next.list[kept++] = Follower{other.name, saves, harm, other.price};
            }
        }
        next.list.resize(kept);
    }

    // Whether a set can be wanted that has a pattern which saves and harms so much after those chosen.
    bool pays(const Follower& one, Int saves, Int harm) const {
        if (!aims_.all) return saves > one.price;
        return saves + aims_.below >= one.price && (saves > 0 || harm > 0 || !patterns_.lean);
    }

    static void cover(const Vector<Word>& before, const Word* rows, Vector<Word>& after) {
        for (std::size_t w = 0; w < after.size(); ++w) after[w] = before[w] | rows[w];
    }

    // Keep what can gain more than needed of a level's patterns; returns a bound on what they gain.
    Int narrow(Int depth, Int needed, Int rest) {
        Level& level = levels_[depth];
        const Int left = aims_.most - depth;
        Int count = counting_.keep(level.list.data(), static_cast<Int>(level.list.size()), left, needed, rest,
                                   !aims_.all);
        Int bound = count == 0 ? needed : kHuge;
        if (count >= aims_.many) {
            work_ += kDear + 10 * count;
            const auto kept = multipliers_.keep(level.list.data(), count, left, needed, level.good.data(),
                                                level.bad.data(), start_[depth]);
            count = kept.size;
            bound = kept.bound;
        }
        level.list.resize(count);
        return bound;
    }

    // A larger margin for multipliers where they reach it, a smaller one where they fall far short of it.
    static void adjust_goal(Int& goal, Int bound, Int aim, Int reach) {
        if (bound <= aim - reach) {
            goal = goal * 5 / 4 + 1;
        } else if (bound > aim - reach / 2) {
            goal = goal * 4 / 5;
        }
    }

    // Whether a pattern chosen earlier has fewer positives of its own than its price, less the slack.
    bool redundant(Int depth) const {
        for (Int a = 0; a < depth; ++a) {
            const Int own = patterns_.right_factor.weigh([&](Int w) {
                Word others = 0;
                for (Int b = 0; b <= depth; ++b) {
                    if (b != a) others |= patterns_.right[chosen_[b]][w];
                }
                return patterns_.right[chosen_[a]][w] & ~others;
            });
            if (own + aims_.slack(depth) + aims_.below < patterns_.price[chosen_[a]]) return true;
        }
        return false;
    }

    // Note the value of the patterns chosen up to a level, and the patterns if they are the best so far.
    void note(Int depth, Int value) {
        if (aims_.within) {
            if (value > incumbent.target) keep_best(depth, aims_.within->worth(chosen_, depth + 1, value));
        } else if (aims_.all) {
            if (value > incumbent.target) listed.add(patterns_, chosen_, depth + 1, value);
        } else {
            keep_best(depth, value);
        }
        if (depth > 0) root_.seen = std::max(root_.seen, value);
        for (Int d = 1; d < depth; ++d) levels_[d].seen = std::max(levels_[d].seen, value);
    }

    void keep_best(Int depth, Int worth) {
        if (worth <= incumbent.best) return;
        incumbent.best = worth;
        incumbent.target = std::max(incumbent.target, aims_.target(worth));
        incumbent.choice.assign(chosen_.begin(), chosen_.begin() + depth + 1);
    }

    // Drop the patterns yet to be tried that add no more in the place of the last than it fell short by.
    void drop_replaceable(Level& level, Int bound) {
        const Int short_by = incumbent.target - aims_.slack(level_) - bound;
        if (short_by < 0) return;
        std::size_t kept = level.place;
        for (std::size_t j = level.place; j < level.list.size(); ++j) {
            if (level.ahead[j] > short_by) level.list[kept++] = level.list[j];
        }
        level.list.resize(kept);
    }

    const Patterns& patterns_;
    const Aims& aims_;
    Counting counting_;
    Multipliers multipliers_;
    std::vector<Level> levels_;
    Level root_;  // only what is known of the first pattern's subtree
    std::vector<Int> chosen_;
    std::vector<Multiplied> start_;  // multipliers that were fitted to what may follow, level by level
    Int level_ = 0, bound_ = 0, work_ = 0;
};

}  // namespace ooa
