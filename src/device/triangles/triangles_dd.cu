// For vectors in double-double; a file of its own so that the precisions compile side by side.
#include "solve.cuh"

#include "device/operations.hpp"

namespace ddla::device_backend {

template std::unique_ptr<triangle_operations<dd_real>> triangles_on_device(queue&, rank_part);

}  // namespace ddla::device_backend
