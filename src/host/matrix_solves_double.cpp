// In double; a file of its own so that the precisions compile side by side.
#include "context.hpp"
#include "engine/matrix_solves.hpp"

namespace ddla {

template struct matrix_solves<host_backend::context, double, double>;

}  // namespace ddla
