// Columns in bins, and when `auto` puts them there, decided on the host: the rule is one text for
// all places.
#include "catch.hpp"
#include "support/near_rows.hpp"
#include "support/shapes.hpp"

#include "formats/choose_format.hpp"
#include "host/context.hpp"

#include <algorithm>

using ddla::column_t;
using ddla::csr_matrix;
using ddla::index_t;
using ddla::sparse_format;

namespace {

/// A host that knows of a cache.
class backend_with_cache : public ddla::host_backend::backend {
public:
    backend_with_cache(ddla::host_backend::thread_pool& pool, std::size_t cache)
        : backend(pool), cache_(cache)
    {
    }
    std::size_t cache_bytes() const { return cache_; }

private:
    std::size_t cache_;
};

struct call_with_cache {
    static constexpr bool on_host = true;
    std::shared_ptr<ddla::host_backend::thread_pool> pool = ddla::host_backend::current_pool();
    backend_with_cache on;
    ddla::workspace memory{ddla::host_memory()};
    explicit call_with_cache(std::size_t cache) : on(*pool, cache) {}
};

/// 1024 lines of 64 bytes.
constexpr std::size_t cache = 65536;

std::shared_ptr<ddla::row_storage<double>> stored(const csr_matrix<double>& a,
                                                  const ddla::format_options& options)
{
    call_with_cache call(cache);
    return ddla::formats::maker(call, ddla::host, a.view(), options).make(options.format);
}
sparse_format chosen(const csr_matrix<double>& a, const ddla::format_options& options = {})
{
    return stored(a, options)->report.format;
}
/// `rows` rows of five entries; entry k of row i is in column(i, k, a random number).
template <class Column>
csr_matrix<double> with_columns(index_t rows, index_t columns, const Column& column)
{
    std::vector<index_t> row_begin{0};
    std::vector<column_t> all;
    std::uint32_t state = 1;
    for (index_t i = 0; i < rows; ++i) {
        column_t mine[5];
        for (int k = 0; k < 5; ++k) {
            state = state * 1664525u + 1013904223u;
            mine[k] = static_cast<column_t>(column(i, k, index_t(state >> 8)));
        }
        std::sort(mine, mine + 5);
        all.insert(all.end(), mine, std::unique(mine, mine + 5));
        row_begin.push_back(static_cast<index_t>(all.size()));
    }
    const auto n = static_cast<index_t>(all.size());
    return {rows, columns, row_begin, all, test::random_vector<double>(n, 97)};
}
csr_matrix<double> with_random_columns(index_t rows, index_t columns)
{
    return with_columns(rows, columns, [=](index_t, int, index_t any) { return any % columns; });
}

}  // namespace

TEST_CASE("entries beyond the first bin are numbered bin by bin, as they are stored", "[formats]")
{
    const auto a = with_random_columns(1000, 10000);
    const auto made = stored(a, {.format = sparse_format::binned});
    const column_t each = cache * 3 / 10 / 16;
    const ddla::formats::column_bins& bins = made->bins;
    REQUIRE(bins.direct == each);
    // Column by column as slices hold them; of a bin each number follows on the one before.
    std::vector<column_t> stored_so, next;
    for (column_t bin = 0; bin * each < 10000; ++bin)
        next.push_back(static_cast<column_t>(
            each + std::count_if(a.view().column, a.view().column + a.nonzeros(),
                                 [&](column_t c) { return c >= each && c / each < bin; })));
    const auto& slices = made->slices;
    for (index_t k = 0; k < slices.count; ++k) {
        const ddla::formats::slice& s = slices.of[k];
        ddla::formats::for_leaves(s, [&](const ddla::formats::leaf_of_slice& leaf) {
            for (int slot = 0; slot < leaf.slots; ++slot)
                for (int lane = 0; lane < s.rows << s.log2_lanes; ++lane) {
                    const int l = lane & (s.lanes() - 1);
                    const int at = ((leaf.first + slot * leaf.apart) << s.log2_lanes) + l;
                    if (at >= slices.length(s, lane >> s.log2_lanes)) continue;
                    const column_t held = slices.column(leaf, slot, lane);
                    const column_t column = bins.column_of(held);
                    stored_so.push_back(column);
                    if (column < each)
                        CHECK(held == column);
                    else
                        CHECK(held == next[std::size_t(column / each)]++);
                }
        });
    }
    std::vector<column_t> all(a.view().column, a.view().column + a.nonzeros());
    std::sort(all.begin(), all.end());
    std::sort(stored_so.begin(), stored_so.end());
    CHECK(stored_so == all);
    // In double twice as many, but there are three bins at least.
    CHECK(stored(a, {.format = sparse_format::binned, .for_double = true})->bins.direct ==
          cache * 3 / 10 / 8);
    const auto short_x = with_random_columns(1000, 1001);
    CHECK(stored(short_x, {.format = sparse_format::binned})->bins.direct == 334);
}

// As on a device: rows that are unlike have 16, 24 or 32 entries a lane, some 1.5 times the mean;
// of rows that are alike each has one lane.
TEST_CASE("rows in bins have several lanes where they are unlike", "[formats]")
{
    constexpr index_t n = 40960;  // and no lane has more than n / 1024
    // How many slices have 1, 2, ..., 32 lanes a row.
    const auto slices = [](auto length) {
        std::vector<index_t> count(6);
        const auto made = stored(test::near_rows(n, length), {.format = sparse_format::binned});
        for (index_t k = 0; k < made->slices.count; ++k) ++count[made->slices.of[k].log2_lanes];
        return count;
    };
    using counts = std::vector<index_t>;
    const auto in_turn = [&](index_t longer, index_t shorter) {
        return slices([=](index_t i) { return i % 2 ? longer : shorter; });
    };
    const counts one_lane{1280, 0, 0, 0, 0, 0}, two_lanes_for_longer{640, 1280, 0, 0, 0, 0};
    CHECK(in_turn(36, 33) == one_lane);
    // At most 16, 24 and 32 entries: never fewer, what is nearest, never more.
    CHECK(in_turn(14, 1) == one_lane);
    CHECK(in_turn(20, 4) == two_lanes_for_longer);
    CHECK(in_turn(24, 6) == one_lane);
    CHECK(in_turn(26, 8) == two_lanes_for_longer);
    CHECK(in_turn(32, 16) == one_lane);
    CHECK(in_turn(34, 16) == two_lanes_for_longer);
    // Neither empty rows count nor long ones, of which these have more entries than all others.
    CHECK(in_turn(20, 0) == one_lane);
    const auto with_long = [](index_t i) { return i < 64 ? 10240 : i % 2 ? 20 : 4; };
    CHECK(slices(with_long) == counts{641, 1278, 0, 0, 0, 64 * 40});
}

TEST_CASE("auto takes bins where gathers miss the cache", "[formats]")
{
    // A window of 1024 entries wants, of x that is s times the cache, s (1 - exp(-1 / s)) lines an
    // entry: 0.53 for s = 0.7, 0.63 for 1.
    CHECK(chosen(with_random_columns(2000, 7 * 4096 / 10)) == sparse_format::slices);
    CHECK(chosen(with_random_columns(2000, 4096)) == sparse_format::binned);
    CHECK(chosen(with_random_columns(2000, 4096), {.for_double = true}) == sparse_format::slices);
    CHECK(chosen(with_random_columns(2000, 8192), {.for_double = true}) == sparse_format::binned);
    // Too few entries to tell; far neighbours in a window that the cache holds; half of the entries
    // in a few columns.
    CHECK(chosen(with_random_columns(819, 40960)) == sparse_format::slices);
    CHECK(chosen(with_columns(20000, 20200, [](index_t i, int, index_t any) {
              return i + any % 200;
          })) == sparse_format::slices);
    CHECK(chosen(with_columns(20000, 20200, [](index_t, int k, index_t any) {
              return k < 3 ? any % 50 : any % 20000;
          })) == sparse_format::slices);
    // Lines of their own, but in order: memory gives them side by side.
    CHECK(chosen(with_columns(2000, 100000, [](index_t i, int k, index_t) {
              return 20000 * k + 8 * i;
          })) == sparse_format::slices);
}

TEST_CASE("auto goes on with slices where there is no room for bins", "[formats]")
{
    const auto a = with_random_columns(2000, 8192);
    const std::size_t slices = stored(a, {.format = sparse_format::slices})->report.extra_bytes;
    const auto binned = stored(a, {.format = sparse_format::binned});
    CHECK(chosen(a, {.memory_limit = binned->report.extra_bytes}) == sparse_format::binned);
    const auto made = stored(a, {.memory_limit = slices});
    CHECK(made->report.format == sparse_format::slices);
    CHECK(made->bins.count == 0);
    CHECK(made->report.extra_bytes == slices);
    CHECK_THROWS_AS(stored(a, {.format = sparse_format::binned, .memory_limit = slices}),
                    ddla::resource_error);
}
