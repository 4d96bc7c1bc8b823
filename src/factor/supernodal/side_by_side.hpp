// Vectors of several systems on their way into L L^T and back: the unknowns of all systems side by
// side, as llt_sweep takes them.
#pragma once

#include "kernels/kernels.hpp"

#include "factor/scaled_vectors.hpp"

namespace ddla::factor {

/// What `gather` makes of b of each system, one after the other; zeros for systems that lack.
template <scalar W, scalar T>
void gather_systems(vec<const T> b, const std::vector<column_t>& elements,
                    const std::vector<int>& exponent, const int* common, index_t systems,
                    index_t begin, index_t end, double* y)
{
    const auto n = static_cast<index_t>(elements.size());
    for (index_t k = begin; k < end; ++k) {
        const column_t i = elements[as_size(k)];
        const auto unknown = vec<W>::in_memory(y + k * doubles_of_systems<W>, systems_at_once);
        for (index_t s = 0; s < systems; ++s)
            unknown.set(s, scaled(rounded<W>(b.get(s * n + i)), exponent[as_size(i)] - common[s]));
        for (index_t s = systems; s < systems_at_once; ++s) unknown.set(s, W(0));
    }
}

/// The way back.
template <scalar W, scalar T>
void scatter_systems(const double* y, const std::vector<column_t>& elements,
                     const std::vector<int>& exponent, const int* common, index_t systems,
                     index_t begin, index_t end, vec<T> x)
{
    const auto n = static_cast<index_t>(elements.size());
    for (index_t k = begin; k < end; ++k) {
        const column_t j = elements[as_size(k)];
        const auto unknown =
            vec<const W>::in_memory(y + k * doubles_of_systems<W>, systems_at_once);
        for (index_t s = 0; s < systems; ++s)
            x.set(s * n + j, rounded<T>(scaled(unknown.get(s), exponent[as_size(j)] + common[s])));
    }
}

}  // namespace ddla::factor
