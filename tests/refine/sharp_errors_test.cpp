// Errors of components beyond a norm of all, and what rounding of residuals adds to them.
#include "catch.hpp"
#include "exact_least_squares.hpp"
#include "support/exact_solve.hpp"

#include "errors/sharp_errors.hpp"

#include <cmath>
#include <vector>

using ddla::dd_real;
using ddla::index_t;
using ddla::vec;
using test::matrix_of;

namespace {

struct wide_system {
    std::vector<std::vector<double>> a;
    std::vector<double> b;
};

/// Found among 70,000 random ones: the corrections of some components end at 0 or far below others,
/// so that a scale of corrections has no rate, but one of the first errors has.
const std::vector<wide_system>& wide_systems()
{
    static const std::vector<wide_system> all{
        {{{-0x1.2p-16, -0x1.04p+66, 0}, {0, 8519680, 0x1.68p-43}, {0x1.5p+48, 1802240, -1114112}},
         {1, 6, 0}},
        {{{2.125, -216, 0, 0}, {0, 1.25, 0, 0}, {0, 6.5, 4.375, -0x1.1p+58}, {6.125, 0, 0, 4.875}},
         {-0x1.4p-94, 0, 0, 0x1.cp-48}},
    };
    return all;
}

}  // namespace

TEST_CASE("right answers whose components differ much are told by the first errors, too")
{
    for (const wide_system& one : wide_systems()) {
        const auto exact =
            test::solve_exactly(test::rationals_of(one.a), test::rationals_of(one.b));
        REQUIRE(exact);
        const auto outcome = test::least_squares::solve<dd_real>(matrix_of(one.a), one.b, *exact);
        CHECK(outcome.report.status == ddla::solve_status::converged);
        CHECK(outcome.found.componentwise <= 1e-31);
        REQUIRE(outcome.report.digits);
        CHECK(*outcome.report.digits >= 30);
    }
}

TEST_CASE("errors of residuals do not cancel where components take them by any signs")
{
    // Each row may be wrong by 2^-250 of |A| |x| + |b|, here 2; a difference, or a sum, of two rows
    // by twice that.
    constexpr index_t n = 24;
    constexpr double most = 4 * 0x1p-250;
    ddla::coordinates<double> diagonal{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) diagonal.add(i, i, 1);
    const ddla::csr_matrix<double> a(diagonal);
    const ddla::vector<dd_real> ones(n, dd_real(1));
    const ddla::refine::host_system<double> system(a.view(), ones.view());
    for (const double sign : {1.0, -1.0})
        for (const index_t apart : {1, 2, 3, 5}) {
            const auto pairs = [&](vec<const dd_real> r, vec<dd_real> d) {
                for (index_t i = 0; i < n; ++i) d.set(i, r.get(i) + r.get((i + apart) % n) * sign);
            };
            const std::vector<double> e = residual_errors(system, pairs, ones.view());
            for (index_t i = 0; i < n; ++i) {
                INFO("rows " << i << " and " << (i + apart) % n << ", sign " << sign);
                CHECK(e[static_cast<std::size_t>(i)] >= most / 10);
            }
        }
}
