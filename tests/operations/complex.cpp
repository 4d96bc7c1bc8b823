// Complex systems by their real form: Gaussian integers, whose products are exact.
#include "catch.hpp"
#include "support/same_bits.hpp"

#include "ddla/complex.hpp"
#include "ddla/matrix_info.hpp"
#include "ddla/solve.hpp"

#include <cmath>
#include <complex>
#include <random>

using namespace ddla;

namespace {

using number = std::complex<double>;

/// Dense: the truth shares no storage with ddla's matrices.
struct dense {
    std::size_t n;
    std::vector<number> entry;
    number& operator()(std::size_t i, std::size_t j) { return entry[i * n + j]; }
    number operator()(std::size_t i, std::size_t j) const { return entry[i * n + j]; }
};

/// An integer from -9 to 9.
double integer(std::mt19937& random)
{
    return static_cast<double>(random() % 19) - 9;
}
number gaussian(std::mt19937& random)
{
    const double real = integer(random);
    return {real, integer(random)};
}

/// About five entries a row and a large diagonal; some are real, some imaginary.
dense general(std::size_t n, unsigned seed)
{
    std::mt19937 random(seed);
    dense a{n, std::vector<number>(n * n)};
    for (std::size_t i = 0; i < n; ++i) {
        for (int k = 0; k < 4; ++k) a(i, random() % n) = gaussian(random);
        a(i, i) = number(60, integer(random));
    }
    return a;
}

/// B^H B + 1 for such a B.
dense hermitian(std::size_t n, unsigned seed)
{
    const dense b = general(n, seed);
    dense a{n, std::vector<number>(n * n)};
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t k = 0; k < n; ++k) a(i, j) += std::conj(b(k, i)) * b(k, j);
            if (i == j) a(i, j) += 1;
        }
    return a;
}

std::vector<number> product(const dense& a, const std::vector<number>& x)
{
    std::vector<number> y(a.n);
    for (std::size_t i = 0; i < a.n; ++i)
        for (std::size_t j = 0; j < a.n; ++j) y[i] += a(i, j) * x[j];
    return y;
}

csr_matrix<double> form_of(const dense& a)
{
    const auto n = static_cast<index_t>(a.n);
    coordinates<double> c{.rows = 2 * n, .columns = 2 * n};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            const number z = a(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
            add_complex(c, i, j, z.real(), z.imag());
        }
    return csr_matrix<double>(c);
}

/// One part of it, with no entry where the part is zero.
csr_matrix<double> part_of(const dense& a, bool imaginary)
{
    const auto n = static_cast<index_t>(a.n);
    coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) {
            const number z = a(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
            const double part = imaginary ? z.imag() : z.real();
            if (part != 0) c.add(i, j, part);
        }
    return csr_matrix<double>(c);
}

std::vector<number> gaussian_numbers(std::size_t n, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<number> x(n);
    for (number& z : x) z = gaussian(random);
    return x;
}

double largest_error(const complex_vector<dd_real>& x, const std::vector<number>& truth)
{
    double error = 0;
    for (std::size_t i = 0; i < truth.size(); ++i) {
        const auto at = static_cast<index_t>(i);
        error = std::max(error, std::abs((x.real[at] - truth[i].real()).hi));
        error = std::max(error, std::abs((x.imag[at] - truth[i].imag()).hi));
    }
    return error;
}

}  // namespace

TEST_CASE("the real form multiplies as complex numbers do")
{
    const dense a = general(23, 1);
    const std::vector<number> x = gaussian_numbers(a.n, 2), y = product(a, x);
    const csr_matrix<double> form = form_of(a);
    vector<dd_real> result(form.rows());
    spmv(dd_real(1), form, real_form<dd_real>(x), dd_real(0), result);
    CHECK(largest_error(complex_form(result), y) == 0);
    CHECK(hash_of(result) == hash_of(real_form<dd_real>(y)));
    const auto [real, imag] = complex_form(result);
    CHECK(hash_of(real_form(real, imag)) == hash_of(result));
}

TEST_CASE("entries one by one and two real matrices have the same real form")
{
    const dense a = general(23, 3);
    const csr_matrix<double> real = part_of(a, false), imag = part_of(a, true);
    CHECK(test::same_bits(form_of(a), real_form(real, imag)));
    CHECK(test::same_bits(real_form(real), real_form(real, csr_matrix<double>(coordinates<double>{
                                                               .rows = 23, .columns = 23}))));
    CHECK(real_form(real).nonzeros() == 2 * real.nonzeros());
}

TEST_CASE("a complex system is solved to the last digits")
{
    const dense a = general(60, 4);
    const std::vector<number> truth = gaussian_numbers(a.n, 5);
    const vector<dd_real> b = real_form<dd_real>(product(a, truth));
    for (const method how : {method::automatic, method::bicgstab}) {
        vector<dd_real> x(b.size());
        const solve_report r = solve(form_of(a), b, x, {.method = how, .tolerance = 1e-28});
        INFO(to_string(how));
        CHECK(r.status == solve_status::converged);
        CHECK(largest_error(complex_form(x), truth) < 1e-26);
    }
}

TEST_CASE("Hermitian positive definite becomes symmetric positive definite, which CG solves")
{
    const dense a = hermitian(30, 6);
    const csr_matrix<double> form = form_of(a);
    CHECK(inspect(form).symmetric);
    CHECK_FALSE(inspect(form_of(general(30, 6))).symmetric);
    const std::vector<number> truth = gaussian_numbers(a.n, 7);
    const vector<dd_real> b = real_form<dd_real>(product(a, truth));
    vector<dd_real> x(b.size());
    const solve_report r = solve(form, b, x, {.method = method::cg, .tolerance = 1e-26});
    CHECK(r.status == solve_status::converged);
    CHECK(largest_error(complex_form(x), truth) < 1e-22);
}

TEST_CASE("the residual is that of the complex system")
{
    const dense a = general(20, 8);
    const std::vector<number> x = gaussian_numbers(a.n, 9), b = gaussian_numbers(a.n, 10);
    const std::vector<number> ax = product(a, x);
    double r = 0, size = 0;
    for (std::size_t i = 0; i < a.n; ++i) {
        r += std::norm(b[i] - ax[i]);
        size += std::norm(b[i]);
    }
    vector<dd_real> iterate = real_form<dd_real>(x);
    const auto report = solve(form_of(a), real_form<dd_real>(b), iterate,
                              {.method = method::cg, .max_iterations = 0});
    CHECK(report.true_relative_residual == Approx(std::sqrt(r / size)).epsilon(1e-14));
}

TEST_CASE("shapes that do not fit have no real form")
{
    const csr_matrix<double> two(coordinates<double>{.rows = 2, .columns = 3});
    const csr_matrix<double> three(coordinates<double>{.rows = 3, .columns = 3});
    CHECK_THROWS_AS(real_form(two, three), input_error);
    CHECK_THROWS_AS(real_form(vector<double>(2), vector<double>(3)), input_error);
    CHECK_THROWS_AS(complex_form(vector<double>(3)), input_error);
    const csr_matrix<double> wide(
        coordinates<double>{.rows = 1, .columns = csr_matrix<double>::max_dimension});
    CHECK_THROWS_AS(real_form(wide), input_error);
}
