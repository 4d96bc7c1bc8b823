// What the steps of every solver hold.
#pragma once

#include "control.hpp"
#include "scaling.hpp"

#include <utility>

namespace ddla::steps {

/// `Scalars` has a control<T> named `control`; K is a preconditioner.
template <class T, class Scalars, class Vectors, class K, int Sums>
struct solver_step {
    using scalar = T;
    using sum = sums<T, Sums>;
    using own_of_k = decltype(std::declval<K>().reads().get(0));
    Scalars* shared;
    Vectors all;
    K precondition;
    system_scale scale;
    DDLA_HD static bool stopped(const Scalars& q) { return q.control.stopped(); }
};

/// What a solver that is a program solves.
template <class T>
struct problem {
    vec<const T> b;
    vec<T> x;
    system_scale scale;
    index_t restart;  ///< iterations of a cycle, for methods that have cycles
    index_t max_iterations;
    index_t l = 2, s = 4;  ///< of BiCGStab(l) and IDR(s)
    double norm_a = 0;     ///< Frobenius, where a method asks for it
    /// Of b: the number of its first element and how many there are on all ranks; negative: b has
    /// all.
    index_t first = 0, all = -1;

    index_t size() const { return all < 0 ? b.size : all; }
};

}  // namespace ddla::steps
