// Preconditioners that act on one element at a time: they fuse into any step.
//
//     auto reads() const           the fields that K reads at element i
//     T operator()(own, r)         element i of K^-1 r; own is element i of these fields
#pragma once

#include "steps/step.hpp"

namespace ddla::steps {

/// K = I.
template <class T>
struct identity {
    static constexpr bool is_identity = true;
    static constexpr bool fuses = true;  ///< acts on an element at a time
    DDLA_HD auto reads() const { return fields<nothing>(); }
    DDLA_HD T operator()(nothing, T r) const { return r; }
};

/// K = diag(A); applies its inverse, computed once in T.
template <class T>
struct jacobi {
    static constexpr bool is_identity = false;
    static constexpr bool fuses = true;
    vec<const T> inverse_diagonal;
    DDLA_HD vec<const T> reads() const { return inverse_diagonal; }
    DDLA_HD T operator()(T inverse, T r) const { return inverse * r; }
};

// Steps that need not know all of K take one of these instead, so that one text, compiled once,
// serves several preconditioners.

/// K where it fuses into a step; else nothing is done with elements.
template <class T, class K>
using fused_or_none = std::conditional_t<K::fuses, K, identity<T>>;
template <class T, class K>
DDLA_HD fused_or_none<T, K> if_fused(const K& k)
{
    if constexpr (K::fuses)
        return k;
    else
        return {};
}

/// z = d v, element by element: Jacobi as a sweep by itself.
template <class T>
struct times_diagonal : always {
    using sum = void;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {.reads = true, .writes = true};
    vec<const T> d, v;
    vec<T> z;
    struct element {
        T d, v;
    };
    DDLA_HD auto reads() const { return fields<element>(d, v); }
    DDLA_HD vec<T> writes() const { return z; }
    DDLA_HD void operator()(index_t i, const element& own, no_scalars) const
    {
        z.set(i, own.d * own.v);
    }
};

/// d_i = 1 / a_ii; the sum is the first row whose diagonal is absent or zero.
template <class T, class V>
struct invert_diagonal : always {
    using sum = first_index;
    static constexpr over sweeps = over::elements;
    static constexpr abilities has = {};
    csr<V> a;
    vec<T> d;
    first_index* result;
    DDLA_HD first_index operator()(index_t i, no_scalars) const
    {
        T diagonal(0);
        for (index_t k = a.row_begin[i]; k < a.row_begin[i + 1]; ++k)
            if (a.column[k] == i) diagonal = diagonal + T(a.value.get(k));
        if (diagonal == T(0)) return {i};
        d.set(i, T(1) / diagonal);
        return {};
    }
    DDLA_HD void finish(const sum& s) const { *result = s; }
};

}  // namespace ddla::steps
