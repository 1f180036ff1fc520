// Work on independent pieces by several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "words.h"

namespace ooa {

// Call piece(from, to) for ranges that make up 0 to `count`, each of at most `step`, on so many threads. What
// is thrown in one of them, as where memory is short, is thrown here once all have ended.
template <class Piece>
void in_pieces(Int count, Int step, Int threads, Piece piece) {
    std::atomic<Int> next{0};
    std::exception_ptr problem;
    std::mutex noting;
    const auto work = [&] {
        try {
            for (Int from = next.fetch_add(step); from < count; from = next.fetch_add(step)) {
                piece(from, from + step < count ? from + step : count);
            }
        } catch (...) {
            const std::lock_guard<std::mutex> lock(noting);
            problem = std::current_exception();
            next = count;
        }
    };
    const Int useful = std::min(threads, (count + step - 1) / step);
    std::vector<std::thread> others;
    try {
        for (Int k = 1; k < useful; ++k) others.emplace_back(work);
    } catch (const std::exception&) {  // there are no more threads to be had: those at hand do it
    }
    work();
    for (std::thread& one : others) one.join();
    if (problem) std::rethrow_exception(problem);
}

}  // namespace ooa
