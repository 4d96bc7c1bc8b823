// The error of an allocation at a device.
#pragma once

#include "ddla/error.hpp"

namespace ddla::device_backend {

/// The memory of a device does not suffice.
struct out_of_device_memory : resource_error {
    using resource_error::resource_error;
};

}  // namespace ddla::device_backend
