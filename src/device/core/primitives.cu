#include "primitives.hpp"

#include "warp.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <atomic>
#include <stdexcept>

namespace ddla::device_backend {

namespace {

/// A set in open addressing.  No number has the bits of `free_place`: it is a NaN of its own.
struct number_set {
    static constexpr unsigned places = 4096;
    static constexpr word free_place = ~word(0);
    word place[places];
    unsigned count;
    unsigned too_many;
};

__device__ unsigned first_place(word bits)
{
    return static_cast<unsigned>((bits * 0x9e3779b97f4a7c15u) >> 52);
}

__global__ void clear(number_set* set)
{
    for (unsigned k = threadIdx.x; k < number_set::places; k += blockDim.x)
        set->place[k] = number_set::free_place;
    if (threadIdx.x == 0) set->count = set->too_many = 0;
}

__device__ void insert(number_set* set, word bits, unsigned most)
{
    // Too many numbers may fill all places before anybody has noticed.
    for (unsigned k = first_place(bits); !__ldcg(&set->too_many);
         k = (k + 1) % number_set::places) {
        word there = __ldcg(set->place + k);
        if (there == bits) return;
        if (there != number_set::free_place) continue;
        there = atomicCAS(set->place + k, number_set::free_place, bits);
        if (there == bits) return;
        if (there != number_set::free_place) continue;
        if (atomicAdd(&set->count, 1u) >= most) atomicExch(&set->too_many, 1u);
        return;
    }
}

__global__ void collect(vec<const double> x, unsigned most, number_set* set)
{
    const index_t stride = index_t(gridDim.x) * blockDim.x;
    for (index_t i = index_t(blockIdx.x) * blockDim.x + threadIdx.x; i < x.size; i += stride) {
        if (__ldcg(&set->too_many)) return;
        const auto bits = static_cast<word>(__double_as_longlong(x.word(0)[i]));
        if (bits == number_set::free_place)
            atomicExch(&set->too_many, 1u);
        else
            insert(set, bits, most);
    }
}

/// Not by <<<>>>: what nvcc makes of that looks the kernel up once, and remembers a failure.
template <class... Parameters>
void start(void (*kernel)(Parameters...), unsigned grid, cudaStream_t in, Parameters... arguments)
{
    cudaLaunchConfig_t how{};
    how.gridDim = grid;
    how.blockDim = block_size;
    how.stream = in;
    check(cudaLaunchKernelEx(&how, kernel, arguments...), "cudaLaunchKernelEx");
}

std::atomic<cudaError_t> thrown_by_cub = cudaSuccess;

/// A function of CUB, which returns a status or, where it cannot ask for the device, throws one.
/// It may do so while it holds a lock of its own (PerDeviceAttributeCache), which nobody frees:
/// the next call would wait for ever, so there is none.
template <class Call>
void check_cub(const char* name, const Call& call,
               std::source_location at = std::source_location::current())
{
    check(thrown_by_cub, name, at);
    cudaError_t status = cudaErrorUnknown;
    try {
        status = call();
    } catch (const std::runtime_error&) {
        const cudaError_t left = cudaGetLastError();
        if (left != cudaSuccess) status = left;
        thrown_by_cub = status;
    }
    check(status, name, at);
}

void* temporary(workspace& memory, std::size_t bytes)
{
    return memory.objects<std::byte>(static_cast<index_t>(std::max<std::size_t>(bytes, 1)));
}

/// The keys and the values in their new order.
template <class Key>
std::pair<const Key*, const std::uint32_t*> sort_by(Key* key, std::uint32_t* value, index_t n,
                                                    int bits, cudaStream_t in, workspace& memory)
{
    cub::DoubleBuffer keys(key, memory.objects<Key>(n));
    cub::DoubleBuffer values(value, memory.objects<std::uint32_t>(n));
    std::size_t bytes = 0;
    check_cub("cub::DeviceRadixSort", [&] {
        return cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, values, n, 0, bits, in);
    });
    void* const room = temporary(memory, bytes);
    check_cub("cub::DeviceRadixSort", [&] {
        return cub::DeviceRadixSort::SortPairs(room, bytes, keys, values, n, 0, bits, in);
    });
    return {keys.Current(), values.Current()};
}

}  // namespace

void exclusive_scan(index_t* x, index_t n, cudaStream_t in, workspace& memory)
{
    std::size_t bytes = 0;
    check_cub("cub::DeviceScan",
              [&] { return cub::DeviceScan::ExclusiveSum(nullptr, bytes, x, x, n, in); });
    void* const room = temporary(memory, bytes);
    check_cub("cub::DeviceScan",
              [&] { return cub::DeviceScan::ExclusiveSum(room, bytes, x, x, n, in); });
}

const std::uint32_t* sort(std::uint64_t* key, std::uint32_t* value, index_t n, int bits,
                          cudaStream_t in, workspace& memory)
{
    return sort_by(key, value, n, bits, in, memory).second;
}

std::pair<const std::uint32_t*, const std::uint32_t*> sort_pairs(std::uint32_t* key,
                                                                 std::uint32_t* value, index_t n,
                                                                 int bits, cudaStream_t in,
                                                                 workspace& memory)
{
    return sort_by(key, value, n, bits, in, memory);
}

std::span<const std::uint64_t> sort_distinct(std::uint64_t* key, index_t n, int bits, queue& in,
                                             workspace& memory)
{
    if (n == 0) return {};
    cub::DoubleBuffer keys(key, memory.objects<std::uint64_t>(n));
    std::size_t bytes = 0;
    check_cub("cub::DeviceRadixSort", [&] {
        return cub::DeviceRadixSort::SortKeys(nullptr, bytes, keys, n, 0, bits, in.stream());
    });
    void* room = temporary(memory, bytes);
    check_cub("cub::DeviceRadixSort", [&] {
        return cub::DeviceRadixSort::SortKeys(room, bytes, keys, n, 0, bits, in.stream());
    });
    const std::uint64_t* const sorted = keys.Current();
    std::uint64_t* const distinct = keys.Alternate();
    auto* const count = memory.objects<index_t>(1);
    check_cub("cub::DeviceSelect", [&] {
        return cub::DeviceSelect::Unique(nullptr, bytes, sorted, distinct, count, n, in.stream());
    });
    room = temporary(memory, bytes);
    check_cub("cub::DeviceSelect", [&] {
        return cub::DeviceSelect::Unique(room, bytes, sorted, distinct, count, n, in.stream());
    });
    index_t count_here = 0;
    in.copy_to_host(&count_here, count, sizeof count_here);
    return {distinct, static_cast<std::size_t>(count_here)};
}

std::vector<std::uint64_t> distinct_values(vec<const double> x, int most, queue& in)
{
    workspace memory(in);
    auto* const set = memory.objects<number_set>(1);
    start(clear, 1, in.stream(), set);
    const index_t blocks = std::clamp<index_t>(tiles(x.size), 1, 2048);
    start(collect, static_cast<unsigned>(blocks), in.stream(), x, static_cast<unsigned>(most), set);
    number_set here;
    in.copy_to_host(&here, set, sizeof here);
    std::vector<std::uint64_t> all;
    if (here.too_many) return all;
    std::copy_if(here.place, here.place + number_set::places, std::back_inserter(all),
                 [](word w) { return w != number_set::free_place; });
    return all;
}

}  // namespace ddla::device_backend
