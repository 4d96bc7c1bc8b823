#include "all_units.hpp"

namespace ddla::host_backend {

const double opaque_one = 1;

}  // namespace ddla::host_backend
