// How the different columns of each 512 rows are listed: steps over rows, keys and lists.
#pragma once

#include "slice_steps.hpp"

namespace ddla::formats {

/// A key for each entry of row i that slices store, from number first[i] on: the number of the
/// list, and in the lowest 32 bits the column.
template <scalar V>
struct key_columns : making_step {
    csr<V> a;
    const index_t* first;
    std::uint64_t* key;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        const index_t n = a.row_length(i);
        if (n > tile_size) return;
        const auto list = static_cast<std::uint64_t>(i / rows_of_list) << 32;
        for (index_t k = 0; k < n; ++k)
            key[first[i] + k] = list | static_cast<std::uint32_t>(a.column[a.row_begin[i] + k]);
    }
};

/// Where list t begins among the different keys, which ascend.
struct begin_list : making_step {
    const std::uint64_t* key;
    index_t count;
    listed_rows* of;
    DDLA_HD void operator()(index_t t, steps::no_scalars) const
    {
        const auto least = static_cast<std::uint64_t>(t) << 32;
        index_t low = 0;
        for (index_t end = count; low < end;) {
            const index_t middle = low + (end - low) / 2;
            if (key[middle] < least)
                low = middle + 1;
            else
                end = middle;
        }
        of[t].first_column = low;
    }
};

struct longest_of_lists : steps::always {
    using sum = steps::largest;
    static constexpr bool only_reads = true;
    static constexpr steps::over sweeps = steps::over::elements;
    const listed_rows* of;
    steps::largest* result;
    DDLA_HD steps::largest operator()(index_t t, steps::no_scalars) const
    {
        return {static_cast<double>(of[t + 1].first_column - of[t].first_column)};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

struct list_column : making_step {
    const std::uint64_t* key;
    column_t* column;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        column[k] = static_cast<column_t>(key[k] & 0xffffffffu);
    }
};

/// The first slice of the rows of list t: slices lie in the order of their positions.
struct find_slices : making_step {
    const slice* slices;
    index_t count;
    listed_rows* of;
    DDLA_HD void operator()(index_t t, steps::no_scalars) const
    {
        index_t low = 0;
        for (index_t end = count; low < end;) {
            const index_t middle = low + (end - low) / 2;
            if (slices[middle].position < t * rows_of_list)
                low = middle + 1;
            else
                end = middle;
        }
        of[t].first_slice = low;
    }
};

}  // namespace ddla::formats
