// The rows of a matrix that one rank has, in two parts.
//
// Rows are split, never entries: a row keeps its entries in their order, so that its sum has the
// same bits on any number of ranks.  Tiles of 256 rows that read no element of another rank make
// the interior; their columns are elements of this rank.  All other tiles make the boundary: its
// columns are the elements of this rank that it reads, then those of others, its ghosts.
#pragma once

#include "ranks/halo.hpp"

#include "ddla/csr_matrix.hpp"
#include "ddla/summation.hpp"

#include <algorithm>
#include <memory>
#include <vector>

namespace ddla::distributed {

/// Rows as they are handed in: compressed, with columns numbered over all ranks.
template <scalar V>
struct global_rows {
    std::vector<index_t> row_begin;
    std::vector<index_t> column;
    vector<V> value;

    index_t rows() const { return static_cast<index_t>(row_begin.size()) - 1; }
};

/// Which rows of this rank are the interior and which the boundary, and what the columns of both
/// are.
class rank_layout {
public:
    /// Of the rows that `rows` gives to this rank, with these columns, which are shared as
    /// `columns` says; inner boundaries of both are multiples of 256.  Every rank calls it.
    rank_layout(std::shared_ptr<communicator> among, const ranks::ranges& rows,
                const ranks::ranges& columns, const std::vector<index_t>& row_begin,
                const std::vector<index_t>& column);

    index_t rows() const { return row_ranges_.size(among().rank()); }
    index_t columns() const { return column_ranges_.size(among().rank()); }
    const ranks::ranges& row_ranges() const { return row_ranges_; }
    const ranks::ranges& column_ranges() const { return column_ranges_; }
    communicator& among() const { return *halo_.among(); }
    const std::shared_ptr<communicator>& shared_communicator() const { return halo_.among(); }
    const ranks::halo& halo() const { return halo_; }

    /// Tiles with a row that reads an element of another rank; their rows, one after the other, are
    /// the boundary.
    const std::vector<index_t>& boundary_tiles() const { return boundary_tiles_; }
    index_t boundary_rows() const;
    /// The first columns of the boundary, as elements of this rank; then come the ghosts.
    const std::vector<index_t>& own_of_boundary() const { return own_of_boundary_; }
    index_t boundary_columns() const
    {
        return static_cast<index_t>(own_of_boundary_.size() + ghosts_.size());
    }
    /// Of columns numbered over all ranks.
    bool is_own(index_t j) const { return j >= own_begin_ && j < own_end_; }
    index_t in_interior(index_t j) const { return j - own_begin_; }
    index_t in_boundary(index_t j) const;
    /// The other way.
    index_t of_interior(index_t j) const { return own_begin_ + j; }
    index_t of_boundary(index_t j) const;
    std::size_t bytes() const;

private:
    ranks::ranges row_ranges_, column_ranges_;
    index_t own_begin_, own_end_;
    std::vector<index_t> ghosts_;
    ranks::halo halo_;
    std::vector<index_t> boundary_tiles_, own_of_boundary_;
};

/// The entries of both parts.
template <scalar V>
struct row_parts {
    csr<V> interior;  ///< all rows; those of boundary tiles have no entries
    csr<V> boundary;

    index_t nonzeros() const { return interior.nonzeros() + boundary.nonzeros(); }
};

template <scalar V>
class rank_rows {
public:
    rank_rows(std::shared_ptr<communicator> among, const ranks::ranges& rows,
              const ranks::ranges& columns, const global_rows<V>& mine);

    const std::shared_ptr<const rank_layout>& layout() const { return layout_; }
    csr_matrix<V>& interior() { return interior_; }
    const csr_matrix<V>& interior() const { return interior_; }
    const csr_matrix<V>& boundary() const { return boundary_; }
    row_parts<V> parts() const { return {interior_.view(), boundary_.view()}; }

private:
    std::shared_ptr<const rank_layout> layout_;
    csr_matrix<V> interior_, boundary_;
};

/// Calls f(row, whether it is of the boundary) for all rows of this rank.
template <class F>
void for_rows(const rank_layout& a, const F& f)
{
    auto next = a.boundary_tiles().begin();
    for (index_t t = 0; t < tiles(a.rows()); ++t) {
        const bool is_boundary = next != a.boundary_tiles().end() && *next == t;
        if (is_boundary) ++next;
        for (index_t i = t * tile_size; i < std::min((t + 1) * tile_size, a.rows()); ++i)
            f(i, is_boundary);
    }
}

/// Calls f(row of this rank, column over all ranks, value) for all entries, in their order.
template <scalar V, class F>
void for_entries(const rank_layout& a, const row_parts<V>& parts, const F& f)
{
    index_t next = 0;
    for_rows(a, [&](index_t i, bool is_boundary) {
        const csr<V>& from = is_boundary ? parts.boundary : parts.interior;
        const index_t row = is_boundary ? next++ : i;
        for (index_t k = from.row_begin[row]; k < from.row_begin[row + 1]; ++k)
            f(i, is_boundary ? a.of_boundary(from.column[k]) : a.of_interior(from.column[k]),
              from.value.get(k));
    });
}

/// The rows as they were handed in.
template <scalar V>
global_rows<V> rows_of(const rank_layout& a, const row_parts<V>& parts);

/// The entries of the diagonal, in a matrix as large as the rows of this rank.
template <scalar V>
csr_matrix<V> diagonal_entries(const rank_layout& a, const row_parts<V>& parts);

/// Its rows without the columns of other ranks.
template <scalar V>
csr_matrix<V> own_square(const rank_layout& a, const row_parts<V>& parts);

/// A^T, whose rows are shared as the columns of A.  Its rows keep their entries in the order of the
/// rows of A, as ddla::transpose does.  Every rank calls it.
template <scalar V>
rank_rows<V> transposed_rows(const rank_layout& a, const row_parts<V>& parts);

}  // namespace ddla::distributed
