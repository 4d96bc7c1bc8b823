// How lists of distinct columns are made: steps over rows, keys and lists.
#pragma once

#include "formats/slices/steps.hpp"

namespace ddla::formats {

/// The rows of all lists, or of every `apart`-th one; rows longer than a tile count as empty.
template <scalar V>
struct rows_of_lists {
    csr<V> a;
    int rows;  ///< of a list
    index_t apart;

    DDLA_HD index_t row(index_t i) const { return i / rows * apart * rows + i % rows; }
    DDLA_HD index_t length(index_t i) const
    {
        const index_t n = row(i) < a.rows ? a.row_length(row(i)) : 0;
        return n > tile_size ? 0 : n;
    }
};

template <scalar V>
struct count_listed : conversion_step {
    rows_of_lists<V> listed;
    index_t* count;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const { count[i] = listed.length(i); }
};

/// A key for each entry of row i, from index first[i] on: the number of its list, and in the lowest
/// 32 bits its column.
template <scalar V>
struct key_columns : conversion_step {
    rows_of_lists<V> listed;
    const index_t* first;
    std::uint64_t* key;
    DDLA_HD void operator()(index_t i, steps::no_scalars) const
    {
        const auto list = static_cast<std::uint64_t>(i / listed.rows) << 32;
        for (index_t k = 0; k < listed.length(i); ++k) {
            const column_t column = listed.a.column[listed.a.row_begin[listed.row(i)] + k];
            key[first[i] + k] = list | static_cast<std::uint32_t>(column);
        }
    }
};

/// Keys of lists that are joined in pairs.
struct join_lists : conversion_step {
    const std::uint64_t* from;
    std::uint64_t* key;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        key[k] = (from[k] >> 33) << 32 | (from[k] & 0xffffffffu);
    }
};

/// Where list t begins among the distinct keys, which ascend.
struct begin_list : conversion_step {
    const std::uint64_t* key;
    index_t count;
    index_t* first;
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
        first[t] = low;
    }
};

struct longest_of_lists : largest_of {
    const index_t* first;
    DDLA_HD steps::largest operator()(index_t t, steps::no_scalars) const
    {
        return {static_cast<double>(first[t + 1] - first[t])};
    }
};

struct list_column : conversion_step {
    const std::uint64_t* key;
    column_t* column;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        column[k] = static_cast<column_t>(key[k] & 0xffffffffu);
    }
};

}  // namespace ddla::formats
