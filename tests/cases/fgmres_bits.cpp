// FGMRES by the public call against the serial program over QD, and solves through objects against
// those of matrices; one text for every place.
#include "support/both_ways.hpp"
#include "support/serial_fgmres.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using test::both_ways;
using test::every_kind;
using test::kind;
using test::place_under_test;

namespace {

const oracle::added_program of_fgmres(method::fgmres, []<class Q>(const oracle::system<Q>& q) {
    return oracle::fgmres(q.multiply, q.precondition, q.b, q.x, std::size_t(q.options.restart),
                          q.iterations());
});

/// The preconditioner by a function is not symmetric.
template <class T>
both_ways<T> system_with(ddla::csr_matrix<double> a)
{
    const index_t n = a.rows();
    return {std::move(a), test::near_inverse(n, 0.04)};
}

}  // namespace

TEMPLATE_TEST_CASE("FGMRES, every iterate", "[solvers]", double, dd)
{
    const auto system = system_with<TestType>(ddla::generate::convection_diffusion(7, 8, 9));
    for (const kind k : every_kind)
        for (const int m : {1, 4, 30})
            for (int iterations = 1; iterations <= 14; ++iterations)
                system.check(
                    k, {.method = method::fgmres, .max_iterations = iterations, .restart = m});
}

TEMPLATE_TEST_CASE("FGMRES with three levels of sums, and more than eight at once", "[solvers]",
                   double, dd)
{
    // 65,600 rows: enough that sweeps are shared, and that tile sums need tiles themselves.
    const auto system = system_with<TestType>(ddla::generate::convection_diffusion(41, 40, 40));
    for (const kind k : {kind::none, kind::function}) {
        const ddla::solve_options options{
            .method = method::fgmres, .max_iterations = 12, .restart = 10};
        const auto serial = system.serial(k, options);
        test::under_every_cut([&] { CHECK(same_bits(system.solved(k, options), serial)); });
    }
}

TEMPLATE_TEST_CASE("FGMRES however often the host looks", "[solvers]", double, dd)
{
    const auto system = system_with<TestType>(ddla::generate::poisson2d(23, 19));
    ddla::solve_options options{.method = method::fgmres, .max_iterations = 25, .restart = 9};
    const auto serial = system.serial(kind::jacobi, options);
    test::under_every_cut([&] {
        for (const std::int64_t every : {1, 2, 7, 9, 10, 1000}) {
            options.check_every = every;
            CHECK(same_bits(system.solved(kind::jacobi, options), serial));
        }
    });
}

namespace {

void check_equal(const ddla::solve_report& one, const ddla::solve_report& other)
{
    CHECK(one.solution_hash == other.solution_hash);
    CHECK(one.iterations == other.iterations);
    CHECK(one.status == other.status);
    CHECK(one.history == other.history);
}

}  // namespace

TEMPLATE_TEST_CASE("an operator has the bits of its matrix, by any way to it", "[solvers]", double,
                   dd)
{
    using T = TestType;
    const ddla::place at = place_under_test();
    const auto a = ddla::generate::poisson2d(31, 29).to(at);
    const auto b = test::random_vector<T>(a.rows(), 53, 0).to(at);
    for (const method m : {method::bicgstab, method::cg, method::fgmres})
        for (const auto p : {preconditioning::none, preconditioning::jacobi}) {
            INFO(to_string(m) << ", " << to_string(p));
            ddla::solve_options options{.method = m, .precond = p, .max_iterations = 37};
            options.record_history = true, options.restart = 8;
            const auto solved = [&](const auto& matrix, const auto& k) {
                ddla::vector<T> x(a.rows(), at);
                return ddla::solve(matrix, k, b, x, options);
            };
            const ddla::preconditioner<T> none;
            const auto plain = solved(a, none);
            check_equal(solved(ddla::linear_operator<T>(a), none), plain);
            const auto shared = std::make_shared<const ddla::csr_matrix<double>>(a);
            check_equal(solved(ddla::linear_operator<T>(shared), none), plain);
            options.precond = preconditioning::none;
            const auto k = p == preconditioning::none ? none : ddla::preconditioner<T>::jacobi(a);
            check_equal(solved(a, k), plain);
            check_equal(solved(test::operator_by_function<T>(a), k), plain);
            const auto on_host = a.to(ddla::host);
            check_equal(solved(ddla::linear_operator<T>(a.rows(), a.rows(),
                                                        test::product_on_host<T>(on_host)),
                               k),
                        plain);
        }
}

TEMPLATE_TEST_CASE("the same preconditioner by three kinds of object", "[solvers]", double, dd)
{
    using T = TestType;
    const ddla::place at = place_under_test();
    const auto a = test::with_uneven_diagonal(ddla::generate::poisson2d(19, 21)).to(at);
    const auto b = test::random_vector<T>(a.rows(), 54, 0).to(at);
    // The inverse diagonal as a matrix: the terms of its rows are those of Jacobi.
    const auto inverse = oracle::inverse_diagonal<T>(a.to(ddla::host));
    ddla::coordinates<T> c{.rows = a.rows(), .columns = a.rows()};
    for (index_t i = 0; i < a.rows(); ++i) c.add(i, i, inverse[i]);
    const auto diagonal = ddla::csr_matrix<T>(c), diagonal_there = diagonal.to(at);
    for (const method m : {method::bicgstab, method::cg, method::fgmres}) {
        const ddla::solve_options options{
            .method = m, .max_iterations = 30, .restart = 12, .record_history = true};
        const auto solved = [&](const ddla::preconditioner<T>& k) {
            ddla::vector<T> x(a.rows(), at);
            return ddla::solve(a, k, b, x, options);
        };
        const auto fused = solved(ddla::preconditioner<T>::jacobi(a));
        CHECK(fused.iterations > 5);
        check_equal(solved(test::preconditioner_by_function<T>(diagonal_there)), fused);
        check_equal(solved({"on the host", a.rows(), test::product_on_host<T>(diagonal)}), fused);
    }
}
