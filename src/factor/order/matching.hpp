// The matching of rows and columns whose product of magnitudes is the largest.
//
// Duff and Koster, "On algorithms for permuting large entries to the diagonal of a sparse matrix",
// SIAM J. Matrix Anal. Appl. 22(4), 2001 (the idea of MC64).  Costs are integers, logarithms in
// fixed point without a library function, so that the matching is the same on every machine.
#pragma once

#include "factor/columns.hpp"

#include <limits>

namespace ddla::factor {

/// log2 |x| in units of 2^-24, rounded down or one unit off; x finite and not zero.  IEEE
/// operations only, which give the same integer everywhere.
std::int64_t log2_fixed(double x);

struct matching {
    std::vector<column_t> row_of_column;  ///< -1: none
    std::vector<column_t> column_of_row;  ///< -1: none
    index_t size = 0;                     ///< the structural rank
    /// The duals, in units of log_magnitude: with them each log + row + column is at most 0, and 0
    /// where rows and columns are matched.
    std::vector<std::int64_t> row_dual, column_dual;
    /// Entries looked at by the search, and rows taken out of its queue.
    std::int64_t operations = 0;
    /// False: the search passed its limit.  Then it has no rows, columns or duals, and size is 0.
    bool complete = true;

    /// Rows and columns left over, ascending.
    std::vector<column_t> free_rows() const;
    std::vector<column_t> free_columns() const;
    /// A row for each column of a square matrix: the free ones paired in ascending order.
    std::vector<column_t> completed() const;
};

/// A matching of the most entries possible and, if it is perfect, of the largest product of
/// magnitudes (to the rounding of log2_fixed; each column relative to its largest entry).
/// log_magnitude: log2_fixed of each entry, or zeros: only the number of entries counts then.
///
/// Shortest paths from one free column after the other; among equal ones the path that ends in the
/// lowest row wins.  Where many costs tie, each search floods what the last one did.  So whenever
/// the searches have looked at 16 times all entries, a maximum matching of those whose reduced cost
/// is 0 comes first: depth-first with look-ahead (Pothen and Fan, ACM TOMS 16(4), 1990; Duff, Kaya,
/// Ucar, ACM TOMS 38(2), 2011, for entries in alternating directions).  What takes less is matched
/// as if there were no such rule.
///
/// Cost: matching::operations, O(n (entries + n log n)) at worst, in practice some passes.  Where
/// they pass most_operations the search ends, a count that is the same on every machine.  They are
/// counted as work of a watched_scope, too.
matching largest_product(index_t rows, index_t columns, const std::vector<index_t>& begin,
                         const std::vector<column_t>& row,
                         const std::vector<std::int64_t>& log_magnitude,
                         double most_operations = std::numeric_limits<double>::infinity());

template <scalar V>
matching largest_product(const sparse_columns<V>& a,
                         double most_operations = std::numeric_limits<double>::infinity())
{
    std::vector<std::int64_t> log(a.row.size());
    for (index_t j = 0; j < a.columns; ++j) {
        count_work(20 * (a.begin[as_size(j) + 1] - a.begin[as_size(j)]));
        for (index_t k = a.begin[as_size(j)]; k < a.begin[as_size(j) + 1]; ++k)
            log[as_size(k)] = log2_fixed(word<0>(a.value.get(k)));
    }
    return largest_product(a.rows, a.columns, a.begin, a.row, log, most_operations);
}

/// The structural rank of A: no values at the places of its entries give it a higher one.
template <scalar V>
matching largest_matching(const sparse_columns<V>& a,
                          double most_operations = std::numeric_limits<double>::infinity())
{
    return largest_product(a.rows, a.columns, a.begin, a.row,
                           std::vector<std::int64_t>(a.row.size(), 0), most_operations);
}

}  // namespace ddla::factor
