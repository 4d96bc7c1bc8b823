// How programs run on a device: what is recorded as a graph and what is not, with the same bits.
#include "cuda_streams.hpp"
#include "support/function_maps.hpp"
#include "support/operands.hpp"
#include "support/same_bits.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "device/schedule/schedule.hpp"

using ddla::dd_real;
using ddla::method;
using test::require_cuda;

namespace {

constexpr ddla::place gpu = ddla::device(0);

/// y = x by copies on the stream, which are no kernels.
template <class T>
ddla::preconditioner<T> copies(ddla::index_t n, ddla::recording graphs)
{
    const auto copy = [](void* stream, ddla::vec<const T> x, ddla::vec<T> y) {
        for (int k = 0; k < x.words; ++k)
            require_cuda(cudaMemcpyAsync(
                y.word(k), x.word(k), static_cast<std::size_t>(x.size) * sizeof(double),
                cudaMemcpyDeviceToDevice, static_cast<cudaStream_t>(stream)));
    };
    return {"copies", n, gpu, copy, graphs};
}

}  // namespace

TEMPLATE_TEST_CASE("programs are recorded, unless a function runs on the host", "[device]", double,
                   dd_real)
{
    using T = TestType;
    const auto a = ddla::generate::convection_diffusion(20, 21, 22), there = a.to(gpu);
    const auto b = test::random_vector<T>(a.rows(), 91, 0).to(gpu);
    const auto hash = [&](const auto& matrix, const ddla::preconditioner<T>& k,
                          std::int64_t graphs) {
        ddla::vector<T> x(a.rows(), gpu);
        const std::int64_t before = ddla::device_backend::program_graphs();
        const auto report = ddla::solve(
            matrix, k, b, x,
            {.method = method::fgmres, .tolerance = 0, .max_iterations = 33, .restart = 10});
        CHECK(ddla::device_backend::program_graphs() - before == graphs);
        CHECK(report.iterations == 33);
        return report.solution_hash;
    };
    const ddla::preconditioner<T> none;
    const auto expected = hash(there, none, 1);
    CHECK(hash(there, copies<T>(a.rows(), ddla::recording::allowed), 1) == expected);
    CHECK(hash(there, copies<T>(a.rows(), ddla::recording::refused), 0) == expected);
    CHECK(hash(test::operator_by_function<T>(there), none, 1) == expected);
    const ddla::linear_operator<T> on_host(a.rows(), a.rows(), test::product_on_host<T>(a));
    CHECK(hash(on_host, none, 0) == expected);
    ddla::coordinates<double> tridiagonal{.rows = a.rows(), .columns = a.rows()};
    for (ddla::index_t i = 0; i < a.rows(); ++i) {
        tridiagonal.add(i, i, 6.0);
        if (i > 0) tridiagonal.add(i, i - 1, -1.0);
        if (i > 0) tridiagonal.add(i - 1, i, -1.0);
    }
    const ddla::lu_factors<double> f{ddla::csr_matrix<double>(tridiagonal)};
    CHECK(hash(there, ddla::preconditioner<T>::lu(f, gpu), 1) ==
          hash(there, ddla::preconditioner<T>::lu(f), 0));
}

TEST_CASE("a function of one device is no function of the host", "[device]")
{
    const auto k = copies<double>(2, ddla::recording::allowed);
    const ddla::vector<double> r(2, 1.0);
    ddla::vector<double> z(2);
    CHECK_THROWS_WITH(k.apply(r, z),
                      "apply: preconditioner lives at device 0, the vectors at host");
    const ddla::csr_matrix<double> empty;
    using function = ddla::device_function<double>;
    CHECK_THROWS_WITH(ddla::linear_operator<double>(2, 2, ddla::host, function([](auto...) {})),
                      "linear_operator: a function with a stream works at a device");
}
