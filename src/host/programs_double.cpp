// In double; a file of its own so that the precisions compile in parallel.
#include "programs.hpp"

namespace ddla::host_backend {

template program_operations<double>& programs_on_host();

}  // namespace ddla::host_backend
