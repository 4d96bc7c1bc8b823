// In double; a file of its own so that the precisions compile in parallel.
#include "matrix_operations.hpp"

#include "engine/matrix_residuals.hpp"
#include "engine/several_products.hpp"

namespace ddla {

template struct matrix_residuals<host_backend::context, double, double>;
template struct several_products<host_backend::context, double, double>;

namespace host_backend {

template matrix_operations<double, double>& matrices_on_host();
template void multiply(backend&, const csr<double>&, vec<const double>, vec<double>);

}  // namespace host_backend
}  // namespace ddla
