// What the steps of every solver hold.
#pragma once

#include "control.hpp"
#include "scaling.hpp"

#include <utility>

namespace ddla::steps {

/// `Scalars` has a control<T> named `at`; K is a preconditioner.
template <class T, class Scalars, class Vectors, class K, int Sums>
struct solver_step {
    using scalar = T;
    using sum = sums<T, Sums>;
    using own_of_k = decltype(std::declval<K>().reads().get(0));
    Scalars* shared;
    Vectors all;
    K precondition;
    system_scale scale;
    DDLA_HD static bool stopped(const Scalars& q) { return q.at.stopped(); }
};

}  // namespace ddla::steps
