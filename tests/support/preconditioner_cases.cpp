// Preconditioners from entries of a matrix, one text for every place: whole solves against a serial
// program over QD that factors, applies and iterates by itself; what each is; what is refused.
#include "catch.hpp"
#include "factor/serial_incomplete.hpp"
#include "place.hpp"
#include "random.hpp"
#include "serial_solvers.hpp"
#include "solve_there.hpp"

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

template <class T>
double residual_after(const preconditioner<T>& k, const csr_matrix<double>& a, method m, int n)
{
    const ddla::vector<T> b(a.rows(), T(1));
    ddla::vector<T> x(a.rows());
    return solve_there(a, b, x, {.method = m, .tolerance = 0, .max_iterations = n}, k)
        .true_relative_residual;
}

csr_matrix<double> with_zero_pivot()
{
    ddla::coordinates<double> c{.rows = 3, .columns = 3};
    const double value[3][3] = {{4, 1, 2}, {2, 5, 1}, {6, 6, 3}};
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) c.add(i, j, value[i][j]);
    return csr_matrix<double>(c);
}

/// What an input_error says.
template <class Call>
std::string refusal(const Call& call)
{
    try {
        call();
    } catch (const ddla::input_error& e) {
        return e.what();
    }
    return "";
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
    const auto plain = iterations(method::cg, preconditioning::none);
    for (const auto p :
         {preconditioning::ic, preconditioning::block_jacobi, preconditioning::polynomial})
        CHECK(iterations(method::cg, p) < plain);
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

TEMPLATE_TEST_CASE("polynomials have the bits of their formula", "[solvers]", double, dd)
{
    using Q = oracle::type<TestType>;
    const auto a = ddla::generate::convection_diffusion(5, 4, 6);
    const auto r = test::random_vector<TestType>(a.rows(), 63, 0);
    const auto d = oracle::to(oracle::inverse_diagonal<TestType>(a)), qr = oracle::to(r);
    for (const int degree : {0, 1, 3}) {
        std::vector<Q> z(qr.size());
        for (std::size_t i = 0; i < z.size(); ++i) z[i] = d[i] * qr[i];
        for (int k = 0; k < degree; ++k) {
            const auto az = oracle::product(a, z);
            for (std::size_t i = 0; i < z.size(); ++i) z[i] = z[i] + d[i] * (qr[i] - az[i]);
        }
        const auto there = a.to(place_under_test());
        const auto k = preconditioner<TestType>::polynomial(there, {.degree = degree});
        auto x = ddla::vector<TestType>(a.rows(), place_under_test());
        k.apply(r.to(place_under_test()), x);
        CHECK(same_bits(x.to(ddla::host), z));
    }
    CHECK_THROWS_AS(preconditioner<TestType>::polynomial(a, {.degree = -1}), ddla::input_error);
}

TEST_CASE("Chebyshev's polynomial of the whole spectrum beats Neumann's", "[solvers]")
{
    const auto a = ddla::generate::poisson2d(30, 30);
    const auto there = a.to(place_under_test());
    const auto of = [&](ddla::polynomial_kind kind) {
        return preconditioner<dd>::polynomial(there, {.polynomial = kind, .degree = 6});
    };
    CHECK(residual_after(of(ddla::polynomial_kind::chebyshev), a, method::cg, 12) <
          1e-2 * residual_after(of(ddla::polynomial_kind::neumann), a, method::cg, 12));
}

TEST_CASE("built() says what factors took, and which pivot was bad", "[solvers]")
{
    const auto grid = ddla::generate::poisson2d(20, 20);
    const auto k = preconditioner<dd>::ilu(grid);
    const auto there = preconditioner<dd>::ilu(grid.to(place_under_test()));
    CHECK(there.where() == place_under_test());
    CHECK(there.built().fill == 1);
    CHECK(there.built().operations == k.built().operations);
    CHECK(there.built().smallest_pivot == k.built().smallest_pivot);
    CHECK(there.built().bytes >= k.built().bytes);
    CHECK(k.name() == "ilu");
    CHECK(k.built().fill == 1);
    CHECK(k.built().shifts == 0);
    CHECK(k.built().bad_row == -1);
    // 12 bytes an entry; and for each row of L and of U 20 bytes, an unknown, and permutations.
    const std::size_t entries = 12 * std::size_t(grid.nonzeros()), rows = std::size_t(grid.rows());
    CHECK(k.built().bytes > entries + 2 * rows * (20 + sizeof(dd)));
    CHECK(k.built().bytes < entries + 2 * rows * (20 + sizeof(dd)) + 2 * rows * 32);
    CHECK(preconditioner<dd>::ilu(grid, {.fill = 3}).built().fill > 1.5);
    const auto a = with_zero_pivot();
    preconditioner_options o{.scale = false, .match = false};
    const auto shifted = preconditioner<double>::ilu(a, o);
    CHECK(shifted.built().shifts == 1);
    CHECK(shifted.built().bad_row == 2);
    o.pivots = ddla::bad_pivot::refuse;
    CHECK(refusal([&] { preconditioner<double>::ilu(a, o); }).find("row 3") != std::string::npos);
}

TEST_CASE("preconditioners that would take too much name the limit", "[solvers]")
{
    const auto a = ddla::generate::convection_diffusion(5, 5, 5);
    const auto passed = [&](auto make, const preconditioner_options& o) {
        try {
            make(a, o);
        } catch (const ddla::limit_error& e) {
            const std::string kind = to_string(e.kind());
            CHECK(std::string(e.what()).find("(most_" + kind + ")") != std::string::npos);
            return kind;
        }
        return std::string("none");
    };
    const auto ilu = [](const auto& m, const auto& o) { preconditioner<dd>::ilu(m, o); };
    CHECK(passed(ilu, {.fill = 4}) == "none");
    CHECK(passed(ilu, {.fill = 4, .most_work = 1e-9}) == "work");
    CHECK(passed(ilu, {.fill = 4, .most_memory = 1000}) == "memory");
    CHECK(passed(ilu, {.fill = 4, .most_fill = 1.1}) == "fill");
    CHECK(passed(ilu, {.fill = 4, .most_fill = 1.1, .most_memory = 1000}) == "memory");
    CHECK(passed(ilu, {.fill = 4, .most_fill = 0.1, .most_memory = 1000}) == "fill");
    const auto ilut = [](const auto& m, const auto& o) { preconditioner<double>::ilut(m, o); };
    CHECK(passed(ilut, {.drop = 0, .most_fill = 1.1}) == "fill");
}

TEST_CASE("preconditioners that cannot be built are refused", "[solvers]")
{
    const auto a = ddla::generate::convection_diffusion(5, 5, 5);
    CHECK_THROWS_AS(preconditioner<dd>::ic(a), ddla::input_error);
    CHECK_THROWS_AS(preconditioner<dd>::ilu(a, {.fill = -1}), ddla::input_error);
    const ddla::linear_operator<dd> function(5, 5, [](ddla::vec<const dd> x, ddla::vec<dd> y) {
        for (index_t i = 0; i < x.size; ++i) y.set(i, x.get(i));
    });
    const ddla::vector<dd> b(5, dd(1));
    ddla::vector<dd> x(5);
    CHECK_THROWS_AS(
        ddla::solve(function, b, x, {.method = method::fgmres, .precond = preconditioning::ilu}),
        ddla::input_error);
}

TEST_CASE("Trefethen_20000 by ILU(0) to 1e-28", "[solvers][matrices]")
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
