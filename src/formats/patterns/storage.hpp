// Rows by number of pattern.
#pragma once

#include "formats/slices/storage.hpp"

namespace ddla::formats {

/// Up to eight entries of a pattern, those of a leaf of the tree of the summation rule: slots 0, 2,
/// 4, 6, 1, 3, 5, 7, for a thread takes the even ones first.
template <scalar V>
struct alignas(32) pattern_leaf {
    std::int32_t offset[slots_of_leaf];  ///< the column is the row and this
    double word[words_of<V>][slots_of_leaf];

    static DDLA_HD constexpr int place(int slot) { return slot / 2 + slot % 2 * slots_of_leaf / 2; }
    DDLA_HD V value(int slot) const
    {
        return from_words<V>([&](int w) { return word[w][place(slot)]; });
    }
};

/// Rows that have the same distances from the diagonal, and the same values, have one pattern, and
/// of a row there is but its number.  Or values are beside the patterns: of 32 rows that follow on
/// one another as those of a slice, slot by slot in the order of the leaves.
template <scalar V>
struct row_patterns {
    int count = 0;  ///< none where rows are stored in another way
    const std::uint8_t* of_row = nullptr;
    const std::int32_t* length = nullptr;   ///< the entries of a pattern
    const pattern_leaf<V>* leaf = nullptr;  ///< 2^log2_leaves for each
    int log2_leaves = 0;
    std::int32_t farthest = 0;  ///< the largest offset, or 0
    vec<const V> beside;        ///< values, unless patterns have them
    /// The first slot of each 32 rows in there, and behind the last one.
    const std::uint32_t* first_slot = nullptr;

    DDLA_HD bool has_values() const { return beside.size == 0; }
    DDLA_HD int first_of_leaf(int c) const { return reversed(c, log2_leaves); }
    /// Of leaf c of n slots.
    DDLA_HD int slots_of(int n, int c) const
    {
        return (n - first_of_leaf(c) + (1 << log2_leaves) - 1) >> log2_leaves;
    }
    /// Of entry k of row i.
    DDLA_HD column_t column(index_t i, int k) const
    {
        const pattern_leaf<V>& held = leaf_with(i, k);
        return static_cast<column_t>(i + held.offset[held.place(k >> log2_leaves)]);
    }
    DDLA_HD V value(index_t i, int k) const
    {
        return has_values() ? leaf_with(i, k).value(k >> log2_leaves) : beside.get(place(i, k));
    }
    /// Slots of 32 rows, for values beside the patterns.
    DDLA_HD int width(index_t group) const
    {
        return static_cast<int>(first_slot[group + 1] - first_slot[group]);
    }

private:
    /// Of a value beside the patterns.  Passes over the leaves before its own.
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
