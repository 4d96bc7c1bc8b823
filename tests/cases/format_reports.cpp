// One text for every place: what formats report, and what they refuse.
#include "catch.hpp"
#include "support/place.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/sparse_format.hpp"

#include "formats/storage.hpp"

using ddla::csr_matrix;
using ddla::format_options;
using ddla::index_t;
using ddla::sparse_format;

TEST_CASE("what formats report", "[formats]")
{
    // 100 rows, lengths 1, 2, 3, 1, 2, 3, ...: 199 entries in slices of 32, 32, 32 and 4 rows.
    csr_matrix<double> a = test::random_matrix<double>(100, 300, 61, [](index_t i) {
                               return 1 + i % 3;
                           }).to(test::place_under_test());
    const auto report_of = [&](const format_options& o) { return ddla::set_format(a, o); };
    CHECK(a.nonzeros() == 199);
    CHECK(report_of({.format = sparse_format::csr}).slots == 199);
    CHECK(report_of({.format = sparse_format::crs_scalar}).threads_per_row == 1);
    CHECK(report_of({.format = sparse_format::crs_vector}).threads_per_row == 2);
    CHECK(report_of({.format = sparse_format::crs_t, .threads_per_row = 16}).threads_per_row == 16);
    CHECK(report_of({.format = sparse_format::crs_t}).extra_bytes == 0);
    CHECK(report_of({.format = sparse_format::slices}).reason == "asked for");
    // 33 rows of three, 33 of two, 34 of one: 3 + 3 + 2 + 1 slots a lane.
    const auto tiles = report_of({.format = sparse_format::tiles});
    CHECK(tiles.slots == 32 * (3 + 3 + 2 + 1));
    CHECK(tiles.padding(199) == 288.0 / 199);
    CHECK(tiles.reason == "asked for");
    report_of({.format = sparse_format::tiles});
    CHECK(ddla::bytes_of_product<double>(a) == tiles.product_bytes + 8 * (100 + 300));
    CHECK(!report_of({}).reason.empty());

    report_of({.format = sparse_format::evc_hyb});
    CHECK(ddla::format_of(a).format == sparse_format::evc_hyb);
    CHECK(ddla::bytes_of_product<ddla::dd_real>(a) ==
          ddla::format_of(a).product_bytes + 16 * (100 + 300));
    const csr_matrix<double> copy = a;
    CHECK(ddla::format_of(copy).format == sparse_format::csr);
    const csr_matrix<double> moved = std::move(a);
    CHECK(ddla::format_of(moved).format == sparse_format::evc_hyb);
}

TEST_CASE("settings of compressed rows are one storage", "[formats]")
{
    csr_matrix<double> a = test::random_matrix<double>(100, 300, 61, [](index_t i) {
                               return 1 + i % 3;
                           }).to(test::place_under_test());
    struct setting {
        format_options options;
        int threads;  // of 199 entries in 100 rows the rule makes 2; csr has the schedule's
    };
    const setting settings[] = {{{.format = sparse_format::csr, .threads_per_row = 8}, 0},
                                {{.format = sparse_format::crs_scalar, .threads_per_row = 8}, 1},
                                {{.format = sparse_format::crs_vector, .threads_per_row = 8}, 8},
                                {{.format = sparse_format::crs_vector}, 2},
                                {{.format = sparse_format::crs_t, .threads_per_row = 8}, 8}};
    for (const setting& s : settings) {
        const ddla::format_report report = ddla::set_format(a, s.options);
        INFO(to_string(s.options.format)
             << ", " << s.options.threads_per_row << " threads asked for");
        CHECK(report.format == s.options.format);
        CHECK(report.threads_per_row == s.threads);
        CHECK(report.slots == 199);
        CHECK(report.extra_bytes == 0);
        CHECK(report.product_bytes == 101 * 8 + 199 * (4 + 8));
    }
}

TEMPLATE_TEST_CASE("a matrix keeps the threads that were measured for crs_t", "[formats]",
                   test::double_double, test::dd_double, test::dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    constexpr int words = ddla::words_of<T>;
    const auto rows = [](index_t i) { return 1 + i % 9; };
    const format_options crs_t{.format = sparse_format::crs_t};
    csr_matrix<V> a = test::random_matrix<V>(100, 300, 62, rows).to(test::place_under_test());
    REQUIRE(a.threads().of(words) == nullptr);
    const ddla::format_report first = ddla::set_format<T>(a, crs_t);
    REQUIRE(a.threads().of(words) != nullptr);
    CHECK(a.threads().of(words)->threads == first.threads_per_row);
    CHECK(a.threads().of(3 - words) == nullptr);  // vectors of the other precision
    const ddla::format_report again = ddla::set_format<T>(a, crs_t);
    CHECK(again.threads_per_row == first.threads_per_row);
    CHECK(again.reason == first.reason + ", as measured before");
    CHECK(ddla::format_of(a).threads_per_row == first.threads_per_row);

    // Nobody measured these: whoever reports them has not measured either.
    a.threads().keep({words, 16, "as kept"});
    const auto takes_what_was_kept = [&](csr_matrix<V>& of) {
        const ddla::format_report r = ddla::set_format<T>(of, crs_t);
        return r.threads_per_row == 16 && r.reason == "asked for, as kept, as measured before";
    };
    CHECK(takes_what_was_kept(a));
    csr_matrix<V> copy = a;
    CHECK(takes_what_was_kept(copy));
    csr_matrix<V> moved = std::move(copy);
    CHECK(takes_what_was_kept(moved));
    CHECK(ddla::set_format<T>(a, {.format = sparse_format::crs_t, .threads_per_row = 4})
              .threads_per_row == 4);
    ddla::set_format<T>(a, {.format = sparse_format::slices});
    CHECK(takes_what_was_kept(a));
    const csr_matrix<V> on_host = a.to(ddla::host);
    CHECK((on_host.threads().of(words) != nullptr) == a.where().is_host());
    a = test::random_matrix<V>(100, 300, 63, rows).to(test::place_under_test());
    CHECK(a.threads().of(words) == nullptr);  // other rows
    csr_matrix<V> empty = csr_matrix<V>(ddla::coordinates<V>{3, 5}).to(test::place_under_test());
    ddla::set_format<T>(empty, crs_t);
    CHECK(empty.threads().of(words) == nullptr);  // nothing was measured
}

TEST_CASE("what tiles take", "[formats]")
{
    // 1024 full rows of 8 entries in four lists of 800 columns each, values that do not repeat.
    std::vector<index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    for (index_t i = 0; i < 1024; ++i) {
        for (index_t k = 0; k < 8; ++k)
            column.push_back(static_cast<ddla::column_t>((i * 7 + k * 100) % 800));
        row_begin.push_back(static_cast<index_t>(column.size()));
    }
    const csr_matrix<double> on_host(1024, 900, row_begin, column,
                                     test::random_vector<double>(8192, 64));
    csr_matrix<double> a = on_host.to(test::place_under_test());
    const auto report = ddla::set_format(a, {.format = sparse_format::tiles});
    CHECK(report.slots == 8192);
    // 32 slices of 32 bytes, entries of ten, columns of four, where the lists begin and end.
    CHECK(report.product_bytes == 32 * 32 + 8192 * 10 + 4 * 800 * 4 + 5 * 8);
    CHECK(report.extra_bytes == report.product_bytes);
    // x: 800 elements of each list.
    CHECK(ddla::bytes_of_product<double>(a) == report.product_bytes + 8 * (1024 + 3200));
    CHECK(ddla::bytes_of_product<ddla::dd_real>(a) == report.product_bytes + 16 * (1024 + 3200));
}

TEST_CASE("what formats report of rows longer than a tile", "[formats]")
{
    // 2 rows of 600 entries, 62 of 3: whatever does not store the long ones reads them compressed.
    csr_matrix<double> a = test::random_matrix<double>(64, 5000, 62, [](index_t i) {
                               return i % 32 == 7 ? 600 : 3;
                           }).to(test::place_under_test());
    CHECK(a.nonzeros() == 2 * 600 + 62 * 3);
    CHECK(ddla::set_format(a, {.format = sparse_format::evc_hyb}).slots == 2 * 32 * 3 + 2 * 600);
    csr_matrix<double> long_only = test::random_matrix<double>(3, 5000, 63, [](index_t) {
                                       return 600;
                                   }).to(test::place_under_test());
    for (const sparse_format f : ddla::all_sparse_formats()) {
        if (f == sparse_format::patterns) continue;  // does not store them
        INFO(to_string(f));
        CHECK(ddla::set_format(a, {.format = f}).slots >= a.nonzeros());
        CHECK(ddla::set_format(long_only, {.format = f}).slots >= 3 * 600);
        CHECK(ddla::format_of(long_only).product_bytes >= 3 * 600 * 9);
    }
}

TEST_CASE("formats that there are not", "[formats]")
{
    csr_matrix<double> a = test::with_empty_rows(10).to(test::place_under_test());
    ddla::set_format(a, {.format = sparse_format::slices});
    CHECK_THROWS_WITH(ddla::set_format(a, {.threads_per_row = 3}),
                      "set_format: 1, 2, 4, 8, 16 or 32 threads can share a row, not 3");
    CHECK_THROWS_AS(ddla::set_format(a, {.threads_per_row = 64}), ddla::input_error);
    CHECK_THROWS_AS(ddla::set_format(a, {.threads_per_row = -1}), ddla::input_error);
    CHECK(ddla::format_of(a).format == sparse_format::slices);
    CHECK_THROWS_WITH(ddla::set_format(a, {.format = sparse_format::slices, .memory_limit = 100}),
                      Catch::Contains("set_format: cannot make slices of") &&
                          Catch::Contains("100 are allowed"));
    CHECK(ddla::format_of(a).format == sparse_format::csr);
    for (const sparse_format f : ddla::all_sparse_formats())
        CHECK(ddla::sparse_format_named(to_string(f)) == f);
    CHECK(ddla::sparse_format_named("auto") == sparse_format::automatic);
    CHECK(!ddla::sparse_format_named("csc"));
    for (const char* removed : {"ell", "sell", "coo", "hyb", "binned"}) {
        CHECK(!ddla::sparse_format_named(removed));
        CHECK(ddla::advice_on_removed_format(removed) ==
              "the format \"" + std::string(removed) +
                  "\" is no longer there; use slices, or auto");
    }
    CHECK(ddla::advice_on_removed_format("csc").empty());
    CHECK(ddla::advice_on_removed_format("tiles").empty());
}
