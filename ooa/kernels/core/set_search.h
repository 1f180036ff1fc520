// Search for the best set of at most so many patterns, on as many threads as there are.
//
// Every set belongs to the first of its patterns in the order of the root's list; walk.h searches the sets
// of one first pattern. First patterns are taken in batches. All of a batch are searched with the list, the
// target and the multipliers as they were when it began, by whichever thread is free, and what they find is
// put together in their order. So the answer does not depend on the number of threads, nor on which of them
// was faster. What is dropped because a first pattern could stand in for it holds for the sets of later
// first patterns only: it is dropped between two batches.
//
// The free mode gives that up: batches are longer, and a thread that takes the next first pattern knows what the
// others have found, and leaves out what they have dropped, all of them earlier first patterns. So it may be
// another one of several best sets that is found, and the number of sets looked into differs.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

#include "parallel.h"
#include "walk.h"

namespace ooa {

constexpr Int kBatch = 8;             // first patterns that are searched with the same list
constexpr Int kAtRootWork = 1 << 24;  // patterns that are looked at to fit the root's multipliers: nobody stops it

class SetSearch {
public:
    SetSearch(Patterns&& patterns, const Int* positive, const Int* negative, Int most, Int many)
        : patterns_(std::move(patterns)), aims_{most, many, 0} {
        root_.list.resize(patterns_.count);
        for (Int z = 0; z < patterns_.count; ++z) {
            root_.list[z] = Follower{z, positive[z], negative[z], patterns_.price[z]};
        }
        leave_uncovered_rows();
        aims_.margin = root_.free / kMargin;
        root_.fresh = true;
    }

    void begin(Int target, Int known, Int threads, Int goal, bool free, bool quick = false) {
        aims_.quick = quick;
        free_ = free && threads > 1;
        incumbent_ = Incumbent{known, std::max(target, aims_.target(known)), {}};
        std::vector<double> start(patterns_.right.words() * 64);
        for (std::size_t r = 0; r < start.size(); ++r) {
            start[r] = 0.7 * static_cast<double>(patterns_.right_factor[static_cast<Int>(r) / 64]);
        }
        warmth_.root = Multiplied{start, {}};
        warmth_.goal.assign(aims_.most, goal);
        for (Int k = 0; k < threads; ++k) walks_.push_back(std::make_unique<Walk>(patterns_, aims_));
        busy_.assign(threads, -1);
        seen_.resize(free_ ? threads : 0);
    }

    // As `begin`, but to list all sets that gain more than the target; none gains more than target + below.
    void begin_listing(Int target, Int below, bool lean, Int threads, Int goal) {
        aims_.all = true;
        patterns_.lean = lean;
        aims_.below = below;
        begin(target, target, threads, goal, false);
    }

    // As `begin`, for the best set within limits. Of all sets that gain more than what is known requires, however
    // many, it is the one that keeps to them and is worth most; none gains more than `highest`. All bounds are
    // about all sets of the patterns that can be within the limits at all, so that patterns stand in for others
    // as ever.
    void begin_within(std::unique_ptr<Within> within, Int highest, Int known, Int threads, Int goal, bool free) {
        within_ = std::move(within);
        aims_.all = true;
        aims_.within = within_.get();
        aims_.margin = 0;  // with prices positives weigh so much that a share of them is more than what is in question
        const std::vector<Int> nothing(within_->sums.count(), 0);
        const std::vector<Word> good(patterns_.right.words(), 0), bad(patterns_.wrong.words(), 0);
        if (!Keeping(within_->sums).narrow(root_.list, aims_.most, nothing, good.data(), bad.data())) {
            root_.list.clear();
        }
        // Every set gains more than `lowest`; further below, bounds would have to count in huge numbers.
        Int dearest = 0;
        for (Int z = 0; z < patterns_.count; ++z) dearest = std::max(dearest, patterns_.price[z]);
        const Int lowest = -patterns_.wrong_factor.weigh([](Int) { return ~Word(0); }) - aims_.most * dearest - 1;
        const Int target = std::max(aims_.target(known), lowest);
        aims_.below = std::max<Int>(0, highest - target);
        begin(target, known, threads, goal, free);
    }

    // Only the sets that have one of the first so many patterns, by their names: of these each is a first pattern
    // in turn, and what is left of them may follow as well as all others. Others never are first patterns.
    void only_first(Int many) { first_ = many; }

    // What was listed since it was last taken.
    Listed& listed() { return listed_; }

    // Go on until all is searched (true), or every thread has done about so much work.
    bool advance(Int work) {
        while (work > 0) {
            if (unfinished_ == 0) {
                merge();
                work -= next_batch();
                if (batch_.empty()) return true;
            }
            work = search(work);
        }
        return false;
    }

    // Before the search: start from these multipliers, and leave out of it what bounds from there on show to be
    // in no set above the target. Returns what no set gains more than (the target at least).
    Int filter(const Multiplied& from) {
        warmth_.root = from;
        const Int size = static_cast<Int>(root_.list.size());
        const Int turns = std::max<Int>(kAtNode.turns, std::min<Int>(kAtRoot.turns, kAtRootWork / (size + 1)));
        Multipliers by(patterns_, {static_cast<int>(turns), kAtRoot.patience, kAtRoot.share, kAtRoot.pairs});
        const auto kept = by.keep(root_.list.data(), size, aims_.most, incumbent_.target, root_.good.data(),
                                  root_.bad.data(), warmth_.root);
        root_.list.resize(kept.size);
        open_bound_ = kept.bound;
        return kept.bound;
    }
    // What no set gains more than, however far the search has got: those of the first patterns that are done gain
    // no more than the target, and the others consist of what the list had when it was last looked at.
    Int bound() const { return std::max(incumbent_.target, open_bound_); }
    const std::vector<Follower>& waiting() const { return root_.list; }

    // Once it was cut short: the patterns of the sets that were not gone through. Whatever gains more than the target
    // consists of them, if anything does.
    std::vector<Int> left() const {
        std::vector<Int> names;
        for (std::size_t j = batch_begin_; j < root_.list.size(); ++j) names.push_back(root_.list[j].name);
        return names;
    }

    // One of the two bounds alone, before the search: the names of the patterns it leaves, and what it says
    // no set gains more than.
    Int bound_alone(Int needed, bool by_multipliers, Int* names, Int& size) {
        Level root = root_;
        walks_[0]->warm = warmth_;
        const auto kept = walks_[0]->bound_alone(root, needed, by_multipliers);
        for (Int i = 0; i < kept.size; ++i) names[i] = root.list[i].name;
        size = kept.size;
        return kept.bound;
    }

    const Patterns& patterns() const { return patterns_; }
    const Incumbent& incumbent() const { return incumbent_; }
    double share_done() const {
        return static_cast<double>(root_.place) / std::max<double>(1.0, static_cast<double>(root_.list.size()));
    }
    Int nodes(Int depth) const {
        Int total = 0;
        for (const auto& walk : walks_) total += walk->nodes[depth];
        return total;
    }

private:
    // What one first pattern's subtree brought.
    struct Result {
        Incumbent incumbent{-kHuge, -kHuge, {}};
        Listed listed;
        Int bound = kHuge;
        std::vector<Int> ahead;
    };

    // What no pattern covers need not be looked at.
    void leave_uncovered_rows() {
        root_.good.assign(patterns_.right.words(), ~Word(0));
        root_.bad.assign(patterns_.wrong.words(), ~Word(0));
        for (Int z = 0; z < patterns_.count; ++z) {
            for (Int w = 0; w < patterns_.right.words(); ++w) root_.good[w] &= ~patterns_.right[z][w];
            for (Int w = 0; w < patterns_.wrong.words(); ++w) root_.bad[w] &= ~patterns_.wrong[z][w];
        }
        root_.free = patterns_.right_factor.weigh([&](Int w) { return ~root_.good[w]; });
    }

    // Put what the batch found together, in the order of its first patterns.
    void merge() {
        if (free_ && !batch_.empty()) close_up();  // the rest was done on the way
        for (const Result& one : batch_) {
            const Incumbent& found = one.incumbent;
            if (found.best > incumbent_.best) {
                incumbent_.best = found.best;
                incumbent_.choice = found.choice;
            }
            incumbent_.target = std::max(incumbent_.target, aims_.target(incumbent_.best));
        }
        for (const Result& one : batch_) listed_.append(one.listed);
        for (const Result& one : batch_) drop_replaceable(one);
        if (!batch_.empty()) warmth_.goal = last_goal_;
        batch_.clear();
    }

    void drop_replaceable(const Result& one) {
        const Int short_by = incumbent_.target - one.bound;
        if (short_by < 0) return;
        std::size_t kept = root_.place;
        for (std::size_t j = root_.place; j < root_.list.size(); ++j) {
            if (one.ahead[origin_[j]] <= short_by) continue;
            root_.list[kept] = root_.list[j];
            origin_[kept++] = origin_[j];
        }
        root_.list.resize(kept);
        origin_.resize(kept);
    }

    // The next first patterns; returns the work that took.
    Int next_batch() {
        Int work = 0;
        const Int size = static_cast<Int>(root_.list.size());
        if (root_.place < size && (root_.fresh || root_.place >= look_again_at_)) {
            Walk& walk = *walks_[0];
            walk.warm = warmth_;
            open_bound_ = std::min(open_bound_, walk.look_again(root_, 0, root_.place, incumbent_.target));
            warmth_ = walk.warm;
            work = walk.take_work();
            look_again_at_ = root_.place + kAgain;
        }
        batch_begin_ = root_.place;
        const Int many = std::min(still_first(), batch_size());
        batch_.resize(many);
        root_.place += many;
        gone_.assign(root_.list.size(), 0);
        origin_.resize(root_.list.size());
        for (std::size_t j = 0; j < origin_.size(); ++j) origin_[j] = static_cast<Int>(j);
        unfinished_ = many;
        next_ = 0;
        return work;
    }

    // How many first patterns there are from here on; they are put before the others, each kind in its order.
    Int still_first() {
        const auto place = root_.list.begin() + root_.place;
        if (first_ == kHuge) return static_cast<Int>(root_.list.end() - place);
        const auto is_first = [&](const Follower& one) { return one.name < first_; };
        return static_cast<Int>(std::stable_partition(place, root_.list.end(), is_first) - place);
    }

    // The first few drop most of the others, so they are few at a time; in the free mode that is no matter.
    Int batch_size() const { return free_ ? kAgain : std::min(kBatch, std::max<Int>(1, root_.place / 4)); }

    // Let every thread do so much work, or less if the batch ends; returns what is left of it.
    Int search(Int work) {
        std::atomic<Int> least{work};
        const Int useful = std::min<Int>(static_cast<Int>(walks_.size()), static_cast<Int>(batch_.size()));
        on_threads(useful, [&](Int k) { work_on(k, work, least); });
        return least;
    }

    // One thread: its own unfinished first pattern, then the next that nobody has.
    void work_on(Int thread, Int work, std::atomic<Int>& least) {
        Walk& walk = *walks_[thread];
        while (work > 0) {
            if (busy_[thread] < 0 && !(free_ ? take_freely(thread, walk) : take(thread, walk))) break;
            if (walk.advance(work)) free_ ? finish_freely(thread, walk) : finish(thread, walk);
        }
        Int before = least;
        while (work < before && !least.compare_exchange_weak(before, work)) {
        }
    }

    bool take(Int thread, Walk& walk) {
        const Int k = next_++;
        if (k >= static_cast<Int>(batch_.size())) return false;
        busy_[thread] = k;
        walk.begin(root_, batch_begin_ + k, incumbent_, warmth_);
        return true;
    }

    // The next that is not dropped yet, with what is left of the list.
    bool take_freely(Int thread, Walk& walk) {
        Seen& seen = seen_[thread];
        Incumbent known;
        {
            const std::lock_guard<std::mutex> lock(sharing_);
            Int k = next_++;
            for (; k < static_cast<Int>(batch_.size()) && gone_[batch_begin_ + k]; k = next_++) --unfinished_;
            if (k >= static_cast<Int>(batch_.size())) return false;
            busy_[thread] = k;
            seen.root.list.clear();
            seen.place.clear();
            for (std::size_t j = batch_begin_ + k; j < root_.list.size(); ++j) {
                if (gone_[j]) continue;
                seen.root.list.push_back(root_.list[j]);
                seen.place.push_back(j);
            }
            known = Incumbent{incumbent_.best, incumbent_.target, {}};
        }
        seen.root.good = root_.good;
        seen.root.bad = root_.bad;
        seen.root.free = root_.free;
        walk.begin(seen.root, 0, known, warmth_);
        return true;
    }

    void finish_freely(Int thread, Walk& walk) {
        const Seen& seen = seen_[thread];
        const std::lock_guard<std::mutex> lock(sharing_);
        if (walk.incumbent.best > incumbent_.best) {
            incumbent_.best = walk.incumbent.best;
            incumbent_.choice = walk.incumbent.choice;
            incumbent_.target = std::max(incumbent_.target, aims_.target(incumbent_.best));
        }
        const Int short_by = incumbent_.target - walk.bound();
        for (std::size_t j = 1; short_by >= 0 && j < seen.place.size(); ++j) {
            if (walk.ahead[j] <= short_by) gone_[seen.place[j]] = 1;
        }
        last_goal_ = walk.warm.goal;
        busy_[thread] = -1;
        --unfinished_;
    }

    // Leave out of the list what was dropped in the free mode.
    void close_up() {
        std::size_t kept = root_.place;
        for (std::size_t j = root_.place; j < root_.list.size(); ++j) {
            if (!gone_[j]) root_.list[kept++] = root_.list[j];
        }
        root_.list.resize(kept);
    }

    void finish(Int thread, Walk& walk) {
        const Int k = busy_[thread];
        Result& result = batch_[k];
        result.incumbent = std::move(walk.incumbent);
        result.bound = walk.bound();
        result.ahead.swap(walk.ahead);
        std::swap(result.listed, walk.listed);
        if (k + 1 == static_cast<Int>(batch_.size())) last_goal_ = walk.warm.goal;
        busy_[thread] = -1;
        --unfinished_;
    }

    Patterns patterns_;
    Aims aims_;
    std::unique_ptr<Within> within_;
    Level root_;
    std::vector<Int> origin_;  // where each pattern of the list was when the batch began
    Incumbent incumbent_{0, 0, {}};
    Listed listed_;
    Warmth warmth_;
    std::vector<Int> last_goal_;
    std::vector<std::unique_ptr<Walk>> walks_;
    std::vector<Int> busy_;  // which of the batch a thread is at, or -1
    std::vector<Result> batch_;
    Int batch_begin_ = 0, look_again_at_ = 0, first_ = kHuge;
    Int open_bound_ = kHuge;  // of the sets of what the list had when it was last looked at
    std::atomic<Int> next_{0}, unfinished_{0};

    // The free mode: what a thread saw of the list when it began, with its places there.
    struct Seen {
        Level root;
        std::vector<std::size_t> place;
    };
    bool free_ = false;
    std::vector<Seen> seen_;
    std::vector<char> gone_;  // of the list: dropped since the batch began
    std::mutex sharing_;
};

}  // namespace ooa
