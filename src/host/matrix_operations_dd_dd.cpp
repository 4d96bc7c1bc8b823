// In double-double; a file of its own so that the precisions compile in parallel.
#include "matrix_operations.hpp"

namespace ddla::host_backend {

template matrix_operations<dd_real, dd_real>& matrices_on_host();
template void multiply(backend&, const csr<dd_real>&, vec<const dd_real>, vec<dd_real>);

}  // namespace ddla::host_backend
