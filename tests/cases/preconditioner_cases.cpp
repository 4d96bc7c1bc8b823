// Preconditioners from entries of a matrix, one text for every place: whole solves against a serial
// program over QD that factors, applies and iterates by itself; what each is; what is refused.
#include "catch.hpp"
#include "factor/serial_incomplete.hpp"
#include "support/place.hpp"
#include "support/random.hpp"
#include "support/serial_solvers.hpp"
#include "support/solve_there.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"
#include "ddla/solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::csr_matrix;
using ddla::index_t;
using ddla::method;
using ddla::preconditioner;
using ddla::preconditioner_options;
using ddla::preconditioning;
using test::place_under_test;
using test::residual_after;
using test::solve_there;

namespace {

/// ILU(k) of A as it is, not scaled, over F; its solves in the numbers of T.
template <class T, class F>
class serial_ilu {
public:
    using Q = oracle::type<T>;

    serial_ilu(const csr_matrix<double>& a, int fill)
    {
        using QF = oracle::type<F>;
        const auto n = std::size_t(a.rows());
        oracle::dense<QF> dense(n, std::vector<QF>(n, QF(0.0)));
        std::vector<std::vector<bool>> has(n, std::vector<bool>(n, false));
        const auto view = a.view();
        for (std::size_t i = 0; i < n; ++i)
            for (index_t k = view.row_begin[index_t(i)]; k < view.row_begin[index_t(i) + 1]; ++k) {
                dense[i][std::size_t(view.column[k])] = QF(view.value.get(k));
                has[i][std::size_t(view.column[k])] = true;
            }
        f_ = oracle::ilu(dense, has, fill);
    }
    std::vector<Q> operator()(std::vector<Q> x) const
    {
        const std::size_t n = x.size();
        for (std::size_t i = 0; i < n; ++i) x[i] = x[i] - sum_of(f_.l, f_.in_l, i, 0, i, x);
        for (std::size_t i = n; i-- > 0;)
            x[i] = over(x[i] - sum_of(f_.u, f_.in_u, i, i + 1, n, x), f_.u[i][i]);
        return x;
    }

private:
    static double over(double x, double y) { return x / y; }
    static ::dd_real over(const ::dd_real& x, double y) { return x / y; }
    static ::dd_real over(const ::dd_real& x, const ::dd_real& y) { return oracle::divide(x, y); }
    template <class Values, class Places>
    static Q sum_of(const Values& value, const Places& has, std::size_t i, std::size_t begin,
                    std::size_t end, const std::vector<Q>& x)
    {
        std::vector<Q> terms;
        for (std::size_t j = begin; j < end; ++j)
            if (has[i][j]) terms.push_back(x[j] * value[i][j]);
        return oracle::sum(terms);
    }

    oracle::serial_incomplete<oracle::type<F>> f_;
};

ddla::solve_options with_ilu(int fill, ddla::factor_precision factors)
{
    ddla::solve_options o{.method = method::bicgstab, .precond = preconditioning::ilu};
    o.tolerance = 1e-20;
    o.preconditioner = {.fill = fill, .factors = factors, .scale = false, .match = false};
    return o;
}

/// A whole solve, beside the serial program until its residual meets the tolerance.
template <class T, class F>
void check_whole_solve(const csr_matrix<double>& a, ddla::solve_options options)
{
    if (ddla::words_of<T> == 1) options.tolerance = 1e-12;
    const auto b = test::random_vector<T>(a.rows(), 61, 0);
    using Q = oracle::type<T>;
    const serial_ilu<T, F> k(a, options.preconditioner.fill.value());
    oracle::bicgstab<Q> serial(a, oracle::to(b), oracle::to(ddla::vector<T>(a.rows())));
    const Q tolerance(options.tolerance.value());
    std::int64_t iterations = 0;
    for (; !(serial.rr <= tolerance * tolerance * serial.bb) && iterations < 1000; ++iterations)
        serial.iterate_with(a, k);
    test::under_few_cuts([&] {
        ddla::vector<T> x(a.rows());
        const auto report = solve_there(a, b, x, options);
        CHECK(report.status == ddla::solve_status::converged);
        CHECK(report.iterations == iterations);
        CHECK(same_bits(x, serial.x));
    });
}

}  // namespace

TEST_CASE("ILU and BiCGStab, a whole solve, every bit of x", "[solvers]")
{
    const auto grid = ddla::generate::convection_diffusion(9, 8, 7);
    using ddla::factor_precision;
    for (const int fill : {0, 1}) {
        INFO("ILU(" << fill << ")");
        check_whole_solve<dd, double>(grid, with_ilu(fill, factor_precision::automatic));
        check_whole_solve<dd, dd>(grid, with_ilu(fill, factor_precision::in_double_double));
        check_whole_solve<double, double>(grid, with_ilu(fill, factor_precision::in_double));
    }
}

TEST_CASE("preconditioners of each kind solve a grid in fewer iterations than none", "[solvers]")
{
    const auto a = ddla::generate::poisson3d(12, 11, 10);
    const ddla::vector<dd> b(a.rows(), dd(1));
    const auto iterations = [&](method m, preconditioning p) {
        ddla::vector<dd> x(a.rows());
        ddla::solve_options o{.method = m, .precond = p, .tolerance = 1e-20};
        o.preconditioner.polynomial = ddla::polynomial_kind::chebyshev;
        const auto report = solve_there(a, b, x, o);
        INFO(to_string(p));
        CHECK(report.status == ddla::solve_status::converged);
        CHECK(report.true_relative_residual <= 1e-20);
        if (p != preconditioning::none) CHECK(report.plan.front().name == to_string(p));
        return report.iterations;
    };
    for (const method m : {method::bicgstab, method::fgmres}) {
        const auto plain = iterations(m, preconditioning::none);
        for (const auto p : {preconditioning::ilu, preconditioning::ilut, preconditioning::ic,
                             preconditioning::block_jacobi, preconditioning::polynomial})
            CHECK(iterations(m, p) < plain);
    }
    for (const method m : {method::bicgstabl, method::idr}) {
        const auto plain = iterations(m, preconditioning::none);
        for (const auto p : {preconditioning::ilu, preconditioning::block_jacobi})
            CHECK(iterations(m, p) < plain);
    }
    for (const method m : {method::cg, method::minres}) {
        const auto plain = iterations(m, preconditioning::none);
        for (const auto p :
             {preconditioning::ic, preconditioning::block_jacobi, preconditioning::polynomial})
            CHECK(iterations(m, p) < plain);
    }
}

TEST_CASE("one block is LU, given blocks are what they hold", "[solvers]")
{
    const auto a = ddla::generate::convection_diffusion(6, 6, 5);
    const auto b = test::random_vector<dd>(a.rows(), 62, 0);
    ddla::vector<dd> z(a.rows(), place_under_test()), x(a.rows());
    const auto k = preconditioner<dd>::block_jacobi(a.to(place_under_test()));  // 256 rows of 180
    k.apply(b.to(place_under_test()), z);
    ddla::lu_factors<double>(a).solve(b, x);
    CHECK(same_bits(z.to(ddla::host), oracle::to(x)));
    // A of two blocks alone is what its preconditioner solves.
    ddla::coordinates<double> c{.rows = 30, .columns = 30};
    for (index_t i = 0; i < 30; ++i)
        for (index_t j = 0; j < 30; ++j)
            if ((i < 7) == (j < 7)) c.add(i, j, i == j ? 40.0 : 1.0 / double(1 + i + 2 * j));
    const csr_matrix<double> blocks(c);
    const auto of_blocks = preconditioner<dd>::block_jacobi(
        blocks.to(place_under_test()),
        {.blocks = {0, 7, 30}, .factors = ddla::factor_precision::in_double_double});
    CHECK(residual_after(of_blocks, blocks, method::fgmres, 1) < 1e-28);
    CHECK_THROWS_AS(preconditioner<dd>::block_jacobi(a, {.blocks = {0, 7}}), ddla::input_error);
    CHECK_THROWS_AS(preconditioner<dd>::block_jacobi(a, {.blocks = {0, 7, 7, 180}}),
                    ddla::input_error);
    CHECK_THROWS_AS(preconditioner<dd>::block_jacobi(a, {.block_rows = 100}), ddla::input_error);
}

TEST_CASE("Trefethen_20000 by ILU(0) to 1e-28", "[solvers][matrices][repeats]")
{
    const char* const folder = std::getenv("DDLA_TEST_MATRICES");
    if (!folder) SKIP_CASE("set DDLA_TEST_MATRICES to a folder of .mtx and .mtx.gz files");
    const auto file = std::filesystem::path(folder) / "Trefethen_20000.mtx.gz";
    if (!exists(file)) SKIP_CASE("Trefethen_20000.mtx.gz is not in that folder");
    const auto a = ddla::read_matrix<double>(file);
    const ddla::vector<dd> b(a.rows(), dd(1));
    ddla::vector<dd> x(a.rows());
    const auto report = solve_there(
        a, b, x, {.method = method::bicgstab, .precond = preconditioning::ilu, .tolerance = 1e-28});
    CHECK(report.status == ddla::solve_status::converged);
    CHECK(report.true_relative_residual <= 1e-28);
    CHECK(ddla::true_residual(a, x, b).relative <= 1e-28);
    ddla::vector<dd> y(a.rows());
    const auto automatic =
        solve_there(a, b, y, {.tolerance = 1e-28, .factorisation = {.most_work = 1e-9}});
    CHECK(automatic.status == ddla::solve_status::converged);
    CHECK(automatic.true_relative_residual <= 1e-28);
    CHECK(ddla::true_residual(a, y, b).relative <= 1e-28);
}
