// The patterns format: rows stored as pattern numbers.
#pragma once

#include "formats/slices/storage.hpp"

namespace ddla::formats {

/// A leaf of the summation tree: up to eight entries of a pattern, as slots 0, 2, 4, 6, 1, 3, 5, 7,
/// because a thread takes the even ones first.
template <scalar V>
struct alignas(32) pattern_leaf {
    std::int32_t offset[slots_of_leaf];  ///< column - row
    double word[words_of<V>][slots_of_leaf];

    static DDLA_HD constexpr int place(int slot) { return slot / 2 + slot % 2 * slots_of_leaf / 2; }
    DDLA_HD V value(int slot) const
    {
        return from_words<V>([&](int w) { return word[w][place(slot)]; });
    }
};

/// Rows with equal column offsets from the diagonal and equal values have one pattern; a row stores
/// its number only.  Or values are separate from the patterns: those of 32 consecutive rows are
/// arranged as in a slice, slot by slot in the order of the leaves.
template <scalar V>
struct row_patterns {
    int count = 0;  ///< 0: the format is not this one
    const std::uint8_t* of_row = nullptr;
    const std::int32_t* length = nullptr;   ///< entries of each pattern
    const pattern_leaf<V>* leaf = nullptr;  ///< 2^log2_leaves for each pattern
    int log2_leaves = 0;
    vec<const V> beside;  ///< separate values; empty if patterns have them
    /// The first slot of each group of 32 rows in `beside`, and the end of the last.
    const std::uint32_t* first_slot = nullptr;

    DDLA_HD bool has_values() const { return beside.size == 0; }
    DDLA_HD int first_of_leaf(int c) const { return reversed(c, log2_leaves); }
    /// The slots of leaf c, of n in all.
    DDLA_HD int slots_of(int n, int c) const
    {
        return (n - first_of_leaf(c) + (1 << log2_leaves) - 1) >> log2_leaves;
    }
    /// The column of entry k of row i.
    DDLA_HD column_t column(index_t i, int k) const
    {
        const pattern_leaf<V>& held = leaf_with(i, k);
        return static_cast<column_t>(i + held.offset[held.place(k >> log2_leaves)]);
    }
    DDLA_HD V value(index_t i, int k) const
    {
        return has_values() ? leaf_with(i, k).value(k >> log2_leaves) : beside.get(place(i, k));
    }
    /// The slots of a group of 32 rows, with separate values.
    DDLA_HD int width(index_t group) const
    {
        return static_cast<int>(first_slot[group + 1] - first_slot[group]);
    }

private:
    /// The place of entry k of row i in `beside`.  Walks over the leaves before its own.
    DDLA_HD index_t place(index_t i, int k) const
    {
        const index_t group = i / lanes_of_slice;
        index_t slot = first_slot[group] + (k >> log2_leaves);
        for (int c = 0; c < number_of_leaf(k); ++c) slot += slots_of(width(group), c);
        return slot * lanes_of_slice + i % lanes_of_slice;
    }
    DDLA_HD int number_of_leaf(int k) const
    {
        return reversed(k & ((1 << log2_leaves) - 1), log2_leaves);
    }
    DDLA_HD const pattern_leaf<V>& leaf_with(index_t i, int k) const
    {
        return leaf[(int(of_row[i]) << log2_leaves) + number_of_leaf(k)];
    }
};

}  // namespace ddla::formats
