// The undirected graph of a square pattern.  Unless that is symmetric, two transposes sort the
// lists, which are then merged.
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

/// Whether rows ascend, and the pattern is its own transpose: entries left of the diagonal meet
/// their mirror images, which are the next in their rows.
bool is_mirrored(const std::vector<index_t>& begin, const std::vector<column_t>& row)
{
    const std::size_t n = begin.size() - 1;
    std::vector<index_t> next(n);  // right of the diagonal
    for (std::size_t j = 0; j < n; ++j) {
        count_work(3 * (begin[j + 1] - begin[j]));
        next[j] = begin[j + 1];
        for (index_t k = begin[j]; k < begin[j + 1]; ++k) {
            const std::size_t i = as_size(row[as_size(k)]);
            if (k > begin[j] && row[as_size(k) - 1] >= row[as_size(k)]) return false;
            if (i > j) next[j] = std::min(next[j], k);
            if (i >= j) continue;
            index_t& mirror = next[i];
            if (mirror == begin[i + 1] || as_size(row[as_size(mirror)]) != j) return false;
            ++mirror;
        }
    }
    return std::equal(next.begin(), next.end(), begin.begin() + 1);
}

}  // namespace

adjacency::adjacency(const std::vector<index_t>& begin, const std::vector<column_t>& row)
{
    if (is_mirrored(begin, row)) {
        take(begin, row);
        return;
    }
    const lists upper = transposed(begin, row);
    if (is_ascending(begin, row)) {
        unite(begin, row, upper.begin, upper.row);
    } else {
        const lists sorted = transposed(upper.begin, upper.row);
        unite(sorted.begin, sorted.row, upper.begin, upper.row);
    }
}

/// A symmetric pattern, but for the diagonal.
void adjacency::take(const std::vector<index_t>& begin, const std::vector<column_t>& row)
{
    begin_.resize(begin.size());
    neighbour_.reserve(row.size());
    for (std::size_t j = 0; j + 1 < begin.size(); ++j) {
        count_work(2 * (begin[j + 1] - begin[j]));
        for (index_t k = begin[j]; k < begin[j + 1]; ++k)
            if (const column_t i = row[as_size(k)]; as_size(i) != j) neighbour_.push_back(i);
        begin_[j + 1] = std::ssize(neighbour_);
    }
}

/// Of patterns whose rows ascend.
void adjacency::unite(const std::vector<index_t>& begin, const std::vector<column_t>& row,
                      const std::vector<index_t>& other_begin,
                      const std::vector<column_t>& other_row)
{
    const std::size_t n = begin.size() - 1;
    begin_.assign(n + 1, 0);
    neighbour_.resize(row.size() + other_row.size());
    auto to = neighbour_.begin();
    for (std::size_t j = 0; j < n; ++j) {
        count_work(20 * (begin[j + 1] - begin[j]));
        const auto first = to;
        to = std::set_union(row.begin() + begin[j], row.begin() + begin[j + 1],
                            other_row.begin() + other_begin[j],
                            other_row.begin() + other_begin[j + 1], to);
        const auto self = std::lower_bound(first, to, static_cast<column_t>(j));
        if (self != to && *self == static_cast<column_t>(j)) to = std::copy(self + 1, to, self);
        begin_[j + 1] = to - neighbour_.begin();
    }
    neighbour_.erase(to, neighbour_.end());
}

}  // namespace ddla::factor
