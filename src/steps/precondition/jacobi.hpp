// Preconditioners that act on one element at a time: they fuse into any step.
//
//     auto own(i)                  what K reads of element i
//     T operator()(own, r)         element i of K^-1 r
#pragma once

#include "steps/step.hpp"

namespace ddla::steps {

/// K = I.
template <class T>
struct identity {
    static constexpr bool is_identity = true;
    struct element {};
    DDLA_HD element own(index_t) const { return {}; }
    DDLA_HD T operator()(element, T r) const { return r; }
    template <class Moves>
    void traffic(Moves&) const
    {
    }
};

/// K = diag(A); applies its inverse, computed once in T.
template <class T>
struct jacobi {
    static constexpr bool is_identity = false;
    vec<const T> inverse_diagonal;
    DDLA_HD T own(index_t i) const { return inverse_diagonal.get(i); }
    DDLA_HD T operator()(T inverse, T r) const { return inverse * r; }
    template <class Moves>
    void traffic(Moves& m) const
    {
        m.reads(inverse_diagonal);
    }
};

/// d_i = 1 / a_ii; the sum is the first row whose diagonal is absent or zero.
template <class T, class V>
struct invert_diagonal : always {
    using sum = first_index;
    static constexpr over sweeps = over::elements;
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
