// The patterns that the set search chooses from, and lists of them with what they still add.
#pragma once

#include "words.h"

namespace ooa {

// Rows by class, and prices. Positives are "right" where a pattern covers them, negatives "wrong".
struct Patterns {
    RowSets right, wrong;
    Factors right_factor, wrong_factor;
    const Int* price;
    Int count;
    bool lean = false;  // whether only sets are wanted in which every pattern covers a row that no other does
};

// A pattern that may follow those chosen so far, with what it adds on the rows that are left.
struct Follower {
    Int name;
    Int positive;
    Int negative;
    Int price;
};

}  // namespace ooa
