// The steps between two products as one kernel, whose blocks meet as often as there are sums.
#include "cuda_streams.hpp"
#include "solves.hpp"
#include "support/kinds_of_rows.hpp"
#include "support/shapes.hpp"

#include "ddla/generate.hpp"

#include <atomic>
#include <initializer_list>
#include <thread>

using ddla::index_t;
using ddla::method;
using ddla::preconditioning;
using ddla::sparse_format;
using test::dd_dd;
using test::dd_double;
using test::double_double;
using test::with_values;

namespace {

/// All that can be is one kernel, whatever the size, by all blocks and by few, in graphs of some
/// iterations, of two, and in none.
std::vector<test::way> ways_of_sequences()
{
    std::vector<test::way> all;
    for (const auto& [blocks, check_every] :
         {std::pair{0, 0}, {0, 2}, {0, 1}, {1, 0}, {2, 2}, {7, 100}})
        all.push_back(
            {{.resident_tiles = -1, .sequence_tiles = INT64_MAX, .sequence_blocks = blocks},
             check_every});
    return all;
}

template <class T, class V>
void compare_sequences(const ddla::csr_matrix<V>& a, std::int64_t count, sparse_format stored,
                       std::initializer_list<preconditioning> with = {preconditioning::none,
                                                                      preconditioning::jacobi})
{
    const auto b = test::random_vector<T>(a.rows(), 91, 0);
    const auto guess = test::random_vector<T>(a.rows(), 92, 0);
    for (const method m : {method::bicgstab, method::cg})
        for (const preconditioning p : with) {
            INFO(to_string(m) << ", " << to_string(p) << ", " << to_string(stored) << ", "
                              << a.rows() << " rows");
            test::compare_solve<T, V>(
                a, b, guess, {.method = m, .precond = p, .tolerance = 0, .max_iterations = count},
                ways_of_sequences(), stored);
        }
}

/// How many kernels of several steps a solve of five iterations starts or records.
template <class T, class V>
std::int64_t kernels(const ddla::csr_matrix<double>& a, method with, sparse_format stored)
{
    auto there = with_values<V>(a).to(test::gpu);
    ddla::set_format(there, {.format = stored});
    const ddla::vector<T> b(a.rows(), T(1), test::gpu);
    ddla::vector<T> x(a.rows(), test::gpu);
    const std::int64_t before = ddla::device_backend::sweep_sequence_kernels();
    ddla::solve(there, b, x, {.method = with, .max_iterations = 5});
    return ddla::device_backend::sweep_sequence_kernels() - before;
}

}  // namespace

// Around warps of a block, blocks, and groups of 256 tiles; the last tile may be one element.
TEMPLATE_TEST_CASE("sweeps of one kernel around tiles", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    for (const index_t tiles : {1, 2, 3, 15, 16, 17, 133, 256, 257, 513})
        for (const index_t more : {-1, 0, 1}) {
            const auto line =
                test::with_uneven_diagonal(ddla::generate::poisson2d(256 * tiles + more, 1));
            compare_sequences<T>(with_values<V>(line), 4, sparse_format::slices);
        }
}

// Lanes have none to all eight of their terms in the last tile.  By turns, a warp adds those that
// there are, in the order of the rule: in kernels of several steps and of one.
TEMPLATE_TEST_CASE("sums over last tiles of every size", "[device]", double_double, dd_double)
{
    using T = typename TestType::scalar;
    const ddla::device_backend::schedule together{.resident_tiles = -1,
                                                  .sequence_tiles = INT64_MAX},
        apart{.warp_tiles_from = 1, .resident_tiles = -1, .sequence_tiles = -1};
    for (index_t last = 1; last < 256; last += 16) {
        INFO("a last tile of " << last);
        const auto a = test::with_uneven_diagonal(ddla::generate::poisson2d(256 + last, 1));
        const auto b = test::random_vector<T>(a.rows(), 96, 0);
        for (const method m : {method::bicgstab, method::cg})
            test::compare_solve<T, double>(a, b, ddla::vector<T>(a.rows()),
                                           {.method = m, .tolerance = 0, .max_iterations = 3},
                                           {{together, 0}, {apart, 0}}, sparse_format::slices);
    }
}

// More tiles than a warp for each of them, more groups than a few blocks; in compressed rows the
// product sums, too.
TEMPLATE_TEST_CASE("sweeps of one kernel in larger systems", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto line =
        with_values<V>(test::with_uneven_diagonal(ddla::generate::poisson2d(1200007, 1)));
    for (const auto stored : {sparse_format::slices, sparse_format::csr})
        compare_sequences<T>(line, 3, stored);
}

// As many tiles, in as many groups, as blocks add up.
TEMPLATE_TEST_CASE("sweeps of one kernel in the largest system", "[device]", double_double,
                   dd_double)
{
    using T = typename TestType::scalar;
    const auto line = ddla::generate::poisson2d(index_t(65536) * 256 - 5, 1);
    const auto b = test::random_vector<T>(line.rows(), 91, 0);
    const std::int64_t before = ddla::device_backend::sweep_sequence_kernels();
    test::compare_solve<T, double>(
        line, b, ddla::vector<T>(line.rows()),
        {.method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 2}, {{{}, 1}},
        sparse_format::slices);
    CHECK(ddla::device_backend::sweep_sequence_kernels() > before);
}

TEMPLATE_TEST_CASE("sweeps of one kernel in every format", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto a = with_values<V>(
        test::with_uneven_diagonal(ddla::generate::convection_diffusion(11, 12, 13)));
    for (const auto stored : test::formats_for(a)) compare_sequences<T>(a, 6, stored);
}

// The product in front is three kernels of slices, of which the last two let in the next before
// they wait, or what other formats make of long rows.
TEMPLATE_TEST_CASE("sweeps of one kernel behind products of long rows", "[device]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto long_ones = [](index_t i) { return i % 100 == 9 ? 300 + i * 7 % 2700 : 3 + i % 9; };
    const auto a = with_values<V>(
        test::with_uneven_diagonal(test::random_matrix<double>(70001, 70001, 94, long_ones)));
    // (Without Jacobi: not every row of A has its diagonal.)
    for (const auto stored : {sparse_format::slices, sparse_format::tiles, sparse_format::evc_hyb})
        compare_sequences<T>(a, 3, stored, {preconditioning::none});
}

// Tiles of long rows that share slices.
TEMPLATE_TEST_CASE("sweeps of one kernel behind products of rows at one pace", "[device]",
                   double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto a =
        test::matrix_at_one_pace<V>(5201, 5201, 17, 95, [](index_t i) { return 290 + i % 15; });
    compare_sequences<T>(a, 3, sparse_format::slices, {preconditioning::none});
}

TEMPLATE_TEST_CASE("solves end within kernels of several steps", "[device]", double_double,
                   dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const index_t n = 3000;
    const auto compare = [&](const auto& fill, method with, int lengths,
                             preconditioning p = preconditioning::none) {
        ddla::coordinates<double> c{.rows = n, .columns = n};
        fill(c);
        ddla::vector<T> b(n);
        const ddla::vector<T> guess(n);
        for (index_t i = 0; i < n; ++i)
            b.view().set(i, T(1 + static_cast<double>(i % lengths) / 8));
        return test::compare_solve<T, V>(
            with_values<V>(ddla::csr_matrix<double>(c)), b, guess,
            {.method = with, .precond = p, .tolerance = 0, .max_iterations = 40},
            ways_of_sequences(), sparse_format::slices);
    };
    const auto diagonal = [&](auto& c) {
        for (index_t i = 0; i < n; ++i) c.add(i, i, 2);
    };
    // (r0, A r0) = 0 where A turns planes by a right angle: the half step has no alpha.
    const auto turns = [&](auto& c) {
        for (index_t i = 0; i < n; i += 2) {
            c.add(i, i + 1, 1);
            c.add(i + 1, i, -1);
        }
    };
    const auto turned = compare(turns, method::bicgstab, 1);
    CHECK(turned.status == ddla::solve_status::breakdown);
    CHECK(turned.iterations == 0);
    // s = 0: omega vanishes, and the full step takes x to the answer.
    CHECK(compare(diagonal, method::bicgstab, 1).iterations == 1);
    CHECK(compare(diagonal, method::cg, 1).iterations == 1);
    // (p, A p) is not finite: before x and r change.
    const auto huge = [&](auto& c) {
        for (index_t i = 0; i < n; ++i) c.add(i, i, 1e306 * (1 + static_cast<double>(i % 3) / 4));
    };
    const auto overflown = compare(huge, method::cg, 1);
    CHECK(overflown.status == ddla::solve_status::not_finite);
    CHECK(overflown.iterations == 0);
    // omega is not: between the sums of a product and the full step, which must not take x along.
    const auto blocks = [&](auto& c) {
        for (index_t i = 0; i < n; i += 2) {
            c.add(i, i, 1);
            c.add(i, i + 1, 1);
            c.add(i + 1, i, 0.5);
            c.add(i + 1, i + 1, 1e-200);
        }
    };
    const auto broken = compare(blocks, method::bicgstab, 7, preconditioning::jacobi);
    CHECK(broken.status == ddla::solve_status::not_finite);
    CHECK(broken.iterations == 0);
}

TEMPLATE_TEST_CASE("which sweeps share a kernel", "[device]", double_double, dd_double, dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const auto line = [](index_t n) { return ddla::generate::poisson2d(n, 1); };
    const auto counted = [](const auto& a, method m, sparse_format stored) {
        return kernels<T, V>(a, m, stored);
    };
    // Five iterations, of two kernels each in BiCGStab and of one in CG.
    const int recorded = 5;
    const auto as_graph = [&](index_t most, const auto& check) {
        test::under({.resident_tiles = -1, .sequence_tiles = most}, check);
    };
    as_graph(0, [&] {
        const index_t few = (ddla::words_of<T> == 1 ? 15 : 127) * ddla::tile_size;
        CHECK(counted(line(few), method::bicgstab, sparse_format::slices) == 0);
        CHECK(counted(line(few + 1), method::bicgstab, sparse_format::slices) == 2 * recorded);
        CHECK(counted(line(65537), method::bicgstab, sparse_format::slices) == 2 * recorded);
        CHECK(counted(line(65537), method::bicgstab, sparse_format::csr) == 2 * recorded);
        CHECK(counted(line(65537), method::cg, sparse_format::slices) == recorded);
        CHECK(counted(line(65537), method::cg, sparse_format::csr) == recorded);
    });
    as_graph(INT64_MAX, [&] {
        CHECK(counted(line(1), method::bicgstab, sparse_format::slices) > 0);
        CHECK(counted(line(700), method::cg, sparse_format::slices) == recorded);
    });
    as_graph(-1, [&] { CHECK(counted(line(65537), method::cg, sparse_format::slices) == 0); });
}

// Meetings are counted on the device, from kernel to kernel and from solve to solve, whatever the
// sizes of the systems; also those of products that leave sums.
TEMPLATE_TEST_CASE("kernels of several steps again and again", "[device]", double_double, dd_double,
                   dd_dd)
{
    using T = typename TestType::scalar;
    using V = typename TestType::value;
    const ddla::solve_options options{
        .method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 13};
    struct system {
        ddla::csr_matrix<V> a;
        ddla::vector<T> b, expected;
        ddla::solve_report here;
    };
    std::vector<system> all;
    for (const index_t n : {70000, 300, 200000}) {
        system s{with_values<V>(test::with_uneven_diagonal(ddla::generate::poisson2d(n, 1))),
                 test::random_vector<T>(n, 93, 0),
                 ddla::vector<T>(n),
                 {}};
        s.here = ddla::solve(s.a, s.b, s.expected, options);
        s.b = s.b.to(test::gpu);
        for (const auto stored : {sparse_format::slices, sparse_format::patterns}) {
            system there{s.a.to(test::gpu), s.b, s.expected, s.here};
            ddla::set_format(there.a, {.format = stored});
            all.push_back(std::move(there));
        }
    }
    test::under({.resident_tiles = -1, .sequence_tiles = INT64_MAX}, [&] {
        for (int k = 0; k < 20; ++k)
            for (const system& s : all) {
                ddla::vector<T> x(s.b.size(), test::gpu);
                test::check_same(s.here, ddla::solve(s.a, s.b, x, options));
                CHECK(test::same_bits(x, s.expected));
            }
    });
}

// All blocks of such a kernel start or none: solves on several streams cannot wait for each other.
TEST_CASE("kernels of several steps on several streams", "[device][streams]")
{
    using T = ddla::dd_real;
    const ddla::solve_options options{
        .method = ddla::method::bicgstab, .tolerance = 0, .max_iterations = 200};
    auto a = test::with_uneven_diagonal(ddla::generate::poisson2d(100000, 1));
    const auto b = test::random_vector<T>(a.rows(), 94, 0);
    ddla::vector<T> expected(a.rows());
    const auto here = ddla::solve(a, b, expected, options);
    a = a.to(test::gpu);
    ddla::set_format(a, {.format = sparse_format::slices});
    const auto db = b.to(test::gpu);
    std::atomic<int> same = 0;
    test::under({.resident_tiles = -1}, [&] {
        std::vector<std::thread> all;
        for (int t = 0; t < 4; ++t)
            all.emplace_back([&] {
                const test::cuda_stream native;
                ddla::stream on(test::gpu, native.get());
                for (int k = 0; k < 5; ++k) {
                    ddla::vector<T> x(b.size(), test::gpu);
                    const auto there = ddla::solve(on, a.view(), db.view(), x.view(), options);
                    same += there.solution_hash == here.solution_hash &&
                            there.iterations == here.iterations && test::same_bits(x, expected);
                }
            });
        for (auto& one : all) one.join();
    });
    CHECK(same == 20);
}
