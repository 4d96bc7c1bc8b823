// What the memory of the device can do: STREAM, and cycles of a load from each level.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bench {

enum class stream_kernel { copy, scale, add, triad };
/// On n doubles each; a, b are read, c is written.  Only enqueues.
void run_stream(stream_kernel kernel, std::int64_t n, const double* a, const double* b, double* c,
                cudaStream_t stream);

enum class load_path { plain, read_only, past_l1 };
/// Cycles of a load whose address is what the preceding load gave, in a ring of lines of 128 bytes
/// that covers so many bytes in random order.  It is gone round once before it is timed, so
/// that it lies where it fits.  Waits.
double cycles_of_load(load_path path, std::size_t bytes, cudaStream_t stream);

}  // namespace bench
