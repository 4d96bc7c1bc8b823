// Where memory is that somebody else has allocated.
//
//     ddla::stream on(ddla::place_of_memory(x_high));  // where the words of x are
//     const double norm = ddla::nrm2(on, ddla::vec<const double>(x_high, n));
#pragma once

#include "place.hpp"

namespace ddla {

/// The device that holds the memory; of memory of the host that a device can reach (pinned,
/// managed) device 0, else the host.  The host, too, where there is no device (devices.hpp).
place place_of_memory(const void* data);

}  // namespace ddla
