// Row sums; one object for all precisions, not in the files of the steps that use them, because
// this is the largest loop of the library.
#include "row_sums.hpp"

namespace ddla::host_backend {

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template void sum_rows(const csr<V>&, vec<const T>, index_t, index_t, lanes<T>&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::host_backend
