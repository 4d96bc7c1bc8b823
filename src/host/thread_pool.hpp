// A parallel loop that does not wait for threads that are not running.
//
// Threads, the caller included, claim chunks one by one.  A worker that the operating system has
// not yet woken has claimed nothing, so nobody waits for it: the longest wait is one chunk.  Each
// thread begins with its own share, which is the same in loops of one size, then takes chunks of
// others (work stealing): what it wrote in the last loop is in its caches and, where it was the
// first to write, on its NUMA node.
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
    explicit thread_pool(int threads)
        : threads_(threads), shares_(static_cast<std::size_t>(threads))
    {
    }
    ~thread_pool();
    thread_pool(const thread_pool&) = delete;
    thread_pool& operator=(const thread_pool&) = delete;

    int threads() const { return threads_; }

    /// f(chunk) for 0 <= chunk < chunks; returns when all are done.  f must not throw.  While
    /// another thread runs a loop, the caller does all chunks itself; so it does within f.
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
    void serve(int thread);
    void work(int thread);

    /// The chunks that a thread begins with.  On its own cache line, because other threads claim
    /// here, too.
    struct alignas(64) share {
        std::atomic<index_t> next{0};
        index_t end = 0;
    };

    int threads_;
    std::vector<std::thread> workers_;
    bool started_ = false;  ///< nothing is left to start; there may be fewer workers than wanted
    std::mutex one_loop_;

    body call_ = nullptr;
    const void* argument_ = nullptr;
    std::vector<share> shares_;

    // Each on its own cache line: all threads poll them.
    alignas(64) std::atomic<bool> open_{false};
    alignas(64) std::atomic<int> inside_{0};
    alignas(64) std::atomic<unsigned> generation_{0};
    std::atomic<bool> quit_{false};
};

}  // namespace ddla::host_backend
