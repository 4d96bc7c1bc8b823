// The memory of solves on the device: what the report says is what its pool has seen.
#include "cuda_streams.hpp"
#include "support/memory_of_solves.hpp"
#include "support/shapes.hpp"

#include "ddla/devices.hpp"
#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"
#include "device/core/gpu.hpp"

using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::require_cuda;

namespace {

/// What the pool of device 0 has handed out, now and at most.
class pool_usage {
public:
    std::size_t now() const { return read(cudaMemPoolAttrUsedMemCurrent); }
    std::size_t most() const { return read(cudaMemPoolAttrUsedMemHigh); }
    void forget_the_most() const
    {
        std::uint64_t zero = 0;
        require_cuda(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrUsedMemHigh, &zero));
    }

    std::size_t reserved() const { return read(cudaMemPoolAttrReservedMemCurrent); }

private:
    std::size_t read(cudaMemPoolAttr what) const
    {
        std::uint64_t bytes = 0;
        require_cuda(cudaDeviceSynchronize());
        require_cuda(cudaMemPoolGetAttribute(pool_, what, &bytes));
        return static_cast<std::size_t>(bytes);
    }
    cudaMemPool_t pool_ = ddla::device_backend::gpu_at(0).pool();
};

}  // namespace

TEMPLATE_TEST_CASE("a solve takes what its report says", "[device][streams]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    constexpr ddla::place gpu = ddla::device(0);
    const auto a = test::with_values<typename TestType::value>(
        ddla::generate::convection_diffusion(128, 128, 64));
    const pool_usage pool;
    const std::size_t before = pool.now();
    auto da = a.to(gpu);
    const ddla::vector<T> b(a.rows(), T(1), gpu);
    const auto check = [&](method m, preconditioning p, std::size_t beside) {
        const ddla::solve_options options{.method = m, .precond = p, .max_iterations = 20};
        const std::size_t expected = test::documented_bytes<T>(da.view(), options) + beside;
        ddla::vector<T> x(a.rows(), gpu);
        // A stream of its own, whose scratch memory no larger call has made larger.
        const test::cuda_stream native;
        ddla::stream on(gpu, native.get());
        pool.forget_the_most();
        const auto report = ddla::solve(on, da.view(), std::as_const(b).view(), x.view(), options);
        const std::size_t measured = pool.most() - before;
        INFO(to_string(m) << ", " << to_string(p) << ": " << report.peak_bytes
                          << " bytes, of the pool " << measured);
        CHECK(test::nearly(report.peak_bytes, expected));
        CHECK(test::nearly(measured, report.peak_bytes));
        CHECK(pool.now() - before < expected);
    };
    for (const auto format : {ddla::sparse_format::csr, ddla::sparse_format::slices}) {
        const std::size_t beside = ddla::set_format(da, {.format = format}).extra_bytes;
        INFO(to_string(format));
        for (const method m : {method::bicgstab, method::cg, method::fgmres})
            for (const preconditioning p : {preconditioning::none, preconditioning::jacobi})
                check(m, p, beside);
    }
}

TEST_CASE("a solve's memory is kept for the next one, and can be given back", "[device]")
{
    const auto a = ddla::generate::poisson3d(160, 160, 160).to(ddla::device(0));
    const ddla::vector<ddla::dd_real> b(a.rows(), 1.0, ddla::device(0));
    ddla::vector<ddla::dd_real> x(a.rows(), ddla::device(0));
    const pool_usage pool;
    ddla::release_kept_memory(0);
    const std::size_t before = pool.reserved();
    CHECK(
        ddla::solve(a, b, x, {.method = ddla::method::bicgstab, .max_iterations = 1}).iterations ==
        1);
    const std::size_t kept = pool.reserved();
    // Of the six working vectors half: a pool counts in large pieces.
    const auto working = static_cast<std::size_t>(6 * 16 * a.rows()) / 2;
    CHECK(kept >= before + working);
    CHECK(pool.now() + working <= kept);
    CHECK(
        ddla::solve(a, b, x, {.method = ddla::method::bicgstab, .max_iterations = 1}).iterations ==
        1);
    CHECK(pool.reserved() == kept);
    ddla::release_kept_memory(0);
    CHECK(pool.reserved() + working <= kept);
    CHECK_THROWS_AS(ddla::release_kept_memory(1000), ddla::resource_error);
}
