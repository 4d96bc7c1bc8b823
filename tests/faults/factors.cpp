// Each allocation of sparse factors, their orderings and solves fails once.
#include "catch.hpp"
#include "support/failing.hpp"
#include "support/random.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"

using ddla::column_ordering;
using ddla::dd_real;
using ddla::factorisation_options;
using test::fail_each_allocation;

namespace {

const ddla::csr_matrix<double>& grid()
{
    static const auto a = ddla::generate::convection_diffusion(5, 4, 4);
    return a;
}

/// Without a diagonal: orderings of a symmetric pattern want a matching first.
const ddla::csr_matrix<double>& without_diagonal()
{
    static const auto a = [] {
        ddla::coordinates<double> c{.rows = 50, .columns = 50};
        for (ddla::index_t i = 0; i < 50; ++i) {
            c.add(i, (i + 3) % 50, 2);
            c.add(i, (i * 11 + 7) % 50, -0.5);
        }
        return ddla::csr_matrix<double>(c);
    }();
    return a;
}

template <class F>
std::uint64_t solved(const ddla::csr_matrix<double>& a, const factorisation_options& o)
{
    const ddla::lu_factors<F> f(a, o);
    const ddla::vector<dd_real> b(2 * a.rows(), dd_real(1));  // two systems
    ddla::vector<dd_real> x(2 * a.rows()), y(2 * a.rows());
    f.solve(b, x);
    f.solve_transposed(b, y);
    return ddla::hash_of(x) + 3 * ddla::hash_of(y);
}

}  // namespace

TEMPLATE_TEST_CASE("each allocation of LU in every ordering fails once", "[faults]", double,
                   dd_real)
{
    for (const auto order : {column_ordering::automatic, column_ordering::natural,
                             column_ordering::amd, column_ordering::colamd, column_ordering::rcm,
                             column_ordering::multicolour, column_ordering::dissection}) {
        const std::string name = "ordering " + std::to_string(int(order));
        const factorisation_options o{.ordering = order};
        fail_each_allocation(name, [=] { return solved<TestType>(grid(), o); });
        fail_each_allocation(name + ", matched",
                             [=] { return solved<TestType>(without_diagonal(), o); });
    }
}

TEST_CASE("each allocation of factoring new values fails once", "[faults]")
{
    const auto other = ddla::generate::convection_diffusion(5, 4, 4, 0.2, 0.04);
    const ddla::vector<double> b(other.rows(), 1.0);
    fail_each_allocation("refactor", [&] {
        ddla::lu_factors<double> f(grid());
        const ddla::lu_factors<double> copy = f;
        if (!f.refactor(other)) return std::uint64_t{0};
        ddla::vector<double> x(b.size()), y(b.size());
        f.solve(b, x);
        copy.solve(b, y);
        return ddla::hash_of(x) + 3 * ddla::hash_of(y);
    });
}

TEST_CASE("factors are what they were after an allocation of refactor has failed", "[faults]")
{
    const auto other = ddla::generate::convection_diffusion(5, 4, 4, 0.2, 0.04);
    ddla::lu_factors<double> f(grid());
    const auto solved_now = [&] {
        ddla::vector<double> x(grid().rows());
        f.solve(ddla::vector<double>(grid().rows(), 1.0), x);
        return ddla::hash_of(x);
    };
    const std::uint64_t before = solved_now();
    int failures = 0;
    for (bool failed = true; failed; ++failures) {
        failed = test::allocation_fails(failures, [&] { f.refactor(other); });
        INFO("allocation " << failures + 1);
        if (failed) CHECK(solved_now() == before);
    }
    CHECK(failures > 2);
    CHECK(solved_now() != before);
}

TEMPLATE_TEST_CASE("each allocation of a solve with kept factors fails once", "[faults]", double,
                   dd_real)
{
    const ddla::lu_factors<TestType> f(grid());
    const ddla::vector<dd_real> b(grid().rows(), dd_real(1));
    fail_each_allocation("refined", [&] {
        ddla::vector<dd_real> x(grid().rows());
        return ddla::solve(grid(), b, x, f).solution_hash;
    });
}
