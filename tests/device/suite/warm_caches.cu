// Old values in L1 of every SM.
#include "warm_caches.hpp"

#include "cuda_streams.hpp"

namespace test {

struct warm_caches::shared_with_device {
    volatile unsigned begun;
    volatile unsigned stop;
};

namespace {

__device__ unsigned long long nanoseconds_now()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/// A warp a block: the device gives each SM one before any gets two.  It is over when
/// the host says so, or after ten seconds.
__global__ void __launch_bounds__(32)
    read_again(const double* numbers, unsigned count, unsigned* begun,
               const volatile unsigned* stop, double* nobody)
{
    const unsigned long long late = nanoseconds_now() + 10'000'000'000ull;
    double sum = 0;
    for (unsigned pass = 0; *stop == 0 && nanoseconds_now() < late; ++pass) {
        for (unsigned i = threadIdx.x; i < count; i += 32) sum += __ldca(numbers + i);
        __syncwarp();
        if (pass == 0 && threadIdx.x == 0) atomicAdd_system(begun, 1u);
        __nanosleep(1000);
    }
    if (sum == 0.1234567) *nobody = sum;  // so that the loads are not taken away
}

}  // namespace

warm_caches::warm_caches()
{
    void* memory = nullptr;
    require_cuda(cudaMallocHost(&memory, sizeof(shared_with_device)));
    shared_ = static_cast<shared_with_device*>(memory);
    require_cuda(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    int multiprocessors = 0;
    require_cuda(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    warps_ = static_cast<unsigned>(multiprocessors);
    begin(nullptr, 0);  // the first launch may wait: it loads the kernel
    stop();
}

warm_caches::~warm_caches()
{
    stop();
    cudaStreamDestroy(stream_);
    cudaFreeHost(shared_);
}

void warm_caches::begin(const double* numbers, std::size_t count)
{
    shared_->begun = 0;
    shared_->stop = 0;
    read_again<<<warps_, 32, 0, stream_>>>(numbers, static_cast<unsigned>(count),
                                           const_cast<unsigned*>(&shared_->begun), &shared_->stop,
                                           nullptr);
    require_cuda(cudaGetLastError());
}

void warm_caches::stop()
{
    shared_->stop = 1;
    cudaStreamSynchronize(stream_);
}

unsigned warm_caches::begun() const
{
    return shared_->begun;
}

}  // namespace test
