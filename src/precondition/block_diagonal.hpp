// The blocks on the diagonal of a matrix.
#pragma once

#include "ddla/error.hpp"
#include "factor/numbers.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace ddla::api {

/// 0, rows, 2 rows, … n.
inline std::vector<index_t> equal_blocks(index_t n, index_t rows)
{
    std::vector<index_t> begin;
    for (index_t i = 0; i < n; i += rows) begin.push_back(i);
    begin.push_back(n);
    return begin;
}

/// Throws input_error unless the blocks follow each other from 0 to n.
inline void check_blocks(const std::vector<index_t>& begin, index_t n)
{
    const auto falls = std::adjacent_find(begin.begin(), begin.end(), std::greater_equal<>());
    const bool empty = n == 0 && begin.size() == 1;
    if (begin.empty() || begin.front() != 0 || begin.back() != n ||
        (falls != begin.end() && !empty))
        throw input_error("preconditioner: the blocks must ascend from 0 to the " +
                          std::to_string(n) + " rows of A");
}

/// A block on the diagonal of A, on the host.
template <scalar V>
class diagonal_block {
public:
    diagonal_block(const csr<V>& a, index_t first, index_t end) : n_(end - first)
    {
        for (index_t i = first; i < end; ++i) {
            for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
                if (a.column[k] < first || a.column[k] >= end) continue;
                column_.push_back(static_cast<column_t>(a.column[k] - first));
                value_.push_back(a.value.get(k));
            }
            row_begin_.push_back(value_.size());
        }
    }
    csr<V> view() const
    {
        csr<V> a;
        a.rows = a.columns = n_;
        a.row_begin = row_offsets(row_begin_.data());
        a.column = column_.data();
        a.value = value_.view();
        return a;
    }

private:
    index_t n_;
    std::vector<index_t> row_begin_ = {0};
    std::vector<column_t> column_;
    factor::number_list<V> value_;
};

}  // namespace ddla::api
