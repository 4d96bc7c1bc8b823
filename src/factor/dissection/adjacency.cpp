// The undirected graph of a square pattern: two transposes sort the lists, which are then merged.
#include "adjacency.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <numeric>

namespace ddla::factor {

namespace {

struct lists {
    std::vector<index_t> begin;
    std::vector<column_t> row;
};

/// The transpose, rows ascending.
lists transposed(const std::vector<index_t>& begin, const std::vector<column_t>& row)
{
    const std::size_t n = begin.size() - 1;
    lists t{std::vector<index_t>(n + 1, 0), std::vector<column_t>(row.size())};
    for (const column_t i : row) ++t.begin[as_size(i) + 1];
    std::partial_sum(t.begin.begin(), t.begin.end(), t.begin.begin());
    std::vector<index_t> next(t.begin.begin(), t.begin.end() - 1);
    for (std::size_t j = 0; j < n; ++j) {
        count_work(20 * (begin[j + 1] - begin[j]));
        for (index_t k = begin[j]; k < begin[j + 1]; ++k)
            t.row[as_size(next[as_size(row[as_size(k)])]++)] = static_cast<column_t>(j);
    }
    return t;
}

bool is_ascending(const std::vector<index_t>& begin, const std::vector<column_t>& row)
{
    for (std::size_t j = 0; j + 1 < begin.size(); ++j)
        if (!std::is_sorted(row.begin() + begin[j], row.begin() + begin[j + 1])) return false;
    return true;
}

}  // namespace

adjacency::adjacency(const std::vector<index_t>& begin, const std::vector<column_t>& row)
{
    const std::size_t n = begin.size() - 1;
    const lists upper = transposed(begin, row);
    const lists sorted =
        is_ascending(begin, row) ? lists{begin, row} : transposed(upper.begin, upper.row);
    begin_.assign(n + 1, 0);
    neighbour_.resize(2 * row.size());
    auto to = neighbour_.begin();
    for (std::size_t j = 0; j < n; ++j) {
        count_work(20 * (begin[j + 1] - begin[j]));
        const auto first = to;
        to = std::set_union(sorted.row.begin() + begin[j], sorted.row.begin() + begin[j + 1],
                            upper.row.begin() + upper.begin[j],
                            upper.row.begin() + upper.begin[j + 1], to);
        const auto self = std::lower_bound(first, to, static_cast<column_t>(j));
        if (self != to && *self == static_cast<column_t>(j)) to = std::copy(self + 1, to, self);
        begin_[j + 1] = to - neighbour_.begin();
    }
    neighbour_.erase(to, neighbour_.end());
}

}  // namespace ddla::factor
