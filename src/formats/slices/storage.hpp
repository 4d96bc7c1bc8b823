// The slices format: sliced ELL, with one lane or more for each row.
//
// A slice has 32 lanes; on a device each is a thread.  A row has 1, 2, 4, ... lanes.  Lane l of m
// holds its entries l, l + m, l + 2 m, ..., one per slot.  Slot j of all lanes is contiguous, so
// loads are coalesced.
//
// Slots are stored in the order in which a thread adds: by leaves of the summation tree, which have
// up to eight slots each; see for_leaves().
//
// Rows of more than 256 entries are stored tile by tile, each tile in a slice; or they are left
// out, and summed from the compressed rows.
#pragma once

#include "ddla/summation.hpp"
#include "ddla/views.hpp"

#include <cstdint>

namespace ddla::formats {

inline constexpr int lanes_of_slice = 32;
inline constexpr int slots_of_leaf = 8;
/// In place of a length: the row is not in the slice, but summed from the compressed rows.
inline constexpr std::uint16_t left_out = 0xffff;

/// The lowest `bits` bits of x in reverse order.
DDLA_HD constexpr int reversed(int x, int bits)
{
    int y = 0;
    for (int b = 0; b < bits; ++b) y |= (x >> b & 1) << (bits - 1 - b);
    return y;
}

/// The descriptor of a slice: where it is, and how it is encoded.  From byte `begin` on:
///
///     row numbers   32 of row_bytes each (0: consecutive from `first`; 1: offsets from `first`;
///                   4: the numbers themselves); of tiles of long rows, tile numbers
///     lengths       32 of two bytes each; absent if `full`
///     leaves        see leaf_of_slice
struct alignas(16) slice {
    index_t begin;              ///< in bytes; a multiple of 32
    std::int32_t first;         ///< see row_bytes
    std::int32_t position;      ///< of its first row in the row order of the format
    std::uint16_t width;        ///< slots of each lane
    std::uint8_t rows;          ///< 1 ... 32
    std::uint8_t log2_lanes;    ///< lanes of a row
    std::uint8_t row_bytes;     ///< 0, 1 or 4
    std::uint8_t column_bytes;  ///< 0, 1, 2 or 4
    std::uint8_t full;          ///< 1: no padding and no lengths
    std::uint8_t log2_leaves;   ///< 2^log2_leaves leaves a lane
    std::uint8_t value_bytes;   ///< 1, 8 or 16
    std::uint8_t listed;        ///< 1: columns are two-byte indices into a list
    std::uint8_t unused[6];

    DDLA_HD int lanes() const { return 1 << log2_lanes; }
    DDLA_HD index_t slots() const { return index_t(width) * lanes_of_slice; }
    DDLA_HD index_t lengths_at() const { return begin + lanes_of_slice * row_bytes; }
    DDLA_HD index_t leaves_at() const { return lengths_at() + (full ? 0 : 2 * lanes_of_slice); }
    /// Leaf c has slots f, f + 2^log2_leaves, ... below width, where f = first_of_leaf(c).
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

/// A leaf of up to eight slots, each part slot by slot, 32 lanes a slot:
///
///     values    high words, then low words; or one byte, an index into the distinct values
///     columns   column_bytes each, to be added to the base of the slot (0: the lane is added);
///               with four bytes the column itself; if listed, its index in the list
///     bases     four bytes a slot, if column_bytes < 4 and columns are not listed; padded to a
///               multiple of 16 bytes
struct leaf_of_slice {
    index_t begin;  ///< in bytes
    int first;      ///< its first slot; the next one is `apart` further
    int apart;
    int slots;
    int value_bytes, column_bytes;
    bool has_bases;

    /// Leaf c of a slice, which begins at byte `begin`.
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

/// f(leaf) for the leaves of a slice, in the order in which a lane adds; returns the end of the
/// last.
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
/// The leaf that has slot j of the slice, as its slot number j >> log2_leaves.
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

/// Where slices are sorted, widest first: the first slices that are at most half, a quarter, an
/// eighth as wide as the widest.  Slices of rows with several lanes come before them and do not
/// count as the widest.
struct short_slices {
    index_t half = 0, quarter = 0, eighth = 0;  ///< numbers of slices

    DDLA_HD bool is_none() const { return half == 0; }
};

/// A matrix in slices.
template <scalar V>
struct slice_list {
    index_t count = 0;  ///< including those of tiles of long rows
    /// The first slices are those of tiles of long rows, sorted by first column.
    index_t of_long = 0;
    const slice* slices = nullptr;
    const std::uint8_t* code = nullptr;
    index_t slots = 0;          ///< of all lanes ...
    index_t slots_of_long = 0;  ///< ... of those of tiles of long rows
    vec<const V> distinct;      ///< what one-byte codes index; empty: values are stored directly
    /// An upper bound of the slots of a lane.
    int widest = 0;
    short_slices shorter;  ///< if all rows are sorted by length

    /// The number of row r of a slice.
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
    /// The column of slot r of a leaf; where columns are listed, its index in the list.
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
