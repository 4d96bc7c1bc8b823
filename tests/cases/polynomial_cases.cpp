// Polynomials in D^-1 A as preconditioners, one text for every place: their bits against a serial
// program over QD, their bounds of eigenvalues, and what they bring.
#include "catch.hpp"
#include "support/place.hpp"
#include "support/random.hpp"
#include "support/serial_solvers.hpp"
#include "support/solve_there.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

#include <algorithm>
#include <cmath>

using dd = ddla::dd_real;  // QD has a ::dd_real
using ddla::csr_matrix;
using ddla::index_t;
using ddla::method;
using ddla::preconditioner;
using test::place_under_test;
using test::residual_after;

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

namespace {

/// L: the largest sum of a row of |D^-1 A|, in double, by the rule.
double bound_of_eigenvalues(const csr_matrix<double>& a)
{
    const auto rows = a.view();
    double largest = 0;
    for (index_t i = 0; i < a.rows(); ++i) {
        std::vector<double> row;
        double diagonal = 0;
        for (index_t k = rows.row_begin[i]; k < rows.row_begin[i + 1]; ++k) {
            row.push_back(std::fabs(rows.value.get(k)));
            if (rows.column[k] == i) diagonal = row.back();
        }
        largest = std::max(largest, oracle::sum(row) / diagonal);
    }
    return largest;
}

/// Saad, algorithm 12.1, for D^-1 A and the interval [L / ratio, L].
template <class T, class Q = oracle::type<T>>
std::vector<Q> chebyshev(const csr_matrix<double>& a, const std::vector<Q>& r, int degree,
                         double ratio)
{
    const auto over = [](const Q& x, const Q& y) { return oracle::divide(x, y); };
    const auto d = oracle::to(oracle::inverse_diagonal<T>(a));
    const Q one(1.0), two(2.0), upper(bound_of_eigenvalues(a)), lower = over(upper, Q(ratio));
    const Q theta = over(upper + lower, two), delta = over(upper - lower, two);
    const Q sigma = over(theta, delta);
    Q rho = over(one, sigma);
    std::vector<Q> step, z;
    for (std::size_t i = 0; i < r.size(); ++i) step.push_back(over(one, theta) * (d[i] * r[i]));
    z = step;
    for (int k = 0; k < degree; ++k) {
        const Q next = over(one, two * sigma - rho), weight = over(two * next, delta);
        const auto az = oracle::product(a, z);
        for (std::size_t i = 0; i < r.size(); ++i) {
            step[i] = weight * (d[i] * (r[i] - az[i])) + next * rho * step[i];
            z[i] = z[i] + step[i];
        }
        rho = next;
    }
    return z;
}

}  // namespace

TEMPLATE_TEST_CASE("Chebyshev's polynomial has the bits of its formula, and of its bound",
                   "[solvers]", double, dd)
{
    using T = TestType;
    // Rows of one to 600 entries: sums over tiles decide the bound.
    ddla::coordinates<double> c{.rows = 600, .columns = 600};
    for (index_t i = 0; i < 600; ++i)
        for (index_t j = 0; j < 600; ++j)
            if (i == j || i == 300 || (i + 2 * j) % 97 == 0)
                c.add(i, j,
                      i == j ? -3.0 - 1.0 / double(2 + i)
                             : (j % 3 == 0 ? -1.0 : 1.0) / double(3 + i + 2 * j));
    const csr_matrix<double> a(c);
    const auto r = test::random_vector<T>(a.rows(), 64, 0);
    const auto there = a.to(place_under_test());
    for (const auto& [degree, ratio] :
         {std::pair(0, 30.0), std::pair(1, 30.0), std::pair(6, 7.5)}) {
        const auto k =
            preconditioner<T>::polynomial(there, {.polynomial = ddla::polynomial_kind::chebyshev,
                                                  .degree = degree,
                                                  .eigenvalue_ratio = ratio});
        ddla::vector<T> z(a.rows(), place_under_test());
        k.apply(r.to(place_under_test()), z);
        CHECK(same_bits(z.to(ddla::host), chebyshev<T>(a, oracle::to(r), degree, ratio)));
    }
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
