// csr_matrix<V>: a sparse matrix compressed by rows, with values in double or double-double.
//
//     ddla::coordinates<double> c{.rows = 2, .columns = 2};
//     c.add(0, 0, 4.0);  c.add(1, 1, 2.0);  c.add(0, 1, -1.0);
//     ddla::csr_matrix<double> a(c);
#pragma once

#include "error.hpp"
#include "vector.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace ddla {

/// A matrix as a list of entries in any order; entries at one place are summed.
template <scalar V>
struct coordinates {
    index_t rows = 0;
    index_t columns = 0;
    std::vector<column_t> row = {};
    std::vector<column_t> column = {};
    std::vector<V> value = {};

    /// Throws input_error for indices that 32 bits do not hold; the matrix checks the rest.
    void add(index_t i, index_t j, V v)
    {
        if (i < 0 || j < 0 || std::max(i, j) > std::numeric_limits<column_t>::max())
            throw input_error("entry (" + std::to_string(i) + ", " + std::to_string(j) +
                              ") has an index that 32 bits do not hold");
        row.push_back(static_cast<column_t>(i));
        column.push_back(static_cast<column_t>(j));
        value.push_back(v);
    }
};

/// A matrix stored in another way than by compressed rows: see sparse_format.hpp.
template <scalar V>
struct row_storage;

template <scalar V>
class csr_matrix;

namespace detail {

/// The transpose of a matrix, made when it is first asked for; the matrix and its copies at one
/// place share it, as long as one of them lives.  Rows and values of a matrix never change; a
/// matrix that is assigned to takes that of its new content.
template <scalar V>
class kept_transpose {
public:
    /// Of threads that ask at once one makes it, by make(), and the others wait.
    template <class Make>
    std::shared_ptr<const csr_matrix<V>> get(const Make& make) const
    {
        const std::lock_guard lock(guard_);
        if (!made_) made_ = std::make_shared<const csr_matrix<V>>(make());
        return made_;
    }
    void share(const kept_transpose& other)
    {
        const std::lock_guard lock(other.guard_);
        made_ = other.made_;
    }
    /// Of matrices that nobody else uses meanwhile.
    void swap(kept_transpose& other) noexcept { made_.swap(other.made_); }

private:
    mutable std::mutex guard_;
    mutable std::shared_ptr<const csr_matrix<V>> made_;
};

/// How many threads share a row in crs_t, as measured with vectors of each precision.  A matrix and
/// its copies at one place keep it: neither rows nor values of a matrix change, and a matrix that
/// is assigned to takes that of its new content.  It is written where the format of a matrix is set
/// or measured, and no other thread may use the matrix meanwhile.
class kept_threads {
public:
    struct measured {
        int words;           ///< of the elements of the vectors
        int threads;         ///< a row
        std::string reason;  ///< why so many
    };
    /// Null if it was not measured.
    const measured* of(int words) const
    {
        const auto at = std::find_if(all_.begin(), all_.end(),
                                     [words](const measured& m) { return m.words == words; });
        return at == all_.end() ? nullptr : &*at;
    }
    /// In place of what there was.
    void keep(measured found)
    {
        std::erase_if(all_, [&](const measured& m) { return m.words == found.words; });
        all_.push_back(std::move(found));
    }

private:
    std::vector<measured> all_;
};

}  // namespace detail

template <scalar V>
class csr_matrix {
public:
    /// The largest number of rows or columns: column numbers have 32 bits.
    static constexpr index_t max_dimension = std::numeric_limits<column_t>::max();

    /// 0 x 0.
    csr_matrix();
    /// From entries in any order: rows are sorted by column, duplicates summed in list order (by
    /// the summation rule), zeros kept.  Throws input_error for an index out of range.
    /// Cost: O(entries) and a sort of each row; three copies of the entries at the peak.
    explicit csr_matrix(const coordinates<V>& entries);
    /// From compressed rows as they are (any order of columns within a row).  Throws input_error
    /// unless row_begin has rows + 1 ascending offsets from 0 and all columns are in range.
    csr_matrix(index_t rows, index_t columns, std::vector<index_t> row_begin,
               std::vector<column_t> column, vector<V> value);
    /// From the same arrays in memory at one place, which are moved in.  Their content is not
    /// checked.  Throws input_error if the sizes or places do not fit together.
    csr_matrix(index_t rows, index_t columns, buffer row_begin, buffer column, vector<V> value);

    csr_matrix(const csr_matrix& other);
    csr_matrix(csr_matrix&& other) noexcept { swap(other); }
    csr_matrix& operator=(const csr_matrix& other);
    csr_matrix& operator=(csr_matrix&& other) noexcept
    {
        swap(other);
        return *this;
    }
    ~csr_matrix() = default;

    index_t rows() const { return rows_; }
    index_t columns() const { return columns_; }
    index_t nonzeros() const { return value_.size(); }
    place where() const { return value_.where(); }

    csr<V> view() const
    {
        return {rows_,
                columns_,
                static_cast<const index_t*>(row_begin_.data()),
                static_cast<const column_t*>(column_.data()),
                value_.view(),
                longest_row_,
                long_rows(),
                storage_.get(),
                largest_value_};
    }

    /// The same matrix at another place, as compressed rows only.
    csr_matrix to(place target) const;

    /// For ddla's own use: set_format().
    void store_as(std::shared_ptr<const row_storage<V>> storage) { storage_ = std::move(storage); }
    /// Determine the long rows, which a matrix made from arrays on a device does not know.
    void look_at_rows();
    /// For ddla's own use: what csr::largest_value says, found by whoever looked.  Values never
    /// change: memory that was moved into a matrix must not be written from outside.
    void remember_largest_value(double largest) const { largest_value_ = largest; }
    /// For ddla's own use.
    const detail::kept_transpose<V>& kept() const { return transposed_; }
    const detail::kept_threads& threads() const { return threads_; }
    detail::kept_threads& threads() { return threads_; }

private:
    void swap(csr_matrix& other) noexcept
    {
        std::swap(rows_, other.rows_);
        std::swap(columns_, other.columns_);
        std::swap(row_begin_, other.row_begin_);
        std::swap(column_, other.column_);
        std::swap(value_, other.value_);
        std::swap(longest_row_, other.longest_row_);
        std::swap(long_rows_, other.long_rows_);
        std::swap(long_row_count_, other.long_row_count_);
        std::swap(long_row_tiles_, other.long_row_tiles_);
        std::swap(storage_, other.storage_);
        largest_value_ = other.largest_value_.exchange(largest_value_);
        transposed_.swap(other.transposed_);
        std::swap(threads_, other.threads_);
    }
    long_row_list long_rows() const
    {
        const auto* const row = static_cast<const index_t*>(long_rows_.data());
        return {long_row_count_, long_row_tiles_, row, row ? row + long_row_count_ : nullptr};
    }

    index_t rows_ = 0;
    index_t columns_ = 0;
    buffer row_begin_;
    buffer column_;
    vector<V> value_;
    // Set by look_at_rows(); unknown for arrays on a device until it is called.
    index_t longest_row_ = INT64_MAX;
    buffer long_rows_;  ///< as in long_row_list: row, then first_tile
    index_t long_row_count_ = 0, long_row_tiles_ = 0;
    mutable std::atomic<double> largest_value_ = -1;  ///< as in csr
    std::shared_ptr<const row_storage<V>> storage_;   ///< null: compressed rows only
    detail::kept_transpose<V> transposed_;
    detail::kept_threads threads_;
};

/// The transpose at the same place, as compressed rows sorted by column.  Cost: one more matrix; on
/// the host one pass, on a device a sort of the entries by column and, while it lasts, 16 bytes an
/// entry; there are at most 2^32 - 1 entries there, or resource_error is thrown.
template <scalar V>
csr_matrix<V> transpose(const csr_matrix<V>& a);

/// The same matrix with double-double values; exact.
csr_matrix<dd_real> widen(const csr_matrix<double>& a);

/// The diagonal (zero where no entry is stored; stored duplicates summed).  Host only.
template <scalar V>
vector<V> diagonal(const csr_matrix<V>& a);

extern template class csr_matrix<double>;
extern template class csr_matrix<dd_real>;

}  // namespace ddla
