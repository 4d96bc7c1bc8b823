// Counts of rows, of their entries and of slices, by which a plan is made.
#pragma once

#include "steps.hpp"

namespace ddla::formats {

/// Counts rows that have at least so many entries, as a sum of ones.
template <scalar V>
struct count_long_rows : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {};
    csr<V> a;
    index_t length;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t i, steps::no_scalars) const
    {
        return {a.row_length(i) >= length ? 1.0 : 0.0};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// The widest slice of rows of one lane.
struct widest_slice : largest_of {
    const slice* of;
    DDLA_HD steps::largest operator()(index_t k, steps::no_scalars) const
    {
        return {of[k].log2_lanes == 0 ? double(of[k].width) : 0.0};
    }
};

/// Counts slices of rows of one lane that are at most so wide, as a sum of ones.
struct count_narrow_slices : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {};
    const slice* of;
    int width;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t k, steps::no_scalars) const
    {
        return {of[k].log2_lanes == 0 && of[k].width <= width ? 1.0 : 0.0};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

/// The entries of the rows that are longer than a tile.
template <scalar V>
struct count_entries_of_long : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
    static constexpr steps::abilities has = {};
    csr<V> a;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t k, steps::no_scalars) const
    {
        return {static_cast<double>(a.row_length(a.long_rows.row[k]))};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

}  // namespace ddla::formats
