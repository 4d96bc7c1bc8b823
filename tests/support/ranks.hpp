// Matrices and vectors cut into the rows of ranks that are threads, and where these compute.
#pragma once

#include "support/random.hpp"
#include "support/same_bits.hpp"

#include "ddla/distributed.hpp"

#include <algorithm>
#include <mutex>
#include <numeric>
#include <string>
#include <vector>

namespace test {

using ddla::index_t;

// Each program with these cases says, in host_ranks.cpp or a file like it, how many ranks are
// tried, where each computes, and how messages travel.
const std::vector<int>& rank_counts();
ddla::place place_of_rank(int rank);
std::shared_ptr<ddla::communicator> joined(std::shared_ptr<ddla::communicator> threads);

/// So many of them; at most as many as the largest of rank_counts().
inline int ranks_of(int wanted)
{
    return std::min(wanted, *std::max_element(rank_counts().begin(), rank_counts().end()));
}

template <class F>
void run_ranks(int count, const F& f)
{
    ddla::run_ranks(count, [&](auto threads) { f(joined(threads)); });
}

/// Where the rows of each rank begin, and their end.
using cuts = std::vector<index_t>;

// Both of at most as many ranks as are tried.

/// As even as can be.
inline cuts even_cuts(index_t n, int wanted)
{
    const int ranks = ranks_of(wanted);
    cuts begin;
    for (index_t r = 0; r <= ranks; ++r) begin.push_back(n * r / ranks);
    return begin;
}
/// Some ranks have nothing, some next to nothing.
inline cuts random_cuts(index_t n, int wanted, std::uint64_t seed)
{
    const int ranks = ranks_of(wanted);
    random_numbers random(seed);
    cuts begin{0, n};
    while (static_cast<int>(begin.size()) <= ranks)
        begin.push_back(
            random.below(3) == 0
                ? begin[static_cast<std::size_t>(random.below(static_cast<index_t>(begin.size())))]
                : random.below(n + 1));
    std::sort(begin.begin(), begin.end());
    return begin;
}

template <class V>
ddla::distributed_matrix<V> part_of(const ddla::csr_matrix<V>& a, const cuts& begin,
                                    const std::shared_ptr<ddla::communicator>& ranks,
                                    index_t alignment = 256)
{
    const auto r = static_cast<std::size_t>(ranks->rank());
    const ddla::csr<V> all = a.view();
    const index_t first = all.row_begin[begin[r]], last = all.row_begin[begin[r + 1]];
    std::vector<index_t> row_begin, column(all.column + first, all.column + last);
    for (index_t i = begin[r]; i <= begin[r + 1]; ++i)
        row_begin.push_back(all.row_begin[i] - first);
    ddla::vector<V> value(last - first);
    for (index_t k = first; k < last; ++k) value.set(k - first, all.value.get(k));
    const ddla::distributed_matrix<V> mine(ranks, a.rows(), a.columns(), row_begin, column,
                                           std::move(value), alignment);
    const ddla::place where = place_of_rank(ranks->rank());
    return where.is_host() ? mine : mine.to(where);
}
template <class T>
ddla::vector<T> part_of(const ddla::vector<T>& x, index_t first, index_t count)
{
    ddla::vector<T> part(count);
    for (index_t i = 0; i < count; ++i) part.set(i, x[first + i]);
    return part;
}

template <class T, class V>
ddla::vector<T> rows_of(const ddla::vector<T>& x, const ddla::distributed_matrix<V>& a)
{
    return part_of(x, a.first_row(), a.local_rows()).to(a.where());
}
template <class T, class V>
ddla::vector<T> columns_of(const ddla::vector<T>& x, const ddla::distributed_matrix<V>& a)
{
    return part_of(x, a.first_column(), a.local_columns()).to(a.where());
}

/// Parts of ranks, put together.
template <class T>
class whole_vector {
public:
    explicit whole_vector(index_t n) : all_(n) {}
    void put(const ddla::vector<T>& there, index_t first)
    {
        const ddla::vector<T> part = there.to(ddla::host);
        const std::lock_guard lock(guard_);
        for (index_t i = 0; i < part.size(); ++i) all_.set(first + i, part[i]);
    }
    const ddla::vector<T>& get() const { return all_; }

private:
    std::mutex guard_;
    ddla::vector<T> all_;
};

inline std::string text_of(const cuts& begin)
{
    std::string text;
    for (const index_t i : begin) text += std::to_string(i) + " ";
    return text;
}

/// Checks of a rank, for its thread: the test's own come after all have ended.
class findings {
public:
    void require(bool is, const std::string& what)
    {
        const std::lock_guard lock(guard_);
        if (!is) wrong_ += what + "; ";
    }
    const std::string& wrong() const { return wrong_; }

private:
    std::mutex guard_;
    std::string wrong_;
};

}  // namespace test
