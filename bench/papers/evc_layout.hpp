// EVC-HYB as its paper lays it out (Guo, Gropp and Olson): on the host, from compressed rows.
//
// Rows are sorted by length, equally long ones by their first column.  Lengths up to 128 are ELL
// parts of whole multiples of 32 rows; what is left of a length joins the next one, and what is
// left at the end joins the longer rows, which are compressed, each padded to a multiple of 32.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <cstdint>
#include <vector>

namespace bench {

inline constexpr int evc_block = 256;           // threads, as the paper found best
inline constexpr int evc_longest_of_ell = 128;  // entries of a row
inline constexpr int evc_ranges_of_csr = 9;     // 1, 2, 4 … 256 threads a row

/// One of the ranges of rows that blocks are dealt out to; arrays have one number more.
struct evc_ranges {
    std::vector<std::int32_t> row{0};    ///< the first row of each
    std::vector<std::int32_t> block{0};  ///< the first block of each
};

struct evc_layout {
    std::vector<std::int32_t> order;  ///< the row of the matrix that is row k here
    ddla::index_t split = 0;          ///< rows in ELL parts

    evc_ranges ell, csr;                     ///< rows of csr count from `split`
    std::vector<std::int32_t> ell_length;    ///< of each ELL part
    std::vector<std::int64_t> ell_begin;     ///< its first slot
    std::vector<std::int64_t> csr_begin{0};  ///< the first slot of each row
    std::vector<std::int32_t> column;        ///< slots of ELL parts, by columns, then those of rows
    std::vector<double> value;
    std::int64_t ell_slots = 0;        ///< the slots of csr begin there
    ddla::index_t entries_of_ell = 0;  ///< without padding

    std::int64_t slots() const { return static_cast<std::int64_t>(value.size()); }
};

evc_layout evc_layout_of(const ddla::csr_matrix<double>& a);

}  // namespace bench
