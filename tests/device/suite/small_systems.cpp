// Systems whose iterations are one kernel on the device: its blocks, which have a tile each, meet
// as often as there are sums.
#include "cuda_streams.hpp"
#include "exchanges.hpp"
#include "solves.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"
#include "ddla/sparse_format.hpp"

#include <atomic>
#include <thread>

using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::with_values;

namespace {

/// Between looks at the scalars, kernels end with any number of iterations.
std::vector<test::way> ways_of_one_kernel()
{
    std::vector<test::way> all;
    for (const int check_every : {0, 1, 2, 1000000})
        all.push_back({{.resident_tiles = ddla::tile_size}, check_every});
    all.push_back({{.resident_tiles = -1}, 5});
    return all;
}

template <class T, class V>
void compare_iterations(const ddla::csr_matrix<V>& a, std::int64_t count,
                        const std::vector<test::way>& ways = ways_of_one_kernel())
{
    const auto b = test::random_vector<T>(a.rows(), 81, 0);
    const auto guess = test::random_vector<T>(a.rows(), 82, 0);
    for (const method m : {method::bicgstab, method::cg})
        for (const preconditioning p : {preconditioning::none, preconditioning::jacobi}) {
            INFO(to_string(m) << ", " << to_string(p) << ", " << a.rows() << " rows");
            test::compare_solve<T, V>(
                a, b, guess, {.method = m, .precond = p, .tolerance = 0, .max_iterations = count},
                ways);
        }
}

/// Rows of many lengths up to `longest`, and a diagonal that Jacobi can divide by.
ddla::csr_matrix<double> uneven_rows(index_t n, index_t longest)
{
    ddla::coordinates<double> c{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        c.add(i, i, 50 + static_cast<double>(i % 7));
        const index_t length = i % 100 == 17 ? longest : i / 64 % 3 == 1 ? i % longest : i % 9;
        for (index_t k = 1; k < length; ++k)
            c.add(i, (i + k * k) % n, 1 / static_cast<double>(2 + (i + k) % 11));
    }
    return ddla::csr_matrix<double>(c);
}

/// How many kernels of many iterations a solve starts.
template <class T, class V>
std::int64_t kernels(const ddla::csr_matrix<double>& a, const ddla::solve_options& how)
{
    const auto there = with_values<V>(a).to(test::gpu);
    const ddla::vector<T> b(a.rows(), T(1), test::gpu);
    ddla::vector<T> x(a.rows(), test::gpu);
    const std::int64_t before = ddla::device_backend::resident_kernels();
    ddla::solve(there, b, x, how);
    return ddla::device_backend::resident_kernels() - before;
}

}  // namespace

TEMPLATE_TEST_CASE("small systems around tiles", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t tiles : {1, 2, 3, 31, 32, 33, 64, 65, 128, 129, 131, 132, 133, 255, 256})
        for (const index_t more : {-1, 0, 1}) {
            const auto line =
                test::with_uneven_diagonal(ddla::generate::poisson2d(256 * tiles + more, 1));
            compare_iterations<T>(with_values<V>(line), tiles < 4 ? 11 : 3);
        }
}

TEMPLATE_TEST_CASE("small systems with rows of many lengths", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    // Longer ones than 32 are not for one kernel.
    for (const index_t longest : {8, 9, 32, 33, 200})
        for (const index_t n : {700, 10000, 33000})
            compare_iterations<T>(with_values<V>(uneven_rows(n, longest)), 6);
}

// One kernel reads the compressed rows, a kernel a step what the format has beside them.
TEMPLATE_TEST_CASE("small systems in every format", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto a = with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(11, 12, 13)));
    const auto b = test::random_vector<T>(a.rows(), 85);
    ddla::vector<T> expected(b.size());
    const ddla::solve_options how{
        .method = ddla::method::bicgstab, .tolerance = 1e-10, .max_iterations = 60};
    const auto here = ddla::solve(a, b, expected, how);
    auto there = a.to(test::gpu);
    const auto db = b.to(test::gpu);
    const std::size_t compressed = ddla::bytes_of_product<T>(there);
    const std::size_t vector = b.size() * sizeof(T);
    for (const auto format : test::formats_for(a))
        for (const ddla::device_backend::schedule& cut :
             {ddla::device_backend::schedule{.resident_tiles = -1},
              {.resident_tiles = ddla::tile_size},
              {.resident_tiles = -1, .sequence_tiles = INT64_MAX}})
            test::under(cut, [&] {
                INFO(to_string(format));
                ddla::set_format(there, {.format = format});
                ddla::vector<T> x(b.size(), test::gpu);
                const std::int64_t before = ddla::device_backend::resident_kernels();
                const auto report = ddla::solve(there, db, x, how);
                const bool one = ddla::device_backend::resident_kernels() > before;
                CHECK(one == (cut.resident_tiles > 0));
                const std::size_t read = one ? compressed : ddla::bytes_of_product<T>(there);
                CHECK(report.bytes_per_iteration == 2 * (read - 2 * vector) + 19 * vector);
                CHECK(report.solution_hash == here.solution_hash);
                CHECK(report.iterations == here.iterations);
                CHECK(test::same_bits(x, expected));
            });
}

TEMPLATE_TEST_CASE("a small system is solved again and again", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto a = with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(32, 32, 32)));
    const auto b = test::random_vector<T>(a.rows(), 83, 0);
    auto expected = ddla::vector<T>(b.size());
    const ddla::solve_options options{.method = ddla::method::bicgstab,
                                      .tolerance = sizeof(T) == 8 ? 1e-10 : 1e-25};
    const auto here = ddla::solve(a, b, expected, options);
    CHECK(here.iterations > 20);
    const auto da = a.to(test::gpu);
    const auto db = b.to(test::gpu);
    for (int k = 0; k < 50; ++k) {
        ddla::vector<T> x(b.size(), test::gpu);
        test::check_same(here, ddla::solve(da, db, x, options));
        CHECK(test::same_bits(x, expected));
    }
}

TEST_CASE("blocks of a small system need not keep pace", "[device]")
{
    test::meet_at_unlike_pace(200);
}

TEMPLATE_TEST_CASE("which systems are one kernel", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto kernels = [](const auto& a, const ddla::solve_options& how) {
        return ::kernels<T, V>(a, how);
    };
    const auto small = ddla::generate::poisson2d(20, 20);
    for (const method m : {method::bicgstab, method::cg}) {
        CHECK(kernels(small, {.method = m}) == 1);
        CHECK(kernels(ddla::generate::poisson2d(65537, 1), {.method = m, .max_iterations = 5}) ==
              0);
        CHECK(kernels(small, {.method = m, .precond = preconditioning::jacobi}) == 1);
        CHECK(kernels(small,
                      {.method = m, .tolerance = 0, .max_iterations = 10, .check_every = 3}) == 4);
        CHECK(kernels(uneven_rows(700, 32), {.method = m, .max_iterations = 5}) == 1);
        CHECK(kernels(uneven_rows(700, 50), {.method = m, .max_iterations = 5}) == 0);
        CHECK(kernels(ddla::generate::poisson2d(8192, 1), {.method = m, .max_iterations = 5}) == 1);
        test::under({.resident_tiles = -1}, [&] { CHECK(kernels(small, {.method = m}) == 0); });
    }
    // Nothing else is stored for them.
    auto there = small.to(test::gpu), longer = uneven_rows(700, 50).to(test::gpu);
    CHECK(ddla::set_format(there).format == ddla::sparse_format::csr);
    CHECK(ddla::set_format(longer).format == ddla::sparse_format::slices);
}

// After 512 iterations where they are one kernel, else after 32: what is done counts, not what a
// system of that size might do.
TEMPLATE_TEST_CASE("looks at small systems", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t n : {400, 33000, 65536}) {
        const auto line = with_values<V>(ddla::generate::poisson2d(n, 1)).to(test::gpu);
        const auto b = test::random_vector<T>(n, 88, 0).to(test::gpu);
        for (const method m : {method::bicgstab, method::cg})
            for (const preconditioning p : {preconditioning::none, preconditioning::jacobi}) {
                INFO(to_string(m) << ", " << to_string(p) << ", " << n << " rows");
                std::vector<std::int64_t> seen;
                ddla::solve_options how{
                    .method = m, .precond = p, .tolerance = 0, .max_iterations = 40};
                how.watch = [&](const ddla::solve_progress& now) {
                    seen.push_back(now.iterations);
                    return true;
                };
                ddla::vector<T> x(n, test::gpu);
                const std::int64_t before = ddla::device_backend::resident_kernels();
                CHECK(ddla::solve(line, b, x, how).iterations == 40);
                const bool one = ddla::device_backend::resident_kernels() > before;
                CHECK(seen ==
                      (one ? std::vector<std::int64_t>{0} : std::vector<std::int64_t>{0, 32}));
            }
    }
}

// A kernel does 512 iterations at most.
TEST_CASE("small systems of many iterations", "[device]")
{
    // CG on a line ends with the last dimension.
    constexpr index_t n = 700;
    ddla::coordinates<double> line{.rows = n, .columns = n};
    for (index_t i = 0; i < n; ++i) {
        line.add(i, i, 2);
        if (i > 0) line.add(i, i - 1, -1), line.add(i - 1, i, -1);
    }
    const ddla::csr_matrix<double> a(line);
    const auto b = test::random_vector<ddla::dd_real>(n, 86, 0);
    const ddla::vector<ddla::dd_real> guess(n);
    for (const method m : {method::bicgstab, method::cg}) {
        const auto iterations = [&](double tolerance) {
            return test::compare_solve<ddla::dd_real, double>(
                       a, b, guess, {.method = m, .tolerance = tolerance, .max_iterations = 1500},
                       ways_of_one_kernel())
                .iterations;
        };
        const auto some = iterations(1e-20);
        CHECK(some > 512);
        CHECK(some < 1024);
        CHECK(iterations(0) == 1500);
    }
}

TEMPLATE_TEST_CASE("small systems that break down", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    // (r0, A r0) = 0 where A turns planes by a right angle: within the first iteration.
    const index_t n = 3000;
    ddla::coordinates<double> turns{.rows = n, .columns = n}, swaps = turns;
    for (index_t i = 0; i < n; i += 2) {
        turns.add(i, i + 1, 1);
        turns.add(i + 1, i, -1);
        swaps.add(i, i, i < 2000 ? 1 : -1);  // CG: (p, A p) may vanish later, A is indefinite
        swaps.add(i + 1, i + 1, 2);
    }
    const ddla::vector<T> ones(n, T(1)), guess(n);
    const auto ended =
        test::compare_solve<T, V>(with_values<V>(ddla::csr_matrix<double>(turns)), ones, guess,
                                  {.method = method::bicgstab}, ways_of_one_kernel());
    CHECK(ended.status == ddla::solve_status::breakdown);
    const auto b = test::random_vector<T>(n, 87, 0);
    for (const method m : {method::bicgstab, method::cg})
        test::compare_solve<T, V>(with_values<V>(ddla::csr_matrix<double>(swaps)), b, guess,
                                  {.method = m, .tolerance = 0, .max_iterations = 40},
                                  ways_of_one_kernel());
}

// Their kernels cannot all be on the device: they take turns.
TEST_CASE("small systems on several streams at once", "[device][streams]")
{
    const index_t points = GENERATE(32, 46);
    const auto a = ddla::generate::convection_diffusion(points, points, points);
    const auto b = test::random_vector<double>(a.rows(), 84, 0);
    ddla::vector<double> expected(b.size());
    const auto here =
        ddla::solve(a, b, expected, {.method = ddla::method::bicgstab, .tolerance = 1e-10});
    const auto da = a.to(test::gpu);
    const auto db = b.to(test::gpu);
    std::vector<std::thread> all;
    std::atomic<int> same = 0;
    for (int t = 0; t < 4; ++t)
        all.emplace_back([&] {
            const test::cuda_stream native;
            ddla::stream on(test::gpu, native.get());
            for (int k = 0; k < 10; ++k) {
                ddla::vector<double> x(b.size(), test::gpu);
                const auto there =
                    ddla::solve(on, da.view(), db.view(), x.view(),
                                {.method = ddla::method::bicgstab, .tolerance = 1e-10});
                same += there.solution_hash == here.solution_hash &&
                        there.iterations == here.iterations && test::same_bits(x, expected);
            }
        });
    for (auto& one : all) one.join();
    CHECK(same == 40);
}
