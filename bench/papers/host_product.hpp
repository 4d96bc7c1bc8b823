// y = alpha A x + beta y on the host, and what rounding may make of it in another order.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <vector>

namespace bench {

/// `expected` in double-double; a result of T that is right is at most `bound` from it.  The bound
/// is that of any order of the additions, with and without fma.
struct host_product {
    ddla::vector<ddla::dd_real> expected;
    std::vector<double> bound;
};

/// Of a matrix and vectors on the host, by so many threads: 0 for all processors.
template <ddla::scalar T>
host_product multiply_on_host(T alpha, const ddla::csr_matrix<double>& a, ddla::vec<const T> x,
                              T beta, ddla::vec<const T> y, unsigned threads = 0);

}  // namespace bench
