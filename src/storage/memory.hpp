// Raw memory at a place.
#pragma once

#include "ddla/place.hpp"

#include <cstddef>

namespace ddla {

class memory {
public:
    virtual ~memory() = default;
    /// Uninitialised bytes.  Throws resource_error, with the numbers, if memory does not suffice.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* data) noexcept = 0;
    virtual void fill_with_zero(void* data, std::size_t bytes) = 0;
    virtual void copy_from_host(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy_to_host(void* to, const void* from, std::size_t bytes) = 0;
    virtual void copy_within(void* to, const void* from, std::size_t bytes) = 0;
};

memory& host_memory();
/// Throws resource_error if there is no such device, or no device code in this build.
memory& device_memory(int index);

inline memory& memory_at(place at)
{
    return at.is_host() ? host_memory() : device_memory(at.device_index);
}

}  // namespace ddla
