// What a process says when it crashes: the signal, and the call of CUDA that came last.
#pragma once

namespace test {

/// From now on a crash prints, before the process ends as it would have,
///     outcome: signal 11 (Segmentation fault), last call of CUDA: 57, cudaMallocHost, from
///     0x4a2c10
/// and the addresses of its callers, for addr2line.
void report_crashes();

}  // namespace test
