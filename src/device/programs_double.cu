// In double; a file of its own so that the precisions compile side by side.
#include "programs.cuh"

namespace ddla::device_backend {

template std::unique_ptr<program_operations<double>> programs_on_device(queue&);

}  // namespace ddla::device_backend
