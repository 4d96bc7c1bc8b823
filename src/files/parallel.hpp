// Tasks 0 … count-1 on a few threads that live for the call.
#pragma once

#include "ddla/fp_mode.hpp"
#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace ddla::text {

/// Calls task(worker, i) for each i once, started in ascending order; `worker` is below `threads`,
/// and no two tasks of one worker overlap.  After an exception no more tasks are started, and it is
/// rethrown here.
template <class Task>
void parallel_for(int threads, std::size_t count, Task task)
{
    std::atomic<std::size_t> next = 0;
    std::exception_ptr problem;
    std::mutex guard;
    const auto work = [&](int worker) {
        const fp_mode_guard exact;
        for (std::size_t i; (i = next++) < count;) {
            try {
                // The caller's watch; helpers have none, and no task that lasts.
                if (worker == 0) count_work(operations_between_looks);
                task(worker, i);
            } catch (...) {
                const std::lock_guard lock(guard);
                if (!problem) problem = std::current_exception();
                next = count;
            }
        }
    };
    std::vector<std::thread> helpers;
    const auto wanted = std::min(static_cast<std::size_t>(std::max(threads, 1)), count);
    helpers.reserve(wanted);
    try {
        for (int worker = 1; helpers.size() + 1 < wanted; ++worker)
            helpers.emplace_back(work, worker);
    } catch (const std::system_error&) {
        // No more threads are available: those that run do all tasks.
    } catch (const std::bad_alloc&) {
        // Likewise.  Passed on, it would end the program: helpers are still running.
    }
    work(0);
    for (std::thread& helper : helpers) helper.join();
    if (problem) std::rethrow_exception(problem);
}

}  // namespace ddla::text
