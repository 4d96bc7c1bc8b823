// Threads that share one loop without waiting for those that have not come.
//
// Chunks are claimed one by one, by the caller too: a worker that the operating system has not yet
// woken has claimed nothing, so nobody waits for it.  What can be waited for is one chunk.
// (OpenMP's static teams wait, spinning; on a busy machine that made a solve of 187 rows a thousand
// times slower.)
#pragma once

#include "ddla/views.hpp"

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace ddla::host_backend {

class thread_pool {
public:
    /// `threads` counts the caller: threads - 1 are started, at the first loop that needs them.
    explicit thread_pool(int threads) : threads_(threads) {}
    ~thread_pool();
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    int threads() const { return threads_; }

    /// f(chunk) for 0 <= chunk < chunks; returns when all are done.  f must not throw, nor call
    /// run.  While another thread runs a loop, the caller does all of its own.
    template <class F>
    void run(index_t chunks, const F& f)
    {
        run(
            chunks, [](const void* g, index_t chunk) { (*static_cast<const F*>(g))(chunk); }, &f);
    }

private:
    using body = void (*)(const void*, index_t);

    void run(index_t chunks, body call, const void* argument);
    void start();
    void serve();
    void work();

    int threads_;
    std::vector<std::thread> workers_;
    bool started_ = false;  ///< whether workers were asked for; there may be fewer than wanted
    std::mutex one_loop_;

    body call_ = nullptr;
    const void* argument_ = nullptr;
    index_t chunks_ = 0;

    // Each on its own cache line: all threads hammer `next_`.
    alignas(64) std::atomic<index_t> next_{0};
    alignas(64) std::atomic<bool> open_{false};
    alignas(64) std::atomic<int> inside_{0};
    alignas(64) std::atomic<unsigned> generation_{0};
    std::atomic<bool> quit_{false};
};

}  // namespace ddla::host_backend
