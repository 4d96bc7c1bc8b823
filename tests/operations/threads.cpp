// The thread pool: every chunk once, callers side by side, and the count changed under way.
#include "catch.hpp"
#include "support/random.hpp"

#include "ddla/blas.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "host/thread_pool.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

using dd = ddla::dd_real;
using ddla::index_t;

TEST_CASE("every chunk runs once", "[threads]")
{
    for (const int threads : {1, 2, 5}) {
        ddla::host_backend::thread_pool pool(threads);
        for (const index_t chunks : {0, 1, 2, 3, 17, 1000})
            for (int repeat = 0; repeat < 20; ++repeat) {
                std::vector<std::atomic<int>> runs(static_cast<std::size_t>(chunks));
                pool.run(chunks, [&](index_t c) { ++runs[static_cast<std::size_t>(c)]; });
                bool once = true;
                for (const auto& r : runs) once = once && r == 1;
                CHECK(once);
            }
    }
}

TEST_CASE("in each loop a thread begins with the same share", "[threads]")
{
    ddla::host_backend::thread_pool pool(3);
    std::thread::id before[3];
    for (int repeat = 0; repeat < 20; ++repeat) {
        std::thread::id who[3];
        std::atomic<int> begun{0};
        // Nobody has time for a second chunk before all have begun.
        pool.run(3, [&](index_t c) {
            who[c] = std::this_thread::get_id();
            ++begun;
            while (begun < 3) std::this_thread::yield();
        });
        CHECK(who[0] == std::this_thread::get_id());
        for (int c = 0; c < 3; ++c) {
            if (repeat > 0) CHECK(who[c] == before[c]);
            before[c] = who[c];
        }
    }
}

TEST_CASE("callers side by side get their own answers", "[threads]")
{
    ddla::set_host_threads(3);
    const auto x = test::random_vector<dd>(100000, 61), y = test::random_vector<dd>(100000, 62);
    const dd alone = ddla::dot(x, y), norm = ddla::nrm2(x);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&, c] {
            for (int repeat = 0; repeat < 25; ++repeat) {
                if (c == 0) ddla::set_host_threads(1 + repeat % 4);
                if (!(ddla::dot(x, y) == alone) || !(ddla::nrm2(x) == norm)) ++wrong;
            }
        });
    for (auto& caller : callers) caller.join();
    CHECK(wrong == 0);
    ddla::set_host_threads(1);
}

TEST_CASE("many solves at once have the bits of solves alone", "[threads]")
{
    ddla::set_host_threads(3);
    const auto a = ddla::generate::convection_diffusion(9, 8, 7);
    auto stored = a;
    ddla::set_format(stored, {.format = ddla::sparse_format::patterns});
    const auto solve = [&](int kind) {  // one matrix for all callers
        const ddla::vector<dd> b(a.rows(), dd(1 + kind));
        ddla::vector<dd> x(a.rows());
        const auto report = ddla::solve(
            kind % 2 == 0 ? a : stored, b, x,
            {.method = kind % 4 < 2 ? ddla::method::bicgstab : ddla::method::cg,
             .precond = kind < 4 ? ddla::preconditioning::none : ddla::preconditioning::jacobi,
             .max_iterations = 20});
        return report.solution_hash;
    };
    std::uint64_t alone[8];
    for (int kind = 0; kind < 8; ++kind) alone[kind] = solve(kind);
    std::atomic<int> wrong{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 5; ++c)
        callers.emplace_back([&, c] {
            for (int repeat = 0; repeat < 24; ++repeat)
                if (solve((c + repeat) % 8) != alone[(c + repeat) % 8]) ++wrong;
        });
    for (auto& caller : callers) caller.join();
    CHECK(wrong == 0);
    ddla::set_host_threads(1);
}

TEMPLATE_TEST_CASE("threads share the levels of triangles and change no bit", "[threads]", double,
                   dd)
{
    using T = TestType;
    // Levels of up to 768 rows, long enough to be shared, and short ones at both ends.
    const auto a = ddla::generate::convection_diffusion(32, 32, 32);
    const auto k = ddla::preconditioner<T>::ilu(a);
    const auto r = test::random_vector<T>(a.rows(), 71);
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3, 7}) {
        ddla::set_host_threads(threads);
        ddla::vector<T> z(a.rows());
        k.apply(r, z);
        hashes.push_back(ddla::hash_of(z));
    }
    ddla::set_host_threads(1);
    CHECK(std::ranges::count(hashes, hashes.front()) == 4);
}

TEST_CASE("the number of threads is checked", "[threads]")
{
    CHECK_THROWS_AS(ddla::set_host_threads(0), ddla::input_error);
    CHECK_THROWS_AS(ddla::set_host_threads(-3), ddla::input_error);
    const int before = ddla::host_threads();
    ddla::set_host_threads(5);
    CHECK(ddla::host_threads() == 5);
    ddla::set_host_threads(before);
}
