// Rows that look alike but for their place, and when `auto` stores them so, decided on the host:
// the rule is one text for all places.
#include "catch.hpp"
#include "host_formats.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/shapes.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "formats/patterns/steps.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;
using ddla::sparse_format;
using test::stored;

namespace {

sparse_format chosen(const csr_matrix<double>& a, std::size_t memory_limit = 0)
{
    return stored(a, {.memory_limit = memory_limit})->report.format;
}
/// n rows of one entry on the diagonal; row i has value(i).
template <class Value>
csr_matrix<double> diagonal(index_t n, const Value& value)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) c.add(i, i, value(i));
    return csr_matrix<double>(c);
}

/// Row i has length(i) columns from the diagonal on; entry k is value(i, k).
template <class Length, class Value>
csr_matrix<double> band(index_t rows, const Length& length, const Value& value)
{
    std::vector<index_t> row_begin{0};
    std::vector<column_t> column;
    std::vector<double> values;
    for (index_t i = 0; i < rows; ++i) {
        for (index_t k = 0; k < length(i); ++k) {
            column.push_back(static_cast<column_t>(i + k));
            values.push_back(value(i, k));
        }
        row_begin.push_back(static_cast<index_t>(column.size()));
    }
    ddla::vector<double> all(static_cast<index_t>(values.size()));
    for (index_t k = 0; k < all.size(); ++k) all.set(k, values[std::size_t(k)]);
    return {rows, rows + 300, row_begin, column, all};
}
template <class Length>
csr_matrix<double> band(index_t rows, const Length& length)
{
    return band(rows, length, [](index_t, index_t) { return 1.0; });
}

/// Row by row what was stored.
template <class V>
void check_entries(const csr_matrix<V>& on_host, index_t kinds, bool with_values = true)
{
    INFO(on_host.rows() << " rows, " << on_host.nonzeros() << " entries");
    const auto made = stored(on_host, {.format = sparse_format::patterns});
    const auto& patterns = made->patterns;
    const ddla::csr<V> a = on_host.view();
    CHECK(patterns.count == kinds);
    CHECK(patterns.has_values() == with_values);
    CHECK(test::kinds_of_rows(on_host, with_values) == kinds);
    bool same = true;
    for (index_t i = 0; i < a.rows; ++i) {
        const int p = patterns.of_row[i];
        REQUIRE(p < patterns.count);
        REQUIRE(patterns.length[p] == a.row_length(i));
        for (int k = 0; k < patterns.length[p]; ++k) {
            const index_t at = a.row_begin[i] + k;
            same = same && patterns.column(i, k) == a.column[at];
            const V held = patterns.value(i, k), value = a.value.get(at);
            same = same && std::memcmp(&held, &value, sizeof held) == 0;
        }
    }
    CHECK(same);
    index_t slots = 0;  // of 32 rows as wide as the longest
    for (index_t i = 0; i < a.rows; i += 32) {
        index_t widest = 0;
        for (index_t r = i; r < std::min(i + 32, a.rows); ++r)
            widest = std::max(widest, a.row_length(r));
        slots += 32 * widest;
    }
    CHECK(made->report.slots == (with_values ? a.nonzeros() : slots));
    const index_t leaves = kinds << patterns.log2_leaves;
    const index_t bytes = a.rows + 4 * kinds + leaves * index_t(sizeof *patterns.leaf);
    const index_t beside = slots * index_t(sizeof(V)) + 4 * ((a.rows + 31) / 32 + 1);
    CHECK(index_t(made->report.product_bytes) == bytes + (with_values ? 0 : beside));
}

/// A with values of which no two are equal.
template <class V>
csr_matrix<V> with_any_values(const csr_matrix<double>& a)
{
    return test::with_same_pattern(a, test::random_vector<V>(a.nonzeros(), 5));
}

}  // namespace

TEMPLATE_TEST_CASE("rows of a few kinds have patterns", "[formats]", double, ddla::dd_real)
{
    const auto check = [](const csr_matrix<double>& a, index_t kinds) {
        check_entries(test::with_values<TestType>(a), kinds);
    };
    // Inner nodes, faces, edges, corners.
    check(ddla::generate::poisson3d(7, 8, 9), 27);
    check(ddla::generate::poisson2d(20, 33), 9);
    check(ddla::generate::convection_diffusion(5, 4, 3), 27);
    check(test::with_uneven_diagonal(ddla::generate::poisson2d(31, 31)), 29);
    check(csr_matrix<double>(ddla::coordinates<double>{.rows = 70, .columns = 3}), 1);
    // 1, 2, 3, 4 and 5 levels of leaves: row i of 40 has the columns 0, ..., n - 1, and each kind
    // is there once.
    for (const index_t n : {8, 9, 16, 17, 27, 64, 65, 129, 255, 256}) {
        ddla::coordinates<double> c{.rows = 40, .columns = 256};
        for (index_t i = 0; i < 40; ++i)
            for (index_t j = 0; j < n - i % 3; ++j) c.add(i, j, 1.0 + double(j % 19));
        check(csr_matrix<double>(c), 40);
        ddla::coordinates<double> beside{.rows = 301, .columns = 600};
        for (index_t i = 0; i < 301; ++i)
            for (index_t j = 0; j < n - i % 3; ++j) beside.add(i, i + j, 1.0);
        check_entries(with_any_values<TestType>(csr_matrix<double>(beside)), 3, false);
    }
    // The longest row of each 32, of which all have as many slots, is the first or the last.
    for (const index_t longest : {0, 31})
        check_entries(with_any_values<TestType>(
                          band(320, [=](index_t i) { return i % 32 == longest ? 3 : 1; })),
                      2, false);
    check_entries(with_any_values<TestType>(ddla::generate::poisson3d(7, 8, 9)), 27, false);
    check_entries(with_any_values<TestType>(ddla::generate::poisson2d(40, 33)), 9, false);
}

TEST_CASE("rows are of one kind if bits and distances are the same", "[formats]")
{
    const auto kinds = [](const csr_matrix<double>& a) {
        return stored(a, {.format = sparse_format::patterns})->patterns.count;
    };
    CHECK(kinds(diagonal(100, [](index_t) { return 0.0; })) == 1);
    CHECK(kinds(diagonal(100, [](index_t i) { return i % 2 == 0 ? 0.0 : -0.0; })) == 2);
    CHECK(kinds(diagonal(100, [](index_t i) { return i % 2 == 0 ? 1.0 : std::nextafter(1, 2); })) ==
          2);
    // One value in one column: no two distances are the same.
    ddla::coordinates<double> c{.rows = 100, .columns = 100};
    for (index_t i = 0; i < 100; ++i) c.add(i, 5, 1.0);
    CHECK(kinds(csr_matrix<double>(c)) == 100);
    // Two entries of one value, or one of them and nothing.
    const csr_matrix<double> lengths(4, 9, {0, 1, 3, 3, 4}, {1, 2, 3, 4}, {1.0, 1.0, 1.0, 1.0});
    CHECK(kinds(lengths) == 3);
    // Low words count.
    ddla::vector<ddla::dd_real> value(100, ddla::dd_real(1));
    for (index_t i = 0; i < 100; i += 3) value.set(i, {1.0, 0x1p-60});
    const auto low = test::with_same_pattern(diagonal(100, [](index_t) { return 1.0; }), value);
    CHECK(stored(low, {.format = sparse_format::patterns})->patterns.count == 2);
}

namespace {

/// What key_of_row makes of a key and the next word.
std::uint64_t mixed(std::uint64_t key, std::uint64_t word)
{
    key = (key ^ word) * 0xbf58476d1ce4e5b9u;
    key = (key ^ key >> 29) * 0x94d049bb133111ebu;
    return key ^ key >> 32;
}

}  // namespace

TEST_CASE("rows with equal hashes are not taken for each other", "[formats]")
{
    // The last word of a row can make up for the values before it: the same columns, the same
    // hash, other values.
    const auto before_last = [](double first) {
        const auto bits = std::bit_cast<std::uint64_t>(first);
        return mixed(mixed(mixed(2, 0), bits), 1);
    };
    const auto last = [&](double first) {
        const auto bits = std::bit_cast<std::uint64_t>(2.0);
        return std::bit_cast<double>(bits ^ before_last(1) ^ before_last(first));
    };
    double other = 1;
    while (other == 1 || !std::isfinite(last(other))) other += 1;
    const auto a = band(
        40, [](index_t) { return 2; },
        [&](index_t i, index_t k) {
            const double first = i % 3 == 1 ? other : 1;
            return k == 0 ? first : last(first);
        });
    using ddla::formats::alike;
    using ddla::formats::key_of_row;
    REQUIRE(key_of_row(a.view(), 0, alike::values_too) ==
            key_of_row(a.view(), 1, alike::values_too));
    CHECK_THROWS_WITH(stored(a, {.format = sparse_format::patterns}),
                      Catch::Contains("different rows have equal hashes"));
}

TEST_CASE("rows without patterns are refused, with the numbers", "[formats]")
{
    const auto refusal = [](const csr_matrix<double>& a, std::size_t limit = 0) -> std::string {
        try {
            stored(a, {.format = sparse_format::patterns, .memory_limit = limit});
            return "";
        } catch (const ddla::resource_error& e) {
            return e.what();
        }
    };
    const auto with_kinds = [](index_t kinds) {
        return diagonal(3000, [=](index_t i) { return double(i % kinds); });
    };
    const auto ones = [](index_t columns) {  // entry i in column 0 or so
        ddla::coordinates<double> c{.rows = 300, .columns = 300};
        for (index_t i = 0; i < 300; ++i) c.add(i, i < columns ? 0 : i, 1.0);
        return csr_matrix<double>(c);
    };
    CHECK(refusal(ones(256)) == "");
    CHECK(refusal(ones(257)) ==
          "300 rows have more than 256 different column patterns; use slices or auto");
    CHECK(stored(with_kinds(256), {.format = sparse_format::patterns})->patterns.has_values());
    CHECK(!stored(with_kinds(257), {.format = sparse_format::patterns})->patterns.has_values());
    const auto with_row = [](index_t n) {
        return test::random_matrix<double>(100, 500, 3, [=](index_t i) { return i == 7 ? n : 0; });
    };
    CHECK(refusal(with_row(256)) == "");
    CHECK(refusal(with_row(257)) ==
          "a row of 257 entries is too long for patterns, which hold at most 256; "
          "use slices or auto");
    CHECK_THAT(refusal(with_kinds(2), 2999), Catch::Contains("2999 are allowed"));
    CHECK(refusal(with_kinds(2), 4000) == "");
}

TEST_CASE("auto takes patterns where each is that of many rows", "[formats]")
{
    // Two entries a row, of so many values.
    const auto with_kinds = [](index_t kinds, index_t n) {
        return band(
            n, [](index_t) { return 2; },
            [=](index_t i, index_t) { return double(i * kinds / n); });
    };
    CHECK(chosen(with_kinds(3, 768)) == sparse_format::patterns);
    CHECK(chosen(with_kinds(3, 767)) == sparse_format::slices);
    CHECK(chosen(with_kinds(256, 65536)) == sparse_format::patterns);
    CHECK(chosen(with_kinds(256, 65535)) == sparse_format::slices);
    CHECK(chosen(ddla::generate::poisson3d(20, 20, 20)) == sparse_format::patterns);
    CHECK(chosen(ddla::generate::poisson3d(18, 18, 18)) == sparse_format::slices);
    // A sample of every second row sees one kind; all rows are of 31, for which they are too few.
    const auto hidden = band(
        7000, [](index_t) { return 2; },
        [](index_t i, index_t) { return i % 2 == 0 ? 1.0 : double(i % 60); });
    CHECK(chosen(hidden) == sparse_format::slices);
    // No room.
    const auto grid = ddla::generate::poisson3d(20, 20, 20);
    const std::size_t needed =
        stored(grid, {.format = sparse_format::patterns})->report.extra_bytes;
    CHECK(chosen(grid, needed) == sparse_format::patterns);
    CHECK_THROWS_AS(chosen(grid, needed - 1), ddla::resource_error);
}

TEST_CASE("auto takes patterns for rows that are short and alike", "[formats][repeats]")
{
    const auto of = [](index_t n) { return [=](index_t) { return n; }; };
    const auto is_patterns = sparse_format::patterns, is_slices = sparse_format::slices;
    const auto grid = with_any_values<double>(ddla::generate::poisson3d(20, 20, 20));
    const auto made = stored(grid, {});
    CHECK(made->report.format == is_patterns);
    CHECK(!made->patterns.has_values());
    CHECK(stored(ddla::generate::poisson3d(20, 20, 20), {})->patterns.has_values());
    // With values in the patterns and beside them.
    const auto check = [](const csr_matrix<double>& a, sparse_format expected) {
        INFO(a.rows() << " rows, " << a.nonzeros() << " entries");
        CHECK(chosen(a) == expected);
        CHECK(chosen(with_any_values<double>(a)) == expected);
    };
    check(band(65536, of(96)), is_patterns);
    check(band(65536, of(97)), sparse_format::tiles);
    check(band(65535, of(33)), is_slices);
    check(band(3000, of(32)), is_patterns);
    check(band(3000, of(2)), is_patterns);
    check(band(3000, of(1)), is_slices);
    check(band(512, [](index_t i) { return 20 + i / 256; }), is_patterns);
    check(band(511, [](index_t i) { return 20 + i / 256; }), is_slices);
    // 32 rows are as wide as the longest: 33 slots for 30 entries and a bit, and for less.
    check(band(65536, [](index_t i) { return i % 32 == 0 ? 33 : 30; }), is_patterns);
    check(band(65536, [](index_t i) { return i % 32 == 0 ? 33 : 29; }), sparse_format::tiles);
    // All rows have the leaves of the longest: 32 slots for 7 entries, or 16.
    check(band(65536, [](index_t i) { return i < 32 ? 17 : 7; }), is_slices);
    check(band(65536, [](index_t i) { return i < 32 ? 16 : 7; }), is_patterns);
    // Where values repeat, slices hold one byte of each.
    const auto few = band(30000, of(4), [](index_t i, index_t k) {
        return double((4 * i + k) * (4 * i + k) % 1009 % 7);
    });
    CHECK(chosen(few) == is_slices);
    CHECK(stored(test::with_values<ddla::dd_real>(few), {})->report.format == is_patterns);
}

TEST_CASE("what auto takes on the host", "[formats]")
{
    const auto report_of = [](csr_matrix<double> a, bool for_double, std::size_t limit = 0) {
        const auto report = for_double ? ddla::set_format<double>(a, {.memory_limit = limit})
                                       : ddla::set_format(a, {.memory_limit = limit});
        CHECK(report.format == ddla::format_of(a).format);
        return report;
    };
    const auto grid = ddla::generate::poisson3d(32, 32, 32);
    const auto any = with_any_values<double>(grid);
    const std::string usual = "the host is fastest with compressed rows";
    for (const bool for_double : {false, true}) {
        CHECK(report_of(grid, for_double).format == sparse_format::patterns);
        CHECK(report_of(grid, for_double).reason == "rows have 27 patterns, one byte a row");
        CHECK(report_of(ddla::generate::poisson3d(31, 32, 33), for_double).reason == usual);
        const auto nothing = report_of(
            csr_matrix<double>(ddla::coordinates<double>{.rows = 40000, .columns = 40000}),
            for_double);
        CHECK(nothing.reason == "there are no entries");
        CHECK(nothing.format == sparse_format::csr);
        const auto random =
            test::random_matrix<double>(40000, 40000, 61, [](index_t i) { return i % 9; });
        CHECK(report_of(random, for_double).format == sparse_format::csr);
        CHECK(report_of(random, for_double).reason == usual);
        const auto limited = report_of(grid, for_double, 4000);
        CHECK(limited.format == sparse_format::csr);
        CHECK(limited.reason.rfind("patterns could not be made: it takes at least ", 0) == 0);
        // Kinds by turns: in their values alone, and of lines that are shorter than eight rows.
        const auto by_turns = band(
            40000, [](index_t) { return 5; }, [](index_t i, index_t) { return i % 8; });
        CHECK(report_of(by_turns, for_double).reason ==
              (for_double ? usual : "rows have 1 pattern, with separate values"));
        CHECK(report_of(ddla::generate::poisson3d(4, 100, 100), for_double).reason == usual);
    }
    // Values repeat, rows do not.
    const auto few = band(
        40000, [](index_t) { return 4; },
        [](index_t i, index_t k) { return double((4 * i + k) * (4 * i + k) % 1009 % 7); });
    CHECK(report_of(few, false).reason == "rows have 1 pattern, with separate values");
    CHECK(report_of(few, true).reason == usual);
    CHECK(report_of(any, false).reason == "rows have 27 patterns, with separate values");
    CHECK(report_of(any, true).format == sparse_format::csr);
}
