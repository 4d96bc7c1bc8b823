// The formats that store the rows of a matrix in addition to compressed rows: slices, tiles,
// patterns.
//
// Tiles are slices without columns of their own: all slices of 256 or 512 rows share a list of
// their distinct columns, and an entry stores its index in the list, from 1 on.  A CUDA block loads
// x of the list into shared memory once.  A row has one lane, and padding slots hold -0 and index
// 0.
//
// In patterns, rows with the same column offsets from the diagonal store the number of a shared
// pattern.
#pragma once

#include "ddla/sparse_format.hpp"
#include "formats/patterns/storage.hpp"

#include <algorithm>
#include <vector>

namespace ddla {

namespace formats {

/// Most rows whose slices share a list of columns.
inline constexpr index_t most_rows_of_list = 2 * tile_size;
/// Most columns of a list: x of these in double-double takes 51 KB of shared memory.
inline constexpr int longest_list = 3200;

/// The lists of columns of the tiles format.
struct column_lists {
    index_t count = 0;                 ///< 0: columns are not listed
    int rows = 0;                      ///< of a list: 256 or 512
    const index_t* first = nullptr;    ///< where each list begins, and the end of the last
    const column_t* column = nullptr;  ///< ascending within each list
    index_t columns = 0;               ///< of all lists
    int longest = 0;

    /// The column that has index `number` in the list of a slice.
    DDLA_HD column_t column_of(const slice& s, column_t number) const
    {
        return column[first[s.position / rows] + number - 1];
    }
    /// The index of a column in the list of a slice.
    DDLA_HD column_t number_of(const slice& s, column_t wanted) const
    {
        const index_t* const mine = first + s.position / rows;
        index_t low = mine[0];
        for (index_t end = mine[1]; end - low > 1;) {
            const index_t middle = low + (end - low) / 2;
            if (column[middle] <= wanted)
                low = middle;
            else
                end = middle;
        }
        return static_cast<column_t>(low - mine[0] + 1);
    }
};

}  // namespace formats

/// Bytes of the offsets, columns and values of compressed rows.
template <scalar V>
std::size_t bytes_of_compressed_rows(const csr<V>& a)
{
    return static_cast<std::size_t>(a.rows + 1) * static_cast<std::size_t>(a.row_begin.bytes()) +
           static_cast<std::size_t>(a.nonzeros()) * (sizeof(column_t) + sizeof(V));
}

/// The rows of a matrix in another format.  The views point into `memory`.
template <scalar V>
struct row_storage {
    format_report report;
    formats::slice_list<V> slices;
    formats::column_lists lists;
    formats::row_patterns<V> patterns;
    /// The fraction of slots whose column is in another cache line than the previous lane's.
    double far = 0;
    bool sorted = false;  ///< some rows are not in their original order
    std::vector<buffer> memory;

    /// The number of slices that do not hold tiles of long rows, ...
    index_t short_slices() const { return slices.count - slices.of_long; }
    /// ... and the mean of the slots of their lanes.
    double slots_of_short_slice() const
    {
        return double(slices.slots - slices.slots_of_long) /
               double(formats::lanes_of_slice * std::max<index_t>(short_slices(), 1));
    }
    /// False for formats that only use other kernels for the compressed rows.
    bool has_rows() const { return slices.count > 0 || patterns.count > 0; }
    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const buffer& b : memory) sum += b.bytes();
        return sum;
    }
};

/// Bytes that a product reads of A in its format.  With column lists also those of x: elements that
/// several lists load, each time after the first.
template <scalar T, scalar V>
std::size_t bytes_read_by_product(const csr<V>& a)
{
    if (!a.storage) return bytes_of_compressed_rows(a);
    const index_t again = std::max<index_t>(a.storage->lists.columns - a.columns, 0);
    return a.storage->report.product_bytes + static_cast<std::size_t>(again) * sizeof(T);
}

}  // namespace ddla
