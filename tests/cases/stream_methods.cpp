// Solves by every method on views of matrices in every format, at any stream, one text for the host
// and the device: the bits of solves on vectors.
#include "support/kinds_of_rows.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"
#include "support/sites.hpp"

#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"

#include <iterator>
#include <vector>

using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::numbers;
using test::same_bits;
using test::site;

TEMPLATE_TEST_CASE("every method in every format on any stream", "[streams]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto on_host =
        test::with_values<V>(test::with_uneven_diagonal(ddla::generate::poisson3d(9, 8, 7)));
    const auto b = test::random_vector<T>(on_host.rows(), 24, 0);
    std::vector<method> methods{method::automatic};
    methods.insert(methods.end(), std::begin(test::krylov_methods), std::end(test::krylov_methods));
    for (const method m : methods)
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            const bool takes_none = test::takes_any_shape(m) || m == method::automatic;
            if (takes_none && p != preconditioning::none) continue;
            const ddla::solve_options options{.method = m,
                                              .precond = p,
                                              .max_iterations = 12,
                                              .restart = 5,
                                              .record_history = true};
            ddla::vector<T> x(on_host.rows());
            const auto expected = ddla::solve(on_host, b, x, options);
            test::at_every_site([&](site& at) {
                for (const ddla::sparse_format f : test::formats_for(on_host)) {
                    INFO(to_string(m) << ", " << to_string(p) << ", " << to_string(f));
                    auto a = on_host.to(at.on().where());
                    ddla::set_format<T>(a, {.format = f});
                    const numbers<T> b_there(at, b), x_there(at, ddla::vector<T>(a.columns()));
                    const auto report =
                        ddla::solve(at.on(), a.view(), b_there.constant(), x_there.view(), options);
                    CHECK(same_bits(x_there.values(), x));
                    CHECK(report.status == expected.status);
                    CHECK(report.iterations == expected.iterations);
                    CHECK(report.solution_hash == expected.solution_hash);
                    CHECK(report.history == expected.history);
                }
            });
        }
}

TEMPLATE_TEST_CASE("products in every format on any stream", "[streams]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const auto& on_host :
         {test::with_values<V>(ddla::generate::poisson2d(30, 29)),
          test::random_matrix<V>(600, 700, 27, [](ddla::index_t i) { return i % 41; })}) {
        const auto x = test::random_vector<T>(on_host.columns(), 25),
                   b = test::random_vector<T>(on_host.rows(), 26);
        auto ax = b, r = b;
        ddla::spmv(T(3), on_host, x, T(-2), ax);
        ddla::residual(on_host, x, b, r);
        test::at_every_site([&](site& at) {
            for (const ddla::sparse_format f : test::formats_for(on_host)) {
                INFO(to_string(f));
                auto a = on_host.to(at.on().where());
                ddla::set_format<T>(a, {.format = f});
                const numbers<T> x_there(at, x), y_there(at, b), b_there(at, b), r_there(at, b);
                ddla::spmv(at.on(), T(3), a.view(), x_there.constant(), T(-2), y_there.view());
                ddla::residual(at.on(), a.view(), x_there.constant(), b_there.constant(),
                               r_there.view());
                CHECK(same_bits(y_there.values(), ax));
                CHECK(same_bits(r_there.values(), r));
            }
        });
    }
}
