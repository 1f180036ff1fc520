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

// Call work(k) for k from 0 to `threads` - 1, each on a thread of its own as far as there are any to be had.
// What is thrown in one of them, as where memory is short, is thrown here once all have ended: a thread that
// nobody waits for, or that something is thrown out of, would end the process.
template <class Work>
void on_threads(Int threads, Work work) {
    std::exception_ptr problem;
    std::mutex noting;
    const auto guarded = [&](Int k) {
        try {
            work(k);
        } catch (...) {
            const std::lock_guard<std::mutex> lock(noting);
            problem = std::current_exception();
        }
    };
    std::vector<std::thread> others;
    try {
        for (Int k = 1; k < threads; ++k) others.emplace_back(guarded, k);
    } catch (const std::exception&) {  // there are no more: those at hand do it
    }
    guarded(0);
    for (Int k = static_cast<Int>(others.size()) + 1; k < threads; ++k) guarded(k);
    for (std::thread& one : others) one.join();
    if (problem) std::rethrow_exception(problem);
}

// Call piece(from, to) for ranges that make up 0 to `count`, each of at most `step`, on so many threads.
template <class Piece>
void in_pieces(Int count, Int step, Int threads, Piece piece) {
    std::atomic<Int> next{0};
    on_threads(std::min(threads, (count + step - 1) / step), [&](Int) {
        try {
            for (Int from = next.fetch_add(step); from < count; from = next.fetch_add(step)) {
                piece(from, from + step < count ? from + step : count);
            }
        } catch (...) {
            next = count;  // the others need not go on
            throw;
        }
    });
}

}  // namespace ooa
