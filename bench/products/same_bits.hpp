// Whether two vectors on the device have the same bits.
#pragma once

#include "ddla/vector.hpp"

#include <cuda_runtime_api.h>

namespace bench {

/// So many of n words differ.  Waits.
ddla::index_t differing_words(const double* x, const double* y, ddla::index_t n,
                              cudaStream_t stream);

template <ddla::scalar T>
bool same_bits(const ddla::vector<T>& x, const ddla::vector<T>& y, cudaStream_t stream)
{
    const auto a = x.view(), b = y.view();
    return differing_words(a.high, b.high, a.size, stream) == 0 &&
           (ddla::words_of<T> == 1 || differing_words(a.low, b.low, a.size, stream) == 0);
}

}  // namespace bench
