#include "level_spans.hpp"

#include <array>

namespace ddla::api {

namespace {

// Nanoseconds on an H200; notes: device_triangles.
constexpr double of_kernel = 5000;
constexpr double of_wide_level = 800, of_narrow_level = 450, of_packet = 45;
/// More for a level with rows of more entries than a warp has lanes, ...
constexpr double of_long_rows_wide = 900, of_long_rows_narrow = 200;
/// ... and for each tile but the first, of which a narrow span loads nothing ahead.
constexpr double of_tile_narrow = 1000;

enum kind { wide, narrow };

/// What level l takes in a span of either kind.
std::array<double, 2> time_of(const solving_order& order, index_t l)
{
    const row_level &begin = order.level[as_size(l)], &end = order.level[as_size(l + 1)];
    // The last row of a level is its longest.
    const index_t longest = order.row_begin()[end.first] - order.row_begin()[end.first - 1];
    const bool has_long_rows = longest > 32;
    const double packets = end.packet - begin.packet;
    const bool fits = end.first - begin.first <= narrow_span::rows_of_level;
    return {
        of_wide_level + (has_long_rows ? of_long_rows_wide : 0),
        fits ? of_narrow_level + packets * of_packet + (has_long_rows ? of_long_rows_narrow : 0) +
                   static_cast<double>(std::max(tiles(longest), index_t{1}) - 1) * of_tile_narrow
             : std::numeric_limits<double>::infinity()};
}

}  // namespace

std::vector<level_span> spans_of(const solving_order& order)
{
    const index_t levels = static_cast<index_t>(order.level.size()) - 1;
    // Of the levels up to l, the least time with l in a span of each kind; and whether that span
    // begins with l.
    std::array<double, 2> time{of_kernel, of_kernel};
    std::vector<std::array<bool, 2>> begins(as_size(levels));
    for (index_t l = 0; l < levels; ++l) {
        const std::array<double, 2> of_level = time_of(order, l), before = time;
        for (const kind k : {wide, narrow}) {
            const double other = before[1 - k] + of_kernel;
            begins[as_size(l)][k] = l == 0 || other < before[k];
            time[k] = of_level[k] + (l > 0 ? std::min(before[k], other) : before[k]);
        }
    }
    std::vector<level_span> spans;
    kind k = time[narrow] < time[wide] ? narrow : wide;
    for (index_t end = levels, l = levels - 1; l >= 0; --l) {
        if (!begins[as_size(l)][k]) continue;
        spans.push_back({end - l, order.level[as_size(l)].packet, order.level[as_size(end)].packet,
                         k == narrow});
        end = l;
        k = k == narrow ? wide : narrow;
    }
    std::reverse(spans.begin(), spans.end());
    return spans;
}

void name_kept_rows(const solving_order& order, const std::vector<level_span>& spans,
                    const factor::chunk_runner& run, column_t* column)
{
    const auto is_narrow = [](const level_span& s) { return s.is_narrow; };
    if (std::none_of(spans.begin(), spans.end(), is_narrow)) return;
    const buffer rows = order.row_of_unknowns();
    const auto* const row_of = data_of<const column_t>(rows);
    const row_packet* const packet = order.packet.data();
    // A warp loads the entries of a packet when it has done that of its turn before: so the levels
    // before that one's are done.  The unknowns of a packet can be loaded when its warp has done
    // another one.
    const auto first_kept = [&](const level_span& s, index_t p) {
        const index_t before = std::max(s.first_packet, p - narrow_span::warps);
        return std::max(s.first_packet, packet[before].of_level - narrow_span::warps);
    };
    for (const level_span& s : spans) {
        if (!s.is_narrow) continue;
        run.parts(s.end_packet - s.first_packet, [&](index_t from, index_t end) {
            for (index_t p = s.first_packet + from; p < s.first_packet + end; ++p) {
                const index_t first_row = packet[first_kept(s, p)].first;
                const index_t last = order.row_begin()[packet[p].first + packet[p].rows];
                for (index_t e = order.row_begin()[packet[p].first]; e < last; ++e)
                    if (const index_t row = row_of[column[e]]; row >= first_row)
                        column[e] = ~narrow_span::place(row);
            }
        });
    }
}

}  // namespace ddla::api
