// Counts the allocations of a program, and lets one fail.  For one source file of a program: it
// replaces what C++ and the arrays of ddla allocate with.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace test {

inline std::atomic<long> allocations{0};
/// How many allocations succeed before one fails; below 0 none fails.
inline std::atomic<long> until_failure{-1};
/// Whether all later ones fail with it.
inline std::atomic<bool> stays_without{false};
/// Whether one has failed.
inline std::atomic<bool> has_failed{false};
/// The objects of operator new that are alive.
inline std::atomic<long> alive{0};

inline void* allocated(std::size_t alignment, std::size_t bytes)
{
    ++allocations;
    if (stays_without && has_failed) return nullptr;
    if (until_failure.load(std::memory_order_relaxed) >= 0 && until_failure.fetch_sub(1) == 0) {
        has_failed = true;
        return nullptr;
    }
    void* p = nullptr;
    return ::posix_memalign(&p, std::max(alignment, sizeof(void*)), bytes) == 0 ? p : nullptr;
}

inline void* object(std::size_t alignment, std::size_t bytes)
{
    void* const p = allocated(alignment, bytes);
    if (p) ++alive;
    return p;
}

inline void* object_or_throw(std::size_t alignment, std::size_t bytes)
{
    if (void* const p = object(alignment, bytes)) return p;
    throw std::bad_alloc();
}

inline void release(void* p)
{
    if (p) --alive;
    std::free(p);
}

}  // namespace test

void* operator new(std::size_t bytes)
{
    return test::object_or_throw(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return test::object_or_throw(static_cast<std::size_t>(alignment), bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return test::object(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return test::object(static_cast<std::size_t>(alignment), bytes);
}
void operator delete(void* p) noexcept
{
    test::release(p);
}
void operator delete(void* p, std::size_t) noexcept
{
    test::release(p);
}
void operator delete(void* p, std::align_val_t) noexcept
{
    test::release(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept
{
    test::release(p);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
    return test::allocated(alignment, bytes);
}
