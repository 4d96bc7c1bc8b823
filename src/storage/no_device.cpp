// Stands in for the device backend in a build without it.
#include "ddla/error.hpp"
#include "memory.hpp"

namespace ddla {

memory& device_memory(int index)
{
    throw resource_error("device " + std::to_string(index) +
                         " is not available: this build of ddla has no device backend");
}

}  // namespace ddla
