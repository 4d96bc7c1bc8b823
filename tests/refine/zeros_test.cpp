// Components of x that are zero: by the pattern and modulo a prime, against rational numbers.
#include "catch.hpp"
#include "support/exact_solve.hpp"
#include "support/random.hpp"
#include "support/shapes.hpp"

#include "errors/zeros.hpp"

#include "ddla/factors.hpp"
#include "ddla/solve.hpp"

#include <algorithm>

using namespace ddla::refine;
using ddla::dd_real;
using ddla::index_t;
using ddla::vector;
using test::matrix_of;

namespace {

using rows = std::vector<std::vector<double>>;

vector<dd_real> vector_of(const std::vector<double>& values)
{
    vector<dd_real> v(static_cast<index_t>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i)
        v.set(static_cast<index_t>(i), dd_real(values[i]));
    return v;
}

struct random_system {
    rows a;
    std::vector<double> b;
};

/// n rows with entries at about `filled` of the places.
random_system random_pattern(std::size_t n, double filled, test::random_numbers& random)
{
    random_system s{rows(n, std::vector<double>(n, 0)), std::vector<double>(n, 0)};
    for (std::size_t i = 0; i < n; ++i) {
        for (double& v : s.a[i]) v = std::fabs(random.real()) < filled ? 1 : 0;
        s.b[i] = random.below(3) == 0 ? 1 : 0;
    }
    return s;
}

/// Integers below 2^40 at the places of ones.
random_system with_values(random_system s, test::random_numbers& random)
{
    for (auto& row : s.a)
        for (double& v : row)
            if (v != 0) v = 1 + static_cast<double>(random.below(std::uint64_t(1) << 40));
    for (double& v : s.b)
        if (v != 0) v = 1 + static_cast<double>(random.below(std::uint64_t(1) << 40));
    return s;
}

std::vector<index_t> zeros_of(const test::rational_vector& x)
{
    std::vector<index_t> zero;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (x[i] == 0) zero.push_back(static_cast<index_t>(i));
    return zero;
}

ddla::factor::modular_factors eliminated(const ddla::csr_matrix<double>& a)
{
    return ddla::factor::modular_factors::make(a.view(), {});
}

/// 2^61 - 2373, the prime.
const dd_real prime(0x1p+61, -2373);

}  // namespace

TEST_CASE("components that b cannot reach are those that are zero for all values", "[zeros]")
{
    test::random_numbers random(461);
    int systems = 0, zeros = 0;
    for (int k = 0; k < 1500; ++k) {
        const std::size_t n = 1 + random.below(6);
        const random_system pattern = random_pattern(n, 0.2 + 0.05 * double(k % 8), random);
        const auto found =
            unreached_components(matrix_of(pattern.a).view(), vector_of(pattern.b).view());
        for (int draw = 0; draw < 3; ++draw) {
            const random_system s = with_values(pattern, random);
            const auto x = test::solve_exactly(test::rationals_of(s.a), test::rationals_of(s.b));
            INFO("pattern " << k << ", draw " << draw);
            if (!x) {
                CHECK(found.empty());  // with such values only if the pattern is why
                break;
            }
            CHECK(found == zeros_of(*x));
            ++systems;
            zeros += static_cast<int>(found.size());
        }
    }
    CHECK(systems > 1000);
    CHECK(zeros > 500);
}

TEST_CASE("stored zeros reach nothing, and no component by mistake is zero", "[zeros]")
{
    test::random_numbers random(462);
    int zeros = 0;
    for (int k = 0; k < 600; ++k) {
        const std::size_t n = 2 + random.below(5);
        const random_system s = with_values(random_pattern(n, 0.4, random), random);
        const auto x = test::solve_exactly(test::rationals_of(s.a), test::rationals_of(s.b));
        if (!x) continue;
        // All places are stored.
        std::vector<index_t> offset{0};
        std::vector<ddla::column_t> column;
        vector<double> value(static_cast<index_t>(n * n));
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                value.set(static_cast<index_t>(column.size()), s.a[i][j]);
                column.push_back(static_cast<ddla::column_t>(j));
            }
            offset.push_back(static_cast<index_t>(column.size()));
        }
        const auto size = static_cast<index_t>(n);
        const ddla::csr_matrix<double> full(size, size, offset, column, value);
        for (const index_t i : unreached_components(full.view(), vector_of(s.b).view())) {
            INFO("system " << k << ", component " << i);
            CHECK(((*x)[static_cast<std::size_t>(i)] == 0));
            ++zeros;
        }
    }
    CHECK(zeros > 20);
}

TEST_CASE("a structurally singular A makes no component zero", "[zeros]")
{
    const auto a = matrix_of({{1, 0, 0}, {1, 0, 0}, {0, 1, 1}});
    CHECK(unreached_components(a.view(), vector_of({0, 0, 1}).view()).empty());
    CHECK(unreached_components(a.view(), vector_of({0, 0, 0}).view()).empty());
}

TEST_CASE("a matching beyond the limit makes no component zero", "[zeros]")
{
    // A pattern that takes a search: 12 operations or more.
    const auto a = matrix_of({{1, 1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 1}, {0, 0, 0, 1}});
    const auto b = vector_of({1, 1, 0, 0});
    CHECK(unreached_components(a.view(), b.view(), 1000) == std::vector<index_t>{2, 3});
    CHECK(unreached_components(a.view(), b.view(), 2).empty());
}

TEST_CASE("a low word of b reaches, too", "[zeros]")
{
    const auto a = matrix_of({{1, 0}, {0, 1}});
    const vector<dd_real> b{dd_real(0, 0x1p-1074), dd_real(0)};
    CHECK(unreached_components(a.view(), b.view()) == std::vector<index_t>{1});
}

TEST_CASE("of suspects those are zero that are so modulo the prime", "[zeros]")
{
    // x = (1, 0, p / 3): the last is zero modulo p alone.
    const auto a = matrix_of({{1, 1, 0}, {1, 2, 0}, {0, 0, 3}});
    const vector<dd_real> b{dd_real(1), dd_real(1), prime};
    const auto factors = eliminated(a);
    CHECK(zeros_modulo_prime(factors, b.view(), {0, 1, 2}) == std::vector<index_t>{1, 2});
    CHECK(zeros_modulo_prime(factors, b.view(), {0, 1}) == std::vector<index_t>{1});
    CHECK(zeros_modulo_prime(factors, b.view(), {0}).empty());
    CHECK(zeros_modulo_prime(factors, b.view(), {}).empty());
}

TEST_CASE("a component that the prime divides stays what it is", "[zeros]")
{
    for (const double size : {1.0, 0x1p-200, 0x1p+300}) {
        const auto a = matrix_of({{1, 1, 0}, {1, 2, 0}, {0, 0, 3}});
        const vector<dd_real> b{dd_real(1), dd_real(1), prime * size};
        vector<dd_real> x(3);
        const ddla::solve_report report = ddla::solve(a, b, x);
        INFO("p / 3 times " << size);
        CHECK(report.errors.certain_zeros == 1);
        CHECK(report.errors.proved_zeros == 0);
        CHECK((x[0] == dd_real(1)));
        CHECK((x[1] == dd_real(0)));
        // 3 x_3 is p times 2^k but for the rounding of x_3.
        const test::exact_number p = test::exact_number(prime) * test::exact_number(size);
        const test::exact_number three_x = test::exact_number(x[2]) * test::exact_number(3.0);
        CHECK(ratio(three_x - p, p) < 0x1p-104);
    }
}

TEST_CASE("zeros that kept factors do not move are proved where corrections do not contract",
          "[zeros]")
{
    // Rows and columns of unlike scales; the pattern of b reaches the third component at most.
    const auto a = matrix_of({{0x1p8, 0, 0, 0},
                              {-4, 0x1p-106, 0, 0},
                              {0, 0, -0x1p54, -0x1p19},
                              {0, 0x1p-106, 0, -0x1p-73}});
    const ddla::lu_factors<double> factors(a);
    for (const double b2 : {0.0, 0x1p54}) {
        INFO("b_2 = " << b2);
        const auto b = vector_of({0, 0, b2, 0});
        vector<dd_real> x(4);
        const auto report = ddla::solve(a, b, x, factors);
        CHECK(report.errors.proved_zeros == (b2 == 0 ? 4 : 3));
        CHECK(report.errors.unsettled.count == 0);
        CHECK(x[2] == dd_real(b2 == 0 ? 0 : -1));
        for (const index_t i : {0, 1, 3}) CHECK(x[i] == dd_real(0));
    }
}
