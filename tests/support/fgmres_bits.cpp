// FGMRES by the public call against the serial program over QD, and solves through objects against
// those of matrices; one text for every place.
#include "function_maps.hpp"
#include "place.hpp"
#include "random.hpp"
#include "serial_fgmres.hpp"
#include "serial_solvers.hpp"
#include "shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using test::place_under_test;

namespace {

enum class kind { none, jacobi, function };

/// A matrix that is near the inverse of the generated ones: entries on three diagonals.
ddla::csr_matrix<double> near_inverse(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        c.add(i, i, 0.3 + 0.01 * static_cast<double>(i % 7));
        if (i > 0) c.add(i, i - 1, 0.05);
        if (i + 1 < n) c.add(i, i + 1, 0.04);
    }
    return ddla::csr_matrix<double>(c);
}

/// A system, and what solves it both ways.
template <class T>
struct both {
    ddla::csr_matrix<double> a, near = near_inverse(a.rows());
    ddla::vector<T> b = test::random_vector<T>(a.rows(), 51, 0);
    ddla::vector<T> guess = test::random_vector<T>(a.rows(), 52, 0);

    std::vector<oracle::type<T>> serial(kind k, std::size_t m, int iterations) const
    {
        using vector = std::vector<oracle::type<T>>;
        const vector d = oracle::to(oracle::inverse_diagonal<T>(a));
        const auto precondition = [&](const vector& v) {
            if (k == kind::function) return oracle::product(near, v);
            vector z = v;
            for (std::size_t i = 0; k == kind::jacobi && i < z.size(); ++i) z[i] = d[i] * v[i];
            return z;
        };
        return oracle::fgmres([&](const vector& v) { return oracle::product(a, v); }, precondition,
                              oracle::to(b), oracle::to(guess), m, iterations);
    }
    /// x by the public call.
    ddla::vector<T> solved(kind k, ddla::solve_options options) const
    {
        const ddla::place at = place_under_test();
        const auto a_there = a.to(at), near_there = near.to(at);
        const auto b_there = b.to(at);
        auto x = guess.to(at);
        options.method = method::fgmres;
        options.precond = k == kind::jacobi ? preconditioning::jacobi : preconditioning::none;
        ddla::preconditioner<T> object;
        if (k == kind::function) object = test::preconditioner_by_function<T>(near_there);
        const auto report = ddla::solve(a_there, object, b_there, x, options);
        CHECK(report.iterations == options.max_iterations);
        return x.to(ddla::host);
    }
};

}  // namespace

TEMPLATE_TEST_CASE("FGMRES, every iterate", "[solvers]", double, dd)
{
    const both<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : {kind::none, kind::jacobi, kind::function})
        for (const int m : {1, 4, 30})
            for (int iterations = 1; iterations <= 14; ++iterations) {
                INFO("preconditioner " << int(k) << ", FGMRES(" << m << "), " << iterations);
                const auto x =
                    system.solved(k, {.tolerance = 0, .max_iterations = iterations, .restart = m});
                CHECK(same_bits(x, system.serial(k, std::size_t(m), iterations)));
            }
}

TEMPLATE_TEST_CASE("FGMRES with three levels of sums, and more than eight at once", "[solvers]",
                   double, dd)
{
    // 65,600 rows: enough that sweeps are shared, and that tile sums need tiles themselves.
    const both<TestType> system{ddla::generate::convection_diffusion(41, 40, 40)};
    for (const kind k : {kind::none, kind::function}) {
        const auto serial = system.serial(k, 10, 12);
        test::under_every_cut([&] {
            CHECK(same_bits(system.solved(k, {.tolerance = 0, .max_iterations = 12, .restart = 10}),
                            serial));
        });
    }
}

TEMPLATE_TEST_CASE("FGMRES however often the host looks", "[solvers]", double, dd)
{
    const both<TestType> system{ddla::generate::poisson2d(23, 19)};
    const auto serial = system.serial(kind::jacobi, 9, 25);
    test::under_every_cut([&] {
        for (const std::int64_t every : {1, 2, 7, 9, 10, 1000})
            CHECK(same_bits(
                system.solved(
                    kind::jacobi,
                    {.tolerance = 0, .max_iterations = 25, .restart = 9, .check_every = every}),
                serial));
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
