// Whether a result on the device is what the host has, up to rounding.
#pragma once

#include "host_product.hpp"

#include <cuda_runtime_api.h>

namespace bench {

/// What is expected, at the device.
struct expected_there {
    ddla::vector<ddla::dd_real> value;
    ddla::buffer bound;

    explicit expected_there(const host_product& on_host);
};

/// So many elements of y are further than the bound from what is expected, or not a number.  Waits.
template <ddla::scalar T>
ddla::index_t wrong_elements(const expected_there& expected, ddla::vec<const T> y,
                             cudaStream_t stream);

}  // namespace bench
