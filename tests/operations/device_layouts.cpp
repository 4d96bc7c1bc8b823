// What only a device stores, walked through on the host: rows of several lanes, long rows tile by
// tile.  The conversion is one text for both, so that its layouts can be checked without a GPU.
#include "host_formats.hpp"
#include "support/same_bits.hpp"
#include "support/shapes.hpp"

#include "ddla/blas.hpp"
#include "formats/slices/shares.hpp"
#include "host/operations.hpp"

#include <algorithm>
#include <numeric>

using ddla::csr;
using ddla::csr_matrix;
using ddla::formats::slice_plan;
using test::same_bits;

namespace {

/// What formats::format_builder makes of `slices` on a device, for few rows and for many.
const slice_plan few_rows{.window = ddla::tile_size,
                          .split_above = 8,
                          .most_per_lane = 8,
                          .adapt = true,
                          .compress = true,
                          .long_rows = true},
    many_rows{.window = ddla::tile_size, .adapt = true, .compress = true, .long_rows = true};

ddla::vector<double> product_in(const slice_plan& plan, const csr_matrix<double>& matrix,
                                const ddla::vector<double>& x)
{
    const auto storage = test::stored_in_slices(matrix, plan);
    csr<double> a = matrix.view();
    a.storage = &storage;
    ddla::vector<double> y(a.rows, std::nan(""));
    ddla::host_backend::matrices_on_host<double, double>().spmv(1.0, a, x.view(), 0.0, y.view());
    return y;
}

}  // namespace

TEST_CASE("what a device stores in slices has the bits of compressed rows", "[formats]")
{
    auto all = test::shapes<double>();
    all.push_back(test::random_matrix<double>(
        2000, 66000, 22, [](ddla::index_t i) { return i % 600 == 77 ? 1000 + i : i % 280; }));
    all.push_back(
        test::random_matrix<double>(900, 900, 27, [](ddla::index_t i) { return 41 + i % 23; }));
    for (const auto& a : all) {
        const auto x = test::random_vector<double>(a.columns(), 41);
        ddla::vector<double> wanted(a.rows());
        ddla::spmv(1.0, a, x, 0.0, wanted);
        for (const slice_plan& plan : {few_rows, many_rows}) {
            INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
            CHECK(same_bits(product_in(plan, a, x), wanted));
        }
    }
}

TEST_CASE("columns of a slot at the ends of one and two bytes", "[formats]")
{
    for (const ddla::column_t apart : {255, 256, 65535, 65536}) {
        // One entry a row: the slot holds columns 0, `apart`, and others between, in no order.
        std::vector<ddla::index_t> row_begin{0};
        std::vector<ddla::column_t> column;
        for (int i = 0; i < 32; ++i) {
            column.push_back(i == 9 ? 0 : i == 20 ? apart : (7 * i + 100) % 250);
            row_begin.push_back(i + 1);
        }
        const csr_matrix<double> a(32, 66000, row_begin, column,
                                   test::random_vector<double>(32, 7));
        const auto x = test::random_vector<double>(a.columns(), 42);
        ddla::vector<double> wanted(a.rows());
        ddla::spmv(1.0, a, x, 0.0, wanted);
        INFO(apart << " columns apart");
        CHECK(same_bits(product_in(many_rows, a, x), wanted));
        const int bytes = apart < 256 ? 1 : apart < 65536 ? 2 : 4;
        CHECK(test::stored_in_slices(a, many_rows).slices.slices[0].column_bytes == bytes);
    }
}

TEST_CASE("tiles of long rows are stored in the order of their first columns", "[formats]")
{
    const auto matrix = test::random_matrix<double>(
        300, 66000, 23, [](ddla::index_t i) { return i % 5 == 2 ? 200 + 7 * i : i % 40; });
    const csr<double> a = matrix.view();
    const ddla::long_row_list& list = a.long_rows;
    std::vector<ddla::column_t> column;  // the first one of each tile
    for (ddla::index_t k = 0; k < list.count; ++k)
        for (ddla::index_t t = list.first_tile[k]; t < list.first_tile[k + 1]; ++t)
            column.push_back(
                a.column[a.row_begin[list.row[k]] + (t - list.first_tile[k]) * ddla::tile_size]);
    std::vector<std::int32_t> expected(column.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](std::int32_t s, std::int32_t t) {
        return column[std::size_t(s)] < column[std::size_t(t)];
    });
    REQUIRE(expected.size() > 100);
    REQUIRE_FALSE(std::is_sorted(expected.begin(), expected.end()));

    const auto storage = test::stored_in_slices(matrix, many_rows);
    REQUIRE(storage.slices.of_long == list.tiles);
    std::vector<std::int32_t> found;
    for (ddla::index_t k = 0; k < list.tiles; ++k) found.push_back(storage.slices.slices[k].first);
    CHECK(found == expected);
}

namespace {

/// Row sums as a device takes them from tiles: of all slots of a lane, also those without an entry.
/// Rows that tiles do not store keep NaN.
template <class T, class V>
ddla::vector<T> sums_of_all_slots(const csr_matrix<V>& matrix, const ddla::vector<T>& x)
{
    const csr<V> a = matrix.view();
    const auto stored = test::stored_in_tiles(
        matrix, {.window = ddla::tile_size, .compress = true, .listed = true});
    const auto& slices = stored.slices;
    const auto& lists = stored.lists;
    ddla::vector<T> y(a.rows, T(std::nan("")));
    for (ddla::index_t k = 0; k < slices.count; ++k) {
        const ddla::formats::slice& s = slices.slices[k];
        for (int lane = 0; lane < s.rows; ++lane) {
            const int n = slices.length(s, lane);
            if (n == ddla::formats::left_out) continue;
            std::vector<T> term;
            for (int j = 0; j < s.width; ++j) {
                const auto leaf = ddla::formats::leaf_with(s, j);
                const int slot = j >> s.log2_leaves;
                const auto number = slices.column(leaf, slot, lane);
                CHECK((number == 0) == (j >= n));
                term.push_back((number == 0 ? T(1) : x[lists.column_of(s, number)]) *
                               slices.value(leaf, slot, lane));
            }
            const bool alone = n == 1 && std::is_same_v<T, ddla::dd_real>;
            if (!alone) ddla::fold_in_half(term.data(), s.width);
            y.set(slices.row(s, lane), n == 0 ? T(0) : term[0]);
        }
    }
    return y;
}

/// The sum of row i by the rule, straight from the compressed rows.
template <class T, class V>
T sum_by_rule(const csr<V>& a, ddla::index_t i, const ddla::vector<T>& x)
{
    std::vector<T> term;
    for (ddla::index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
        term.push_back(x[a.column[k]] * a.value.get(k));
    ddla::fold_in_half(term.data(), static_cast<int>(term.size()));
    return term.empty() ? T(0) : term[0];
}

template <class T, class V>
void check_all_slots(const csr_matrix<V>& a, const ddla::vector<T>& x)
{
    INFO(a.rows() << " x " << a.columns() << ", " << a.nonzeros() << " entries");
    const ddla::vector<T> found = sums_of_all_slots(a, x);
    for (ddla::index_t i = 0; i < a.rows(); ++i)
        if (a.view().row_length(i) <= ddla::tile_size) {
            INFO("row " << i << " of " << a.view().row_length(i));
            REQUIRE(same_bits(found[i], sum_by_rule(a.view(), i, x)));
        }
}

}  // namespace

TEMPLATE_TEST_CASE("absent entries of tiles change no bit when they are added", "[formats]",
                   test::double_double, test::dd_double, test::dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const auto& a : test::shapes<V>())
        check_all_slots(a, test::random_vector<T>(a.columns(), 43));
    // Values that repeat, -0 among them or not; numbers whose products and sums are -0, subnormal,
    // Inf and NaN.
    const double numbers[] = {5e-324,  -5e-324, 0.0,      -0.0,  1.7e308, -1.7e308, 1.0,
                              -1e-300, 1e-160,  HUGE_VAL, 3e307, -3e307,  0x1p-1022};
    for (const int longest : {2, 3, 9, 33, 200}) {
        const auto a = test::random_matrix<V>(
            600, 500, 44, [=](ddla::index_t i) { return i % 3 == 0 ? i % 2 : i % longest; });
        for (const int kinds : {6, 9, 13}) {
            ddla::vector<T> x(500);
            for (ddla::index_t j = 0; j < 500; ++j) x.set(j, T(numbers[j * 7 % kinds]));
            check_all_slots(a, x);
            if constexpr (std::is_same_v<V, double>) {
                ddla::vector<double> few(a.nonzeros());
                for (ddla::index_t k = 0; k < few.size(); ++k)
                    few.set(k, numbers[(k * 5 + 2) % (kinds - 3)]);
                check_all_slots(test::with_same_pattern(a, few), x);
            }
        }
    }
}

TEST_CASE("blocks share all slices, each of them once", "[formats]")
{
    using ddla::index_t;
    using ddla::formats::short_slices, ddla::formats::slice_distribution;
    const short_slices none;
    for (const slice_distribution& shares :
         {slice_distribution{0, 1, none}, slice_distribution{1, 1, none},
          slice_distribution{1000, 4, none}, slice_distribution{1001, 3, none},
          slice_distribution{1000, 1, {1000, 1000, 1000}}, slice_distribution{1000, 1, {1, 1, 1}},
          slice_distribution{1000, 1, {17, 17, 500}}, slice_distribution{1000, 1, {3, 700, 999}}}) {
        constexpr int warps = 4;
        std::vector<int> taken(static_cast<std::size_t>(shares.count));
        for (index_t block = 0; block < shares.blocks(warps); ++block) {
            const auto part = shares.slices_of(block, warps);
            CHECK(part.each <= slice_distribution::most_each);
            if (const short_slices& from = shares.by_length; !from.is_none()) {
                CHECK((part.each >= 2) == (part.first >= from.half));
                CHECK((part.each >= 4) == (part.first >= from.quarter));
                CHECK((part.each >= 8) == (part.first >= from.eighth));
            }
            for (index_t s = part.first; s < part.end && s < part.first + warps * part.each; ++s)
                ++taken[static_cast<std::size_t>(s)];
        }
        CHECK(std::count(taken.begin(), taken.end(), 1) == shares.count);
    }
}

TEST_CASE("where sorted slices are half as wide", "[formats]")
{
    // Three rows of 200 entries, which have several lanes, 64 rows each of 100, 50, 25, 13, 12, 0.
    const auto matrix = test::random_matrix<double>(387, 900, 42, [](ddla::index_t i) {
        constexpr int lengths[] = {100, 50, 25, 13, 12, 0};
        return i < 3 ? 200 : lengths[i % 6];
    });
    const auto storage = test::stored_in_slices(
        matrix,
        {.window = matrix.rows(), .split_above = 128, .most_per_lane = 8, .by_column = true});
    const auto& slices = storage.slices;
    const ddla::index_t begin[] = {slices.shorter.half, slices.shorter.quarter,
                                   slices.shorter.eighth};
    for (int k = 1; k < 4; ++k) {
        INFO("from " << k);
        const ddla::index_t from = begin[k - 1];
        REQUIRE(from > 0);
        REQUIRE(from < slices.count);
        for (ddla::index_t s = 0; s < slices.count; ++s) {
            const bool narrow =
                slices.slices[s].log2_lanes == 0 && slices.slices[s].width <= 100 >> k;
            CHECK(narrow == (s >= from));
        }
    }
}

TEMPLATE_TEST_CASE("lists of 512 rows, as a device joins them", "[formats]", test::double_double,
                   test::dd_double)
{
    using T = typename TestType::scalar;
    // So many that lists are joined; the last one has 320 rows.
    const auto matrix =
        test::random_matrix<double>(520000, 600, 53, [](ddla::index_t i) { return i % 5; });
    const auto storage = test::stored_in_tiles(
        matrix, {.window = ddla::tile_size, .compress = true, .listed = true});
    CHECK(storage.lists.rows == 512);
    CHECK(storage.lists.count == 1016);
    CHECK(storage.lists.longest <= 600);
    csr<double> a = matrix.view();
    a.storage = &storage;
    const auto x = test::random_vector<T>(600, 54);
    ddla::vector<T> expected(a.rows), y(a.rows, T(std::nan("")));
    ddla::spmv(T(1), matrix, x, T(0), expected);
    ddla::host_backend::matrices_on_host<T, double>().spmv(T(1), a, x.view(), T(0), y.view());
    CHECK(same_bits(y, expected));
}
