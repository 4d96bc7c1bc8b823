// What solves know of the values of A without looking again, and when they must look.
#include "catch.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"

#include <cmath>

using ddla::csr_matrix;
using ddla::dd_real;
using ddla::vector;
using test::same_bits;

namespace {

/// A grid whose values are so large that (t, t) would overflow unless A was scaled.
csr_matrix<double> large_values()
{
    const auto a = ddla::generate::poisson2d(10, 10);
    vector<double> value(a.nonzeros());
    for (ddla::index_t k = 0; k < value.size(); ++k)
        value[k] = std::ldexp(a.view().value.get(k), 600);
    return test::with_same_pattern(a, value);
}

}  // namespace

TEST_CASE("the largest value of A is found once", "[solvers]")
{
    const double largest = std::ldexp(4.0, 600);
    const auto a = large_values();
    const vector<dd_real> b(a.rows(), 1.0);
    vector<dd_real> first(a.rows()), again(a.rows()), on_view(a.rows());
    CHECK(a.view().largest_value == -1);
    const auto report =
        ddla::solve(a, b, first, {.method = ddla::method::bicgstab, .tolerance = 1e-25});
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(a.view().largest_value == largest);
    CHECK(ddla::solve(a, b, again, {.method = ddla::method::bicgstab, .tolerance = 1e-25})
              .iterations == report.iterations);
    CHECK(same_bits(again, first));

    // Copies know it, and no other matrix.
    CHECK(csr_matrix<double>(a).view().largest_value == largest);
    csr_matrix<double> other = ddla::generate::poisson2d(10, 10);
    csr_matrix<double> moved = csr_matrix<double>(a);
    std::swap(other, moved);
    CHECK(other.view().largest_value == largest);
    CHECK(moved.view().largest_value == -1);
    other = ddla::generate::poisson2d(10, 10);
    CHECK(other.view().largest_value == -1);
    ddla::set_format(other);
    CHECK(other.view().largest_value == 4.0);

    // A view that does not say it has the same solution.
    auto view = a.view();
    view.largest_value = -1;
    ddla::stream on(ddla::host);
    ddla::solve(on, view, b.view(), on_view.view(),
                {.method = ddla::method::bicgstab, .tolerance = 1e-25});
    CHECK(same_bits(on_view, first));
}

TEST_CASE("values that are not finite are found each time", "[solvers]")
{
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        const csr_matrix<double> a(2, 2, {0, 1, 2}, {0, 1}, vector<double>{1.0, bad});
        const vector<double> b(2, 1.0);
        vector<double> x(2);
        for (int k = 0; k < 2; ++k) {
            CHECK_THROWS_WITH(ddla::solve(a, b, x),
                              "solve: the value of A in row 1, column 1 is Inf or NaN");
            CHECK(a.view().largest_value == -1);
        }
    }
}

TEST_CASE("values of the caller may change between solves", "[solvers]")
{
    auto value = vector<double>{1.0, 2.0};
    const std::int64_t row_begin[] = {0, 1, 2};
    const ddla::column_t column[] = {0, 1};
    const ddla::csr<double> a{2, 2, row_begin, column, value.view()};
    const vector<double> b(2, 1.0);
    vector<double> x(2);
    ddla::stream on(ddla::host);
    CHECK(ddla::solve(on, a, b.view(), x.view(), {.method = ddla::method::bicgstab}).status ==
          ddla::solve_status::converged);
    for (double& v : value) v = std::ldexp(v, 600);
    x = vector<double>(2);
    CHECK(ddla::solve(on, a, b.view(), x.view(), {.method = ddla::method::bicgstab}).status ==
          ddla::solve_status::converged);
    CHECK(x[1] == std::ldexp(0.5, -600));
    value[1] = std::nan("");
    CHECK_THROWS_WITH(ddla::solve(on, a, b.view(), x.view(), {.method = ddla::method::bicgstab}),
                      "solve: the value of A in row 1, column 1 is Inf or NaN");
}
