// Literals with their rows and prices, and the good patterns found over them.
#pragma once

#include <vector>

#include "words.h"

namespace ooa {

// The literals in their order: rows by class, attributes and chains.
struct Literals {
    RowSets right, wrong, support;
    Factors right_factor, wrong_factor, support_factor;
    std::vector<Int> attribute, chain;
    std::vector<Int> price;  // of a pattern by its length; the last one is the longest allowed
    Int least_support;       // 0 if none is asked for
    Int slots;               // for how many kinds of patterns, by their attributes, a good one is noted

    Int count() const { return static_cast<Int>(attribute.size()); }
    Int longest() const { return static_cast<Int>(price.size()) - 1; }
    bool asks_support() const { return least_support > 0; }

    // Whether a pattern has the support asked for.
    bool supported(const Int* items, Int length) const {
        if (!asks_support()) return true;
        const Int total = support_factor.weigh([&](Int w) {
            Word rows = ~Word(0);
            for (Int d = 0; d < length; ++d) rows &= support[items[d]][w];
            return rows;
        });
        return total >= least_support;
    }
};

// What was found: the best pattern, and good ones on different attributes.
struct Notes {
    Int best = 0;                           // its value, or what was known before
    std::vector<Int> items;                 // its literals
    std::vector<Int> value;                 // of one pattern for each slot, 0 as long as there is none
    std::vector<std::vector<Int>> patterns; // its literals

    // Note a pattern if it is the best so far, or the best in its slot, which its attributes decide.
    void note(const Literals& literals, const Int* chosen, Int length, Int worth) {
        if (worth <= 0) return;
        const Int slot = slot_of(literals, chosen, length);
        if ((worth <= best && worth <= value[slot]) || !literals.supported(chosen, length)) return;
        if (worth > best) {
            best = worth;
            items.assign(chosen, chosen + length);
        }
        if (worth > value[slot]) {
            value[slot] = worth;
            patterns[slot].assign(chosen, chosen + length);
        }
    }

private:
    static Int slot_of(const Literals& literals, const Int* chosen, Int length) {
        Int sum = 0;
        for (Int d = 0; d < length; ++d) sum += (literals.attribute[chosen[d]] + 1) * 2654435761 % 4294967291;
        return sum % literals.slots;
    }
};

}  // namespace ooa
