#include "ddla/csr_matrix.hpp"

#include "ddla/fp_mode.hpp"

#include "transposed.hpp"

#include "ddla/error.hpp"
#include "ddla/summation.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace ddla {

namespace {

std::string shape_text(index_t rows, index_t columns)
{
    return std::to_string(rows) + " x " + std::to_string(columns);
}

template <scalar V>
void check_shape(index_t rows, index_t columns)
{
    if (rows < 0 || columns < 0)
        throw input_error("a matrix cannot be " + shape_text(rows, columns));
    if (std::max(rows, columns) > csr_matrix<V>::max_dimension)
        throw input_error("a matrix of " + shape_text(rows, columns) +
                          " is too large: rows and columns are numbered with 32 bits, up to " +
                          std::to_string(csr_matrix<V>::max_dimension));
}

template <class U>
buffer buffer_of(const std::vector<U>& from)
{
    buffer to(from.size() * sizeof(U), host);
    if (!from.empty()) std::memcpy(to.data(), from.data(), to.bytes());
    return to;
}

template <class U>
U* typed(const buffer& b)
{
    return static_cast<U*>(b.data());
}

void check_rows(index_t rows, const std::vector<index_t>& row_begin, index_t entries)
{
    if (static_cast<index_t>(row_begin.size()) != rows + 1)
        throw input_error("a matrix of " + std::to_string(rows) + " rows needs " +
                          std::to_string(rows + 1) + " row offsets, not " +
                          std::to_string(row_begin.size()));
    if (row_begin.front() != 0 || row_begin.back() != entries)
        throw input_error("row offsets go from " + std::to_string(row_begin.front()) + " to " +
                          std::to_string(row_begin.back()) + ", not from 0 to the " +
                          std::to_string(entries) + " entries");
    for (index_t i = 0; i < rows; ++i)
        if (row_begin[i] > row_begin[i + 1])
            throw input_error("row offsets fall from " + std::to_string(row_begin[i]) + " to " +
                              std::to_string(row_begin[i + 1]) + " at row " + std::to_string(i));
}

void check_index(const char* what, index_t value, index_t limit, index_t entry)
{
    if (value < 0 || value >= limit)
        throw input_error(std::string(what) + " " + std::to_string(value) + " of entry " +
                          std::to_string(entry) + " is not in 0 ... " + std::to_string(limit - 1));
}

/// The entries of one row, in list order.
template <scalar V>
struct row_of_entries {
    struct entry {
        column_t column;
        V value;
    };
    std::vector<entry> entries;

    /// Sorts by column, stably, and sums each run of equal columns by the rule.
    void assemble()
    {
        const auto by_column = [](const entry& a, const entry& b) { return a.column < b.column; };
        std::stable_sort(entries.begin(), entries.end(), by_column);
        std::size_t kept = 0;
        for (std::size_t i = 0, next; i < entries.size(); i = next) {
            next = i + 1;
            while (next < entries.size() && entries[next].column == entries[i].column) ++next;
            entries[kept++] = next == i + 1 ? entries[i] : total(i, next);
        }
        entries.resize(kept);
    }

private:
    entry total(std::size_t from, std::size_t to) const
    {
        running_sum<V> sum;
        for (std::size_t k = from; k < to; ++k) sum.add(entries[k].value);
        return {entries[from].column, sum.sum(V(0))};
    }
};

}  // namespace

template <scalar V>
csr_matrix<V>::csr_matrix() : row_begin_(sizeof(index_t), host)
{
    const fp_mode_guard exact;
    *typed<index_t>(row_begin_) = 0;
    look_at_rows();
}

template <scalar V>
csr_matrix<V>::csr_matrix(index_t rows, index_t columns, buffer row_begin, buffer column,
                          vector<V> value)
    : rows_(rows), columns_(columns), row_begin_(std::move(row_begin)), column_(std::move(column)),
      value_(std::move(value))
{
    const fp_mode_guard exact;
    check_shape<V>(rows, columns);
    if (row_begin_.bytes() != static_cast<std::size_t>(rows + 1) * sizeof(index_t) ||
        column_.bytes() != static_cast<std::size_t>(value_.size()) * sizeof(column_t))
        throw input_error("the arrays of a " + shape_text(rows, columns) + " matrix with " +
                          std::to_string(value_.size()) + " entries have other sizes");
    if (row_begin_.where() != value_.where() || column_.where() != value_.where())
        throw input_error("the arrays of a matrix live at " + to_string(row_begin_.where()) + ", " +
                          to_string(column_.where()) + " and " + to_string(value_.where()));
    if (where().is_host()) look_at_rows();
}

template <scalar V>
void csr_matrix<V>::look_at_rows()
{
    std::vector<index_t> copy(where().is_host() ? 0 : static_cast<std::size_t>(rows_) + 1);
    if (!copy.empty())
        copy_bytes(copy.data(), host, row_begin_.data(), where(), row_begin_.bytes());
    const index_t* const begin = copy.empty() ? typed<index_t>(row_begin_) : copy.data();
    std::vector<index_t> row, first_tile{0};
    index_t longest = 0;
    for (index_t i = 0; i < rows_; ++i) {
        const index_t length = begin[i + 1] - begin[i];
        longest = std::max(longest, length);
        if (length <= tile_size) continue;
        row.push_back(i);
        first_tile.push_back(first_tile.back() + tiles(length));
    }
    const auto count = static_cast<index_t>(row.size());
    row.insert(row.end(), first_tile.begin(), first_tile.end());
    buffer there;
    if (count > 0) {
        there = buffer(row.size() * sizeof(index_t), where());
        copy_bytes(there.data(), where(), row.data(), host, there.bytes());
    }
    // Nothing throws from here on: all of it is known, or none.
    long_rows_ = std::move(there);
    longest_row_ = longest;
    long_row_count_ = count;
    long_row_tiles_ = first_tile.back();
}

template <scalar V>
csr_matrix<V>::csr_matrix(index_t rows, index_t columns, std::vector<index_t> row_begin,
                          std::vector<column_t> column, vector<V> value)
{
    const fp_mode_guard exact;
    check_shape<V>(rows, columns);
    check_rows(rows, row_begin, value.size());
    if (static_cast<index_t>(column.size()) != value.size())
        throw input_error("a matrix has " + std::to_string(column.size()) + " column numbers for " +
                          std::to_string(value.size()) + " values");
    for (index_t k = 0; k < value.size(); ++k)
        check_index("column", column[static_cast<std::size_t>(k)], columns, k);
    *this = csr_matrix(rows, columns, buffer_of(row_begin), buffer_of(column), std::move(value));
}

template <scalar V>
csr_matrix<V>::csr_matrix(const coordinates<V>& c)
{
    const fp_mode_guard exact;
    check_shape<V>(c.rows, c.columns);
    const index_t entries = static_cast<index_t>(c.value.size());
    if (c.row.size() != c.value.size() || c.column.size() != c.value.size())
        throw input_error("a list of entries has " + std::to_string(c.row.size()) + " rows, " +
                          std::to_string(c.column.size()) + " columns and " +
                          std::to_string(c.value.size()) + " values");
    std::vector<index_t> start(static_cast<std::size_t>(c.rows) + 1, 0);
    for (index_t k = 0; k < entries; ++k) {
        check_index("row", c.row[static_cast<std::size_t>(k)], c.rows, k);
        check_index("column", c.column[static_cast<std::size_t>(k)], c.columns, k);
        ++start[static_cast<std::size_t>(c.row[static_cast<std::size_t>(k)]) + 1];
    }
    std::partial_sum(start.begin(), start.end(), start.begin());
    std::vector<std::size_t> by_row(static_cast<std::size_t>(entries));
    std::vector<index_t> next(start.begin(), start.end() - 1);
    for (std::size_t k = 0; k < by_row.size(); ++k)
        by_row[static_cast<std::size_t>(next[static_cast<std::size_t>(c.row[k])]++)] = k;

    std::vector<index_t> row_begin{0};
    std::vector<column_t> column;
    std::vector<V> value;
    row_of_entries<V> row;
    for (std::size_t i = 0; i + 1 < start.size(); ++i) {
        row.entries.clear();
        for (index_t k = start[i]; k < start[i + 1]; ++k) {
            const std::size_t from = by_row[static_cast<std::size_t>(k)];
            row.entries.push_back({c.column[from], c.value[from]});
        }
        row.assemble();
        for (const auto& e : row.entries) {
            column.push_back(e.column);
            value.push_back(e.value);
        }
        row_begin.push_back(static_cast<index_t>(value.size()));
    }
    vector<V> values(static_cast<index_t>(value.size()));
    for (index_t k = 0; k < values.size(); ++k) values.set(k, value[static_cast<std::size_t>(k)]);
    *this =
        csr_matrix(c.rows, c.columns, buffer_of(row_begin), buffer_of(column), std::move(values));
}

template <scalar V>
csr_matrix<V>::csr_matrix(const csr_matrix& other) : csr_matrix(other.to(other.where()))
{
    const fp_mode_guard exact;
}

template <scalar V>
csr_matrix<V>& csr_matrix<V>::operator=(const csr_matrix& other)
{
    return *this = csr_matrix(other);
}

template <scalar V>
csr_matrix<V> csr_matrix<V>::to(place target) const
{
    csr_matrix there;
    there.rows_ = rows_;
    there.columns_ = columns_;
    there.longest_row_ = longest_row_;
    there.largest_value_ = largest_value_.load();
    there.long_row_count_ = long_row_count_;
    there.long_row_tiles_ = long_row_tiles_;
    there.long_rows_ = buffer(long_rows_.bytes(), target);
    copy_bytes(there.long_rows_.data(), target, long_rows_.data(), where(), long_rows_.bytes());
    there.row_begin_ = buffer(row_begin_.bytes(), target);
    there.column_ = buffer(column_.bytes(), target);
    copy_bytes(there.row_begin_.data(), target, row_begin_.data(), where(), row_begin_.bytes());
    copy_bytes(there.column_.data(), target, column_.data(), where(), column_.bytes());
    there.value_ = value_.to(target);
    if (target == where()) {
        there.transposed_.share(transposed_);
        there.threads_ = threads_;
    }
    return there;
}

namespace {

template <scalar V>
void require_host(const csr_matrix<V>& a, const char* what)
{
    if (!a.where().is_host())
        throw input_error(std::string(what) + " works on the host, the matrix lives at " +
                          to_string(a.where()));
}

}  // namespace

template <scalar V>
csr_matrix<V> transposed(const csr<V>& a)
{
    buffer row_begin(static_cast<std::size_t>(a.columns + 1) * sizeof(index_t), host);
    buffer column(static_cast<std::size_t>(a.nonzeros()) * sizeof(column_t), host);
    vector<V> value(a.nonzeros());

    index_t* const start = typed<index_t>(row_begin);
    std::fill_n(start, a.columns + 1, 0);
    for (index_t k = 0; k < a.nonzeros(); ++k) ++start[a.column[k] + 1];
    std::partial_sum(start, start + a.columns + 1, start);
    std::vector<index_t> next(start, start + a.columns);
    for (index_t i = 0; i < a.rows; ++i)
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k) {
            const index_t to = next[static_cast<std::size_t>(a.column[k])]++;
            typed<column_t>(column)[to] = static_cast<column_t>(i);
            value.set(to, a.value.get(k));
        }
    return csr_matrix<V>(a.columns, a.rows, std::move(row_begin), std::move(column),
                         std::move(value));
}

csr_matrix<dd_real> widen(const csr_matrix<double>& a)
{
    const fp_mode_guard exact;
    require_host(a, "widen");
    const csr<double> from = a.view();
    buffer row_begin(static_cast<std::size_t>(a.rows() + 1) * sizeof(index_t), host);
    buffer column(static_cast<std::size_t>(a.nonzeros()) * sizeof(column_t), host);
    copy_bytes(row_begin.data(), host, from.row_begin.wide(), host, row_begin.bytes());
    copy_bytes(column.data(), host, from.column, host, column.bytes());
    vector<dd_real> value(a.nonzeros());
    std::copy_n(from.value.word(0), a.nonzeros(), value.word(0).data());
    return csr_matrix<dd_real>(a.rows(), a.columns(), std::move(row_begin), std::move(column),
                               std::move(value));
}

template <scalar V>
vector<V> diagonal(const csr_matrix<V>& a)
{
    const fp_mode_guard exact;
    require_host(a, "diagonal");
    const csr<V> from = a.view();
    vector<V> d(std::min(a.rows(), a.columns()));
    for (index_t i = 0; i < d.size(); ++i) {
        V sum(0);
        for (index_t k = from.row_begin[i]; k < from.row_begin[i + 1]; ++k)
            if (from.column[k] == i) sum = sum + from.value.get(k);
        d.set(i, sum);
    }
    return d;
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template class csr_matrix<T>;                                                                  \
    template csr_matrix<T> transposed(const csr<T>&);                                              \
    template vector<T> diagonal(const csr_matrix<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
