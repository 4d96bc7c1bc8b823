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
    ddla::index_t differing = 0;
    for (int k = 0; k < a.words; ++k)
        differing += differing_words(a.word(k), b.word(k), a.size, stream);
    return differing == 0;
}

}  // namespace bench
