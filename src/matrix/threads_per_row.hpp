// How many threads share a row of crs_t.
#pragma once

#include "ddla/tune.hpp"

namespace ddla::api {

struct threads_found {
    int threads;
    std::string reason;  ///< why so many, in words that go on a sentence
};

/// Of measurements with 1, 2, 4, ... threads a row: the fastest; of equals the fewest threads.
threads_found fastest_of(const std::vector<measured_format>& measured);

/// Yoshizawa and Takahashi (2012): try them all on y = A x with vectors of T.  Leaves `a` in one of
/// them.  Where products cannot be measured, for there are no entries or there is no room for the
/// vectors, by the rule of crs_vector.
template <scalar T, scalar V>
threads_found fastest_threads(csr_matrix<V>& a);

}  // namespace ddla::api
