// How rows become slices: steps over rows, tiles of positions, slices, and lanes.
#pragma once

#include "formats/storage.hpp"
#include "formats/tuning.hpp"
#include "steps/step.hpp"

namespace ddla::formats {

/// A step over elements that does not write vectors, but parts of a format.
struct conversion_step : steps::always {
    using sum = void;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {.counts = true};
};

/// A step over elements that finds the largest of the values that it returns.
struct largest_of : steps::always {
    using sum = steps::largest;
    static constexpr steps::abilities has = {.only_reads = true, .counts = true};
    static constexpr steps::over sweeps = steps::over::elements;
    steps::largest* result;
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// How rows are arranged in slices.
struct slice_plan {
    index_t window = 1;  ///< rows are sorted by length within windows of so many; 1: not sorted
    int split_above = tile_size;    ///< longer rows have several lanes, ...
    int most_per_lane = tile_size;  ///< ... so that no lane has more entries than this
    bool adapt = false;             ///< more lanes where adjacent rows differ in length
    bool compress = false;          ///< columns as offsets; repeated values as indices
    bool listed = false;            ///< columns are indices into lists
    bool by_column = false;         ///< one window for all rows; equally long ones by first column
    bool long_rows = false;         ///< rows longer than a tile are stored, too: a slice per tile
    slice_limits limits = {};       ///< for `adapt`
    sorting_limits sorting = {};    ///< whether a window is sorted

    DDLA_HD int widest() const { return split_above > most_per_lane ? split_above : most_per_lane; }
};

/// The entries of a tile of a long row.
struct long_tile {
    index_t begin, length;
};

/// The rows of slices in their order, followed by the tiles of long rows.
template <scalar V>
struct ordered_rows {
    csr<V> a;
    const std::uint32_t* order;  ///< the row at a position; null: rows are not reordered
    slice_plan plan;
    // If long rows are stored:
    const long_tile* long_tiles = nullptr;
    const std::uint32_t* tile_order = nullptr;  ///< the tile at a position after the rows

    DDLA_HD index_t row(index_t position) const
    {
        if (position >= a.rows) return a.rows + tile_order[position - a.rows];
        return order ? order[position] : position;
    }
    /// The number that a slice stores for row i: tiles of long rows are numbered separately.
    DDLA_HD index_t number(index_t i) const { return i < a.rows ? i : i - a.rows; }
    /// The entries of row i that are stored in slices.
    DDLA_HD int stored(index_t i) const
    {
        if (i >= a.rows) return static_cast<int>(long_tiles[i - a.rows].length);
        const index_t n = a.row_length(i);
        return n > tile_size ? 0 : static_cast<int>(n);
    }
    DDLA_HD index_t begin(index_t i) const
    {
        return i < a.rows ? a.row_begin[i] : long_tiles[i - a.rows].begin;
    }
    DDLA_HD bool is_left_out(index_t i) const { return i < a.rows && stored(i) < a.row_length(i); }
    DDLA_HD int longest(index_t position, index_t end) const
    {
        int most = 0;
        for (; position < end; ++position) {
            const int n = stored(row(position));
            most = n > most ? n : most;
        }
        return most;
    }
    /// f(slice), with its shape only, for the slices of a tile of positions.
    template <class F>
    DDLA_HD void for_slices(index_t tile, const F& f) const
    {
        const index_t next = (tile + 1) * tile_size, end = next < a.rows ? next : a.rows;
        for (index_t p = tile * tile_size; p < end;) {
            slice s{};
            s.log2_lanes = plan.adapt ? best_lanes(p, end) : usual_lanes(p, end);
            const index_t last = after(p, end, s.log2_lanes);
            s.set_width((longest(p, last) + s.lanes() - 1) >> s.log2_lanes);
            s.rows = static_cast<std::uint8_t>(last - p);
            s.position = static_cast<std::int32_t>(p);
            f(s);
            p = last;
        }
    }
    /// The slice of tile k of the long rows: one row with all 32 lanes.
    DDLA_HD slice slice_of_tile(index_t k) const
    {
        slice s{};
        s.log2_lanes = 5;
        const index_t p = a.rows + k;
        s.set_width((stored(row(p)) + lanes_of_slice - 1) / lanes_of_slice);
        s.rows = 1;
        s.position = static_cast<std::int32_t>(p);
        return s;
    }

private:
    /// The position after a slice that begins at p.
    DDLA_HD static index_t after(index_t p, index_t end, int log2_lanes)
    {
        const index_t last = p + (lanes_of_slice >> log2_lanes);
        return last < end ? last : end;
    }
    DDLA_HD std::uint8_t usual_lanes(index_t p, index_t end) const
    {
        std::uint8_t log2 = 0;
        if (const int n = longest(p, after(p, end, 0)); n > plan.split_above)
            while (n > plan.most_per_lane << log2) ++log2;
        return log2;
    }
    /// The fewest lanes a row, or more if that costs less per entry.
    DDLA_HD std::uint8_t best_lanes(index_t p, index_t end) const
    {
        std::uint8_t best = 0;
        double least = 0;
        for (std::uint8_t log2 = usual_lanes(p, end); log2 <= 5; ++log2) {
            const index_t last = after(p, end, log2);
            const int width = (longest(p, last) + (1 << log2) - 1) >> log2;
            index_t entries = 0;
            for (index_t q = p; q < last; ++q) entries += stored(row(q));
            const double cost = (double(width) * lanes_of_slice + plan.limits.cost_of_slice) /
                                double(entries > 0 ? entries : 1);
            if (least == 0 || cost < plan.limits.worth_more_lanes * least) {
                least = cost;
                best = log2;
            }
        }
        return best;
    }
};

/// sorted[t] = 1 if tile t is to be sorted: if it would have much padding as it is, or rows with
/// several lanes.
template <scalar V>
struct find_tiles_to_sort : conversion_step {
    ordered_rows<V> rows;
    std::uint8_t* sorted;
    DDLA_HD void operator()(index_t t, steps::no_scalars) const
    {
        const index_t begin = t * tile_size, next = begin + tile_size;
        const index_t end = next < rows.a.rows ? next : rows.a.rows;
        index_t slots = 0, entries = 0;
        int longest = 0;
        for (index_t p = begin; p < end; p += lanes_of_slice) {
            const index_t last = p + lanes_of_slice < end ? p + lanes_of_slice : end;
            const int most = rows.longest(p, last);
            longest = most > longest ? most : longest;
            slots += index_t(most) * lanes_of_slice;
            for (index_t i = p; i < last; ++i) entries += rows.stored(i);
        }
        const sorting_limits& limits = rows.plan.sorting;
        const index_t tolerated = entries / limits.part + limits.slots;
        sorted[t] = longest > rows.plan.split_above || slots > entries + tolerated;
    }
};

/// 1 if any tile is to be sorted.
struct any_sorted : largest_of {
    const std::uint8_t* sorted;
    DDLA_HD steps::largest operator()(index_t t, steps::no_scalars) const
    {
        return {double(sorted[t])};
    }
};

/// Sort keys of rows: by window, then longest first, then by first column.
template <scalar V>
struct make_keys : conversion_step {
    ordered_rows<V> rows;
    const std::uint8_t* sorted;  ///< 1 for tiles to be sorted; null: all
    std::uint64_t* key;
    std::uint32_t* row;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        std::uint64_t k = static_cast<std::uint64_t>(i / rows.plan.window) << 9;
        if (!sorted || sorted[i / tile_size])
            k |= static_cast<std::uint64_t>(tile_size - rows.stored(i));
        if (rows.plan.by_column) {
            const csr<V>& a = rows.a;
            const column_t first = a.row_length(i) > 0 ? a.column[a.row_begin[i]] : 0;
            k = k << 31 | static_cast<std::uint64_t>(first);
        }
        key[i] = k;
        row[i] = static_cast<std::uint32_t>(i);
    }
};

/// Sort keys of tiles of long rows: by first column.
template <scalar V>
struct make_tile_keys : conversion_step {
    ordered_rows<V> rows;
    std::uint64_t* key;
    std::uint32_t* tile;
    DDLA_HD void operator()(index_t t, steps::no_scalars) const
    {
        key[t] = static_cast<std::uint64_t>(rows.a.column[rows.begin(rows.a.rows + t)]);
        tile[t] = static_cast<std::uint32_t>(t);
    }
};

/// The tiles of long row k.
template <scalar V>
struct find_long_tiles : conversion_step {
    csr<V> a;
    long_tile* long_tiles;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        index_t begin = a.row_begin[a.long_rows.row[k]];
        index_t left = a.row_length(a.long_rows.row[k]);
        for (index_t t = a.long_rows.first_tile[k]; t < a.long_rows.first_tile[k + 1]; ++t) {
            long_tiles[t] = {begin, left < tile_size ? left : tile_size};
            begin += tile_size;
            left -= tile_size;
        }
    }
};

/// count[t] = the slices of tile t.
template <scalar V>
struct count_slices : conversion_step {
    ordered_rows<V> rows;
    index_t* count;
    DDLA_HD void operator()(index_t t, steps::no_scalars) const
    {
        index_t n = 0;
        rows.for_slices(t, [&](const slice&) { ++n; });
        count[t] = n;
    }
};

/// The shapes of the slices of tile t.
template <scalar V>
struct shape_slices : conversion_step {
    ordered_rows<V> rows;
    const index_t* first;
    slice* slices;
    DDLA_HD void operator()(index_t t, steps::no_scalars) const
    {
        index_t k = first[t];
        rows.for_slices(t, [&](const slice& s) { slices[k++] = s; });
    }
};

/// The shapes of the slices of tiles of long rows.
template <scalar V>
struct shape_tiles : conversion_step {
    ordered_rows<V> rows;
    slice* slices;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        slices[k] = rows.slice_of_tile(k);
    }
};

}  // namespace ddla::formats
