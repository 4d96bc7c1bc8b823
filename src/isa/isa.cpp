#include "isa.hpp"

#include <atomic>

namespace ddla::host_backend {

namespace {

isa widest()
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                          __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
    if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl"))
        return isa::avx512;
    if (has_avx2) return isa::avx2;
#endif
    return isa::baseline;
}

std::atomic<isa>& chosen()
{
    static std::atomic<isa> value{widest()};
    return value;
}

}  // namespace

isa current_isa()
{
    return chosen().load(std::memory_order_relaxed);
}

bool choose_isa(isa wanted)
{
    if (wanted > widest()) return false;
    chosen() = wanted;
    return true;
}

}  // namespace ddla::host_backend
