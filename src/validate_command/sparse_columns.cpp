// A matrix by columns, and SuiteSparse's COLAMD.
#include "sparse_columns.hpp"

#include "ddla/error.hpp"

#include <colamd.h>

#include <array>

namespace ddla::validate {

sparse_columns columns_of(const csr_matrix<double>& a)
{
    const csr_matrix<double> by_columns = transpose(a);
    const csr<double> m = by_columns.view();
    sparse_columns columns{m.rows, {0}, {}, {}};
    for (index_t j = 0; j < m.rows; ++j) {
        for (index_t k = m.row_begin[j]; k < m.row_begin[j + 1]; ++k) {
            if (m.value.get(k) == 0) continue;
            columns.row.push_back(m.column[k]);
            columns.value.push_back(m.value.get(k));
        }
        columns.begin.push_back(static_cast<index_t>(columns.row.size()));
    }
    return columns;
}

std::vector<column_t> fill_reducing_order(const sparse_columns& a)
{
    const auto n = static_cast<SuiteSparse_long>(a.n);
    const auto entries = static_cast<SuiteSparse_long>(a.row.size());
    const std::size_t length = colamd_l_recommended(entries, n, n);
    std::vector<SuiteSparse_long> rows(length), begin(a.begin.begin(), a.begin.end());
    std::copy(a.row.begin(), a.row.end(), rows.begin());
    std::array<SuiteSparse_long, COLAMD_STATS> stats{};
    const auto size = static_cast<SuiteSparse_long>(length);
    if (length == 0 || colamd_l(n, n, size, rows.data(), begin.data(), nullptr, stats.data()) == 0)
        throw internal_error("COLAMD refuses a matrix with status " +
                             std::to_string(stats[COLAMD_STATUS]));
    return {begin.begin(), begin.begin() + n};
}

std::string empty_line(const sparse_columns& a)
{
    std::vector<bool> has_entry(static_cast<std::size_t>(a.n), false);
    for (const column_t i : a.row) has_entry[static_cast<std::size_t>(i)] = true;
    for (std::size_t i = 0; i < has_entry.size(); ++i) {
        if (a.begin[i] == a.begin[i + 1]) return "column " + std::to_string(i + 1) + " is empty";
        if (!has_entry[i]) return "row " + std::to_string(i + 1) + " is empty";
    }
    return "";
}

}  // namespace ddla::validate
