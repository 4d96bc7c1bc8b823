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
/// Of memory, with what caches would give back, and of swap.
std::int64_t left_of_machine(const std::string& root)
{
    const std::string file = root + "/proc/meminfo";
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

/// Of one control group, with what its caches would give back.
std::int64_t left_of_group(const std::string& folder, const char* most, const char* used)
{
    const auto limit = number_in(folder + most), now = number_in(folder + used);
    if (!limit || !now) return no_limit;
    std::int64_t left = *limit - *now;
    for (const char* cached : {"inactive_file", "active_file", "slab_reclaimable"})
        left += number_in(folder + "memory.stat", cached, 1).value_or(0);
    return left;
}
/// Of the control groups that this process is in, version 2 or 1, each within the next: those of a
/// container, or of a job.
std::int64_t left_of_groups(const std::string& root)
{
    std::int64_t left = no_limit;
    std::ifstream in(root + "/proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool is_second = kinds == ",,";
        if (!is_second && kinds.find(",memory,") == std::string::npos) continue;
        const std::string top = root + (is_second ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory");
        for (std::string path = line.substr(second + 1);; path.resize(path.rfind('/'))) {
            while (!path.empty() && path.back() == '/') path.pop_back();
            left = std::min(left,
                            left_of_group(top + path + "/",
                                          is_second ? "memory.max" : "memory.limit_in_bytes",
                                          is_second ? "memory.current" : "memory.usage_in_bytes"));
            if (path.find('/') == std::string::npos) break;
        }
    }
    // What is swapped out does not count there.
    const auto swap = number_in(root + "/proc/meminfo", "SwapFree:", 1024);
    return left < no_limit ? left + swap.value_or(0) : left;
}
#endif

}  // namespace

std::optional<std::int64_t> memory_left([[maybe_unused]] const std::string& root)
{
#if defined(__linux__)
    const std::int64_t left =
        std::min({left_of_machine(root), left_of_addresses(), left_of_groups(root)});
    if (left < no_limit) return std::max(left, std::int64_t{0});
#endif
    return {};
}

}  // namespace ddla
