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

std::unique_ptr<engine> device_engine_on(int index, void*)
{
    device_engine(index);
    return nullptr;
}

std::unique_ptr<engine> device_engine_of_rank(int index, shared_sums&)
{
    device_engine(index);
    return nullptr;
}

std::vector<device_info> devices()
{
    return {};
}

std::string why_no_device()
{
    return "this build of ddla computes on the host only";
}

device_state state_of_device(int)
{
    return {0, why_no_device()};
}

void release_kept_memory(int index)
{
    device_engine(index);
}

cuda_versions versions_of_cuda()
{
    return {};
}

}  // namespace ddla
