// Methods that run as programs, at a device.
#include "programs.cuh"

namespace ddla::device_backend {

template std::unique_ptr<program_operations<double>> programs_on_device(queue&);
template std::unique_ptr<program_operations<dd_real>> programs_on_device(queue&);

}  // namespace ddla::device_backend
