// How rows become single entries: steps over rows and entries.
#pragma once

#include "formats/slices/codes.hpp"

namespace ddla::formats {

/// count[i] = 1 for each row without entries.
template <scalar V>
struct mark_empty_row : making_step {
    csr<V> a;
    index_t* count;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const { count[i] = a.row_length(i) == 0; }
};

/// The rows without entries, at the place that the marks before them count.
template <scalar V>
struct list_empty_row : making_step {
    csr<V> a;
    const index_t* before;
    std::int32_t* row;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        if (a.row_length(i) == 0) row[before[i]] = static_cast<std::int32_t>(i);
    }
};

/// count[i] = the entries of row i that are listed: those from number `before` on.
template <scalar V>
struct count_entries : making_step {
    csr<V> a;
    int before;
    index_t* count;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        const index_t n = a.row_length(i);
        count[i] = n > tile_size || n <= before ? 0 : n - before;
    }
};

/// The listed entries of row i.  Columns and values are those of the compressed rows, or copies.
template <scalar V>
struct list_entries : making_step {
    csr<V> a;
    int before;
    const index_t* first;
    std::int32_t* row;
    column_t* column;
    vec<V> value;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        const index_t n = a.row_length(i), from = a.row_begin[i] + before;
        if (n > tile_size) return;
        for (index_t k = 0; k < n - before; ++k) {
            row[first[i] + k] = static_cast<std::int32_t>(i);
            column[first[i] + k] = a.column[from + k];
            value.set(first[i] + k, a.value.get(from + k));
        }
    }
};

/// Counts rows that have at least so many entries, as a sum of ones.
template <scalar V>
struct count_long_rows : steps::always {
    using sum = sums<double, 1>;
    static constexpr steps::over sweeps = steps::over::elements;
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
    csr<V> a;
    sums<double, 1>* result;
    DDLA_HD sum operator()(index_t k, steps::no_scalars) const
    {
        return {static_cast<double>(a.row_length(a.long_rows.row[k]))};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

}  // namespace ddla::formats
