#include "thread_pool.hpp"

#include <chrono>

namespace ddla::host_backend {

namespace {

// About 20 microseconds: longer than the gap between two sweeps of a solver, far shorter than a
// time slice.
constexpr int patience = 2000;

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
    for (int i = 0; i < patience; ++i) {
        if (value.load(std::memory_order_acquire) != old) return;
        pause_briefly();
    }
    value.wait(old, std::memory_order_acquire);
}

}  // namespace

void thread_pool::start()
{
    for (int i = 1; i < threads_; ++i) workers_.emplace_back([this] { serve(); });
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
    std::unique_lock alone(one_loop_, std::defer_lock);
    if (threads_ == 1 || chunks < 2 || !alone.try_lock()) {
        for (index_t chunk = 0; chunk < chunks; ++chunk) call(argument, chunk);
        return;
    }
    if (workers_.empty()) start();
    call_ = call;
    argument_ = argument;
    chunks_ = chunks;
    next_ = 0;
    open_ = true;
    ++generation_;
    generation_.notify_all();
    work();
    // A worker counts itself inside before it looks at open_: whoever is not counted here will
    // find the door closed.  (Both in the one order of sequential consistency.)
    open_ = false;
    for (int n = inside_.load(); n != 0; n = inside_.load()) wait_while(inside_, n);
}

void thread_pool::work()
{
    for (index_t chunk = next_++; chunk < chunks_; chunk = next_++) call_(argument_, chunk);
}

void thread_pool::serve()
{
    unsigned seen = 0;
    while (true) {
        wait_while(generation_, seen);
        seen = generation_.load();
        if (quit_) return;
        ++inside_;
        if (open_) work();
        if (--inside_ == 0) inside_.notify_one();
    }
}

}  // namespace ddla::host_backend
