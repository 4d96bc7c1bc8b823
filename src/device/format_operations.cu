// Other storages of a matrix, on a device.
#include "engine/format_operations.hpp"

#include "context.cuh"
#include "device/core/gpu.hpp"
#include "operations.hpp"

namespace ddla::device_backend {

template <scalar V>
std::unique_ptr<format_operations<V>> formats_on_device(queue& in)
{
    return std::make_unique<format_operations_on<context, V>>(context{&in});
}

template std::unique_ptr<format_operations<double>> formats_on_device(queue&);
template std::unique_ptr<format_operations<dd_real>> formats_on_device(queue&);

}  // namespace ddla::device_backend
