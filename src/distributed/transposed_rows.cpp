// The transpose of a matrix whose rows are shared: entries go to the owners of their columns.
#include "rank_rows.hpp"

#include "ranks/moved.hpp"

#include <numeric>

namespace ddla::distributed {
namespace {

/// Entries on their way, for one rank after the other.
template <scalar V>
struct entry_list {
    std::vector<index_t> row, column;
    vector<V> value;

    explicit entry_list(index_t n)
        : row(static_cast<std::size_t>(n)), column(static_cast<std::size_t>(n)), value(n)
    {
    }
};

using counts = std::vector<index_t>;

/// Where the parts of each rank begin, and the end.
counts begins_of(const counts& count)
{
    counts begin(count.size() + 1);
    std::partial_sum(count.begin(), count.end(), begin.begin() + 1);
    return begin;
}

/// The entries of this rank by the owner of their column, each in the order of rows.
template <scalar V>
entry_list<V> sorted_by_owner(const rank_layout& a, const row_parts<V>& parts, counts& count)
{
    const index_t first_row = a.row_ranges().begin(a.among().rank());
    count.assign(static_cast<std::size_t>(a.among().size()), 0);
    const auto owner = [&](index_t j) {
        return static_cast<std::size_t>(a.column_ranges().owner(j));
    };
    for_entries(a, parts, [&](index_t, index_t j, const V&) { ++count[owner(j)]; });
    counts next = begins_of(count);
    entry_list<V> sorted(next.back());
    for_entries(a, parts, [&](index_t i, index_t j, const V& value) {
        const index_t to = next[owner(j)]++;
        sorted.row[static_cast<std::size_t>(to)] = first_row + i;
        sorted.column[static_cast<std::size_t>(to)] = j;
        sorted.value.view().set(to, value);
    });
    return sorted;
}

/// Arrays of all entries: each rank's part of `out` goes to that rank.
class entry_exchange {
public:
    entry_exchange(communicator& among, const counts& going, const counts& coming)
        : among_(among), going_(begins_of(going)), coming_(begins_of(coming))
    {
    }
    template <class U>
    void add(const U* out, U* in)
    {
        for (int r = 0; r < among_.size(); ++r) {
            const auto k = static_cast<std::size_t>(r);
            const std::span<const U> sent(out + going_[k], out + going_[k + 1]);
            const std::span<U> received(in + coming_[k], in + coming_[k + 1]);
            if (r == among_.rank())
                std::copy(sent.begin(), sent.end(), received.begin());
            else {
                if (!sent.empty()) sent_.push_back({r, std::as_bytes(sent)});
                if (!received.empty()) received_.push_back({r, std::as_writable_bytes(received)});
            }
        }
    }
    void run()
    {
        among_.start_exchange(sent_, received_);
        among_.finish_exchange();
    }

private:
    communicator& among_;
    counts going_, coming_;
    std::vector<communicator::outgoing> sent_;
    std::vector<communicator::incoming> received_;
};

/// Rows of A^T from entries in the order of the rows of A.
template <scalar V>
global_rows<V> rows_by_column(const entry_list<V>& all, index_t first, index_t count)
{
    global_rows<V> rows{counts(static_cast<std::size_t>(count) + 1), counts(all.row.size()),
                        vector<V>(all.value.size())};
    for (const index_t j : all.column) ++rows.row_begin[static_cast<std::size_t>(j - first) + 1];
    std::partial_sum(rows.row_begin.begin(), rows.row_begin.end(), rows.row_begin.begin());
    counts next = rows.row_begin;
    for (std::size_t k = 0; k < all.row.size(); ++k) {
        const index_t to = next[static_cast<std::size_t>(all.column[k] - first)]++;
        rows.column[static_cast<std::size_t>(to)] = all.row[k];
        rows.value.view().set(to, all.value.view().get(static_cast<index_t>(k)));
    }
    return rows;
}

}  // namespace

template <scalar V>
rank_rows<V> transposed_rows(const rank_layout& a, const row_parts<V>& parts)
{
    communicator& among = a.among();
    counts going;
    const entry_list<V> mine = sorted_by_owner(a, parts, going);
    const counts from = ranks::counts_from_each(among, going);
    entry_list<V> here(begins_of(from).back());
    entry_exchange exchange(among, going, from);
    exchange.add(mine.row.data(), here.row.data());
    exchange.add(mine.column.data(), here.column.data());
    for (int w = 0; w < words_of<V>; ++w)
        exchange.add(mine.value.view().word(w), here.value.view().word(w));
    exchange.run();
    return rank_rows<V>(a.shared_communicator(), a.column_ranges(), a.row_ranges(),
                        rows_by_column(here, a.column_ranges().begin(among.rank()), a.columns()));
}

template rank_rows<double> transposed_rows(const rank_layout&, const row_parts<double>&);
template rank_rows<dd_real> transposed_rows(const rank_layout&, const row_parts<dd_real>&);

}  // namespace ddla::distributed
