// How columns are put into bins: steps over entries.
#pragma once

#include "formats/slices/steps.hpp"

namespace ddla::formats {

/// How many entries are in the first bin.
struct count_first_bin : steps::always {
    using sum = sums<double, 1>;
    static constexpr bool only_reads = true;
    static constexpr steps::over sweeps = steps::over::elements;
    const column_t* column;
    column_t direct;
    sum* result;
    DDLA_HD sum operator()(index_t k, steps::no_scalars) const
    {
        return {{column[k] < direct ? 1.0 : 0.0}};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// Bits of where in a slice an entry is.
inline constexpr int bits_of_place = 13;
static_assert(tile_size * lanes_of_slice == 1 << bits_of_place);

/// Keys under which entries sort by bin, those of a bin as they are stored: by slice, slot, lane.
/// Element 32 k + l: those of lane l of slice k.
template <scalar V>
struct key_by_bin : making_step {
    ordered_rows<V> rows;
    const slice* of;
    column_t columns_each;
    int bits_below;  ///< the number of the bin
    std::uint64_t* key;
    std::uint32_t* entry;
    DDLA_HD void operator()(index_t element, steps::no_scalars) const
    {
        const index_t number = element / lanes_of_slice;
        const slice s = of[number];
        const int lane = static_cast<int>(element % lanes_of_slice);
        const int r = lane >> s.log2_lanes, l = lane & (s.lanes() - 1);
        if (r >= s.rows) return;
        const index_t i = rows.row(s.position + r), begin = rows.begin(i);
        const int n = rows.stored(i);
        std::uint64_t at = static_cast<std::uint64_t>(number) << bits_of_place | unsigned(lane);
        for_leaves(s, [&](const leaf_of_slice& leaf) {
            for (int slot = 0; slot < leaf.slots; ++slot, at += lanes_of_slice) {
                const int k = ((leaf.first + slot * leaf.apart) << s.log2_lanes) + l;
                if (k < n) put(begin + k, at);
            }
        });
    }

private:
    DDLA_HD void put(index_t k, std::uint64_t at) const
    {
        key[k] = static_cast<std::uint64_t>(rows.a.column[k] / columns_each) << bits_below | at;
        entry[k] = static_cast<std::uint32_t>(k);
    }
};

/// New columns in the order of the bins: those of the first bin stay, the others are numbers behind
/// it, and from[] says of what.
struct number_by_bin : making_step {
    const std::uint32_t* order;
    const column_t* column;
    column_t direct;
    index_t entries_in_first;
    column_t* from;
    column_t* renumbered;
    DDLA_HD void operator()(index_t q, steps::no_scalars) const
    {
        const std::uint32_t k = order[q];
        if (q < entries_in_first) {
            renumbered[k] = column[k];
        } else {
            from[q - entries_in_first] = column[k] - direct;
            renumbered[k] = static_cast<column_t>(direct + (q - entries_in_first));
        }
    }
};

/// Keys of the lines of x that entries want: `each` entries that follow on one another, from every
/// `apart`-th on.
struct key_of_line : making_step {
    const column_t* column;
    int columns_of_line;
    index_t each, apart;
    std::uint64_t* key;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        const index_t place = k / each;
        const column_t line = column[place * apart + k % each] / columns_of_line;
        key[k] = static_cast<std::uint64_t>(place) << 32 | static_cast<std::uint32_t>(line);
    }
};

}  // namespace ddla::formats
