// Vectors whose new elements have no value yet.
#pragma once

#include "storage/memory.hpp"

#include <new>
#include <utility>
#include <vector>

namespace ddla::factor {

/// Host memory, on large pages where it is large.
template <class X>
struct unfilled_memory {
    using value_type = X;

    unfilled_memory() = default;
    template <class Y>
    unfilled_memory(const unfilled_memory<Y>&)
    {
    }
    X* allocate(std::size_t n) { return static_cast<X*>(host_memory().allocate(n * sizeof(X))); }
    void deallocate(X* data, std::size_t) noexcept { host_memory().release(data); }
    template <class Y>
    void construct(Y* element) noexcept
    {
        ::new (static_cast<void*>(element)) Y;
    }
    template <class Y, class... From>
    void construct(Y* element, From&&... from)
    {
        ::new (static_cast<void*>(element)) Y(std::forward<From>(from)...);
    }
    bool operator==(const unfilled_memory&) const { return true; }
};

/// resize(n) leaves new elements without value: whoever writes them, several threads perhaps,
/// touches them first, and once.
template <class X>
using unfilled = std::vector<X, unfilled_memory<X>>;

}  // namespace ddla::factor
