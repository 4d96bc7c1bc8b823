// Spans of levels, and which unknowns the block of a narrow span keeps: what its kernel relies on.
#include "catch.hpp"
#include "support/random.hpp"

#include "calls/host_chunks.hpp"
#include "triangles/level_spans.hpp"

#include <numeric>
#include <set>
#include <utility>

using ddla::column_t;
using ddla::index_t;
using ddla::factor::as_size;

namespace {

template <class Columns>
void add_row(ddla::factor::triangle<double>& t, const Columns& columns)
{
    for (const auto j : columns) {
        t.off_diagonal.column.push_back(column_t(j));
        t.off_diagonal.value.push_back(1);
    }
    t.off_diagonal.begin.push_back(t.off_diagonal.entries());
    t.pivot.push_back(1);
}

/// Levels with so many rows, of which each needs one of the level before and `more` of any.
ddla::factor::triangle<double> with_levels(const std::vector<index_t>& rows, int more)
{
    test::random_numbers random(1);
    ddla::factor::triangle<double> t;
    index_t before = 0, first = 0;
    for (const index_t count : rows) {
        for (index_t k = 0; k < count; ++k) {
            std::set<index_t> needs;
            if (first > 0) needs.insert(first - 1 - random.below(before));
            for (int m = 0; m < more && first > 0; ++m) needs.insert(random.below(first));
            add_row(t, needs);
        }
        before = count;
        first += count;
    }
    return t;
}

ddla::api::solving_order order_of(const ddla::factor::triangle<double>& t)
{
    ddla::api::solving_order order(t.rows(), 1, ddla::api::host_chunks());
    order.add(t, levels_of(t));
    order.end();
    return order;
}

std::vector<index_t> repeated(index_t rows, int times)
{
    return std::vector<index_t>(std::size_t(times), rows);
}

}  // namespace

TEST_CASE("spans cover all levels, and are narrow where those have few rows", "[triangles]")
{
    std::vector<index_t> rows = repeated(1, 300);
    for (const auto& more : {repeated(3000, 50), repeated(2, 300), repeated(300, 40)})
        rows.insert(rows.end(), more.begin(), more.end());
    const auto order = order_of(with_levels(rows, 2));
    const auto spans = spans_of(order);
    REQUIRE(spans.size() == 4);
    index_t packet = 0, level = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(spans[k].is_narrow == (k % 2 == 0));
        CHECK(spans[k].first_packet == packet);
        packet = spans[k].end_packet;
        level += spans[k].levels;
        CHECK(order.level[as_size(level)].packet == packet);
    }
    CHECK(spans[0].levels == 300);
    CHECK(spans[1].levels == 50);
    CHECK(spans[2].levels == 300);
    CHECK(level == 690);
}

TEST_CASE("few levels are not worth a kernel of their own", "[triangles]")
{
    auto rows = repeated(3000, 20);
    rows.insert(rows.begin() + 10, 5, 1);
    const auto spans = spans_of(order_of(with_levels(rows, 0)));
    REQUIRE(spans.size() == 1);
    CHECK_FALSE(spans[0].is_narrow);
    CHECK(spans[0].levels == 25);
}

TEST_CASE("a level of more rows than a block keeps is wide, whatever it costs", "[triangles]")
{
    auto rows = repeated(1, 400);
    rows[200] = ddla::narrow_span::rows_of_level;
    CHECK(spans_of(order_of(with_levels(rows, 0))).size() == 1);
    ++rows[200];
    const auto spans = spans_of(order_of(with_levels(rows, 0)));
    REQUIRE(spans.size() == 3);
    CHECK_FALSE(spans[1].is_narrow);
    CHECK(spans[1].levels == 1);
}

TEST_CASE("levels of few rows are wide if these are many packets", "[triangles]")
{
    // Eight entries: four rows a packet.
    for (const auto& [rows, narrow] : {std::pair<index_t, bool>{16, true}, {120, false}}) {
        INFO(rows);
        const auto spans = spans_of(order_of(with_levels(repeated(rows, 300), 7)));
        REQUIRE(spans.size() == 1);
        CHECK(spans[0].is_narrow == narrow);
    }
}

TEST_CASE("rows of more entries than a warp has lanes are worth more packets", "[triangles]")
{
    // Ten packets a level, of a row of up to 32 entries, of one of more.
    for (const auto& [more, narrow] : {std::pair<int, bool>{25, false}, {60, true}}) {
        INFO(more);
        const auto spans = spans_of(order_of(with_levels(repeated(10, 400), more)));
        CHECK(spans.back().is_narrow == narrow);
    }
}

TEST_CASE("rows of several tiles are in wide spans", "[triangles]")
{
    // The last 1500 rows are dense.
    auto t = with_levels(repeated(1, 300), 0);
    for (index_t i = 300; i < 1800; ++i) {
        std::vector<index_t> all(as_size(i));
        std::iota(all.begin(), all.end(), 0);
        add_row(t, all);
    }
    const auto spans = spans_of(order_of(t));
    REQUIRE(spans.size() == 2);
    CHECK(spans[0].is_narrow);
    CHECK_FALSE(spans[1].is_narrow);
    CHECK(spans[1].levels >= 1200);
}

TEST_CASE("no triangle has no spans", "[triangles]")
{
    CHECK(spans_of(order_of(ddla::factor::triangle<double>())).empty());
}

TEST_CASE("a narrow span loads only what is done, and keeps all else long enough", "[triangles]")
{
    using kept = ddla::narrow_span;
    for (const index_t width : {1, 3, 17, 60, 80}) {
        INFO(width);
        // Behind a wide span.
        auto rows = repeated(width, int(6000 / width));
        rows.insert(rows.begin(), 20, 2000);
        const auto t = with_levels(rows, 1);
        const auto order = order_of(t);
        const auto spans = spans_of(order);
        REQUIRE(spans.size() == 2);
        REQUIRE_FALSE(spans[0].is_narrow);
        REQUIRE(spans[1].is_narrow);
        std::vector<column_t> column(as_size(order.row_begin()[order.rows()]));
        for (index_t k = 0; k < order.rows(); ++k) {
            const column_t u = order.unknown()[k];
            std::copy_n(t.off_diagonal.column.begin() + t.off_diagonal.begin[as_size(u)],
                        t.off_diagonal.length(u), column.begin() + order.row_begin()[k]);
        }
        const std::vector<column_t> before = column;
        name_kept_rows(order, spans, ddla::api::host_chunks(), column.data());

        std::vector<index_t> row_of(as_size(order.rows())), packet_of(as_size(order.rows()));
        for (index_t k = 0; k < order.rows(); ++k) row_of[as_size(order.unknown()[k])] = k;
        for (index_t p = 0; p < index_t(order.packet.size()); ++p)
            for (index_t k = 0; k < order.packet[as_size(p)].rows; ++k)
                packet_of[as_size(order.packet[as_size(p)].first + k)] = p;
        int of_kept = 0, of_loaded = 0, wrong = 0;
        const index_t begin = spans[1].first_packet;
        CHECK(std::equal(column.begin(),
                         column.begin() + order.row_begin()[order.packet[as_size(begin)].first],
                         before.begin()));
        for (index_t p = begin; p < index_t(order.packet.size()); ++p) {
            const auto& its = order.packet[as_size(p)];
            // The last row that may be solved while this packet waits: of its level.
            index_t last = order.rows();
            for (index_t q = p; q < index_t(order.packet.size()); ++q)
                if (order.packet[as_size(q)].of_level > its.of_level) {
                    last = order.packet[as_size(q)].first;
                    break;
                }
            for (index_t e = order.row_begin()[its.first];
                 e < order.row_begin()[its.first + its.rows]; ++e) {
                const index_t row = row_of[as_size(before[as_size(e)])];
                if (column[as_size(e)] < 0) {
                    ++of_kept;
                    wrong += ~column[as_size(e)] != row % kept::kept || last - row > kept::kept ||
                             packet_of[as_size(row)] < begin;
                    continue;
                }
                // Its warp has done the next packet, too: that is of a level before the one of
                // this warp's last packet.
                ++of_loaded;
                const index_t mine = p - kept::warps, its_packet = packet_of[as_size(row)];
                const bool is_done = its_packet < begin ||
                                     (mine >= begin && its_packet + kept::warps <
                                                           order.packet[as_size(mine)].of_level);
                wrong += column[as_size(e)] != before[as_size(e)] || !is_done;
            }
        }
        CHECK(wrong == 0);
        CHECK(of_kept > 1000);
        CHECK(of_loaded > 1000);
    }
}
