// Every breakdown of the methods that are programs, one text for every place; those of BiCGStab and
// CG are in solver_cases.cpp, those of FGMRES in fgmres_cases.cpp.
#include "support/rotations.hpp"
#include "support/shapes.hpp"
#include "support/solves.hpp"

#include "ddla/generate.hpp"

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using ddla::solve_status;
using test::matrix_of;
using test::solve_at_every_interval;

TEMPLATE_TEST_CASE("BiCGStab(l): every breakdown", "[solvers]", double, dd_real)
{
    using T = TestType;
    const auto end = [](const ddla::csr_matrix<double>& a, const ddla::vector<T>& b,
                        std::int64_t l) {
        ddla::vector<T> x(a.rows());
        auto report = solve_at_every_interval(a, b, x, {.method = method::bicgstabl, .l = l});
        CHECK(report.status == solve_status::breakdown);
        return std::pair(report.breakdown, report.iterations);
    };
    using is = std::pair<std::string, std::int64_t>;
    CHECK(end(test::rotations(1), {1, 0}, 2) == is("(r0, v)", 0));
    CHECK(end(matrix_of({{1, 1}, {1, 0}}), {1, 0}, 1) == is("omega", 1));
    // rho within an iteration, and at its end.
    const auto defective = matrix_of({{1, 0, 0}, {1, 1, 0}, {0, 1, 1}});
    CHECK(end(defective, {1, 0, 0}, 2) == is("rho", 0));
    CHECK(end(defective, {1, 0, 0}, 1) == is("rho", 1));
    // Singular, and b is not in the range.
    CHECK(end(matrix_of({{1, 0}, {0, 0}}), {1, 1}, 2) == is("(r0, v)", 0));
}

TEMPLATE_TEST_CASE("MINRES: every breakdown", "[solvers]", double, dd_real)
{
    using T = TestType;
    ddla::vector<T> x(2), y(2);
    // b is out of the range of a singular A.
    const auto singular = solve_at_every_interval(
        matrix_of({{0, 0}, {0, 1}}), ddla::vector<T>{1, 0}, x, {.method = method::minres});
    CHECK(singular.status == solve_status::breakdown);
    CHECK(singular.breakdown == "gamma");
    // K = diag(A) is not positive definite.
    const auto negative =
        solve_at_every_interval(matrix_of({{-1, 0}, {0, 1}}), ddla::vector<T>{2, 1}, y,
                                {.method = method::minres, .precond = preconditioning::jacobi});
    CHECK(negative.status == solve_status::breakdown);
    CHECK(negative.breakdown == "(r, K^-1 r)");
    CHECK(negative.iterations == 0);
    // (r, K^-1 r) = 0 is as bad; so is a negative one of the second Lanczos vector, (0, 1, 2).
    const auto end = [](const ddla::csr_matrix<double>& a, const ddla::vector<T>& b) {
        ddla::vector<T> guess(a.rows());
        const auto report = solve_at_every_interval(
            a, b, guess, {.method = method::minres, .precond = preconditioning::jacobi});
        CHECK(report.status == solve_status::breakdown);
        return report.breakdown;
    };
    CHECK(end(matrix_of({{-1, 0}, {0, 1}}), {1, 1}) == "(r, K^-1 r)");
    CHECK(end(matrix_of({{1, 1, 2}, {1, 1, 0}, {2, 0, -1}}), {1, 0, 0}) == "(r, K^-1 r)");
    // Without K the first system is solved.
    ddla::vector<T> z(2);
    CHECK(solve_at_every_interval(matrix_of({{-1, 0}, {0, 1}}), ddla::vector<T>{2, 1}, z,
                                  {.method = method::minres})
              .status == solve_status::converged);
}

TEMPLATE_TEST_CASE("IDR(s): every breakdown", "[solvers]", double, dd_real)
{
    using T = TestType;
    const auto end = [](const ddla::csr_matrix<double>& a, const ddla::vector<T>& b) {
        ddla::vector<T> x(a.rows());
        auto report = solve_at_every_interval(a, b, x, {.method = method::idr, .s = 1});
        CHECK(report.status == solve_status::breakdown);
        return std::pair(report.breakdown, report.iterations);
    };
    using is = std::pair<std::string, std::int64_t>;
    // A r = 0, and no other direction.
    CHECK(end(matrix_of({{0, 1}, {0, 0}}), {1, 0}) == is("mu(k, k)", 0));
    // A is skew: (A r, r) = 0.
    CHECK(end(test::rotations(4), ddla::vector<T>(8, T(1))) == is("omega", 1));
}

TEMPLATE_TEST_CASE("LSMR: every breakdown", "[solvers]", double, dd_real)
{
    using T = TestType;
    // The bidiagonal matrix of LSMR is [[alpha1, 0], [beta2, alpha2]]: b has 1024 ones and a zero.
    // A rotation's radius squared underflows; |A^T r|^2, up to 1024 times as large, does not, which
    // a tolerance above 0 would take for an answer.
    const index_t ones = 1024;
    ddla::vector<T> b(ones + 1, T(1));
    b.set(ones, T(0));
    const auto end = [&](double alpha1, double beta2, double alpha2) {
        ddla::coordinates<double> c{.rows = ones + 1, .columns = 2};
        for (index_t i = 0; i < ones; ++i) c.add(i, 0, alpha1 / 32);
        c.add(ones, 0, beta2);
        c.add(ones, 1, alpha2);
        ddla::vector<T> x(2);
        const auto report = solve_at_every_interval(ddla::csr_matrix<double>(c), b, x,
                                                    {.method = method::lsmr, .tolerance = 0});
        CHECK(report.status == solve_status::breakdown);
        CHECK(report.breakdown == "rho");
        return report.iterations;
    };
    CHECK(end(0x1p-332, 1, 0x1p-206) == 1);  // rho
    CHECK(end(0x1p-537, 1, 1.125) == 1);     // rho_bar, which is smaller
}
