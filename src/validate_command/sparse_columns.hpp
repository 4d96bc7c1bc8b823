// A square matrix compressed by columns, and a column ordering that keeps its factors sparse.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <vector>

namespace ddla::validate {

/// Column j has entries begin[j] to begin[j + 1]; no stored zeros.
struct sparse_columns {
    index_t n = 0;
    std::vector<index_t> begin;
    std::vector<column_t> row;
    std::vector<double> value;
};

/// The columns of a square matrix on the host.  Cost: one pass, one more matrix.
sparse_columns columns_of(const csr_matrix<double>& a);

/// The order in which columns are eliminated: COLAMD (Davis, Gilbert, Larimore, Ng, ACM TOMS 30(3),
/// 2004), which bounds the fill whatever rows become pivots.  Cost: about the entries, and memory
/// for some 3 times their row numbers.
std::vector<column_t> fill_reducing_order(const sparse_columns& a);

/// The first row or column without an entry, 1-based, as a phrase: "column 7 is empty"; empty if
/// there is none.
std::string empty_line(const sparse_columns& a);

}  // namespace ddla::validate
