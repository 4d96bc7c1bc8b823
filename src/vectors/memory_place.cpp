#include "ddla/memory_place.hpp"

#include "calls/place_of.hpp"
#include "ddla/devices.hpp"

namespace ddla {

place place_of_memory(const void* data)
{
    return devices().empty() ? host : device_engine(0).home_of(data);
}

}  // namespace ddla
