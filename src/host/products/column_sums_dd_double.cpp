// In double-double, of matrices of double; a file of its own so that the precisions compile side by
// side.
#include "column_sums.hpp"

namespace ddla::host_backend {

template void sum_rows_of_eight(const csr<double>&, const interleaved<dd_real>&, index_t, index_t,
                                lanes<dd_real, 8>*);

}  // namespace ddla::host_backend
