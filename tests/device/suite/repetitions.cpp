// The same call, twenty times: the same bits, whatever order its blocks finish in.
#include "everywhere.hpp"
#include "support/methods.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

using ddla::dd_real;
using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::gpu;
using test::same_bits;
using test::with_values;

namespace {

template <class T>
T on_host(const T& x)
{
    return x;
}
template <class T>
ddla::vector<T> on_host(const ddla::vector<T>& x)
{
    return x.to(ddla::host);
}

/// What `compute` returns is the same twenty times.
template <class Compute>
void repeat(const char* what, const Compute& compute)
{
    INFO(what);
    const auto first = on_host(compute());
    for (int k = 1; k < 20; ++k) CHECK(same_bits(compute(), first));
}

}  // namespace

TEMPLATE_TEST_CASE("every repetition of a vector operation", "[device]", double, dd_real)
{
    const TestType a = test::random_vector<TestType>(1, 71)[0];
    for (const index_t n : {257, 65537, 1048577}) {
        INFO("n = " << n);
        const auto x = test::random_vector<TestType>(n, 72).to(gpu);
        const auto y = test::random_vector<TestType>(n, 73).to(gpu);
        const auto tiny = [&] {
            auto z = x;
            ddla::scal(TestType(0x1p-700), z);
            return z;
        }();
        auto z = y;
        repeat("dot", [&] { return ddla::dot(x, y); });
        repeat("asum", [&] { return ddla::asum(x); });
        repeat("nrm2", [&] { return ddla::nrm2(x); });
        repeat("nrm2, scaled", [&] { return ddla::nrm2(tiny); });
        repeat("axpy", [&] { return ddla::axpy(a, x, z = y), z; });
        repeat("axpyz", [&] { return ddla::axpyz(a, x, y, z), z; });
        repeat("xpay", [&] { return ddla::xpay(x, a, z = y), z; });
        repeat("scal", [&] { return ddla::scal(a, z = x), z; });
        repeat("copy", [&] { return ddla::copy(x, z), z; });
    }
}

TEMPLATE_TEST_CASE("every repetition of a product", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto lengths = [](index_t i) { return i == 500 ? 100000 : i % 100 == 9 ? 300 : i % 7; };
    const auto a = test::random_matrix<V>(65537, 65537, 74, lengths);
    const auto da = a.to(gpu), dt = ddla::transpose(a).to(gpu);
    const auto x = test::random_vector<T>(a.rows(), 75).to(gpu);
    const auto y = test::random_vector<T>(a.rows(), 76).to(gpu);
    auto z = y;
    const T half = 0.5, third = T(1) / T(3);
    repeat("spmv", [&] { return ddla::spmv(T(1), da, x, T(0), z), z; });
    repeat("spmv, transpose", [&] { return ddla::spmv(half, dt, x, third, z = y), z; });
    repeat("residual", [&] { return ddla::residual(da, x, y, z), z; });
    repeat("true_residual", [&] { return ddla::true_residual(da, x, y); });
}

TEMPLATE_TEST_CASE("every repetition of a solve", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto grid = with_values<V>(ddla::generate::convection_diffusion(32, 32, 32)).to(gpu);
    const auto arrow = with_values<V>(test::arrow_matrix(100001)).to(gpu);
    for (const auto& a : {grid, arrow}) {
        const auto b = test::random_vector<T>(a.rows(), 77, 0).to(gpu);
        for (const auto m : test::square_methods())
            for (const auto p : {preconditioning::none, preconditioning::jacobi})
                repeat(std::string(to_string(m)).c_str(), [&] {
                    ddla::vector<T> x(a.rows(), gpu);
                    ddla::solve(a, b, x,
                                {.method = m, .precond = p, .max_iterations = 40, .restart = 15});
                    return x;
                });
    }
}
