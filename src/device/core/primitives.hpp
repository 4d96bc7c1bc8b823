// Scans, sorts and sets on a device, by CUB where it has them.
#pragma once

#include "engine/workspace.hpp"
#include "queue.hpp"

#include <span>
#include <utility>

namespace ddla::device_backend {

/// x_i = x_0 + ... + x_{i-1}, in place.
void exclusive_scan(index_t* x, index_t n, cudaStream_t in, workspace& memory);

/// Sorts pairs by the lowest `bits` of their keys, equal keys in their order.  Returns the values
/// in the new order; what was given is overwritten.
const std::uint32_t* sort(std::uint64_t* key, std::uint32_t* value, index_t n, int bits,
                          cudaStream_t in, workspace& memory);

/// The same with keys of 32 bits, which it returns too, sorted.
std::pair<const std::uint32_t*, const std::uint32_t*> sort_pairs(std::uint32_t* key,
                                                                 std::uint32_t* value, index_t n,
                                                                 int bits, cudaStream_t in,
                                                                 workspace& memory);

/// The different ones of n keys in ascending order, by their lowest `bits`, the only ones that
/// differ; what was given is overwritten.  Waits.
std::span<const std::uint64_t> sort_distinct(std::uint64_t* key, index_t n, int bits, queue& in,
                                             workspace& memory);

/// The bits of the different numbers in x, in any order; none if they are more than `most` <= 256.
/// Waits.
std::vector<std::uint64_t> distinct_values(vec<const double> x, int most, queue& in);

}  // namespace ddla::device_backend
