// Residuals in sums of three and four words, against rational numbers.
#include "catch.hpp"
#include "refine/hasty_residuals.hpp"
#include "storage/transposed.hpp"
#include "watched_parts.hpp"

#include "ddla/ddla.hpp"

#include <cmath>
#include <random>

using namespace ddla;
using test::exact_number;

namespace {

/// A number of 53 or 107 bits, of either sign.
template <scalar T>
T drawn(std::mt19937_64& draw)
{
    std::uniform_real_distribution<double> size(-1, 1);
    T x(std::ldexp(size(draw), static_cast<int>(draw() % 9)));
    if constexpr (words_of<T> == 2) x = x + T(std::ldexp(size(draw), -56));
    return x;
}

template <scalar V>
csr_matrix<V> rows_of(index_t rows, index_t columns, index_t entries, std::mt19937_64& draw)
{
    coordinates<V> all{.rows = rows, .columns = columns};
    for (index_t i = 0; i < rows; ++i)
        for (index_t k = 0; k < entries; ++k) all.add(i, (i + k * 3) % columns, drawn<V>(draw));
    return csr_matrix<V>(all);
}

template <scalar T>
mpq_class rational(const T& x)
{
    return exact_number(x).rational();
}

/// b near A x: of each row what single products leave.
template <scalar T, scalar V>
void check_bound(index_t entries)
{
    std::mt19937_64 draw(7);
    const csr_matrix<V> a = rows_of<V>(40, 3 * entries + 1, entries, draw);
    vector<T> x(a.columns()), b(a.rows());
    for (index_t i = 0; i < x.size(); ++i) x.set(i, drawn<T>(draw));
    spmv(T(1), a, x, T(0), b);
    vector<dd_real> r(a.rows());
    refine::short_residual<T, V>(a.view(), std::as_const(x).view(), std::as_const(b).view(),
                                 r.view());
    const double error = refine::short_error<T>(a.view());
    CHECK(error <= 0x1p-130);
    const auto rows = a.view();
    int small = 0;
    for (index_t i = 0; i < a.rows(); ++i) {
        mpq_class exact = rational<T>(b[i]), size = abs(exact);
        for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
            const mpq_class term = rational<V>(rows.value.get(e)) * rational<T>(x[rows.column[e]]);
            exact -= term;
            size += abs(term);
        }
        const mpq_class off = abs(rational<dd_real>(r[i]) - exact);
        INFO("row " << i);
        const bool is_within = off <= abs(exact) * mpq_class(0x1p-50) + mpq_class(error) * size;
        CHECK(is_within);
        const bool is_small = abs(exact) * mpq_class(0x1p40) <= size;
        small += is_small;
    }
    CHECK(small == a.rows());  // so much cancels
}

}  // namespace

TEMPLATE_TEST_CASE("short residuals keep their bound, whatever cancels", "[refine]", double,
                   dd_real)
{
    for (const index_t entries : {1, 7, 16, 17, 300}) {
        INFO(entries << " entries a row");
        check_bound<TestType, double>(entries);
        if constexpr (words_of<TestType> == 2) check_bound<TestType, dd_real>(entries);
    }
}

TEST_CASE("short residuals tell both norms where single products do not", "[refine]")
{
    // b = A x + 2^-100 d, with x of ones, A of whole numbers, and d of 0, 1, 2.
    for (const index_t entries : {index_t{3}, index_t{20}}) {
        coordinates<double> all{.rows = 90, .columns = 60};
        for (index_t i = 0; i < all.rows; ++i)
            for (index_t k = 0; k < entries; ++k)
                all.add(i, (i / 2 + k) % 60, static_cast<double>(1 + (i * (k + 3)) % 7));
        const csr_matrix<double> a(all), t = transposed(a.view());
        const auto rows = a.view();
        const csr<double> of_t = t.view();
        vector<dd_real> x(60, dd_real(1)), b(90);
        double of_r = 0, of_b = 0, of_a = 0, of_products = 0;  // of whole numbers, but for powers
        std::vector<double> products(60, 0.0);
        for (index_t i = 0; i < 90; ++i) {
            double sum = 0;
            const auto d = static_cast<double>(i % 3);
            for (index_t e = rows.row_begin[i]; e < rows.row_begin[i + 1]; ++e) {
                const double v = rows.value.word(0)[e];
                sum += v;
                of_a += v * v;
                products[static_cast<std::size_t>(rows.column[e])] += v * d;
            }
            b.set(i, dd_real(sum, std::ldexp(d, -100)));
            of_r += d * d;
            of_b += sum * sum;
        }
        for (const double p : products) of_products += p * p;
        CHECK_FALSE(refine::hasty_residuals_of<dd_real, double>(
            host_engine(), a.view(), &of_t, std::as_const(x).view(), std::as_const(b).view()));
        const auto found = refine::short_residuals_of<dd_real, double>(
            host_engine(), a.view(), &of_t, std::as_const(x).view(), std::as_const(b).view(),
            refine::norms_of<dd_real, double>(host_engine(), a.view(), std::as_const(x).view(),
                                              std::as_const(b).view()));
        REQUIRE(found);
        CHECK(found->relative == Approx(std::ldexp(std::sqrt(of_r / of_b), -100)).epsilon(1e-12));
        REQUIRE(found->normal);
        CHECK(*found->normal == Approx(std::sqrt(of_products / of_a / of_r)).epsilon(1e-12));
        // What no sum tells is not told: r = 0.
        for (index_t i = 0; i < 90; ++i) b.set(i, dd_real(b[i].hi));
        CHECK_FALSE(refine::short_residuals_of<dd_real, double>(
            host_engine(), a.view(), nullptr, std::as_const(x).view(), std::as_const(b).view(),
            refine::norms_of<dd_real, double>(host_engine(), a.view(), std::as_const(x).view(),
                                              std::as_const(b).view())));
    }
}

TEST_CASE("after an interruption residuals take a tenth of a second, or are unknown", "[refine]")
{
    // Rows of 2000 entries in double-double: exact and short residuals would take longer.
    const index_t n = 2000;
    std::vector<index_t> begin;
    for (index_t i = 0; i <= n; ++i) begin.push_back(i * n);
    std::vector<column_t> column(static_cast<std::size_t>(n * n));
    for (std::size_t k = 0; k < column.size(); ++k)
        column[k] = static_cast<column_t>(k % static_cast<std::size_t>(n));
    const csr_matrix<dd_real> a(n, n, begin, column, vector<dd_real>(n * n, dd_real(1)));
    const vector<dd_real> x(n, dd_real(1));
    const auto relative = [&](double r) {
        const vector<dd_real> b(n, dd_real(static_cast<double>(n), r));
        return refine::quick_residuals_of<dd_real, dd_real>(host_engine(), a.view(), nullptr,
                                                            x.view(), b.view(), 1)
            .value()
            .relative;
    };
    CHECK(relative(0x1p-45) == Approx(0x1p-45 / n).epsilon(1e-5));
    CHECK(std::isnan(relative(0x1p-90)));
}
