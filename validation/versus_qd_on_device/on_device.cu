// ddla's results and their hashes, on the device.
#include "batches.hpp"

#include <stdexcept>
#include <string>

namespace ddla::test {
namespace {

void check(cudaError_t status, const char* what)
{
    if (status != cudaSuccess)
        throw std::runtime_error(std::string(what) + ": " + cudaGetErrorString(status));
}

using word = unsigned long long;
constexpr int block_size = 256, blocks_of_batch = groups_of_batch / block_size;
static_assert(groups_of_batch % block_size == 0);

/// A thread per group.  `hash` holds zeros.
__global__ void __launch_bounds__(block_size) hash_batches(const task all, word first, word* hash)
{
    __shared__ word of_block[most_operations];
    if (threadIdx.x < most_operations) of_block[threadIdx.x] = 0;
    __syncthreads();
    const int batch = blockIdx.x / blocks_of_batch;
    const int group = blockIdx.x % blocks_of_batch * block_size + threadIdx.x;
    each_pair(all.seed, first + batch, group, [&](int i, const operand_pair& p) {
#pragma unroll 1
        for (int k = 0; k < all.count; ++k) {
            word sum = 0;
            if (contains(all.where[k], p.x, p.y))
                sum = part_of_hash(by_number(all.operation[k], p.x, p.y), i);
            __syncwarp();
            for (int h = 16; h > 0; h /= 2) sum += __shfl_down_sync(0xffffffffu, sum, h);
            if (threadIdx.x % 32 == 0) atomicAdd(of_block + k, sum);
        }
    });
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < all.count)
        atomicAdd(hash + batch * all.count + threadIdx.x, of_block[threadIdx.x]);
}

__global__ void __launch_bounds__(block_size)
    compute_batch(const task all, word batch, int k, dd_real* to)
{
    const int group = blockIdx.x * block_size + threadIdx.x;
    each_pair(all.seed, batch, group,
              [&](int i, const operand_pair& p) { to[i] = by_number(all.operation[k], p.x, p.y); });
}

class device_results : public place_of_results {
public:
    explicit device_results(const task& all) : all_(all)
    {
        check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreate");
    }
    ~device_results() override
    {
        cudaFree(memory_);
        cudaStreamDestroy(stream_);
    }
    device_results(const device_results&) = delete;
    device_results& operator=(const device_results&) = delete;

    std::vector<std::uint64_t> hashes(std::uint64_t first, int batches) override
    {
        std::vector<std::uint64_t> hash(static_cast<std::size_t>(batches) * all_.count);
        const std::size_t bytes = hash.size() * sizeof(word);
        void* const there = reserve(bytes);
        check(cudaMemsetAsync(there, 0, bytes, stream_), "cudaMemsetAsync");
        hash_batches<<<static_cast<unsigned>(batches * blocks_of_batch), block_size, 0, stream_>>>(
            all_, first, static_cast<word*>(there));
        copy_back(hash.data(), bytes);
        return hash;
    }
    std::vector<dd_real> results(std::uint64_t batch, int k) override
    {
        std::vector<dd_real> all(pairs_of_batch);
        const std::size_t bytes = all.size() * sizeof(dd_real);
        compute_batch<<<blocks_of_batch, block_size, 0, stream_>>>(
            all_, batch, k, static_cast<dd_real*>(reserve(bytes)));
        copy_back(all.data(), bytes);
        return all;
    }

private:
    void* reserve(std::size_t bytes)
    {
        if (bytes <= reserved_) return memory_;
        check(cudaFree(memory_), "cudaFree");
        memory_ = nullptr, reserved_ = 0;
        check(cudaMalloc(&memory_, bytes), "cudaMalloc");
        reserved_ = bytes;
        return memory_;
    }
    void copy_back(void* to, std::size_t bytes)
    {
        check(cudaGetLastError(), "launch");
        check(cudaMemcpyAsync(to, memory_, bytes, cudaMemcpyDeviceToHost, stream_), "cudaMemcpy");
        check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    }

    task all_;
    cudaStream_t stream_ = nullptr;
    void* memory_ = nullptr;
    std::size_t reserved_ = 0;
};

}  // namespace

std::unique_ptr<place_of_results> results_on_device(const task& all)
{
    return std::make_unique<device_results>(all);
}

}  // namespace ddla::test
