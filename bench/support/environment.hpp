// Where and with what was measured on a device.
#pragma once

#include "machine.hpp"
#include "rivals.hpp"

namespace bench {

/// machine(), the device and versions.
json environment(const rivals& by);

}  // namespace bench
