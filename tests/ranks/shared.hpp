// Matrices and vectors cut into the rows of ranks that are threads.
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

/// How many ranks are tried; an address sanitizer sees as much with two of them.
inline std::vector<int> rank_counts()
{
#if defined(__SANITIZE_ADDRESS__)
    return {1, 3};
#else
    return {1, 2, 3, 5, 8};
#endif
}

/// Where the rows of each rank begin, and their end.
using cuts = std::vector<index_t>;

/// As even as can be.
inline cuts even_cuts(index_t n, int ranks)
{
    cuts begin;
    for (index_t r = 0; r <= ranks; ++r) begin.push_back(n * r / ranks);
    return begin;
}
/// Some ranks have nothing, some next to nothing.
inline cuts random_cuts(index_t n, int ranks, std::uint64_t seed)
{
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
    return {ranks, a.rows(), a.columns(), row_begin, column, std::move(value), alignment};
}
template <class T>
ddla::vector<T> part_of(const ddla::vector<T>& x, index_t first, index_t count)
{
    ddla::vector<T> part(count);
    for (index_t i = 0; i < count; ++i) part.set(i, x[first + i]);
    return part;
}

/// Parts of ranks, put together.
template <class T>
class whole_vector {
public:
    explicit whole_vector(index_t n) : all_(n) {}
    void put(const ddla::vector<T>& part, index_t first)
    {
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
