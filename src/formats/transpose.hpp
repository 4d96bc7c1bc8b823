// The transpose of compressed rows, at the place of the matrix: entries sorted by column.
//
// The sort is stable, so that a column keeps its entries in the order of the rows, as the transpose
// of the host does (storage/transposed.hpp): a row of A^T has the same sum, bit by bit.
#pragma once

#include "formats/slices/steps.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/error.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

namespace ddla::formats {

/// Entry k has its column as its key.
struct number_entries : conversion_step {
    const column_t* column;
    std::uint32_t *key, *number;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        key[k] = static_cast<std::uint32_t>(column[k]);
        number[k] = static_cast<std::uint32_t>(k);
    }
};

/// Row j of A^T starts behind the entries of the columns before j.
struct start_rows : conversion_step {
    const std::uint32_t* key;  ///< ascending
    index_t count;
    index_t* start;
    DDLA_HD void operator()(index_t j, steps::no_scalars) const
    {
        index_t low = 0;
        for (index_t end = count; low < end;) {
            const index_t middle = low + (end - low) / 2;
            if (static_cast<index_t>(key[middle]) < j)
                low = middle + 1;
            else
                end = middle;
        }
        start[j] = low;
    }
};

/// Entry k of A^T is entry number[k] of A.
template <scalar V>
struct gather_entries : conversion_step {
    csr<V> a;
    const std::uint32_t* number;
    column_t* column;
    vec<V> value;
    DDLA_HD void operator()(index_t k, steps::no_scalars) const
    {
        const auto from = static_cast<index_t>(number[k]);
        column[k] = static_cast<column_t>(row_of(from));
        value.set(k, a.value.get(from));
    }

private:
    /// The last row that starts at `entry` or before: empty rows that start there are before it.
    DDLA_HD index_t row_of(index_t entry) const
    {
        index_t low = 0;
        for (index_t end = a.rows; end - low > 1;) {
            const index_t middle = low + (end - low) / 2;
            if (a.row_begin[middle] <= entry)
                low = middle;
            else
                end = middle;
        }
        return low;
    }
};

/// A^T at the place of A, which is `at`.  Throws resource_error if memory does not suffice, or for
/// more entries than 32 bits number.  Waits.
/// Cost: a sort of pairs of 32 bits; 16 bytes an entry besides A^T.
template <class Call, scalar V>
csr_matrix<V> transposed_by_sorting(Call& call, place where, const csr<V>& a)
{
    const index_t n = a.nonzeros();
    if (n > std::numeric_limits<std::uint32_t>::max())
        throw resource_error("transpose: " + std::to_string(n) + " entries at " + to_string(where) +
                             " are more than the " +
                             std::to_string(std::numeric_limits<std::uint32_t>::max()) +
                             " that can be sorted there: transpose the matrix at the host");
    buffer row_begin(static_cast<std::size_t>(a.columns + 1) * sizeof(index_t), where);
    buffer column(static_cast<std::size_t>(n) * sizeof(column_t), where);
    vector<V> value(n, where);

    auto* const key = call.memory.template objects<std::uint32_t>(n);
    auto* const number = call.memory.template objects<std::uint32_t>(n);
    call.backend.run(number_entries{{}, a.column, key, number}, n);
    const int bits =
        std::max(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(a.columns))), 1);
    std::pair<const std::uint32_t*, const std::uint32_t*> sorted{key, number};
    if (n > 0) sorted = call.backend.sort_pairs(key, number, n, bits, call.memory);
    auto* const start = static_cast<index_t*>(row_begin.data());
    call.backend.run(start_rows{{}, sorted.first, n, start}, a.columns + 1);
    call.backend.run(
        gather_entries<V>{
            {}, a, sorted.second, static_cast<column_t*>(column.data()), value.view()},
        n);
    call.backend.read(start);  // waits: what comes next may be on another stream
    csr_matrix<V> made(a.columns, a.rows, std::move(row_begin), std::move(column),
                       std::move(value));
    if (!where.is_host()) made.look_at_rows();
    made.remember_largest_value(a.largest_value);
    return made;
}

}  // namespace ddla::formats
