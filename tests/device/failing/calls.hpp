// Counts the calls of the CUDA runtime and driver that ddla makes, lets chosen ones fail, and knows
// what is still allocated.  wrapped.cpp puts this between ddla and CUDA.
//
// For one thread: ddla calls CUDA on the caller's.
#pragma once

#include <cuda_runtime_api.h>

#include <climits>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace test::calls {

/// A call, as it was counted.
struct call {
    std::string function;
    std::uint64_t site = 0;  ///< the function, and where it was called
    std::uint64_t path = 0;  ///< the same, and where its caller was called, and so on
    bool gives_memory = false, needs_room = false;
};

/// Calls with these numbers, from 1, return `status` without being made, and leave it for
/// cudaGetLastError().  Those that free something or wait are made, and return it as well: CUDA
/// says that they may return errors of earlier work.  (That work has ended then.  If it went on, it
/// could write to what the exception frees: a number on the stack, to which pageable memory is
/// copied.)
struct failure {
    std::int64_t first = 0, last = 0;
    cudaError_t status = cudaSuccess;
    bool only_memory = false;  ///< only those that allocate memory
};

/// Fails with call k alone, or from call k on.
inline failure once(std::int64_t k, cudaError_t status)
{
    return {k, k, status};
}
inline failure for_good(std::int64_t k, cudaError_t status)
{
    return {k, INT64_MAX, status};
}
inline failure out_of_memory(std::int64_t k)
{
    return {k, INT64_MAX, cudaErrorMemoryAllocation, true};
}

/// What was seen between begin() and end().
struct seen {
    std::vector<call> all;     ///< only if no failure was wanted: it takes long
    std::vector<call> failed;  ///< without site and path
};

void begin(const failure& wanted);
/// Waits for the device.
seen end();

/// Calls beside those of ddla are not counted while one of these lives.
class not_counted {
public:
    not_counted();
    ~not_counted();
    not_counted(const not_counted&) = delete;
    not_counted& operator=(const not_counted&) = delete;
};

/// How many of each kind exist: memory by the function that allocated it, pools, streams, graphs,
/// graphs that are ready.
std::map<std::string, int> live_objects();
/// Whether cudaGetLastError() would still return an error that was made here.
bool error_is_left();
/// The last call, counted or not.  A signal handler may ask.
struct last_call {
    std::int64_t number = 0;  ///< 0 where calls are not counted
    const char* function = "none";
    const void* from = nullptr;
};
last_call last();
/// What must never happen: something freed twice, or a function of the driver that is not wrapped.
const std::vector<std::string>& wrong_uses();

// For wrapped.cpp.

enum class role { plain, frees, waits, gives_memory, needs_room };

/// Counts a call, and makes it unless it shall fail.  `what`: the kernel, where there is one;
/// `from`: the return address of the wrapper.
cudaError_t made(const char* function, role r, const void* what, const void* from,
                 const std::function<cudaError_t()>& make);
/// The same for the driver, whose status is `CUresult`.
int made_by_driver(const char* function, role r, const void* from,
                   const std::function<int()>& make);
void note_new(const char* kind, const void* object);
void note_freed(const char* kind, const void* object);
void note_wrong_use(const std::string& what);
/// What cudaGetLastError() returns, if it is one of ours; and forgets it.
cudaError_t take_error(bool forget);

}  // namespace test::calls
