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

inline void* allocated(std::size_t alignment, std::size_t bytes)
{
    ++allocations;
    if (until_failure.load(std::memory_order_relaxed) >= 0 && until_failure.fetch_sub(1) == 0)
        return nullptr;
    void* p = nullptr;
    return ::posix_memalign(&p, std::max(alignment, sizeof(void*)), bytes) == 0 ? p : nullptr;
}

inline void* allocated_or_throw(std::size_t alignment, std::size_t bytes)
{
    if (void* const p = allocated(alignment, bytes)) return p;
    throw std::bad_alloc();
}

}  // namespace test

void* operator new(std::size_t bytes)
{
    return test::allocated_or_throw(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment)
{
    return test::allocated_or_throw(static_cast<std::size_t>(alignment), bytes);
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept
{
    return test::allocated(alignof(std::max_align_t), bytes);
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept
{
    return test::allocated(static_cast<std::size_t>(alignment), bytes);
}
void operator delete(void* p) noexcept
{
    std::free(p);
}
void operator delete(void* p, std::size_t) noexcept
{
    std::free(p);
}
void operator delete(void* p, std::align_val_t) noexcept
{
    std::free(p);
}
void operator delete(void* p, std::size_t, std::align_val_t) noexcept
{
    std::free(p);
}
extern "C" void* aligned_alloc(std::size_t alignment, std::size_t bytes) noexcept
{
    return test::allocated(alignment, bytes);
}
