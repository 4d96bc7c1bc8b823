// libcuda is not linked, so that a ddla with device code starts where there is none: the runtime
// finds its functions.
#include "driver.hpp"

#include "check.hpp"

#include "ddla/error.hpp"

#include <map>
#include <mutex>

namespace ddla::device_backend::driver {

namespace {

/// Null if this driver has no such function.  Throws if the runtime cannot tell.
template <class F>
F* find(const char* name, F&)
{
    void* found = nullptr;
    cudaDriverEntryPointQueryResult how{};
#if CUDART_VERSION >= 12050
    constexpr unsigned version = 12000;
    const cudaError_t status =
        cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &how);
#else
    const cudaError_t status = cudaGetDriverEntryPoint(name, &found, cudaEnableDefault, &how);
#endif
    check(status, "cudaGetDriverEntryPoint");
    return how == cudaDriverEntryPointSuccess ? reinterpret_cast<F*>(found) : nullptr;
}

struct functions {
    decltype(&cuCtxGetCurrent) current = find("cuCtxGetCurrent", cuCtxGetCurrent);
    decltype(&cuCtxGetDevice) device = find("cuCtxGetDevice", cuCtxGetDevice);
    decltype(&cuCtxPushCurrent) push = find("cuCtxPushCurrent", cuCtxPushCurrent);
    decltype(&cuCtxPopCurrent) pop = find("cuCtxPopCurrent", cuCtxPopCurrent);
    decltype(&cuDevicePrimaryCtxGetState) state =
        find("cuDevicePrimaryCtxGetState", cuDevicePrimaryCtxGetState);
    decltype(&cuDevicePrimaryCtxRetain) retain =
        find("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain);
    decltype(&cuDevicePrimaryCtxRelease) release =
        find("cuDevicePrimaryCtxRelease", cuDevicePrimaryCtxRelease);

    bool are_there() const
    {
        return current && device && push && pop && state && retain && release;
    }
};

const functions& of_driver()
{
    static const functions all;
    return all;
}

/// Of the device whose context is current.
bool is_primary(CUcontext now)
{
    const functions& f = of_driver();
    CUdevice device = 0;
    unsigned flags = 0;
    int active = 0;
    if (f.device(&device) != CUDA_SUCCESS || f.state(device, &flags, &active) != CUDA_SUCCESS ||
        !active)
        return false;
    CUcontext primary = nullptr;
    if (f.retain(&primary, device) != CUDA_SUCCESS) return false;
    f.release(device);
    return primary == now;
}

CUcontext primary_context(int device)
{
    static auto& guard = *new std::mutex;
    static auto& kept = *new std::map<int, CUcontext>;
    const std::lock_guard lock(guard);
    CUcontext& context = kept[device];
    if (context) return context;
    const CUresult status = of_driver().retain(&context, device);
    if (status != CUDA_SUCCESS)
        throw resource_error("the primary context of device " + std::to_string(device) +
                             " cannot be used: the driver returns error " + std::to_string(status));
    return context;
}

}  // namespace

bool is_in_foreign_context()
{
    const functions& f = of_driver();
    CUcontext now = nullptr;
    if (!f.are_there()) return false;
    const CUresult status = f.current(&now);
    if (status == CUDA_ERROR_NOT_INITIALIZED) return false;
    // In doubt it may be one: the primary context is pushed then, which is right in either case.
    if (status != CUDA_SUCCESS) return true;
    if (!now) return false;
    thread_local CUcontext known = nullptr;  // the primary one that was seen last
    if (now == known) return false;
    if (!is_primary(now)) return true;
    known = now;
    return false;
}

void push_primary_context(int device)
{
    const CUresult status = of_driver().push(primary_context(device));
    if (status != CUDA_SUCCESS)
        throw resource_error("the primary context of device " + std::to_string(device) +
                             " cannot be made current: the driver returns error " +
                             std::to_string(status));
}

void pop_context() noexcept
{
    CUcontext popped = nullptr;
    of_driver().pop(&popped);
}

}  // namespace ddla::device_backend::driver
