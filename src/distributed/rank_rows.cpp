#include "rank_rows.hpp"

#include "ranks/moved.hpp"

#include "ddla/error.hpp"

#include <limits>
#include <string>
#include <utility>

namespace ddla::distributed {
namespace {

using column_list = std::vector<index_t>;

void make_sorted_set(column_list& all)
{
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
}

column_list outside_of(const column_list& all, index_t begin, index_t end)
{
    column_list outside;
    for (const index_t j : all)
        if (j < begin || j >= end) outside.push_back(j);
    make_sorted_set(outside);
    return outside;
}

index_t place_of(const column_list& sorted, index_t j)
{
    return std::lower_bound(sorted.begin(), sorted.end(), j) - sorted.begin();
}

/// Compressed rows, one after the other.
template <scalar V>
class row_list {
public:
    row_list(index_t rows, index_t entries, index_t columns) : columns_(columns), value_(entries)
    {
        constexpr index_t most = std::numeric_limits<column_t>::max();
        if (columns > most)  // of this rank alone
            throw resource_error("a rank reads " + std::to_string(columns) +
                                 " elements of x, and can read at most " + std::to_string(most));
        begin_.reserve(static_cast<std::size_t>(rows) + 1);
        column_.reserve(static_cast<std::size_t>(entries));
    }
    void add(index_t column, const V& value)
    {
        value_.view().set(static_cast<index_t>(column_.size()), value);
        column_.push_back(static_cast<column_t>(column));
    }
    void end_row() { begin_.push_back(static_cast<index_t>(column_.size())); }
    csr_matrix<V> matrix() &&
    {
        const auto rows = static_cast<index_t>(begin_.size()) - 1;
        return csr_matrix<V>(rows, columns_, std::move(begin_), std::move(column_),
                             std::move(value_));
    }

private:
    index_t columns_;
    std::vector<index_t> begin_{0};
    std::vector<column_t> column_;
    vector<V> value_;
};

template <scalar V>
std::pair<csr_matrix<V>, csr_matrix<V>> both_parts(const rank_layout& a, const global_rows<V>& mine)
{
    index_t of_boundary = 0;
    for_rows(a, [&](index_t i, bool is_boundary) {
        const auto row = static_cast<std::size_t>(i);
        if (is_boundary) of_boundary += mine.row_begin[row + 1] - mine.row_begin[row];
    });
    row_list<V> interior(a.rows(), mine.row_begin.back() - of_boundary, a.columns());
    row_list<V> boundary(a.boundary_rows(), of_boundary, a.boundary_columns());
    for_rows(a, [&](index_t i, bool is_boundary) {
        const auto row = static_cast<std::size_t>(i);
        for (index_t k = mine.row_begin[row]; k < mine.row_begin[row + 1]; ++k) {
            const index_t j = mine.column[static_cast<std::size_t>(k)];
            const V value = mine.value.view().get(k);
            if (is_boundary)
                boundary.add(a.in_boundary(j), value);
            else
                interior.add(a.in_interior(j), value);
        }
        if (is_boundary) boundary.end_row();
        interior.end_row();
    });
    return {std::move(interior).matrix(), std::move(boundary).matrix()};
}

/// The entries for which takes(row, column over all ranks) holds; columns are those of this rank.
template <scalar V, class Takes>
csr_matrix<V> own_entries(const rank_layout& a, const row_parts<V>& parts, const Takes& takes)
{
    std::vector<index_t> row_begin{0};
    std::vector<column_t> column;
    std::vector<V> values;
    const auto end_rows_before = [&](index_t i) {
        while (static_cast<index_t>(row_begin.size()) <= i)
            row_begin.push_back(static_cast<index_t>(column.size()));
    };
    for_entries(a, parts, [&](index_t i, index_t j, const V& value) {
        end_rows_before(i);
        if (!takes(i, j)) return;
        column.push_back(static_cast<column_t>(a.in_interior(j)));
        values.push_back(value);
    });
    end_rows_before(a.rows());
    return csr_matrix<V>(a.rows(), a.rows(), std::move(row_begin), std::move(column),
                         vector<V>(values));
}

}  // namespace

rank_layout::rank_layout(std::shared_ptr<communicator> among, const ranks::ranges& rows,
                         const ranks::ranges& columns, const std::vector<index_t>& row_begin,
                         const std::vector<index_t>& column)
    : row_ranges_(rows), column_ranges_(columns), own_begin_(columns.begin(among->rank())),
      own_end_(columns.end(among->rank())), ghosts_(outside_of(column, own_begin_, own_end_)),
      halo_(among, columns, ghosts_)
{
    const auto at = [&](index_t row) {
        return column.begin() + row_begin[static_cast<std::size_t>(row)];
    };
    const auto is_ghost = [&](index_t j) { return !is_own(j); };
    for (index_t t = 0; t < tiles(this->rows()); ++t) {
        const index_t first = t * tile_size, end = std::min(first + tile_size, this->rows());
        if (std::none_of(at(first), at(end), is_ghost)) continue;
        boundary_tiles_.push_back(t);
        for (auto j = at(first); j != at(end); ++j)
            if (is_own(*j)) own_of_boundary_.push_back(*j - own_begin_);
    }
    make_sorted_set(own_of_boundary_);
}

index_t rank_layout::boundary_rows() const
{
    index_t count = 0;
    for (const index_t t : boundary_tiles_)
        count += std::min<index_t>(tile_size, rows() - t * tile_size);
    return count;
}

index_t rank_layout::in_boundary(index_t j) const
{
    return is_own(j) ? place_of(own_of_boundary_, j - own_begin_)
                     : static_cast<index_t>(own_of_boundary_.size()) + place_of(ghosts_, j);
}

index_t rank_layout::of_boundary(index_t j) const
{
    const auto k = static_cast<std::size_t>(j);
    return k < own_of_boundary_.size() ? own_begin_ + own_of_boundary_[k]
                                       : ghosts_[k - own_of_boundary_.size()];
}

std::size_t rank_layout::bytes() const
{
    return (ghosts_.size() + boundary_tiles_.size() + own_of_boundary_.size()) * sizeof(index_t);
}

template <scalar V>
rank_rows<V>::rank_rows(std::shared_ptr<communicator> among, const ranks::ranges& rows,
                        const ranks::ranges& columns, const global_rows<V>& mine)
    : layout_(std::make_shared<const rank_layout>(std::move(among), rows, columns, mine.row_begin,
                                                  mine.column))
{
    std::tie(interior_, boundary_) = both_parts(*layout_, mine);
}

template <scalar V>
global_rows<V> rows_of(const rank_layout& a, const row_parts<V>& parts)
{
    global_rows<V> all{std::vector<index_t>(static_cast<std::size_t>(a.rows()) + 1),
                       {},
                       vector<V>(parts.nonzeros())};
    for_entries(a, parts, [&](index_t i, index_t j, const V& value) {
        all.value.view().set(static_cast<index_t>(all.column.size()), value);
        all.column.push_back(j);
        ++all.row_begin[static_cast<std::size_t>(i) + 1];
    });
    for (std::size_t i = 1; i < all.row_begin.size(); ++i) all.row_begin[i] += all.row_begin[i - 1];
    return all;
}

template <scalar V>
csr_matrix<V> diagonal_entries(const rank_layout& a, const row_parts<V>& parts)
{
    const index_t begin = a.row_ranges().begin(a.among().rank());
    return own_entries(a, parts, [&](index_t i, index_t j) { return j == begin + i; });
}

template <scalar V>
csr_matrix<V> own_square(const rank_layout& a, const row_parts<V>& parts)
{
    return own_entries(a, parts, [&](index_t, index_t j) { return a.is_own(j); });
}

#define DDLA_INSTANTIATE(V)                                                                        \
    template class rank_rows<V>;                                                                   \
    template global_rows<V> rows_of(const rank_layout&, const row_parts<V>&);                      \
    template csr_matrix<V> diagonal_entries(const rank_layout&, const row_parts<V>&);              \
    template csr_matrix<V> own_square(const rank_layout&, const row_parts<V>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::distributed
