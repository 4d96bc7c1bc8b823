// Backward errors of single rows, known beforehand.
#include "catch.hpp"
#include "support/shapes.hpp"

#include "errors/backward_error.hpp"
#include "refine/inverse_norms.hpp"
#include "refine/product_range.hpp"

#include <cmath>

using namespace ddla::refine;
using ddla::dd_real;
using test::matrix_of;

namespace {

constexpr double eps = 0x1p-104;

backward_errors found(const ddla::csr_matrix<double>& a, const ddla::vector<dd_real>& b,
                      const ddla::vector<dd_real>& x)
{
    const host_system<double> system(a.view(), b.view());
    return backward_errors_of<double>(system, x.view(), eps);
}

}  // namespace

TEST_CASE("a row whose denominator overflows leaves no backward error, wherever it is")
{
    for (const bool is_first : {true, false}) {
        const auto a =
            is_first ? matrix_of({{0x1p+1000, 0}, {0, 1}}) : matrix_of({{1, 0}, {0, 0x1p+1000}});
        const ddla::vector<dd_real> x{is_first ? 0x1p+100 : 1, is_first ? 1 : 0x1p+100};
        const backward_errors e = found(a, {1, 1}, x);
        INFO((is_first ? "the first row" : "the last row"));
        CHECK(std::isnan(e.componentwise));
        CHECK(std::isnan(e.omega1));
        CHECK(std::isnan(e.normwise));
    }
}

TEST_CASE("rows with a tiny denominator count for omega2, the others for omega1")
{
    // r is 2^-60 in the first row, 2^-120 in the second one: all of |A| |x| there.
    const auto a = matrix_of({{1, 0}, {0, 1}});
    const backward_errors e = found(a, {dd_real(1, 0x1p-60), 0}, {1, 0x1p-120});
    CHECK(e.componentwise == 1);
    CHECK(e.omega1 == 0x1p-61);
    CHECK(e.omega2 == 0x1p-120);
    CHECK(e.normwise == 0x1p-61);
    CHECK(e.smallest_row == 0x1p-120);
}

namespace {

constexpr ddla::index_t many = 40000;  // rows of several parts of loops

/// Diagonal, 1 but for one row.
ddla::csr_matrix<double> diagonal_with(ddla::index_t row, double value)
{
    ddla::coordinates<double> a{.rows = many, .columns = many};
    for (ddla::index_t i = 0; i < many; ++i) a.add(i, i, i == row ? value : 1.0);
    return ddla::csr_matrix<double>(a);
}

}  // namespace

TEST_CASE("the worst row counts wherever it is among many")
{
    for (const ddla::index_t worst : {ddla::index_t{0}, many / 2, many - 1})
        for (const ddla::index_t tiny : {ddla::index_t{1}, many / 3, many - 2}) {
            INFO(worst << " " << tiny);
            ddla::vector<dd_real> b(many, 1), x(many, 1);
            b.set(worst, dd_real(1, 0x1p-60));
            b.set(tiny, 0);
            x.set(tiny, 0x1p-120);
            const backward_errors e = found(diagonal_with(-1, 1), b, x);
            CHECK(e.componentwise == 1);
            CHECK(e.omega1 == 0x1p-61);
            CHECK(e.omega2 == 0x1p-120);
            CHECK(e.normwise == 0x1p-61);
            CHECK(e.smallest_row == 0x1p-120);
        }
}

TEST_CASE("an overflowing row among many leaves no backward error")
{
    for (const ddla::index_t row : {ddla::index_t{0}, many / 2, many - 1}) {
        ddla::vector<dd_real> b(many, 1), x(many, 1);
        x.set(row, 0x1p+100);
        const backward_errors e = found(diagonal_with(row, 0x1p+1000), b, x);
        INFO(row);
        CHECK(std::isnan(e.componentwise));
        CHECK(std::isnan(e.omega1));
        CHECK(std::isnan(e.normwise));
    }
}

TEST_CASE("the norm of A is that of its heaviest column among many")
{
    const ddla::vector<dd_real> b(many, 1);
    for (const ddla::index_t row : {ddla::index_t{0}, many / 2, many - 1}) {
        INFO(row);
        ddla::coordinates<double> c{.rows = many, .columns = many};
        for (ddla::index_t i = 0; i < many; ++i) c.add(i, i, i == row ? -7.0 : 1.0);
        c.add(row, (row + 5) % many, 3.0);
        c.add((row + 5) % many, row, 3.0);
        const ddla::csr_matrix<double> symmetric(c);
        CHECK(norm_of_kappa1(host_system<double>(symmetric.view(), b.view())).times == 10);
        ddla::coordinates<double> u{.rows = many, .columns = many};
        for (ddla::index_t i = 0; i < many; ++i) u.add(i, i, 1.0);
        for (ddla::index_t i = 0; i < 5; ++i) u.add((row + 7 * i + 1) % many, row, -2.0);
        const ddla::csr_matrix<double> unsymmetric(u);
        CHECK(norm_of_kappa1(host_system<double>(unsymmetric.view(), b.view())).times == 11);
    }
}

TEST_CASE("the range of products is that of all rows among many")
{
    const ddla::index_t places[] = {0, many / 2, many - 1};
    for (const ddla::index_t large : places)
        for (const ddla::index_t small : places) {
            if (large == small) continue;
            INFO(large << " " << small);
            ddla::coordinates<double> c{.rows = many, .columns = many};
            for (ddla::index_t i = 0; i < many; ++i)
                c.add(i, i, i == large ? 0x1p+100 : i == small ? 0x1p-50 : 1.0);
            const ddla::csr_matrix<double> a(c);
            CHECK(middle_of_range(a.view(), {}) == 0x1p-25);
            // Sizes of z keep it normal, and an infinite one has no middle.
            std::vector<double> sizes(many, 1);
            sizes[static_cast<std::size_t>(small)] = 0x1p-1000;
            CHECK(middle_of_range(a.view(), shared_scale(sizes)) == 0x1p+475);
            sizes[static_cast<std::size_t>(small)] = HUGE_VAL;
            CHECK(middle_of_range(a.view(), shared_scale(sizes)) == 1);
        }
}
