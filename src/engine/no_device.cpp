// Stands in for the device engines in a build without them.
#include "engine.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"

#include <string>

namespace ddla {

engine& device_engine(int index)
{
    throw resource_error("there is no engine at device " + std::to_string(index) +
                         ": this build of ddla computes on the host");
}

std::vector<device_info> devices()
{
    return {};
}

}  // namespace ddla
