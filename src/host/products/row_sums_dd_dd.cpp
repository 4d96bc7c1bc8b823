// In double-double; a file of its own so that the precisions compile side by side.
#include "row_sums.hpp"

namespace ddla::host_backend {

template void sum_rows(const csr<dd_real>&, vec<const dd_real>, index_t, index_t, lanes<dd_real>&);

}  // namespace ddla::host_backend
