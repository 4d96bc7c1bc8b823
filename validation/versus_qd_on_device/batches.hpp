// Batches of pairs, and what ddla makes of them: on the device, or on the host to check the rest of
// this program where there is no device.
//
// Results do not travel.  Each operation of a batch has a hash, the sum over its results of a mixed
// value of their words and their number; single results are asked for only where a hash differs.
#pragma once

#include "operations.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace ddla::test {

inline constexpr int most_operations = 64;

/// What is computed of each pair.
struct task {
    std::uint64_t seed;
    int count;                                 ///< of operations
    unsigned char operation[most_operations];  ///< see by_number()
    domain where[most_operations];
};

/// A group is one pair of each kind: kinds differ in time, so the threads of a warp do the same.
inline constexpr int pairs_of_group = operand_source::kinds, groups_of_batch = 512,
                     pairs_of_batch = groups_of_batch * pairs_of_group;

/// The part of result number `index` in the hash of its batch.  All NaNs count as one.
DDLA_HD inline std::uint64_t part_of_hash(dd_real z, int index)
{
    const auto word = [](double x) { return x != x ? 0x7ff8000000000000u : bits(x); };
    const auto place = static_cast<std::uint64_t>(index + 1) * 0x9e3779b97f4a7c15u;
    return operand_source::mixed(operand_source::mixed(word(z.hi) + place) + word(z.lo));
}

/// The pairs of a group, numbered within their batch: f(number, pair).
template <class F>
DDLA_HD void each_pair(std::uint64_t seed, std::uint64_t batch, int group, const F& f)
{
    operand_source source = operand_source::part(seed, batch * groups_of_batch + group);
    for (int k = 0; k < pairs_of_group; ++k) f(group * pairs_of_group + k, source.next());
}

/// Throws std::runtime_error on any error of CUDA.
class place_of_results {
public:
    virtual ~place_of_results() = default;
    /// hash[k + b * count of operations]: of operation k in batch first + b.
    virtual std::vector<std::uint64_t> hashes(std::uint64_t first, int batches) = 0;
    /// Of operation k in a batch, where its domain contains the pair.
    virtual std::vector<dd_real> results(std::uint64_t batch, int k) = 0;
};
std::unique_ptr<place_of_results> results_on_host(const task&);
/// A stream of its own, and memory.
std::unique_ptr<place_of_results> results_on_device(const task&);

}  // namespace ddla::test
