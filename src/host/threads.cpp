#include "threads.hpp"

#include "engine/host_loops.hpp"

#include "ddla/error.hpp"
#include "ddla/host_threads.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>
#if defined(__linux__)
#include <sched.h>
#endif

namespace ddla {

namespace {

constexpr int most_threads = 1024;

int processors()
{
#if defined(__linux__)
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int first_choice()
{
    const char* const wish = std::getenv("DDLA_NUM_THREADS");
    if (!wish || !*wish) return std::min(processors(), most_threads);
    int threads = 0;
    const char* const end = wish + std::strlen(wish);
    const auto [stop, error] = std::from_chars(wish, end, threads);
    if (error != std::errc{} || stop != end || threads < 1 || threads > most_threads)
        throw input_error("DDLA_NUM_THREADS is \"" + std::string(wish) +
                          "\", not a number from 1 to " + std::to_string(most_threads));
    return threads;
}

struct shared_pool {
    std::mutex guard;
    std::shared_ptr<host_backend::thread_pool> pool;  ///< null until it is needed or set
};

/// Never destroyed: calls from destructors of static objects still find it.
shared_pool& the_pool()
{
    static shared_pool& one = *new shared_pool;
    return one;
}

}  // namespace

namespace host_backend {

std::shared_ptr<thread_pool> current_pool()
{
    shared_pool& p = the_pool();
    const std::lock_guard lock(p.guard);
    if (!p.pool) p.pool = std::make_shared<thread_pool>(first_choice());
    return p.pool;
}

}  // namespace host_backend

void run_on_host(index_t chunks, void (*f)(const void*, index_t), const void* argument)
{
    const std::shared_ptr<host_backend::thread_pool> pool = host_backend::current_pool();
    pool->run(chunks, [&](index_t chunk) { f(argument, chunk); });
}

int host_threads()
{
    return host_backend::current_pool()->threads();
}

void set_host_threads(int threads)
{
    if (threads < 1 || threads > most_threads)
        throw input_error("the number of host threads must be from 1 to " +
                          std::to_string(most_threads) + ", not " + std::to_string(threads));
    shared_pool& p = the_pool();
    const std::lock_guard lock(p.guard);
    if (!p.pool || p.pool->threads() != threads)
        p.pool = std::make_shared<host_backend::thread_pool>(threads);
}

}  // namespace ddla
