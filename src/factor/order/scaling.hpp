// Powers of two for rows and columns, so that the largest entry of each is about 1.
#pragma once

#include "factor/columns.hpp"

#include <functional>

namespace ddla::factor {

/// Entry (i, j) becomes a_ij 2^(row[i] + column[j]).
struct exponents {
    std::vector<int> row, column;
};

/// The binary exponents of the entries of A, by high words: 2^(e-1) <= |a| < 2^e.
template <scalar V>
std::vector<int> exponents_of(const sparse_columns<V>& a)
{
    std::vector<int> e(a.row.size());
    for (index_t k = 0; k < a.entries(); ++k) e[as_size(k)] = exponent_of(word<0>(a.value.get(k)));
    return e;
}

/// Exponents for a matrix whose entries have these binary exponents.  As Ruiz does ("A scaling
/// algorithm to equilibrate both rows and columns norms in matrices", RAL-TR-2001-034), each of
/// at most five passes takes half of the largest exponent off every row and column; the sixth takes
/// off all of it, of rows first: every column's largest entry then lies in [1/2, 1), and no entry
/// above. Integers only.  Cost: at most seven passes over the entries.
exponents equilibrate(index_t rows, index_t columns, const std::vector<index_t>& begin,
                      const std::vector<column_t>& row, const std::vector<int>& exponent);

/// The largest exponents of rows and columns; of those without entries what they were.
struct largest_exponents {
    std::vector<int> of_row, of_column;
};

/// Of the scaled entries.  In the beginning all are the smallest int.
using find_largest = std::function<void(const exponents&, largest_exponents&)>;

/// The same for a matrix that is stored in another way.
exponents equilibrate(index_t rows, index_t columns, const find_largest& find);

/// Of A; zeros, which change nothing, unless `scale`.
template <scalar V>
exponents scaling_of(const sparse_columns<V>& a, bool scale)
{
    if (scale) return equilibrate(a.rows, a.columns, a.begin, a.row, exponents_of(a));
    return {std::vector<int>(as_size(a.rows), 0), std::vector<int>(as_size(a.columns), 0)};
}

}  // namespace ddla::factor
