// Sums on device 0 in parts.
#include "split_sums.hpp"

#include "device/backend.cuh"

namespace test {

template <class T>
dots_in_parts<T> dots_on_device(const ddla::vector<T>& x, const ddla::vector<T>& y,
                                const std::vector<ddla::index_t>& first)
{
    namespace device = ddla::device_backend;
    device::backend on(device::gpu_at(0).own());
    return dots(on, x, y, first);
}

template dots_in_parts<double> dots_on_device(const ddla::vector<double>&,
                                              const ddla::vector<double>&,
                                              const std::vector<ddla::index_t>&);
template dots_in_parts<ddla::dd_real> dots_on_device(const ddla::vector<ddla::dd_real>&,
                                                     const ddla::vector<ddla::dd_real>&,
                                                     const std::vector<ddla::index_t>&);

}  // namespace test
