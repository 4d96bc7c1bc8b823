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

/// Yoshizawa and Takahashi (2012): try them all on y = A x with vectors of T, unless `a` has kept
/// what was found.  Leaves `a` in one of them.  Where products cannot be measured, for there are no
/// entries or there is no room for the vectors, by the rule of crs_vector: that is not kept.
template <scalar T, scalar V>
threads_found fastest_threads(csr_matrix<V>& a);

/// For later calls of fastest_threads() with vectors of T; nothing if there are 0 threads.
template <scalar T, scalar V>
void keep_fastest(csr_matrix<V>& a, const threads_found& found);

}  // namespace ddla::api
