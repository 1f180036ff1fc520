// Several boxes by what each is worth alone, where multipliers of rows and pairs of rows are known.
//
// With such multipliers (docs/formulation.md, "Generation") boxes gain at most `given` and what each of them is
// worth, in parts of a unit. No box is worth more than `most`; so each has to be worth what the others leave, and
// its family is narrowed to what can be.
#pragma once

#include "boxes_bound.h"

namespace ooa {

// Pairs of rows as negatives that span ranks, positives at what they are worth, and what follows.
struct PairWorth {
    BoxRows rows;
    BoxPrices prices;  // in parts of a unit
    Int given, scale, most;
};

class ReducedBound {
public:
    ReducedBound(const PairWorth& worth, const Masks& masks)
        : worth_(worth), one_(worth.rows, masks, worth.prices, 1, none_, kSettled, false) {}

    // Narrow the families to what may gain more than the target; false if nothing of them can.
    bool narrow(const Families& f, Int target) {
        const Int needed = worth_.scale * (target + 1) - worth_.given, cap[2] = {0, 0};
        Int sum = f.boxes * worth_.most;
        for (Int k = 0; k < f.boxes; ++k) {
            const Families own{f.domain + k * f.rows->attributes(), f.mask + k * f.masks->total(), &worth_.rows,
                               f.masks, 1};
            if (!one_.narrow(own, needed - (sum - worth_.most) - 1, cap)) return false;
            sum += std::min(worth_.most, one_.bound()) - worth_.most;
        }
        bound_ = (worth_.given + sum) / worth_.scale;
        return sum >= needed;
    }

    Int bound() const { return bound_; }  // of what `narrow` left
    Int take_work() { return one_.take_work(); }

private:
    const PairWorth& worth_;
    const BoxFilters none_;  // the families that it narrows were filtered
    FamilyBound one_;
    Int bound_ = 0;
};

}  // namespace ooa
