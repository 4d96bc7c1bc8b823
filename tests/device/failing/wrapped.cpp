// What stands between ddla and CUDA: the program is linked with --wrap=NAME for each name here
// (CMakeLists.txt reads this file), so that calls of NAME arrive at __wrap_NAME, and __real_NAME is
// CUDA's.  every_call_wrapped checks that none is missing.
#include "calls.hpp"

#include <cuda.h>

#include <array>
#include <cstring>

using namespace test::calls;
using enum test::calls::role;

namespace {

constexpr const char* pool = "pool";
constexpr const char* stream = "stream";
constexpr const char* ready_graph = "graph that is ready";
constexpr const char* recorded_graph = "graph";
constexpr const char* device_memory = "memory of cudaMalloc";
constexpr const char* pool_memory = "memory of the pool";
constexpr const char* host_memory = "pinned memory";

/// Only the blocks of cooperative kernels must be on the device at once.
role role_of(const cudaLaunchConfig_t& launch)
{
    for (unsigned k = 0; k < launch.numAttrs; ++k)
        if (launch.attrs[k].id == cudaLaunchAttributeCooperative) return needs_room;
    return plain;
}

}  // namespace

/// Where the caller of a wrapper goes on.
#define DDLA_CALLER __builtin_return_address(0)

// DDLA_CALL(NAME, ROLE, KERNEL, PARAMETERS, ARGUMENTS), DDLA_NEW and DDLA_FREE with the kind of
// object, and the object.
#define DDLA_CALL(name, its_role, what, parameters, arguments)                                     \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters                                                \
    {                                                                                              \
        return made(#name, its_role, what, DDLA_CALLER, [&] { return __real_##name arguments; });  \
    }
#define DDLA_NEW(name, its_role, kind, object, parameters, arguments)                              \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters                                                \
    {                                                                                              \
        return made(#name, its_role, nullptr, DDLA_CALLER, [&] {                                   \
            const cudaError_t status = __real_##name arguments;                                    \
            if (status == cudaSuccess) note_new(kind, object);                                     \
            return status;                                                                         \
        });                                                                                        \
    }
#define DDLA_FREE(name, kind, object, parameters, arguments)                                       \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters                                                \
    {                                                                                              \
        return made(#name, frees, nullptr, DDLA_CALLER, [&] {                                      \
            note_freed(kind, object);                                                              \
            return __real_##name arguments;                                                        \
        });                                                                                        \
    }

// Devices and kernels.
DDLA_CALL(cudaDeviceGetAttribute, plain, nullptr, (int* to, cudaDeviceAttr what, int device),
          (to, what, device))
DDLA_CALL(cudaDriverGetVersion, plain, nullptr, (int* to), (to))
DDLA_CALL(cudaGetDevice, plain, nullptr, (int* to), (to))
DDLA_CALL(cudaGetDeviceCount, plain, nullptr, (int* to), (to))
DDLA_CALL(cudaSetDevice, plain, nullptr, (int device), (device))
DDLA_CALL(cudaMemGetInfo, plain, nullptr, (std::size_t * free, std::size_t* all), (free, all))
DDLA_CALL(cudaPointerGetAttributes, plain, nullptr, (cudaPointerAttributes * to, const void* data),
          (to, data))
DDLA_CALL(cudaFuncGetAttributes, plain, kernel, (cudaFuncAttributes * to, const void* kernel),
          (to, kernel))
DDLA_CALL(cudaFuncSetAttribute, plain, kernel, (const void* kernel, cudaFuncAttribute what, int to),
          (kernel, what, to))
DDLA_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags, plain, kernel,
          (int* to, const void* kernel, int threads, std::size_t shared_bytes, unsigned flags),
          (to, kernel, threads, shared_bytes, flags))

// Launches.
DDLA_CALL(cudaLaunchKernelExC, role_of(*how), kernel,
          (const cudaLaunchConfig_t* how, const void* kernel, void** arguments),
          (how, kernel, arguments))
DDLA_CALL(cudaLaunchKernel, plain, kernel,
          (const void* kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
           cudaStream_t in),
          (kernel, grid, block, arguments, shared_bytes, in))
DDLA_CALL(__cudaPopCallConfiguration, frees, nullptr,
          (dim3 * grid, dim3* block, std::size_t* shared_bytes, void* in),
          (grid, block, shared_bytes, in))
#if CUDART_VERSION >= 13000
DDLA_CALL(cudaGetDeviceProperties, plain, nullptr, (cudaDeviceProp * to, int device), (to, device))
DDLA_CALL(__cudaGetKernel, plain, symbol, (cudaKernel_t * to, const void* symbol), (to, symbol))
DDLA_CALL(__cudaLaunchKernel, plain, kernel,
          (cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, std::size_t shared_bytes,
           cudaStream_t in),
          (kernel, grid, block, arguments, shared_bytes, in))
#else
DDLA_CALL(cudaGetDeviceProperties_v2, plain, nullptr, (cudaDeviceProp * to, int device),
          (to, device))
#endif

// Work of a stream.
DDLA_CALL(cudaMemcpyAsync, plain, nullptr,
          (void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t in),
          (to, from, bytes, kind, in))
DDLA_CALL(cudaMemsetAsync, plain, nullptr, (void* to, int byte, std::size_t bytes, cudaStream_t in),
          (to, byte, bytes, in))
DDLA_CALL(cudaStreamSynchronize, waits, nullptr, (cudaStream_t in), (in))
DDLA_CALL(cudaStreamIsCapturing, plain, nullptr, (cudaStream_t in, cudaStreamCaptureStatus* to),
          (in, to))
DDLA_CALL(cudaStreamBeginCapture, plain, nullptr, (cudaStream_t in, cudaStreamCaptureMode mode),
          (in, mode))
DDLA_CALL(cudaThreadExchangeStreamCaptureMode, plain, nullptr, (cudaStreamCaptureMode * mode),
          (mode))
DDLA_CALL(cudaGraphLaunch, needs_room, nullptr, (cudaGraphExec_t graph, cudaStream_t in),
          (graph, in))

// Pools.
DDLA_CALL(cudaMemPoolSetAttribute, plain, nullptr,
          (cudaMemPool_t at, cudaMemPoolAttr what, void* to), (at, what, to))
DDLA_CALL(cudaMemPoolTrimTo, plain, nullptr, (cudaMemPool_t at, std::size_t bytes), (at, bytes))

// What lives until it is freed.
DDLA_NEW(cudaMalloc, gives_memory, device_memory, *to, (void** to, std::size_t bytes), (to, bytes))
DDLA_NEW(cudaMallocHost, gives_memory, host_memory, *to, (void** to, std::size_t bytes),
         (to, bytes))
DDLA_NEW(cudaMallocFromPoolAsync, gives_memory, pool_memory, *to,
         (void** to, std::size_t bytes, cudaMemPool_t from, cudaStream_t in), (to, bytes, from, in))
DDLA_NEW(cudaMemPoolCreate, plain, pool, *to, (cudaMemPool_t * to, const cudaMemPoolProps* how),
         (to, how))
DDLA_NEW(cudaStreamCreateWithFlags, plain, stream, *to, (cudaStream_t * to, unsigned flags),
         (to, flags))
DDLA_NEW(cudaGraphInstantiate, needs_room, ready_graph, *to,
         (cudaGraphExec_t * to, cudaGraph_t from, unsigned long long flags), (to, from, flags))
DDLA_FREE(cudaFree, device_memory, data, (void* data), (data))
DDLA_FREE(cudaFreeHost, host_memory, data, (void* data), (data))
DDLA_FREE(cudaFreeAsync, pool_memory, data, (void* data, cudaStream_t in), (data, in))
DDLA_FREE(cudaMemPoolDestroy, pool, at, (cudaMemPool_t at), (at))
DDLA_FREE(cudaStreamDestroy, stream, in, (cudaStream_t in), (in))
DDLA_FREE(cudaGraphDestroy, recorded_graph, graph, (cudaGraph_t graph), (graph))
DDLA_FREE(cudaGraphExecDestroy, ready_graph, graph, (cudaGraphExec_t graph), (graph))

// Returns an integer, zero for success.
#define DDLA_PUSH(name, parameters, arguments)                                                     \
    extern "C" unsigned __real_##name parameters;                                                  \
    extern "C" unsigned __wrap_##name parameters                                                   \
    {                                                                                              \
        return made(#name, plain, nullptr, DDLA_CALLER,                                            \
                    [&] { return static_cast<cudaError_t>(__real_##name arguments); });            \
    }
DDLA_PUSH(__cudaPushCallConfiguration,
          (dim3 grid, dim3 block, std::size_t shared_bytes, CUstream_st* in),
          (grid, block, shared_bytes, in))

// A capture that fails has ended all the same, and there is no graph.
#define DDLA_END_CAPTURE(name)                                                                     \
    extern "C" cudaError_t __real_##name(cudaStream_t, cudaGraph_t*);                              \
    extern "C" cudaError_t __wrap_##name(cudaStream_t in, cudaGraph_t* to)                         \
    {                                                                                              \
        bool done = false;                                                                         \
        const cudaError_t status = made(#name, plain, nullptr, DDLA_CALLER, [&] {                  \
            done = true;                                                                           \
            return __real_##name(in, to);                                                          \
        });                                                                                        \
        if (done && status == cudaSuccess) note_new(recorded_graph, *to);                          \
        if (done) return status;                                                                   \
        const not_counted ending;                                                                  \
        cudaGraph_t lost = nullptr;                                                                \
        if (__real_##name(in, &lost) == cudaSuccess) __real_cudaGraphDestroy(lost);                \
        *to = nullptr;                                                                             \
        return status;                                                                             \
    }
DDLA_END_CAPTURE(cudaStreamEndCapture)

// The last error is that of the last call that failed here, or else CUDA's.
#define DDLA_LAST_ERROR(name, forgets)                                                             \
    extern "C" cudaError_t __real_##name();                                                        \
    extern "C" cudaError_t __wrap_##name()                                                         \
    {                                                                                              \
        const cudaError_t ours = take_error(forgets), real = __real_##name();                      \
        return ours != cudaSuccess ? ours : real;                                                  \
    }
DDLA_LAST_ERROR(cudaGetLastError, true)
DDLA_LAST_ERROR(cudaPeekAtLastError, false)

// The functions of the driver, which are found by name: the pointers lead here.
namespace {

struct driver_function {
    const char* name;
    void* here;
    void* real = nullptr;
};

template <int Number>
void*& real_function()
{
    static void* there = nullptr;
    return there;
}

/// Number, name and role, of the type of a function of <cuda.h>.
template <int Number, role R, class F>
struct trampoline;
template <int Number, role R, class... P>
struct trampoline<Number, R, CUresult(P...)> {
    static const char* name;
    static CUresult call(P... arguments)
    {
        return static_cast<CUresult>(made_by_driver(name, R, DDLA_CALLER, [&] {
            const auto real = reinterpret_cast<CUresult (*)(P...)>(real_function<Number>());
            return static_cast<int>(real(arguments...));
        }));
    }
};
template <int Number, role R, class... P>
const char* trampoline<Number, R, CUresult(P...)>::name = "";

/// What is to be called instead of the function of that name; null if it is another one.
template <int Number, role R, class F>
void* instead(const char* wanted, const char* name, void* real)
{
    if (std::strcmp(wanted, name) != 0) return nullptr;
    using here = trampoline<Number, R, F>;
    here::name = name;
    real_function<Number>() = real;
    return reinterpret_cast<void*>(&here::call);
}

void* wrapped_driver_function(const char* name, void* real)
{
    const std::array<void*, 7> all{
        instead<0, plain, decltype(cuCtxGetCurrent)>(name, "cuCtxGetCurrent", real),
        instead<1, plain, decltype(cuCtxGetDevice)>(name, "cuCtxGetDevice", real),
        instead<2, plain, decltype(cuCtxPushCurrent)>(name, "cuCtxPushCurrent", real),
        instead<3, frees, decltype(cuCtxPopCurrent)>(name, "cuCtxPopCurrent", real),
        instead<4, plain, decltype(cuDevicePrimaryCtxGetState)>(name, "cuDevicePrimaryCtxGetState",
                                                                real),
        instead<5, plain, decltype(cuDevicePrimaryCtxRetain)>(name, "cuDevicePrimaryCtxRetain",
                                                              real),
        instead<6, frees, decltype(cuDevicePrimaryCtxRelease)>(name, "cuDevicePrimaryCtxRelease",
                                                               real)};
    for (void* const here : all)
        if (here) return here;
    note_wrong_use(std::string(name) + ", a function of the driver, is not wrapped");
    return real;
}

}  // namespace

#define DDLA_FIND(name, parameters, arguments)                                                     \
    extern "C" cudaError_t __real_##name parameters;                                               \
    extern "C" cudaError_t __wrap_##name parameters                                                \
    {                                                                                              \
        return made(#name, plain, nullptr, DDLA_CALLER, [&] {                                      \
            const cudaError_t status = __real_##name arguments;                                    \
            if (status == cudaSuccess && *to) *to = wrapped_driver_function(symbol, *to);          \
            return status;                                                                         \
        });                                                                                        \
    }
DDLA_FIND(cudaGetDriverEntryPoint,
          (const char* symbol, void** to, unsigned long long flags,
           cudaDriverEntryPointQueryResult* how),
          (symbol, to, flags, how))
#if CUDART_VERSION >= 12050
DDLA_FIND(cudaGetDriverEntryPointByVersion,
          (const char* symbol, void** to, unsigned version, unsigned long long flags,
           cudaDriverEntryPointQueryResult* how),
          (symbol, to, version, flags, how))
#endif
