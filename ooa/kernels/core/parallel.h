// Work on independent pieces by several threads.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "words.h"

namespace ooa {

// Call piece(from, to) for ranges that make up 0 to `count`, each of at most `step`, on so many threads.
template <class Piece>
void in_pieces(Int count, Int step, Int threads, Piece piece) {
    std::atomic<Int> next{0};
    const auto work = [&] {
        for (Int from = next.fetch_add(step); from < count; from = next.fetch_add(step)) {
            piece(from, from + step < count ? from + step : count);
        }
    };
    const Int useful = std::min(threads, (count + step - 1) / step);
    std::vector<std::thread> others;
    for (Int k = 1; k < useful; ++k) others.emplace_back(work);
    work();
    for (std::thread& one : others) one.join();
}

}  // namespace ooa
