// The devices that this process can see.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ddla {

struct device_info {
    std::string name;
    int architecture;  ///< 90 for sm_90
    int multiprocessors;
    std::size_t bytes;  ///< of memory
};

/// device(i) is element i.  Empty without a device, without a driver, or in a build for the host.
std::vector<device_info> devices();

}  // namespace ddla
