// Each allocation of starting the threads of the host fails once.
#include "catch.hpp"
#include "host/thread_pool.hpp"
#include "support/failing.hpp"

#include "ddla/blas.hpp"
#include "ddla/host_threads.hpp"

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

using ddla::index_t;

namespace {

/// How many threads share a loop: each chunk waits until all have begun, or a second is over.
std::size_t threads_of(ddla::host_backend::thread_pool& pool)
{
    const auto count = static_cast<index_t>(pool.threads());
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    std::atomic<index_t> begun{0};
    std::vector<std::thread::id> who(static_cast<std::size_t>(count));
    pool.run(count, [&](index_t c) {
        who[static_cast<std::size_t>(c)] = std::this_thread::get_id();
        ++begun;
        while (begun < count && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    });
    return std::set(who.begin(), who.end()).size();
}

}  // namespace

TEST_CASE("each allocation of a new pool of threads fails once", "[faults]")
{
    const ddla::vector<double> x(200000, 0.1);
    const double expected = ddla::dot(x, x);
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        double sum = expected;
        failed = test::allocation_fails(failures, [&] {
            ddla::set_host_threads(1);
            ddla::set_host_threads(4);
            sum = ddla::dot(x, x);
        });
        INFO("allocation " << failures + 1);
        CHECK(sum == expected);
        CHECK(ddla::dot(x, x) == expected);
    }
    CHECK(failures > 4);
    ddla::set_host_threads(1);
}

TEST_CASE("a pool has all its threads after an allocation of them has failed", "[faults]")
{
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        ddla::host_backend::thread_pool pool(3);
        std::atomic<index_t> sum{0};
        failed =
            test::allocation_fails(failures, [&] { pool.run(100, [&](index_t c) { sum += c; }); });
        INFO("allocation " << failures + 1);
        CHECK(sum == 4950);
        CHECK(threads_of(pool) == 3);
    }
    CHECK(failures > 2);
}
