// A libcuda.so.1 that is no driver: it starts with the status FAKE_CU_INIT and knows the version of
// CUDA FAKE_CU_VERSION, so that the ends of a real driver show on machines that have none.
//
// The CUDA runtime loads libcuda.so.1, asks cuGetProcAddress for all that it may ever call, and
// then cuDriverGetVersion and cuInit; when one of these is not content, it goes no further.
#include <cstdlib>
#include <string_view>

namespace {

constexpr int not_supported = 801;

int from_environment(const char* name, int otherwise)
{
    const char* const value = std::getenv(name);
    return value ? std::atoi(value) : otherwise;
}

int anything_else()
{
    return not_supported;
}

}  // namespace

extern "C" {

int cuInit(unsigned)
{
    return from_environment("FAKE_CU_INIT", 0);
}

int cuDriverGetVersion(int* version)
{
    *version = from_environment("FAKE_CU_VERSION", 99000);
    return 0;
}

int cuGetProcAddress_v2(const char* name, void** function, int, unsigned long long, int* found)
{
    const std::string_view wanted = name;
    if (wanted == "cuInit")
        *function = reinterpret_cast<void*>(cuInit);
    else if (wanted == "cuDriverGetVersion")
        *function = reinterpret_cast<void*>(cuDriverGetVersion);
    else if (wanted == "cuGetProcAddress")
        *function = reinterpret_cast<void*>(cuGetProcAddress_v2);
    else
        *function = reinterpret_cast<void*>(anything_else);
    if (found) *found = 0;
    return 0;
}

/// Before CUDA 12.
int cuGetProcAddress(const char* name, void** function, int version, unsigned long long flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, nullptr);
}

}  // extern "C"
