// One text for every place: no format changes a bit.
#include "support/format_shapes.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/place.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "formats/storage.hpp"

#include <limits>
#include <optional>

using ddla::csr_matrix;
using ddla::format_options;
using ddla::index_t;
using ddla::sparse_format;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::same_bits;

namespace {

/// Every format, and what it can be told.
std::vector<format_options> every_format()
{
    std::vector<format_options> all;
    for (const sparse_format f : ddla::all_sparse_formats())
        if (f != sparse_format::crs_t) all.push_back({.format = f});
    all.push_back({});
    for (const int t : {1, 2, 4, 8, 16, 32})
        all.push_back({.format = sparse_format::crs_t, .threads_per_row = t});
    return all;
}

std::string name_of(const format_options& o)
{
    return std::string(to_string(o.format)) + ", " + std::to_string(o.threads_per_row) +
           " threads a row";
}

template <class V>
std::optional<ddla::format_report> stored_in_patterns(csr_matrix<V>& a,
                                                      const csr_matrix<V>& on_host)
{
    const std::string why_not = test::why_no_patterns(on_host);
    try {
        const auto report = ddla::set_format(a, {.format = sparse_format::patterns});
        CHECK(why_not.empty());
        return report;
    } catch (const ddla::resource_error& e) {
        CHECK(!why_not.empty());
        CHECK_THAT(std::string(e.what()), Catch::Contains(why_not));
        CHECK(ddla::format_of(a).format == sparse_format::csr);
        return {};
    }
}

/// What set_format() reports; nothing where a format rightly refuses.
template <class V>
std::optional<ddla::format_report> stored_as(csr_matrix<V>& a, const format_options& options,
                                             const csr_matrix<V>& on_host)
{
    if (options.format == sparse_format::patterns) return stored_in_patterns(a, on_host);
    if (options.format != sparse_format::tiles) return ddla::set_format(a, options);
    const index_t columns = test::most_different_columns(on_host);
    try {
        const auto report = ddla::set_format(a, options);
        CHECK(columns <= ddla::formats::longest_list);
        return report;
    } catch (const ddla::resource_error& e) {
        // A device may have less memory for it.
        if (a.where().is_host()) CHECK(columns > ddla::formats::longest_list);
        CHECK_THAT(std::string(e.what()),
                   Catch::Contains("256 consecutive rows have up to " + std::to_string(columns) +
                                   " distinct columns, "));
        CHECK(ddla::format_of(a).format == sparse_format::csr);
        return {};
    }
}

/// Beside the shapes of row sums: what decides how slices are coded.
template <class V>
std::vector<csr_matrix<V>> all_shapes()
{
    auto all = test::shapes<V>();
    for (const index_t length : {1, 7, 8, 9, 16, 17, 32, 33, 64, 65, 127, 128, 129, 255, 256})
        all.push_back(test::random_matrix<V>(
            300, 1000, 20, [=](index_t i) { return i % 40 == 7 ? length - 1 : length; }));
    all.push_back(test::random_matrix<V>(70000, 70000, 21,
                                         [](index_t i) { return i % 300 == 5 ? 40 : i % 4; }));
    all.push_back(test::random_matrix<V>(2000, 66000, 22, [](index_t i) { return i % 280; }));
    for (const int distinct : {1, 2, 255, 256, 257})
        all.push_back(test::with_values<V>(test::banded(3000, 12, 1, distinct)));
    for (const index_t far : {20, 3000, 60000})
        all.push_back(test::with_values<V>(test::banded(200000, 5, far, 300)));
    // What decides how they are listed: as many as fit a list, one more, and none.
    for (const index_t columns : {3200, 3201}) all.push_back(test::all_columns<V>(1500, columns));
    all.push_back(test::random_matrix<V>(
        1100, 3000, 23, [](index_t i) { return i < 256 || i == 600 ? 300 : i % 4; }));
    all.push_back(test::random_matrix<V>(6000, 2000, 24,
                                         [](index_t i) { return i < 530 ? 200 + i % 40 : i % 3; }));
    // At most one entry a row: none missing, some, in columns side by side, near and far.
    for (const int missing : {0, 1, 3})
        for (const index_t columns : {40, 4000, 400000})
            all.push_back(test::random_matrix<V>(
                5003, columns, 25, [=](index_t i) { return i % 4 < missing ? 0 : 1; }));
    for (const index_t n : {20, 5003}) all.push_back(test::sparse_group<V>(n));
    all.push_back(test::with_values<V>(test::banded(5003, 1, 1, 300)));
    all.push_back(test::with_values<V>(test::banded(5003, 1, 1, 2)));
    for (const index_t line : {8, 12, 20, 32, 64})
        all.push_back(test::with_values<V>(ddla::generate::poisson3d(line, 11, 6)));
    // x ends before the diagonal does, and has fewer elements than there are lanes.
    for (const index_t columns : {5, 40}) all.push_back(test::all_columns<V>(200, columns));
    // Rows of few kinds, of every number of leaves, also where rows side by side are of other
    // kinds.
    for (const index_t length : {8, 9, 27, 64, 65, 130, 256})
        for (const index_t apart : {1, 100})
            for (const bool of_values : {true, false})
                all.push_back(test::few_kinds<V>(1301, length, apart, of_values));
    all.push_back(test::with_values<V>(test::arrow_matrix(3000)));
    all.push_back(test::with_values<V>(test::with_empty_rows(1000)));
    return all;
}

/// y = A x, y = alpha A x + beta y and r = b - A x have the bits of compressed rows on the host.
template <class T, class V>
void check_products(const csr_matrix<V>& on_host, const std::vector<format_options>& formats)
{
    const auto x = test::random_vector<T>(on_host.columns(), 31);
    const auto b = test::random_vector<T>(on_host.rows(), 32);
    const auto scalars = test::random_vector<T>(2, 33);
    ddla::vector<T> ax(on_host.rows()), full = b, r(on_host.rows());
    ddla::spmv(T(1), on_host, x, T(0), ax);
    ddla::spmv(scalars[0], on_host, x, scalars[1], full);
    ddla::residual(on_host, x, b, r);

    csr_matrix<V> a = on_host.to(test::place_under_test());
    const auto x_there = x.to(a.where()), b_there = b.to(a.where());
    for (const format_options& options : formats) {
        const auto stored = stored_as(a, options, on_host);
        if (!stored) continue;
        const ddla::format_report& report = *stored;
        INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries, "
                      << name_of(options) << ": " << report.reason);
        CHECK(report.format != sparse_format::automatic);
        ddla::vector<T> y(a.rows(), T(std::nan("")), a.where());
        ddla::spmv(T(1), a, x_there, T(0), y);
        CHECK(same_bits(y, ax));
        y = b_there;
        ddla::spmv(scalars[0], a, x_there, scalars[1], y);
        CHECK(same_bits(y, full));
        ddla::residual(a, x_there, b_there, y);
        CHECK(same_bits(y, r));
    }
}

/// y = A x has the bits of compressed rows on the host, in every format; but for patterns none
/// refuses A.
template <class T, class V>
void check_product(const csr_matrix<V>& on_host, const ddla::vector<T>& x)
{
    ddla::vector<T> ax(on_host.rows());
    ddla::spmv(T(1), on_host, x, T(0), ax);
    csr_matrix<V> a = on_host.to(test::place_under_test());
    for (const format_options& options : every_format()) {
        INFO(name_of(options));
        if (!stored_as(a, options, on_host)) continue;
        ddla::vector<T> y(a.rows(), T(std::nan("")), a.where());
        ddla::spmv(T(1), a, x.to(a.where()), T(0), y);
        CHECK(same_bits(y, ax));
    }
}

}  // namespace

// The small matrices below have every pair.
TEMPLATE_TEST_CASE("products in every format", "[formats]", DDLA_PAIRS_OF_MANY)
{
#if defined(__SANITIZE_ADDRESS__)  // as many kinds of rows
    constexpr index_t most_rows = 10000;
#else
    constexpr index_t most_rows = std::numeric_limits<index_t>::max();
#endif
    for (const auto& a : all_shapes<typename TestType::value>())
        if (a.rows() <= most_rows) check_products<typename TestType::scalar>(a, every_format());
}

// For compute-sanitizer, too: few rows, every kernel.
TEMPLATE_TEST_CASE("formats of small matrices", "[formats]", double_double, dd_double, dd_dd)
{
    using V = typename TestType::value;
    const csr_matrix<V> all[] = {
        test::random_matrix<V>(300, 3000, 71, [](index_t i) { return i == 7 ? 700 : i % 45; }),
        test::with_values<V>(ddla::generate::poisson2d(17, 18)),
        test::with_values<V>(test::with_empty_rows(300)),
        test::with_values<V>(test::banded(100, 33, 3, 300)),
        test::few_kinds<V>(301, 9, 40, false),
        test::few_kinds<V>(301, 70, 7, true),
        test::few_kinds<V>(301, 70, 7, false),
        test::sparse_group<V>(20),
        test::sparse_group<V>(700),
        test::with_values<V>(test::banded(100, 1, 1, 2))};
    for (const auto& a : all) check_products<typename TestType::scalar>(a, every_format());
}

TEMPLATE_TEST_CASE("solves in every format", "[formats]", DDLA_PAIRS_OF_MANY)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const csr_matrix<double> systems[] = {
        ddla::generate::convection_diffusion(11, 12, 13), test::arrow_matrix(3000),
        ddla::generate::random(700, 40, 0.5, 7), ddla::generate::random(600, 300, 0.5, 9),
        ddla::generate::skewed(3000, 6, 0.8, 8)};
    for (const auto& system : systems) {
        const auto on_host = test::with_values<V>(test::with_uneven_diagonal(system));
        const auto b = test::random_vector<T>(on_host.rows(), 41);
        ddla::vector<T> x_on_host(on_host.rows());
        for (const auto precond : {ddla::preconditioning::none, ddla::preconditioning::jacobi}) {
            const ddla::solve_options how{.method = ddla::method::bicgstab,
                                          .precond = precond,
                                          .tolerance = 1e-10,
                                          .max_iterations = 60};
            x_on_host = ddla::vector<T>(on_host.rows());
            const auto expected = ddla::solve(on_host, b, x_on_host, how);
            csr_matrix<V> a = on_host.to(test::place_under_test());
            std::size_t peak_of_csr = 0;
            for (const sparse_format f : test::formats_for(on_host)) {
                INFO(to_string(f) << ", " << a.rows() << " rows");
                ddla::set_format(a, {.format = f});
                ddla::vector<T> x(a.rows(), a.where());
                const auto report = ddla::solve(a, b.to(a.where()), x, how);
                CHECK(report.solution_hash == expected.solution_hash);
                CHECK(report.iterations == expected.iterations);
                CHECK(report.status == expected.status);
                // csr comes first.
                if (f == sparse_format::csr) peak_of_csr = report.peak_bytes;
                CHECK(report.peak_bytes >= peak_of_csr + ddla::format_of(a).extra_bytes);
                CHECK(same_bits(report.true_relative_residual, expected.true_relative_residual));
                CHECK(same_bits(x, x_on_host));
            }
        }
    }
}

TEMPLATE_TEST_CASE("absent entries are not added, in no format", "[formats]", double_double,
                   dd_double)
{
    using T = typename TestType::scalar;
    // One product of -0 beside longer rows; an Inf in x that only padding could touch.
    for (const index_t longer : {2, 3, 5, 8, 9}) {
        const auto on_host = test::random_matrix<double>(
            64, 100, 51, [=](index_t i) { return i % 8 < 5 ? 1 : longer; });
        ddla::vector<T> x(100);
        for (index_t i = 0; i < 64; ++i) {
            if (on_host.view().row_length(i) != 1) continue;
            const index_t k = on_host.view().row_begin[i];
            x.set(on_host.view().column[k], T(on_host.view().value.get(k) > 0 ? -0.0 : 0.0));
        }
        bool used[100] = {};
        for (index_t k = 0; k < on_host.nonzeros(); ++k) used[on_host.view().column[k]] = true;
        for (int j = 0; j < 100; ++j)
            if (!used[j]) x.set(j, T(HUGE_VAL));
        INFO("rows of 1 and " << longer);
        check_product(on_host, x);
    }
}

// Of few kinds, so that patterns hold them, with values and beside values; rows of one entry, in
// leaves that are their neighbours'.
TEMPLATE_TEST_CASE("absent entries are not added to rows of few kinds", "[formats]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t longer : {2, 3, 5, 8, 9, 20, 70}) {
        std::vector<index_t> row_begin{0};
        std::vector<ddla::column_t> column;
        for (index_t i = 0; i < 600; ++i) {
            for (index_t k = 0; k < (i % 8 < 5 ? 1 : longer); ++k)
                column.push_back(static_cast<ddla::column_t>(i + k));
            row_begin.push_back(static_cast<index_t>(column.size()));
        }
        const auto n = static_cast<index_t>(column.size());
        INFO("rows of 1 and " << longer);
        for (const bool alike : {true, false}) {
            ddla::vector<V> value(n, V(-1));
            for (index_t k = 0; k < n && !alike; ++k) value.set(k, V(-1 - double(k % 399)));
            const csr_matrix<V> a(600, 700, row_begin, column, value);
            check_product(a, ddla::vector<T>(700));  // all products are -0, in double
            check_product(a, test::random_vector<T>(700, 55));
        }
    }
}

TEMPLATE_TEST_CASE("what underflows and overflows has the same bits in every format", "[formats]",
                   double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    // Terms of -0, in double-double in both words, sums of Inf and NaN, beside longer rows.
    const double numbers[] = {5e-324, -5e-324, 0.0, -0.0, 1.7e308, -1.7e308, 1.0};
    for (const index_t longer : {2, 3, 9, 20}) {
        const auto on_host = test::random_matrix<V>(
            300, 400, 52, [=](index_t i) { return i % 8 < 5 ? 1 + i % 2 : longer; });
        ddla::vector<T> x(400);
        for (index_t j = 0; j < 400; ++j) x.set(j, T(numbers[j % 11 < 7 ? j % 11 : 0]));
        INFO("rows of 1, 2 and " << longer);
        check_product(on_host, x);
    }
}

TEMPLATE_TEST_CASE("lists of 512 rows", "[formats]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    // So many that lists are joined; the last one has 320 rows.
    const auto on_host =
        test::random_matrix<double>(520000, 600, 53, [](index_t i) { return i % 5; });
    csr_matrix<double> a = on_host.to(test::place_under_test());
    ddla::set_format(a, {.format = sparse_format::tiles});
    // The host joins none; device_layouts.cpp has what a device joins, walked through on the host.
    CHECK(a.view().storage->lists.rows == (a.where().is_host() ? 256 : 512));
    CHECK(a.view().storage->lists.count == (a.where().is_host() ? 2032 : 1016));
    CHECK(a.view().storage->lists.longest <= 600);
    const auto x = test::random_vector<T>(600, 54);
    ddla::vector<T> ax(520000), y(520000, T(std::nan("")), a.where());
    ddla::spmv(T(1), on_host, x, T(0), ax);
    ddla::spmv(T(1), a, x.to(a.where()), T(0), y);
    CHECK(same_bits(y, ax));
}

TEMPLATE_TEST_CASE("a value that repeats keeps the sign of zero", "[formats]", double_double,
                   dd_double)
{
    using T = typename TestType::scalar;
    std::vector<index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    ddla::vector<double> value(96, -0.0);
    for (index_t i = 0; i < 96; ++i) {
        column.push_back(static_cast<ddla::column_t>(i));
        row_begin.push_back(i + 1);
        if (i % 32 > 20) value.set(i, i % 2 == 0 ? 1.0 : 0.0);
    }
    const csr_matrix<double> on_host(96, 96, row_begin, column, value);
    const ddla::vector<T> x(96, T(1));
    ddla::vector<T> ax(96);
    ddla::spmv(T(1), on_host, x, T(0), ax);
    // In double-double the error of a product, +0, takes the sign away.
    if constexpr (std::is_same_v<T, double>) CHECK(std::signbit(ax[0]));
    check_product(on_host, x);
}
