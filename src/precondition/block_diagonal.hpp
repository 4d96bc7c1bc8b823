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

/// A on the host without what is outside of the blocks.
template <scalar V>
class block_diagonal {
public:
    block_diagonal(const csr<V>& a, const std::vector<index_t>& begin) : n_(a.rows)
    {
        check_blocks(begin, n_);
        for (std::size_t block = 0; block + 1 < begin.size(); ++block)
            for (index_t i = begin[block]; i < begin[block + 1]; ++i)
                add_row(a, i, begin[block], begin[block + 1]);
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
    void add_row(const csr<V>& a, index_t i, index_t first, index_t end)
    {
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
            if (a.column[k] < first || a.column[k] >= end) continue;
            column_.push_back(a.column[k]);
            value_.push_back(a.value.get(k));
        }
        row_begin_.push_back(value_.size());
    }

    index_t n_;
    std::vector<index_t> row_begin_ = {0};
    std::vector<column_t> column_;
    factor::number_list<V> value_;
};

}  // namespace ddla::api
