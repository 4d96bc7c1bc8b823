// In double; a file of its own so that the precisions compile side by side.
#include "matrix_operations.cuh"

#include "engine/matrix_residuals.hpp"
#include "engine/several_products.hpp"

namespace ddla {

template struct matrix_residuals<device_backend::context, double, double>;
template struct several_products<device_backend::context, double, double>;

namespace device_backend {

template std::unique_ptr<matrix_operations<double, double>> matrices_on_device(queue&);

}  // namespace device_backend
}  // namespace ddla
