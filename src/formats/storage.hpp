// Other storages of the rows of a matrix than compressed rows: slices, tiles, patterns.
//
// Columns are stored in each slice, or listed: all slices of 256 or 512 rows share one list of
// their different columns, and an entry has its number in it, from 1 on.  A block of a device loads
// x of the list once.  Then a row has one lane, and slots without an entry hold -0 and number 0.
//
// Rows that look alike but for their place may instead have the number of a pattern each.
#pragma once

#include "ddla/sparse_format.hpp"
#include "formats/patterns/storage.hpp"

#include <algorithm>
#include <vector>

namespace ddla {

namespace formats {

/// Rows whose slices share a list of columns, at most.
inline constexpr index_t most_rows_of_list = 2 * tile_size;
/// A list is at most so long: x of it in double-double takes 51 KB of the shared memory of a block.
inline constexpr int longest_list = 3200;

/// The columns of slices that are listed.
struct column_lists {
    index_t count = 0;                 ///< none where columns are not listed
    int rows = 0;                      ///< that share a list, 256 or 512
    const index_t* first = nullptr;    ///< where each list begins, and where the last one ends
    const column_t* column = nullptr;  ///< of each list in ascending order
    index_t columns = 0;               ///< of all lists
    int longest = 0;

    /// That of a number in the list of a slice.
    DDLA_HD column_t column_of(const slice& s, column_t number) const
    {
        return column[first[s.position / rows] + number - 1];
    }
    /// Its number there.
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

/// Bytes of the offsets, columns and values of plain compressed rows.
template <scalar V>
std::size_t bytes_of_compressed_rows(const csr<V>& a)
{
    return static_cast<std::size_t>(a.rows + 1) * static_cast<std::size_t>(a.row_begin.bytes()) +
           static_cast<std::size_t>(a.nonzeros()) * (sizeof(column_t) + sizeof(V));
}

/// A matrix stored in another way.  The views point into `memory`.
template <scalar V>
struct row_storage {
    format_report report;
    formats::slice_list<V> slices;
    formats::column_lists lists;
    formats::row_patterns<V> patterns;
    /// Of the slots, the part whose column is far from that of the lane before: another line of a
    /// cache.
    double far = 0;
    bool sorted = false;  ///< rows of a tile are not in their order everywhere
    std::vector<buffer> memory;

    /// Slices that are not those of tiles of long rows ...
    index_t short_slices() const { return slices.count - slices.of_long; }
    /// ... and the slots of a lane of these, in the mean.
    double slots_of_short_slice() const
    {
        return double(slices.slots - slices.slots_of_long) /
               double(formats::lanes_of_slice * std::max<index_t>(short_slices(), 1));
    }
    /// False for other ways to walk through the compressed rows.
    bool has_rows() const { return slices.count > 0 || patterns.count > 0; }
    std::size_t bytes() const
    {
        std::size_t sum = 0;
        for (const buffer& b : memory) sum += b.bytes();
        return sum;
    }
};

/// What a product reads of A, in the format that it is stored in; and of x, beyond all of it once,
/// the elements of all lists of columns.
template <scalar T, scalar V>
std::size_t bytes_read_by_product(const csr<V>& a)
{
    if (!a.storage) return bytes_of_compressed_rows(a);
    const index_t again = std::max<index_t>(a.storage->lists.columns - a.columns, 0);
    return a.storage->report.product_bytes + static_cast<std::size_t>(again) * sizeof(T);
}

}  // namespace ddla
