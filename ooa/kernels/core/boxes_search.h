// The best boxes, a given number of them: branch and bound on families.
//
// What is to be searched is divided into tasks. All tasks of a round do the same amount of work with what was known
// when it began, by whichever thread is free, and what they found is put together in their order. So the answer
// does not depend on the number of threads, nor on which of them was faster.
#pragma once

#include <atomic>
#include <memory>

#include "boxes_walk.h"
#include "parallel.h"

namespace ooa {

constexpr Int kTasks = 8;           // tasks of a round, once there is so much to do
constexpr Int kSlice = 1 << 20;     // work of a task in a round

class BoxSearch {
public:
    BoxSearch(const Rank* rank, const Rank* high, const Int* value, Int rows, std::vector<Scale>&& scales,
              const BoxPrices& prices, Int slots)
        : masks_(scales), rows_(rank, high, value, rows, std::move(scales)), prices_(prices) {
        noted_.resize(slots);
    }

    // What boxes have to pass, before anything is searched.
    BoxFilters& filters() { return filters_; }
    // Rows beside those that are searched, in the same ranks.
    BoxRows rows_like(const Rank* rank, const Int* value, Int rows) const {
        return BoxRows(rank, nullptr, value, rows, scales());
    }

    // What pairs of rows are worth by multipliers: narrows what is searched from then on.
    void reduce(const Rank* rank, const Rank* high, const Int* value, Int rows, Int given, Int scale, Int most) {
        const BoxPrices prices{scale * prices_.literal, scale * prices_.pattern, prices_.longest};
        worth_.reset(new PairWorth{BoxRows(rank, high, value, rows, scales()), prices, given, scale, most});
    }

    // Search so many boxes from the beginning, for what gains more than the target.
    void begin(Int boxes, Int target, const Int* cap, Int threads) {
        boxes_ = boxes;
        target_ = target;
        cap_.assign(cap, cap + boxes + 1);
        best_ = FoundBoxes();
        share_ = 0;
        bounds_.clear();
        reduced_.clear();
        const double settled = worth_ ? kNarrowed : kSettled;
        for (Int k = 0; k < threads; ++k) {
            bounds_.push_back(std::make_unique<FamilyBound>(rows_, masks_, prices_, boxes, filters_, settled));
            reduced_.push_back(worth_ ? std::make_unique<ReducedBound>(*worth_, masks_) : nullptr);
        }
        tasks_.clear();
        tasks_.push_back(task());
        tasks_[0]->stack.push(1.0, rows_.worth().positives([&](Int w) { return rows_.all()[w]; }));
        tasks_[0]->stack[0].fill();
    }

    // Go on until all is searched (true), or about so much work was done.
    bool advance(Int work) {
        while (!tasks_.empty() && work > 0) work -= round();
        return tasks_.empty();
    }

    // What so many boxes gain at most, as far as that is known by now.
    Int bound() const {
        Int most = target_;
        for (const auto& one : tasks_) {
            for (Int i = 0; i < one->stack.size(); ++i) most = std::max(most, one->stack.bound(i));
        }
        return most;
    }

    const FoundBoxes& best() const { return best_; }
    const FoundBoxes& noted(Int slot) const { return noted_[slot]; }
    const Masks& masks() const { return masks_; }
    Int attributes() const { return rows_.attributes(); }
    double share_done() const { return share_; }
    Int nodes() const { return nodes_; }

private:
    std::unique_ptr<BoxTask> task() const {
        return std::make_unique<BoxTask>(rows_, masks_, prices_, boxes_, filters_);
    }

    std::vector<Scale> scales() const {
        std::vector<Scale> scales;
        for (Int j = 0; j < rows_.attributes(); ++j) scales.push_back(rows_.scale(j));
        return scales;
    }

    // One round of all tasks; returns its work, as one thread has it.
    Int round() {
        const BoxAims aims{target_, cap_.data(), &noted_};
        const Int count = static_cast<Int>(tasks_.size());
        const Int threads = std::min<Int>(count, static_cast<Int>(bounds_.size()));
        std::atomic<Int> next{0}, spent{0};
        on_threads(threads, [&](Int thread) {
            for (Int i = next++; i < count; i = next++) {
                spent += tasks_[i]->advance(*bounds_[thread], reduced_[thread].get(), aims, kSlice);
            }
        });
        merge();
        share_out();
        return spent / threads;
    }

    // Put together what the tasks found, in their order.
    void merge() {
        for (const auto& one : tasks_) {
            if (one->best.any() && one->best.gain > target_) {
                target_ = one->best.gain;
                best_ = one->best;
            }
            share_ += one->done;
            nodes_ += one->nodes;
            one->done = 0;
            one->nodes = 0;
            for (FoundBoxes& box : one->noted) note(box);
            one->noted.clear();
        }
        tasks_.erase(std::remove_if(tasks_.begin(), tasks_.end(),
                                    [](const auto& one) { return one->stack.size() == 0; }),
                     tasks_.end());
    }

    void note(FoundBoxes& box) {
        const Families view{box.domain.data(), box.mask.data(), &rows_, &masks_, 1};
        FoundBoxes& slot = noted_[BoxTask::slot_of(view, static_cast<Int>(noted_.size()))];
        if (box.gain > slot.gain) slot = std::move(box);
    }

    // Where tasks are few, make new ones of what others would search last.
    void share_out() {
        const Int given = static_cast<Int>(tasks_.size());
        for (Int i = 0; i < given && static_cast<Int>(tasks_.size()) < kTasks; ++i) {
            FamilyStack& from = tasks_[i]->stack;
            while (from.size() > 1 && static_cast<Int>(tasks_.size()) < kTasks) {
                tasks_.push_back(task());
                tasks_.back()->stack.push_copy(from[0], from.share(0), from.bound(0));
                from.pop_lowest();
            }
        }
    }

    const Masks masks_;
    const BoxRows rows_;
    const BoxPrices prices_;
    BoxFilters filters_;
    Int boxes_ = 1, target_ = 0, nodes_ = 0;
    std::vector<Int> cap_;
    FoundBoxes best_;
    std::vector<FoundBoxes> noted_;
    std::unique_ptr<const PairWorth> worth_;
    std::vector<std::unique_ptr<FamilyBound>> bounds_;
    std::vector<std::unique_ptr<ReducedBound>> reduced_;
    std::vector<std::unique_ptr<BoxTask>> tasks_;
    double share_ = 0;
};

}  // namespace ooa
