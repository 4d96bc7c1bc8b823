// In double; a file of its own so that the precisions compile side by side.
#include "context.cuh"
#include "engine/matrix_solves.hpp"

namespace ddla {

template struct matrix_solves<device_backend::context, double, double>;

}  // namespace ddla
