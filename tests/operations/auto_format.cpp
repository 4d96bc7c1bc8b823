// What `auto` takes on a device, decided on the host: the rule is one text for both.
#include "catch.hpp"
#include "host_formats.hpp"
#include "support/near_rows.hpp"
#include "support/shapes.hpp"

using ddla::csr_matrix;
using ddla::index_t;
using ddla::sparse_format;

namespace {

ddla::format_report stored(const csr_matrix<double>& a, const ddla::format_options& options,
                           std::size_t* held = nullptr, bool for_double = false)
{
    return test::stored(a, options, held, for_double)->report;
}
sparse_format chosen(const csr_matrix<double>& a)
{
    return stored(a, {}).format;
}

}  // namespace

TEST_CASE("auto takes tiles where they pay", "[formats]")
{
    constexpr index_t enough = 65536;
    const auto of = [](index_t n) { return [=](index_t) { return n; }; };
    CHECK(chosen(test::near_rows(enough, of(9))) == sparse_format::tiles);
    CHECK(chosen(test::near_rows(enough, of(8))) == sparse_format::tiles);
    // Too few rows; too short ones; columns that few share, in lists that are short enough; a
    // sixteenth of the entries in rows that tiles do not store.
    CHECK(chosen(test::near_rows(enough - 1, of(9))) == sparse_format::slices);
    CHECK(chosen(test::near_rows(enough, of(7))) == sparse_format::slices);
    const auto apart = test::random_matrix<double>(enough, enough, 99, of(9));
    CHECK(chosen(apart) == sparse_format::slices);
    CHECK(stored(apart, {.format = sparse_format::tiles}).format == sparse_format::tiles);
    CHECK(chosen(test::near_rows(enough, [](index_t i) { return i % 400 == 3 ? 300 : 9; })) ==
          sparse_format::slices);
}

TEST_CASE("auto takes tiles where a listed column serves two entries", "[formats]")
{
    constexpr index_t n = 65536;
    // Rows of nine columns side by side, each `tenths` / 10 further than the one before: 256 of
    // them have 255 tenths / 10 + 9 different columns.
    const auto banded = [](index_t tenths) {
        std::vector<index_t> row_begin{0};
        std::vector<ddla::column_t> column;
        for (index_t i = 0; i < n; ++i) {
            for (index_t k = 0; k < 9; ++k)
                column.push_back(static_cast<ddla::column_t>(i * tenths / 10 + k));
            row_begin.push_back(static_cast<index_t>(column.size()));
        }
        return csr_matrix<double>(n, 5 * n, row_begin, column,
                                  test::random_vector<double>(9 * n, 98));
    };
    CHECK(chosen(banded(43)) == sparse_format::tiles);   // 2304 entries, 1106 columns: 2.08
    CHECK(chosen(banded(46)) == sparse_format::slices);  // 1182: 1.95
}

TEST_CASE("auto goes on with slices where tiles waste room or have none", "[formats]")
{
    // One row in 32 is long: most slots of the slice that holds these rows are empty.
    const auto uneven = test::near_rows(65536, [](index_t i) { return i % 32 == 0 ? 250 : 9; });
    std::size_t held = 0;
    CHECK(stored(uneven, {.format = sparse_format::tiles}).padding(uneven.nonzeros()) > 1.25);
    CHECK(stored(uneven, {}, &held).format == sparse_format::slices);
    // The keys of the attempt, 16 bytes an entry, are gone.
    CHECK(held < 8 * static_cast<std::size_t>(uneven.nonzeros()));

    const auto even = test::near_rows(65536, [](index_t) { return 12; });
    const std::size_t tiles = stored(even, {.format = sparse_format::tiles}).extra_bytes;
    const std::size_t slices = stored(even, {.format = sparse_format::slices}).extra_bytes;
    REQUIRE(slices < tiles);
    CHECK(stored(even, {.memory_limit = tiles}).format == sparse_format::tiles);
    CHECK(stored(even, {.memory_limit = tiles - 1}).format == sparse_format::slices);
}

TEST_CASE("auto for double goes on from slices where these are uneven", "[formats]")
{
    const auto chosen = [](const csr_matrix<double>& a, std::size_t* held = nullptr) {
        return stored(a, {}, held, true).format;
    };
    const auto near = [](auto length) { return test::near_rows(65536, length); };
    const auto of = [](index_t n) { return [=](index_t) { return n; }; };
    CHECK(chosen(near(of(12))) == sparse_format::slices);
    const auto with_longest = [&](index_t n) {
        return near([=](index_t i) { return i < 256 ? n : 12; });
    };
    CHECK(chosen(with_longest(128)) == sparse_format::slices);
    CHECK(chosen(with_longest(129)) == sparse_format::tiles);  // 17 leaves a lane
    const auto any = near(of(12));
    ddla::vector<double> two(any.nonzeros());
    for (index_t k = 0; k < two.size(); ++k) two.set(k, k * k % 1013 < 400 ? 1.0 / 3 : -7.0 / 9);
    CHECK(chosen(test::with_same_pattern(any, two)) == sparse_format::tiles);
    // Padding: one row in 256 is longer than the others.
    const auto uneven = [&](index_t more) {
        return near([=](index_t i) { return i % 256 == 0 ? 10 + more : 10; });
    };
    const auto padding = [](const csr_matrix<double>& a) {
        return stored(a, {.format = sparse_format::slices}).padding(a.nonzeros());
    };
    CHECK(padding(uneven(4)) < 1.05);
    CHECK(chosen(uneven(4)) == sparse_format::slices);
    CHECK(padding(uneven(5)) > 1.05);
    CHECK(chosen(uneven(5)) == sparse_format::tiles);
    // Neighbours have far columns: the rows of a tile in another order.
    const auto mixed = [](index_t apart) {
        const index_t n = 65536;
        std::vector<index_t> row_begin{0};
        std::vector<ddla::column_t> column;
        for (index_t i = 0; i < n; ++i) {
            // Each half of a tile is further from the diagonal: no patterns.
            const index_t first = i / 256 * 256 + i * apart % 256 + i / 128 * 3;
            for (index_t k = 0; k < 12; ++k)
                column.push_back(static_cast<ddla::column_t>(first + k));
            row_begin.push_back(static_cast<index_t>(column.size()));
        }
        return csr_matrix<double>(n, 2 * n, row_begin, column,
                                  test::random_vector<double>(12 * n, 98));
    };
    CHECK(chosen(mixed(1)) == sparse_format::slices);
    CHECK(chosen(mixed(101)) == sparse_format::tiles);
    // Where tiles waste room or have none, slices are taken all the same.
    const auto wasteful = near([](index_t i) { return i % 32 == 0 ? 250 : 9; });
    std::size_t held = 0;
    CHECK(chosen(wasteful, &held) == sparse_format::slices);
    CHECK(held < 8 * static_cast<std::size_t>(wasteful.nonzeros()));
    const auto no_room = uneven(5);
    const std::size_t slices = stored(no_room, {.format = sparse_format::slices}).extra_bytes;
    REQUIRE(slices < stored(no_room, {.format = sparse_format::tiles}).extra_bytes);
    CHECK(stored(no_room, {.memory_limit = slices}, nullptr, true).format == sparse_format::slices);
    // So few rows that tiles are not tried.
    CHECK(chosen(test::near_rows(65535, [](index_t i) { return i % 64 == 0 ? 30 : 10; })) ==
          sparse_format::slices);
}

TEST_CASE("auto for double takes tiles where there is no room for slices", "[formats]")
{
    // 256 rows share 300 columns, so far from each other that slices store them in four bytes.
    constexpr index_t n = 65536, apart = 1000;
    std::vector<index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    for (index_t i = 0; i < n; ++i) {
        for (index_t k = 0; k < 12; ++k)
            column.push_back(static_cast<ddla::column_t>((i * 7 + k * 25) % 300 * apart));
        row_begin.push_back(static_cast<index_t>(column.size()));
    }
    const csr_matrix<double> a(n, 300 * apart, row_begin, column,
                               test::random_vector<double>(12 * n, 98));
    const std::size_t tiles = stored(a, {.format = sparse_format::tiles}).extra_bytes;
    REQUIRE(tiles < stored(a, {.format = sparse_format::slices}).extra_bytes);
    CHECK(stored(a, {.memory_limit = tiles}, nullptr, true).format == sparse_format::tiles);
}
