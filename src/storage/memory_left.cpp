// What is left of the machine's memory, as Linux tells it.
#include "memory.hpp"

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <unistd.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

namespace ddla {

namespace {

constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();

/// The number behind `name`, a word of its own, times `unit`; nothing if it is not there.
[[maybe_unused]] std::optional<std::int64_t> number_in(const std::string& file,
                                                       const std::string& name, std::int64_t unit)
{
    std::ifstream in(file);
    std::string word;
    while (in >> word) {
        std::int64_t number;
        if (word == name && in >> number) return number * unit;
    }
    return {};
}
/// Of a file that is a number; "max" is none.
[[maybe_unused]] std::optional<std::int64_t> number_in(const std::string& file)
{
    std::ifstream in(file);
    std::int64_t number;
    if (in >> number) return number;
    return {};
}

#if defined(__linux__)
/// Of memory and swap, with what caches would give back.
std::int64_t left_of_machine()
{
    const std::string file = "/proc/meminfo";
    const auto memory = number_in(file, "MemAvailable:", 1024);
    return memory ? *memory + number_in(file, "SwapFree:", 1024).value_or(0) : no_limit;
}

/// Of the address space of this process.
std::int64_t left_of_addresses()
{
    rlimit limit = {};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
    const auto pages = number_in("/proc/self/statm");
    if (!pages) return no_limit;
    return static_cast<std::int64_t>(limit.rlim_cur) - *pages * ::sysconf(_SC_PAGESIZE);
}

std::int64_t left_of_group(const std::string& folder, const char* most, const char* used,
                           const char* cached)
{
    const auto limit = number_in(folder + most), now = number_in(folder + used);
    if (!limit || !now) return no_limit;
    return *limit - *now + number_in(folder + "memory.stat", cached, 1).value_or(0);
}
/// Of the control group of this process, version 2 or 1; of a container.
std::int64_t left_of_groups()
{
    std::int64_t left = no_limit;
    std::ifstream in("/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",",
                          path = line.substr(second + 1) + "/";
        if (kinds == ",,")
            left = std::min(left, left_of_group("/sys/fs/cgroup" + path, "memory.max",
                                                "memory.current", "inactive_file"));
        else if (kinds.find(",memory,") != std::string::npos)
            left = std::min(left,
                            left_of_group("/sys/fs/cgroup/memory" + path, "memory.limit_in_bytes",
                                          "memory.usage_in_bytes", "total_inactive_file"));
    }
    return left;
}
#endif

}  // namespace

std::optional<std::int64_t> memory_left()
{
#if defined(__linux__)
    const std::int64_t left = std::min({left_of_machine(), left_of_addresses(), left_of_groups()});
    if (left < no_limit) return std::max(left, std::int64_t{0});
#endif
    return {};
}

}  // namespace ddla
