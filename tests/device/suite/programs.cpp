// How programs run on a device: what is recorded as a graph and what is not, with the same bits.
#include "cuda_streams.hpp"
#include "device/under_schedule.hpp"
#include "support/function_maps.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/operands.hpp"
#include "support/same_bits.hpp"

#include "ddla/factors.hpp"
#include "ddla/generate.hpp"
#include "ddla/solve.hpp"
#include "ddla/sparse_format.hpp"
#include "device/schedule/schedule.hpp"

#include <algorithm>

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

TEMPLATE_TEST_CASE("systems in lock-step are recorded", "[device]", double, dd_real)
{
    using T = TestType;
    const auto a = ddla::generate::convection_diffusion(20, 21, 22).to(gpu);
    constexpr std::size_t count = 3;
    std::vector<ddla::vector<T>> b, guess(count, ddla::vector<T>(a.rows(), gpu));
    for (std::size_t j = 0; j < count; ++j)
        b.push_back(test::random_vector<T>(a.rows(), 95 + j, 0).to(gpu));
    // Takes fewer iterations.
    ddla::solve(a, b[1], guess[1], {.method = method::bicgstab, .tolerance = 1e-6});
    const auto graphs = [&](const ddla::device_backend::schedule& how, method m) {
        INFO(to_string(m));
        ddla::device_backend::choose_schedule(how);
        const std::int64_t before = ddla::device_backend::program_graphs();
        auto x = guess;
        const auto reports =
            ddla::solve(a, b, x, {.method = m, .tolerance = 1e-12, .check_every = 4});
        const std::int64_t recorded = ddla::device_backend::program_graphs() - before;
        ddla::device_backend::choose_schedule({});
        for (std::size_t j = 0; j < count; ++j) {
            INFO("system " << j);
            auto alone = guess[j];
            const auto report = ddla::solve(a, b[j], alone, {.method = m, .tolerance = 1e-12});
            CHECK(report.iterations == reports[j].iterations);
            CHECK(test::same_bits(alone, x[j]));
        }
        CHECK(reports[1].iterations + 6 < reports[0].iterations);
        return recorded;
    };
    // Anew when one of them has ended; not where each has a kernel for many iterations.
    CHECK(graphs({.resident_tiles = -1}, method::bicgstab) > 1);
    CHECK(graphs({}, method::bicgstab) == 0);
    CHECK(graphs({}, method::bicgstabl) > 1);
}

TEST_CASE("every format is read once for several vectors", "[device]")
{
    const auto here = ddla::generate::convection_diffusion(20, 21, 22);
    const auto is_shared = [&](method m, ddla::sparse_format f) {
        auto a = here.to(gpu);
        ddla::set_format<double>(a, {.format = f});
        const auto bytes = [&](std::size_t count) {
            const std::vector<ddla::vector<double>> b(count,
                                                      ddla::vector<double>(a.rows(), 1.0, gpu));
            std::vector<ddla::vector<double>> x(count, ddla::vector<double>(a.rows(), gpu));
            return ddla::solve(a, b, x, {.method = m, .tolerance = 0.0, .max_iterations = 2})
                .front()
                .bytes_per_iteration;
        };
        return bytes(8) < bytes(1);
    };
    for (const ddla::sparse_format f : test::formats_for(here)) {
        INFO(to_string(f));
        CHECK(is_shared(method::bicgstabl, f));
        CHECK(!is_shared(method::bicgstab, f));  // each has a kernel for many iterations
        const test::under_schedule not_resident({.resident_tiles = -1});
        // A product with patterns leaves sums, of one vector.
        CHECK(is_shared(method::bicgstab, f) == (f != ddla::sparse_format::patterns));
    }
}

TEST_CASE("a preconditioner is hardly applied after the end of a solve", "[device]")
{
    // Graphs apply it without its function being called: each time it shifts a row of ones, which a
    // one stands in front of, by one place.
    constexpr std::size_t room = 1000;
    ddla::vector<double> start(room);
    start[0] = 1;
    const ddla::vector<double> ones = start.to(gpu), copied(room, gpu);
    const auto a = ddla::generate::convection_diffusion(20, 21, 22), there = a.to(gpu);
    const auto count = [&](void* stream, ddla::vec<const dd_real> x, ddla::vec<dd_real> y) {
        const auto copy = [stream](double* to, const double* from, std::size_t n) {
            require_cuda(cudaMemcpyAsync(to, from, n * sizeof(double), cudaMemcpyDeviceToDevice,
                                         static_cast<cudaStream_t>(stream)));
        };
        for (int k = 0; k < x.words; ++k)
            copy(y.word(k), x.word(k), static_cast<std::size_t>(x.size));
        auto* const row = const_cast<double*>(ones.word(0).data());
        auto* const between = const_cast<double*>(copied.word(0).data());
        copy(between, row, room - 1);
        copy(row + 1, between, room - 1);
    };
    const ddla::preconditioner<dd_real> k("counted", a.rows(), gpu, count);
    const auto b = ddla::vector<dd_real>(a.rows(), 1.0, gpu);
    ddla::vector<dd_real> x(a.rows(), gpu);
    const auto report =
        ddla::solve(there, k, b, x, {.method = method::bicgstabl, .tolerance = 1e-10});
    REQUIRE(report.status == ddla::solve_status::converged);
    REQUIRE(report.iterations > 8);
    const ddla::vector<double> row = ones.to(ddla::host);
    const auto applied = std::ranges::count(row, 1.0) - 1;
    // BiCGStab(2) applies it four times an iteration, and a few times before and after.
    CHECK(applied >= 4 * report.iterations);
    CHECK(applied <= 4 * (report.iterations + report.iterations / 8 + 1) + 4);
    // However rarely the caller looks: the end is asked for every 64 iterations.
    ddla::solve(there, k, b, x = ddla::vector<dd_real>(a.rows(), gpu),
                {.method = method::bicgstabl, .tolerance = 1e-10, .check_every = 1'000'000});
    const ddla::vector<double> after = ones.to(ddla::host);
    CHECK(std::ranges::count(after, 1.0) - 1 - applied <= 4 * 64 + 4);
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
