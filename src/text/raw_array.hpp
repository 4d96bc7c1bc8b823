// Uninitialised arrays of plain values.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace ddla::text {

struct free_memory {
    void operator()(void* p) const { std::free(p); }
};

template <class T>
using raw_array = std::unique_ptr<T[], free_memory>;

/// Throws std::bad_alloc if there is no room.
template <class T>
raw_array<T> make_raw_array(std::size_t count)
{
    static_assert(std::is_trivially_copyable_v<T>);
    if (count > PTRDIFF_MAX / sizeof(T)) throw std::bad_alloc();
    void* data = std::malloc(count > 0 ? count * sizeof(T) : 1);
    if (data == nullptr) throw std::bad_alloc();
    return raw_array<T>(static_cast<T*>(data));
}

}  // namespace ddla::text
