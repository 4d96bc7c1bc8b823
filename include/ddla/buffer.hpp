// Owned memory at a place: the one class that allocates.
//
//     ddla::buffer bytes(1000 * sizeof(double), ddla::host);
//     auto* const numbers = static_cast<double*>(bytes.data());
#pragma once

#include "place.hpp"

#include <cstddef>
#include <utility>

namespace ddla {

/// Uninitialised bytes at a place, aligned to 64 bytes on the host.  Move-only.
class buffer {
public:
    buffer() = default;
    /// Throws resource_error if the place has not `bytes` bytes left.
    buffer(std::size_t bytes, place where);
    buffer(buffer&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)),
          place_(other.place_)
    {
    }
    buffer& operator=(buffer&& other) noexcept
    {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        std::swap(place_, other.place_);
        return *this;
    }
    ~buffer();

    void* data() const { return data_; }
    std::size_t bytes() const { return bytes_; }
    place where() const { return place_; }

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
    place place_ = host;
};

/// Copy bytes between any two places; returns when done.
void copy_bytes(void* target, place target_place, const void* source, place source_place,
                std::size_t bytes);

}  // namespace ddla
