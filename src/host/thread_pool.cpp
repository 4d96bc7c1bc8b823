#include "thread_pool.hpp"

#include "ddla/fp_mode.hpp"
#include "tuning.hpp"

#include <chrono>
#include <iterator>
#include <new>
#include <system_error>

namespace ddla::host_backend {

namespace {

/// Whether this thread runs chunks of a loop, of any pool.
thread_local bool in_loop = false;

void pause_briefly()
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Wait until `value` differs from `old`: spin a little, then sleep in the kernel.
template <class U>
void wait_while(std::atomic<U>& value, U old)
{
    const auto end = std::chrono::steady_clock::now() + tuning::spin;
    do {
        for (int i = 0; i < 32; ++i) {
            if (value.load(std::memory_order_acquire) != old) return;
            pause_briefly();
        }
    } while (std::chrono::steady_clock::now() < end);
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

void thread_pool::start()
{
    try {
        workers_.reserve(static_cast<std::size_t>(threads_ - 1));
        while (std::ssize(workers_) + 1 < threads_)
            workers_.emplace_back([this, i = static_cast<int>(workers_.size()) + 1] { serve(i); });
        started_ = true;
    } catch (const std::system_error&) {
        // No more threads are available: those that run do all chunks.
        started_ = true;
    } catch (const std::bad_alloc&) {
        // The same in this loop; the next one starts the others.
    }
}

thread_pool::~thread_pool()
{
    quit_ = true;
    ++generation_;
    generation_.notify_all();
    for (std::thread& t : workers_) t.join();
}

void thread_pool::run(index_t chunks, body call, const void* argument)
{
    const fp_mode_guard exact;
    std::unique_lock alone(one_loop_, std::defer_lock);
    if (threads_ == 1 || chunks < 2 || in_loop || !alone.try_lock()) {
        for (index_t chunk = 0; chunk < chunks; ++chunk) call(argument, chunk);
        return;
    }
    if (!started_) start();
    call_ = call;
    argument_ = argument;
    for (int t = 0; t < threads_; ++t) {
        shares_[static_cast<std::size_t>(t)].next = chunks * t / threads_;
        shares_[static_cast<std::size_t>(t)].end = chunks * (t + 1) / threads_;
    }
    open_ = true;
    ++generation_;
    generation_.notify_all();
    work(0);
    // A worker increments inside_ before it reads open_: one that is not counted here will read
    // false.  (Both are sequentially consistent.)
    open_ = false;
    for (int n = inside_.load(); n != 0; n = inside_.load()) wait_while(inside_, n);
}

void thread_pool::work(int thread)
{
    in_loop = true;
    for (int k = 0; k < threads_; ++k) {
        share& of = shares_[static_cast<std::size_t>((thread + k) % threads_)];
        for (index_t chunk = of.next++; chunk < of.end; chunk = of.next++) call_(argument_, chunk);
    }
    in_loop = false;
}

void thread_pool::serve(int thread)
{
    const fp_mode_guard exact;  // a thread begins with the mode of who started it
    unsigned seen = 0;
    while (true) {
        wait_while(generation_, seen);
        seen = generation_.load();
        if (quit_) return;
        ++inside_;
        if (open_) work(thread);
        if (--inside_ == 0) inside_.notify_one();
    }
}

}  // namespace ddla::host_backend
