// Row sums of the patterns format; one object for all precisions, for the reason in row_sums.cpp.
#include "pattern_sums.hpp"

namespace ddla::host_backend {

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void sum_patterns(const csr<V>&, vec<const T>, index_t, index_t, lanes<T>&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::host_backend
