// Raw memory at a place.
#pragma once

#include "ddla/place.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ddla {

class memory {
public:
    virtual ~memory() = default;
    /// Uninitialised bytes.  Throws resource_error, with the numbers, if memory does not suffice.
    virtual void* allocate(std::size_t bytes) = 0;
    virtual void release(void* data) noexcept = 0;
    virtual void fill_with_zero(void* data, std::size_t bytes) = 0;
    virtual void copy_from_host(void* target, const void* source, std::size_t bytes) = 0;
    virtual void copy_to_host(void* target, const void* source, std::size_t bytes) = 0;
    virtual void copy_within(void* target, const void* source, std::size_t bytes) = 0;
};

/// From construction to destruction the zeros of new vectors of this thread are work that a
/// watched_scope can end.  Not always: a solve that was ended still makes vectors for its report.
class watched_zeros {
public:
    watched_zeros() { ++depth; }
    watched_zeros(const watched_zeros&) = delete;
    watched_zeros& operator=(const watched_zeros&) = delete;
    ~watched_zeros() { --depth; }

    static bool are_written() { return depth > 0; }

private:
    static inline thread_local int depth = 0;
};

/// From construction to destruction no watch ends the work of this thread: that of the report of a
/// solve, which ends with one.
class unwatched_work {
public:
    unwatched_work() { ++depth; }
    unwatched_work(const unwatched_work&) = delete;
    unwatched_work& operator=(const unwatched_work&) = delete;
    ~unwatched_work() { --depth; }

    static bool is_done() { return depth > 0; }

private:
    static inline thread_local int depth = 0;
};

memory& host_memory();
/// Before so many bytes are allocated: gives memory that was freed back to the system, as far as
/// whole pages of it are free.  The C library keeps it, beside large arrays that are made anew.
/// Nothing below 4 MB, or where the library cannot.  Cost: about a millisecond.
void return_freed_memory(std::int64_t before_bytes);
/// What the text of the error names.
enum class needed_by { array, factors };
/// What the machine has.
std::size_t bytes_of_machine();
/// Bytes that this process can still fill: the least of what the machine has left, of the limit of
/// its addresses, and of those of its control groups.  Nothing where the system does not tell.
/// `root`: the folder of /proc and /sys.
std::optional<std::int64_t> memory_left(const std::string& root = "");
/// Throws resource_error with both numbers if `bytes` are not left, for one or more arrays that
/// will be filled: a system that promises more than it has would end the process then.  Looks only
/// from 64 MB on.
void require_memory(std::int64_t bytes, needed_by what = needed_by::array);
/// Throws resource_error if there is no such device, or no device code in this build.
memory& device_memory(int index);

inline memory& memory_at(place where)
{
    return where.is_host() ? host_memory() : device_memory(where.device_index);
}

}  // namespace ddla
