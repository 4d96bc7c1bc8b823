// The rows of a matrix in slices.
//
// A slice has 32 lanes, one thread of a device each.  A row has 1, 2, 4, ... lanes of its own; lane
// l of m holds its entries l, l + m, l + 2 m, ..., one a slot, and slot j of all lanes lies side by
// side: neighbouring threads load neighbouring memory.  With one lane a row this is sliced ELL.
//
// Slots are stored in the order in which a thread adds: leaf by leaf of the tree of the summation
// rule, of up to eight slots each; see for_leaves().
//
// Rows of more than 256 entries are stored tile by tile, each tile as a row of its own, or not at
// all: then they are summed from the compressed rows.
#pragma once

#include "ddla/summation.hpp"
#include "ddla/views.hpp"

#include <cstdint>

namespace ddla::formats {

inline constexpr int lanes_of_slice = 32;
inline constexpr int slots_of_leaf = 8;
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
///                   themselves); of tiles of long rows: the numbers of these
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
    /// The first slices: those of tiles of long rows, a tile each in the order of their first
    /// columns.
    index_t of_long = 0;
    const slice* of = nullptr;
    const std::uint8_t* code = nullptr;
    index_t slots = 0;          ///< of all lanes ...
    index_t slots_of_long = 0;  ///< ... of those of tiles of long rows
    vec<const V> distinct;      ///< the values, if they are stored as numbers; else empty
    /// At most so many slots in a lane of rows that are not long; 8 at least if long ones are here.
    int widest = 0;
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
        return from_words<V>(
            [&](int w) { return read_code<double>(code, leaf.value_at(w, r, lane)); });
    }
};

}  // namespace ddla::formats
