// Solves on a stream that has fewer multiprocessors than its device.
#include "cuda_streams.hpp"
#include "everywhere.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "ddla/stream.hpp"

#include <cuda.h>

#if CUDART_VERSION >= 12050

namespace {

/// A function of the driver, which is not linked; null if this one has none of that name.
template <class F>
F* of_driver(const char* name)
{
    void* found = nullptr;
    cudaDriverEntryPointQueryResult how{};
    test::require_cuda(
        cudaGetDriverEntryPointByVersion(name, &found, 12050, cudaEnableDefault, &how));
    return how == cudaDriverEntryPointSuccess ? reinterpret_cast<F*>(found) : nullptr;
}
void require(CUresult status)
{
    if (status != CUDA_SUCCESS) throw std::runtime_error("driver: " + std::to_string(status));
}
#define DDLA_OF_DRIVER(name) of_driver<decltype(name)>(#name)

/// A stream with some 16 multiprocessors.
class narrow_stream {
public:
    narrow_stream()
    {
        test::require_cuda(cudaFree(nullptr));
        CUdevResource all{}, some{};
        unsigned groups = 1;
        CUdevResourceDesc what{};
        require(DDLA_OF_DRIVER(cuDeviceGetDevResource)(0, &all, CU_DEV_RESOURCE_TYPE_SM));
        require(DDLA_OF_DRIVER(cuDevSmResourceSplitByCount)(&some, &groups, &all, nullptr, 0, 16));
        require(DDLA_OF_DRIVER(cuDevResourceGenerateDesc)(&what, &some, 1));
        require(DDLA_OF_DRIVER(cuGreenCtxCreate)(&context_, what, 0, CU_GREEN_CTX_DEFAULT_STREAM));
        require(
            DDLA_OF_DRIVER(cuGreenCtxStreamCreate)(&stream_, context_, CU_STREAM_NON_BLOCKING, 0));
    }
    ~narrow_stream()
    {
        cudaStreamDestroy(stream_);
        DDLA_OF_DRIVER(cuGreenCtxDestroy)(context_);
    }
    narrow_stream(const narrow_stream&) = delete;
    narrow_stream& operator=(const narrow_stream&) = delete;
    cudaStream_t get() const { return stream_; }

private:
    CUgreenCtx context_{};
    CUstream stream_{};
};

}  // namespace

// More blocks than fit there at once, for each kind of kernel whose blocks wait for each other.
TEST_CASE("a stream with few multiprocessors", "[device][streams]")
{
    if (!DDLA_OF_DRIVER(cuGreenCtxStreamCreate)) SKIP_CASE("the driver has no green contexts");
    using T = ddla::dd_real;
    const ddla::solve_options options{
        .method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 20};
    const narrow_stream narrow;
    for (const ddla::index_t n : {700, 60000, 100000, 300000})
        for (const auto stored : {ddla::sparse_format::csr, ddla::sparse_format::slices}) {
            INFO(n << " rows in " << to_string(stored));
            auto a = test::with_uneven_diagonal(ddla::generate::poisson2d(n, 1));
            const auto b = test::random_vector<T>(n, 95, 0);
            ddla::vector<T> expected(n);
            const auto here = ddla::solve(a, b, expected, options);
            a = a.to(test::gpu);
            ddla::set_format(a, {.format = stored});
            const auto db = b.to(test::gpu);
            ddla::vector<T> x(n, test::gpu);
            ddla::stream on(test::gpu, narrow.get());
            const auto there = ddla::solve(on, a.view(), db.view(), x.view(), options);
            CHECK(there.iterations == here.iterations);
            CHECK(there.solution_hash == here.solution_hash);
            CHECK(test::same_bits(x, expected));
        }
}

#else

TEST_CASE("a stream with few multiprocessors", "[device][streams]")
{
    SKIP_CASE("this CUDA has no streams of green contexts: they came with 12.5");
}

#endif
