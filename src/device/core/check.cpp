// What the statuses of the CUDA runtime mean to a user, and whose fault they are.
#include "check.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

namespace ddla::device_backend {

namespace {

struct meaning {
    cudaError_t status;
    const char* sentence;
};

constexpr const char* being_captured =
    "this call waits for the device, which cannot be done while its stream is being captured";

constexpr const char* mixed_captures =
    "a stream that is being captured and other work would have to wait for each other";

/// The caller's streams.  (ddla's own recordings end with other statuses of this family.)
constexpr meaning of_the_caller[] = {
    {cudaErrorStreamCaptureUnsupported, being_captured},
    {cudaErrorStreamCaptureInvalidated,
     "the capture of this stream was broken by an earlier call, it can only be ended"},
    {cudaErrorStreamCaptureMerge, mixed_captures},
    {cudaErrorStreamCaptureIsolation, mixed_captures},
    {cudaErrorStreamCaptureImplicit,
     "this call uses CUDA's default stream, which cannot be done while a stream that waits for it "
     "is being captured"},
    {cudaErrorInvalidResourceHandle, "the stream was destroyed or belongs to another device"},
};

constexpr const char* driver_mismatch =
    "libcuda.so.1 and the NVIDIA driver of the system are of different versions";
constexpr const char* no_code = "this ddla holds no code for the architecture of the device";
constexpr const char* no_start = "the NVIDIA driver could not be started";
constexpr const char* no_mps = "the CUDA MPS server of this machine cannot serve this process";

/// The machine, where the user can do something about it.
constexpr meaning of_the_machine[] = {
    {cudaErrorMemoryAllocation, "the device is out of memory"},
    {cudaErrorStubLibrary, "no NVIDIA driver was found: libcuda.so.1 is a stub for builds"},
    {cudaErrorCallRequiresNewerDriver, "the NVIDIA driver is too old for this call"},
    {cudaErrorSystemDriverMismatch, driver_mismatch},
    {cudaErrorCompatNotSupportedOnDevice,
     "libcuda.so.1 is of the CUDA compatibility package, which does not support this device"},
    {cudaErrorInitializationError, no_start},
    {cudaErrorStartupFailure, no_start},
    {cudaErrorSystemNotReady,
     "the NVIDIA driver is not ready: a service that it needs, such as the fabric manager, is not "
     "running"},
    {cudaErrorOperatingSystem, "the NVIDIA driver failed in a call of the operating system"},
    {cudaErrorUnknown, "the NVIDIA driver failed and gives no reason"},
    {cudaErrorInvalidDevice, "there is no device of this number"},
    {cudaErrorDevicesUnavailable,
     "the device is not available: another process has it to itself, or its compute mode forbids "
     "new ones"},
    {cudaErrorDeviceNotLicensed, "the device has no licence for computing"},
    {cudaErrorNoKernelImageForDevice, no_code},
    {cudaErrorInvalidDeviceFunction, no_code},
    {cudaErrorUnsupportedPtxVersion,
     "the NVIDIA driver is too old to compile this ddla's code for the device"},
    {cudaErrorJitCompilerNotFound,
     "the NVIDIA driver lacks the compiler that makes this ddla's code fit the device"},
    {cudaErrorJitCompilationDisabled,
     "compiling this ddla's code for the device is switched off (CUDA_DISABLE_PTX_JIT)"},
    {cudaErrorNotSupported, "the device or its driver lacks something that ddla needs"},
    {cudaErrorNotPermitted, "the system does not permit this call"},
    {cudaErrorMpsConnectionFailed, no_mps},
    {cudaErrorMpsRpcFailure, no_mps},
    {cudaErrorMpsServerNotReady, no_mps},
    {cudaErrorMpsMaxClientsReached, no_mps},
    {cudaErrorMpsMaxConnectionsReached, no_mps},
};

/// Sticky errors: every further call fails until the process ends.  The hardware failed, or the
/// system ended a kernel.
constexpr cudaError_t broken_by_the_machine[] = {
    cudaErrorECCUncorrectable,     cudaErrorNvlinkUncorrectable, cudaErrorLaunchTimeout,
    cudaErrorMpsClientTerminated,  cudaErrorExternalDevice,
    static_cast<cudaError_t>(226),  // cudaErrorContained, of late versions
};

/// Sticky errors that are the fault of a kernel of this process.
constexpr cudaError_t broken_by_a_kernel[] = {
    cudaErrorIllegalAddress,       cudaErrorLaunchFailure,      cudaErrorAssert,
    cudaErrorHardwareStackError,   cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
    cudaErrorInvalidAddressSpace,  cudaErrorInvalidPc,          cudaErrorContextIsDestroyed,
    static_cast<cudaError_t>(721),  // cudaErrorTensorMemoryLeak, of late versions
};

template <std::size_t N>
const char* find(const meaning (&meanings)[N], cudaError_t status)
{
    const auto is_it = [status](const meaning& m) { return m.status == status; };
    const auto found = std::find_if(meanings, meanings + N, is_it);
    return found == meanings + N ? nullptr : found->sentence;
}

template <std::size_t N>
bool holds(const cudaError_t (&statuses)[N], cudaError_t status)
{
    return std::find(statuses, statuses + N, status) != statuses + N;
}

std::string broken(cudaError_t status)
{
    return std::string("the device context of this process is broken by an earlier failure, \"") +
           cudaGetErrorString(status) +
           "\": no more device calls can succeed until the process restarts";
}

/// One status for two causes: no driver, and one that is too old.
std::string driver_problem()
{
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        return "no NVIDIA driver was found: libcuda.so.1 cannot be loaded";
    return "the NVIDIA driver is too old: it knows CUDA " + version_text(driver) +
           ", and this ddla needs one that knows CUDA " + std::to_string(CUDART_VERSION / 1000);
}

std::string no_device()
{
    const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return std::string("no NVIDIA GPU is visible to this process") +
           (visible ? std::string(", CUDA_VISIBLE_DEVICES is \"") + visible + "\"" : "");
}

/// Empty where nothing about the machine is to blame.
std::string problem_of_the_machine(cudaError_t status)
{
    if (status == cudaErrorInsufficientDriver) return driver_problem();
    if (status == cudaErrorNoDevice) return no_device();
    if (holds(broken_by_the_machine, status)) return broken(status);
    const char* const sentence = find(of_the_machine, status);
    return sentence ? sentence : "";
}

/// Machines without a GPU, or without a driver that could use it: nothing of ddla is to be looked
/// at there, and the sentence is all.
constexpr cudaError_t without_device[] = {
    cudaErrorNoDevice,
    cudaErrorInsufficientDriver,
    cudaErrorStubLibrary,
};

/// The file without the folders that only the builder knows.
std::string source_name(const std::string& file)
{
    for (const char* const folder : {"/src/", "/tests/"})
        if (const auto at = file.rfind(folder); at != std::string::npos) return file.substr(at + 1);
    return file.substr(file.rfind('/') + 1);
}

}  // namespace

std::string where(cudaError_t status, const char* call, std::source_location at)
{
    return std::string(" (") + call + " at " + source_name(at.file_name()) + ":" +
           std::to_string(at.line()) + ": " + cudaGetErrorName(status) + ")";
}

std::string version_text(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

void check(cudaError_t status, const char* call, std::source_location at)
{
    if (status == cudaSuccess) return;
    cudaGetLastError();  // takes back the error, unless it has broken the context for good
    const std::string place = where(status, call, at);
    if (const char* const sentence = find(of_the_caller, status))
        throw input_error(sentence + place);
    if (const std::string problem = problem_of_the_machine(status); !problem.empty())
        throw resource_error(holds(without_device, status) ? problem : problem + place);
    if (holds(broken_by_a_kernel, status)) throw internal_error(broken(status) + place);
    throw internal_error(std::string("a call of the CUDA runtime failed, \"") +
                         cudaGetErrorString(status) + "\"" + place);
}

bool has_room(cudaError_t status, const char* call, std::source_location at)
{
    if (status == cudaErrorCooperativeLaunchTooLarge) {
        forget_error(status);
        return false;
    }
    check(status, call, at);
    return true;
}

}  // namespace ddla::device_backend
