// Sets of patterns that are listed, all of them that gain enough.
#pragma once

#include <vector>

#include "patterns.h"

namespace ooa {

// One after the other: sizes, names and gains.
struct Listed {
    std::vector<Int> size, names, gain;

    void clear() {
        size.clear();
        names.clear();
        gain.clear();
    }

    void add(const Patterns& patterns, const std::vector<Int>& chosen, Int many, Int value) {
        if (patterns.lean && !all_needed(patterns, chosen, many)) return;
        size.push_back(many);
        names.insert(names.end(), chosen.begin(), chosen.begin() + many);
        gain.push_back(value);
    }

    void append(const Listed& other) {
        size.insert(size.end(), other.size.begin(), other.size.end());
        names.insert(names.end(), other.names.begin(), other.names.end());
        gain.insert(gain.end(), other.gain.begin(), other.gain.end());
    }

private:
    // Whether every pattern covers a row that no other does.
    static bool all_needed(const Patterns& patterns, const std::vector<Int>& chosen, Int many) {
        for (Int a = 0; a < many; ++a) {
            if (!needed(patterns.right, chosen, many, a) && !needed(patterns.wrong, chosen, many, a)) return false;
        }
        return true;
    }

    static bool needed(const RowSets& rows, const std::vector<Int>& chosen, Int many, Int a) {
        for (Int w = 0; w < rows.words(); ++w) {
            Word others = 0;
            for (Int b = 0; b < many; ++b) {
                if (b != a) others |= rows[chosen[b]][w];
            }
            if (rows[chosen[a]][w] & ~others) return true;
        }
        return false;
    }
};

}  // namespace ooa
