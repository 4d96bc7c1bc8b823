// In double; a file of its own so that the precisions compile side by side.
#include "matrix_operations.cuh"

namespace ddla::device_backend {

template std::unique_ptr<matrix_operations<double, double>> matrices_on_device(queue&);

}  // namespace ddla::device_backend
