// Methods that run as programs, at a device.
#include "programs.cuh"

namespace ddla::device_backend {

template std::unique_ptr<program_operations<double>> programs_on_device(queue&, rank_part);
template std::unique_ptr<program_operations<dd_real>> programs_on_device(queue&, rank_part);

}  // namespace ddla::device_backend
