// Vectors on their way into factors and back: permuted, scaled by powers of two.
#pragma once

#include "columns.hpp"

#include "steps/common_exponent.hpp"

#include "ddla/vector.hpp"

namespace ddla::factor {

/// The exponent that makes the largest 2^exponent[i] |b_i| about 1.
template <scalar T>
int common_exponent(vec<const T> b, const std::vector<int>& exponent)
{
    steps::largest_exponent most;
    for (index_t i = 0; i < b.size; ++i)
        most = most + steps::exponent_of_scaled(b.get(i), exponent[as_size(i)]);
    return most.or_zero();
}

/// b as the factors take it: rows of A in the order of pivots, scaled.
template <scalar W, scalar T>
vector<W> gathered(vec<const T> b, const std::vector<column_t>& elements,
                   const std::vector<int>& exponent, int common)
{
    vector<W> y(b.size);
    for (index_t k = 0; k < b.size; ++k) {
        const column_t i = elements[as_size(k)];
        y.view().set(k, scaled(rounded<W>(b.get(i)), exponent[as_size(i)] - common));
    }
    return y;
}

/// The way back; zeros behind the pivots.
template <scalar W, scalar T>
void scatter(vec<const W> y, index_t rank, const std::vector<column_t>& elements,
             const std::vector<int>& exponent, int common, vec<T> x)
{
    for (index_t k = 0; k < x.size; ++k) {
        const column_t j = elements[as_size(k)];
        const T value =
            k < rank ? rounded<T>(scaled(y.get(k), exponent[as_size(j)] + common)) : T(0);
        x.set(j, value);
    }
}

}  // namespace ddla::factor
