// The clock of solves, sizes, and counts of bytes.
#include "catch.hpp"

#include "scaling.hpp"
#include "solve_time.hpp"

#include "support/data.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"

#include <cmath>

using namespace bench;
using namespace ddla;

namespace {

/// A matrix and right-hand sides that stay alive.
struct owned_system {
    csr_matrix<double> a;
    vector<double> b = random_vector<double>(a.rows(), 4, host);
    vector<dd_real> b_dd = widened(b);

    linear_system view() const { return {a, b, b_dd}; }
};

}  // namespace

TEST_CASE("cubes grow by equal factors from 10^3 on")
{
    CHECK(edges_of_cubes(1000, 3) == std::vector<int>{10});
    CHECK(edges_of_cubes(10'000, 3) == std::vector<int>{10, 13, 17});
    const std::vector<int> all = edges_of_cubes(100'000'000, 3);
    CHECK(all.size() == 16);
    CHECK(all.back() == 464);
    CHECK(edges_of_cubes(5000, 24).front() == 10);
    CHECK(edges_of_cubes(5000, 24).back() == 17);
}

TEST_CASE("numbers of threads are powers of two and all")
{
    CHECK(powers_of_two_and(1) == std::vector<int>{1});
    CHECK(powers_of_two_and(2) == std::vector<int>{1, 2});
    CHECK(powers_of_two_and(12) == std::vector<int>{1, 2, 4, 8, 12});
}

TEST_CASE("a solve that goes on is timed in the longest interval that is allowed")
{
    const owned_system s{generate::convection_diffusion(12, 12, 12, 0.3, 0)};
    const interval_choice all = longest_interval<double>(s.view(), method::bicgstab, 32, 100);
    CHECK(all.interval == 32);
    CHECK(all.limited_by.empty());
    CHECK(longest_interval<dd_real>(s.view(), method::bicgstab, 16, 100).interval == 16);
    CHECK(longest_interval<dd_real>(s.view(), method::bicgstab, 32, 0).interval == 4);

    const iteration_time t = time_of_iteration<dd_real>(s.view(), method::bicgstab, 8, 3, 0);
    CHECK(t.interval == 8);
    CHECK(t.samples == 6);
    CHECK(t.microseconds > 0);
    CHECK(t.with_start_microseconds > 0);
    const double matrix =
        8.0 * static_cast<double>(s.a.rows() + 1) + 12.0 * static_cast<double>(s.a.nonzeros());
    CHECK(static_cast<double>(t.bytes) == 2 * matrix + 19 * 16 * static_cast<double>(s.a.rows()));
    CHECK(t.peak_bytes > 12 * static_cast<std::size_t>(s.a.nonzeros()));
}

TEST_CASE("a solve that ends early is not timed")
{
    const owned_system s{generate::toeplitz(1, 0)};  // one number: one iteration is all
    const interval_choice none = longest_interval<double>(s.view(), method::cg, 32, INFINITY);
    CHECK(none.interval == 0);
    CHECK(none.limited_by == "converged after 1 iterations");
    CHECK_THROWS_AS(time_of_iteration<double>(s.view(), method::cg, 8, 1, 0), internal_error);
}

TEST_CASE("a solve that ends in between has shorter intervals")
{
    const owned_system s{generate::poisson3d(2, 2, 2)};  // after 40, when its residual vanishes
    const interval_choice some = longest_interval<double>(s.view(), method::cg, 32, 100);
    CHECK(some.interval == 8);
    CHECK(some.limited_by == "stagnated after 40 iterations");
}
