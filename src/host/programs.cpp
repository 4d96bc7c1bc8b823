// Methods that run as programs, on the host.
#include "programs.hpp"

namespace ddla::host_backend {

template program_operations<double>& programs_on_host();
template program_operations<dd_real>& programs_on_host();

}  // namespace ddla::host_backend
