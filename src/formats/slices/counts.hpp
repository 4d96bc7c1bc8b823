// Counts of rows, entries and slices, from which a format is chosen.
#pragma once

#include "steps.hpp"

namespace ddla::formats {

/// The number of rows that have at least `length` entries.
template <scalar V>
struct count_long_rows : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {.counts = true};
    csr<V> a;
    index_t length;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t i, steps::no_scalars) const
    {
        return {a.row_length(i) >= length ? 1.0 : 0.0};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// The width of the widest slice with one lane a row.
struct widest_slice : largest_of {
    const slice* slices;
    DDLA_HD steps::largest operator()(index_t k, steps::no_scalars) const
    {
        return {slices[k].log2_lanes == 0 ? double(slices[k].width) : 0.0};
    }
};

/// The number of slices with one lane a row that are at most `width` wide.
struct count_narrow_slices : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {.counts = true};
    const slice* slices;
    int width;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t k, steps::no_scalars) const
    {
        return {slices[k].log2_lanes == 0 && slices[k].width <= width ? 1.0 : 0.0};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// The number of entries in rows longer than a tile.
template <scalar V>
struct count_entries_of_long : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {.counts = true};
    csr<V> a;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t k, steps::no_scalars) const
    {
        return {static_cast<double>(a.row_length(a.long_rows.row[k]))};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

}  // namespace ddla::formats
