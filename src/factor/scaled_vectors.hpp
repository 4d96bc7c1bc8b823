// Vectors on their way into factors and back: permuted, scaled by powers of two.
#pragma once

#include "columns.hpp"

#include "steps/common_exponent.hpp"

#include "ddla/vector.hpp"

namespace ddla::factor {

/// The largest exponent of 2^exponent[i] |b_i|, begin <= i < end.
template <scalar T>
steps::largest_exponent largest_exponent_of(vec<const T> b, const std::vector<int>& exponent,
                                            index_t begin, index_t end)
{
    steps::largest_exponent most;
    for (index_t i = begin; i < end; ++i)
        most = most + steps::exponent_of_scaled(b.get(i), exponent[as_size(i)]);
    return most;
}
/// The exponent that makes the largest 2^exponent[i] |b_i| about 1.
template <scalar T>
int common_exponent(vec<const T> b, const std::vector<int>& exponent)
{
    return largest_exponent_of(b, exponent, 0, b.size).or_zero();
}

/// y_k as the factors take it, begin <= k < end: rows of A in the order of pivots, scaled.
template <scalar W, scalar T>
void gather(vec<const T> b, const std::vector<column_t>& elements, const std::vector<int>& exponent,
            int common, index_t begin, index_t end, vec<W> y)
{
    for (index_t k = begin; k < end; ++k) {
        const column_t i = elements[as_size(k)];
        y.set(k, scaled(rounded<W>(b.get(i)), exponent[as_size(i)] - common));
    }
}
template <scalar W, scalar T>
vector<W> gathered(vec<const T> b, const std::vector<column_t>& elements,
                   const std::vector<int>& exponent, int common)
{
    vector<W> y(b.size);
    gather<W>(b, elements, exponent, common, 0, b.size, y.view());
    return y;
}

/// The way back of y_k, begin <= k < end; zeros behind the pivots.
template <scalar W, scalar T>
void scatter(vec<const W> y, index_t rank, const std::vector<column_t>& elements,
             const std::vector<int>& exponent, int common, index_t begin, index_t end, vec<T> x)
{
    for (index_t k = begin; k < end; ++k) {
        const column_t j = elements[as_size(k)];
        const T value =
            k < rank ? rounded<T>(scaled(y.get(k), exponent[as_size(j)] + common)) : T(0);
        x.set(j, value);
    }
}
template <scalar W, scalar T>
void scatter(vec<const W> y, index_t rank, const std::vector<column_t>& elements,
             const std::vector<int>& exponent, int common, vec<T> x)
{
    scatter<W>(y, rank, elements, exponent, common, 0, x.size, x);
}

}  // namespace ddla::factor
