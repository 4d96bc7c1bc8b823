// Rows of triangles in the order in which an engine solves them.
#pragma once

#include "engine/triangles.hpp"
#include "factor/chunks.hpp"
#include "factor/triangular.hpp"

#include "ddla/buffer.hpp"

#include <algorithm>
#include <limits>

namespace ddla::api {

using factor::as_size;

template <class X>
buffer room_for(index_t n)
{
    return buffer(as_size(n) * sizeof(X), host);
}

template <class X>
X* data_of(const buffer& b)
{
    return b.bytes() > 0 ? static_cast<X*>(b.data()) : nullptr;
}

/// Rows of a level are sorted by length, so that those of a packet are alike; of equal lengths the
/// first comes first.
class solving_order {
public:
    /// Of `triangles` triangles with n rows each.
    solving_order(index_t n, index_t triangles, factor::chunk_runner run)
        : unknown_(room_for<column_t>(n * triangles)),
          row_begin_(room_for<index_t>(n * triangles + 1)), rows_(n * triangles), n_(n), run_(run)
    {
        row_begin()[0] = 0;
    }

    std::vector<row_packet> packet;
    std::vector<row_level> level;

    index_t rows() const { return rows_; }
    /// The unknown of each row.
    column_t* unknown() const { return data_of<column_t>(unknown_); }
    /// Where the entries of each row begin.
    index_t* row_begin() const { return data_of<index_t>(row_begin_); }
    /// Where each unknown is in the order.
    buffer row_of_unknowns() const
    {
        buffer rows = room_for<column_t>(rows_);
        column_t* const row = data_of<column_t>(rows);
        run_.parts(rows_, [&](index_t begin, index_t end) {
            for (index_t k = begin; k < end; ++k) row[unknown()[k]] = static_cast<column_t>(k);
        });
        return rows;
    }
    buffer take_unknown() { return std::move(unknown_); }
    buffer take_row_begin() { return std::move(row_begin_); }

    /// The next triangle.  Cost: a pass over the rows.
    template <class F>
    void add(const factor::triangle<F>& t, const factor::level_sets& levels)
    {
        const factor::sparse_rows<F>& a = t.off_diagonal;
        const index_t first = added_ * n_;
        run_.parts(levels.levels(), 1, [&](index_t begin, index_t end) {
            for (index_t l = begin; l < end; ++l) sort_level(a, levels, l, first);
        });
        run_.parts(n_, [&](index_t begin, index_t end) {
            for (index_t k = first + begin; k < first + end; ++k) {
                row_begin()[k + 1] = a.length(unknown()[k]);
                unknown()[k] += static_cast<column_t>(first);
            }
        });
        const bool divides = !t.has_unit_diagonal();
        for (index_t l = 0; l < levels.levels(); ++l) {
            const index_t begin = first + levels.begin[as_size(l)];
            level.push_back(
                {static_cast<column_t>(begin), divides, static_cast<column_t>(packet.size())});
            add_packets(begin, first + levels.begin[as_size(l) + 1], divides);
        }
        for (index_t k = first; k < first + n_; ++k) row_begin()[k + 1] += row_begin()[k];
        ++added_;
    }
    /// Behind the last one.
    void end()
    {
        level.push_back({static_cast<column_t>(rows_), 0, static_cast<column_t>(packet.size())});
    }

private:
    template <class F>
    void sort_level(const factor::sparse_rows<F>& a, const factor::level_sets& levels, index_t l,
                    index_t first)
    {
        const column_t* const rows = levels.row.data() + levels.begin[as_size(l)];
        const index_t count = levels.begin[as_size(l) + 1] - levels.begin[as_size(l)];
        column_t* const to = unknown() + first + levels.begin[as_size(l)];
        index_t shortest = std::numeric_limits<index_t>::max(), longest = 0;
        for (index_t k = 0; k < count; ++k) {
            shortest = std::min(shortest, a.length(rows[k]));
            longest = std::max(longest, a.length(rows[k]));
        }
        if (longest - shortest < most_lengths) {
            sort_by_counting(a, rows, count, shortest, to);
            return;
        }
        std::copy_n(rows, count, to);
        std::sort(to, to + count, [&](column_t i, column_t j) {
            return a.length(i) != a.length(j) ? a.length(i) < a.length(j) : i < j;
        });
    }
    /// Rows whose lengths are shortest, ..., shortest + most_lengths - 1.
    template <class F>
    static void sort_by_counting(const factor::sparse_rows<F>& a, const column_t* rows,
                                 index_t count, index_t shortest, column_t* to)
    {
        index_t place[most_lengths + 1] = {};
        const auto kind = [&](column_t i) { return a.length(i) - shortest; };
        for (index_t k = 0; k < count; ++k) ++place[kind(rows[k]) + 1];
        for (index_t s = 0; s < most_lengths; ++s) place[s + 1] += place[s];
        for (index_t k = 0; k < count; ++k) to[place[kind(rows[k])]++] = rows[k];
    }

    /// Threads for a row of a packet: one an entry, of a warp at most.
    static int lanes_for(index_t length)
    {
        int lanes = 1;
        while (lanes < length && lanes < 32) lanes *= 2;
        return lanes;
    }
    /// Of rows of a level, whose lengths are in row_begin.
    void add_packets(index_t begin, index_t end, bool divides)
    {
        const auto of_level = static_cast<column_t>(packet.size());
        for (index_t k = begin; k < end;) {
            const int lanes = lanes_for(row_begin()[k + 1]);
            const index_t *const from = row_begin() + k + 1, *const last = row_begin() + end + 1;
            const index_t alike =
                lanes < 32 ? std::upper_bound(from, last, index_t{lanes}) - from : last - from;
            for (const index_t after = k + alike; k < after;) {
                const index_t rows = std::min<index_t>(32 / lanes, after - k);
                packet.push_back({static_cast<column_t>(k), static_cast<std::uint16_t>(rows),
                                  static_cast<std::uint8_t>(lanes), divides, of_level});
                k += rows;
            }
        }
    }

    static constexpr index_t most_lengths = 64;

    buffer unknown_, row_begin_;
    index_t rows_, n_, added_ = 0;
    factor::chunk_runner run_;
};

}  // namespace ddla::api
