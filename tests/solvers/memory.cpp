// What a solve says about its memory.
#include "catch.hpp"
#include "support/memory_of_solves.hpp"
#include "support/methods.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/stream.hpp"

using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;

TEMPLATE_TEST_CASE("the peak counts A, b, x and the working vectors", "[solvers]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    const auto a =
        test::with_values<typename TestType::value>(ddla::generate::poisson3d(40, 40, 40));
    const std::vector<std::int32_t> narrow(a.view().row_begin.wide(),
                                           a.view().row_begin.wide() + a.rows() + 1);
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::stream on(ddla::host);
    for (const method m : test::square_methods())
        for (const preconditioning p : {preconditioning::none, preconditioning::jacobi}) {
            const ddla::solve_options options{.method = m, .precond = p, .max_iterations = 3};
            ddla::vector<T> x(a.rows());
            const auto report = ddla::solve(a, b, x, options);
            INFO(to_string(m) << ", " << to_string(p) << ": " << report.peak_bytes);
            CHECK(test::nearly(report.peak_bytes, test::documented_bytes<T>(a.view(), options)));
            auto view = a.view();
            view.row_begin = narrow.data();
            const auto smaller = ddla::solve(on, view, b.view(), x.view(), options);
            CHECK(report.peak_bytes - smaller.peak_bytes == std::size_t(a.rows() + 1) * 4);
        }
}

TEST_CASE("a solve of nothing counts nothing but its arrays", "[solvers]")
{
    const auto a = ddla::generate::poisson2d(300, 300);
    const ddla::vector<double> b(a.rows());
    ddla::vector<double> x(a.rows(), 1.0);
    const auto report = ddla::solve(a, b, x, {.method = ddla::method::bicgstab});
    CHECK(report.iterations == 0);
    // b = 0 needs no iteration, but its residual is computed, in three vectors.
    CHECK(test::nearly(report.peak_bytes,
                       test::documented_bytes<double>(a.view(), {.method = method::cg})));
}
