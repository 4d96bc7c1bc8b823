#include "ddla/buffer.hpp"

#include "ddla/error.hpp"
#include "ddla/watched_scope.hpp"
#include "memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <unistd.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ddla {

namespace {

constexpr std::size_t large_page = std::size_t{1} << 21, most = PTRDIFF_MAX;

resource_error out_of_memory(std::size_t bytes, std::optional<std::int64_t> left,
                             needed_by what = needed_by::array)
{
    const std::string number = std::to_string(bytes);
    std::string text = "out of memory on the host: ";
    text += what == needed_by::factors ? "factors need " + number + " bytes"
                                       : number + " bytes were needed";
    if (left) text += ", and " + std::to_string(*left) + " are left";
    if (what == needed_by::factors)
        text += "; with a smaller most_memory a solve does without factors, and without digits";
    return resource_error(text);
}

class ordinary_memory : public memory {
public:
    void* allocate(std::size_t bytes) override
    {
        // Large arrays on large pages: gathers and scatters miss the TLB far less.
        const bool large = bytes >= 4 * large_page;
        const std::size_t unit = large ? large_page : 64;
        // aligned_alloc wants a multiple of the alignment.
        const std::size_t whole = (bytes + unit - 1) / unit * unit;
        require_memory(static_cast<std::int64_t>(std::min(bytes, most)));
        void* const data = whole < bytes ? nullptr : std::aligned_alloc(unit, whole);
        if (!data) throw out_of_memory(bytes, memory_left());
#if defined(__linux__)
        if (large) ::madvise(data, whole, MADV_HUGEPAGE);  // a wish: its failure changes nothing
#endif
        return data;
    }
    void release(void* data) noexcept override
    {
        std::free(data);
    }
    void fill_with_zero(void* data, std::size_t bytes) override
    {
        // The first touch of 4 MB takes the system some milliseconds.
        const std::size_t at_once = watched_zeros::are_written() ? std::size_t{1} << 22 : bytes;
        for (std::size_t from = 0; from < bytes; from += at_once) {
            const std::size_t size = std::min(at_once, bytes - from);
            std::memset(static_cast<char*>(data) + from, 0, size);
            if (watched_zeros::are_written()) count_work(static_cast<std::int64_t>(size / 8));
        }
    }
    void copy_from_host(void* to, const void* from, std::size_t bytes) override
    {
        std::memcpy(to, from, bytes);
    }
    void copy_to_host(void* to, const void* from, std::size_t bytes) override
    {
        std::memcpy(to, from, bytes);
    }
    void copy_within(void* to, const void* from, std::size_t bytes) override
    {
        std::memcpy(to, from, bytes);
    }
};

}  // namespace

memory& host_memory()
{
    static ordinary_memory only;
    return only;
}

void return_freed_memory([[maybe_unused]] std::int64_t before_bytes)
{
#if defined(__GLIBC__)
    constexpr std::int64_t least = std::int64_t{1} << 22;
    if (before_bytes >= least) ::malloc_trim(0);
#endif
}

void require_memory(std::int64_t bytes, needed_by what)
{
    constexpr std::int64_t least = std::int64_t{1} << 26;
    if (bytes < least) return;
    const auto left = memory_left();
    if (left && bytes > *left) throw out_of_memory(static_cast<std::size_t>(bytes), left, what);
}

std::size_t bytes_of_machine()
{
    return static_cast<std::size_t>(::sysconf(_SC_PHYS_PAGES)) *
           static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

buffer::buffer(std::size_t bytes, place where) : bytes_(bytes), place_(where)
{
    memory& here = memory_at(where);
    if (bytes > 0) data_ = here.allocate(bytes);
}

buffer::~buffer()
{
    if (data_) memory_at(place_).release(data_);
}

void copy_bytes(void* target, place target_place, const void* source, place source_place,
                std::size_t bytes)
{
    if (bytes == 0) return;
    if (target_place == source_place)
        memory_at(target_place).copy_within(target, source, bytes);
    else if (source_place.is_host())
        memory_at(target_place).copy_from_host(target, source, bytes);
    else if (target_place.is_host())
        memory_at(source_place).copy_to_host(target, source, bytes);
    else {
        const std::unique_ptr<std::byte[]> between(new std::byte[bytes]);
        memory_at(source_place).copy_to_host(between.get(), source, bytes);
        memory_at(target_place).copy_from_host(target, between.get(), bytes);
    }
}

}  // namespace ddla
