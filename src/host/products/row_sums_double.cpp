// In double; a file of its own so that the precisions compile side by side.
#include "row_sums.hpp"

namespace ddla::host_backend {

template void sum_rows(const csr<double>&, vec<const double>, index_t, index_t, lanes<double>&);

}  // namespace ddla::host_backend
