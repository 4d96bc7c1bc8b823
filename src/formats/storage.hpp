// Other storages of the rows of a matrix than compressed rows: slices and single entries.
//
// A slice has 32 lanes, one thread of a device each.  A row has 1, 2, 4, ... lanes of its own; lane
// l of m holds its entries l, l + m, l + 2 m, ..., one a slot, and slot j of all lanes lies side by
// side: neighbouring threads load neighbouring memory.  With one lane a row this is sliced ELL.
//
// Slots are stored in the order in which a thread adds: leaf by leaf of the tree of the summation
// rule, of up to eight slots each; see slice::for_slots().
//
// Rows of more than 256 entries are stored tile by tile, each tile as a row of its own, or not at
// all: then they are summed from the compressed rows.
//
// Columns are stored in each slice, or listed: all slices of 256 or 512 rows share one list of
// their different columns, and an entry has its number in it, from 1 on.  A block of a device loads
// x of the list once.  Then a row has one lane, and slots without an entry hold -0 and number 0.
//
// Or they are in bins: columns beyond the first bin are numbers of what is gathered before.
#pragma once

#include "ddla/sparse_format.hpp"
#include "ddla/summation.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace ddla {

namespace formats {

inline constexpr int lanes_of_slice = 32;
inline constexpr int slots_of_leaf = 8;
/// Rows whose slices share a list of columns, at most.
inline constexpr index_t most_rows_of_list = 2 * tile_size;
/// A list is at most so long: x of it in double-double takes 51 KB of the shared memory of a block.
inline constexpr int longest_list = 3200;
/// In place of a length: the row is summed elsewhere.
inline constexpr std::uint16_t left_out = 0xffff;

/// The lowest `bits` of x in reverse.
DDLA_HD constexpr int reversed(int x, int bits)
{
    int y = 0;
    for (int b = 0; b < bits; ++b) y |= (x >> b & 1) << (bits - 1 - b);
    return y;
}

/// Where a slice is, and how it is coded.  From `begin` on follow one another
///
///     row numbers   32 of row_bytes each (0: they follow on `first`; 1: added to `first`; 4: they
///                   themselves); of a tile of a long row: nothing, `first` is its number
///     lengths       32 of two bytes each, or nothing if all slots are filled
///     leaves        see leaf_of_slice
struct alignas(16) slice {
    index_t begin;              ///< in bytes; a multiple of 32
    std::int32_t first;         ///< see row_bytes
    std::int32_t position;      ///< of its first row in the order of the rows
    std::uint16_t width;        ///< slots of each lane
    std::uint8_t rows;          ///< 1 ... 32
    std::uint8_t log2_lanes;    ///< lanes of a row
    std::uint8_t row_bytes;     ///< 0, 1 or 4
    std::uint8_t column_bytes;  ///< 0, 1, 2 or 4
    std::uint8_t full;          ///< 1: no lengths
    std::uint8_t log2_leaves;   ///< each has half of the slots of a lane, or a quarter, ...
    std::uint8_t value_bytes;   ///< 1, 8 or 16
    std::uint8_t listed;        ///< 1: columns are numbers in a list, two bytes each
    std::uint8_t eights[4];     ///< see mark_eights; only on the host
    std::uint8_t unused[2];

    DDLA_HD int lanes() const { return 1 << log2_lanes; }
    DDLA_HD index_t slots() const { return index_t(width) * lanes_of_slice; }
    DDLA_HD index_t lengths_at() const { return begin + lanes_of_slice * row_bytes; }
    DDLA_HD index_t leaves_at() const { return lengths_at() + (full ? 0 : 2 * lanes_of_slice); }
    /// Leaf c has the slots f, f + 2^log2_leaves, ... below width, f = first_of_leaf(c).
    DDLA_HD int first_of_leaf(int c) const { return reversed(c, log2_leaves); }
    DDLA_HD int slots_from(int j) const
    {
        return (width - j + (1 << log2_leaves) - 1) >> log2_leaves;
    }
    DDLA_HD void set_width(int slots)
    {
        width = static_cast<std::uint16_t>(slots);
        log2_leaves = 0;
        while (slots > slots_of_leaf << log2_leaves) ++log2_leaves;
    }
};
static_assert(sizeof(slice) == 32);

/// A leaf: of its slots, one after the other
///
///     values    of 32 lanes: high words, of all slots low words; or one byte, the number among
///               the distinct ones
///     columns   of 32 lanes: column_bytes each, to be added to the base (0: the number of the lane
///               is added), or with four bytes as they are
///     bases     four bytes each, if column_bytes < 4 and columns are not listed; filled up to a
///               multiple of 16 bytes
struct leaf_of_slice {
    index_t begin;  ///< in bytes
    int first;      ///< its first slot; the next one is `apart` further
    int apart;
    int slots;
    int value_bytes, column_bytes;
    bool has_bases;

    /// The one that begins there.
    static DDLA_HD leaf_of_slice at(const slice& s, int c, index_t begin)
    {
        const int first = s.first_of_leaf(c);
        return {begin,
                first,
                1 << s.log2_leaves,
                s.slots_from(first),
                s.value_bytes,
                s.column_bytes,
                s.column_bytes < 4 && !s.listed};
    }
    DDLA_HD index_t value_at(int word, int r, int lane) const
    {
        const int bytes = value_bytes < 8 ? value_bytes : 8;
        return begin + ((word * slots + r) * lanes_of_slice + lane) * bytes;
    }
    DDLA_HD index_t column_at(int r, int lane) const
    {
        return begin + slots * lanes_of_slice * value_bytes +
               (r * lanes_of_slice + lane) * column_bytes;
    }
    DDLA_HD index_t base_at(int r) const { return column_at(slots, 0) + 4 * r; }
    DDLA_HD index_t end() const { return base_at(0) + (has_bases ? (slots + 3) / 4 * 16 : 0); }
};

/// f(leaf) for those of a slice, in the order in which a lane adds; returns the end of the last.
template <class F>
DDLA_HD index_t for_leaves(const slice& s, const F& f)
{
    index_t begin = s.leaves_at();
    for (int c = 0; c < 1 << s.log2_leaves; ++c) {
        const leaf_of_slice leaf = leaf_of_slice::at(s, c, begin);
        f(leaf);
        begin = leaf.end();
    }
    return begin;
}
/// That of slot j, where it is number j >> log2_leaves.
DDLA_HD inline leaf_of_slice leaf_with(const slice& s, int j)
{
    leaf_of_slice found{};
    for_leaves(s, [&](const leaf_of_slice& leaf) {
        if ((j - leaf.first) % leaf.apart == 0) found = leaf;
    });
    return found;
}

template <class Number>
DDLA_HD Number read_code(const std::uint8_t* code, index_t byte)
{
    return *reinterpret_cast<const Number*>(code + byte);
}
template <class Number>
DDLA_HD void write_code(std::uint8_t* code, index_t byte, Number x)
{
    *reinterpret_cast<Number*>(code + byte) = x;
}

/// Where slices, of which each is as wide as the one before or less, are at most a half, a quarter,
/// an eighth as wide as the widest; those of rows with several lanes, in front of them, do not
/// count.
struct short_slices {
    index_t half = 0, quarter = 0, eighth = 0;  ///< from these numbers on

    DDLA_HD bool is_none() const { return half == 0; }
};

/// The rows of a matrix in slices.
template <scalar V>
struct slice_list {
    index_t count = 0;  ///< those of tiles of long rows included
    /// The first slices: a tile of a long row each, in the order of their first columns.
    index_t tiles_of_long = 0;
    const slice* of = nullptr;
    const std::uint8_t* code = nullptr;
    index_t slots = 0;          ///< of all lanes ...
    index_t slots_of_long = 0;  ///< ... of those of tiles of long rows
    vec<const V> distinct;      ///< the values, if they are stored as numbers; else empty
    int widest = 0;             ///< at most so many slots in a lane
    /// Each row has one lane, and those of tile t are in the slices 8 t to 8 t + 7.
    bool tile_by_tile = false;
    short_slices shorter;  ///< where all rows are sorted by length

    /// Row r of a slice.
    DDLA_HD index_t row(const slice& s, int r) const
    {
        if (s.row_bytes == 0) return s.first + r;
        if (s.row_bytes == 1) return s.first + code[s.begin + r];
        return read_code<std::int32_t>(code, s.begin + 4 * r);
    }
    /// Its length, or left_out.
    DDLA_HD int length(const slice& s, int r) const
    {
        if (s.full) return s.width << s.log2_lanes;
        return read_code<std::uint16_t>(code, s.lengths_at() + 2 * r);
    }
    /// Of slot r of a leaf; where columns are listed, its number.
    DDLA_HD column_t column(const leaf_of_slice& leaf, int r, int lane) const
    {
        const index_t at = leaf.column_at(r, lane);
        if (leaf.column_bytes == 4) return read_code<column_t>(code, at);
        if (!leaf.has_bases) return read_code<std::uint16_t>(code, at);
        const column_t base = read_code<column_t>(code, leaf.base_at(r));
        if (leaf.column_bytes == 0) return base + lane;
        return base + (leaf.column_bytes == 1 ? code[at] : read_code<std::uint16_t>(code, at));
    }
    DDLA_HD V value(const leaf_of_slice& leaf, int r, int lane) const
    {
        if (leaf.value_bytes == 1) return distinct.get(code[leaf.value_at(0, r, lane)]);
        const double high = read_code<double>(code, leaf.value_at(0, r, lane));
        if constexpr (words_of<V> == 1)
            return high;
        else
            return {high, read_code<double>(code, leaf.value_at(1, r, lane))};
    }
};

/// The columns of slices that are listed.
struct column_lists {
    index_t count = 0;                 ///< none where columns are not listed
    int rows = 0;                      ///< that share a list, 256 or 512
    const index_t* first = nullptr;    ///< where each list begins, and where the last one ends
    const column_t* column = nullptr;  ///< of each list in ascending order
    index_t columns = 0;               ///< of all lists
    int longest = 0;

    /// That of a number in the list of a slice.
    DDLA_HD column_t column_of(const slice& s, column_t number) const
    {
        return column[first[s.position / rows] + number - 1];
    }
    /// Its number there.
    DDLA_HD column_t number_of(const slice& s, column_t wanted) const
    {
        const index_t* const mine = first + s.position / rows;
        index_t low = mine[0];
        for (index_t end = mine[1]; end - low > 1;) {
            const index_t middle = low + (end - low) / 2;
            if (column[middle] <= wanted)
                low = middle;
            else
                end = middle;
        }
        return static_cast<column_t>(low - mine[0] + 1);
    }
};

/// Columns in bins, of which slices have but the first: the others are numbers behind its columns,
/// of elements that a product gathers before it begins, bin by bin.  See bins.hpp.
struct column_bins {
    column_t direct = 0;             ///< the columns of the first bin
    index_t count = 0;               ///< numbers; none where columns are not in bins
    const column_t* from = nullptr;  ///< the column of a number, less `direct`

    /// That of a column of slices.
    DDLA_HD column_t column_of(column_t stored) const
    {
        return count == 0 || stored < direct ? stored : direct + from[stored - direct];
    }
};

/// Entries with a row number each, in the order of the rows (COO).
template <scalar V>
struct entry_list {
    index_t count = 0;
    const std::int32_t* row = nullptr;
    const column_t* column = nullptr;
    vec<const V> value;
    /// So many entries of each row come before: those of the slice of its number / 32 (HYB).
    int before = 0;
    index_t empty_rows = 0;
    const std::int32_t* empty_row = nullptr;  ///< those without any entry
};

}  // namespace formats

/// Bytes of the offsets, columns and values of plain compressed rows.
template <scalar V>
std::size_t bytes_of_compressed_rows(const csr<V>& a)
{
    return static_cast<std::size_t>(a.rows + 1) * static_cast<std::size_t>(a.row_begin.bytes()) +
           static_cast<std::size_t>(a.nonzeros()) * (sizeof(column_t) + sizeof(V));
}

/// A matrix stored in another way.  The views point into `memory`.
template <scalar V>
struct row_storage {
    format_report report;
    formats::slice_list<V> slices;
    formats::column_lists lists;
    formats::column_bins bins;
    formats::entry_list<V> entries;
    /// Of the slots, the part whose column is far from that of the lane before: another line of a
    /// cache.
    double far = 0;
    bool sorted = false;  ///< rows of a tile are not in their order everywhere
    std::vector<buffer> memory;

    /// Most lanes gather x far from where their neighbours do.
    bool scattered() const { return far > 0.75; }
    /// Slices that are not those of tiles of long rows ...
    index_t short_slices() const { return slices.count - slices.tiles_of_long; }
    /// ... and the slots of a lane of these, in the mean.
    double slots_of_short_slice() const
    {
        return double(slices.slots - slices.slots_of_long) /
               double(formats::lanes_of_slice * std::max<index_t>(short_slices(), 1));
    }
    /// All rows of a tile are in its slices, or only compressed.
    bool in_slices_by_tiles() const
    {
        return slices.tile_by_tile && entries.count + entries.empty_rows == 0;
    }
    /// False for other ways to walk through the compressed rows.
    bool has_rows() const { return slices.count > 0 || entries.count + entries.empty_rows > 0; }
    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const buffer& b : memory) sum += b.bytes();
        return sum;
    }
};

/// What a product reads of A, in the format that it is stored in; and of x, beyond all of it once,
/// the elements of all lists of columns, or, written and read, those that are gathered before.
template <scalar T, scalar V>
std::size_t bytes_read_by_product(const csr<V>& a)
{
    if (!a.storage) return bytes_of_compressed_rows(a);
    const index_t again = std::max<index_t>(a.storage->lists.columns - a.columns, 0);
    return a.storage->report.product_bytes +
           static_cast<std::size_t>(again + 2 * a.storage->bins.count) * sizeof(T);
}

}  // namespace ddla
