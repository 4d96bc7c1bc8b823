// What a step is, and what a backend makes of it.
//
// A step is one sweep over the data, written once for every backend and both precisions:
//
//     static constexpr over sweeps   over::elements, or over::rows of a matrix
//     using state, sum               what it reads and what it adds up (`void` for nothing)
//     state* shared                  the scalars, where the data is
//     sum operator()(i, q)           update element i; return what it adds to the sum
//     sum operator()(i, ax, q)       the same for over::rows, ax = row i of A times `operand`
//     void finish(sum, state& q)     compute the next scalars from the sum
//     static bool stopped(q)         true: the whole step does nothing
//
// `q` is the backend's private copy of *shared, so that element loops hold scalars in registers.
// A sweep may read and write element i of any vector; of other elements it reads only `operand`.
//
// A backend offers:  run(step, n),  run(step, a),  run(sequence, a, times),  write(shared, value)
// and  read(shared), the only wait.
#pragma once

#include "ddla/summation.hpp"

#include <tuple>

namespace ddla::steps {

enum class over { elements, rows };

/// Nothing shared, never stopped.
struct no_state {};

struct always {
    template <class State>
    DDLA_HD static bool stopped(const State&)
    {
        return false;
    }
};

/// The steps of one iteration, in order: a value that a backend can loop over, capture or fuse.
template <class... Steps>
struct sequence {
    std::tuple<Steps...> steps;
};
template <class... Steps>
sequence(Steps...) -> sequence<Steps...>;
template <class... Steps>
sequence<Steps...> in_order(Steps... steps)
{
    return {{steps...}};
}

/// The larger of two magnitudes; a NaN wins.  As a "sum" its order cannot matter.
struct largest {
    double value = 0;
    DDLA_HD friend largest operator+(largest a, largest b)
    {
        return a.value >= b.value || a.value != a.value ? a : b;
    }
};

/// The smallest of some indices.
struct first_index {
    static constexpr index_t none = INT64_MAX;
    index_t value = none;
    DDLA_HD friend first_index operator+(first_index a, first_index b)
    {
        return a.value <= b.value ? a : b;
    }
};

}  // namespace ddla::steps
