// Vectors whose new elements have no value yet.
#pragma once

#include "storage/memory.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// Bytes of new memory, or of a copy, between two calls of count_work: some milliseconds.
constexpr std::size_t bytes_at_once = std::size_t{1} << 22;

/// resize(n), and the first touch of the new pages, counted for a watch: where elements are
/// written in any order, few of them may touch many pages, each of which the system clears first.
template <class X>
void resize_touched(unfilled<X>& list, std::size_t n)
{
    constexpr std::size_t page = 4096 / sizeof(X), piece = bytes_at_once / sizeof(X);
    std::size_t from = list.size();
    list.resize(n);
    while (from < n) {
        const std::size_t end = std::min(n, from + piece);
        count_work(static_cast<std::int64_t>((end - from) * sizeof(X) / 8));
        for (; from < end; from += page) list[from] = X();
    }
}

/// Room for n elements; where the list moves, for twice as many as there are.  The move is counted
/// for a watch, and the list is as before if that ends it.
template <class List>
void make_room(List& list, std::size_t n)
{
    if (n <= list.capacity()) return;
    using value = typename List::value_type;
    constexpr auto piece = static_cast<std::ptrdiff_t>(bytes_at_once / sizeof(value));
    List larger;
    larger.reserve(std::max(n, 2 * list.size()));
    for (auto from = list.begin(); from != list.end();) {
        const auto end = from + std::min(piece, list.end() - from);
        count_work((end - from) * static_cast<std::int64_t>(sizeof(value)) / 8);
        larger.insert(larger.end(), from, end);
        from = end;
    }
    list.swap(larger);
}

}  // namespace ddla::factor
