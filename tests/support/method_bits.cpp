// BiCGStab(l), MINRES, IDR(s) and LSMR by the public call against the serial programs over QD; one
// text for every place.
#include "function_maps.hpp"
#include "place.hpp"
#include "random.hpp"
#include "serial_methods.hpp"
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

/// A symmetric positive definite matrix on three diagonals.
ddla::csr_matrix<double> near_inverse(index_t n)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        c.add(i, i, 0.3 + 0.01 * static_cast<double>(i % 7));
        if (i > 0) c.add(i, i - 1, 0.05);
        if (i + 1 < n) c.add(i, i + 1, 0.05);
    }
    return ddla::csr_matrix<double>(c);
}

/// A system, and what solves it both ways.
template <class T>
struct both {
    using Q = oracle::type<T>;
    ddla::csr_matrix<double> a;
    ddla::csr_matrix<double> near = near_inverse(a.rows()), transposed = ddla::transpose(a);
    ddla::vector<T> b = test::random_vector<T>(a.rows(), 151, 0);
    ddla::vector<T> guess = test::random_vector<T>(a.columns(), 152, 0);

    std::vector<Q> serial(kind k, const ddla::solve_options& o) const
    {
        using vector = std::vector<Q>;
        const vector d = k == kind::jacobi ? oracle::to(oracle::inverse_diagonal<T>(a)) : vector();
        const oracle::map_of<Q> multiply = [&](const vector& v) { return oracle::product(a, v); };
        const oracle::map_of<Q> with_transposed = [&](const vector& v) {
            return oracle::product(transposed, v);
        };
        const oracle::map_of<Q> precondition = [&](const vector& v) {
            if (k == kind::function) return oracle::product(near, v);
            vector z = v;
            for (std::size_t i = 0; i < d.size(); ++i) z[i] = d[i] * v[i];
            return z;
        };
        const vector right = oracle::to(b), x = oracle::to(guess);
        const int count = static_cast<int>(o.max_iterations);
        switch (o.method) {
        case method::bicgstabl:
            return oracle::bicgstabl(multiply, precondition, right, x, std::size_t(o.l), count);
        case method::minres:
            return oracle::minres(multiply, precondition, right, x, count);
        case method::idr:
            return oracle::idr(multiply, precondition, right, x, std::size_t(o.s), count);
        default:
            return oracle::lsmr(multiply, with_transposed, right, x, count);
        }
    }
    /// x by the public call.
    ddla::vector<T> solved(kind k, ddla::solve_options options) const
    {
        const ddla::place at = place_under_test();
        const auto a_there = a.to(at), near_there = near.to(at);
        const auto b_there = b.to(at);
        auto x = guess.to(at);
        options.tolerance = 0;
        options.precond = k == kind::jacobi ? preconditioning::jacobi : preconditioning::none;
        ddla::preconditioner<T> object;
        if (k == kind::function) object = test::preconditioner_by_function<T>(near_there);
        const auto report = ddla::solve(a_there, object, b_there, x, options);
        CHECK(report.iterations == options.max_iterations);
        return x.to(ddla::host);
    }
    void check(kind k, const ddla::solve_options& options) const
    {
        INFO(to_string(options.method)
             << ", preconditioner " << int(k) << ", l " << options.l << ", s " << options.s
             << ", iterations " << options.max_iterations);
        CHECK(same_bits(solved(k, options), serial(k, options)));
    }
};

constexpr kind every_kind[] = {kind::none, kind::jacobi, kind::function};

/// Poisson's matrix less a number between its eigenvalues: symmetric, not definite.
ddla::csr_matrix<double> indefinite(index_t nx, index_t ny)
{
    const auto a = ddla::generate::poisson2d(nx, ny);
    ddla::coordinates<double> c{.rows = a.rows(), .columns = a.columns()};
    for (index_t i = 0; i < a.rows(); ++i)
        for (index_t k = a.view().row_begin[i]; k < a.view().row_begin[i + 1]; ++k) {
            const index_t j = a.view().column[k];
            c.add(i, j, a.view().value.get(k) - (i == j ? 0.7 : 0.0));
        }
    return ddla::csr_matrix<double>(c);
}

}  // namespace

TEMPLATE_TEST_CASE("BiCGStab(l), every iterate", "[solvers]", double, dd)
{
    const both<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : every_kind)
        for (const int l : {1, 2, 4})
            for (int iterations = 1; iterations <= 6; ++iterations)
                system.check(k,
                             {.method = method::bicgstabl, .max_iterations = iterations, .l = l});
}

TEMPLATE_TEST_CASE("MINRES, every iterate", "[solvers]", double, dd)
{
    const both<TestType> system{indefinite(19, 23)};
    for (const kind k : every_kind)
        for (int iterations = 1; iterations <= 14; ++iterations)
            system.check(k, {.method = method::minres, .max_iterations = iterations});
}

TEMPLATE_TEST_CASE("IDR(s), every iterate", "[solvers]", double, dd)
{
    const both<TestType> system{ddla::generate::convection_diffusion(7, 8, 9)};
    for (const kind k : every_kind)
        for (const int s : {1, 2, 4, 9})
            for (int iterations = 1; iterations <= 5; ++iterations)
                system.check(k, {.method = method::idr, .max_iterations = iterations, .s = s});
}

TEMPLATE_TEST_CASE("LSMR, every iterate", "[solvers]", double, dd)
{
    const auto lengths = [](index_t i) { return 1 + i % 6; };
    for (const auto& [rows, columns] :
         {std::pair<index_t, index_t>{900, 400}, {400, 400}, {300, 700}}) {
        const both<TestType> system{test::random_matrix<double>(rows, columns, 153, lengths)};
        for (int iterations = 1; iterations <= 9; ++iterations)
            system.check(kind::none, {.method = method::lsmr, .max_iterations = iterations});
    }
}

TEMPLATE_TEST_CASE("methods with three levels of sums, under every cut", "[solvers]", double, dd)
{
    // 65,600 rows: enough that sweeps are shared, and that tile sums need tiles themselves.
    const both<TestType> system{ddla::generate::poisson3d(41, 40, 40)};
    for (const method m : {method::bicgstabl, method::minres, method::idr, method::lsmr})
        for (const kind k : {kind::none, kind::function}) {
            if (m == method::lsmr && k != kind::none) continue;
            const ddla::solve_options options{.method = m, .max_iterations = 2, .l = 2, .s = 3};
            const auto serial = system.serial(k, options);
            test::under_every_cut([&] { CHECK(same_bits(system.solved(k, options), serial)); });
        }
}

TEMPLATE_TEST_CASE("methods however often the host looks", "[solvers]", double, dd)
{
    const both<TestType> system{ddla::generate::poisson2d(23, 19)};
    for (const method m : {method::bicgstabl, method::minres, method::idr, method::lsmr}) {
        ddla::solve_options options{.method = m, .max_iterations = 7, .l = 3, .s = 2};
        const auto serial = system.serial(kind::none, options);
        for (const std::int64_t every : {1, 2, 7, 1000}) {
            options.check_every = every;
            CHECK(same_bits(system.solved(kind::none, options), serial));
        }
    }
}
