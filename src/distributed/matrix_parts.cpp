#include "matrix_parts.hpp"

#include "ddla/fp_mode.hpp"
#include "ddla/sparse_format.hpp"

#include "calls/place_of.hpp"

#include <string>

namespace ddla::distributed {
namespace {

/// Throws on all ranks where it is so on some, and not on others.
void require_common(communicator& among, bool is_so, const char* otherwise)
{
    const index_t mine = is_so ? 1 : 0;
    if (ranks::smallest_of(among, mine) != static_cast<index_t>(ranks::largest_of(among, is_so)))
        throw input_error(std::string("distributed_matrix: ") + otherwise);
}

/// As good as it can be told on one rank.
template <scalar V>
void check_rows(const global_rows<V>& mine, index_t columns)
{
    const std::string call = "distributed_matrix: ";
    const auto entries = static_cast<index_t>(mine.column.size());
    if (mine.row_begin.empty() || mine.row_begin.front() != 0 || mine.row_begin.back() != entries ||
        !std::is_sorted(mine.row_begin.begin(), mine.row_begin.end()))
        throw input_error(call + "row_begin must ascend from 0 to the " + std::to_string(entries) +
                          " columns");
    if (mine.value.size() != entries)
        throw input_error(call + "there are " + std::to_string(mine.value.size()) + " values for " +
                          std::to_string(entries) + " columns");
    if (!mine.value.where().is_host())
        throw input_error(call + "the values live at " + to_string(mine.value.where()) +
                          ", and must be on the host");
    for (const index_t j : mine.column)
        if (j < 0 || j >= columns)
            throw input_error(call + "column " + std::to_string(j) + " of " +
                              std::to_string(columns));
}

void check_shape(index_t rows, index_t columns, index_t all)
{
    if (columns < 0)
        throw input_error("distributed_matrix: it cannot have " + std::to_string(columns) +
                          " columns");
    if (rows != all)
        throw input_error("distributed_matrix: the ranks have " + std::to_string(all) +
                          " rows together, not " + std::to_string(rows));
}

template <scalar V>
global_rows<V> global_of(const csr_matrix<V>& a)
{
    const csr_matrix<V> at_host = a.where().is_host() ? a : a.to(host);
    const csr<V> from = at_host.view();
    global_rows<V> rows{
        {}, {from.column, from.column + from.nonzeros()}, vector<V>(from.nonzeros())};
    for (index_t i = 0; i <= from.rows; ++i) rows.row_begin.push_back(from.row_begin[i]);
    for (int w = 0; w < words_of<V>; ++w)
        std::copy_n(from.value.word(w), from.nonzeros(), rows.value.view().word(w));
    return rows;
}

/// The rows that this rank keeps.
template <scalar V>
global_rows<V> kept_rows(communicator& among, const ranks::ranges& from, const ranks::ranges& to,
                         const global_rows<V>& mine)
{
    std::vector<index_t> lengths(static_cast<std::size_t>(mine.rows()));
    for (std::size_t i = 0; i < lengths.size(); ++i)
        lengths[i] = mine.row_begin[i + 1] - mine.row_begin[i];
    lengths = ranks::moved(among, from, to, lengths);
    global_rows<V> kept{{0}, {}, {}};
    for (const index_t n : lengths) kept.row_begin.push_back(kept.row_begin.back() + n);
    const ranks::ranges entries = ranks::ranges_of(among, mine.value.size());
    const ranks::ranges kept_entries = ranks::ranges_of(among, kept.row_begin.back());
    kept.column = ranks::moved(among, entries, kept_entries, mine.column);
    kept.value = ranks::moved<V>(among, entries, kept_entries, mine.value.view());
    return kept;
}

/// The rows of this rank, the interior in the format that suits the host, and looked at.
template <scalar V>
std::shared_ptr<const placed_rows<V>>
stored_rows(const std::shared_ptr<communicator>& among, const ranks::ranges& rows,
            const ranks::ranges& columns, const global_rows<V>& mine)
{
    const auto made = std::make_shared<rank_rows<V>>(among, rows, columns, mine);
    set_format<dd_real>(made->interior());
    api::look_at_values(host_engine(), made->interior());  // once, for all solves
    return std::make_shared<const placed_rows<V>>(made, host);
}

}  // namespace

void check_alignment(index_t alignment)
{
    if (alignment <= 0 || alignment % tile_size != 0)
        throw input_error("distributed_matrix: the alignment must be a positive multiple of " +
                          std::to_string(tile_size) + ", not " + std::to_string(alignment));
}

template <scalar V>
matrix_parts<V>::matrix_parts(std::shared_ptr<communicator> among, index_t rows, index_t columns,
                              global_rows<V> mine, index_t alignment)
    : among_(std::move(among))
{
    ranks::together(*among_, [&] {
        agreed(*among_, [&] { check_rows(mine, columns); });
        rows_ = ranks::ranges_of(*among_, mine.rows());
        agreed(*among_, [&] { check_shape(rows, columns, rows_.all()); });
        check_alignment(alignment);
        const ranks::ranges kept = ranks::aligned_ranges(rows_, alignment);
        const ranks::ranges even = ranks::even_ranges(columns, among_->size(), alignment);
        columns_ = rows == columns ? rows_ : even;
        if (!(kept == rows_)) mine = kept_rows(*among_, rows_, kept, mine);
        nonzeros_ = ranks::ranges_of(*among_, mine.value.size()).all();
        kept_ = stored_rows(among_, kept, rows == columns ? kept : even, mine);
    });
}

template <scalar V>
matrix_parts<V>::matrix_parts(std::shared_ptr<communicator> among, const csr_matrix<V>& on_first,
                              index_t alignment)
    : among_(std::move(among))
{
    ranks::together(*among_, [&] {
        struct {
            index_t rows, columns;
        } shape{on_first.rows(), on_first.columns()};
        broadcast(*among_, 0, std::as_writable_bytes(std::span(&shape, 1)));
        check_alignment(alignment);
        const ranks::ranges have = ranks::on_first_rank(shape.rows, among_->size());
        rows_ = ranks::even_ranges(shape.rows, among_->size(), alignment);
        columns_ = ranks::even_ranges(shape.columns, among_->size(), alignment);
        global_rows<V> mine{{0}, {}, {}};
        if (among_->rank() == 0) mine = global_of(on_first);
        mine = kept_rows(*among_, have, rows_, mine);
        nonzeros_ = ranks::ranges_of(*among_, mine.value.size()).all();
        kept_ = stored_rows(among_, rows_, columns_, mine);
    });
}

template <scalar V>
matrix_parts<V> matrix_parts<V>::at(place where) const
{
    matrix_parts there = *this;
    ranks::together(*among_, [&] {
        agreed(*among_,
               [&] { there.kept_ = std::make_shared<const placed_rows<V>>(kept_->rows(), where); });
        require_common(*among_, !where.is_host(),
                       "some ranks ask for the host, others for a device");
        require_common(*among_, !where.is_host() && among_->device() == where.device_index,
                       "some ranks ask for the device of their messages, others for another one");
        there.transposed_ = nullptr;
    });
    return there;
}

template <scalar V>
std::shared_ptr<const placed_rows<V>> matrix_parts<V>::transposed() const
{
    if (!transposed_) {
        const auto made = std::make_shared<const rank_rows<V>>(
            transposed_rows(*kept_->layout(), kept_->on_host()));
        transposed_ = std::make_shared<const placed_rows<V>>(made, where());
    }
    return transposed_;
}

template class matrix_parts<double>;
template class matrix_parts<dd_real>;

}  // namespace ddla::distributed

namespace ddla {

template <scalar V>
distributed_matrix<V>::distributed_matrix(std::shared_ptr<communicator> ranks, index_t rows,
                                          index_t columns, std::vector<index_t> row_begin,
                                          std::vector<index_t> column, vector<V> value,
                                          index_t alignment)
    : parts_(std::make_shared<const distributed::matrix_parts<V>>(
          std::move(ranks), rows, columns,
          distributed::global_rows<V>{std::move(row_begin), std::move(column), std::move(value)},
          alignment))
{
}

template <scalar V>
distributed_matrix<V>::distributed_matrix(std::shared_ptr<communicator> ranks,
                                          const csr_matrix<V>& on_first, index_t alignment)
    : parts_(std::make_shared<const distributed::matrix_parts<V>>(std::move(ranks), on_first,
                                                                  alignment))
{
}

template <scalar V>
index_t distributed_matrix<V>::rows() const
{
    return parts_->rows().all();
}
template <scalar V>
index_t distributed_matrix<V>::columns() const
{
    return parts_->columns().all();
}
template <scalar V>
index_t distributed_matrix<V>::nonzeros() const
{
    return parts_->nonzeros();
}
template <scalar V>
index_t distributed_matrix<V>::local_rows() const
{
    return parts_->rows().size(parts_->among().rank());
}
template <scalar V>
index_t distributed_matrix<V>::first_row() const
{
    return parts_->rows().begin(parts_->among().rank());
}
template <scalar V>
index_t distributed_matrix<V>::local_columns() const
{
    return parts_->columns().size(parts_->among().rank());
}
template <scalar V>
index_t distributed_matrix<V>::first_column() const
{
    return parts_->columns().begin(parts_->among().rank());
}
template <scalar V>
const std::shared_ptr<communicator>& distributed_matrix<V>::ranks() const
{
    return parts_->shared_communicator();
}
template <scalar V>
place distributed_matrix<V>::where() const
{
    return parts_->where();
}
template <scalar V>
distributed_matrix<V> distributed_matrix<V>::to(place target) const
{
    distributed_matrix there = *this;
    there.parts_ = std::make_shared<const distributed::matrix_parts<V>>(parts_->at(target));
    return there;
}
template <scalar V>
rank_traffic distributed_matrix<V>::traffic() const
{
    const ranks::traffic& t = *parts_->traffic();
    return {t.sums, t.numbers, t.products, t.messages, t.bytes};
}

template class distributed_matrix<double>;
template class distributed_matrix<dd_real>;

}  // namespace ddla
