// Random vectors and matrices: the same on every machine.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <cmath>

namespace test {

/// splitmix64.
class random_numbers {
public:
    explicit random_numbers(std::uint64_t seed) : state_(seed) {}
    std::uint64_t bits()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    ddla::index_t below(ddla::index_t n)
    {
        return static_cast<ddla::index_t>(bits() % static_cast<std::uint64_t>(n));
    }
    /// In (-1, 1), times a power of two from 2^-spread to 2^spread.
    double real(int spread = 0)
    {
        const double x = static_cast<double>(static_cast<std::int64_t>(bits())) * 0x1p-63;
        return spread ? std::ldexp(x, static_cast<int>(below(2 * spread + 1)) - spread) : x;
    }
    void make(double& x, int spread) { x = real(spread); }
    void make(ddla::dd_real& x, int spread)
    {
        const double hi = real(spread);
        const double ulp = std::nextafter(std::fabs(hi), 1e308) - std::fabs(hi);
        const ddla::exact s = ddla::fast_two_sum(hi, real() * ulp * 0.5);
        x = {s.value, s.error};
    }

private:
    std::uint64_t state_;
};

template <class T>
ddla::vector<T> random_vector(ddla::index_t n, std::uint64_t seed, int spread = 8)
{
    random_numbers random(seed);
    ddla::vector<T> x(n);
    for (ddla::index_t i = 0; i < n; ++i) {
        T value;
        random.make(value, spread);
        x.set(i, value);
    }
    return x;
}

/// Row i has length(i) entries at random columns (duplicates are kept: they are separate terms).
template <class V, class Length>
ddla::csr_matrix<V> random_matrix(ddla::index_t rows, ddla::index_t columns, std::uint64_t seed,
                                  const Length& length)
{
    random_numbers random(seed);
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    std::vector<V> value;
    for (ddla::index_t i = 0; i < rows; ++i) {
        for (ddla::index_t k = length(i); k > 0; --k) {
            column.push_back(static_cast<ddla::column_t>(random.below(columns)));
            random.make(value.emplace_back(), 8);
        }
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    ddla::vector<V> values(static_cast<ddla::index_t>(value.size()));
    for (ddla::index_t k = 0; k < values.size(); ++k)
        values.set(k, value[static_cast<std::size_t>(k)]);
    return {rows, columns, row_begin, column, values};
}

/// Rows of length(i) entries that go through far columns at one pace: entry k is in one of `apart`
/// columns from k apart on.
template <class V, class Length>
ddla::csr_matrix<V> matrix_at_one_pace(ddla::index_t rows, ddla::index_t columns,
                                       ddla::index_t apart, std::uint64_t seed,
                                       const Length& length)
{
    const ddla::csr_matrix<V> any = random_matrix<V>(rows, apart, seed, length);
    const ddla::csr<V> a = any.view();
    std::vector<ddla::index_t> row_begin{0};
    std::vector<ddla::column_t> column;
    for (ddla::index_t i = 0; i < rows; ++i) {
        for (ddla::index_t k = 0; k < a.row_length(i); ++k)
            column.push_back(static_cast<ddla::column_t>(k * apart + a.column[a.row_begin[i] + k]));
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    ddla::vector<V> values(any.nonzeros());
    for (ddla::index_t k = 0; k < values.size(); ++k) values.set(k, a.value.get(k));
    return {rows, columns, row_begin, column, values};
}

}  // namespace test
