// Vector operations, sparse products and BiCGStab on one device, beside cuBLAS.
//
//     bench_device vectors|products|solvers ...    times in microseconds
#include "device/context.cuh"
#include "engine/matrix_operations.hpp"
#include "engine/vector_operations.hpp"
#include "timing.hpp"

#include "ddla/generate.hpp"
#include "ddla/solve.hpp"

#include <cublas_v2.h>

#include <cstdio>
#include <string_view>

namespace {

using namespace ddla;
using namespace ddla::device_backend;

constexpr place there = device(0);

template <class T>
vector<T> some_vector(index_t n, double scale)
{
    vector<T> x(n);
    for (index_t i = 0; i < n; ++i)
        x.set(i, T(scale * (1.0 + static_cast<double>(i % 1009) / 1024)));
    return x.to(there);
}

double copy_bandwidth(cudaStream_t stream)
{
    const std::size_t bytes = std::size_t{1} << 31;
    const buffer from(bytes, there), to(bytes, there);
    const double us = bench::microseconds(stream, [&] {
        check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream),
              "cudaMemcpyAsync");
    });
    return 2.0 * static_cast<double>(bytes) / us / 1e3;
}

struct times {
    double dot, axpy, nrm2;
};

template <class T>
times ours(gpu& on, index_t n)
{
    call c{backend(on), workspace(there)};
    const auto x = some_vector<T>(n, 1e-3);
    auto y = some_vector<T>(n, 1);
    const vec<const T> cx = x.view(), cy = std::as_const(y).view();
    T* const q = c.memory.objects<T>(1);
    c.on.write(q, T(1e-9));
    const auto time = [&](const auto& step) {
        return bench::microseconds(on.stream(), [&] { c.on.run(step, n); });
    };
    return {time(steps::dot<T>{{{{}, q}}, cx, cy}),
            (c.on.write(q, T(1e-9)), time(steps::axpyz<T>{{{}, q}, cx, cy, y.view()})),
            time(steps::sum_of_squares<T>{{{{}, q}}, cx, 1.0})};
}

times cublas(gpu& on, cublasHandle_t handle, index_t n)
{
    workspace memory(there);
    const auto x = some_vector<double>(n, 1e-3);
    auto y = some_vector<double>(n, 1);
    double* const result = memory.objects<double>(1);
    const double* const px = x.view().high;
    double* const py = y.view().high;
    const int m = static_cast<int>(n);
    check(cudaMemsetAsync(result, 0, sizeof(double), on.stream()), "cudaMemsetAsync");
    const auto time = [&](const auto& f) { return bench::microseconds(on.stream(), f); };
    return {time([&] { cublasDdot(handle, m, px, 1, py, 1, result); }),
            time([&] { cublasDaxpy(handle, m, result, px, 1, py, 1); }),
            time([&] { cublasDnrm2(handle, m, px, 1, result); })};
}

void vectors(gpu& on)
{
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSetStream(handle, on.stream());
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    const double speed = copy_bandwidth(on.stream());
    std::printf("copy %.0f GB/s\n%10s %28s %28s %28s   (dot axpy nrm2)\n", speed, "n",
                "cuBLAS double", "ddla double", "ddla double-double");
    for (int e = 12; e <= 26; e += 2) {
        const index_t n = index_t(1) << e;
        const times v = cublas(on, handle, n), d = ours<double>(on, n), dd = ours<dd_real>(on, n);
        std::printf("%10ld %10.2f %8.2f %8.2f %10.2f %8.2f %8.2f %10.2f %8.2f %8.2f\n",
                    static_cast<long>(n), v.dot, v.axpy, v.nrm2, d.dot, d.axpy, d.nrm2, dd.dot,
                    dd.axpy, dd.nrm2);
        if (e < 26) continue;
        const auto share = [&](const times& t, int words) {
            const double vector = 8.0 * words * static_cast<double>(n) / 1e3 / speed;
            std::printf("share of the copy speed: dot %.3f axpy %.3f nrm2 %.3f\n",
                        2 * vector / t.dot, 3 * vector / t.axpy, vector / t.nrm2);
        };
        share(v, 1), share(d, 1), share(dd, 2);
    }
    cublasDestroy(handle);
    for (const int e : {16, 18, 20, 22, 26})
        for (const index_t from : {index_t(1), INT64_MAX})
            for (const int each : {1, 8, 16, 32, 64}) {
                if (from > 1 && each > 8) continue;
                choose_schedule({each, from, 0});
                const times d = ours<double>(on, index_t(1) << e),
                            dd = ours<dd_real>(on, index_t(1) << e);
                std::printf("2^%d %s, %3d tiles a block: double %.1f %.1f %.1f  double-double %.1f "
                            "%.1f %.1f\n",
                            e, from == 1 ? "warp a tile " : "block a tile", each, d.dot, d.axpy,
                            d.nrm2, dd.dot, dd.axpy, dd.nrm2);
            }
    choose_schedule({});
}

template <class T>
double product_time(gpu& on, const csr<double>& a, int each)
{
    choose_schedule({each, 0, 0});
    call c{backend(on), workspace(there)};
    choose_schedule({});
    const auto x = some_vector<T>(a.columns, 1);
    vector<T> y(a.rows, there);
    auto* const q = c.memory.objects<steps::spmv_scalars<T>>(1);
    c.on.write(q, {T(1), T(0)});
    return bench::microseconds(on.stream(), [&] {
        c.on.run(steps::spmv<T>{{}, q, x.view(), y.view()}, a);
    });
}

void products(gpu& on)
{
    const auto show = [&](const char* name, const csr_matrix<double>& host_matrix) {
        const auto a = host_matrix.to(there);
        std::printf("%s (1, 2, 4 tiles a block)\n  double       ", name);
        for (const int each : {1, 2, 4})
            std::printf(" %8.1f", product_time<double>(on, a.view(), each));
        std::printf("\n  double-double");
        for (const int each : {1, 2, 4})
            std::printf(" %8.1f", product_time<dd_real>(on, a.view(), each));
        std::printf("\n");
    };
    show("7-point 32^3", generate::convection_diffusion(32, 32, 32));
    show("7-point 64^3", generate::convection_diffusion(64, 64, 64));
    show("7-point 128^3", generate::convection_diffusion(128, 128, 128));
    show("random 1M x 21", generate::random(1000000, 21, 0.1, 1));
    show("skewed 1M x 11", generate::skewed(1000000, 11, 1.0, 1));
}

template <class T>
double iteration_time(const csr_matrix<double>& a, const solve_options& options)
{
    const auto b = some_vector<T>(a.rows(), 1);
    std::vector<double> seconds;
    for (int k = 0; k < 5; ++k) {
        vector<T> x(a.rows(), there);
        const auto report = solve(a, b, x, options);
        seconds.push_back(report.seconds * 1e6 / static_cast<double>(report.iterations));
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[2];
}

void solvers()
{
    for (const int size : {22, 32, 64, 128}) {
        const auto a = generate::convection_diffusion(size, size, size, 0.3, 0).to(there);
        std::printf("BiCGStab 7-point %d^3:", size);
        for (const int graph : {0, 1}) {
            choose_schedule({0, 0, graph});
            const solve_options options{
                .tolerance = 0, .max_iterations = size > 64 ? 64 : 128, .check_every = 64};
            std::printf("  graph of %d: double %.2f, double-double %.2f", graph,
                        iteration_time<double>(a, options), iteration_time<dd_real>(a, options));
        }
        for (const index_t from : {1, 1000000}) {
            choose_schedule({0, from, 0});
            const solve_options options{.tolerance = 0, .max_iterations = 64, .check_every = 64};
            std::printf("  %s a tile: %.2f, %.2f", from == 1 ? "warp" : "block",
                        iteration_time<double>(a, options), iteration_time<dd_real>(a, options));
        }
        choose_schedule({});
        std::printf("\n");
    }
}

}  // namespace

int main(int argc, char** argv)
{
    gpu& on = gpu_at(0);
    const current_device here(0);
    for (int k = 1; k < argc; ++k) {
        const std::string_view what = argv[k];
        if (what == "vectors") vectors(on);
        if (what == "products") products(on);
        if (what == "solvers") solvers();
    }
}
