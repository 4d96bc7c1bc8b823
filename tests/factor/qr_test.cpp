// QR by Givens rotations: solutions of augmented systems against exact ones, counts, limits.
#include "catch.hpp"
#include "support/exact_solve.hpp"
#include "support/shapes.hpp"

#include "factor/qr/qr.hpp"

#include <cmath>
#include <limits>

using namespace ddla::factor;
using ddla::csr_matrix;
using ddla::dd_real;
using ddla::index_t;
using factors_of_dd = qr_factors<dd_real>;
using test::matrix_of;

namespace {

using dense = std::vector<std::vector<double>>;

/// Integers, some zeros, columns times powers of two.
dense random_rows(index_t rows, index_t columns, std::uint64_t seed, int spread)
{
    test::random_numbers random(seed);
    dense a(as_size(rows), std::vector<double>(as_size(columns), 0));
    for (index_t j = 0; j < columns; ++j) {
        const int power = static_cast<int>(random.below(2 * spread + 1)) - spread;
        for (index_t i = 0; i < rows; ++i)
            if (i == j || random.below(3) > 0)
                a[as_size(i)][as_size(j)] =
                    std::ldexp(static_cast<double>(random.below(40)) - 19.5, power);
    }
    return a;
}

/// [alpha I, A; A^T, 0].
test::rational_rows augmented(const dense& a, double alpha)
{
    const std::size_t m = a.size(), n = a[0].size();
    test::rational_rows k(m + n, test::rational_vector(m + n));
    for (std::size_t i = 0; i < m; ++i) {
        k[i][i] = alpha;
        for (std::size_t j = 0; j < n; ++j) k[i][m + j] = k[m + j][i] = a[i][j];
    }
    return k;
}

/// The largest error of rows `begin` to `end` over the largest component there.
double error_of(const ddla::vector<dd_real>& y, const test::rational_vector& exact,
                std::size_t begin, std::size_t end)
{
    mpq_class size = 0, gap = 0;
    for (std::size_t i = begin; i < end; ++i) {
        const dd_real v = y[static_cast<index_t>(i)];
        size = std::max(size, mpq_class(abs(exact[i])));
        gap = std::max(gap, mpq_class(abs(mpq_class(v.hi) + mpq_class(v.lo) - exact[i])));
    }
    return mpq_class(gap / size).get_d();
}

}  // namespace

TEST_CASE("QR solves augmented systems to the digits of double-double")
{
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        test::random_numbers random(600 + seed);
        const index_t n = 1 + random.below(7), m = n + random.below(9);
        const dense a = random_rows(m, n, seed, seed % 2 == 0 ? 0 : 200);
        const int exponent = static_cast<int>(seed % 5) - 2;
        ddla::vector<dd_real> right(m + n), y(m + n);
        std::vector<double> b;
        for (index_t i = 0; i < m + n; ++i) {
            b.push_back(i < m ? random.real() : 0);
            right.set(i, b.back());
        }
        const auto exact =
            test::solve_exactly(augmented(a, std::ldexp(1.0, exponent)), test::rationals_of(b));
        REQUIRE(exact);
        for (const ordering order : {ordering::colamd, ordering::natural}) {
            INFO("seed " << seed << ", " << m << " x " << n << ", " << name_of(order));
            const auto f = factors_of_dd::make(matrix_of(a).view(), {.order = order});
            REQUIRE(f.about().end == factor_end::complete);
            f.solve_augmented(exponent, right.view(), y.view());
            // Columns of different size: each x apart.
            for (index_t j = m; j < m + n; ++j)
                CHECK(error_of(y, *exact, as_size(j), as_size(j) + 1) < 0x1p-80);
            if (m > n) CHECK(error_of(y, *exact, 0, as_size(m)) < 0x1p-90);
        }
    }
}

TEST_CASE("QR solves augmented systems with a right-hand side of both kinds")
{
    const dense a{{1, 2}, {3, -1}, {0, 5}, {2, 2}};
    const std::vector<double> b{1, -2, 3, 0.5, 7, -4};
    const auto exact = test::solve_exactly(augmented(a, 4), test::rationals_of(b));
    const auto f = factors_of_dd::make(matrix_of(a).view(), {});
    for (const double size : {1.0, 0x1p-600, 0x1p+600}) {
        ddla::vector<dd_real> y(6);
        for (index_t i = 0; i < 6; ++i) y.set(i, dd_real(b[as_size(i)] * size));
        f.solve_augmented(2, std::as_const(y).view(), y.view());
        for (index_t i = 0; i < 6; ++i) y.set(i, y[i] * (1 / size));
        CHECK(error_of(y, *exact, 0, 4) < 0x1p-98);
        CHECK(error_of(y, *exact, 4, 6) < 0x1p-98);
    }
}

TEST_CASE("QR takes rows so small that their squares underflow")
{
    const double e = 0x1p-600;
    const dense a{{1, 1}, {e, -e}, {3 * e, 2 * e}};
    const std::vector<double> b{1, 0x1p-590, 0, 0, 0};
    const auto exact = test::solve_exactly(augmented(a, 1), test::rationals_of(b));
    const auto f = factors_of_dd::make(matrix_of(a).view(), {});
    REQUIRE(f.about().end == factor_end::complete);
    ddla::vector<dd_real> y(5);
    for (index_t i = 0; i < 5; ++i) y.set(i, dd_real(b[as_size(i)]));
    f.solve_augmented(0, std::as_const(y).view(), y.view());
    for (std::size_t j = 3; j < 5; ++j) CHECK(error_of(y, *exact, j, j + 1) < 0x1p-95);
}

TEST_CASE("QR counts its entries, rotations and operations")
{
    // Row 1 becomes R's first, row 2 is rotated with it and becomes R's second, row 3 with both.
    const auto f = factors_of_dd::make(matrix_of({{1, 2}, {3, 4}, {5, 7}}).view(),
                                       {.order = ordering::natural});
    CHECK(f.about().end == factor_end::complete);
    CHECK(f.about().rotations == 3);
    CHECK(f.about().entries == 3);
    CHECK(f.about().operations == 4 * (2 + 2 + 1));
    CHECK(f.about().bytes == 3 * 20 + 3 * 40);
    // A column alone needs none.
    const auto apart = factors_of_dd::make(matrix_of({{2, 0}, {0, 3}, {0, 0}}).view(), {});
    CHECK(apart.about().rotations == 0);
}

TEST_CASE("QR eliminates rows that reach less far to the right first")
{
    // Rows 2 to 4 meet in column 1 while R has nothing else there; then row 1 fills it.
    const auto f = factors_of_dd::make(
        matrix_of({{1, 1, 1}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {0, 0, 1}}).view(),
        {.order = ordering::natural});
    CHECK(f.about().rotations == 3);
    CHECK(f.about().operations == 4 * (1 + 1 + 3));
}

TEST_CASE("QR estimates the smallest singular value")
{
    // Ones above e times the identity: e, and sqrt(n + e^2).
    for (const double e : {0x1p-3, 0x1p-20, 0x1p-60, 0x1p-90}) {
        const auto f =
            factors_of_dd::make(matrix_of({{1, 1, 1}, {e, 0, 0}, {0, e, 0}, {0, 0, e}}).view(), {});
        CHECK(f.about().smallest_singular_value == Approx(e).epsilon(1e-3));
    }
    // The columns of (3, 4) and (0, 0.5), which is scaled to (0, 1): of 12.5 -+ ... by hand.
    const auto f = factors_of_dd::make(matrix_of({{3, 0}, {4, 0.5}}).view(), {});
    // (0.75, 1) and (0, 1): A^T A = (25/16, 1; 1, 1), eigenvalues 41/32 -+ sqrt((9/32)^2 + 1).
    CHECK(f.about().smallest_singular_value ==
          Approx(std::sqrt(41.0 / 32 - std::sqrt(81.0 / 1024 + 1))).epsilon(0.05));
}

TEST_CASE("QR ends early, and then cannot solve")
{
    const auto a = matrix_of({{1, 2}, {3, 4}, {5, 7}});
    const auto end_of = [&](const csr_matrix<double>& m, const qr_options& o) {
        const auto f = factors_of_dd::make(m.view(), o);
        ddla::vector<dd_real> y(m.rows() + m.columns());
        if (f.about().end != factor_end::complete)
            CHECK_THROWS_WITH(f.solve_augmented(0, std::as_const(y).view(), y.view()),
                              "a factorisation that ended early (" +
                                  std::string(ddla::name_of(f.about().end)) + ") cannot solve");
        return f.about().end;
    };
    CHECK(end_of(a, {}) == factor_end::complete);
    CHECK(end_of(a, {.most_operations = 20}) == factor_end::complete);
    CHECK(end_of(a, {.most_operations = 19}) == factor_end::over_work);
    // R has 3 entries of 20 bytes, Q 3 rotations of 40: 180.  The most at a time is the rotation
    // that the third row of A comes to first: beside R of 3 entries and Q of 1 rotation there are
    // that row, of 2 entries, and the 4 entries that it makes of both.
    CHECK(factors_of_dd::make(a.view(), {}).about().bytes == 180);
    CHECK(factors_of_dd::make(a.view(), {}).about().making_bytes == 220);
    CHECK(end_of(a, {.most_bytes = 220}) == factor_end::complete);
    CHECK(end_of(a, {.most_bytes = 219}) == factor_end::over_memory);
    // Its second row reaches farther than the first: R has 3 entries after 1 rotation.
    const auto wider = factors_of_dd::make(matrix_of({{1, 0}, {1, 1}}).view(), {}).about();
    CHECK(wider.bytes == 3 * 20 + 40);
    CHECK(wider.making_bytes == 20 + (2 + 2 * 2) * 20);
    // No rotation.
    const auto diagonal = matrix_of({{1, 0}, {0, 1}});
    CHECK(end_of(diagonal, {.most_bytes = 40}) == factor_end::complete);
    CHECK(end_of(diagonal, {.most_bytes = 39}) == factor_end::over_memory);
    CHECK(end_of(matrix_of({{1, 0}, {3, 0}, {5, 0}}), {}) == factor_end::singular);
    // What is exactly zero at the head of a row is no pivot.
    CHECK(end_of(matrix_of({{1, 1}, {1, 1}}), {}) == factor_end::singular);
    CHECK(end_of(matrix_of({{1, HUGE_VAL}, {3, 1}}), {}) == factor_end::not_finite);
    CHECK(end_of(matrix_of({{1, 1}, {std::numeric_limits<double>::quiet_NaN(), 1}}), {}) ==
          factor_end::not_finite);
    CHECK_THROWS_WITH(factors_of_dd::make(matrix_of({{1, 2}}).view(), {}),
                      "a matrix of 1 x 2 has no QR: it has fewer rows than columns");
    const auto f = factors_of_dd::make(a.view(), {});
    ddla::vector<dd_real> y(4);
    CHECK_THROWS_WITH(
        f.solve_augmented(0, std::as_const(y).view(), y.view()),
        "solve: the right-hand side has 4 elements, y 4, the augmented matrix 5 rows");
}

TEST_CASE("QR is stopped by its watch, which sees the part that is done")
{
    const auto a = test::random_matrix<double>(500, 200, 71, [](index_t) { return 8; });
    double last = 0;
    int looks = 0;
    const auto f = factors_of_dd::make(a.view(), {.watch = [&](double done) {
                                           CHECK(done >= last);
                                           last = done;
                                           return ++looks < 4;
                                       }});
    CHECK(f.about().end == factor_end::stopped);
    CHECK(looks == 4);
    CHECK(last < 1);
}
