#include "schedule.hpp"

#include "ddla/error.hpp"

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>

namespace ddla::device_backend {

namespace {

/// A variable of the environment that turns something off: 0, or 1 as by default.
bool is_on(const char* name)
{
    const char* const wish = std::getenv(name);
    const std::string_view value = wish ? wish : "";
    if (value != "" && value != "0" && value != "1")
        throw input_error(std::string(name) + " is \"" + wish + "\", not 0 or 1");
    return value != "0";
}

struct switches {
    bool early_launch = is_on("DDLA_EARLY_LAUNCH");
    bool grid_kernels = is_on("DDLA_GRID_KERNELS");
};
const switches& of_environment()
{
    static const switches all;
    return all;
}

std::mutex guard;
schedule chosen;
std::atomic<std::int64_t> many{0}, sequences{0}, summed{0}, solved{0}, programs{0};

}  // namespace

std::int64_t resident_kernels()
{
    return many;
}

void count_resident_kernel()
{
    ++many;
}

std::int64_t sweep_sequence_kernels()
{
    return sequences;
}

void count_sweep_sequence_kernel()
{
    ++sequences;
}

std::int64_t products_with_sums()
{
    return summed;
}

void count_product_with_sums()
{
    ++summed;
}

std::int64_t solves_with_factors()
{
    return solved;
}

void count_solve_with_factors()
{
    ++solved;
}

std::int64_t program_graphs()
{
    return programs;
}

void count_program_graph()
{
    ++programs;
}

schedule current_schedule()
{
    const switches& on = of_environment();
    const std::lock_guard lock(guard);
    schedule s = chosen;
    if (!on.early_launch) s.early_launch = -1;
    if (!on.grid_kernels) s.resident_tiles = -1, s.sequence_tiles = -1;
    return s;
}

void choose_schedule(const schedule& wanted)
{
    const std::lock_guard lock(guard);
    chosen = wanted;
}

}  // namespace ddla::device_backend
