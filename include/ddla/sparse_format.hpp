// How a matrix is stored for its products.
//
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
#include "describe.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace ddla {

/// What `automatic` takes follows from the place and the rows alone:
///
///     host      patterns for 32,768 rows or more of few kinds, if eight neighbouring rows are
///               mostly of one; else csr
///     device    csr for systems that one kernel may solve; patterns for rows of few kinds;
///               tiles if neighbouring rows share columns; else slices
///
/// Rows of one kind have columns at the same distances from the diagonal, and the same values or
/// values of their own (on the host not for double, on a device not if values repeat); a kind has
/// 256 rows or more in the mean, and rows have at most 96 entries.  For double tiles are taken only
/// if slices would have padding, columns far apart or more than 128 entries per lane, or if values
/// repeat.
enum class sparse_format {
    automatic,   ///< see above
    csr,         ///< compressed rows, work balanced over warps; needs no second storage
    crs_scalar,  ///< compressed rows, a thread a row
    crs_vector,  ///< compressed rows, threads a row by the rule of Mukunoki and Takahashi (2013)
    crs_t,       ///< compressed rows, T threads a row, the fastest T (Yoshizawa, Takahashi 2012)
    evc_hyb,     ///< rows sorted by length: up to 128 entries a thread each, in slices; longer
                 ///< ones by warps; a warp takes more slices if they are short (Guo, Gropp, Olson)
    slices,      ///< slices of 32 lanes, 1 to 32 of them a row (on the host 1); columns in 0 to 4
                 ///< bytes, repeated values once
    tiles,       ///< slices of one lane a row; columns as 2-byte numbers in a list of the columns
                 ///< of 256 or 512 rows
    patterns,    ///< a byte a row, the number of its pattern: at most 256 kinds of rows, with the
                 ///< same values (constant stencils) or with values of their own (grids)
};

inline constexpr named<sparse_format> sparse_format_names[] = {
    {"auto", sparse_format::automatic},        {"csr", sparse_format::csr},
    {"crs_scalar", sparse_format::crs_scalar}, {"crs_vector", sparse_format::crs_vector},
    {"crs_t", sparse_format::crs_t},           {"evc_hyb", sparse_format::evc_hyb},
    {"slices", sparse_format::slices},         {"tiles", sparse_format::tiles},
    {"patterns", sparse_format::patterns},
};
constexpr const auto& names_of(sparse_format)
{
    return sparse_format_names;
}

/// All but `automatic`.
std::span<const sparse_format> all_sparse_formats();
/// "crs_vector"; `automatic` is "auto".
std::string_view to_string(sparse_format format);
/// The format of that name, if there is one.
std::optional<sparse_format> sparse_format_named(std::string_view name);

/// For the name of a removed format (ell, sell, coo, hyb, binned): one sentence that says what to
/// use instead, without a full stop; empty for all other names.
std::string advice_on_removed_format(std::string_view name);

struct format_options {
    sparse_format format = sparse_format::automatic;
    /// 1, 2, 4, 8, 16 or 32.  0: by the rule for crs_vector, by measurement, once a matrix, for
    /// crs_t.
    int threads_per_row = 0;
    /// At most so many bytes beside the compressed rows; 0 for as many as there are.
    std::size_t memory_limit = 0;
};

/// What a matrix is stored in, and what that took.
struct format_report {
    sparse_format format = sparse_format::csr;  ///< never `automatic`
    int threads_per_row = 0;                    ///< crs_vector and crs_t
    std::string reason = {};        ///< why this one, in one sentence without a full stop
    double seconds = 0;             ///< of the conversion, and of measuring T for crs_t
    index_t slots = 0;              ///< entries stored, padding included
    std::size_t extra_bytes = 0;    ///< memory beside the compressed rows
    std::size_t product_bytes = 0;  ///< of the matrix that one product reads

    /// Stored slots per entry; 1 without padding.
    double padding(index_t entries) const
    {
        return entries > 0 ? double(slots) / double(entries) : 1;
    }
};

/// In JSON `padding` stands for `slots`.
template <class Visit, class... Like>
void describe(described<format_report>, const Visit& visit, Like&... r)
{
    using namespace about;
    visit(field{.name = "format", .json = "name"}, r.format...);
    visit(field{"threads_per_row"}, r.threads_per_row...);
    visit(field{.name = "reason", .only_in = "solves"}, r.reason...);
    visit(field{.name = "slots", .json = "padding", .only_in = "products"}, r.slots...);
    visit(field{.name = "extra_bytes", .only_in = "products"}, r.extra_bytes...);
    visit(field{.name = "seconds", .json = "conversion_seconds", .only_in = "products"},
          r.seconds...);
    visit(field{.name = "product_bytes",
                .not_in_json = "the bytes of a product have them, with those of the vectors"},
          r.product_bytes...);
}

/// Store `a` in this format, too, at the place where it lives, for products with vectors of T: for
/// these `automatic` chooses, and crs_t takes the fastest number of threads a row, of equals the
/// fewest.  Neither changes a bit, and each format serves vectors of all precisions.  The format it
/// was in is released first: no stream may still work on a view of it.
///
/// Throws input_error for invalid options; resource_error, with the numbers, if there is not enough
/// memory, if 256 rows have more than 3200 different columns for `tiles` (fewer on a device with
/// little shared memory), or for `patterns` if there are more than 256 kinds of rows, a row of more
/// than 256 entries, or more than 2^30 rows.  `a` is then in csr.
///
/// Cost: a sort of the rows and three passes over the entries; for `tiles`, also if `automatic`
/// tries them, a sort of the entries.  `automatic` for double makes slices first, and again if
/// tiles do not pay.  `patterns`: two passes over the entries, four if values are stored beside
/// them, one over the rows for each kind, and 8 bytes per row of working memory.  crs_t without
/// threads_per_row multiplies with each T for 2 ms, and 8 times, at least, with two vectors of its
/// own; the report says which T was the fastest.  The matrix, and its copies at one place, keep
/// that T for vectors of this precision: later calls measure nothing.
template <scalar T = dd_real, scalar V>
requires acts_on<T, V> format_report set_format(csr_matrix<V>& a,
                                                const format_options& options = {});

/// What set_format() reported; csr for a new matrix and for a copy.
template <scalar V>
format_report format_of(const csr_matrix<V>& a);

/// Bytes that y = A x must move at least: the matrix as it is stored, x once and y once; for
/// `tiles` the elements of all lists in place of x, if they are more.
template <scalar T, scalar V>
requires acts_on<T, V> std::size_t bytes_of_product(const csr_matrix<V>& a);

}  // namespace ddla
