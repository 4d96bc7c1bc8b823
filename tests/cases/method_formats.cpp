// Every method in every format, on matrices and on views at any stream, one text for every place:
// neither the format nor the stream changes a bit.
#include "support/kinds_of_rows.hpp"
#include "support/methods.hpp"
#include "support/place.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"
#include "support/solves.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"

using ddla::csr_matrix;
using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::same_bits;

namespace {

struct way {
    ddla::solve_options options;
    std::string name;
};

/// Krylov methods, with the preconditioners that each takes.
std::vector<way> krylov_ways()
{
    std::vector<way> all;
    for (const method m : test::krylov_methods)
        for (const auto p : {preconditioning::none, preconditioning::jacobi, preconditioning::ic,
                             preconditioning::ilu, preconditioning::polynomial}) {
            const bool symmetric = test::needs_symmetry(m);
            if (test::takes_any_shape(m) && p != preconditioning::none) continue;
            if (symmetric && p == preconditioning::ilu) continue;
            if (!symmetric && p == preconditioning::ic) continue;
            all.push_back({{.method = m,
                            .precond = p,
                            .tolerance = 1e-10,
                            .max_iterations = 12,
                            .restart = 5,
                            .record_history = true},
                           std::string(to_string(m)) + ", " + std::string(to_string(p))});
        }
    return all;
}

/// Symmetric and positive definite, in rows of few kinds, and with uneven ones.
template <class V>
std::vector<csr_matrix<V>> systems()
{
    return {test::with_values<V>(test::with_uneven_diagonal(ddla::generate::poisson3d(9, 8, 8))),
            test::with_values<V>(test::with_uneven_diagonal(test::arrow_matrix(700)))};
}

/// check(A at the place under test, the name of its format) in each of its formats.
template <class T, class V, class Check>
void in_every_format(const csr_matrix<V>& on_host, const Check& check)
{
    for (const ddla::sparse_format f : test::formats_for(on_host)) {
        csr_matrix<V> a = on_host.to(test::place_under_test());
        ddla::set_format<T>(a, {.format = f});
        if (f != ddla::sparse_format::automatic) CHECK(ddla::format_of(a).format == f);
        check(a, std::string(to_string(f)) + ", " + std::to_string(a.rows()) + " rows");
    }
}

}  // namespace

TEMPLATE_TEST_CASE("every method in every format", "[formats]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& on_host : systems<typename TestType::value>()) {
        const auto b = test::random_vector<T>(on_host.rows(), 41, 0);
        for (const way& w : krylov_ways()) {
            ddla::vector<T> x_on_host(on_host.columns());
            const auto expected = ddla::solve(on_host, b, x_on_host, w.options);
            in_every_format<T>(on_host, [&](const auto& a, const std::string& format) {
                INFO(w.name << ", " << format);
                ddla::vector<T> x(a.columns(), a.where());
                test::check_same(expected, ddla::solve(a, b.to(a.where()), x, w.options));
                CHECK(same_bits(x, x_on_host));
            });
        }
    }
}

TEMPLATE_TEST_CASE("several right-hand sides in every format", "[formats]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    for (const auto& on_host : systems<typename TestType::value>())
        for (const way& w : krylov_ways()) {
            if (w.options.precond != preconditioning::none) continue;
            constexpr std::size_t count = 3;
            std::vector<ddla::vector<T>> b, expected_x;
            std::vector<ddla::solve_report> expected;
            for (std::size_t j = 0; j < count; ++j) {
                b.push_back(test::random_vector<T>(on_host.rows(), 45 + j, 0));
                expected_x.emplace_back(on_host.columns());
                expected.push_back(ddla::solve(on_host, b.back(), expected_x.back(), w.options));
            }
            in_every_format<T>(on_host, [&](const auto& a, const std::string& format) {
                INFO(w.name << ", " << format);
                std::vector<ddla::vector<T>> b_there,
                    x(count, ddla::vector<T>(a.columns(), a.where()));
                for (const auto& one : b) b_there.push_back(one.to(a.where()));
                const auto reports = ddla::solve(a, b_there, x, w.options);
                for (std::size_t j = 0; j < count; ++j) {
                    test::check_same(expected[j], reports[j]);
                    CHECK(same_bits(x[j], expected_x[j]));
                }
            });
        }
}

TEMPLATE_TEST_CASE("solves by factors in every format", "[formats]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    const auto on_host = systems<typename TestType::value>().front();
    const auto b = test::random_vector<T>(on_host.rows(), 47, 0);
    for (const ddla::solve_options& options :
         {ddla::solve_options{}, ddla::solve_options{.method = method::refinement},
          ddla::solve_options{.tolerance = 1e-10, .factorisation = {.most_work = 1e-9}},
          ddla::solve_options{.method = method::bicgstab, .precond = preconditioning::lu}}) {
        ddla::vector<T> x_on_host(on_host.columns());
        const auto expected = ddla::solve(on_host, b, x_on_host, options);
        in_every_format<T>(on_host, [&](const auto& a, const std::string& format) {
            INFO(to_string(options.method) << ", " << format);
            ddla::vector<T> x(a.columns(), a.where());
            test::check_same(expected, ddla::solve(a, b.to(a.where()), x, options));
            CHECK(same_bits(x, x_on_host));
        });
    }
}

TEMPLATE_TEST_CASE("every preconditioner, under every cut, however often the host looks",
                   "[solvers]", double, ddla::dd_real)
{
    const auto a = test::with_uneven_diagonal(ddla::generate::poisson3d(9, 8, 8));
    const auto b = test::random_vector<TestType>(a.rows(), 49, 0);
    for (const auto p :
         {preconditioning::ilu, preconditioning::ilut, preconditioning::ic,
          preconditioning::block_jacobi, preconditioning::polynomial, preconditioning::lu})
        for (const method m : {method::bicgstab, method::cg, method::fgmres}) {
            INFO(to_string(m) << ", " << to_string(p));
            ddla::vector<TestType> x(a.columns());
            test::solve_in(
                test::under_few_cuts, a, b, x,
                {.method = m, .precond = p, .tolerance = 1e-14, .max_iterations = 9, .restart = 4});
        }
}
