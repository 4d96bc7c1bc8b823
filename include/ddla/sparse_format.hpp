// How a matrix is stored for its products.
//
//     ddla::csr_matrix<double> a = ...;                               // at ddla::device(0)
//     const ddla::format_report r = ddla::set_format(a);              // by its place and its rows
//     ddla::set_format<double>(a);                                    // for vectors in double
//     ddla::set_format(a, {.format = ddla::sparse_format::slices});   // or by name
//     ddla::spmv(1.0, a, x, 0.0, y);                                  // the same bits
//
// The compressed rows stay; a format is a second storage of the same entries beside them, which
// products and solves of this matrix use from then on.  The entries of a row keep their order in
// every format, and rows are summed by the summation rule: no format changes a bit.  Rows of more
// than 256 entries are summed tile by tile, in all formats but `slices` from the compressed rows.
// Solves of small systems on a device are one kernel, which reads the compressed rows.
#pragma once

#include "csr_matrix.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ddla {

enum class sparse_format {
    automatic,   ///< csr for small systems (on the host of less than 32,768 rows); patterns where
                 ///< rows, or their columns (on the host not for double, on a device not if values
                 ///< repeat), are of few kinds, each of 256 rows or more in the mean (on the host
                 ///< 1.5 kinds among eight rows), and of 2 to 96 entries, nearly as many in rows
                 ///< side by side; else on the host csr, on a device tiles if these share columns
                 ///< (for double: if slices are uneven, far, over 128 entries a lane, or values
                 ///< repeat), or slices
    csr,         ///< compressed rows, work balanced over warps; needs no second storage
    crs_scalar,  ///< compressed rows, a thread a row
    crs_vector,  ///< compressed rows, threads a row by the rule of Mukunoki and Takahashi (2013)
    crs_t,       ///< compressed rows, T threads a row, the fastest T (Yoshizawa, Takahashi 2012)
    evc_hyb,     ///< rows sorted by length, slices to length 128, the shorter the more a thread;
                 ///< vectors beyond (Guo, Gropp, Olson)
    slices,      ///< slices of 1 to 32 threads a row (on the host a row in one lane of a vector),
                 ///< columns in 0 to 4 bytes, repeated values once
    tiles,       ///< such slices, a row a thread, columns as 2-byte numbers in a list of those of
                 ///< 256 or 512 rows
    patterns,    ///< a byte a row, the number of its pattern: at most 256 kinds of rows that have
                 ///< columns at the same distances from the diagonal, and the same values (constant
                 ///< stencils) or values of their own beside (grids)
};

/// All but `automatic`.
std::span<const sparse_format> all_sparse_formats();
/// "crs_vector"; `automatic` is "auto".
std::string_view to_string(sparse_format format);
/// The format of that name, if there is one.
std::optional<sparse_format> sparse_format_named(std::string_view name);

/// For a name that versions before 0.1.0 knew (ell, sell, coo, hyb, binned): one sentence on what
/// to use instead, without a full stop; for all other names empty.
std::string advice_on_removed_format(std::string_view name);

struct format_options {
    sparse_format format = sparse_format::automatic;
    /// 1, 2, 4, 8, 16 or 32.  0: by the rule for crs_vector, by measurement for crs_t.
    int threads_per_row = 0;
    /// At most so many bytes beside the compressed rows; 0 for as many as there are.
    std::size_t memory_limit = 0;
};

/// What a matrix is stored in, and what that took.
struct format_report {
    sparse_format format = sparse_format::csr;  ///< never `automatic`
    int threads_per_row = 0;                    ///< crs_vector and crs_t
    std::string reason = {};        ///< why this one, in one sentence without a full stop
    double seconds = 0;             ///< of the conversion, and of looking for T of crs_t
    index_t slots = 0;              ///< entries stored, those of padding included
    std::size_t extra_bytes = 0;    ///< memory beside the compressed rows
    std::size_t product_bytes = 0;  ///< of the matrix that one product reads

    /// Stored slots for each entry; 1 without padding.
    double padding(index_t entries) const
    {
        return entries > 0 ? double(slots) / double(entries) : 1;
    }
};

/// Store `a` so, too, for products with vectors of T: of these `automatic` chooses what is fast,
/// and crs_t takes the fastest number of threads a row, of equals the fewest.  Neither changes a
/// bit, and vectors of other precisions can be multiplied, too.  What it was stored in before is
/// released first, and with it views of `a` that a stream still works on. Works where the matrix
/// lives.  Throws input_error for options that are none, resource_error if padding would take more
/// memory than the place has, if 256 rows have too many different columns for `tiles` (3200; fewer
/// on a device with little shared memory), or if columns are at their diagonals in more than 256
/// ways, or rows longer than 256 entries or more than 2^30, for `patterns`, with the numbers; `a`
/// is then plain csr.  Cost: a sort of the rows, three passes over the entries; for `tiles`, also
/// where `automatic` tries them, a sort of the entries, too; for double it makes slices first, and
/// again if tiles do not pay.  Of `patterns` nothing is sorted: two passes over the entries, four
/// where values come to lie beside, one over the rows for each kind, and 8 bytes a row meanwhile.
/// crs_t without threads_per_row multiplies with each T for 2 ms, and 8 times, at least, with two
/// vectors of its own; the report says which was the fastest.
template <scalar T = dd_real, scalar V>
requires acts_on<T, V> format_report set_format(csr_matrix<V>& a,
                                                const format_options& options = {});

/// What set_format() reported; of a fresh matrix, and of a copy, plain csr.
template <scalar V>
format_report format_of(const csr_matrix<V>& a);

/// Bytes that y = A x must move at least: the matrix as it is stored, x and y once (a is 1 / the
/// mean length of the columns in the code balance of Guo, Gropp, Olson); of `tiles` in place of x
/// its elements of each list, if they are more.
template <scalar T, scalar V>
requires acts_on<T, V> std::size_t bytes_of_product(const csr_matrix<V>& a);

}  // namespace ddla
